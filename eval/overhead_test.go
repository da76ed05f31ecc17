package eval

import (
	"context"
	"testing"
)

// BenchmarkMatch plays matches of a bot with itself, to be profiled: what is neither their thinking nor the game's rules is
// overhead.
func BenchmarkMatch(b *testing.B) {
	for _, game := range []string{"resilience-earth:players=2", "new-earth:players=2"} {
		b.Run(game, func(b *testing.B) {
			g, field := opened(b, game, "script:greedy")
			for b.Loop() {
				if _, err := Match(context.Background(), g, field, Options{Games: 40, Seed: 1, Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
