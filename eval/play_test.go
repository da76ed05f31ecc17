package eval

import (
	"context"
	"reflect"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Games of which nothing is told are those of which records are kept, and so are those that are played many at a time.
func TestQuietGames(t *testing.T) {
	for _, texts := range [][]string{{"script:greedy", "random"}, {"net:", "script:naive"}, {"net:,argmax", "net:"}} {
		g, field := opened(t, "resilience-earth:players=2", texts...)
		play := func(records int) []Outcome {
			r, err := Match(context.Background(), g, field, Options{Games: 40, Seed: 3, Records: records, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			return r.Outcomes
		}
		quiet, told := play(0), play(40)
		for i := range told {
			if err := told[i].Record.Replay(g, nil); err != nil {
				t.Error(err)
			}
			told[i].Record, told[i].kept = nil, false
			if !reflect.DeepEqual(quiet[i], told[i]) {
				t.Errorf("%v, game %d: quiet %+v, told %+v", texts, i, quiet[i], told[i])
			}
		}
	}
}

// counted is an agent that says how many games each instance has begun.
type counted struct {
	games *int
	begun int
}

func (c *counted) Name() string { return "counted" }
func (c *counted) Reset(uint64) { c.begun++; *c.games = max(*c.games, c.begun) }
func (c *counted) Act(v *env.View) (env.Action, error) {
	return v.Mask().Nth(0), nil
}

// Programs start anew for the games of each block, and other agents don't.
func TestFreshPrograms(t *testing.T) {
	g := must.Have(games.Open("resilience-earth:players=3"))(t)
	for _, tt := range []struct {
		text         string
		fresh        bool
		least, great int
	}{
		{"remote:program", true, 3, 3}, // the games of a block
		{"remote:program", false, 60, 60},
		{"bot", true, 60, 60},
	} {
		most := 0
		program := &agents.Maker{Text: tt.text, New: func() (agents.Agent, error) { return &counted{games: &most}, nil }}
		other := &agents.Maker{Text: "other", New: func() (agents.Agent, error) { return &counted{games: new(int)}, nil }}
		if _, err := Match(context.Background(), g, []*agents.Maker{other, program},
			Options{Games: 60, Seed: 3, Fresh: tt.fresh, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		if most < tt.least || most > tt.great {
			t.Errorf("%s, fresh %v: an instance has begun %d games", tt.text, tt.fresh, most)
		}
	}
}
