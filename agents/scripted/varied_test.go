package scripted

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// A character comes from the seed of the game alone, keeps to the bounds, and is not that of another seed.
func TestVaried(t *testing.T) {
	for _, script := range scripts() {
		rb := script.rulebook()
		g := must.Have(registry.Registry{rb}.Open(rb.Name))(t)
		create := must.Have(Open(g, Varied))(t)
		used, fresh := create(), create()
		used.Reset(1) // a character that the next game must not know of
		sameGame(t, g, used, fresh)
		if n := testing.AllocsPerRun(10, func() { used.Reset(2) }); n > 0 {
			t.Errorf("%s: a new character takes %v allocations", rb.Name, n)
		}

		state, legal := g.New(), make(env.Mask, g.Info().MaskWords())
		state.Reset(1, nil)
		state.Legal(legal)
		scores := make([]float64, len(g.Info().Actions))
		if a := used.Choose(state, legal); !used.Scores(state, legal, scores) || slices.Max(scores) != scores[a] {
			t.Errorf("%s: it chooses %d of scores %v", rb.Name, a, scores)
		}

		declared := must.Have(weightsOf(script.bots[2].weights(g)))(t)
		const games = 40
		characters, kept := map[string]bool{}, 0
		drawn := make([]float64, len(declared))
		for seed := range uint64(games) {
			character(drawn, declared, seed)
			for i, w := range declared {
				if !(drawn[i] >= w.low && drawn[i] <= w.high) {
					t.Errorf("%s, seed %d: %s is %v, outside of %v to %v", rb.Name, seed, w.name, drawn[i], w.low, w.high)
				}
				if drawn[i] == w.value {
					kept++
				}
			}
			characters[fmt.Sprint(drawn)] = true
		}
		if all := games * len(declared); kept < all/3 || kept > all*2/3 {
			t.Errorf("%s: %d of %d weights are the strong bot's, which about half should be", rb.Name, kept, all)
		}
		if len(characters) != games {
			t.Errorf("%s: %d characters in %d games", rb.Name, len(characters), games)
		}
	}
}

// A character with a number is the same in all games, and a number is checked.
func TestVariedNumber(t *testing.T) {
	g := must.Have(registry.Registry{scripts()[0].rulebook()}.Open(scripts()[0].rulebook().Name))(t)
	number := func(b *Bot) uint64 { return *b.policy.(*varied).fixed }
	create := must.Have(Open(g, "varied@7"))(t)
	if b := create(); number(b) != 7 {
		t.Errorf("varied@7 has character %d", number(b))
	}
	strong := scripts()[0].bots[2]
	weights := strong.weights(g)
	declared := must.Have(weightsOf(weights))(t)
	drawn := make([]float64, len(declared))
	character(drawn, declared, 7)
	for i, x := range drawn {
		reflect.ValueOf(weights).Elem().Field(i).SetFloat(x)
	}
	sameGame(t, g, create(), &Bot{strong.create(g, weights), g.New()})
	for _, name := range []string{"varied@", "varied@-1", "varied@07", "varied@seven"} {
		if _, err := Open(g, name); err == nil || !strings.Contains(err.Error(), "a whole number from 0 on") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A character chooses as if there had been none before it, at the very tables that one has thought about too.
func TestVariedForgets(t *testing.T) {
	for _, script := range scripts() {
		rb := script.rulebook()
		g := must.Have(registry.Registry{rb}.Open(rb.Name))(t)
		create := must.Have(Open(g, Varied))(t)
		used, s, legal := create(), g.New(), make(env.Mask, g.Info().MaskWords())
		s.Reset(1, nil)
		for n := range uint64(40) {
			fresh := create()
			s.Legal(legal)
			used.Reset(2 * n)
			used.Choose(s, legal)
			used.Reset(2*n + 1)
			fresh.Reset(2*n + 1)
			a, want := used.Choose(s, legal), fresh.Choose(s, legal)
			if a != want {
				t.Fatalf("%s, decision %d: %q after another character, else %q", rb.Name, n, env.ActionText(s, a),
					env.ActionText(s, want))
			}
			s.Apply(a, nil)
		}
	}
}
