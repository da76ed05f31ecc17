package calibrate

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/shipped"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// known is a fitter that has played all matches already, and found that a rung returns so much less than best.
func known(below func(k int) float64) *fitter {
	f := &fitter{leads: map[[2]string]float64{}}
	for a := -1; a < rungs; a++ {
		for b := a; b < rungs; b++ {
			f.leads[[2]string{rung(a), rung(b)}] = below(b) - below(a)
		}
		f.leads[[2]string{rung(a), "script:naive"}] = 1 - below(a)
	}
	return f
}

// The first level is as strong as naive bots are, and the smallest lead as large as it can be.
func TestSpread(t *testing.T) {
	steady := func(k int) float64 { return float64(k+1) / 20 }
	late := func(k int) float64 { return math.Max(0, float64(k-9)/10) }
	for _, tt := range []struct {
		name   string
		below  func(k int) float64
		levels int
		want   []int
	}{
		{"evenly", steady, 4, []int{4, 9, 14, 19}},
		{"three", steady, 3, []int{5, 11, 19}}, // 0.3, 0.3 and what is left
		{"all late", late, 3, []int{12, 15, 19}},
	} {
		f := known(tt.below)
		floor := must.Have(f.floor())(t)
		if floor != 19 {
			t.Fatalf("%s: the floor is rung %d, want 19", tt.name, floor)
		}
		if got, err := f.spread(tt.levels, floor); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
	f := known(func(k int) float64 { return 0 })
	if _, err := f.spread(4, 19); !errors.Is(err, ErrCrowded) {
		t.Errorf("of agents that are all alike: %v", err)
	}
	if _, err := f.spread(4, -1); !errors.Is(err, ErrCrowded) {
		t.Errorf("above naive bots that are better than the network: %v", err)
	}
}

// Search that shows no gain leaves the top to the network.
func TestSearchMustGain(t *testing.T) {
	g := must.Have(games.Open("resilience-earth:players=2"))(t)
	for _, measured := range []string{"random", best} {
		f := &fitter{ctx: t.Context(), game: g, options: Options{Search: "mcts:", Measured: measured, SearchGames: 8,
			Seed: 1}, makers: map[string]*agents.Maker{}}
		if lead, err := f.search(); err != nil || lead != nil {
			t.Errorf("%s: %+v, %v", measured, lead, err)
		}
	}
}

func TestFitErrors(t *testing.T) {
	if _, err := Fit(t.Context(), kuhn.Open(2), Options{Games: 2, Judge: 2}); !errors.Is(err, shipped.ErrNone) {
		t.Errorf("a game without a network: %v", err)
	}
	g := must.Have(games.Open("resilience-earth:players=2"))(t)
	if _, err := Fit(t.Context(), g, Options{Games: 2, Judge: 2, Search: "mtcs:", SearchGames: 2}); err == nil ||
		!strings.Contains(err.Error(), `"mtcs:"`) {
		t.Errorf("an agent that is none: %v", err)
	}
}

func TestCheaper(t *testing.T) {
	for text, want := range map[string]string{
		"mcts:sims=400,net=,workers=2": "mcts:sims=64,net=",
		"mcts:sims=5000,workers=2":     "mcts:sims=64",
		"script:strong":                "script:strong",
		"":                             "",
	} {
		if got := Cheaper(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
