package envtest

import (
	"fmt"
	"slices"

	"earthgym/env"
)

// checkEffects tests at every decision that the numbers in the words about actions are those that come about.
func checkEffects(s *subject) error {
	e := effects{before: s.game.New(), after: s.game.New()}
	for _, p := range s.plays {
		err := s.walk(p, nil, func(st env.State, n int) error {
			return e.hold(st, uint64(n))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Effects tests that the numbers in the words about the legal actions of a State are those that come about if they are
// played, in the State and in another that its actor can't tell from it, with other luck.
func Effects(st env.State, key uint64) error {
	e := effects{before: st.Game().New(), after: st.Game().New()}
	return e.hold(st, key)
}

// effects are States to try actions in.
type effects struct {
	before, after env.State
	tape          env.Tape
}

func (e *effects) hold(st env.State, key uint64) error {
	asker, ok := st.(env.Asker)
	if !ok || st.Actor() == env.Over {
		return nil
	}
	e.before.CopyFrom(st)
	e.before.Redeal(st.Actor(), key)
	for _, a := range env.LegalActions(st) {
		said, again := asker.Effects(a), e.before.(env.Asker).Effects(a)
		if said != nil && again != nil && !slices.Equal(said, again) {
			return fmt.Errorf("%q is said to bring %v, and in a redealt State %v", env.ActionText(st, a), said, again)
		}
		if err := e.try(st, a, said); err != nil {
			return err
		}
		if err := e.try(e.before, a, again); err != nil {
			return err
		}
	}
	return nil
}

// try plays an action on a copy and compares what the counters do with what is said of them.
func (e *effects) try(before env.State, a env.Action, said []env.Effect) error {
	if said == nil {
		return nil
	}
	e.after.CopyFrom(before)
	e.tape.Rewind()
	e.after.Apply(a, &e.tape)
	between := len(e.tape.Events()) > 0 || e.after.Actor() == env.Over
	was, is := before.(env.Asker).Counters(), e.after.(env.Asker).Counters()
	for _, effect := range said {
		counts := func(c env.Counter) bool { return c.Player == effect.Player && c.What == effect.What }
		i := slices.IndexFunc(was, counts)
		if i < 0 || i >= len(is) || !counts(is[i]) {
			return fmt.Errorf("there is no counter %q of player %d, of which %q is said to bring %+d",
				effect.What, effect.Player, env.ActionText(before, a), effect.By)
		}
		by := is[i].Value - was[i].Value
		switch {
		case by == effect.By, effect.UpTo && min(0, effect.By) <= by && by <= max(0, effect.By):
		case effect.Unless && between:
		default:
			return fmt.Errorf("%q (%s) is said to change %s of player %d by %+d, and changes it by %+d",
				env.ActionText(before, a), about(before, a), effect.What, effect.Player, effect.By, by)
		}
	}
	return nil
}
