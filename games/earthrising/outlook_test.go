package earthrising

import (
	"testing"

	"earthgym/env"
)

// An Aftermath is what Forecast foresees whatever strain lies on a Board, and a sector that it calls calm goes its own
// way.
func TestAftermath(t *testing.T) {
	var scratch, forecast State
	var f Aftermath
	var b Board // what it remembers of a State is not used for another
	luck := env.NewStream(4, "strain")
	calm, receding, overflowing := 0, 0, 0
	roam(t, 4, func(s *State, _ env.Action) {
		if s.decision != atActions {
			return
		}
		b.State = *s
		b.Survey()
		for n := range 4 {
			c := s.Course()
			for x := range Sector(NumSectors) {
				if n > 0 && luck.Below(2) == 0 { // not only what lies there
					c.Strain = c.Strain.Plus(x, luck.Below(int(s.game.full)+1)-c.Strain.At(x))
				}
			}
			table := *s
			table.Follow(&c)
			if table.Course() != c {
				t.Fatalf("%+v, put on the table, is %+v", c, table.Course())
			}
			table.Forecast(&forecast)
			b.Aftermath(c.Strain, &f, &scratch)
			if f.Strain != forecast.strains() || f.majors != forecast.major || f.minors != forecast.minor ||
				f.Poverty != forecast.poverty || f.Collapses != int(forecast.collapses) || f.Lost != forecast.Lost() ||
				f.MeepleStrain != forecast.meepleStrain() {
				t.Fatalf("turn %d: %+v is not what is foreseen: %+v", s.turn, f, forecast.position)
			}
			for x := range Sector(NumSectors) {
				if f.Net[x] != forecast.net(x) {
					t.Fatalf("turn %d, %s: net %d, foreseen is %d", s.turn, x, f.Net[x], forecast.net(x))
				}
				beside := sectorSet(s.game.beside[x])
				if f.MajorsBeside(x) != (forecast.major&beside == beside) {
					t.Fatalf("turn %d, %s: Majors beside: %v", s.turn, x, f.MajorsBeside(x))
				}
				if !f.CalmIn(x) {
					if f.Collapses > int(s.collapses) {
						overflowing++
					} else {
						receding++
					}
					continue
				}
				if calm++; f.troubled == 0 && max(0, c.Strain.At(x)+b.Growth(x)) != int(forecast.strain[x]) {
					t.Fatalf("turn %d, %s: %d grows by %d to %d",
						s.turn, x, c.Strain.At(x), b.Growth(x), forecast.strain[x])
				}
			}
		}
	})
	if calm == 0 || receding == 0 || overflowing == 0 {
		t.Errorf("%d calm sectors, %d troubled ones without a collapse and %d with one: the games show too little",
			calm, receding, overflowing)
	}
}

// SameTurn tells plans apart by all that the seat sees, and by nothing else; SameTable by all but the order of the
// deck.
func TestSameTurn(t *testing.T) {
	s := openGame(t, "players=4,hands=closed").New().(*State)
	s.Reset(1, nil)
	m := make(env.Mask, s.game.info.MaskWords())
	for s.decision != atActions {
		s.Legal(m)
		s.Apply(m.Nth(0), nil)
	}
	p, o := s.Actor(), s.game.New().(*State)
	for seed := range uint64(8) {
		o.CopyFrom(s)
		if o.Redeal(p, seed); !s.SameTurn(o, p) {
			t.Fatal("another deck is another turn")
		}
	}
	o.CopyFrom(s)
	if o.deck[0], o.deck[1] = s.deck[1], s.deck[0]; !s.SameTable(o) {
		t.Error("another order of the deck is another table")
	}
	for _, change := range []func(){
		func() { o.strain[2]-- },
		func() { o.actions-- },
		func() { o.hand[o.active] = o.hand[o.active].Rest() },
		func() { o.startups++ },
	} {
		o.CopyFrom(s)
		if change(); s.SameTurn(o, p) || s.SameTable(o) {
			t.Error("a change is not seen")
		}
	}
}

// The outlook is that of a turn's beginning alone, rises with what is transformed, falls with strain and with the turns
// that are left.
func TestOutlook(t *testing.T) {
	for _, options := range []string{"", "win=sustained", "variant=quickplay", "variant=quickplay,returns=binary"} {
		g := openGame(t, options)
		s := g.New().(*State)
		s.Reset(3, nil)
		value := func(s *State) float64 {
			t.Helper()
			dst := make([]float64, g.Info().Players)
			if !s.Outlook(dst) {
				t.Fatalf("%s: no outlook in phase %s with %d actions left", options, s.Decision(), s.actions)
			}
			return dst[0]
		}
		before, better, worse, late := value(s), *s, *s, *s
		better.major = better.major.with(0).with(1).with(2)
		for x := range Sector(3) {
			better.strain[x] = 0
		}
		for x := range worse.strain {
			worse.strain[x] = g.full
		}
		late.year = g.limit
		if up, down, end := value(&better), value(&worse), value(&late); !(up > before && down < before && end < before) {
			t.Errorf("%s: %.3f, with three Majors more %.3f, with full sectors %.3f, in the last turn %.3f", options, before, up,
				down, end)
		} else if g.binary && end > -0.5 || !g.binary && end < -0.5 {
			t.Errorf("%s: %.3f in the last turn with nothing done", options, end)
		}
		s.actions--
		if s.Outlook(make([]float64, g.Info().Players)) {
			t.Errorf("%s: an outlook in the middle of a turn", options)
		}
	}
}
