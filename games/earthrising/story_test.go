package earthrising

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/env/story"
)

// Those who don't see which cards are drawn are told how many, and by whom: by the one whose turn it is as they are
// drawn, even if the turn ends with them, or begins.
func TestStoryOfDraws(t *testing.T) {
	g := openGame(t, "players=3,hands=closed")
	narrator := must.Have(story.NewNarrator(g))(t)
	rng := env.NewStream(1, "draws")
	drawn, ended := 0, 0
	for seed := range uint64(8) {
		ref := must.Have(referee.New(g, seed))(t)
		ref.Follow(func(step *env.Step) {
			if step.Before == nil {
				return
			}
			var of []env.Seats // to whom each drawn card is shown
			for _, e := range step.Events {
				if strings.HasPrefix(e.String(), "draw ") {
					of = append(of, e.To)
				}
			}
			before, after := step.Before.(*State), step.After.(*State)
			for _, s := range narrator.Tell(step, env.Spectator) {
				if s.Key != "draws-some" {
					continue
				}
				k := s.Args["character"].(story.Name)
				seat := env.Player(after.seat[characterNamed(k.ID)])
				for range s.Args["n"].(int) {
					if len(of) == 0 || of[0] != env.Only(s.Player) || seat != s.Player {
						t.Fatalf("%q, but the cards are shown to %v", s.Text, of)
					}
					of = of[1:]
				}
				drawn++
				if before.turn != after.turn && k.ID == characterIDs[before.active] {
					ended++
				}
			}
			if len(of) > 0 {
				t.Fatalf("%d cards that were drawn are not told of", len(of))
			}
		})
		for ref.Actor() != env.Over {
			a := ref.Mask().Nth(rng.Below(ref.Mask().Count()))
			if ref.Mask().Has(draw) {
				a = draw
			}
			must.Do(t, ref.Play(a))
		}
	}
	if drawn < 50 || ended == 0 {
		t.Errorf("%d drawings, of which %d ended the turn", drawn, ended)
	}
}

func characterNamed(id string) Character {
	for k, name := range characterIDs {
		if name == id {
			return Character(k)
		}
	}
	return -1
}

// Strain Phase 1 only strains, and what a character cleans up before it stands with the clean-up alone.
func TestStoryOfStrain(t *testing.T) {
	g := openGame(t, "players=3")
	narrator := must.Have(story.NewNarrator(g))(t)
	rng := env.NewStream(1, "strain")
	cleaned := 0
	ref := must.Have(referee.New(g, 8803))(t)
	ref.Follow(func(step *env.Step) {
		if step.Before == nil {
			return
		}
		people := int(step.Before.(*State).meepleStrain())
		for _, s := range narrator.Tell(step, env.Spectator) {
			sum := 0
			for _, c := range s.Changes {
				sum += c.By
			}
			switch s.Key {
			case "clean":
				if n := s.Args["n"].(int); sum != -n {
					t.Fatalf("%q is told with %+d", s.Text, sum)
				}
				cleaned++
			case "strain-people":
				if sum != people {
					t.Fatalf("%q is told with %+d, and it is %d", s.Text, sum, people)
				}
			}
		}
	})
	for ref.Actor() != env.Over && ref.State().(*State).collapses == 0 {
		a := ref.Mask().Nth(rng.Below(ref.Mask().Count()))
		must.Do(t, ref.Play(a))
	}
	if cleaned < 5 {
		t.Errorf("only %d clean-ups", cleaned)
	}
}
