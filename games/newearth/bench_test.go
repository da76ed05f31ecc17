package newearth

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
)

func BenchmarkRandomPlay(b *testing.B) {
	envtest.BenchmarkPlay(b, Rulebook(), "players=2", "players=3", "players=4", "players=4,setup=free",
		"players=4,offers=0")
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
