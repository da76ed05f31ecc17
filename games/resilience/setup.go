package resilience

import (
	"strconv"

	"earthgym/env"
)

// Reset sets the game up (RULES.md 4).
func (s *State) Reset(seed uint64, tape *env.Tape) {
	g := s.game
	s.position = position{round: 1, deck: g.fullDeck, partner: -1, culprit: -1} // RE-012, RE-013, RE-018
	env.SeedStreams(s.luck[:], streamNames, seed)
	minutes := g.minutesMin
	if g.random { // RE-010
		minutes += tape.Uniform(&s.luck[setUpStream], env.Nobody, "timer", g.minutesMax-g.minutesMin+1,
			func(i int) string { return strconv.Itoa(g.minutesMin + i) })
	}
	s.limit = int32(60 * minutes)
	leader := g.first // RE-016
	if leader < 0 {
		leader = tape.Uniform(&s.luck[setUpStream], env.Everybody, "first", g.players, strconv.Itoa)
	}
	s.leader = int8(leader)
	for p := range g.players {
		s.res[p] = int32(g.data.StartRES) // RE-011
	}
}
