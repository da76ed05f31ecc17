package oneearth

import "earthgym/env"

// What the potential counts: a lead of this many points as half of everything, and Global Emissions
// from this level on as a danger to all.
const (
	fullLead   = 20
	dangerFrom = 15
)

// Potential is how well p stands: its lead in points over the others' mean (alone: over the NPC), and
// how near the ruin is, where it still threatens.
func (s *State) Potential(p env.Player) float64 {
	var scores [MaxPlayers]float64
	s.Scores(scores[:s.game.Players])
	others := float64(s.NPCScore())
	if n := s.game.Players; n > 1 {
		others = 0
		for q := range n {
			if q != int(p) {
				others += scores[q] / float64(n-1)
			}
		}
	}
	value := (scores[p] - others) / (2 * fullLead)
	if ruin := s.game.Components.Constants.Ruin; !s.Final || s.game.Players < 3 {
		value -= 0.5 * float64(max(0, int(s.Global)-dangerFrom)) / float64(max(1, ruin-dangerFrom))
	}
	return max(-1, min(1, value))
}
