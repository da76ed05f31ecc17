package resilience_test

import (
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games/resilience"
)

func BenchmarkRandomPlay(b *testing.B) {
	envtest.BenchmarkPlay(b, resilience.Rulebook(), "players=2", "players=3", "players=4")
}

// BenchmarkVec plays random actions through a Vec, which shall do 1.7 times the play of the State alone
// on two cores. An operation is one decision.
func BenchmarkVec(b *testing.B) {
	g := must.Have(resilience.Rulebook().Open("", datafile.File{}))(b)
	for _, lanes := range []int{128, 256, 1024} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("lanes=%d/workers=%d", lanes, workers), func(b *testing.B) {
				v, err := env.NewVec(g, env.VecOptions{Lanes: lanes, Seed: 1, Autoreset: env.SameStep, Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				defer v.Close()
				actions := make([]env.Action, lanes)
				luck := make([]env.Stream, lanes)
				for lane := range luck {
					luck[lane] = env.NewStream(uint64(lane), "picks")
				}
				pick := func(lane int) {
					m := v.Mask(lane)
					actions[lane] = m.Nth(luck[lane].Below(m.Count()))
				}
				b.ReportAllocs()
				for played := 0; played < b.N; played += lanes {
					v.Each(pick)
					must.Do(b, v.Step(actions))
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
			})
		}
	}
}
