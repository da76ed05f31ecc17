//go:build unix

package mcts

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// BenchmarkSearch searches decisions on the way of a game at its default options, 200 simulations each, and prints
//
//	sims/s, decisions/s  roll-outs of one worker
//	of-bench             its decisions in units of random play with a mask and an observation each, as
//	                     earthgym bench counts them
//	of-play              the same in units of random play with a mask alone, which is all that roll-outs need
//	two-workers          how many times as fast two workers are, on an idle machine
//
// all taken in turns, and all but the last by CPU time, so that little depends on what else runs.
func BenchmarkSearch(b *testing.B) {
	for _, rb := range games.All() {
		for _, rollout := range []string{"random", "script:greedy", "script:strong"} {
			b.Run(rb.Name+"/"+rollout, func(b *testing.B) {
				benchSearch(b, rb.Name, "sims=200,mode=flat,rollout="+rollout)
			})
		}
	}
}

// BenchmarkNet searches with the networks that come with the program, 64 simulations a decision.
func BenchmarkNet(b *testing.B) {
	for _, name := range shipped.Games() {
		for _, mode := range []string{"flat", "tree"} {
			if mode == "flat" && name == "earthmans-burden" {
				continue // seconds a decision
			}
			b.Run(name+"/"+mode, func(b *testing.B) { benchSearch(b, name, "sims=64,net=,mode="+mode) })
		}
	}
}

// benchSearch searches decisions of a game that plays on at random from one to the next, with one worker and with two.
func benchSearch(b *testing.B, game, options string) {
	g := must.Have(games.Open(game))(b)
	var searches [2]*Search
	for i := range searches {
		create := must.Have(openText(fmt.Sprintf("%s,workers=%d", options, i+1), g))(b)
		searches[i] = create()
		searches[i].Reset(1)
	}
	at, random := newWalk(g), newWalk(g)
	search := func(i int) *Result {
		return must.Have(searches[i].Search(context.Background(), env.ViewOf(at.state)))(b)
	}
	for i := range searches {
		search(i)
	}
	var took [2]time.Duration // by workers
	var busy time.Duration    // CPU time of the first
	var walked [2]time.Duration
	simulations, decisions, steps := 0, 0, 0
	for b.Loop() {
		at.play(5, false)
		for i := range searches {
			begin, before := time.Now(), cpuTime(b)
			r := search(i)
			took[i] += time.Since(begin)
			if i == 0 {
				busy += cpuTime(b) - before
				simulations, decisions = simulations+r.Simulations, decisions+r.Decisions
			}
		}
		const n = 2000
		for i, observed := range []bool{false, true} {
			before := cpuTime(b)
			random.play(n, observed)
			walked[i] += cpuTime(b) - before
		}
		steps += n
	}
	rate := float64(decisions) / busy.Seconds()
	b.ReportMetric(0, "ns/op") // of four things together
	b.ReportMetric(float64(simulations)/busy.Seconds(), "sims/s")
	b.ReportMetric(rate, "decisions/s")
	b.ReportMetric(rate/(float64(steps)/walked[0].Seconds()), "of-play")
	b.ReportMetric(rate/(float64(steps)/walked[1].Seconds()), "of-bench")
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "two-workers")
}

// cpuTime is what the process has used so far.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A walk plays games at random, one after the other.
type walk struct {
	state       env.State
	mask        env.Mask
	observation []float32
	luck        env.Stream
}

func newWalk(g env.Game) *walk {
	w := &walk{g.New(), make(env.Mask, g.Info().MaskWords()), make([]float32, g.Info().Observation()),
		env.NewStream(1, "bench")}
	w.state.Reset(w.luck.Uint64(), nil)
	return w
}

func (w *walk) play(decisions int, observed bool) {
	for range decisions {
		w.state.Legal(w.mask)
		if observed {
			w.state.Observe(w.observation, w.state.Actor())
		}
		w.state.Apply(w.mask.Nth(w.luck.Below(w.mask.Count())), nil)
		if w.state.Actor() == env.Over {
			w.state.Reset(w.luck.Uint64(), nil)
		}
	}
}
