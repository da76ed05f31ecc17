package earthman

import (
	"math"
	"testing"

	"earthgym/env"
)

// The outlook is a return for each seat that adds up to nothing, is told at the beginning of a round alone, and goes by
// what seats have and not by where they sit; with the machines there is none.
func TestOutlook(t *testing.T) {
	told := 0
	dst, turned := make([]float64, MaxPlayers), make([]float64, MaxPlayers)
	each(t, func(_, s *State, _ env.Action) {
		n := s.game.players
		if !s.Outlook(dst[:n]) {
			return
		}
		told++
		if s.game.skynet || s.actor != s.first || s.phase > InMove {
			t.Fatalf("an outlook in phase %d of seat %d, skynet %t", s.phase, s.actor, s.game.skynet)
		}
		other := *s
		other.seats[0], other.seats[1] = s.seats[1], s.seats[0]
		if !other.Outlook(turned[:n]) {
			t.Fatal("no outlook once two seats have changed places")
		}
		if math.Abs(turned[0]-dst[1])+math.Abs(turned[1]-dst[0]) > 1e-9 {
			t.Fatalf("%v, and once seats 0 and 1 have changed places %v", dst[:n], turned[:n])
		}
		sum := 0.0
		for _, x := range dst[:n] {
			sum += x
		}
		if math.Abs(sum) > 1e-9 {
			t.Fatalf("the outlook %v is no return", dst[:n])
		}
	})
	if told == 0 {
		t.Error("there was no outlook")
	}
}
