package earthman

import (
	"testing"

	"earthgym/env"
	"earthgym/env/form"
)

// Every feature is more than zero in some game, and what one seat sees of another is what that one sees
// of itself, turned round the table.
func TestFeatures(t *testing.T) {
	seen := map[string]bool{}
	size := openGame(t, "").Info().Observation()
	obs, other := make([]float32, size), make([]float32, size)
	each(t, func(_, s *State, _ env.Action) {
		s.Observe(obs, 0)
		s.Observe(other, 1)
		n := s.game.players
		for _, f := range s.game.info.Features {
			for _, x := range obs[f.Offset : f.Offset+f.Size()] {
				seen[f.Name] = seen[f.Name] || x != 0
			}
		}
		mine, theirs := form.Observation[observation](obs), form.Observation[observation](other)
		for q := range n {
			if a, b := mine.Seats[q], theirs.Seats[(q+n-1)%n]; a != b {
				t.Fatalf("seat %d: %+v for seat 0, %+v for seat 1", q, a, b)
			}
		}
		for w := range s.game.Worlds().Each {
			f := s.seats[1].fleet[w]
			if got := theirs.Fleets[w][0][0]; (got > 0) != (f.Steady > 0) {
				t.Fatalf("seat 1 sees %v for its %v fleets at %s", got, f, w.ID())
			}
			for r := range s.game.Regions(w).Count() {
				for row := range numOwners {
					owner := env.Player(row)
					if row < n {
						owner = env.Player((1 + row) % n)
					} else if row < int(UN) {
						continue
					}
					want := float32(0)
					if s.Owner(w, r) == owner {
						want = float32(s.devs[w][r]) / maxDevs
					}
					if got := theirs.Regions[w][row][r]; got != want {
						t.Fatalf("seat 1 sees %v of owner %d in region %d of %s, want %v", got, owner, r+1, w.ID(), want)
					}
				}
				if got := theirs.Regions[w][rowRubble][r]; got != float32(s.Devastation(w, r))/2 {
					t.Fatalf("seat 1 sees Devastation %v in region %d of %s", got, r+1, w.ID())
				}
			}
		}
	})
	for _, f := range openGame(t, "").Info().Features {
		if !seen[f.Name] {
			t.Errorf("%s is zero in all games", f.Name)
		}
	}
}
