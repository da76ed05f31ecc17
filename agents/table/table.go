package table

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"earthgym/agents"
	"earthgym/agents/mcts"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/env/spelling"
	"earthgym/env/story"
)

// Person is the name of a seat in which somebody sits, in records and on command lines; "human:Ada" tells people apart.
const Person = "human"

// A Seat is who sits in a seat.
type Seat struct {
	Name  string        // of a person, Person if it has none; an agent's is its text
	Agent *agents.Maker // nil for a person
}

// name is what records call the seat.
func (s Seat) name() string {
	switch {
	case s.Agent != nil:
		return s.Agent.Text
	case s.Name == "" || s.Name == Person:
		return Person
	}
	return Person + ":" + s.Name
}

// Options say how a Table is run.
type Options struct {
	// File is where the record is saved, "" nowhere.
	File string
	// Saved is told of every record that is saved, or would be if there were a File. It must not call the Table.
	Saved func(*record.Record)
	// Failed is told whole why the game can't go on or be saved. Those who look on are told less (Sight.Trouble). It must
	// not call the Table.
	Failed func(error)
	// Limit is how long a person may take for a decision; 0 is any time. Then StandIn decides.
	Limit   time.Duration
	StandIn *agents.Maker
	// Patience is how long an agent that searches may think, before it is asked to move now; 0 is any time.
	Patience time.Duration
	// Names say how what is told calls the seats.
	Names Names
	// Lesson, if not nil, guides through the first decisions of a New game, whose seed must be the lesson's.
	Lesson *Lesson
}

// saveWithin is how long agents' decisions may stay unsaved while they follow each other.
const saveWithin = 250 * time.Millisecond

// A Table is a game in progress. It may be used by many goroutines; one of them must Run it.
type Table struct {
	game env.Game
	info *env.Info
	o    Options

	mu       sync.Mutex
	changed  chan struct{} // closed and renewed at every change
	ref      *referee.Referee
	shown    env.State       // where the game stands, to be looked at while an agent holds a View of the referee's
	narrator *story.Narrator // nil for a game that tells no story
	seats    []seat
	moves    []move
	eyes     []*eye                  // of each seat, and at last of spectators
	run      int                     // what no step of an earlier run has reached
	since    time.Time               // when the actor was asked
	asking   bool                    // an agent is thinking
	stop     context.CancelCauseFunc // ends what the agent thinks
	now      bool                    // it is to end that by moving
	thought  atomic.Int32            // how much of that it has done, in thousandths, if it searches
	trouble  string
	running  bool
	edition  int // grows with every change

	saving   sync.Mutex
	saved    int         // the edition that the file has
	file     os.FileInfo // as it was found, or saved last; nil if there was none
	lastSave time.Time   // under mu
	unsaved  string      // why the last save failed
}

// seat is a Seat with the agent's instance, which is made when it is first asked.
type seat struct {
	Seat
	agent agents.Agent
}

// move is what Undo must know of a decision.
type move struct {
	player   env.Player
	action   env.Action
	by       string    // the text of the agent that made it, "" of people, and of what was read from a record
	asked    time.Time // when the player was asked for it
	revealed bool      // chance was drawn, a card shown or a secret told
	final    bool      // it can't be taken back
	sealed   bool      // what was chosen stayed secret
	shown    bool      // everybody saw who chose
	before   []mark    // by viewer
}

// New sets up a game with a seat for each player.
func New(g env.Game, seed uint64, seats []Seat, o Options) (*Table, error) {
	t, err := newTable(g, seats, o)
	if err != nil {
		return nil, err
	}
	ref, err := t.referee(seed)
	if err != nil {
		return nil, err
	}
	t.begin(ref)
	return t, t.Save()
}

// Resume goes on with the game of a record, which it verifies. Agents remember nothing of the game so far.
func Resume(g env.Game, rec *record.Record, seats []Seat, o Options) (*Table, error) {
	if err := rec.Replay(g, nil); err != nil {
		return nil, fmt.Errorf("the record can't be gone on with: %w", err)
	}
	ref, err := referee.Resume(rec, g)
	if err != nil {
		return nil, fmt.Errorf("the record can't be gone on with: %w", err)
	}
	t, err := newTable(g, seats, o)
	if err != nil {
		return nil, err
	}
	t.run = 2 * int(time.Now().Unix())
	t.begin(ref)
	for _, m := range rec.Moves {
		a, err := t.info.Parse(m.Action)
		if err == nil {
			err = t.play(a)
		}
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", m.N, err) // It has just been replayed.
		}
	}
	t.saved = t.edition
	return t, nil
}

func newTable(g env.Game, seats []Seat, o Options) (*Table, error) {
	info := g.Info()
	if len(seats) != info.Players {
		return nil, fmt.Errorf("%d people and agents for the %s of %s", len(seats),
			spelling.Counted(info.Players, "seat"), info.Short)
	}
	if o.Lesson != nil && (o.File != "" || o.Saved != nil) {
		return nil, errors.New("a lesson is not saved")
	}
	if o.Limit > 0 && o.StandIn == nil {
		return nil, errors.New("a limit on the time of people needs a stand-in for those who exceed it")
	}
	t := &Table{game: g, info: info, o: o, changed: make(chan struct{}), shown: g.New()}
	t.file, _ = os.Stat(o.File)
	for _, s := range seats {
		t.seats = append(t.seats, seat{Seat: s})
	}
	if _, ok := g.(story.Storied); ok {
		var err error
		if t.narrator, err = story.NewNarrator(g); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// referee begins a new game.
func (t *Table) referee(seed uint64) (*referee.Referee, error) {
	if t.o.Lesson != nil && t.o.Lesson.Position != nil {
		return referee.NewAt(t.game, seed, t.o.Lesson.Position)
	}
	return referee.New(t.game, seed)
}

// begin lays the game of a referee that has just set it up on the table.
func (t *Table) begin(ref *referee.Referee) {
	t.ref, t.moves = ref, nil
	t.eyes = nil
	for p := range t.info.Players {
		t.eyes = append(t.eyes, newEye(t.game, env.Player(p)))
	}
	t.eyes = append(t.eyes, newEye(t.game, env.Spectator))
	t.ref.Count()
	t.settle(&env.Step{Events: t.ref.Events(), After: t.ref.State()})
}

// settle lets everybody see what a step has changed, as far as each may know it.
func (t *Table) settle(step *env.Step) {
	t.since = time.Now()
	for _, e := range t.eyes {
		t.tell(e, step)
	}
	t.shown.CopyFrom(t.ref.State())
	t.notify()
}

// notify wakes those who wait for a change.
func (t *Table) notify() {
	t.edition++
	close(t.changed)
	t.changed = make(chan struct{})
}

// play plays an action, and tells everybody of it.
func (t *Table) play(a env.Action) error {
	if next, ok := t.recite(); ok && next != a { // It can't be chosen but in the lesson.
		c := t.choice(t.shown, next, t.ref.Actor())
		return &LessonError{c.InWords()}
	}
	p := t.ref.Actor()
	m := move{player: p, action: a, asked: t.since, sealed: sealed(t.shown),
		shown: env.ActorSeenBy(t.shown, env.Spectator) == p}
	for _, e := range t.eyes {
		m.before = append(m.before, mark{len(e.log), e.decisions, e.since})
	}
	if err := t.ref.Play(a); err != nil {
		return err
	}
	m.revealed = len(t.ref.Events()) > 0
	m.final = m.revealed || t.ref.Actor() != p || t.asksOthers(p, a)
	t.moves = append(t.moves, m)
	t.settle(&env.Step{Before: t.shown, Action: a, Events: t.ref.Marked(), After: t.ref.State()})
	if t.ref.Actor() == env.Over {
		t.bill()
		t.notify()
	}
	return nil
}

// asksOthers says whether action a of seat p, which is to be played where the table shows, might have others asked
// before p is asked again, or bring something to light, for all that p knows. Where it hides who is asked, p must not
// learn from what it may take back that nobody was.
func (t *Table) asksOthers(p env.Player, a env.Action) bool {
	const samples = 16
	if _, hides := t.shown.(env.ActorHider); !hides {
		return false
	}
	if t.seats[p].Agent != nil {
		return true // Agents take nothing back.
	}
	s := t.game.New()
	var tape env.Tape
	for key := range uint64(samples) {
		s.CopyFrom(t.shown)
		s.Redeal(p, key)
		tape.Rewind()
		if s.Apply(a, &tape); s.Actor() != p || len(tape.Events()) > 0 {
			return true
		}
	}
	return false
}

// bill tells everybody, once the game is over, what its agents have asked of servers.
func (t *Table) bill() {
	var billed []string
	for _, s := range t.seats {
		if s.Agent == nil || s.Agent.Spent == nil || slices.Contains(billed, s.Agent.Text) {
			continue
		}
		billed = append(billed, s.Agent.Text)
		if spent := s.Agent.Spent(); spent.Requests > 0 {
			for _, e := range t.eyes {
				e.log = append(e.log, Line{Decision: e.decisions - 1, Kind: NoteLine, Player: env.Over,
					Text: fmt.Sprintf("%s: %v.", s.Agent.Text, spent), Action: -1})
			}
		}
	}
}

func (t *Table) eye(viewer env.Player) *eye {
	if viewer == env.Spectator {
		return t.eyes[t.info.Players]
	}
	return t.eyes[viewer]
}

// step names the moment to a viewer: it grows with each decision that it has witnessed and with each of them that is
// taken back, also from one run of a game to the next, so that nothing decided before counts later.
func (t *Table) step(viewer env.Player) int {
	e := t.eye(viewer)
	return e.decisions + 2*e.undone + t.run
}

// appendLines appends what a viewer is told of a step: the game's own sentences, or the plain texts of one that tells
// no story.
func (t *Table) appendLines(log []Line, decision int, step *env.Step, viewer env.Player) []Line {
	seen, first := step.Seen(viewer), len(log)
	if t.narrator != nil {
		for _, s := range t.narrator.Tell(step, viewer) {
			log = append(log, Line{Decision: decision, Kind: EventLine, Player: s.Player, Text: t.spoken(s.Text+".", viewer),
				Action: -1})
		}
	} else {
		for _, s := range seen {
			kind := EventLine
			if s.Kind == env.SeenNote {
				kind = NoteLine
			}
			log = append(log, Line{Decision: decision, Kind: kind, Player: s.Player, Text: t.spoken(s.Text, viewer), Action: -1})
		}
	}
	if len(seen) > 0 && seen[0].Kind == env.SeenAction && len(log) > first {
		log[first].Kind, log[first].Player = ActionLine, seen[0].Player
		if viewer == step.Before.Actor() || seen[0].Text == env.ActionText(step.Before, step.Action) {
			log[first].Action = step.Action
		}
	}
	return log
}

var (
	// ErrStale is for what a person did at a step which is not the one that the table is at.
	ErrStale = errors.New("the game has gone on meanwhile, perhaps in another window of this seat: look again and " +
		"decide anew")

	// ErrNotAsked is for a seat that does something when it is not asked.
	ErrNotAsked = errors.New("it is not this seat's decision")
)

func (t *Table) checkSeat(p env.Player) error {
	if p < 0 || int(p) >= t.info.Players {
		return fmt.Errorf("there is no seat %d: the game has seats 0 to %d", p, t.info.Players-1)
	}
	return nil
}

func (t *Table) checkAction(a env.Action) error {
	if a < 0 || int(a) >= len(t.info.Actions) {
		return fmt.Errorf("there is no action %d: they are 0 to %d", a, len(t.info.Actions)-1)
	}
	return nil
}

// check says why seat p, which saw the table at a step, may not act.
func (t *Table) check(p env.Player, step int) error {
	if err := t.checkSeat(p); err != nil {
		return err
	}
	switch actor := t.ref.Actor(); {
	case step != t.step(p):
		return ErrStale
	case actor == env.Over:
		return errors.New("the game is over")
	case actor != p:
		return ErrNotAsked
	case t.seats[p].Agent != nil:
		return fmt.Errorf("seat %d is played by %s", p, t.seats[p].name())
	}
	return nil
}

// Play plays a person's decision, made at a step. One of another step is ErrStale, an illegal one an
// *env.IllegalActionError; neither changes anything. The decision is saved when it returns; an error of saving is
// shown to everybody, and does not stop the game.
func (t *Table) Play(p env.Player, step int, a env.Action) error {
	return t.act(p, step, func() error {
		if err := t.checkAction(a); err != nil {
			return err
		}
		return t.play(a)
	})
}

// act lets a person do something at a step, and saves it.
func (t *Table) act(p env.Player, step int, do func() error) error {
	t.mu.Lock()
	err := t.check(p, step)
	if err == nil && t.asking { // the stand-in, or an agent that has just left the seat
		t.wait()
		err = t.check(p, step)
	}
	if err == nil {
		err = do()
	}
	t.mu.Unlock()
	var interrupted *InterruptedError
	if err == nil || errors.As(err, &interrupted) {
		t.keep()
	}
	return err
}

// wait waits with the lock until no agent holds a View.
func (t *Table) wait() {
	for t.asking {
		changed := t.changed
		t.mu.Unlock()
		<-changed
		t.mu.Lock()
	}
}

// canUndo says whether seat p may take back its last decision: it decides still, and nothing came to light.
func (t *Table) canUndo(p env.Player) bool {
	if len(t.moves) == 0 || p < 0 {
		return false
	}
	last := t.moves[len(t.moves)-1]
	if t.o.Limit > 0 && time.Since(last.asked) >= t.o.Limit {
		return false // Its time is up; with time anew for each that is taken back, nobody would ever have to decide.
	}
	return last.player == p && !last.final && t.ref.Actor() == p && t.seats[p].Agent == nil
}

// Undo takes back the last decision of seat p, which sees the table at a step. It must have been its own, it must still
// be asked, and neither chance nor a card nor a secret may have come to light by it.
func (t *Table) Undo(p env.Player, step int) error {
	return t.act(p, step, func() error {
		if !t.canUndo(p) {
			return errors.New("the last decision can't be taken back: another seat has decided since, something has come to " +
				"light, or its time is up")
		}
		return t.undo()
	})
}

// undo plays the game again but for the last decision.
func (t *Table) undo() error {
	ref, err := t.referee(t.ref.Seed())
	if err != nil {
		return err
	}
	ref.Count()
	n := len(t.moves) - 1
	last := t.moves[n]
	for _, m := range t.moves[:n] {
		if err := ref.Play(m.action); err != nil {
			return err
		}
	}
	t.ref, t.moves, t.since = ref, t.moves[:n], last.asked
	t.shown.CopyFrom(ref.State())
	for i, e := range t.eyes {
		e.takeBack(last.before[i], t.shown)
	}
	t.notify()
	return nil
}

// Sit puts somebody else into a seat. An agent that is thinking there is stopped, and its decision is void.
func (t *Table) Sit(p env.Player, s Seat) error {
	if err := t.checkSeat(p); err != nil {
		return err
	}
	t.mu.Lock()
	left := t.seats[p].agent
	if t.asking && t.ref.Actor() == p {
		left = nil // Run closes the agent that it is asking.
		t.stop(nil)
	}
	if now := time.Now(); t.seats[p].Agent != nil { // Who sits down is asked now; one who gets another name has been.
		if t.ref.Actor() == p {
			t.since = now
		}
		for _, e := range t.eyes {
			if e.actor() == p {
				e.since = now
			}
		}
	}
	t.seats[p], t.trouble = seat{Seat: s}, ""
	t.notify()
	t.mu.Unlock()
	t.keep()
	return agents.Close(left)
}

// Run lets the agents play until the game is over (nil) or the context is done (its error), and closes them. A Table
// is run once at a time.
func (t *Table) Run(ctx context.Context) error {
	t.mu.Lock()
	if t.running {
		t.mu.Unlock()
		return errors.New("the table is being run already")
	}
	t.running = true
	t.mu.Unlock()
	defer t.leave()
	for {
		t.mu.Lock()
		changed, p := t.changed, t.ref.Actor()
		switch {
		case p == env.Over:
			t.mu.Unlock()
			t.keep()
			return nil
		case ctx.Err() != nil:
			t.mu.Unlock()
			t.keep()
			return ctx.Err()
		case t.trouble == "" && t.seats[p].Agent != nil:
			if a, ok := t.recite(); ok {
				if err := t.play(a); err != nil {
					t.fail(p, err)
				}
				t.mu.Unlock()
				continue
			}
			t.mu.Unlock()
			t.ask(ctx, p)
			continue
		}
		due := t.due()
		t.mu.Unlock()
		t.keep()
		t.rest(ctx, changed, due)
	}
}

// leave ends a run.
func (t *Table) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running = false
	for p := range t.seats {
		_ = agents.Close(t.seats[p].agent)
		t.seats[p].agent = nil
	}
}

// due is when the person who is asked has used up its time; zero if there is no limit.
func (t *Table) due() time.Time {
	p := t.ref.Actor()
	if t.o.Limit == 0 || p == env.Over || t.seats[p].Agent != nil {
		return time.Time{}
	}
	return t.since.Add(t.o.Limit)
}

// rest waits until somebody does something, or a person's time is up.
func (t *Table) rest(ctx context.Context, changed <-chan struct{}, due time.Time) {
	var up <-chan time.Time
	if !due.IsZero() {
		timer := time.NewTimer(time.Until(due))
		defer timer.Stop()
		up = timer.C
	}
	select {
	case <-ctx.Done():
	case <-changed:
	case <-up:
		t.mu.Lock()
		p, late := t.ref.Actor(), t.due()
		t.mu.Unlock()
		if !late.IsZero() && !time.Now().Before(late) {
			t.standIn(ctx, p)
		}
	}
}

// ask lets the agent in seat p, whose decision it is, play.
func (t *Table) ask(ctx context.Context, p env.Player) {
	t.mu.Lock()
	s := &t.seats[p]
	if s.Agent == nil || t.ref.Actor() != p { // It has changed hands.
		t.mu.Unlock()
		return
	}
	sits := s.agent != nil
	if !sits {
		agent, err := s.Agent.New()
		if err != nil {
			t.fail(p, err)
			t.mu.Unlock()
			return
		}
		s.agent = agent
	}
	agent := s.agent
	if !t.think(ctx, p, agent, sits, func() bool { return t.seats[p].agent == agent }) {
		_ = agents.Close(agent) // Somebody else sits there now.
	}
}

// standIn lets the stand-in decide once for the person in seat p.
func (t *Table) standIn(ctx context.Context, p env.Player) {
	agent, err := t.o.StandIn.New()
	t.mu.Lock()
	if err != nil {
		t.fail(p, err)
		t.mu.Unlock()
		return
	}
	step := t.step(p)
	counts := func() bool { return t.step(p) == step && t.ref.Actor() == p && t.seats[p].Agent == nil }
	t.think(ctx, p, agent, false, func() bool {
		if !counts() {
			return false
		}
		for _, e := range t.eyes { // Those who know whose time it was are told.
			if e.actor() == p {
				text := fmt.Sprintf("The time is up for player %d: %s decides.", p, t.o.StandIn.Text)
				e.log = append(e.log, Line{Decision: e.decisions - 1, Kind: NoteLine, Player: p, Text: t.spoken(text, e.viewer),
					Action: -1})
			}
		}
		return true
	})
	_ = agents.Close(agent)
}

// seed is the seed of an agent that sits down now.
func (t *Table) seed(p env.Player) uint64 {
	return env.Mix(env.SeatSeed(t.ref.Seed(), p) + uint64(t.eyes[p].decisions))
}

// think asks an agent for the decision of seat p and plays it, if it still counts by then; one that doesn't sit there
// yet sits down first. The lock is held before, not while the agent thinks, and not after. It is false if the
// decision counts no more.
func (t *Table) think(ctx context.Context, p env.Player, agent agents.Agent, sits bool, counts func() bool) bool {
	ctx, cancel := context.WithCancelCause(mcts.WithProgress(ctx, &t.thought))
	defer cancel(nil)
	if t.o.Patience > 0 && searches(t.seats[p].Agent) {
		defer time.AfterFunc(t.o.Patience, func() { cancel(mcts.ErrNow) }).Stop()
	}
	t.thought.Store(0)
	view, seed := t.ref.View(), t.seed(p)
	if t.asking, t.stop = true, cancel; t.now {
		cancel(mcts.ErrNow)
	}
	t.mu.Unlock()
	if f, ok := agent.(agents.Follower); ok {
		f.Follow(ctx)
	}
	if !sits {
		agent.Reset(seed)
	}
	a, err := agent.Act(view)
	t.mu.Lock()
	t.asking, t.now = false, false
	valid := counts()
	switch {
	case !valid:
		t.notify()
	case ctx.Err() != nil && (err != nil || context.Cause(ctx) != mcts.ErrNow):
		t.notify()
	case err != nil:
		t.fail(p, err)
	default:
		if err := t.play(a); err != nil {
			t.fail(p, err)
		} else if m := t.seats[p].Agent; m != nil {
			t.moves[len(t.moves)-1].by = m.Text
		}
	}
	quick := time.Since(t.lastSave) < saveWithin
	t.mu.Unlock()
	if !quick {
		t.keep()
	}
	return valid
}

// searches says whether an agent can be asked to move now.
func searches(m *agents.Maker) bool { return m != nil && strings.HasPrefix(m.Made, "mcts:") }

// Thought is how much of its thinking the agent that is at work has done, in thousandths, as far as it searches and a
// viewer may know that it is asked.
func (t *Table) Thought(viewer env.Player) (int, error) {
	s, err := t.Look(viewer)
	if err != nil || !s.Searching {
		return 0, err
	}
	return int(t.thought.Load()), nil
}

// MoveNow has the agent that is known to be at work choose by what it has found so far, for the person in seat p.
func (t *Table) MoveNow(p env.Player) error {
	s, err := t.Look(p)
	switch {
	case err != nil:
		return err
	case p < 0 || !s.Searching:
		return errors.New("no agent is at work that could be asked to move now")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ref.Actor() == s.Actor {
		if t.now = true; t.asking {
			t.stop(mcts.ErrNow)
		}
	}
	return nil
}

// fail halts the game until somebody else sits in the seat of an agent that can't go on.
func (t *Table) fail(p env.Player, err error) {
	const form = "%s, who is %s, can't go on: %v; put somebody else into its seat"
	t.trouble = fmt.Sprintf(form, t.seats[p].name(), t.called(int(p)), public(err))
	if t.o.Failed != nil {
		t.o.Failed(fmt.Errorf(form, t.seats[p].name(), t.called(int(p)), err))
	}
	t.notify()
}

// public is what everybody may know of an agent's fault. Its own words may tell its hand, and so may the action that it
// wanted and the reason against that.
func public(err error) error {
	var forfeit *agents.ForfeitError
	var illegal *env.IllegalActionError
	switch {
	case errors.As(err, &forfeit):
		return map[agents.Fault]error{agents.Timeout: errLate, agents.Crash: errCrash,
			agents.Illegal: errIllegal}[forfeit.Kind]
	case errors.As(err, &illegal):
		return errIllegal
	}
	return err
}

var (
	errLate    = errors.New("it takes too long")
	errCrash   = errors.New("it has ended, or given up")
	errIllegal = errors.New("what it answers is no legal action")
)
