package games_test

import (
	"math"
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// playOut plays a game of legal actions drawn evenly and gives its State and Result.
func playOut(t *testing.T, g env.Game, seed uint64) (env.State, env.Result) {
	t.Helper()
	e := must.Have(env.New(g, env.Options{}))(t)
	e.Reset(seed)
	luck := env.NewStream(seed, "test")
	for e.Actor() != env.Over {
		m := e.Mask()
		must.Do(t, e.Step(m.Nth(luck.Below(m.Count()))))
	}
	return e.State(), env.ResultOf(e.State(), e.Decisions())
}

// What the seats share is lost by the ends that say so and no other, and who has pushed it over is paid for it.
func TestCommons(t *testing.T) {
	for _, test := range []struct {
		game     string
		lost     []string // ends
		kept     []string
		culprits int // at least, of a loss
		pays     bool
	}{
		{"resilience-earth:players=3,tower=limit,tower_limit=2", []string{"collapse"}, []string{"time"}, 1, true},
		{"resilience-earth:players=3,tower=limit,tower_limit=32", nil, []string{"time"}, 0, false},
		{"one-earth:players=3,mode=standard", []string{"ruin", "critical"}, []string{"target", "deck", "rounds"}, 1, false},
		{"one-earth:players=4,mode=advanced", []string{"ruin", "critical"}, []string{"final", "rounds"}, 1, false},
		{"earth-rising:players=2", []string{"collapse"}, []string{"calendar", "win"}, 0, false},
		{"earthmans-burden:players=3,skynet=on", []string{"skynet"}, []string{"points", "alone", "claim", "peace", "limit"},
			1, true},
	} {
		g := must.Have(games.All().Open(test.game))(t)
		seen := map[bool]int{}
		for seed := range uint64(60) {
			s, r := playOut(t, g, seed)
			seen[r.Lost]++
			want := test.kept
			if r.Lost {
				want = test.lost
			}
			// An Earth whose Projects have run out may be lost or not.
			if depends := r.Reason == "deck" || r.Reason == "rounds"; !slices.Contains(want, r.Reason) && !depends {
				t.Errorf("%s, seed %d: lost is %t by %q", test.game, seed, r.Lost, r.Reason)
			}
			if r.Lost && r.Culprits.Count() < test.culprits {
				t.Errorf("%s, seed %d: lost by %v", test.game, seed, r.Culprits.List())
			}
			for _, p := range r.Culprits.List() {
				if test.pays && r.Returns[p] != -1 {
					t.Errorf("%s, seed %d: seat %d has pushed it over for a return of %v", test.game, seed, p, r.Returns[p])
				}
			}
			if i := slices.IndexFunc(g.Info().Measures, func(m env.Measure) bool { return m.Name == "collapse" }); i >= 0 &&
				(r.Measures[i] == 1) != r.Lost {
				t.Errorf("%s, seed %d: lost is %t with measures %v", test.game, seed, r.Lost, r.Measures)
			}
			if x := s.(env.Commons).Depletion(); !r.Lost && x >= 1 && g.Info().Name == "resilience-earth" {
				t.Errorf("%s, seed %d: depletion %v of a tower that stands", test.game, seed, x)
			}
		}
		if test.lost != nil && seen[true] == 0 && g.Info().Name != "earth-rising" && g.Info().Name != "earthmans-burden" {
			t.Errorf("%s was never lost", test.game)
		}
		if test.lost == nil && seen[false] == 0 {
			t.Errorf("%s was always lost", test.game)
		}
	}
}

// The welfare that a game measures is the mean of what its seats have.
func TestWelfare(t *testing.T) {
	for _, game := range []string{"resilience-earth:players=4", "one-earth:players=3,mode=standard"} {
		g := must.Have(games.All().Open(game))(t)
		for seed := range uint64(10) {
			_, r := playOut(t, g, seed)
			mean := 0.0
			for _, score := range r.Scores {
				mean += score / float64(len(r.Scores))
			}
			if r.Reason != "collapse" && math.Abs(mean-r.Measures[0]) > 1e-9 {
				t.Errorf("%s, seed %d: welfare %v with scores %v", game, seed, r.Measures[0], r.Scores)
			}
		}
	}
}
