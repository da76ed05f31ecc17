package table

import (
	"testing"

	"earthgym/env"
	"earthgym/games"
)

// What was is what was seen then, by each viewer.
func TestPast(t *testing.T) {
	for _, text := range []string{"resilience-earth:players=2", "new-earth:players=2,turns=1,announce_totals=off",
		"one-earth:players=3,mode=advanced"} {
		g, err := games.Open(text)
		if err != nil {
			t.Fatal(err)
		}
		at, err := New(g, 3, make([]Seat, g.Info().Players), Options{})
		if err != nil {
			t.Fatal(err)
		}
		viewers := []env.Player{0, 1, env.Spectator}
		seen := map[env.Player]map[int]string{}
		for _, v := range viewers {
			seen[v] = map[int]string{}
		}
		look := func() {
			for _, v := range viewers {
				now, err := at.Look(v)
				if err != nil {
					t.Fatal(err)
				}
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
			if err := at.Play(p, now.Step, now.Choices[len(now.Choices)/2].Action); err != nil {
				t.Fatal(err)
			}
			look()
		}
		for _, v := range viewers {
			for n, want := range seen[v] {
				board, read, err := at.Past(v, n)
				if err != nil || board != want || read == "" {
					t.Fatalf("%s: viewer %d sees another board after decision %d (%v)", text, v, n, err)
				}
			}
			if _, _, err := at.Past(v, at.eye(v).decisions); err == nil {
				t.Errorf("%s: what is to come can be seen", text)
			}
		}
		if _, _, err := at.Past(9, 0); err == nil {
			t.Errorf("%s: there is a seat 9", text)
		}
	}
}
