package earthman

import (
	"testing"

	"earthgym/env"
)

// offsets are where the encoder writes, by the name of the feature.
var offsets = map[string]int{
	"fleets": oFleets, "arrived": oArrived, "regions": oRegions, "seats": oSeats, "levels": oLevels, "tracks": oTracks,
	"influence": oInfluence, "options": oOptions, "clock": oClock, "point": oPoint, "step": oStep, "at": oAt, "to": oTo,
	"target": oTarget, "region": oRegion, "numbers": oNumbers, "worlds": oWorlds, "before": oBefore, "came": oCame,
	"firing": oFiring, "offered": oOffered, "last": oLast, "action": oAction, "against": oAgainst, "technology": oTech,
	"fire": oFire, "overthrow": oOverthrow, "nominated": oNominated, "defend": oDefend, "event": oEvent, "roller": oRoller,
	"lot": oLot, "passed": oPassed,
}

func TestLayout(t *testing.T) {
	info := openGame(t, "").Info()
	if info.Observation() != observation {
		t.Errorf("the features have %d numbers, the encoder writes %d", info.Observation(), observation)
	}
	if len(info.Features) != len(offsets) {
		t.Errorf("%d features, %d offsets", len(info.Features), len(offsets))
	}
	for _, f := range info.Features {
		if at, ok := offsets[f.Name]; !ok || at != f.Offset {
			t.Errorf("%s begins at %d, and the encoder writes it at %d", f.Name, f.Offset, at)
		}
	}
}

// Every feature is more than zero in some game, and what one seat sees of another is what that one sees
// of itself, turned round the table.
func TestFeatures(t *testing.T) {
	seen := map[string]bool{}
	obs, other := make([]float32, observation), make([]float32, observation)
	each(t, func(_, s *State, _ env.Action) {
		s.Observe(obs, 0)
		s.Observe(other, 1)
		n := s.game.players
		for _, f := range s.game.info.Features {
			for _, x := range obs[f.Offset : f.Offset+f.Size()] {
				seen[f.Name] = seen[f.Name] || x != 0
			}
		}
		for q := range n {
			mine, turned := obs[oSeats+q*numSeatCells:][:numSeatCells], other[oSeats+(q+n-1)%n*numSeatCells:][:numSeatCells]
			for i := range mine {
				if mine[i] != turned[i] {
					t.Fatalf("seat %d, cell %d: %v for seat 0, %v for seat 1", q, i, mine[i], turned[i])
				}
			}
		}
		for w := range s.game.Worlds().Each {
			f := s.seats[1].fleet[w]
			if got := other[oFleets+int(w)*MaxPlayers*2]; (got > 0) != (f.Steady > 0) {
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
					if got := other[oRegions+(int(w)*regionRows+row)*MaxRegions+r]; got != want {
						t.Fatalf("seat 1 sees %v of owner %d in region %d of %s, want %v", got, owner, r+1, w.ID(), want)
					}
				}
				if got := other[oRegions+(int(w)*regionRows+numOwners+1)*MaxRegions+r]; got != float32(s.Devastation(w, r))/2 {
					t.Fatalf("seat 1 sees Devastation %v in region %d of %s", got, r+1, w.ID())
				}
			}
		}
	})
	for name := range offsets {
		if !seen[name] {
			t.Errorf("%s is zero in all games", name)
		}
	}
}
