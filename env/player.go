package env

import (
	"math/bits"
	"strconv"
	"strings"
)

// A Player is a seat at the table, 0 to Info.Players-1, clockwise.
type Player int

const (
	// Over is the actor of a finished game.
	Over Player = -1
	// Spectator watches and is told what everybody may know.
	Spectator Player = -2
	// Hidden stands for an actor that a viewer is not told about (see ActorHider).
	Hidden Player = -3
	// Unasked stands for an actor of whom a viewer is not even told that it is asked (see ActorHider): that alone
	// would tell it a secret.
	Unasked Player = -4
)

// MaxPlayers is the largest number of seats of any game.
const MaxPlayers = 8

// Seats is a set of players.
type Seats uint8

const (
	// Nobody is the empty set.
	Nobody Seats = 0
	// Everybody is every seat, and spectators.
	Everybody Seats = 1<<MaxPlayers - 1
)

// AllOf is the set of all players of a game.
func AllOf(players int) Seats { return 1<<players - 1 }

// Only is the set of p alone.
func Only(p Player) Seats { return 1 << p }

// Has says whether p is in the set. A spectator is in Everybody alone.
func (s Seats) Has(p Player) bool {
	if p < 0 {
		return s == Everybody
	}
	return s>>p&1 != 0
}

// With is the set with p added.
func (s Seats) With(p Player) Seats { return s | Only(p) }

// Where are the players of the set of whom something holds.
func (s Seats) Where(holds func(p Player) bool) Seats {
	set := Nobody
	for ; s != Nobody; s &= s - 1 {
		if p := Player(bits.TrailingZeros8(uint8(s))); holds(p) {
			set = set.With(p)
		}
	}
	return set
}

// Most are the players of the set for whom a number is greatest.
func (s Seats) Most(number func(p Player) int) Seats {
	set, most := Nobody, 0
	for ; s != Nobody; s &= s - 1 {
		p := Player(bits.TrailingZeros8(uint8(s)))
		switch n := number(p); {
		case set == Nobody || n > most:
			set, most = Only(p), n
		case n == most:
			set = set.With(p)
		}
	}
	return set
}

// Count is the number of players in the set.
func (s Seats) Count() int { return bits.OnesCount8(uint8(s)) }

// List gives the players in ascending order.
func (s Seats) List() []int {
	list := make([]int, 0, s.Count())
	for p := range MaxPlayers {
		if s.Has(Player(p)) {
			list = append(list, p)
		}
	}
	return list
}

// String gives the players in ascending order, joined by blanks.
func (s Seats) String() string {
	var words []string
	for _, p := range s.List() {
		words = append(words, strconv.Itoa(p))
	}
	return strings.Join(words, " ")
}
