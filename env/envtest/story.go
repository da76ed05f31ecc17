package envtest

import (
	"fmt"

	"earthgym/env"
)

// checkStory tests that every event of a game that tells its story has a sentence, for every viewer, and that no
// sentence depends on what its viewer can't know. Steps that a viewer is told as one (env.Onlooker) are tested as
// that, too.
func checkStory(s *subject) error {
	if _, ok := s.game.(env.Storied); !ok {
		return nil
	}
	narrator, err := env.NewNarrator(s.game, nil)
	if err != nil {
		return err
	}
	for _, p := range s.plays {
		var tape env.Tape
		before := s.game.New()
		step := env.Step{}
		onlookers := map[env.Player]*env.Onlooker{}
		for viewer := env.Spectator; viewer < env.Player(s.info.Players); viewer++ {
			onlookers[viewer] = env.NewOnlooker(viewer)
		}
		err := s.walk(p, &tape, func(st env.State, n int) error {
			step.After, step.Events = st, tape.Events()
			for viewer := env.Spectator; viewer < env.Player(s.info.Players); viewer++ {
				if whole, _ := onlookers[viewer].Hear(&step); viewer != env.Over && whole != nil && whole != &step {
					if err := narrator.Check(whole, viewer, uint64(n)); err != nil {
						return fmt.Errorf("the story of all that happened while somebody was asked in secret: %w", err)
					}
				}
				switch {
				case viewer == env.Over:
				case looksAt(p, n):
					if err := narrator.Check(&step, viewer, uint64(n), uint64(n)+1<<32); err != nil {
						return fmt.Errorf("the story of the step: %w", err)
					}
				case viewer == env.Spectator || step.Before != nil && viewer == step.Before.Actor():
					narrator.Tell(&step, viewer)
				}
			}
			if err := narrator.Err(); err != nil {
				return fmt.Errorf("the story of the step: %w", err)
			}
			if n < len(p.actions) {
				before.CopyFrom(st)
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
