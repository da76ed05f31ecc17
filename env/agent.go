package env

import (
	"crypto/sha256"
	"encoding/binary"
)

// An Agent chooses actions. An instance belongs to one seat and one goroutine, and plays one game after
// the other. (Package agents has the agents; they are known here so that a server of batches can seat them.)
type Agent interface {
	// Name is the text that the agent was opened with.
	Name() string
	// Reset comes before each game. The agent forgets what came before; all its chance is drawn from
	// generators seeded with seed.
	Reset(seed uint64)
	// Act chooses one of the legal actions of v, which it doesn't keep. An error says why the agent can't
	// go on.
	Act(v *View) (Action, error)
}

// A Deputy is an Agent that chooses for others of its kind, in many games at once, faster than each for
// itself.
type Deputy interface {
	Agent
	// ActFor chooses for each view what agents[i] would choose by its Act, out of that one's chance. After
	// an error none of them has drawn anything.
	ActFor(agents []Agent, views []*View, out []Action) error
}

// SeatSeed is the seed of the agent at a seat in the game of a seed. It is a hash and not env.Mix, which
// can be undone: an agent must not get at the luck of its game. One that can guess the game's seed gets at it all the
// same, by its cards if not by its own seed, and no key would help that did not make the games of a seed others:
// where an agent is somebody else's, the seed must be one that can't be guessed.
func SeatSeed(game uint64, seat Player) uint64 {
	var at [32]byte
	b := append(at[:0], "earthgym agent seed/1 "...)
	b = binary.LittleEndian.AppendUint64(b, game)
	b = append(b, byte(seat))
	sum := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:])
}
