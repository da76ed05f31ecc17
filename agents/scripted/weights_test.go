package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// Weights are declared with range and help.
func TestWeights(t *testing.T) {
	declared := 0
	for _, script := range scripts() {
		rb := script.rulebook()
		for _, variant := range rb.Variants {
			g := must.Have(registry.Registry{rb}.Open(variant))(t)
			for k, level := range levels {
				if script.bots[k].weights == nil {
					continue
				}
				declared++
				if _, err := weightsOf(script.bots[k].weights(g)); err != nil {
					t.Errorf("%s, %s: %v", variant, level, err)
				}
			}
		}
	}
	if declared == 0 {
		t.Error("no bot has weights")
	}
}

// sameGame plays a game in which two bots must always choose the same.
func sameGame(t *testing.T, g env.Game, one, two *Bot) {
	t.Helper()
	s := g.New()
	s.Reset(1, nil)
	one.Reset(2)
	two.Reset(2)
	for s.Actor() != env.Over {
		v := env.ViewOf(s)
		a, b := one.Act(v), two.Act(v)
		if a != b {
			t.Fatalf("%s: %q and %q", g.Info().Text, v.ActionText(a), v.ActionText(b))
		}
		s.Apply(a, nil)
	}
}

func TestWeightsOf(t *testing.T) {
	type good struct {
		A float64 `low:"0" high:"1" help:"x"`
	}
	if list, err := weightsOf(&good{0.5}); err != nil || len(list) != 1 || list[0] != (weight{"A", 0.5, 0, 1}) {
		t.Errorf("got %v, %v", list, err)
	}
	for _, wrong := range []any{
		&good{2},
		&struct {
			A int `low:"0" high:"1" help:"x"`
		}{},
		&struct {
			A float64 `low:"0" high:"1"`
		}{},
		&struct {
			A float64 `high:"1" help:"x"`
		}{},
	} {
		if list, err := weightsOf(wrong); err == nil {
			t.Errorf("%+v: got %v", wrong, list)
		}
	}
}
