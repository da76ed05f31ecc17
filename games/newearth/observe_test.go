package newearth

import (
	"testing"

	"earthgym/env"
	"earthgym/env/form"
)

// Every feature is more than 0 in some game, and what one seat sees of another is what that one sees of itself,
// but for what is that seat's secret.
func TestFeatures(t *testing.T) {
	seen := map[string]bool{}
	for _, options := range []string{"players=4,setup=free", "players=2,offers=4", "players=3,announce_totals=off"} {
		info := openGame(t, options).info
		row, other := make([]float32, info.Observation()), make([]float32, info.Observation())
		for w := newWalker(t, options, 2); w.state.Actor() != env.Over; w.state.Apply(w.action(), nil) {
			s := w.state
			if s.turn == 1 {
				s.seats[0].known |= s.held[0] & cityCards // which a tie shows, and ties are rare
			}
			s.Observe(row, 0)
			s.Observe(other, 1)
			for _, f := range info.Features {
				for _, x := range row[f.Offset : f.Offset+f.Size()] {
					seen[f.Name] = seen[f.Name] || x != 0
				}
			}
			mine, theirs := form.Observation[observation](row), form.Observation[observation](other)
			n := info.Players
			for q := range n {
				turned := (q + n - 1) % n
				a, b := mine.Seats[q], theirs.Seats[turned]
				if !s.game.announce {
					a.Announced, b.Announced = 0, 0
				}
				a.Active, b.Active = 0, 0 // who is asked in secret
				if a != b {
					t.Fatalf("%s, seat %d: %+v for seat 0, %+v for seat 1", options, q, a, b)
				}
			}
		}
	}
	for _, f := range openGame(t, "").info.Features {
		if !seen[f.Name] {
			t.Errorf("%s is 0 in all games", f.Name)
		}
	}
}
