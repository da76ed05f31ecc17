package eval

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkMatch plays matches of a bot with itself, by one worker and by two, to be profiled: what is neither their thinking
// nor the game's rules is overhead. "thinking-%" is the share of the agents' Act in the time of the workers. Matches are long
// enough for their intervals, half a millisecond whatever the length, not to count.
//
//	go test ./eval -run '^$' -bench 'Match$' -benchtime 5x -cpuprofile cpu.prof
func BenchmarkMatch(b *testing.B) {
	for game, games := range map[string]int{
		"resilience-earth:players=2": 4000, "one-earth:players=3": 6000, "earth-rising:players=2": 1000, "new-earth:players=2": 400, "earthmans-burden:players=2": 400,
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", game, workers), func(b *testing.B) {
				g, field := opened(b, game, "script:greedy")
				o := Options{Games: games, Seed: 1, Workers: workers, Thinking: &Thinking{}}
				played := 0
				for b.Loop() {
					r, err := Match(context.Background(), g, field, o)
					if err != nil {
						b.Fatal(err)
					}
					played += r.Games
				}
				thought := o.Thinking.Agents()[0].total
				b.ReportMetric(100*thought.Seconds()/(b.Elapsed().Seconds()*float64(workers)), "thinking-%")
				b.ReportMetric(float64(played)/b.Elapsed().Seconds(), "games/s")
			})
		}
	}
}
