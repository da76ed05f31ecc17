package main

import (
	"context"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env/envtest"
	"earthgym/eval"
	"earthgym/games"
)

// Each level that does not search is clearly better than the one before: one seat among others of it, or, where all win
// together, a table of its own.
func TestLevelsRise(t *testing.T) {
	envtest.NothingToRace(t) // but for eval.Match, which has tests of its own
	for _, rb := range games.All() {
		t.Run(rb.Name, func(t *testing.T) {
			t.Parallel()
			g, err := games.Open(rb.Name)
			if err != nil {
				t.Fatal(err)
			}
			match := func(texts ...string) *eval.MatchResult {
				t.Helper()
				makers, err := openTable(g, texts)
				if err != nil {
					t.Fatal(err)
				}
				r, err := eval.Match(context.Background(), g, makers, eval.Options{Games: 80, Seed: 11})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			list := agents.Levels(g)
			for i, l := range list[:len(list)-1] {
				next := list[i+1]
				if searches(l) || searches(next) {
					continue
				}
				var gain float64
				var ci eval.Interval
				if g.Info().Shared() {
					c, err := eval.Compare(match(next.Text), match(l.Text))
					if err != nil {
						t.Fatal(err)
					}
					gain, ci = c.MeanReturn, c.ReturnCI
				} else {
					d := match(next.Text, l.Text).Differences[0]
					gain, ci = d.MeanReturn, d.ReturnCI
				}
				if !ci.Above(0) {
					t.Errorf("%s gains %+.3f %v over %s", next.Text, gain, ci, l.Text)
				}
				t.Logf("%s gains %+.3f %v over %s", next.Text, gain, ci, l.Text)
			}
		})
	}
}

// searches says whether a level takes too long for a match in a test.
func searches(l agents.Level) bool { return strings.HasPrefix(l.Agent, "mcts:") }
