package main

import (
	"slices"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// In every game search finds a legal action, the same one in all positions that the seat can't tell from the true one
// and on any number of workers.
func TestSearchPlaysEveryGame(t *testing.T) {
	for _, rb := range games.All() {
		options := []string{"sims=4", "sims=12,rollout=random,mode=tree"}
		if g, err := games.Open(rb.Name); err == nil && scripted.Plays(g) {
			options = append(options, "sims=12,rollout=script:greedy",
				"sims=6,rollout=script:greedy,opponents=script:naive+random,mode=tree")
		}
		if slices.Contains(shipped.Games(), rb.Name) {
			options = append(options, "sims=4,net=,mode=flat,cut=4", "sims=4,net=,mode=tree")
		}
		if testing.Short() { // the other ways to search are raced in agents/mcts
			options = options[:1]
		}
		for _, options := range options {
			t.Run(rb.Name+" "+options, func(t *testing.T) {
				g := must.Have(games.Open(rb.Name))(t)
				searchPlays(t, g, options)
			})
		}
	}
}

func searchPlays(t *testing.T, g env.Game, options string) {
	open := func(text string) agents.Agent {
		t.Helper()
		m := must.Have(agents.Open(text, g))(t)
		return must.Have(m.New())(t)
	}
	one, two := open("mcts:"+options), open("mcts:"+options+",workers=2")
	s, other, luck := g.New(), g.New(), env.NewStream(7, options)
	mask := make(env.Mask, g.Info().MaskWords())
	enough := 8
	if testing.Short() { // enough for the race detector, which makes it slow
		enough = 2
	}
	for looks := 0; looks < enough; {
		s.Reset(luck.Uint64(), nil)
		for s.Actor() != env.Over && looks < enough {
			s.Legal(mask)
			if mask.Count() > 1 && luck.Below(12) == 0 {
				looks++
				other.CopyFrom(s)
				other.Redeal(s.Actor(), luck.Uint64())
				seed := luck.Uint64()
				one.Reset(seed)
				two.Reset(seed)
				a := must.Have(one.Act(env.ViewOf(s)))(t)
				b := must.Have(two.Act(env.ViewOf(other)))(t)
				if a != b || !mask.Has(a) {
					t.Fatalf("%s: it plays %d, and where the seat sees the same %d, of %s", s.AppendPosition(nil), a, b,
						strings.Join(env.LegalTexts(s), ", "))
				}
			}
			s.Apply(mask.Nth(luck.Below(mask.Count())), nil)
		}
	}
}
