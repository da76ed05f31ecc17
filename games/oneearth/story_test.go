package oneearth_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/env/story"
	"earthgym/games/oneearth"
)

// A promise made with a request for aid is about the turn that is running (OE-282), any other about the next one.
func TestStoryOfPromises(t *testing.T) {
	g := open(t, "one-earth:players=3,mode=advanced,max_rounds=8")
	narrator := must.Have(story.NewNarrator(g))(t)
	heard := map[string]int{}
	rng := env.NewStream(1, "promises")
	for seed := range uint64(60) {
		ref := must.Have(referee.New(g, seed))(t)
		ref.Follow(func(step *env.Step) {
			if step.Before == nil {
				return
			}
			s := step.Before.(*oneearth.State)
			text := env.ActionText(s, step.Action)
			if text != "say policy" && text != "say clean" {
				return
			}
			turn := "in my next turn"
			if s.Decision == oneearth.AtAskSay {
				turn = "in this turn"
			}
			if told := narrator.Tell(step, env.Spectator)[0].Text; !strings.Contains(told, turn) {
				t.Fatalf("at %s, %q is told as %q, want %q", s.Decision, text, told, turn)
			}
			if what, _ := s.About(step.Action); !strings.Contains(what, turn) {
				t.Fatalf("at %s, %q is offered as %q, want %q", s.Decision, text, what, turn)
			}
			heard[turn]++
		})
		for ref.Actor() != env.Over {
			a := ref.Mask().Nth(rng.Below(ref.Mask().Count()))
			if ref.State().(*oneearth.State).Decision == oneearth.AtTurn && rng.Below(2) == 0 {
				a = ref.Mask().Nth(ref.Mask().Count() - 1) // Requests come last.
			}
			must.Do(t, ref.Play(a))
		}
		if heard["in this turn"] > 10 && heard["in my next turn"] > 10 {
			return
		}
	}
	t.Errorf("too few promises: %v", heard)
}

// Alone, the end tells what one's own points are held against (OE-253).
func TestStoryOfTheGeneral(t *testing.T) {
	const want = "The NPC has 30 Victory Points at the end"
	told := ""
	envtest.Retell(t, oneearth.Rulebook(), "testdata/scenarios/solo-npc-wins.toml",
		func(n *story.Narrator, step *env.Step) error {
			for _, s := range n.Tell(step, 0) {
				told += s.Text + "\n"
			}
			return nil
		})
	if !strings.Contains(told, want) {
		t.Errorf("the end is told without %q:\n%s", want, told)
	}
}
