package main

import (
	"context"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/eval"
	"earthgym/games"
)

// Each level that does not search is clearly better than the one before: one seat among others of it, or, where all win
// together, a table of its own. Levels made of networks have been compared when they were fitted (package calibrate):
// there the fourth is compared with the first, as it is played now.
func TestLevelsRise(t *testing.T) {
	envtest.NothingToRace(t) // but for eval.Match, which has tests of its own
	for _, rb := range games.All() {
		t.Run(rb.Name, func(t *testing.T) {
			t.Parallel()
			g := must.Have(games.Open(rb.Name))(t)
			list := agents.Levels(g)
			if list == nil {
				t.Skip("it has no levels")
			}
			rises := func(lower, upper agents.Level) {
				t.Helper()
				makers := must.Have(openAgents(g, upper.Text, lower.Text))(t)
				d, err := eval.Lead(context.Background(), g, makers[0], makers[1], eval.Options{Games: 80, Seed: 11})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s gains %+.3f %v over %s", upper.Text, d.MeanReturn, d.ReturnCI, lower.Text)
				if !d.ReturnCI.Above(0) {
					t.Errorf("%s gains %+.3f %v over %s", upper.Text, d.MeanReturn, d.ReturnCI, lower.Text)
				}
			}
			if strings.HasPrefix(list[0].Agent, "net:") {
				rises(list[0], list[3])
				return
			}
			for i, l := range list[:len(list)-1] {
				if next := list[i+1]; !searches(l) && !searches(next) {
					rises(l, next)
				}
			}
		})
	}
}

// searches says whether a level takes too long for a match in a test.
func searches(l agents.Level) bool { return strings.HasPrefix(l.Agent, "mcts:") }
