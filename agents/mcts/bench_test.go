package mcts

import (
	"context"
	"fmt"
	"testing"

	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/games"
)

// BenchmarkSearch searches decisions on the way of a game at its default options, 200 simulations each. sims/s and
// decisions/s are of the roll-outs; compare the latter with BenchmarkPlay, which only plays.
func BenchmarkSearch(b *testing.B) {
	for _, rb := range games.All() {
		for _, rollout := range []string{"random", "script:greedy", "script:strong"} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/%s/workers=%d", rb.Name, rollout, workers), func(b *testing.B) {
					g, err := games.Open(rb.Name)
					if err != nil {
						b.Fatal(err)
					}
					create, _, err := Open(fmt.Sprintf("sims=200,mode=flat,rollout=%s,workers=%d", rollout, workers), g)
					if err != nil {
						b.Fatal(err)
					}
					benchSearch(b, create(), g)
				})
			}
		}
	}
}

// BenchmarkNet searches with the networks that come with the program, 64 simulations a decision.
func BenchmarkNet(b *testing.B) {
	for _, name := range shipped.Games() {
		for _, mode := range []string{"flat", "tree"} {
			for _, workers := range []int{1, 2} {
				if mode == "flat" && name == "earthmans-burden" {
					continue // seconds a decision
				}
				b.Run(fmt.Sprintf("%s/%s/workers=%d", name, mode, workers), func(b *testing.B) {
					g, err := games.Open(name)
					if err != nil {
						b.Fatal(err)
					}
					create, _, err := Open(fmt.Sprintf("sims=64,net=,mode=%s,workers=%d", mode, workers), g)
					if err != nil {
						b.Fatal(err)
					}
					benchSearch(b, create(), g)
				})
			}
		}
	}
}

// benchSearch searches the decisions of a game that plays on at random from one to the next.
func benchSearch(b *testing.B, s *Search, g env.Game) {
	state, luck := g.New(), env.NewStream(1, "bench")
	mask := make(env.Mask, g.Info().MaskWords())
	state.Reset(luck.Uint64(), nil)
	s.Reset(1)
	search := func() *Result {
		r, err := s.Search(context.Background(), env.ViewOf(state))
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	search()
	b.ReportAllocs()
	simulations, decisions := 0, 0
	for b.Loop() {
		for range 5 {
			state.Legal(mask)
			state.Apply(mask.Nth(luck.Below(mask.Count())), nil)
			if state.Actor() == env.Over {
				state.Reset(luck.Uint64(), nil)
			}
		}
		r := search()
		simulations += r.Simulations
		decisions += r.Decisions
	}
	b.ReportMetric(float64(simulations)/b.Elapsed().Seconds(), "sims/s")
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
}

// BenchmarkPlay plays games at random, with a mask and no observation a decision: what roll-outs could do at best.
func BenchmarkPlay(b *testing.B) {
	for _, rb := range games.All() {
		b.Run(rb.Name, func(b *testing.B) {
			g, err := games.Open(rb.Name)
			if err != nil {
				b.Fatal(err)
			}
			state, luck := g.New(), env.NewStream(1, "bench")
			mask := make(env.Mask, g.Info().MaskWords())
			state.Reset(1, nil)
			b.ReportAllocs()
			decisions := 0
			for b.Loop() {
				for range 1000 {
					state.Legal(mask)
					state.Apply(mask.Nth(luck.Below(mask.Count())), nil)
					if state.Actor() == env.Over {
						state.Reset(luck.Uint64(), nil)
					}
				}
				decisions += 1000
			}
			b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
