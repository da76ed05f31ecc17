package newearth

import (
	"testing"

	"earthgym/env"
	"earthgym/env/referee"
	"earthgym/env/story"
)

// What everybody is told to have been committed is what it has cost, in the same sentence, and a loss after a secret
// "no" is told to all, those who did not see the answer too (NE-045, NE-047).
func TestStoryOfCash(t *testing.T) {
	g := openGame(t, "players=3")
	narrator, err := story.NewNarrator(g)
	if err != nil {
		t.Fatal(err)
	}
	rng := env.NewStream(1, "cash")
	commitments, losses := 0, 0
	for seed := range uint64(6) {
		ref, err := referee.New(g, seed)
		if err != nil {
			t.Fatal(err)
		}
		ref.Follow(func(step *env.Step) {
			for _, s := range narrator.Tell(step, env.Spectator) {
				switch s.Key {
				case "commits", "defends", "returns":
					paid := 0
					for _, c := range s.Changes {
						if c.What != "cash" || c.Player != s.Player {
							t.Fatalf("%q is told with %v", s.Text, s.Changes)
						}
						paid -= c.By
					}
					if n := s.Args["amount"].(int); paid != n {
						t.Fatalf("%q is told with %v", s.Text, s.Changes)
					}
					commitments++
				case "stock-loss", "disorder":
					losses++
				}
			}
		})
		for ref.Actor() != env.Over {
			a := ref.Mask().Nth(rng.Below(ref.Mask().Count()))
			if ref.State().(*State).decision == AtNegate {
				a = No
			}
			if err := ref.Play(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	if commitments < 10 || losses == 0 {
		t.Errorf("%d commitments, %d losses", commitments, losses)
	}
}
