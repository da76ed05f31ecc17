package scripted_test

import (
	"testing"

	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// What the words about actions promise comes about in strong play too, in every variant. (The conformance suite looks
// at random play.)
func TestEffectsInStrongPlay(t *testing.T) {
	envtest.NothingToRace(t)
	const longest = 250 // decisions of a game
	for _, rb := range games.All() {
		t.Run(rb.Name, func(t *testing.T) {
			said := 0
			for i, text := range rb.Variants {
				g := must.Have(games.Open(text))(t)
				if !scripted.Plays(g) {
					t.Skip("it has no bots")
				}
				create := must.Have(scripted.Open(g, scripted.Strong))(t)
				bot, s, mask := create(), g.New(), make(env.Mask, g.Info().MaskWords())
				bot.Reset(uint64(i))
				s.Reset(uint64(i), nil)
				for n := 0; s.Actor() != env.Over && n < longest; n++ {
					if err := envtest.Effects(s, uint64(n)); err != nil {
						t.Fatalf("%s, seed %d, decision %d: %v", text, i, n, err)
					}
					s.Legal(mask)
					a := bot.Choose(s, mask)
					said += len(s.(env.Asker).Effects(a))
					s.Apply(a, nil)
				}
			}
			if said < 100 {
				t.Errorf("strong bots have played actions with %d effects: too few to say something", said)
			}
		})
	}
}
