// Package referee runs one game at a table of agents.
package referee

import (
	"errors"
	"fmt"
	"time"

	"earthgym/env"
	"earthgym/env/record"
)

// A Referee runs one game at a table: it shows each seat its View, plays what the seat decides, and
// keeps the record. It belongs to one goroutine.
type Referee struct {
	env   *env.Env
	tape  env.Tape
	seed  uint64
	start env.State // where the game goes on from, nil for the set-up
	view  env.View
	seen  [][]env.Seen // by seat: since its last decision

	setup []string
	moves []record.Move
	quiet bool

	timed   bool
	counted bool      // it takes what stories are made of
	asked   time.Time // when the View of the running decision was asked for

	follow func(*env.Step) // nil: nobody follows
	before env.State       // of the step that is followed or told
	told   told
	tell   func(p env.Player) []string // story
}

func with(e *env.Env, seed uint64) *Referee {
	r := &Referee{env: e, seed: seed, seen: make([][]env.Seen, e.Info().Players)}
	r.tell = r.story
	return r
}

// New sets up a game.
func New(g env.Game, seed uint64) (*Referee, error) {
	e, err := env.New(g, env.Options{})
	if err != nil {
		return nil, err
	}
	r := with(e, seed)
	e.ResetOn(seed, &r.tape)
	if err := r.tape.Err(); err != nil {
		return nil, err
	}
	r.setup = r.tape.Texts()
	r.tellEvents()
	return r, nil
}

// NewAt sets up a game and goes on from another position, a patch on that of the set-up (PatchPosition). What led
// there is told nobody; the record has the position (Header.Position).
func NewAt(g env.Game, seed uint64, position map[string]any) (*Referee, error) {
	start := g.New()
	start.Reset(seed, nil)
	if err := env.PatchPosition(start, position); err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	return from(start, seed)
}

// from is NewAt with the position read.
func from(start env.State, seed uint64) (*Referee, error) {
	g := start.Game()
	e, err := env.New(g, env.Options{})
	if err != nil {
		return nil, err
	}
	e.ResetTo(start)
	r := with(e, seed)
	r.start = start
	return r, nil
}

// Resume sets a record's game up again, as it was before its first decision. An error says that the record is of
// another game, that its position is wrong, or that it lists its chance and has no seed for what is to come.
func Resume(r *record.Record, g env.Game) (*Referee, error) {
	if err := r.Check(g.Info()); err != nil {
		return nil, err
	}
	if r.Header.Listed {
		return nil, errors.New("it lists what chance did, and has no seed for what it will do")
	}
	start, err := r.Start(g)
	if err != nil {
		return nil, err
	}
	if start == nil {
		return New(g, r.Header.Seed)
	}
	return from(start, r.Header.Seed)
}

// restarted is a Referee of the same game before its first decision.
func (r *Referee) restarted() (*Referee, error) {
	if r.start != nil {
		return from(r.start, r.seed)
	}
	return New(r.State().Game(), r.seed)
}

// NewQuiet sets up a game of which nothing is told or recorded, which takes less time: Views show positions and
// nothing that has happened (View.Seen), there are no Events, nobody follows, and Record has no moves.
func NewQuiet(g env.Game, seed uint64) (*Referee, error) {
	e, err := env.New(g, env.Options{})
	if err != nil {
		return nil, err
	}
	e.Reset(seed)
	r := with(e, seed)
	r.quiet = true
	return r, nil
}

// Again sets up another game, of a referee that is quiet.
func (r *Referee) Again(seed uint64) {
	r.env.Reset(seed)
	r.seed = seed
}

// Seed is the seed of the game.
func (r *Referee) Seed() uint64 { return r.seed }

// Actor is who decides, or Over.
func (r *Referee) Actor() env.Player { return r.env.Actor() }

// Mask is what the seat that decides may do. It is valid until the next Play.
func (r *Referee) Mask() env.Mask { return r.env.Mask() }

// Info is the Info of the game.
func (r *Referee) Info() *env.Info { return r.env.Info() }

// State is the true State, for the one who runs the table; agents get the View.
func (r *Referee) State() env.State { return r.env.State() }

// TimeMoves has the record say of each decision from now on how long it took, from the first View to Play.
func (r *Referee) TimeMoves() { r.timed = true }

// View is what the seat that decides may know. It is valid until the next Play.
func (r *Referee) View() *env.View {
	p := r.env.Actor()
	if r.timed && r.asked.IsZero() {
		r.asked = time.Now()
	}
	r.env.View(&r.view, r.seen[p], r.tell)
	return &r.view
}

// Play plays an action of the seat that decides. An illegal one is an *IllegalActionError and changes
// nothing.
func (r *Referee) Play(a env.Action) error {
	s, p := r.env.State(), r.env.Actor()
	if r.quiet || !r.env.Mask().Has(a) {
		return r.env.Step(a)
	}
	text := env.ActionText(s, a)
	r.seen[p] = r.seen[p][:0]
	for q := range r.seen {
		if seen, ok := env.Witnessed(s, env.Player(q), a); ok {
			r.seen[q] = append(r.seen[q], seen)
		}
	}
	followed := r.follow != nil || r.told.asked != env.Nobody
	r.tape.Rewind()
	r.tape.Count(nil)
	if followed {
		r.before.CopyFrom(s)
	}
	if followed || r.counted {
		r.tape.Count(s)
	}
	if err := r.env.StepOn(a, &r.tape); err != nil {
		return err
	}
	move := record.Move{N: len(r.moves), Player: int(p), Action: text, Chance: r.tape.Texts(), Notes: r.tape.Notes()}
	if !r.asked.IsZero() {
		move.Milliseconds, r.asked = int(time.Since(r.asked).Milliseconds()), time.Time{}
	}
	r.moves = append(r.moves, move)
	r.tellEvents()
	if followed {
		step := &env.Step{Before: r.before, Action: a, Events: r.tape.Marked(), After: s}
		if r.follow != nil {
			r.follow(step)
		}
		r.told.hearAll(step)
	}
	return nil
}

// Follow has visit called for the set-up, if nothing has been played yet, and from then on for each step once it is
// played. The step is valid during the call.
func (r *Referee) Follow(visit func(step *env.Step)) {
	s := r.env.State()
	if len(r.moves) == 0 {
		visit(&env.Step{Events: r.tape.Events(), After: s})
	}
	r.before, r.follow = s.Game().New(), visit
}

// tellEvents tells every seat what it may see of the events on the tape.
func (r *Referee) tellEvents() {
	for q := range r.seen {
		r.seen[q] = env.AppendSeen(r.seen[q], r.tape.Events(), env.Player(q))
	}
}

// Events are those that the last Play has brought, or before the first one the set-up: what each is To may be told.
// They are valid until the next Play.
func (r *Referee) Events() []env.Event { return r.tape.Events() }

// Count has it take from now on what stories are made of, for those who make Steps of what is Marked.
func (r *Referee) Count() { r.counted = true }

// Marked are the Events of the last Play with the marks of the rules between them (Tape.Marked).
func (r *Referee) Marked() []env.Event { return r.tape.Marked() }

// Decisions is how many have been played.
func (r *Referee) Decisions() int { return r.env.Decisions() }

// Result is the outcome of the finished game.
func (r *Referee) Result() env.Result { return env.ResultOf(r.env.State(), r.env.Decisions()) }

// Record is the game so far, finished or not, with the names of the agents, seat 0 first; seats beyond
// the list have none.
func (r *Referee) Record(agents []string) *record.Record {
	rec := record.New(r.Info(), r.seed, agents, r.setup)
	rec.Moves = r.moves
	if r.start != nil {
		rec.BeginAt(r.start)
	}
	if r.env.Terminated() {
		rec.Finish(r.Result())
	}
	return rec
}
