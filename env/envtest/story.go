package envtest

import (
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/env/scenario"
	"earthgym/env/story"
)

// checkStory tests that every event of a game that tells its story has a sentence, for every viewer, that no sentence
// depends on what its viewer can't know, and that the numbers told add up beside the sentences of what changed them.
// Steps that a viewer is told as one (env.Onlooker) are tested as that, too.
func checkStory(s *subject) error {
	if _, ok := s.game.(story.Storied); !ok {
		return nil
	}
	narrator, err := story.NewNarrator(s.game)
	if err != nil {
		return err
	}
	for _, p := range s.plays {
		var tape env.Tape
		before := s.game.New()
		step := env.Step{}
		viewers := s.viewers()
		var onlookers []*env.Onlooker
		for _, viewer := range viewers {
			onlookers = append(onlookers, env.NewOnlooker(viewer))
		}
		err := s.walk(p, &tape, func(st env.State, n int) error {
			step.After, step.Events = st, tape.Marked()
			for i, viewer := range viewers {
				if whole, _ := onlookers[i].Hear(&step); whole != nil && whole != &step {
					if err := narrator.Check(whole, viewer, uint64(n)); err != nil {
						return fmt.Errorf("the story of all that happened while somebody was asked in secret: %w", err)
					}
				}
				var keys []uint64
				switch acted := step.Before != nil && viewer == step.Before.Actor(); {
				case looksAt(p, n):
					keys = []uint64{uint64(n), uint64(n) + 1<<32}
				case !acted && i != n%len(viewers): // one after another of those who look on
					continue
				}
				if err := narrator.Check(&step, viewer, keys...); err != nil {
					return fmt.Errorf("the story of the step: %w", err)
				}
			}
			if n < len(p.actions) {
				before.CopyFrom(st)
				tape.Count(st)
				step.Before, step.Action = before, p.actions[n]
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Retell follows a scenario file, and gives each step with who tells its game.
func Retell(t testing.TB, rb *registry.Rulebook, file string, each func(n *story.Narrator, step *env.Step) error) {
	t.Helper()
	sc := must.Have(scenario.Read(file))(t)
	var narrator *story.Narrator
	must.Do(t, sc.Follow(func(game string, data []datafile.File) (env.Game, error) {
		g, err := registry.Registry{rb}.Open(game, data...)
		if err == nil {
			narrator, err = story.NewNarrator(g)
		}
		return g, err
	}, func(step *env.Step) error { return each(narrator, step) }))
}
