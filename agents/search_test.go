package agents

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// A search that explains itself plays on as if nobody had asked, and says what it would play at once.
func TestSearchExplains(t *testing.T) {
	g := kuhn.Open(3)
	play := func(ask bool) (played []env.Action) {
		m := must.Have(Open("mcts:sims=40", g))(t)
		a := must.Have(m.New())(t)
		s := g.New()
		for seed := range uint64(20) {
			s.Reset(seed, nil)
			a.Reset(seed)
			for first := true; s.Actor() != env.Over; first = false {
				v := env.ViewOf(s)
				var choice env.Action = -1
				if ask {
					e, err := Compare(a.(Explainer), v, v.Mask().Nth(0))
					if err != nil || len(e.Leads) != len(e.Visits) || len(e.Errors) != len(e.Visits) {
						t.Fatal(e, err)
					}
					if e, err = a.(Explainer).Explain(v); err != nil {
						t.Fatal(err)
					}
					for x, p := range e.Probabilities {
						if p == 1 {
							choice = env.Action(x)
						}
					}
				}
				x := must.Have(a.Act(v))(t)
				if ask && first && x != choice {
					t.Errorf("seed %d: explains %d and plays %d", seed, choice, x)
				}
				played = append(played, x)
				s.Apply(x, nil)
			}
		}
		return played
	}
	quiet, asked := play(false), play(true)
	if len(quiet) != len(asked) {
		t.Fatalf("%d decisions, %d when asked", len(quiet), len(asked))
	}
	for i := range quiet {
		if quiet[i] != asked[i] {
			t.Fatalf("decision %d: plays %d, and %d when asked", i, quiet[i], asked[i])
		}
	}
}
