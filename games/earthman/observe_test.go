package earthman

import (
	"math"
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
			if a, b := turnable(mine.Owners[q]), turnable(theirs.Owners[(q+n-1)%n]); a != b {
				t.Fatalf("seat %d: %+v for seat 0, %+v for seat 1", q, a, b)
			}
		}
		for w := range s.game.Worlds().Each {
			f := s.seats[1].fleet[w]
			if got := theirs.Places[w].Steady[0]; (got > 0) != (f.Steady > 0) {
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
				if theirs.Places[w].Land == 0 && s.land[1][w] != 0 {
					t.Fatalf("seat 1 sees no land of its own on %s", w.ID())
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

// What a world offers is what its regions offer one by one, and a place promises the best that lies below it.
func TestFields(t *testing.T) {
	row := make([]float32, openGame(t, "").Info().Observation())
	each(t, func(_, s *State, _ env.Action) {
		p := env.Player(0)
		s.Observe(row, p)
		o := form.Observation[observation](row)
		for w := range s.game.Worlds().Each {
			work, gain := 0, 0.0
			for r := range s.game.Regions(w).Count() {
				owner, room, rubble := s.Owner(w, r), s.Capacity(p, w)-s.Developments(w, r), s.Devastation(w, r)
				if owner != None && owner != p || room <= 0 {
					continue
				}
				power := room
				if owner == None && s.Doubles(p, w) {
					power++
				}
				work += room + rubble
				gain += float64(power*power) / float64(power+rubble)
			}
			if got := o.Places[w]; math.Abs(float64(got.Work)-float64(work)/10) > 1e-5 ||
				math.Abs(float64(got.Gain)-gain/10) > 1e-5 {
				t.Fatalf("%s: work %v and gain %v, want %d and %v", w.ID(), got.Work, got.Gain, work, gain)
			}
		}
		for at := range s.game.places.Each {
			if got, want := o.Places[at].Promise, promise(s.game, o, at); got != want {
				t.Fatalf("%s promises %v, want %v", at.ID(), got, want)
			}
		}
		if at := s.pending.at; s.decision != NoDecision && at >= 0 && o.At != o.Places[at] {
			t.Fatalf("the row in hand is %+v, that of %s %+v", o.At, at.ID(), o.Places[at])
		}
	})
}

// promise is the best gain below a place where fleets are wanted, by all ways that lead there.
func promise(g *Game, o *observation, at Place) float32 {
	if at < Place(NumWorlds) {
		if o.Places[at].Wanted > 0 {
			return o.Places[at].Gain
		}
		return 0
	}
	best := float32(0)
	for down := range g.down[at].Each {
		best = max(best, promise(g, o, down)*perTurn)
	}
	return best
}

// turnable is a seat's row without what depends on the observer.
func turnable(row ownerNumbers) ownerNumbers {
	row.HitNeed, row.SwayNeed, row.SpyNeed = 0, 0, 0
	return row
}
