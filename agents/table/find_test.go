package table_test

import (
	"strings"
	"testing"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
)

// Typed questions in every game: about the own seat, about what may go wrong, about what has happened, and about a
// thing.
func TestFind(t *testing.T) {
	for _, test := range []struct{ game, thing, says string }{
		{"resilience-earth:players=2", "player 1", "player 1"},
		{"one-earth:players=3", "seat 1", "eat 1"},
		{"earth-rising:players=2", "Agriculture", "Agriculture"},
		{"new-earth:players=2", "sector 3", "sector 3"},
		{"earthmans-burden:players=2", "mars", "mars  "},
	} {
		g := openGame(t, test.game)
		tab := must.Have(table.New(g, 5, seats(t, g, "", "script:greedy"), table.Options{}))(t)
		run(t, tab)
		for range 3 {
			s := settled(t, tab, 0)
			must.Do(t, tab.Play(0, s.Step, s.Choices[0].Action))
		}
		settled(t, tab, 0)
		find := func(question string) string {
			t.Helper()
			lines := must.Have(tab.Find(0, question))(t)
			return strings.Join(lines, "\n")
		}
		if got := find(test.thing); !strings.Contains(got, test.says) {
			t.Errorf("%s: %q finds %q", test.game, test.thing, got)
		}
		if got := find("my hand"); got == "" || strings.Count(got, "\n") > 25 {
			t.Errorf("%s: my hand is %q", test.game, got)
		}
		if got := find("threats"); got == "" {
			t.Errorf("%s: there are no threats in\n%s", test.game, tab.Text(0))
		}
		s := must.Have(tab.Look(0))(t)
		if got := find("since my last turn"); got == "" || !strings.HasSuffix(got, s.Log[len(s.Log)-1].Text) ||
			strings.Count(got, "\n")+1 >= len(s.Log) {
			t.Errorf("%s: since my last turn there was %q of %d lines", test.game, got, len(s.Log))
		}
		for _, nothing := range []string{"", "the", "unheard-of thing"} {
			if got := find(nothing); got != "" {
				t.Errorf("%s: %q finds %q", test.game, nothing, got)
			}
		}
		if _, err := tab.Find(env.Player(9), "hand"); err == nil {
			t.Error("seat 9 asks")
		}
	}
}

func TestFindNumber(t *testing.T) {
	g := openGame(t, "resilience-earth:players=2")
	tab := must.Have(table.New(g, 5, seats(t, g, ""), table.Options{}))(t)
	lines := must.Have(tab.Find(0, "player 1"))(t)
	for _, line := range lines {
		if strings.Contains(line, "player 0") {
			t.Errorf("player 1 is not %q", line)
		}
	}
}
