package train_test

import (
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/games"
	"earthgym/train"
)

// Where somebody wins even if all lose what they share, the field has bots of other minds; where all win together, it
// has few of the games.
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
		g := must.Have(games.Open(tt.game))(t)
		c := train.DefaultFor(g)
		if err := c.Check(); err != nil {
			t.Errorf("%s: %v", tt.game, err)
		}
		for _, name := range []string{"script:varied", "script:varied@1"} {
			if got := slices.Contains(c.Opponents, name); got != tt.characters {
				t.Errorf("%s: the field is %v", tt.game, c.Opponents)
			}
		}
		if !slices.Equal(c.Clone, []string{"net:"}) {
			t.Errorf("%s: the teachers are %v", tt.game, c.Clone)
		}
		if c.OpponentShare != tt.share {
			t.Errorf("%s: the field has %v of the games, want %v", tt.game, c.OpponentShare, tt.share)
		}
	}
}

// A table of the network's own is measured by as many games as there are against the whole field elsewhere.
func TestTablesOfItsOwn(t *testing.T) {
	for game, want := range map[string]int{"one-earth:players=1": 6, "one-earth:players=3": 3} {
		g := must.Have(games.Open(game))(t)
		c := train.DefaultFor(g)
		c.Hidden, c.NumEnvs, c.NumSteps, c.Minibatch = []int{8}, 2, 8, 8
		c.CloneDecisions, c.Decisions = 1, 1
		c.Opponents, c.EvalGames = []string{"random", "script:naive"}, 3
		c.Minutes = 0
		r := must.Have(train.Start(t.TempDir(), c, []env.Game{g}, train.Options{Workers: 1}))(t)
		defer r.Close()
		var last train.Update
		must.Do(t, r.Train(t.Context(), func(u train.Update) { last = u }))
		for name, standing := range last.Field {
			if standing.Games != want {
				t.Errorf("%s: measured by %d games against %s, not %d", game, standing.Games, name, want)
			}
		}
		if len(last.Field) != len(c.Opponents) {
			t.Errorf("%s: measured against %v", game, last.Field)
		}
	}
}

// In a game without bots nobody is imitated, and the field plays at random.
func TestDefaultsOfAGameWithoutBots(t *testing.T) {
	g := kuhn.Open(2)
	info := *g.Info()
	info.Traits = []string{env.Mixed}
	c := train.DefaultFor(described{g, &info})
	if !slices.Equal(c.Opponents, []string{"random"}) || c.Clone != nil {
		t.Errorf("its field is %v, its teachers %v", c.Opponents, c.Clone)
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

type described struct {
	env.Game
	info *env.Info
}

func (d described) Info() *env.Info { return d.info }
