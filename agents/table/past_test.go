package table

import (
	"context"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// What was is what was seen then, by each viewer.
func TestPast(t *testing.T) {
	for _, text := range []string{"resilience-earth:players=2", "new-earth:players=2,turns=1,announce_totals=off",
		"one-earth:players=3,mode=advanced"} {
		g := must.Have(games.Open(text))(t)
		at := must.Have(New(g, 3, make([]Seat, g.Info().Players), Options{}))(t)
		viewers := []env.Player{0, 1, env.Spectator}
		seen := map[env.Player]map[int]string{}
		for _, v := range viewers {
			seen[v] = map[int]string{}
		}
		look := func() {
			for _, v := range viewers {
				now := must.Have(at.Look(v))(t)
				seen[v][now.Decision-1] = now.Board // the last one while it stood so
			}
		}
		look()
		for range 25 {
			p := at.ref.Actor()
			now, err := at.Look(p)
			if err != nil || now.Result != nil {
				break
			}
			must.Do(t, at.Play(p, now.Step, now.Choices[len(now.Choices)/2].Action))
			look()
		}
		for _, v := range viewers {
			for n, want := range seen[v] {
				moment, err := at.Past(v, n)
				if err != nil || moment.Board != want || moment.Text == "" {
					t.Fatalf("%s: viewer %d sees another board after decision %d (%v)", text, v, n, err)
				}
			}
			if _, err := at.Past(v, at.eye(v).decisions); err == nil {
				t.Errorf("%s: what is to come can be seen", text)
			}
		}
		if _, err := at.Past(9, 0); err == nil {
			t.Errorf("%s: there is a seat 9", text)
		}
	}
}

// Why a character has decided so is told where its temper made the difference, to everybody alike where nothing is
// hidden, and of no other agent.
func TestWhy(t *testing.T) {
	if testing.Short() {
		t.Skip("what goes on at the same time does so in shorter tests too")
	}
	for _, test := range []struct{ text, agent, manner string }{
		{"resilience-earth:players=3", "background:grabber",
			"Grabber takes the safe stones before others do, whatever falls; without that it would have chosen “"},
		{"one-earth:players=3,max_rounds=5", "background:green", "Green keeps Emissions low and its word; without"},
		{"earthmans-burden:players=2,rounds=12", "background:hawk", "Hawk destroys what others build; without"},
		{"earth-rising:players=2,hands=closed,variant=quickplay", "background:hasty",
			"Hasty builds, and lets strain come; without"},
		{"resilience-earth:players=3", "script:strong", ""},
		{"resilience-earth:players=3", "level:2", ""},
	} {
		g := must.Have(games.Open(test.text))(t)
		m := must.Have(agents.Open(test.agent, g))(t)
		seats := make([]Seat, g.Info().Players)
		for p := range seats {
			seats[p].Agent = m
		}
		at, err := New(g, 3, seats, Options{})
		if err == nil {
			err = at.Run(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		all := at.eye(env.Spectator).decisions
		for n := max(0, all-90); n < all; n++ {
			moment := must.Have(at.Past(env.Spectator, n))(t)
			if moment.Why == "" {
				continue
			}
			told++
			if !strings.HasPrefix(moment.Why, test.manner) || test.manner == "" {
				t.Errorf("%s says: %s", test.agent, moment.Why)
			}
			if other, err := at.Past(0, n); test.text[0] == 'r' && (err != nil || other.Why != moment.Why) {
				t.Errorf("a player is told %q, who looks on %q", other.Why, moment.Why)
			}
		}
		if t.Logf("%s tells %d reasons", test.agent, told); told == 0 && test.manner != "" {
			t.Errorf("%s in %s tells no reason", test.agent, test.text)
		}
	}
}
