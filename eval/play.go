package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/referee"
)

// atOnce is how many games a worker plays at a time if an agent chooses for many at once (env.Deputy).
const atOnce = 32

// playAll plays the games from the given one on that have not been played, fills in their results, and counts what is
// chosen. Games are handed out in order and those begun are finished, so that of several errors that of the first game
// is found by any number of workers.
func (m *series) playAll(ctx context.Context, from int) error {
	h := &hall{series: m, next: from, done: from, failed: len(m.outcomes)}
	open := 0
	for i := range m.outcomes[from:] {
		if m.outcomes[from+i].played {
			h.done++
		} else {
			open++
		}
	}
	workers := m.options.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var finished sync.WaitGroup
	for range min(workers, open) {
		finished.Go(func() { h.work(ctx) })
	}
	finished.Wait()
	switch {
	case h.failure == nil:
		return nil
	case ctx.Err() != nil:
		return &InterruptedError{Played: h.done, Games: m.total, err: ctx.Err()}
	}
	lost := m.outcomes[h.failed]
	var names []string
	for _, i := range lost.Seating {
		names = append(names, m.makers[i].Text)
	}
	return fmt.Errorf("game %d (seed %d, seats %s): %w", h.failed, lost.Seed, strings.Join(names, ", "), h.failure)
}

// An InterruptedError says that games were left unplayed because their context ended.
type InterruptedError struct {
	Played, Games int // how many were played, of how many
	// Result is that of the whole blocks that were played, without usage; nil if there are none, and where more was to be
	// played than one match. Its intervals are right if nobody has looked at it to decide when to interrupt.
	Result *MatchResult

	err error
}

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("interrupted after %d of %d games", e.Played, e.Games)
}

func (e *InterruptedError) Unwrap() error { return e.err }

// amid has an error that tells of an interruption tell it of more than one match: of as many games in all, of which others
// had been played before.
func amid(err error, before, games int) error {
	if interrupted := new(InterruptedError); errors.As(err, &interrupted) {
		interrupted.Played, interrupted.Games, interrupted.Result = before+interrupted.Played, games, nil
	}
	return err
}

// A hall is where the workers of a series meet.
type hall struct {
	*series
	mu      sync.Mutex
	next    int
	done    int
	failed  int // the first game that failed
	failure error
}

// take hands out the next games: one, or, if processes are to be fresh for each block, those of a block; none if the
// worker has no room for one of them.
func (h *hall) take(w *worker) []int {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.next < len(h.outcomes) && h.outcomes[h.next].played {
		h.next++
	}
	var games []int
	for i := h.next; i < len(h.outcomes) && h.failure == nil; i++ {
		o := &h.outcomes[i]
		if len(games) > 0 && (!h.options.Fresh || o.Block != h.outcomes[games[0]].Block) {
			break
		}
		if o.played {
			continue
		}
		if !w.room(o) {
			return nil
		}
		games = append(games, i)
	}
	if len(games) > 0 {
		h.next = games[len(games)-1] + 1
	}
	return games
}

// finish takes the end of a game, with how long its seats have thought.
func (h *hall) finish(i int, thought []thought, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := &h.outcomes[i]
	if err == nil && h.log != nil {
		err = h.log(i, o, thought)
	}
	if err == nil && h.options.Thinking != nil {
		for seat, agent := range o.Seating {
			h.options.Thinking.add(h.makers[agent].Text, thought[seat])
		}
	}
	switch {
	case err == nil:
		o.played = true
		h.done++
		if h.options.Progress != nil {
			h.options.Progress(h.done, h.total)
		}
	case i < h.failed:
		h.failed, h.failure = i, err
	}
}

// work plays games until there are none left: one after the other, or, if there are agents that choose for many at
// once, at many tables in turns.
func (h *hall) work(ctx context.Context) {
	w := &worker{
		hall: h, usage: NewUsageCounter(h.game.Info(), h.usage.agents),
		free: map[place][]agents.Agent{}, companions: map[place]agents.Companion{},
	}
	defer func() {
		for _, t := range w.tables {
			t.close()
		}
		w.endPrograms()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.usage.Add(w.usage)
	}()
	for size := 1; ; {
		for len(w.tables) < size {
			w.tables = append(w.tables, w.newTable())
		}
		playing := 0
		for _, t := range w.tables {
			if t.advance(ctx) {
				playing++
			}
			if size == 1 && t.deputised() {
				size = atOnce
			}
		}
		switch {
		case playing > 0:
			askTogether(w.tables)
		case len(w.tables) == size:
			return
		}
	}
}

// A worker plays at one table, or at many in turns. Games with programs are played one at a time, or as many as the
// programs that run have room for: a worker has no more processes than sit at a table together.
type worker struct {
	*hall
	usage  *UsageCounter
	tables []*table

	hosting    int                        // tables that have programs
	free       map[place][]agents.Agent   // programs that wait for their next game
	spent      []agents.Agent             // programs that have no next game, and end once no table has any
	companions map[place]agents.Companion // the last that were made, whose programs may have room
}

// room says whether one table more may have the programs of a game.
func (w *worker) room(o *Outcome) bool {
	if w.hosting == 0 {
		return true
	}
	for p := range o.Seating {
		at := placeOf(o, p)
		if !w.isProgram(at.agent) || len(w.free[at]) > 0 {
			continue
		}
		c := w.companions[at]
		if c == nil {
			return false
		}
		agent, ok := c.Beside()
		if !ok {
			return false
		}
		w.free[at] = append(w.free[at], agent)
	}
	return true
}

// isProgram says whether an agent is a program, or a model at a server.
func (w *worker) isProgram(agent int) bool { return agents.IsForeign(w.makers[agent].Text) }

// endPrograms ends programs that no table has.
func (w *worker) endPrograms() {
	for _, agent := range w.spent {
		end(agent)
	}
	for _, waiting := range w.free {
		for _, agent := range waiting {
			end(agent)
		}
	}
	w.spent = nil
	clear(w.free)
	clear(w.companions)
}

func (w *worker) newTable() *table {
	h := w.hall
	t := &table{worker: w, instances: map[place]agents.Agent{}, usage: NewUsageCounter(h.game.Info(), h.usage.agents), opened: time.Now()}
	t.studies = []Study{t.usage, &depletion{}}
	t.observe, t.timed = t.decided, h.log != nil || h.options.Thinking != nil
	if h.options.Study != nil {
		t.studies = append(t.studies, h.options.Study())
	}
	if h.options.Value != nil {
		t.luck = newLuck(h.game, h.options.Value)
	}
	return t
}

// askTogether asks agents that choose for many at once for all decisions that wait for one of them.
func askTogether(tables []*table) {
	for agent := range tables[0].makers {
		var asked []*table
		var of []agents.Agent
		var views []*env.View
		for _, t := range tables {
			if t.waiting && t.outcome().Seating[t.ref.Actor()] == agent {
				asked, of, views = append(asked, t), append(of, t.seats[t.ref.Actor()]), append(views, t.ref.View())
			}
		}
		if len(asked) == 0 {
			continue
		}
		actions := make([]env.Action, len(asked))
		start := time.Now()
		err := of[0].(env.Deputy).ActFor(of, views, actions)
		each := time.Since(start) / time.Duration(len(asked))
		for k, t := range asked {
			t.waiting = false
			if err != nil {
				t.decide() // Which tells whose fault it is.
				continue
			}
			t.settle(actions[k], nil, each)
		}
	}
}

// table is where games are played, one after the other. Each agent has an instance for each of the seats that it has
// at once.
type table struct {
	*worker
	instances map[place]agents.Agent
	usage     *UsageCounter // of the running game
	studies   []Study
	luck      *luck // nil if nothing is known of values
	observe   agents.Observer
	timed     bool             // somebody wants to know how long agents think
	opened    time.Time        // when: by the time since then, which is half the price of the time, decisions are timed
	quiet     *referee.Referee // of the games of which nothing is told; nil before the first

	queue   []int // games to be played, the running one first
	hosts   bool  // programs, for the games of the queue
	ref     *referee.Referee
	seats   []agents.Agent
	thought []thought             // by seat
	notes   map[env.Player]string // by seat: of its forfeit (ForfeitNote)
	waiting bool                  // for an agent that chooses for many at once
	failure error

	// apart is that the running game has been begun again, with companions that are alone.
	apart bool
	alone []agents.Agent // they
}

// A place is an agent, and the how-manieth it is of the seats that it has in a game, from 0.
type place struct{ agent, nth int }

// placeOf is the place of a seat.
func placeOf(o *Outcome, seat int) place {
	at := place{agent: o.Seating[seat]}
	for _, agent := range o.Seating[:seat] {
		if agent == at.agent {
			at.nth++
		}
	}
	return at
}

// outcome is that of the running game.
func (t *table) outcome() *Outcome { return &t.outcomes[t.queue[0]] }

// deputised says whether an agent of the table chooses for many at once.
func (t *table) deputised() bool { return slices.ContainsFunc(t.seats, isDeputy) }

// isDeputy says whether an agent chooses for many at once.
func isDeputy(a agents.Agent) bool {
	if c, ok := a.(agents.Companion); ok {
		return c.Tables() > 1
	}
	_, ok := a.(env.Deputy)
	return ok
}

// advance plays on, game after game, until an agent that chooses for many at once is to decide; it is false once there
// is nothing left to play, or no room for it beside the other tables.
func (t *table) advance(ctx context.Context) bool {
	for {
		if len(t.queue) == 0 && !t.fill() {
			return false
		}
		if t.ref == nil {
			t.begin(ctx)
		}
		for t.failure == nil && t.ref.Actor() != env.Over && !t.outcome().Void {
			if t.failure = ctx.Err(); t.failure != nil {
				break
			}
			if !t.apart && isDeputy(t.seats[t.ref.Actor()]) {
				t.waiting = true
				return true
			}
			t.decide()
		}
		if again := new(agents.AgainError); errors.As(t.failure, &again) && !t.apart {
			t.again()
			continue
		}
		if t.failure == nil {
			t.failure = t.finish()
		}
		t.hall.finish(t.queue[0], t.thought, t.failure)
		t.queue, t.ref, t.failure = t.queue[1:], nil, nil
		t.endApart()
		if len(t.queue) == 0 && t.hosts {
			t.leave()
		}
	}
}

// fill takes games to be played; it is false if there are none, or none that there is room for. Where programs are to
// start anew for each block, those of before end as soon as no table has any.
func (t *table) fill() bool {
	t.queue = t.take(t.worker)
	t.hosts = slices.ContainsFunc(t.queue, func(i int) bool { return slices.ContainsFunc(t.outcomes[i].Seating, t.isProgram) })
	if t.hosts {
		if t.hosting == 0 && t.options.Fresh {
			t.endPrograms()
		}
		t.hosting++
	}
	return len(t.queue) > 0
}

// leave gives back the programs that the queue has had.
func (t *table) leave() {
	for at, agent := range t.instances {
		switch {
		case !t.isProgram(at.agent):
			continue
		case t.options.Fresh:
			t.spent = append(t.spent, agent)
		default:
			t.free[at] = append(t.free[at], agent)
		}
		delete(t.instances, at)
	}
	t.hosting--
	t.hosts = false
}

// again has the running game begun again, with companions that are alone, and played to its end before any other goes
// on: they are processes beside those that the worker has.
func (t *table) again() {
	*t.outcome() = Outcome{Block: t.outcome().Block, Seed: t.outcome().Seed, Seating: t.outcome().Seating, kept: t.outcome().kept}
	t.usage.clear()
	t.ref, t.failure, t.apart = nil, nil, true
}

// endApart ends what was alone.
func (t *table) endApart() {
	for _, agent := range t.alone {
		end(agent)
	}
	t.alone, t.apart = nil, false
}

// begin sets up the next game.
func (t *table) begin(ctx context.Context) {
	o := t.outcome()
	t.seats = slices.Grow(t.seats[:0], len(o.Seating))[:len(o.Seating)]
	t.thought = slices.Grow(t.thought[:0], len(o.Seating))[:len(o.Seating)]
	clear(t.thought)
	t.notes = nil
	if t.ref, t.failure = t.referee(o); t.failure != nil {
		return
	}
	for p, i := range o.Seating {
		agent, err := t.instance(placeOf(o, p))
		if err != nil {
			t.failure = fmt.Errorf("%s: %w", t.makers[i].Text, err)
			return
		}
		t.seats[p] = agent
		agents.Begin(ctx, agent, t.makers[i].Seed(o.Seed, env.Player(p)))
	}
	if t.luck != nil {
		t.luck.begin(o.Seed)
		t.ref.Follow(t.luck.step)
	}
	for _, study := range t.studies {
		study.Begin(o, t.ref.State())
	}
}

// instance is that of an agent at a place: the one of the games before, one that waits, or a new one.
func (t *table) instance(at place) (agents.Agent, error) {
	agent, ok := t.instances[at]
	if ok && t.apart && t.isProgram(at.agent) && isDeputy(agent) {
		agent, err := t.makers[at.agent].New()
		if err == nil {
			t.alone = append(t.alone, agent)
		}
		return agent, err
	}
	if ok {
		return agent, nil
	}
	if waiting := t.free[at]; len(waiting) > 0 {
		agent, t.free[at] = waiting[len(waiting)-1], waiting[:len(waiting)-1]
	} else {
		var err error
		if agent, err = t.makers[at.agent].New(); err != nil {
			return nil, err
		}
		if c, ok := agent.(agents.Companion); ok {
			t.companions[at] = c
		}
	}
	t.instances[at] = agent
	return agent, nil
}

// referee is that of a game, a quiet one if nobody asks what happens in it.
func (t *table) referee(o *Outcome) (*referee.Referee, error) {
	hears := func(m *agents.Maker) bool { return m != nil && !m.Deaf }
	heard := o.kept || t.luck != nil || hears(t.options.Substitute)
	for _, i := range o.Seating {
		heard = heard || hears(t.makers[i])
	}
	if heard {
		return referee.New(t.game, o.Seed)
	}
	if t.quiet == nil {
		var err error
		t.quiet, err = referee.NewQuiet(t.game, o.Seed)
		return t.quiet, err
	}
	t.quiet.Again(o.Seed)
	return t.quiet, nil
}

// decide asks the agent of the seat that decides, and plays what it chooses.
func (t *table) decide() {
	var start time.Duration
	if t.timed {
		start = time.Since(t.opened)
	}
	a, err := t.seats[t.ref.Actor()].Act(t.ref.View())
	var took time.Duration
	if t.timed {
		took = time.Since(t.opened) - start
	}
	t.settle(a, err, took)
}

// decided has a decision watched before it is played.
func (t *table) decided(p env.Player, legal env.Mask, a env.Action) {
	o := t.outcome()
	d := Decision{Seat: p, Agent: o.Seating[p], State: t.ref.State(), Legal: legal, Action: a}
	if o.Forfeits != nil && o.forfeited(int(p)) {
		d.Agent = -1
	}
	for _, study := range t.studies {
		study.Decide(d)
	}
}

// settle plays what an agent has chosen, or has its seat forfeited.
func (t *table) settle(a env.Action, err error, took time.Duration) {
	o, p := t.outcome(), t.ref.Actor()
	if t.timed && !o.forfeited(int(p)) {
		t.thought[p].add(took)
	}
	if err = agents.Settle(t.ref, t.seats[p], a, err, t.observe); err == nil {
		return
	}
	var forfeit *agents.ForfeitError
	if !errors.As(err, &forfeit) || o.forfeited(int(forfeit.Seat)) {
		t.failure = err
		return
	}
	o.Forfeits = append(o.Forfeits, forfeit)
	if o.kept {
		if t.notes == nil {
			t.notes = map[env.Player]string{}
		}
		t.notes[forfeit.Seat] = ForfeitNote(forfeit, t.ref.Decisions(), t.options.Substitute)
	}
	if t.options.Substitute == nil {
		o.Void = true
		return
	}
	substitute, err := t.options.Substitute.New()
	if err != nil {
		t.failure = fmt.Errorf("%s: %w", t.options.Substitute.Text, err)
		return
	}
	substitute.Reset(env.SeatSeed(o.Seed, forfeit.Seat))
	t.seats[forfeit.Seat] = substitute
}

// finish takes what has come out of the running game, and its record if that is kept.
func (t *table) finish() error {
	o := t.outcome()
	o.finish(t.ref)
	if t.luck != nil {
		o.Luck = t.luck.total
		if t.luck.err != nil {
			return fmt.Errorf("the luck of the game, by the values that were given: %w", t.luck.err)
		}
	}
	for _, study := range t.studies {
		study.End(o, t.ref.State())
	}
	t.worker.usage.Add(t.usage)
	t.usage.clear()
	if o.kept {
		var seated []*agents.Maker
		for _, i := range o.Seating {
			seated = append(seated, t.makers[i])
		}
		o.Record = Record(t.ref, seated, t.options.Program, t.notes)
	}
	return nil
}

// ForfeitNote is what the record of a game says of a forfeit after so many decisions, and of the substitute that plays on in
// that seat; nil if nobody does.
func ForfeitNote(f *agents.ForfeitError, decisions int, substitute *agents.Maker) string {
	then := "the game ends at"
	if substitute != nil {
		then = substitute.Text + " plays on from"
	}
	return fmt.Sprintf("%s decision %d: %s: %v", then, decisions, f.Kind, f.Err)
}

// Record is the record of a game with what is known of who has played: the makers of the agents by seat, the
// program, and by seat the ForfeitNote of those who have forfeited, as forfeit-seat-N among the header's meta.
func Record(ref *referee.Referee, seated []*agents.Maker, program string, forfeits map[env.Player]string) *record.Record {
	var names, hashes, made []string
	for _, m := range seated {
		names, hashes, made = append(names, m.Text), append(hashes, m.Hash), append(made, m.Said())
	}
	r := ref.Record(names)
	r.Header.Program, r.Header.Hashes, r.Header.Made = program, anySaid(hashes), anySaid(made)
	if len(forfeits) > 0 {
		r.Header.Meta = map[string]string{}
	}
	for p, note := range forfeits {
		r.Header.Meta[fmt.Sprintf("forfeit-seat-%d", p)] = note
	}
	return r
}

// anySaid is a list of texts, or nil if all are "".
func anySaid(texts []string) []string {
	if slices.ContainsFunc(texts, func(text string) bool { return text != "" }) {
		return texts
	}
	return nil
}

// finish takes what has come out of the game.
func (o *Outcome) finish(ref *referee.Referee) {
	o.Result = ref.Result()
	if o.Void {
		o.Reason = "forfeit"
	}
	o.Wins = make([]float64, len(o.Returns))
	for p := range o.Wins {
		if !o.Void {
			o.Wins[p] = o.WinShare(env.Player(p), ref.Info())
		}
	}
	for _, f := range o.Forfeits {
		o.Returns[f.Seat], o.Wins[f.Seat] = minReturn, 0
	}
}

// close ends what agents have running.
func (t *table) close() {
	t.endApart()
	for _, agent := range t.instances {
		end(agent)
	}
}

func end(agent agents.Agent) {
	if c, ok := agent.(io.Closer); ok {
		_ = c.Close() // Its games are played.
	}
}
