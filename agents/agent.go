// Package agents is what can sit at a table: programs that are shown a [env.View] and choose an action.
//
// An agent is chosen by a short text, "random", "script:strong" or "net:runs/x", which [Open] turns into
// a [Maker]; the Maker makes one instance for each seat and each goroutine. [Play] plays one game with
// them. All that an agent does by chance comes from the seed that it gets before each game, so that a
// game is determined by its own seed and the agents' texts, whoever played what before.
package agents

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"earthgym/env"
)

// An Agent chooses actions. An instance belongs to one seat and one goroutine, and plays one game after
// the other.
type Agent interface {
	// Name is the text that the agent was opened with.
	Name() string
	// Reset comes before each game. The agent forgets what came before; all its chance is drawn from
	// generators seeded with seed.
	Reset(seed uint64)
	// Act chooses one of the legal actions of v, which it doesn't keep. An error says why the agent can't
	// go on.
	Act(v *env.View) (env.Action, error)
}

// A Batcher is an Agent that chooses in many games at once faster than one by one.
type Batcher interface {
	// ActBatch chooses for each view, out[i] for views[i]. The chance of all of them comes from the one
	// generator of the agent, in the order of the views.
	ActBatch(views []*env.View, out []env.Action) error
}

// A Deputy is an Agent that chooses for others of its Maker, in many games at once, faster than each for
// itself.
type Deputy interface {
	// ActFor chooses for each view what agents[i] would choose by its Act, out of that one's chance. After
	// an error none of them has drawn anything.
	ActFor(agents []Agent, views []*env.View, out []env.Action) error
}

// A Follower is an Agent that can be stopped in the middle of a decision.
type Follower interface {
	// Follow comes before a game: when ctx is done, Act returns its error at once.
	Follow(ctx context.Context)
}

// An Explainer is an Agent that can say what it thinks of a decision.
type Explainer interface {
	// Explain doesn't change what the agent does afterwards.
	Explain(v *env.View) (Explanation, error)
}

// An Explanation is what an agent thinks of a decision.
type Explanation struct {
	Probabilities []float32 // of each action of the table to be chosen: 0 if illegal, 1 in total
	Value         float64   // the return that the deciding seat may expect, in [-1, 1]; NaN if the agent doesn't know

	// What a search knows beside; nil of other agents.
	Visits []int32   // of each action: simulations that tried it
	Values []float64 // of each action: the mean return of these, NaN without any
	Line   []string  // how the game may go on, the choice first: "seat 0: settle 64"
}

// A Maker makes independent instances of one agent, which share what is read-only, such as a net's
// weights.
type Maker struct {
	Text   string                // the agent's name; two Makers with one text are the same agent
	New    func() (Agent, error) // may be called from many goroutines
	Memory int64                 // bytes that the instances share, about: those of a network
}

// A ForfeitError is a fault of an agent that loses it the game: it has crashed, taken too long, or answered
// with something that is no legal action.
type ForfeitError struct {
	Agent string // its name
	Seat  env.Player
	Err   error // what it did
}

func (e *ForfeitError) Error() string { return fmt.Sprintf("forfeit by seat %d: %v", e.Seat, e.Err) }
func (e *ForfeitError) Unwrap() error { return e.Err }

// Play resets the agents, one for each seat, and plays the rest of the referee's game. It ends with an
// error if the context is done, or if an agent fails or wants an illegal action.
func Play(ctx context.Context, ref *env.Referee, seats []Agent) error {
	if n := ref.Info().Players; len(seats) != n {
		return fmt.Errorf("%d agents for the %d seats of %s", len(seats), n, ref.Info().Short)
	}
	for p, agent := range seats {
		if f, ok := agent.(Follower); ok {
			f.Follow(ctx)
		}
		agent.Reset(SeatSeed(ref.Seed(), env.Player(p)))
	}
	for decision := 0; ; decision++ {
		p := ref.Actor()
		if p == env.Over {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := seats[p].Act(ref.View())
		if err != nil {
			return fmt.Errorf("%s, seat %d, decision %d: %w", seats[p].Name(), p, decision, err)
		}
		if err := ref.Play(a); err != nil {
			return fmt.Errorf("%s, decision %d: %w", seats[p].Name(), decision, err)
		}
	}
}

// SeatSeed is the seed of the agent at a seat in the game of a seed. It is a hash and not env.Mix, which
// can be undone: an agent must not get at the luck of its game.
func SeatSeed(game uint64, seat env.Player) uint64 {
	b := []byte("earthgym agent seed/1 ")
	b = binary.LittleEndian.AppendUint64(b, game)
	b = append(b, byte(seat))
	sum := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:])
}
