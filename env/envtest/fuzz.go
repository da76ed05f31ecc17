package envtest

import (
	"errors"
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// Fuzz plays any bytes as a game: the first chooses the variant, the second the seed, and each other
// one a legal action. The invariants hold after every action, and copies and written positions are
// those of the State.
func Fuzz(f *testing.F, rb *registry.Rulebook) {
	f.Helper()
	subjects := fuzzSubjects(f, rb)
	for i := range subjects {
		rng := env.NewStream(uint64(i), "fuzz")
		for _, n := range []int{4, 60, 600} {
			b := []byte{byte(i), byte(n)}
			for range n {
				b = append(b, byte(rng.Below(256)))
			}
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 2 {
			return
		}
		s := subjects[int(b[0])%len(subjects)]
		if err := s.playBytes(uint64(b[1]), b[2:]); err != nil {
			t.Errorf("%s, seed %d: %v", s.info.Text, b[1], err)
		}
	})
}

func fuzzSubjects(tb testing.TB, rb *registry.Rulebook) []*subject {
	tb.Helper()
	var subjects []*subject
	for _, text := range rb.Variants {
		g := must.Have(registry.Registry{rb}.Open(text))(tb)
		subjects = append(subjects, &subject{rb: rb, game: g, info: g.Info()})
	}
	return subjects
}

// playBytes plays a legal action for each byte, until the game is over.
func (s *subject) playBytes(seed uint64, choices []byte) error {
	st, other := s.game.New(), s.game.New()
	st.Reset(seed, nil)
	mask := make(env.Mask, s.info.MaskWords())
	p := &play{seed: seed}
	for n := 0; ; n++ {
		if err := s.sound(st, mask); err != nil {
			return s.at(p, n, err)
		}
		if n%32 == 0 || st.Actor() == env.Over {
			other.CopyFrom(st)
			if !other.Equal(st) {
				return s.at(p, n, errors.New("a copy is not equal"))
			}
			if err := other.ReadPosition(st.AppendPosition(nil)); err != nil || !other.Equal(st) {
				return s.at(p, n, fmt.Errorf("the written position is not read as it was (%w): %s", err, st.AppendPosition(nil)))
			}
		}
		switch {
		case st.Actor() == env.Over || n == len(choices):
			return nil
		case n >= s.info.MaxDecisions:
			return s.at(p, n, fmt.Errorf("the game goes on after %d decisions, the bound of Info.MaxDecisions", n))
		}
		a := mask.Nth(int(choices[n]) % mask.Count())
		p.actions = append(p.actions, a)
		st.Apply(a, nil)
	}
}

// FuzzPosition reads any bytes as a position: it is refused and nothing changes, or it is one that
// passes Check, can be observed and played on, and is written and read again as it is.
func FuzzPosition(f *testing.F, rb *registry.Rulebook) {
	f.Helper()
	subjects := fuzzSubjects(f, rb)
	for i, s := range subjects {
		p := &play{seed: uint64(i)}
		if err := s.perform(p); err != nil {
			f.Fatal(s.at(p, len(p.actions), err))
		}
		s.plays = []*play{p}
		must.Do(f, s.look(func(st env.State, _ *play, _ int) error {
			f.Add(byte(i), st.AppendPosition(nil))
			return nil
		}))
	}
	f.Fuzz(func(t *testing.T, variant byte, b []byte) {
		s := subjects[int(variant)%len(subjects)]
		if err := s.readBytes(b); err != nil {
			t.Errorf("%s: %v", s.info.Text, err)
		}
	})
}

// readBytes reads a position that may be anything.
func (s *subject) readBytes(b []byte) error {
	st, other := s.game.New(), s.game.New()
	st.Reset(1, nil)
	other.CopyFrom(st)
	if err := st.ReadPosition(b); err != nil {
		if err.Error() == "" || !st.Equal(other) {
			return fmt.Errorf("a position that was refused (%w) has changed the State", err)
		}
		return nil
	}
	written := st.AppendPosition(nil)
	if err := other.ReadPosition(written); err != nil {
		return fmt.Errorf("a position that was read is refused when it is written again: %w\n\t%s", err, written)
	}
	if !other.Equal(st) {
		return fmt.Errorf("a position that was read is another when it is written and read again: %s", written)
	}
	obs := make([]float32, s.info.Observation())
	for p := range env.Player(s.info.Players) {
		st.Observe(obs, p)
		other.CopyFrom(st)
		other.Redeal(p, 1)
		if err := s.playOn(other, 1, 0); err != nil {
			return fmt.Errorf("redealt for player %d: %w\n\t%s", p, err, written)
		}
	}
	if err := s.playOn(st, 1, 16); err != nil {
		return fmt.Errorf("%w\n\tafter reading %s", err, written)
	}
	return nil
}
