package earthman

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// leaves collects setters for every number, flag and text of decoded JSON.
func leaves(v any, set func(any), out *[]leaf) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			leaves(v[k], func(x any) { v[k] = x }, out)
		}
	case []any:
		for i := range v {
			leaves(v[i], func(x any) { v[i] = x }, out)
		}
	default:
		*out = append(*out, leaf{v, set})
	}
}

type leaf struct {
	value any
	set   func(any)
}

// mutate changes one or two leaves of a position into something of the same form.
func mutate(t *testing.T, rng *env.Stream, position []byte) []byte {
	t.Helper()
	var fields map[string]any
	must.Do(t, json.Unmarshal(position, &fields))
	part := any(fields)
	if rng.Below(2) == 0 { // half of the time what is pending, where most is to be checked
		part = []any{fields["pending"], fields["lot"], fields["pay"]}
	}
	var all []leaf
	leaves(part, nil, &all)
	for range 1 + rng.Below(2) {
		l := all[rng.Below(len(all))]
		switch v := l.value.(type) {
		case float64:
			l.set(v + [...]float64{-2, -1, 1, 2, 5, 60}[rng.Below(6)])
		case bool:
			l.set(!v)
		case string:
			other := all[rng.Below(len(all))]
			if text, ok := other.value.(string); ok {
				l.set(text)
			} else {
				l.set("")
			}
		}
	}
	return must.Have(json.Marshal(fields))(t)
}

// A position that is a little wrong is refused, or it can be played on without breaking a rule
// (RULES.md 3.4).
func TestMutatedPositions(t *testing.T) {
	read, refused := 0, 0
	rng := env.NewStream(1, "mutation")
	each(t, func(_, s *State, _ env.Action) {
		if s.phase == IsOver || s.decision != AtThought && s.pay.seat < 0 && rng.Below(20) > 0 {
			return
		}
		text := mutate(t, &rng, s.AppendPosition(nil))
		c := s.game.New().(*State)
		c.Reset(1, nil)
		if err := c.ReadPosition(text); err != nil {
			refused++
			return
		}
		read++
		again := s.game.New().(*State)
		again.luck = c.luck
		if err := again.ReadPosition(c.AppendPosition(nil)); err != nil || !again.Equal(c) {
			t.Fatalf("it is read otherwise a second time (%v): %s", err, text)
		}
		defer func() {
			if r := recover(); r != nil {
				t.Fatalf("%v: %s", r, text)
			}
		}()
		for n, p := 0, newPlayer(s.game, uint64(read)); n < 60 && c.Actor() != env.Over; n++ {
			if err := c.Check(); err != nil {
				t.Fatalf("after %d decisions: %v: %s", n, err, text)
			}
			c.Apply(p.choose(c), nil)
		}
	})
	if read < 50 || refused < 100 {
		t.Errorf("%d positions were read and %d refused: too few to say anything", read, refused)
	}
}
