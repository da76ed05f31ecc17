package earthman_test

import (
	"math/rand/v2"
	"testing"

	"earthgym/env"
	"earthgym/games/earthman"
)

// BenchmarkRandomPlay plays whole games of random legal actions, with mask and observation of the
// acting player at every decision.
func BenchmarkRandomPlay(b *testing.B) {
	for _, players := range []string{"2", "4", "6"} {
		b.Run("players="+players, func(b *testing.B) {
			g, err := earthman.Rulebook().Open("players="+players, env.DataFile{})
			if err != nil {
				b.Fatal(err)
			}
			s := g.New()
			mask := make(env.Mask, g.Info().MaskWords())
			obs := make([]float32, g.Info().Observation())
			rng := rand.NewPCG(1, 2)
			seed, decisions := uint64(0), 0
			s.Reset(seed, nil)
			b.ReportAllocs()
			for b.Loop() {
				p := s.Actor()
				if p == env.Over {
					seed++
					s.Reset(seed, nil)
					p = s.Actor()
				}
				s.Legal(mask)
				s.Observe(obs, p)
				s.Apply(mask.Nth(int(rng.Uint64()>>32*uint64(mask.Count())>>32)), nil)
				decisions++
			}
			b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
