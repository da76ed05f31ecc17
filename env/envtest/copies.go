package envtest

import (
	"errors"
	"fmt"

	"earthgym/env"
)

// A kept State is a copy, with what it held when it was made in a form that shares nothing with it.
type kept struct {
	n     int // decision
	state env.State
	whole string
}

// checkCopies tests that a copy is the State as it was, whatever becomes of the State that it was
// made from, and of copies of the copy.
func checkCopies(s *subject) error {
	for _, p := range s.plays {
		var old []kept
		err := s.walk(p, nil, func(st env.State, n int) error {
			if !looksAt(p, n) {
				return nil
			}
			c := copyOf(st)
			if !c.Equal(st) || !st.Equal(c) || !c.EqualPosition(st) {
				return errors.New("a new State that CopyFrom has made does not equal its source")
			}
			old = append(old, kept{n, c, snapshot(st)})
			return nil
		})
		if err != nil {
			return err
		}
		// The copies play on as well, and differently.
		for _, k := range old {
			if err := s.playOn(copyOf(k.state), p.seed^uint64(k.n), 60); err != nil {
				return s.at(p, k.n, fmt.Errorf("a copy plays on: %w", err))
			}
		}
		// Another game of the same actions knows nothing of the copies.
		err = s.walk(p, nil, func(st env.State, n int) error {
			if len(old) == 0 || old[0].n != n {
				return nil
			}
			k := old[0]
			old = old[1:]
			if snapshot(k.state) != k.whole || !k.state.Equal(st) {
				return fmt.Errorf("a copy made here has changed since:\n\tthen %s\n\tnow  %s", k.whole, snapshot(k.state))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// playOn plays up to limit random decisions with all invariants.
func (s *subject) playOn(st env.State, seed uint64, limit int) error {
	pick := newPicker(s.info, s.config.Weights, seed)
	mask := make(env.Mask, s.info.MaskWords())
	for n := 0; ; n++ {
		if err := s.sound(st, mask); err != nil {
			return fmt.Errorf("%d decisions later: %w", n, err)
		}
		if st.Actor() == env.Over || n == limit {
			return nil
		}
		st.Apply(pick.action(mask), nil)
	}
}

// checkEqual tests that Equal and EqualPosition tell States apart exactly if they hold different
// things: neighbours in a game, alternatives, and States that differ in their luck alone.
func checkEqual(s *subject) error {
	return s.look(func(st env.State, _ *play, n int) error {
		states := []env.State{st}
		add := func(change func(c env.State)) {
			c := copyOf(st)
			change(c)
			states = append(states, c)
		}
		add(func(env.State) {})
		add(func(c env.State) { env.RedealStreams(c.Luck(), s.info.Streams, uint64(n)) })
		add(func(c env.State) { c.Redeal(0, uint64(n)) })
		acts := env.LegalActions(st)
		for _, a := range acts[:min(3, len(acts))] {
			add(func(c env.State) { c.Apply(a, nil) })
		}
		written := make([]written, len(states))
		for i, c := range states {
			written[i].position, written[i].whole = string(c.AppendPosition(nil)), snapshot(c)
		}
		for i, a := range states {
			for j, b := range states {
				if err := sameAnswer(a, b, written[i], written[j]); err != nil {
					return fmt.Errorf("%w (alternatives %d and %d)", err, i, j)
				}
			}
		}
		for _, c := range states[4:] {
			if c.Equal(st) {
				return errors.New("a decision has left the State as it was: it could be repeated for ever")
			}
		}
		return nil
	})
}

// written is a State as text, without and with its luck.
type written struct{ position, whole string }

// sameAnswer compares what two States say of each other with what they hold.
func sameAnswer(a, b env.State, x, y written) error {
	samePosition, same := x.position == y.position, x.whole == y.whole
	switch {
	case a.EqualPosition(b) != samePosition:
		return fmt.Errorf("by EqualPosition it is %v, the written positions say %v:\n\t%s\n\t%s", !samePosition, samePosition,
			x.position, y.position)
	case a.Equal(b) != same:
		return fmt.Errorf("by Equal it is %v, the snapshots say %v:\n\t%s\n\t%s", !same, same, x.whole, y.whole)
	}
	return nil
}
