package mcts

import (
	"context"
	"slices"
	"testing"

	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Roll-outs that are not played on where they meet another one change nothing that is found, in any game, whoever plays
// on, with and without a cut, on any number of workers.
func TestMeeting(t *testing.T) {
	envtest.NothingToRace(t)
	for _, tt := range []struct {
		game, options string
		saves         float64 // at least, of the decisions
	}{
		{"one-earth", "sims=60", 0.02},
		{"one-earth:players=2", "sims=60,opponents=script:greedy+script:naive+random", 0},
		{"earth-rising", "sims=40", 0.02},
		{"earth-rising", "sims=40,opponents=script:varied,margin=0.5", 0.02},
		{"earth-rising:variant=solo", "sims=40", 0.02},
		{"new-earth:players=2", "sims=60", 0.02},
		{"new-earth:players=3", "sims=60,opponents=script:strong+script:greedy,margin=1", 0},
		{"new-earth:players=4", "sims=60,net=", 0.02},
		{"resilience-earth", "sims=60", 0.02},
		{"resilience-earth:players=2", "ms=1,rollout=script:greedy", 0},
		{"earthmans-burden", "sims=12", 0},
	} {
		const decisions = 60
		g := must.Have(games.Open(tt.game))(t)
		create := must.Have(scripted.Open(g, scripted.Strong))(t)
		bot, state := create(), g.New()
		state.Reset(7, nil)
		alone := newSearch(t, tt.options, g)
		for _, m := range alone.workers {
			m.transpositions = nil
		}
		meeting, workers := newSearch(t, tt.options, g), newSearch(t, tt.options+",workers=3", g)
		all, played := 0, 0
		for n := 0; n < decisions && state.Actor() != env.Over; n++ {
			v := env.ViewOf(state)
			if n%12 == 3 && v.Mask().Nth(1) >= 0 {
				want := find(t, alone, state)
				for _, s := range []*Search{meeting, workers} {
					s.Reset(1)
					got := find(t, s, state)
					if alone.config.Time == 0 && (got.Action != want.Action || got.Simulations != want.Simulations ||
						!slices.Equal(got.Visits, want.Visits) ||
						!same(got.Values, want.Values)) {
						t.Fatalf("%s %s, decision %d: %d of value %v where roll-outs meet, else %d of %v", tt.game, tt.options, n,
							got.Action, got.Value, want.Action, want.Value)
					}
				}
				alone.Reset(1)
				all, played = all+want.Decisions, played+meeting.result.Decisions
			}
			state.Apply(bot.Act(v), nil)
		}
		if saved := 1 - float64(played)/float64(all); alone.config.Time == 0 && saved < tt.saves {
			t.Errorf("%s %s: meeting saves %.3f of %d decisions", tt.game, tt.options, saved, all)
		}
	}
}

// same says whether values are equal, or both NaN.
func same(x, y []float64) bool {
	return slices.EqualFunc(x, y, func(a, b float64) bool { return a == b || a != a && b != b })
}

// A counter goes by all piles that it has seen, so that after two ways to one position it may go on in two ways.
type counter struct {
	seen int
	lies bool
}

func (c *counter) Reset(uint64) { c.seen = 0 }
func (c *counter) Choose(s env.State, legal env.Mask) env.Action {
	c.seen = 3*c.seen + int(s.(*nimState).pile)
	return legal.Nth(c.seen % 7 % legal.Count())
}
func (c *counter) Remembers(env.State) bool { return !c.lies }

// Roll-outs of players that remember how they came to a position don't meet there; if they did, other values would be
// found.
func TestMeetingOfThoseWhoRemember(t *testing.T) {
	g := newNim(mostStones, 0)
	state := g.New()
	state.Reset(1, nil)
	values := func(lies, meets bool) ([]float64, int) {
		s := newSearch(t, "sims=300,mode=flat,rollout=random", g)
		m := s.workers[0]
		if meets {
			m.transpositions = new(transpositions)
		}
		m.own = []player{&counter{lies: lies}, &counter{lies: lies}}
		r := must.Have(s.Search(context.Background(), env.ViewOf(state)))(t)
		return slices.Clone(r.Values), r.Decisions
	}
	want, all := values(false, false)
	if got, played := values(false, true); !slices.Equal(got, want) || played != all {
		t.Errorf("values %v in %d decisions, want %v in %d", got, played, want, all)
	}
	if got, played := values(true, true); slices.Equal(got, want) || played >= all {
		t.Errorf("players that hide what they remember change nothing: %v in %d decisions, of %d", got, played, all)
	}
}

// More positions than there is room for, and more visits than are looked at, are only not met.
func TestCrossroadsAreBounded(t *testing.T) {
	g := newNim(mostStones, 0)
	c := new(transpositions)
	for sample := range 2 {
		c.clear()
		s := g.New().(*nimState)
		for i := range 3 * mostEntries {
			s.luck[0] = env.NewStream(uint64(i), "wind")
			if value, met := c.visit(s, uint64(i%7)<<60); met {
				t.Fatalf("sample %d: position %d is met, with %v", sample, i, value)
			}
			c.end(float64(i))
		}
		for i := range 3 * mostEntries {
			s.luck[0] = env.NewStream(uint64(i), "wind")
			value, met := c.visit(s, uint64(i%7)<<60)
			if met != (i < mostEntries) || met && value != float64(i) {
				t.Fatalf("sample %d: position %d is met: %v, with %v", sample, i, met, value)
			}
		}
	}
}
