package eval

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/engine"
	"earthgym/env/farm"
	"earthgym/env/record"
	"earthgym/env/referee"
)

// atOnce is how many games a worker plays at a time if an agent chooses for many at once (env.Deputy).
const atOnce = 32

// playAll plays the games from the given one on that have not been played, fills in their results, and counts what is
// chosen. Games are handed out in order and those begun are finished, so that of several errors that of the first game
// is found by any number of workers.
func (m *series) playAll(ctx context.Context, from int) error {
	if err := m.share(from); err != nil {
		return err
	}
	h := &pool{series: m, ctx: ctx, next: from, done: from - m.others, failed: len(m.outcomes)}
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
		finished.Go(h.work)
	}
	finished.Wait()
	switch {
	case h.failure == nil && m.options.Share.Carried():
		return farm.ErrCarried
	case h.failure == nil:
		return nil
	case ctx.Err() != nil:
		return &InterruptedError{Played: h.done, Games: m.total - m.others, err: ctx.Err()}
	}
	lost := m.outcomes[h.failed]
	var names []string
	for _, i := range lost.Seating {
		names = append(names, m.makers[i].Text)
	}
	return fmt.Errorf("game %d (seed %d, seats %s): %w", h.failed, lost.Seed, strings.Join(names, ", "), h.failure)
}

// A pool is where the workers of a series meet.
type pool struct {
	*series
	ctx     context.Context
	mu      sync.Mutex
	next    int
	done    int
	failed  int // the first game that failed
	failure error
}

// take hands out the next games: one, or, if processes are to be fresh for each block, those of a block; none if the
// worker has no room for one of them.
func (h *pool) take(w *worker) []int {
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
func (h *pool) finish(i int, thought []thought, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := &h.outcomes[i]
	if err == nil && h.log != nil {
		err = h.log(i, o, thought)
	}
	if err == nil && h.options.Share != nil {
		err = h.keep(i, thought)
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
			h.options.Progress(h.done, h.total-h.others)
		}
	case i < h.failed:
		h.failed, h.failure = i, err
	}
}

// work plays games until there are none left: one after the other, or, if there are agents that choose for many at
// once, at many tables in turns.
func (h *pool) work() {
	w := &worker{
		pool: h, usage: NewUsageCounter(h.game.Info(), h.usage.agents),
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
	ask := engine.Engine[*table]{}
	if h.log != nil || h.options.Thinking != nil {
		ask.Opened = time.Now()
	}
	for size := 1; ; {
		for len(w.tables) < size {
			w.tables = append(w.tables, w.newTable())
		}
		waiting := ask.Round(w.tables)
		if size == 1 && slices.ContainsFunc(w.tables[0].seats, isDeputy) {
			size = atOnce
		}
		if waiting == 0 && len(w.tables) == size {
			return
		}
	}
}

// A worker plays at one table, or at many in turns. Games with programs are played one at a time, or as many as the
// programs that run have room for: a worker has no more processes than sit at a table together.
type worker struct {
	*pool
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

func (w *worker) endPrograms() {
	for _, agent := range w.spent {
		_ = agents.Close(agent)
	}
	for _, waiting := range w.free {
		for _, agent := range waiting {
			_ = agents.Close(agent)
		}
	}
	w.spent = nil
	clear(w.free)
	clear(w.companions)
}

func (w *worker) newTable() *table {
	h := w.pool
	t := &table{worker: w, instances: map[place]agents.Agent{}, usage: NewUsageCounter(h.game.Info(), h.usage.agents)}
	t.studies = []Study{t.usage, &depletion{}}
	t.observe = t.decided
	if h.options.Study != nil {
		t.studies = append(t.studies, h.options.Study())
	}
	if h.options.Value != nil {
		t.luck = newLuck(h.game, h.options.Value)
	}
	return t
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
	quiet     *referee.Referee // of the games of which nothing is told; nil before the first

	queue   []int // games to be played, the running one first
	hosts   bool  // programs, for the games of the queue
	ref     *referee.Referee
	seats   []agents.Agent
	thought []thought             // by seat
	begun   time.Time             // when
	notes   map[env.Player]string // by seat: of its forfeit (forfeitNote)
	failure error

	// apart is that the running game has been begun again, with companions that are alone.
	apart bool
	alone []agents.Agent // they
}

// A place is an agent, and the how-manieth it is of the seats that it has in a game, from 0.
type place struct{ agent, nth int }

func placeOf(o *Outcome, seat int) place {
	at := place{agent: o.Seating[seat]}
	for _, agent := range o.Seating[:seat] {
		if agent == at.agent {
			at.nth++
		}
	}
	return at
}

func (t *table) outcome() *Outcome { return &t.outcomes[t.queue[0]] }

// isDeputy says whether an agent chooses for many at once.
func isDeputy(a agents.Agent) bool {
	if c, ok := a.(agents.Companion); ok {
		return c.Tables() > 1
	}
	_, ok := a.(env.Deputy)
	return ok
}

// Next is the agent that decides next, in this game or a later one; nil once there is nothing left to play, or no room
// for it beside the other tables.
func (t *table) Next() (agents.Agent, int) {
	for {
		if len(t.queue) == 0 && !t.fill() {
			return nil, 0
		}
		if t.ref == nil {
			t.begin()
		}
		if t.failure == nil && t.ref.Actor() != env.Over && !t.outcome().Void {
			if t.failure = t.ctx.Err(); t.failure == nil {
				return t.asked(t.ref.Actor())
			}
		}
		if again := new(agents.AgainError); errors.As(t.failure, &again) && !t.apart {
			t.again()
			continue
		}
		t.transcribe()
		if t.failure == nil {
			t.failure = t.finish()
		}
		t.pool.finish(t.queue[0], t.thought, t.failure)
		t.queue, t.ref, t.failure = t.queue[1:], nil, nil
		t.endApart()
		if len(t.queue) == 0 && t.hosts {
			t.leave()
		}
	}
}

// asked is the agent of a seat, and its number if it is asked together with others.
func (t *table) asked(p env.Player) (agents.Agent, int) {
	o, agent := t.outcome(), t.seats[p]
	if t.apart || t.options.Times || !isDeputy(agent) || o.forfeited(int(p)) {
		return agent, engine.Alone
	}
	return agent, o.Seating[p]
}

// fill takes games to be played; it is false if there are none, or none that there is room for. Where programs are to
// start anew for each block, those of before end as soon as no table has any.
func (t *table) fill() bool {
	t.queue = t.take(t.worker)
	t.hosts = slices.ContainsFunc(t.queue,
		func(i int) bool { return slices.ContainsFunc(t.outcomes[i].Seating, t.isProgram) })
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
	*t.outcome() = Outcome{Block: t.outcome().Block, Seed: t.outcome().Seed, Seating: t.outcome().Seating,
		kept: t.outcome().kept}
	t.usage.clear()
	t.ref, t.failure, t.apart = nil, nil, true
}

func (t *table) endApart() {
	for _, agent := range t.alone {
		_ = agents.Close(agent)
	}
	t.alone, t.apart = nil, false
}

// begin sets up the next game.
func (t *table) begin() {
	o := t.outcome()
	t.seats = slices.Grow(t.seats[:0], len(o.Seating))[:len(o.Seating)]
	t.thought = slices.Grow(t.thought[:0], len(o.Seating))[:len(o.Seating)]
	clear(t.thought)
	t.notes, t.begun = nil, time.Now()
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
		agents.Begin(t.ctx, agent, t.makers[i].Seed(o.Seed, env.Player(p)))
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

// referee makes the referee of a game, a quiet one if nobody asks what happens in it.
func (t *table) referee(o *Outcome) (*referee.Referee, error) {
	hears := func(m *agents.Maker) bool { return m != nil && !m.Deaf }
	heard := o.kept || t.luck != nil || hears(t.options.Substitute)
	for _, i := range o.Seating {
		heard = heard || hears(t.makers[i])
	}
	if heard {
		ref, err := referee.New(t.game, o.Seed)
		if err == nil && t.options.Times {
			ref.TimeMoves()
		}
		return ref, err
	}
	if t.quiet == nil {
		var err error
		t.quiet, err = referee.NewQuiet(t.game, o.Seed)
		return t.quiet, err
	}
	t.quiet.Again(o.Seed)
	return t.quiet, nil
}

// View is what the seat that decides may know.
func (t *table) View() *env.View { return t.ref.View() }

// decided has a decision watched before it is played.
func (t *table) decided(p env.Player, legal env.Mask, a env.Action) {
	o := t.outcome()
	d := Decision{Seat: p, Agent: o.Seating[p], Legal: legal, Action: a}
	if o.Forfeits != nil && o.forfeited(int(p)) {
		d.Agent = -1
	}
	for _, study := range t.studies {
		study.Decide(d)
	}
}

// Decide plays what an agent has chosen, or has its seat forfeited.
func (t *table) Decide(a env.Action, err error, took time.Duration) {
	o, p := t.outcome(), t.ref.Actor()
	if !o.forfeited(int(p)) {
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
		t.notes[forfeit.Seat] = forfeitNote(forfeit, t.ref.Decisions(), t.options.Substitute)
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
	if t.options.Share != nil && t.seatings != nil { // Tournaments tell nothing of it.
		o.usage = t.usage.counts()
	}
	t.usage.clear()
	if o.kept {
		var seated []*agents.Maker
		for _, i := range o.Seating {
			seated = append(seated, t.makers[i])
		}
		o.Record = newRecord(t.ref, seated, t.options.Program, t.notes)
		if t.options.Times {
			o.Record.Header.Date = t.begun.UTC().Format(time.RFC3339)
		}
	}
	return nil
}

// transcribe keeps what agents have been told and have said, also in a game that has failed, if its record is kept.
func (t *table) transcribe() {
	o := t.outcome()
	for p := range o.Seating {
		if keeper, ok := t.instances[placeOf(o, p)].(agents.Transcriber); ok && o.kept {
			o.Transcripts = slices.Grow(o.Transcripts, len(o.Seating))[:len(o.Seating)]
			o.Transcripts[p] = keeper.Transcript()
		}
	}
}

// forfeitNote is what the record of a game says of a forfeit after so many decisions, and of the substitute that plays
// on in that seat; nil if nobody does.
func forfeitNote(f *agents.ForfeitError, decisions int, substitute *agents.Maker) string {
	then := "the game ends at"
	if substitute != nil {
		then = substitute.Text + " plays on from"
	}
	return fmt.Sprintf("%s decision %d: %s: %v", then, decisions, f.Kind, f.Err)
}

// newRecord is the record of a game with what is known of who has played: the makers of the agents by seat, the
// program, and by seat the forfeitNote of those who have forfeited, as forfeit-seat-N among the header's meta.
func newRecord(ref *referee.Referee, seated []*agents.Maker, program string,
	forfeits map[env.Player]string) *record.Record {
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
		_ = agents.Close(agent)
	}
}
