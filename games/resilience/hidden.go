package resilience

import "earthgym/env"

// knowLimit are the seats that know the hidden length (RULES.md 8): all, if the clock leaves one alone.
func (s *State) knowLimit() env.Seats {
	if _, n := s.game.lengthsLeft(s.clock); s.game.random && n > 1 {
		return env.Nobody
	}
	return env.Everybody
}

// Redeal draws the hidden length anew, among those that the clock leaves (RULES.md 8): it is all that
// nobody knows.
func (s *State) Redeal(_ env.Player, key uint64) {
	env.RedealStreams(s.luck[:], streamNames, key)
	if s.decision == Over || !s.game.random {
		return
	}
	least, n := s.game.lengthsLeft(s.clock)
	length := env.NewStream(key, "redeal of the length")
	s.limit = int32(60 * (least + length.Below(n)))
}

// lengthsLeft are the lengths of a running game that are possible after a time: n whole minutes from
// the least one on.
func (g *Game) lengthsLeft(clock int32) (least, n int) {
	least = max(g.minutesMin, int(clock)/60+1)
	return least, g.minutesMax - least + 1
}
