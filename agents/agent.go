// Package agents is what can sit at a table: programs that are shown an [env.View] and choose an action.
//
// An agent is chosen by a short text, "random", "script:strong" or "net:runs/x", which [Open] turns into
// a [Maker]; the Maker makes one instance for each seat and each goroutine. [Play] plays one game with
// them. All that an agent does by chance comes from the seed that it gets before each game, so that a
// game is determined by its own seed and the agents' texts, whoever played what before.
package agents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"earthgym/agents/llm"
	"earthgym/agents/mcts"
	"earthgym/env"
	"earthgym/env/referee"
	"earthgym/env/spelling"
)

// An Agent chooses actions. One that chooses for many at once is an [env.Deputy].
type Agent = env.Agent

// A Follower is an Agent that can be stopped in the middle of a decision.
type Follower interface {
	// Follow comes before a game: when ctx is done, Act returns its error at once.
	Follow(ctx context.Context)
}

// An Explainer is an Agent that can say what it thinks of a decision.
type Explainer interface {
	Agent
	// Explain doesn't change what the agent does afterwards.
	Explain(v *env.View) (Explanation, error)
}

// OpenExplainer makes an instance that is asked what it thinks of decisions until ctx is done; Close ends it.
func OpenExplainer(ctx context.Context, m *Maker) (Explainer, error) {
	agent, err := m.New()
	if err != nil {
		return nil, err
	}
	x, ok := agent.(Explainer)
	if !ok {
		return nil, errors.Join(fmt.Errorf("%s can't say what it thinks; bots, search and networks can", m.Text),
			Close(agent))
	}
	if f, ok := agent.(Follower); ok {
		f.Follow(ctx)
	}
	return x, nil
}

// Compare explains a decision, and has a search give an action in particular, if it is legal, as much thought as those
// that it prefers.
func Compare(x Explainer, v *env.View, a env.Action) (Explanation, error) {
	if s, ok := x.(*search); ok && v.Mask().Has(a) {
		return s.explain(v, func(asked *mcts.Search) (*mcts.Result, error) { return asked.Compare(s.ctx, v, a) })
	}
	return x.Explain(v)
}

// An Explanation is what an agent thinks of a decision.
type Explanation struct {
	Probabilities []float32 // of each action of the table to be chosen: 0 if illegal, 1 in total
	Value         float64   // the return that the deciding seat may expect, in [-1, 1]; NaN if the agent doesn't know

	// What a search knows beside; nil of other agents.
	Visits []int32   // of each action: simulations that tried it
	Values []float64 // of each action: the mean return of these, NaN without any
	// of each action: by how much more it returned than the choice, on the samples that tried both; or NaN
	Leads  []float64
	Errors []float64 // of each action: the standard error of its lead, or NaN
	Line   []string  // how the game may go on, the choice first: "seat 0: settle 64"
	Told   []string  // Line, as it is told to people: "player 0: Settle for 2 RES: 64"
	// Incumbent is what the search's bot or network would choose, which it leaves only for what is clearly better; -1 if
	// there is none.
	Incumbent env.Action

	// Scores are what a bot gives for each action, in units of its own, scripted.Unwanted for what it sees no use in,
	// minus infinity if illegal; nil of other agents and where a bot does not work by scores.
	Scores []float64
}

// Known is a number of an Explanation as JSON has it: null where the agent doesn't know it.
func Known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// A Maker makes independent instances of one agent, which share what is read-only, such as a net's
// weights.
type Maker struct {
	Text   string                // the agent's name; two Makers with one text are the same agent
	New    func() (Agent, error) // may be called from many goroutines
	Memory int64                 // bytes that the instances share, about: those of a network
	Deaf   bool                  // the instances go by positions alone, and never ask what has happened (View.Seen)
	Hash   string                // of what the agent is made of, such as a network's file; "" if there is no such thing
	// Text with all that it leaves to levels, defaults and versions; "" where it leaves nothing (Said)
	Made   string
	Steady bool   // the instances do nothing by chance: their choices don't depend on their seeds
	Luck   uint64 // mixed into the seeds of the instances, unless it is 0

	// Spent is what the instances have asked of a server so far; nil for agents that ask none.
	Spent func() llm.Spending
}

// Identity tells the agent from others of the same text: Said and Hash stand after that, where there are any.
func (m *Maker) Identity() string {
	parts := []string{m.Text, m.Said(), m.Hash}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// Said is what Text leaves open: of level:2 "net:,temperature=76,loss=76", of script:strong "script:strong@1", of mcts:
// all its options; "" if there is nothing to add.
func (m *Maker) Said() string {
	if m.Made == m.Text {
		return ""
	}
	return m.Made
}

// Copy is the same agent under another name and with other luck: what is measured between the two is noise.
func (m *Maker) Copy() *Maker {
	c := *m
	c.Text += " (copy)"
	c.Luck = m.Luck + 1
	return &c
}

// Seed is that of an instance at a seat in the game of a seed.
func (m *Maker) Seed(game uint64, seat env.Player) uint64 {
	seed := env.SeatSeed(game, seat)
	if m.Luck != 0 {
		seed = env.SeatSeed(seed^m.Luck, seat)
	}
	return seed
}

// A Transcriber is an Agent that keeps what it has been told in the running game, or the last one, and what it has
// said.
type Transcriber interface {
	// Transcript is JSON Lines, in a form of the agent's own.
	Transcript() []byte
}

// A Companion is an Agent that may be able to be at several tables at once, and is asked there together: a program. A
// worker makes one by [Maker.New] and the others by Beside.
type Companion interface {
	env.Deputy
	// Tables is at how many tables the program can be, as it says when its first game begins. One that can be at a
	// single one is asked like an agent that is no Deputy.
	Tables() int
	// Beside is a further instance of the same program; it is false if the program is at as many tables as it
	// can be. After a fault of one of them, the games of all must be begun again, each by an instance that is alone
	// (AgainError).
	Beside() (Agent, bool)
}

// An AgainError is that of a Companion whose program has failed, in which game isn't known: this one is to be begun
// again, by an instance that is alone. Then a fault costs the game that it happens in and no other.
type AgainError struct{ Err error }

func (e *AgainError) Error() string { return fmt.Sprintf("the game has to be begun again: %v", e.Err) }
func (e *AgainError) Unwrap() error { return e.Err }

// A ForfeitError is a fault of an agent that loses it the game: it has crashed, taken too long, or answered
// with something that is no legal action.
type ForfeitError struct {
	Agent string // its name
	Seat  env.Player
	Kind  Fault
	Err   error // what it did
}

// A Fault is a kind of fault that loses a game.
type Fault string

// The kinds of faults.
const (
	Timeout Fault = "timeout" // it took too long
	Crash   Fault = "crash"   // it ended, or gave up
	Illegal Fault = "illegal" // it answered with something else than a legal action
)

// Faults are the kinds of faults.
func Faults() []Fault { return []Fault{Timeout, Crash, Illegal} }

func (e *ForfeitError) Error() string { return fmt.Sprintf("forfeit by seat %d: %v", e.Seat, e.Err) }
func (e *ForfeitError) Unwrap() error { return e.Err }

// An Observer is told of every decision of a game before it is played: whose it is, what is legal, and what
// has been chosen. It keeps none of it.
type Observer func(p env.Player, legal env.Mask, a env.Action)

// Play resets the agents, one for each seat, and plays the rest of the referee's game; observe may be nil. It ends with
// an error if the context is done, or if an agent fails or wants an illegal action.
func Play(ctx context.Context, ref *referee.Referee, seats []Agent, observe Observer) error {
	if n := ref.Info().Players; len(seats) != n {
		return fmt.Errorf("%s for the %s of %s", spelling.Counted(len(seats), "agent"),
			spelling.Counted(n, "seat"), ref.Info().Short)
	}
	for p, agent := range seats {
		Begin(ctx, agent, env.SeatSeed(ref.Seed(), env.Player(p)))
	}
	for p := ref.Actor(); p != env.Over; p = ref.Actor() {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := seats[p].Act(ref.View())
		if err := Settle(ref, seats[p], a, err, observe); err != nil {
			return err
		}
	}
	return nil
}

// Begin resets an agent for a new game, in which ctx stops it.
func Begin(ctx context.Context, agent Agent, seed uint64) {
	if f, ok := agent.(Follower); ok {
		f.Follow(ctx)
	}
	agent.Reset(seed)
}

// Close ends what an agent has running, if it is a program. Its games are over then.
func Close(agent Agent) error {
	if c, ok := agent.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Seat has an agent that is a program say hello before its first game, until ctx is done.
func Seat(ctx context.Context, agent Agent) error {
	if a, ok := agent.(interface {
		seat(ctx context.Context) error
	}); ok {
		return a.seat(ctx)
	}
	return nil
}

// Settle plays what the agent of the seat that decides has chosen, or says whose error it was that it hasn't; observe
// may be nil.
func Settle(ref *referee.Referee, agent Agent, a env.Action, err error, observe Observer) error {
	decision, p := ref.Decisions(), ref.Actor()
	if err != nil {
		return fmt.Errorf("%s, seat %d, decision %d: %w", agent.Name(), p, decision, err)
	}
	if legal := ref.Mask(); observe != nil && legal.Has(a) {
		observe(p, legal, a)
	}
	if err := ref.Play(a); err != nil {
		return fmt.Errorf("%s, decision %d: %w", agent.Name(), decision, err)
	}
	return nil
}
