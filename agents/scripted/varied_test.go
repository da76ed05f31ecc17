package scripted

import (
	"fmt"
	"testing"

	"earthgym/env"
)

// A character comes from the seed of the game alone, keeps to the bounds, and is not that of another seed.
func TestVaried(t *testing.T) {
	for _, script := range scripts() {
		rb := script.rulebook()
		g, err := env.Shelf{rb}.Open(rb.Name)
		if err != nil {
			t.Fatal(err)
		}
		create, err := OpenVaried(g)
		if err != nil {
			t.Fatal(err)
		}
		used, fresh := create(), create()
		used.Reset(1) // a character that the next game must not know of
		sameGame(t, g, used, fresh)

		declared, err := Weights(g, Strong)
		if err != nil {
			t.Fatal(err)
		}
		const games = 40
		characters, kept := map[string]bool{}, 0
		for seed := range uint64(games) {
			drawn := character(declared, seed)
			for i, w := range declared {
				if !(drawn[i] >= w.Low && drawn[i] <= w.High) {
					t.Errorf("%s, seed %d: %s is %v, outside of %v to %v", rb.Name, seed, w.Name, drawn[i], w.Low, w.High)
				}
				if drawn[i] == w.Value {
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
