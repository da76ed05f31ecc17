package pipe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"

	"earthgym/env"
)

// A Maker makes the instances of an agent, for one seat of one lane each.
type Maker struct {
	New    func() (env.Agent, error)
	Memory int64 // bytes that they share, about: those of a network
}

// OpenAgent finds the agent of a text to play g.
type OpenAgent func(text string, g env.Game) (Maker, error)

// How a lane's last step came out, in the block "end".
const (
	running    = 0
	terminated = 1 // by the rules
	truncated  = 2 // by the client's limit, or because an agent failed
	forfeited  = 3 // by an illegal action, where that is asked for
)

// What becomes of a lane whose game is over.
const (
	nextStep = "next_step" // the next step ignores the lane's action and shows the start of a new game
	sameStep = "same_step" // the start of the new game is shown at once, beside the end of the old one
	disabled = "disabled"  // the lane stays as it is until it is reset
)

// batch is many environments that are stepped together, and the arrays that show them.
type batch struct {
	game      env.Game
	info      *env.Info
	encoder   *encoder
	autoreset string
	forfeit   bool       // an illegal action loses the game
	seat      env.Player // the only one that the client plays, or everySeat
	names     []string   // who plays, by seat
	maker     []int      // of the agent, by seat: its place among the makers, or -1 where the client plays
	keep      bool       // what records are made of
	lanes     []lane
	workers   []worker
	named     []int32 // of each lane: its place among those that a request names, from 1; 0 = it does not
	memory    int64   // as counted against the limit

	blocks []block
	arrays []byte // the payload of a step: in frame, or shared
	frame  []byte // of a step's reply: prefix, head, payload
	shared *sharedMemory

	mask, observation, reward, actor, end []byte // blocks of arrays
}

const everySeat env.Player = -1

// lane is one environment.
type lane struct {
	env     *env.Env
	agents  []env.Agent // by seat; nil where the client plays
	view    env.View
	scratch []float32
	rewards []float64 // since the client's last decision

	first  uint64 // seed of the lane's first game
	games  uint64 // started
	seed   uint64 // of the running game
	whole  bool   // the running game comes from its seed
	over   bool
	last   env.Player // who acted last
	steps  int        // of the client in this game
	log    []int32    // the actions of the running game
	loser  env.Player // who forfeited, or -1
	failed error      // of an agent

	final   env.State // of the last finished game
	episode finished
}

// A worker is what one goroutine needs to play its share of the lanes.
type worker struct {
	deputies []env.Deputy // by maker; nil for agents that choose one by one
	moved    []int        // lanes in which a Deputy decides after the client
	late     []int        // lanes that are shown when all have moved
	fresh    []int        // lanes in which a game begins
	playing  []int        // lanes in which the server's agents play on
	fault    fault        // that ended its goroutine

	// Of one question to a Deputy:
	asked  []int
	agents []env.Agent
	views  []*env.View
	out    []env.Action
}

// together is how many decisions a Deputy is asked for at once, which bounds what it needs for them.
const together = 256

// finished is how a game went.
type finished struct {
	number    uint64 // 0 = none has finished yet
	seed      uint64
	whole     bool
	log       []int32
	last      env.Player
	returns   []float64
	scores    []float64
	measures  []float64
	winners   env.Seats
	reason    string
	decisions int
	steps     int
}

// gameSeed is the seed of a lane's k-th game, from 1: the first has the lane's own.
func gameSeed(first, k uint64) uint64 {
	if k == 1 {
		return first
	}
	return env.Mix(first ^ env.Mix(k))
}

// newBatch makes a batch, without arrays and games. It takes its memory before it makes the lanes.
func newBatch(g env.Game, r *request, enc encoding, open OpenAgent, workers int, take func(bytes int64) error) (*batch, error) {
	info := g.Info()
	b := &batch{
		game: g, info: info, encoder: newEncoder(enc, info), autoreset: nextStep, seat: everySeat,
		keep: r.Record, workers: make([]worker, min(int64(workers), r.Lanes)),
	}
	if r.Autoreset != "" {
		b.autoreset = r.Autoreset
	}
	if modes := []string{nextStep, sameStep, disabled}; !slices.Contains(modes, b.autoreset) {
		return nil, errorf(BadRequest, "autoreset %q: %s", b.autoreset, env.Suggest(b.autoreset, modes))
	}
	switch r.Illegal {
	case "", "error":
	case "forfeit":
		b.forfeit = true
	default:
		return nil, errorf(BadRequest, "illegal %q: %s", r.Illegal, env.Suggest(r.Illegal, []string{"error", "forfeit"}))
	}
	makers, err := b.seatAgents(r, open)
	if err != nil {
		return nil, err
	}
	if r.MaxDecisions < 0 || r.MaxDecisions > 1<<31 {
		return nil, errorf(BadRequest, "max_decisions %d: 0, for no limit, or more", r.MaxDecisions)
	}
	b.layOut(int(r.Lanes))
	if err := take(b.count(r.Lanes, makers)); err != nil {
		return nil, err
	}
	b.lanes, b.named = make([]lane, r.Lanes), make([]int32, r.Lanes)
	return b, b.fill(r, makers)
}

// fill makes the lanes and those who play in them.
func (b *batch) fill(r *request, makers []Maker) (err error) {
	info := b.info
	options := env.Options{Shaping: r.Shaping, Gamma: r.Gamma, MaxDecisions: int(r.MaxDecisions)}
	for i := range b.lanes {
		l := &b.lanes[i]
		if l.env, err = env.New(b.game, options); err != nil {
			return errorf(NotSupported, "%v", err)
		}
		l.final, l.first, l.last, l.loser = b.game.New(), r.Seed+uint64(i), max(b.seat, 0), -1
		l.rewards, l.scratch = make([]float64, info.Players), make([]float32, info.Observation())
		l.episode.returns, l.episode.scores = make([]float64, info.Players), make([]float64, info.Players)
		l.episode.measures = make([]float64, len(info.Measures))
		l.agents = make([]env.Agent, info.Players)
		for p, m := range b.maker {
			if m < 0 {
				continue
			}
			if l.agents[p], err = makers[m].New(); err != nil {
				return errorf(UnknownAgent, "agent %q: %v", b.names[p], err)
			}
		}
	}
	return b.hireDeputies(makers)
}

// hireDeputies gives each worker Deputies of its own, where the agents are such.
func (b *batch) hireDeputies(makers []Maker) error {
	for i := range b.workers {
		b.workers[i].deputies = make([]env.Deputy, len(makers))
	}
	for p, m := range b.maker {
		if m < 0 {
			continue
		}
		if _, ok := b.lanes[0].agents[p].(env.Deputy); !ok {
			continue
		}
		for i := range b.workers {
			a, err := makers[m].New()
			if err != nil {
				return errorf(UnknownAgent, "agent %q: %v", b.names[p], err)
			}
			b.workers[i].deputies[m] = a.(env.Deputy)
		}
	}
	return nil
}

// seatAgents finds who plays which seat, and gives the makers of the agents, one for each text.
func (b *batch) seatAgents(r *request, open OpenAgent) ([]Maker, error) {
	b.names = slices.Repeat([]string{"client"}, b.info.Players)
	b.maker = slices.Repeat([]int{-1}, b.info.Players)
	if r.Seat == nil {
		if len(r.Opponents) > 0 {
			return nil, errorf(BadRequest, "opponents without a seat: name the client's own")
		}
		return nil, nil
	}
	seat, err := b.player(*r.Seat)
	if err != nil {
		return nil, err
	}
	b.seat = seat
	if b.info.Players > 1 && len(r.Opponents) == 0 || len(r.Opponents) > b.info.Players-1 {
		return nil, errorf(BadRequest, "%d opponents for the %d other seats of %s: one to all of them, the last one in all that are left", len(r.Opponents), b.info.Players-1, b.info.Text)
	}
	var makers []Maker
	next := 0
	for p := range b.maker {
		if env.Player(p) == seat {
			continue
		}
		text := r.Opponents[min(next, len(r.Opponents)-1)]
		next++
		if same := slices.Index(b.names, text); same >= 0 && b.maker[same] >= 0 {
			b.maker[p] = b.maker[same]
		} else {
			maker, err := open(text, b.game)
			if own := (*Error)(nil); errors.As(err, &own) {
				return nil, own
			} else if err != nil {
				return nil, errorf(UnknownAgent, "%v", err)
			}
			b.maker[p] = len(makers)
			makers = append(makers, maker)
		}
		b.names[p] = text
	}
	return makers, nil
}

// layOut makes the blocks for n lanes, without memory for them.
func (b *batch) layOut(n int) {
	b.blocks = []block{
		{Name: "observation", Type: b.encoder.encoding.observation, Shape: []int{n, b.info.Observation()}},
		{Name: "mask", Type: typeUint8, Shape: []int{n, b.encoder.maskSize(b.info)}},
		{Name: "reward", Type: typeFloat32, Shape: []int{n, b.info.Players}},
		{Name: "actor", Type: typeInt32, Shape: []int{n}},
		{Name: "end", Type: typeUint8, Shape: []int{n}},
	}
	layOut(b.blocks)
}

func (b *batch) bytes() int {
	last := b.blocks[len(b.blocks)-1]
	return (last.Offset + last.size + 63) &^ 63
}

// count is what a batch of so many lanes is charged: its arrays, for each lane two States, an Env, an
// observation, and the agents with the View that they are shown, what the agents share, and what each worker needs
// for a question to a Deputy.
func (b *batch) count(lanes int64, makers []Maker) int64 {
	state := int64(reflect.TypeOf(b.game.New()).Elem().Size())
	perLane := 3*state + 8*int64(b.info.MaskWords()) + 8*int64(b.info.Observation()) + 1024
	if b.seat != everySeat {
		perLane += 4*int64(b.info.Observation()) + 1024*int64(b.info.Players-1)
	}
	if b.keep {
		perLane += 8 * int64(b.info.MaxDecisions)
	}
	n := lanes*perLane + int64(b.bytes())
	for _, m := range makers {
		n += m.Memory + int64(len(b.workers))*together*8*int64(b.info.Observation()+len(b.info.Actions))
	}
	return n
}

// place gives the batch memory for its arrays: shared, if there is such, or the payload of its frame.
func (b *batch) place(shared *sharedMemory) {
	const room = 64 // before the payload, for prefix and head
	n := b.bytes()
	if shared != nil {
		b.shared, b.arrays = shared, shared.bytes
		n = 0
	}
	words := make([]uint64, (room+n+64)/8)
	buf := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
	buf = buf[64-uintptr(unsafe.Pointer(unsafe.SliceData(buf)))%64:] // the payload starts at a multiple of 64
	b.frame = buf[room-prefix-len(stepHead{}) : room+n]
	if shared == nil {
		b.arrays = buf[room : room+n]
	}
	binary.LittleEndian.PutUint32(b.frame, uint32(len(b.frame)-4))
	binary.LittleEndian.PutUint32(b.frame[4:], uint32(len(stepHead{})))
	for i, dst := range []*[]byte{&b.observation, &b.mask, &b.reward, &b.actor, &b.end} {
		at := b.blocks[i]
		*dst = b.arrays[at.Offset : at.Offset+at.size]
	}
}

// stepHead is the head of the reply to step and reset: {"id": n}, always of this length.
type stepHead [13]byte

// reply is the whole frame of the arrays as they are now.
func (b *batch) reply(id uint64) []byte {
	head := b.frame[prefix : prefix+len(stepHead{})]
	copy(head, "\x81\xa2id\xcf")
	binary.BigEndian.PutUint64(head[5:], id)
	return b.frame
}

func (b *batch) close() {
	if b.shared != nil {
		b.shared.close()
	}
}

// row is the part of a block that belongs to lane i.
func (b *batch) row(block []byte, i int) []byte {
	n := len(block) / len(b.lanes)
	return block[i*n : (i+1)*n]
}

// each calls f for the lanes from:to of each worker, all at a time, and gives what has become of the first lane
// whose agent has failed.
func (b *batch) each(f func(w *worker, from, to int)) error {
	work := func(k int) {
		n := len(b.lanes)
		f(&b.workers[k], n*k/len(b.workers), n*(k+1)/len(b.workers))
	}
	for i := range b.lanes {
		b.lanes[i].failed = nil
	}
	var done sync.WaitGroup
	for k := 1; k < len(b.workers); k++ {
		done.Go(func() {
			defer func() {
				if what := recover(); what != nil {
					b.workers[k].fault = fault{what, debug.Stack()}
				}
			}()
			work(k)
		})
	}
	func() {
		defer done.Wait() // also after a fault: nobody may step lanes that are given up
		work(0)
	}()
	for k := range b.workers {
		if f := b.workers[k].fault; f.what != nil {
			panic(f) // where the session can deal with it
		}
	}
	for i := range b.lanes {
		if err := b.lanes[i].failed; err != nil {
			return inLane(i, AgentFailed, err)
		}
	}
	return nil
}

// fault is a panic of another goroutine.
type fault struct {
	what  any
	stack []byte
}

func (f fault) String() string { return fmt.Sprint(f.what) }

// choose fills in named: the lanes that which names, each once, or all of them if it is nil. It gives their
// number.
func (b *batch) choose(which []int64) (int, error) {
	if which == nil {
		for i := range b.named {
			b.named[i] = int32(i) + 1
		}
		return len(b.lanes), nil
	}
	clear(b.named)
	for k, i := range which {
		if _, err := b.lane(i); err != nil {
			return 0, err
		}
		if b.named[i] > 0 {
			return 0, errorf(BadLane, "lane %d is named twice", i)
		}
		b.named[i] = int32(k) + 1
	}
	return len(which), nil
}

// reset starts new games in some lanes, all if which is nil: each lane's next one, or those of the seeds,
// which begin the lanes' sequences anew.
func (b *batch) reset(which []int64, seeds []uint64) error {
	n, err := b.choose(which)
	if err != nil {
		return err
	}
	if seeds != nil && len(seeds) != n {
		return errorf(WrongLength, "%d seeds for %d lanes", len(seeds), n)
	}
	return b.each(func(w *worker, from, to int) {
		w.fresh = w.fresh[:0]
		for i := from; i < to; i++ {
			if b.named[i] == 0 {
				continue
			}
			l := &b.lanes[i]
			if seeds != nil {
				l.first, l.games = seeds[b.named[i]-1], 0
			}
			b.end[i] = running
			clear(b.row(b.reward, i))
			w.fresh = append(w.fresh, i)
		}
		b.begin(w)
		for i := from; i < to; i++ {
			if b.named[i] > 0 {
				b.show(i)
			}
		}
	})
}

// fruitless is how many games may end before the client's seat has decided anything.
const fruitless = 1000

// begin starts the next game in the worker's fresh lanes and plays to the client's first decision in it.
func (b *batch) begin(w *worker) {
	for range fruitless {
		if len(w.fresh) == 0 {
			return
		}
		for _, i := range w.fresh {
			b.deal(&b.lanes[i])
		}
		b.play(w, w.fresh)
		again := w.fresh[:0]
		for _, i := range w.fresh {
			switch l := &b.lanes[i]; {
			case l.failed != nil:
				l.over = true
			case l.env.Terminated() || l.env.Truncated():
				again = append(again, i)
			}
		}
		w.fresh = again
	}
	for _, i := range w.fresh {
		l := &b.lanes[i]
		l.over = true
		l.failed = fmt.Errorf("%d games in a row were over before seat %d had decided anything", fruitless, b.seat)
	}
}

// deal sets up a lane's next game.
func (b *batch) deal(l *lane) {
	l.games++
	l.seed, l.whole = gameSeed(l.first, l.games), true
	l.env.Reset(l.seed)
	b.resetAgents(l)
	l.log, l.steps = l.log[:0], 0
	b.start(l)
}

func (b *batch) resetAgents(l *lane) {
	for p, a := range l.agents {
		if a != nil {
			a.Reset(env.SeatSeed(l.seed, env.Player(p)))
		}
	}
}

// start clears what is counted within a game.
func (b *batch) start(l *lane) {
	l.over, l.loser, l.last = false, -1, max(b.seat, 0)
	clear(l.rewards)
}

// play lets the server's agents play in some lanes up to the client's next decision or the end. A lane whose
// agent could not go on has failed then.
func (b *batch) play(w *worker, lanes []int) {
	w.playing = append(w.playing[:0], lanes...)
	for {
		waiting := w.playing[:0]
		for _, i := range w.playing {
			if b.playAlone(w, &b.lanes[i]) {
				waiting = append(waiting, i)
			}
		}
		if w.playing = waiting; len(waiting) == 0 {
			return
		}
		for m := range w.deputies {
			b.playTogether(w, m)
		}
	}
}

// playAlone lets agents that choose one by one play in a lane. It says whether a Deputy decides next.
func (b *batch) playAlone(w *worker, l *lane) bool {
	for l.failed == nil {
		p := l.env.Actor()
		if p == env.Over || l.env.Truncated() || l.agents[p] == nil {
			return false
		}
		if w.deputies[b.maker[p]] != nil {
			return true
		}
		b.decide(l)
	}
	return false
}

// decide lets the agent whose turn it is choose and play.
func (b *batch) decide(l *lane) {
	p := l.env.Actor()
	l.env.View(&l.view)
	a, err := l.agents[p].Act(&l.view)
	if err == nil {
		err = b.apply(l, a)
	}
	b.blame(l, p, err)
}

// blame says whose error it was.
func (b *batch) blame(l *lane, p env.Player, err error) {
	if err != nil {
		l.failed = fmt.Errorf("agent %q, seat %d: %w", b.names[p], p, err)
	}
}

// playTogether plays one decision in each of the worker's lanes in which an agent of maker m decides.
func (b *batch) playTogether(w *worker, m int) {
	if w.deputies[m] == nil {
		return
	}
	w.asked = w.asked[:0]
	for _, i := range w.playing {
		l := &b.lanes[i] // which another agent may have played on in this round
		if p := l.env.Actor(); p != env.Over && b.maker[p] == m && l.failed == nil && !l.env.Truncated() {
			w.asked = append(w.asked, i)
		}
	}
	for asked := range slices.Chunk(w.asked, together) {
		w.agents, w.views = w.agents[:0], w.views[:0]
		for _, i := range asked {
			l := &b.lanes[i]
			l.env.View(&l.view)
			w.agents, w.views = append(w.agents, l.agents[l.env.Actor()]), append(w.views, &l.view)
		}
		w.out = slices.Grow(w.out[:0], len(asked))[:len(asked)]
		err := w.deputies[m].ActFor(w.agents, w.views, w.out)
		for k, i := range asked {
			l := &b.lanes[i]
			if err != nil {
				b.decide(l) // Which tells whose fault it is.
			} else {
				p := l.env.Actor()
				b.blame(l, p, b.apply(l, w.out[k]))
			}
		}
	}
}

// apply plays an action and counts its rewards.
func (b *batch) apply(l *lane, a env.Action) error {
	p := l.env.Actor()
	if err := l.env.Step(a); err != nil {
		return err
	}
	if l.last = p; b.seat != everySeat {
		l.last = b.seat
	}
	if b.keep {
		l.log = append(l.log, int32(a))
	}
	for p, r := range l.env.Rewards() {
		l.rewards[p] += r
	}
	return nil
}

// step plays one action in each lane, or in those that which names; the others stay as they are. If one of them
// is illegal, and that does not lose a game here, nothing is stepped.
func (b *batch) step(which []int64, payload []byte) error {
	n, err := b.choose(which)
	if err != nil {
		return err
	}
	if len(payload) != 4*n {
		return errorf(WrongLength, "the actions take %d bytes, not %d: int32, one for each of %d lanes", 4*n, len(payload), n)
	}
	action := func(i int) env.Action {
		return env.Action(int32(binary.LittleEndian.Uint32(payload[4*(b.named[i]-1):])))
	}
	if !b.forfeit {
		for i := range b.lanes {
			if l := &b.lanes[i]; b.named[i] > 0 && !l.over && !l.env.Mask().Has(action(i)) {
				return inLane(i, IllegalAction, l.env.Step(action(i))) // which says why and changes nothing
			}
		}
	}
	return b.each(func(w *worker, from, to int) {
		w.moved, w.fresh, w.late = w.moved[:0], w.fresh[:0], w.late[:0]
		for i := from; i < to; i++ {
			switch {
			case b.named[i] == 0:
			case b.move(w, i, action(i)):
				b.show(i) // while the lane is at hand
			default:
				w.late = append(w.late, i)
			}
		}
		b.play(w, w.moved)
		for _, i := range w.moved {
			b.settle(w, i)
		}
		b.begin(w)
		for _, i := range w.late {
			b.show(i)
		}
	})
}

// move plays the client's action in a lane and says whether that is all; if not, the lane is among the moved or
// the fresh ones.
func (b *batch) move(w *worker, i int, a env.Action) (done bool) {
	l := &b.lanes[i]
	b.end[i] = running
	clear(l.rewards)
	if l.over {
		if b.putRewards(i); b.autoreset == disabled {
			return true
		}
		w.fresh = append(w.fresh, i)
		return false
	}
	l.steps++
	if b.forfeit && !l.env.Mask().Has(a) {
		l.loser = l.env.Actor()
		l.rewards[l.loser] = -1
		return b.settle(w, i)
	}
	b.blame(l, l.env.Actor(), b.apply(l, a))
	if b.playAlone(w, l) {
		w.moved = append(w.moved, i)
		return false
	}
	return b.settle(w, i)
}

// settle writes what has come of a lane's step. If the game is over it is kept, and a new one may begin: then
// the lane is not done but among the fresh ones.
func (b *batch) settle(w *worker, i int) (done bool) {
	l := &b.lanes[i]
	b.putRewards(i)
	switch {
	case l.loser >= 0:
		b.end[i] = forfeited
	case l.failed == nil && l.env.Terminated():
		b.end[i] = terminated
	case l.failed != nil || l.env.Truncated():
		b.end[i] = truncated
	default:
		return true
	}
	b.finish(l)
	if b.autoreset == sameStep && l.failed == nil {
		w.fresh = append(w.fresh, i)
		return false
	}
	return true
}

func (b *batch) putRewards(i int) {
	row := floats(b.row(b.reward, i))
	for p, r := range b.lanes[i].rewards {
		row[p] = float32(r)
	}
}

// finish keeps what there is to know of the game that has just ended.
func (b *batch) finish(l *lane) {
	l.over = true
	s, e := l.env.State(), &l.episode
	e.number, e.seed, e.whole, e.last = l.games, l.seed, l.whole, l.last
	e.decisions, e.steps = l.env.Decisions(), l.steps
	s.Returns(e.returns)
	s.Scores(e.scores)
	env.MeasuresOf(s, e.measures)
	e.winners, e.reason = s.Winners(), s.Reason()
	switch {
	case l.loser >= 0:
		e.reason, e.returns[l.loser] = "forfeit", -1
	case l.failed != nil:
		e.reason = "agent failed"
	case l.env.Truncated():
		e.reason = "truncated"
	}
	l.final.CopyFrom(s)
	e.log = append(e.log[:0], l.log...)
}

// summary is the last finished game as it travels.
func (l *lane) summary() episode {
	e := &l.episode
	return episode{e.number, e.seed, e.returns, e.scores, e.measures, e.winners.List(), e.reason, e.decisions, e.steps}
}

// show writes a lane's rows, but its reward and end.
func (b *batch) show(i int) {
	l := &b.lanes[i]
	p, mask := l.env.Actor(), b.row(b.mask, i)
	if l.over {
		p = env.Over
		clear(mask)
	} else {
		b.encoder.putMask(mask, l.env.Mask())
	}
	binary.LittleEndian.PutUint32(b.actor[4*i:], uint32(int32(p)))
	if p == env.Over {
		p = l.last
	}
	b.encoder.observe(b.row(b.observation, i), l.env.State(), p, l.scratch)
}

// lane checks a number from outside.
func (b *batch) lane(i int64) (*lane, error) {
	if i < 0 || i >= int64(len(b.lanes)) {
		return nil, errorf(BadLane, "there is no lane %d: the batch has 0 to %d", i, len(b.lanes)-1)
	}
	return &b.lanes[i], nil
}

// player checks a seat from outside.
func (b *batch) player(p int64) (env.Player, error) {
	if p < 0 || p >= int64(b.info.Players) {
		return 0, errorf(BadPlayer, "there is no seat %d: %s has 0 to %d", p, b.info.Text, b.info.Players-1)
	}
	return env.Player(p), nil
}

// put makes lane i show a position that does not come from its seed, and plays to the client's decision.
// How much of the game was truncated or counted before is forgotten.
func (b *batch) put(i int, s env.State) error {
	l := &b.lanes[i]
	l.env.ResetTo(s)
	l.whole, l.log, l.steps, l.failed = false, l.log[:0], 0, nil
	b.start(l)
	b.resetAgents(l)
	b.play(&b.workers[0], []int{i})
	l.over = l.failed != nil || l.env.Terminated() || l.env.Truncated()
	clear(l.rewards)
	b.putRewards(i)
	b.end[i] = running
	b.show(i)
	if l.failed != nil {
		return inLane(i, AgentFailed, l.failed)
	}
	return nil
}

// copyLane makes lane i of b what l is, record included.
func (b *batch) copyLane(i int, from *lane) error {
	l := &b.lanes[i]
	if l == from {
		return nil
	}
	if err := b.put(i, from.env.State()); err != nil {
		return err
	}
	if l.env.State().Equal(from.env.State()) {
		l.seed, l.whole, l.steps = from.seed, from.whole, from.steps
		l.log = append(l.log[:0], from.log...)
	}
	return nil
}

// record is the game that a lane shows, or the last one that it has finished.
func (b *batch) record(l *lane, over bool) ([]byte, error) {
	if !b.keep {
		return nil, errorf(NoRecord, "the batch was made without record")
	}
	seed, whole, log := l.seed, l.whole, l.log
	if over {
		e := &l.episode
		if e.number == 0 {
			return nil, errorf(NoRecord, "the lane has not finished a game yet")
		}
		seed, whole, log = e.seed, e.whole, e.log
	}
	if !whole {
		return nil, errorf(NoRecord, "the game does not come from its seed: it was restored or redealt")
	}
	ref, err := env.NewReferee(b.game, seed)
	if err != nil {
		return nil, err
	}
	for _, a := range log {
		if err := ref.Play(env.Action(a)); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	if err := ref.Record(b.names).Write(&text); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
