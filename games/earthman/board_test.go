package earthman

import (
	"fmt"
	"strings"
	"testing"

	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

func openGame(t testing.TB, options string) *Game {
	t.Helper()
	return must.Have(Rulebook().Open(options, datafile.File{}))(t).(*Game)
}

// travelTimes is the table of RULES.md 2.2: turns from orbit to orbit after the launch (EB-003, EB-060).
const travelTimes = `
mercury  - 2 2 2 3 3 3 3 3 3 3 3
venus    2 - 2 2 3 3 3 3 3 3 3 3
earth    2 2 1 1 2 2 3 3 3 3 3 3
luna     2 2 1 1 2 2 3 3 3 3 3 3
mars     3 3 2 2 - 2 3 3 3 3 3 3
ceres    3 3 2 2 2 - 2 2 2 2 2 3
io       3 3 3 3 3 2 1 1 2 2 2 3
europa   3 3 3 3 3 2 1 1 2 2 2 3
ganymede 3 3 3 3 3 2 2 2 1 1 2 3
callisto 3 3 3 3 3 2 2 2 1 1 2 3
titan    3 3 3 3 3 2 2 2 2 2 - 2
triton   3 3 3 3 3 3 3 3 3 3 2 -
`

func TestTravelTimes(t *testing.T) {
	g := openGame(t, "")
	for _, line := range strings.Split(strings.TrimSpace(travelTimes), "\n") {
		words := strings.Fields(line)
		from := placeOf(words[0])
		for to, want := range words[1:] {
			if want == "-" {
				continue
			}
			best := 99
			for by := range g.skyward[from].Each {
				if g.below[by].Has(Place(to)) {
					switch {
					case approaches.Has(by):
						best = min(best, 1)
					case interplanetary.Has(by):
						best = min(best, 2)
					default:
						best = min(best, 3)
					}
				}
			}
			if got := fmt.Sprint(best); got != want {
				t.Errorf("%s to %s: %s turns, want %s", from.ID(), Place(to).ID(), got, want)
			}
		}
	}
}

// EB-003: every step is along a link, towards the disc or away from it, and each link goes both ways.
func TestLinks(t *testing.T) {
	g := openGame(t, "")
	rings := []Places{worlds, approaches, interplanetary, centre}
	for ring, lower := range rings[:3] {
		for at := range lower.Each {
			if g.up[at] == 0 || g.up[at]&^rings[ring+1] != 0 {
				t.Errorf("%s leads skyward to %b", at.ID(), g.up[at])
			}
			for up := range g.up[at].Each {
				if !g.down[up].Has(at) {
					t.Errorf("%s leads up to %s, but not back", at.ID(), up.ID())
				}
			}
		}
	}
	if g.down[Solar] != interplanetary || g.up[Solar] != 0 || g.below[Solar] != worlds {
		t.Errorf("the centre leads to %b, up to %b, at last to %b", g.down[Solar], g.up[Solar], g.below[Solar])
	}
	skyward := map[Place]string{
		Mercury: "mercury-approach inner solar", Earth: "earth-approach inner middle solar",
		Luna: "earth-approach inner middle solar",
		Mars: "mars-approach middle solar", Ceres: "belt-approach middle outer solar",
		Io:       "inner-jovian-approach outer solar",
		Callisto: "outer-jovian-approach outer solar", Titan: "saturn-approach outer far solar",
		Triton: "neptune-approach far solar",
	}
	for at, want := range skyward {
		var ids []string
		for up := range g.skyward[at].Each {
			ids = append(ids, up.ID())
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("from %s to %q, want %q", at.ID(), got, want)
		}
	}
	regions := 0
	for w := range g.Worlds().Each {
		regions += g.Regions(w).Count()
	}
	if regions != 47 {
		t.Errorf("%d regions, want 47", regions)
	}
}
