package earthman

import (
	"math/bits"

	"earthgym/env"
)

// The mask of legal actions, and what several decisions allow alike.

const maskWords = (numActions + 63) / 64

// A mask is the set of legal actions, kept in the State.
type mask [maskWords]uint64

// put adds actions from the first on: bit i of the set stands for first + i.
func (m *mask) put(first env.Action, set uint64) {
	i, shift := first>>6, uint(first&63)
	m[i] |= set << shift
	if high := set >> (63 - shift) >> 1; high != 0 {
		m[i+1] |= high
	}
}

// counts adds count low to count high.
func (m *mask) counts(low, high int) {
	if low <= high {
		m.put(Count(low), 1<<(high-low+1)-1)
	}
}

// upTo adds count 1 to count most-1, and all for most itself.
func (m *mask) upTo(most int) {
	m.counts(1, most-1)
	m.put(All, 1)
}

// Legal copies the kept mask.
func (s *State) Legal(m env.Mask) { copy(m, s.mask[:]) }

// only gives the one legal action, and whether there is just one.
func (s *State) only() (env.Action, bool) {
	found := env.Action(-1)
	for i, w := range s.mask {
		if w == 0 {
			continue
		}
		if found >= 0 || w&(w-1) != 0 {
			return -1, false
		}
		found = env.Action(i<<6 + bits.TrailingZeros64(w))
	}
	return found, true
}

// targetOwner is the target of an action as an owner.
func (s *State) targetOwner(target int) env.Player {
	if target == theUN {
		return UN
	}
	return s.clockwise(env.Player(s.actor), target+1)
}

// targetOf is the place of an owner among the actor's targets.
func (s *State) targetOf(owner env.Player) int {
	if owner == UN {
		return theUN
	}
	return s.places(env.Player(s.actor), owner) - 1
}

// clockwise is the seat so many places clockwise from p.
func (s *State) clockwise(p env.Player, places int) env.Player {
	q := int(p) + places
	if q >= s.game.players {
		q -= s.game.players
	}
	return env.Player(q)
}

// places is how many places clockwise from p the seat q sits.
func (s *State) places(p, q env.Player) int {
	if q < p {
		return int(q-p) + s.game.players
	}
	return int(q - p)
}

// others are all seats but p.
func (s *State) others(p env.Player) env.Seats {
	return env.Seats(1<<s.game.players-1) &^ env.Only(p)
}

// relative turns a set of seats into places clockwise from p.
func (s *State) relative(p env.Player, seats env.Seats) uint64 {
	both := uint64(seats) | uint64(seats)<<s.game.players
	return both >> p & (1<<s.game.players - 1)
}

// seatOf is the seat that an action names.
func (s *State) seatOf(a env.Action) env.Player {
	return s.clockwise(env.Player(s.seat), int(a-seat0))
}

// workOutMask sets the legal actions of what is asked.
func (s *State) workOutMask() {
	s.mask = mask{}
	decisions[s.decision].legal(s, &s.mask, env.Player(s.seat))
}

// legalAnswer is yes or no.
func (s *State) legalAnswer(m *mask, _ env.Player) { m.put(Yes, 0b11) }

// legalOwnRegion are the own regions of the world in hand.
func (s *State) legalOwnRegion(m *mask, p env.Player) {
	m.put(region0, uint64(s.land[p][s.pending.at]))
}

// legalRiskShare is how many of the fleets that go are At Risk.
func (s *State) legalRiskShare(m *mask, p env.Player) {
	f, k := s.seats[p].fleet[s.pending.at], int(s.pending.count)
	m.counts(max(0, k-int(f.Steady)), min(k, int(f.Risk)))
}
