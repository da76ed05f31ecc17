package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/games/newearth"
	"earthgym/games/oneearth"
	"earthgym/games/resilience"
)

// What strong bots say means something: most promises are kept, and most offers and requests are worth a yes.
func TestWords(t *testing.T) {
	for _, test := range []struct {
		variant string
		yes     env.Action
		asked   func(s env.State) bool // an offer or a request is to be answered
		counts  func(s env.State, p env.Player) (kept, broken int)
	}{
		{"resilience-earth:players=4", resilience.Yes,
			func(s env.State) bool { return s.(*resilience.State).Decision() == resilience.AtReply },
			func(s env.State, p env.Player) (int, int) { return s.(*resilience.State).Kept(p) }},
		{"one-earth:players=5", oneearth.Yes,
			func(s env.State) bool { return s.(*oneearth.State).Decision == oneearth.AtAskReply },
			func(s env.State, p env.Player) (int, int) {
				c := &s.(*oneearth.State).Countries[p]
				return int(c.PromisesKept), int(c.PromisesBroken)
			}},
	} {
		g, bot := strongAt(t, test.variant)
		s, legal := g.New(), make(env.Mask, g.Info().MaskWords())
		kept, broken, asked, granted := 0, 0, 0, 0
		for seed := range uint64(60) {
			s.Reset(seed, nil)
			for s.Actor() != env.Over {
				s.Legal(legal)
				a := bot.Choose(s, legal)
				if test.asked(s) {
					if asked++; a == test.yes {
						granted++
					}
				}
				s.Apply(a, nil)
			}
			for p := range env.Player(g.Info().Players) {
				k, b := test.counts(s, p)
				kept, broken = kept+k, broken+b
			}
		}
		t.Logf("%s: %d promises kept, %d broken; %d of %d requests granted", test.variant, kept, broken, granted, asked)
		if kept < 2*broken || kept < 30 {
			t.Errorf("%s: %d promises kept, %d broken", test.variant, kept, broken)
		}
		if asked < 30 || 5*granted < asked {
			t.Errorf("%s: %d of %d offers or requests were accepted", test.variant, granted, asked)
		}
	}
}

// strongAt opens a variant, and the strong bot that plays it.
func strongAt(t *testing.T, variant string) (env.Game, *Bot) {
	t.Helper()
	g, err := registry.Registry{resilience.Rulebook(), oneearth.Rulebook(), newearth.Rulebook()}.Open(variant)
	if err != nil {
		t.Fatal(err)
	}
	create := must.Have(Open(g, Strong))(t)
	return g, create()
}
