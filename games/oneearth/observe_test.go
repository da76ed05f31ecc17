package oneearth

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/form"
)

// What an observation says of a purchase is what the purchase does: money, markers, ruin, points.
func TestObservedPurchases(t *testing.T) {
	for _, text := range Rulebook().Variants {
		g := must.Have(Rulebook().Open(strings.TrimPrefix(text, "one-earth:"), datafile.File{}))(t)
		s, next := g.New().(*State), g.New().(*State)
		legal, row := make(env.Mask, g.Info().MaskWords()), make([]float32, g.Info().Observation())
		bought := 0
		for seed := range uint64(20) {
			s.Reset(seed, nil)
			luck := env.NewStream(seed, "player")
			for s.Actor() != env.Over {
				s.Legal(legal)
				if s.Decision == AtTurn {
					s.Observe(row, s.Actor())
					o := form.Observation[observation](row)
					for a := env.Action(Fund); a < On; a++ {
						if legal.Has(a) {
							next.CopyFrom(s)
							next.Apply(a, nil)
							if next.Decision == AtAttach {
								next.Apply(Yes, nil)
							}
							checkPurchase(t, s, next, o, a)
							bought++
						}
					}
				}
				s.Apply(legal.Nth(luck.Below(legal.Count())), nil)
			}
		}
		if bought == 0 {
			t.Errorf("%s: nothing was bought", text)
		}
	}
}

func checkPurchase(t *testing.T, s, next *State, o *observation, a env.Action) {
	t.Helper()
	p := int(s.Seat)
	before, after := &s.Countries[p], &next.Countries[p]
	var row *purchaseRow
	switch {
	case a < Tech:
		row = &o.Funding[a-Fund].purchaseRow
	case a < FundPolicy:
		row = &o.TechnologyFunding[a-Tech].purchaseRow
	default:
		row = &o.PolicyFunding[a-FundPolicy]
	}
	check := func(what string, got, want float32) {
		t.Helper()
		if want = max(-2, min(want, 2)); got != want {
			t.Fatalf("%s: %s of %q is %v, want %v\n%s", s.game.info.Text, what, s.game.info.Actions[a].Text, got, want,
				s.AppendPosition(nil))
		}
	}
	check("the money left", row.Left[min(int(after.Money)+shortMost, numLeft-1)], 1)
	if next.Decision == AtTarget {
		return // it is not used yet
	}
	k := &s.game.Components.Constants
	prosperity, emissions := after.Prosperity-before.Prosperity, after.Emissions-before.Emissions
	check("Prosperity", row.Prosperity, float32(prosperity)/4)
	check("Emissions", row.Emissions, float32(emissions)/4)
	beyond := func(level int16, above int) float32 { return float32(max(0, int(level)-above)) }
	check("critical steps", row.Critical, (beyond(next.Global, k.CriticalFrom-1)-beyond(s.Global, k.CriticalFrom-1))/4)
	check("unsafe steps", row.Unsafe, (beyond(next.Global, k.WinBelow-1)-beyond(s.Global, k.WinBelow-1))/4)
	check("ruin", row.Ruins, form.Bit(int(next.Global) >= k.Ruin))
	check("the target", row.Reaches, form.Bit(next.atTarget(p)))
	if !s.game.Advanced || before.Leader == Environmentalist {
		return // who has the lowest Emissions scores for it
	}
	vp, was := next.VP(p), s.VP(p)
	check("penalised steps", row.Penalised, float32(was.Emissions-vp.Emissions)/4)
	vp.Prosperity, vp.Emissions, vp.Currency, vp.Trigger = 0, 0, 0, 0
	was.Prosperity, was.Emissions, was.Currency, was.Trigger = 0, 0, 0, 0
	check("points", row.Points, float32(vp.Total()-was.Total())/4)
}

// What Resolutions would bring, in a position of three countries.
func TestObservedResolutions(t *testing.T) {
	g := must.Have(Rulebook().Open("players=3,mode=advanced,leaders=tycoon+scientist+general", datafile.File{}))(t)
	s := g.New().(*State)
	s.Reset(1, nil)
	c := &s.Countries
	own := func(p int, x string, plain, upgraded int8) {
		i := Project(find(projectIDs[:], x))
		c[p].Plain[i], c[p].Upgraded[i] = plain, upgraded
		if plain > 0 {
			c[p].PlainSet |= 1 << i
		}
		if upgraded > 0 {
			c[p].UpgradedSet |= 1 << i
		}
	}
	own(0, "coal", 1, 0)
	own(0, "school", 2, 0)
	own(1, "hydro", 1, 1)
	own(2, "metro", 1, 0)
	own(2, "airport", 1, 0)
	own(2, "oil", 1, 0)
	c[0].Emissions, c[1].Emissions, c[2].Emissions = 7, 2, 8
	c[0].Prosperity, c[1].Prosperity, c[2].Prosperity = 14, 10, 10
	c[0].Money, c[1].Money, c[2].Money = 3, 2, 0
	row := make([]float32, g.Info().Observation())
	o := form.Observation[observation](row)
	for _, tt := range []struct {
		r           Resolution
		own, others float32 // of seat 0, in quarters
	}{
		{BanCoal, -4, 0},         // 3, and 1 of the Tycoon
		{BanNuclear, 0, -2.5},    // 2 and 3 of seat 1
		{EduTech, 3, 1},          // 1 for who votes for it
		{Medicine, 1, 1},         //
		{CapAndTrade, -2, -1.5},  // what is above 5: 2; 0 and 3
		{CurbTransport, 0, -0.5}, // a metro against oil and airport
		{ShareTech, 0, 0},        //
		{ForeignAid, -2 * 5, 5},  // to both of the others
		{Mars, 1, 0},             // who has 3
	} {
		for _, phase := range []Decision{AtPropose, AtVote, AtTurn} {
			s.Decision, s.Proposal = phase, NoResolution
			if phase == AtVote {
				s.Proposal = tt.r
			}
			s.Observe(row, 0)
			own, others := max(-8, tt.own)/4, tt.others/4
			if phase == AtTurn {
				own, others = 0, 0
			}
			if got := o.Resolutions[tt.r]; got.Own != own || got.Others != others {
				t.Errorf("%s in phase %s: %v and %v, want %v and %v", tt.r, phase, got.Own, got.Others, own, others)
			}
		}
	}
}

// Small numbers are written as one-hots, for every seat from the observer on.
func TestObservedCounts(t *testing.T) {
	g := must.Have(Rulebook().Open("players=3", datafile.File{}))(t)
	s := g.New().(*State)
	s.Reset(1, nil)
	c := &s.Countries
	c[0].Prosperity, c[1].Prosperity, c[2].Prosperity = 3, int16(s.game.Target)-2, int16(s.game.Target)+1
	c[0].Money, c[1].Money, c[2].Money = 0, 7, 99
	c[0].Emissions, c[1].Emissions, c[2].Emissions = 4, 15, 30
	s.Global = 27
	row := make([]float32, g.Info().Observation())
	o := form.Observation[observation](row)
	s.Observe(row, 1)
	one := func(what string, list []float32, at int) {
		t.Helper()
		for i, x := range list {
			if x != form.Bit(i == at) {
				t.Errorf("%s: place %d is %v, want a 1 at %d", what, i, x, at)
			}
		}
	}
	one("own money", o.Markers[0].Coins[:], 7)
	one("the next seat's", o.Markers[1].Coins[:], coins-1)
	one("and the third's", o.Markers[2].Coins[:], 0)
	one("own way to the target", o.Markers[0].ToTarget[:], 2)
	one("the next seat's", o.Markers[1].ToTarget[:], 0)
	one("own Emissions", o.Markers[0].EmissionSteps[:], 15)
	one("the third seat's", o.Markers[2].EmissionSteps[:], 4)
	one("the nearest to the target", o.Clock.Nearest[:], 0)
	one("the ruin", o.Global.Steps[:], 3)
}
