package newearth

import (
	"testing"

	"earthgym/env"
)

// BenchmarkRandomPlay is one decision of uniform random play: the pick, the mask, the step and one
// observation of the seat that acts, resets included.
func BenchmarkRandomPlay(b *testing.B) {
	for _, options := range []string{"players=2", "players=3", "players=4", "players=4,setup=free", "players=4,offers=0"} {
		b.Run(options, func(b *testing.B) { benchmark(b, options, true) })
	}
}

// BenchmarkRandomSteps is BenchmarkRandomPlay without observations.
func BenchmarkRandomSteps(b *testing.B) { benchmark(b, "players=4", false) }

func benchmark(b *testing.B, options string, observe bool) {
	g := openGame(b, options)
	s := g.New()
	mask := make(env.Mask, g.info.MaskWords())
	obs := make([]float32, g.info.Observation())
	rng := env.NewStream(1, "bench")
	seed := uint64(0)
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
		if observe {
			s.Observe(obs, p)
		}
		s.Apply(mask.Nth(rng.Below(mask.Count())), nil)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
}

// BenchmarkRedeal is one redeal for the seat that acts, over the decisions of random games.
func BenchmarkRedeal(b *testing.B) {
	for _, options := range []string{"players=2", "players=4", "players=4,announce_totals=off"} {
		b.Run(options, func(b *testing.B) {
			var states []State
			w := newWalker(b, options, 1)
			for ; w.state.Actor() != env.Over; w.state.Apply(w.action(), nil) {
				if w.state.turn > 0 {
					states = append(states, *w.state)
				}
			}
			var s State
			key := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				s.CopyFrom(&states[key%uint64(len(states))])
				s.Redeal(s.Actor(), key)
				key++
			}
		})
	}
}
