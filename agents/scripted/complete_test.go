package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
)

// Observations are complete in positions of strong play too, which random play does not reach: the
// greedy bots' games of a few variants of each game.
func TestObservationsAreComplete(t *testing.T) {
	for _, s := range scripts() {
		rb := s.rulebook()
		t.Run(rb.Name, func(t *testing.T) {
			t.Parallel()
			var variants []string
			for i := 0; i < len(rb.Variants); i += 1 + len(rb.Variants)/4 {
				variants = append(variants, rb.Variants[i])
			}
			rb.Variants = variants
			envtest.Complete(t, rb, envtest.Config{}, gameDir(rb.Name),
				func(g env.Game, seed uint64) (func(v *env.View) env.Action, error) {
					create, err := Open(g, Greedy)
					if err != nil {
						return nil, err
					}
					bot := create()
					bot.Reset(seed)
					return bot.Act, nil
				})
		})
	}
}
