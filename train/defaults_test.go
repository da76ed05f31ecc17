package train_test

import (
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/games"
	"earthgym/train"
)

// Where somebody wins even if all lose what they share, the field has bots of other minds; where all win together, it has few
// of the games.
func TestDefaultsFollowTheGame(t *testing.T) {
	for _, tt := range []struct {
		game       string
		characters bool
		share      float64
	}{
		{"resilience-earth", true, 0.9},
		{"one-earth:players=3", false, 0.9},
		{"one-earth:players=1", false, 0.2},
		{"new-earth", false, 0.9},
		{"earthmans-burden", false, 0.9},
		{"earth-rising", false, 0.2},
	} {
		g, err := games.Open(tt.game)
		if err != nil {
			t.Fatal(err)
		}
		c := train.DefaultFor(g)
		if err := c.Check(); err != nil {
			t.Errorf("%s: %v", tt.game, err)
		}
		for _, name := range []string{"script:varied", "script:varied@1"} {
			if got := slices.Contains(c.Opponents, name); got != tt.characters {
				t.Errorf("%s: the field is %v", tt.game, c.Opponents)
			}
		}
		if c.GAELambda > 0.95 != g.Info().Shared() {
			t.Errorf("%s: λ is %v", tt.game, c.GAELambda)
		}
		if c.OpponentShare != tt.share {
			t.Errorf("%s: the field has %v of the games, want %v", tt.game, c.OpponentShare, tt.share)
		}
	}
}

// A game without such bots has the usual field.
func TestDefaultsOfAGameWithoutBots(t *testing.T) {
	g := kuhn.Open(2)
	info := *g.Info()
	info.Traits = []string{env.Mixed}
	if c := train.DefaultFor(described{g, &info}); !slices.Equal(c.Opponents, train.DefaultConfig().Opponents) {
		t.Errorf("its field is %v", c.Opponents)
	}
}

type described struct {
	env.Game
	info *env.Info
}

func (d described) Info() *env.Info { return d.info }
