package resilience

import (
	"math/rand/v2"
	"testing"

	"earthgym/env"
)

// open opens a game that must be there.
func mustOpen(t testing.TB, options string) *Game {
	t.Helper()
	g, err := Rulebook().Open(options, env.DataFile{})
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}

// weights of the families in playouts: drawn evenly, games hardly build (RULES.md 12).
var weights = map[string]float64{
	"city": 8, "industry": 8, "settle": 5, "done": 2, "yes": 1, "no": 1, "amount": 1,
	"sabbatical": 0.5, "offer": 0.5, "say": 0.5, "dismantle": 0.4,
}

func pickWeighted(rng *rand.Rand, info *env.Info, m env.Mask) env.Action {
	by := map[string][]env.Action{}
	var order []string
	total := 0.0
	for _, a := range m.Append(nil) {
		f := info.Actions[a].Family
		if by[f] == nil {
			order = append(order, f)
			total += weights[f]
		}
		by[f] = append(by[f], a)
	}
	r := rng.Float64() * total
	for _, f := range order {
		if r -= weights[f]; r < 0 {
			return by[f][rng.IntN(len(by[f]))]
		}
	}
	last := by[order[len(order)-1]]
	return last[rng.IntN(len(last))]
}

func TestFigures(t *testing.T) {
	for _, players := range []string{"2", "3", "4"} {
		for _, weighted := range []bool{false, true} {
			g := mustOpen(t, "players="+players)
			s := g.New().(*State)
			m := make(env.Mask, g.info.MaskWords())
			rng := rand.New(rand.NewPCG(1, 2))
			decisions, tower, rounds := 0, 0, 0
			const games = 750
			obs := make([]float32, g.info.Observation())
			for seed := range uint64(games) {
				s.Reset(seed, nil)
				for s.Actor() != env.Over {
					s.Legal(m)
					if err := s.Check(); err != nil {
						t.Fatal(err)
					}
					s.Observe(obs, s.Actor())
					a := m.Nth(rng.IntN(m.Count()))
					if weighted {
						a = pickWeighted(rng, g.info, m)
					}
					s.Apply(a, nil)
					decisions++
				}
				if s.ending != Time {
					tower++
				}
				rounds += s.Round()
			}
			t.Logf("%s players, weighted %v: %.1f decisions, %.1f rounds, %.1f %% ended by the tower; bound %d", players, weighted,
				float64(decisions)/games, float64(rounds)/games, 100*float64(tower)/games, g.info.MaxDecisions)
		}
	}
}
