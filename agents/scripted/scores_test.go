package scripted

import (
	"math"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// A bot that works by scores scores all legal actions and no others, and chooses the best of them.
func TestScores(t *testing.T) {
	scored := 0
	for _, script := range scripts() {
		rb := script.rulebook()
		for i, variant := range rb.Variants {
			g := must.Have(registry.Registry{rb}.Open(variant))(t)
			for level := range script.bots {
				bot := script.open(g, level)
				if _, ok := bot.policy.(scorer); !ok {
					if bot.Scores(nil, nil, nil) {
						t.Errorf("%s: %s has no scores and gives some", variant, levels[level])
					}
					continue
				}
				scored++
				scoreGame(t, g, bot, levels[level], uint64(i))
			}
		}
	}
	if scored == 0 {
		t.Error("no bot works by scores")
	}
}

// scoreGame plays a game, partly at random, so that every kind of decision comes.
func scoreGame(t *testing.T, g env.Game, bot *Bot, level string, seed uint64) {
	s, legal, luck := g.New(), make(env.Mask, g.Info().MaskWords()), env.NewStream(seed, "table")
	scores := make([]float64, len(g.Info().Actions))
	s.Reset(seed, nil)
	bot.Reset(seed)
	for n := 0; s.Actor() != env.Over; n++ {
		s.Legal(legal)
		choice := bot.Choose(s, legal)
		bot.Scores(s, legal, scores)
		for a, score := range scores {
			if legal.Has(env.Action(a)) == math.IsInf(score, -1) || math.IsNaN(score) || score > scores[choice] {
				t.Fatalf("%s, %s, decision %d: %q has the score %v (legal: %v), the choice %q %v", g.Info().Text, level, n,
					g.Info().Actions[a].Text, score, legal.Has(env.Action(a)), g.Info().Actions[choice].Text, scores[choice])
			}
		}
		if luck.Below(4) == 0 {
			choice = legal.Nth(luck.Below(legal.Count()))
		}
		s.Apply(choice, nil)
	}
}

// BenchmarkChoose is what a decision of each bot costs, in games of its own kind with each rulebook's default options.
func BenchmarkChoose(b *testing.B) {
	for _, script := range scripts() {
		rb := script.rulebook()
		g := must.Have(registry.Registry{rb}.Open(rb.Name))(b)
		for level := range script.bots {
			b.Run(rb.Name+"/"+levels[level], func(b *testing.B) {
				states, masks := positions(g, script.open(g, level))
				bot := script.open(g, level)
				bot.Reset(1)
				b.ReportAllocs()
				b.ResetTimer()
				for i := range b.N {
					k := i % len(states)
					bot.Choose(states[k], masks[k])
				}
			})
		}
	}
}

// positions are the decisions of a game that a bot plays with itself.
func positions(g env.Game, bot *Bot) (states []env.State, masks []env.Mask) {
	s := g.New()
	s.Reset(1, nil)
	bot.Reset(1)
	for s.Actor() != env.Over {
		before, legal := g.New(), make(env.Mask, g.Info().MaskWords())
		before.CopyFrom(s)
		s.Legal(legal)
		states, masks = append(states, before), append(masks, legal)
		s.Apply(bot.Choose(s, legal), nil)
	}
	return states, masks
}
