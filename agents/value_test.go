package agents_test

import (
	"math"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Values of positions come in the order in which they were added, each as if it had been asked for alone; where what
// one seat wins others lose they add up to nothing.
func TestValues(t *testing.T) {
	g := must.Have(games.Open("resilience-earth:players=3"))(t)
	for _, text := range []string{"net:", "potential"} {
		value := must.Have(agents.OpenValue(text, g))(t)
		together, alone := value.New(), value.New()
		var want []float64
		var states []env.State
		for seed := range uint64(3) {
			s := g.New()
			s.Reset(seed, nil)
			s.Apply(env.ViewOf(s).Mask().Nth(0), nil)
			states = append(states, s)
		}
		for range 2 {
			want = want[:0]
			for _, s := range states {
				together.Add(s)
				alone.Add(s)
				values, err := alone.Values()
				if err != nil || len(values) != 3 {
					t.Fatalf("%s: %v, %v", text, values, err)
				}
				want = append(want, values...)
			}
			got, err := together.Values()
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s: %v, %v; want %v", text, got, err, want)
			}
			for i := range got {
				if got[i] != want[i] || math.Abs(got[i]) > 2 {
					t.Errorf("%s: value %d is %v, alone it is %v", text, i, got[i], want[i])
				}
			}
			if sum := want[0] + want[1] + want[2]; text == "net:" && g.Info().Has(env.Competitive) && math.Abs(sum) > 1e-9 {
				t.Errorf("%s: the values of the seats add up to %v", text, sum)
			}
		}
	}
	for text, want := range map[string]string{
		"nets:":         `unknown value "nets:": did you mean "net:"?`,
		"net:/nowhere/": "nowhere",
	} {
		if _, err := agents.OpenValue(text, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}
