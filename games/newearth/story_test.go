package newearth

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/env/story"
)

// Questions, reasons and sentences say what the rules do: two cards negate State of Independence (NE-050), of cash
// there may be less than must be committed, and NE-011 forbids claims that leave a seat no option, the claimant too.
func TestSaid(t *testing.T) {
	for file, wants := range map[string][]string{
		"w18-independence-negated": {"strikes your D2: do you play Urban Planning and a City card against it?",
			"GREEN plays Housing & Land Use and Urban Planning against State of Independence"},
		"w18-given-up":    {"the total is 0, or at least 5m, and there are 8m; 0 is named so far (NE-050)"},
		"w33-free-set-up": {"claimed, leaves a seat that lacks zones no option (NE-011)"},
	} {
		said := ""
		scenario := "testdata/scenarios/" + file + ".toml"
		envtest.Retell(t, Rulebook(), scenario, func(narrator *story.Narrator, step *env.Step) error {
			for _, s := range narrator.Tell(step, env.Spectator) {
				said += s.Text + "\n"
			}
			if s, ok := step.Before.(*State); ok {
				said += s.Question(s.Actor())
				for a := range env.Action(numActions) {
					said += s.Why(a) + "\n"
				}
			}
			return nil
		})
		for _, want := range wants {
			if !strings.Contains(said, want) {
				t.Errorf("%s: nothing says %q", file, want)
			}
		}
	}
}

// What everybody is told to have been committed is what it has cost, in the same sentence, and a loss after a secret
// "no" is told to all, those who did not see the answer too (NE-045, NE-047).
func TestStoryOfCash(t *testing.T) {
	g := openGame(t, "players=3")
	narrator := must.Have(story.NewNarrator(g))(t)
	rng := env.NewStream(1, "cash")
	commitments, losses := 0, 0
	for seed := range uint64(6) {
		ref := must.Have(referee.New(g, seed))(t)
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
			must.Do(t, ref.Play(a))
		}
	}
	if commitments < 10 || losses == 0 {
		t.Errorf("%d commitments, %d losses", commitments, losses)
	}
}
