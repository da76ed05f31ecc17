package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// Boards and text views can be read in the positions that strong play leads to; the games' own tests look at those
// of random play.
func TestBoards(t *testing.T) {
	envtest.NothingToRace(t)
	for _, script := range scripts() {
		rb := script.rulebook()
		for i, variant := range rb.Variants {
			t.Run(variant, func(t *testing.T) {
				t.Parallel()
				g := must.Have(registry.Registry{rb}.Open(variant))(t)
				lintGame(t, g, script.open(g, len(levels)-1), uint64(i))
			})
		}
	}
}

// lintGame plays a game and looks at some positions, others in each variant and ever fewer as it goes on, and at the
// last one.
func lintGame(t *testing.T, g env.Game, bot *Bot, seed uint64) {
	next := 0
	s, luck := g.New(), env.NewStream(seed, "table")
	s.Reset(seed, nil)
	for n := 0; ; n++ {
		if n == next || s.Actor() == env.Over {
			next += 1 + n + luck.Below(n+1)
			if err := envtest.Lint(s); err != nil {
				t.Fatalf("%s, seed %d, decision %d: %v", g.Info().Text, seed, n, err)
			}
		}
		if s.Actor() == env.Over {
			return
		}
		bot.Reset(luck.Uint64())
		s.Apply(bot.Act(env.ViewOf(s)), nil)
	}
}
