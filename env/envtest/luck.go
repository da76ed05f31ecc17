package envtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
)

// checkDeterminism tests that a seed and a list of actions are the game: played twice, and by States
// that have played something else before, it is the same.
func checkDeterminism(s *subject) error {
	for k, p := range s.plays {
		used := s.game.New()
		used.Reset(p.seed+1, nil)
		if other := s.plays[(k+1)%len(s.plays)]; other != p {
			used.Reset(other.seed, nil)
		}
		if acts := env.LegalActions(used); len(acts) > 0 {
			used.Apply(acts[len(acts)-1], nil)
		}
		used.Reset(p.seed, nil)
		err := s.walk(p, nil, func(st env.State, n int) error {
			if !st.Equal(used) {
				return errors.New("the same seed and actions give two different States")
			}
			if n < len(p.actions) {
				used.Apply(p.actions[n], nil)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkChance tests the tape: it changes nothing, all chance passes it, and what it logged can be
// forced with the same outcome.
func checkChance(s *subject) error {
	for _, p := range s.plays {
		if err := s.chance(p); err != nil {
			return err
		}
	}
	return nil
}

func (s *subject) chance(p *play) error {
	var log, force env.Tape
	logged, forced, plain := s.game.New(), s.game.New(), s.game.New()
	logged.Reset(p.seed, &log)
	force.Force(log.Texts()...)
	forced.Reset(p.seed, &force)
	plain.Reset(p.seed, nil)
	luck := make([]env.Stream, len(s.info.Streams))
	env.SeedStreams(luck, s.info.Streams, p.seed)
	for n := 0; ; n++ {
		if err := s.sameChance(plain, logged, forced, &log, &force, luck); err != nil {
			return s.at(p, n, err)
		}
		if n == len(p.actions) {
			return nil
		}
		a := p.actions[n]
		if !slices.Contains(env.LegalActions(plain), a) {
			return s.at(p, n, fmt.Errorf("%q was legal when the game was played first, and is not now", s.info.Actions[a].Text))
		}
		copy(luck, plain.Luck())
		log.Rewind()
		force.Rewind()
		logged.Apply(a, &log)
		force.Force(log.Texts()...)
		forced.Apply(a, &force)
		plain.Apply(a, nil)
	}
}

// sameChance compares the outcomes of one step: without a tape, with one that logs, and with one that
// forces what was logged. Luck is that before the step.
func (s *subject) sameChance(plain, logged, forced env.State, log, force *env.Tape, luck []env.Stream) error {
	events := strings.Join(log.Texts(), "; ")
	switch {
	case log.Err() != nil:
		return fmt.Errorf("a tape without forced outcomes fails: %w", log.Err())
	case !plain.Equal(logged):
		return fmt.Errorf("a logging tape changes the play; it logged: %s", events)
	case force.Err() != nil:
		return fmt.Errorf("the logged chance cannot be forced: %w", force.Err())
	case !slices.Equal(log.Texts(), force.Texts()):
		return fmt.Errorf("the forced chance was [%s], and the tape then logged [%s]", events,
			strings.Join(force.Texts(), "; "))
	case !plain.Equal(forced):
		return fmt.Errorf("forcing the chance as it was gives another State; forced: %s", events)
	case len(log.Texts()) == 0 && !slices.Equal(luck, plain.Luck()):
		return errors.New("chance was drawn past the tape: the streams have moved on, and no event was logged")
	}
	for _, e := range log.Events() {
		if err := soundEvent(e); err != nil {
			return err
		}
	}
	return nil
}

func soundEvent(e env.Event) error {
	switch {
	case e.Name == "" || strings.ContainsAny(e.String(), "\n\r"):
		return fmt.Errorf("event %q: an event is one line of text", e)
	case e.Kind != env.Chance || e.Outcomes == nil:
		return nil
	case strings.Contains(e.Name, " = "):
		return fmt.Errorf("event %q: its name contains \" = \", so it cannot be forced", e)
	}
	seen := map[string]bool{}
	for _, o := range e.Outcomes {
		if seen[o.Text] {
			return fmt.Errorf("event %q: two of its outcomes are written %q", e.Name, o.Text)
		}
		seen[o.Text] = true
	}
	if !seen[e.Outcome] {
		return fmt.Errorf("event %q is none of its outcomes", e)
	}
	return nil
}
