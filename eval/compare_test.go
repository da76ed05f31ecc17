package eval_test

import (
	"math"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/eval"
	"earthgym/games"
)

// drug is a match of one seat whose scores are how much longer ten patients slept. (Cushny and Peebles
// 1905, the two columns of which sleep is the difference.)
func drug(name string, scores ...float64) *eval.MatchResult {
	r := &eval.MatchResult{
		Game: "sleep:hours=8", Short: "sleep", Agents: []eval.AgentResult{{Agent: name}}, Games: len(scores),
		Blocks: len(scores), Seatings: 1, Seed: 1,
		Measures: []eval.MeasureResult{{Name: "minutes"}},
	}
	for i, score := range scores {
		r.Outcomes = append(r.Outcomes, eval.Outcome{
			Block: i, Seating: []int{0}, Wins: []float64{0},
			Result: env.Result{Returns: []float64{score / 10}, Scores: []float64{score}, Measures: []float64{10 * score}},
		})
	}
	return r
}

// Paired, the second drug is better; the interval of the unpaired difference, from -0.2 to 3.4, would
// leave it open. The figures are those of R's t.test(paired = TRUE).
func TestCompare(t *testing.T) {
	first := drug("first", 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
	second := drug("second", 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
	c := must.Have(eval.Compare(second, first))(t)
	if c.Game != "sleep:hours=8" || c.Short != "sleep" || c.A != "second" || c.B != "first" || c.Blocks != 10 {
		t.Errorf("%+v", c)
	}
	if !close(c.MeanScore, 1.58) || !close(c.ScoreCI[0], 0.7001142) || !close(c.ScoreCI[1], 2.4598858) {
		t.Errorf("score %v in %v, want 1.58 in [0.7001142 2.4598858]", c.MeanScore, c.ScoreCI)
	}
	if !close(c.MeanReturn, 0.158) || !close(c.ReturnCI[0], 0.07001142) || !close(c.ReturnCI[1], 0.24598858) {
		t.Errorf("return %v in %v, want a tenth of that", c.MeanReturn, c.ReturnCI)
	}
	if c.WinShare != 0 || c.WinCI[0] >= 0 || c.WinCI[1] != -c.WinCI[0] {
		t.Errorf("win share %v in %v", c.WinShare, c.WinCI)
	}

	if m := c.Measures[0]; m.Name != "minutes" || !close(m.Mean, 15.8) || !close(m.CI[0], 7.00114237) ||
		!close(m.CI[1], 24.59885763) {
		t.Errorf("measure %+v, want ten times the score", m)
	}

	// Of a longer match, the seeds that both have.
	c = must.Have(eval.Compare(second, drug("third", 1, 1)))(t)
	if c.Blocks != 2 || math.Abs(c.MeanScore-0.35) > 1e-12 {
		t.Errorf("two blocks: %+v", c)
	}
}

func TestCompareErrors(t *testing.T) {
	for _, test := range []struct {
		change func(*eval.MatchResult)
		want   string
	}{
		{func(r *eval.MatchResult) { r.Seed = 2 },
			"matches are compared on the same game seeds; these were played with seed 1 and seed 2"},
		{func(r *eval.MatchResult) { r.Data = "x" },
			"matches are compared within one game; these are of sleep (rules 0, data ) and sleep (rules 0, data x)"},
		{func(r *eval.MatchResult) { r.Game, r.Short = "wake:hours=16", "wake" },
			"matches are compared within one game; these are of sleep (rules 0, data ) and wake (rules 0, data )"},
	} {
		b := drug("b", 1, 2)
		test.change(b)
		if _, err := eval.Compare(drug("a", 1, 2), b); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

// One seat of the stronger among the others, or tables of their own where all win together.
func TestLead(t *testing.T) {
	for _, text := range []string{"new-earth:players=2", "earth-rising:players=2,variant=quickplay"} {
		g := must.Have(games.Open(text))(t)
		open := func(text string) *agents.Maker {
			return must.Have(agents.Open(text, g))(t)
		}
		strong, random := open("script:strong"), open("random")
		o := eval.Options{Games: 40, Seed: 5}
		up := must.Have(eval.Lead(t.Context(), g, strong, random, o))(t)
		down := must.Have(eval.Lead(t.Context(), g, random, strong, o))(t)
		if !up.ReturnCI.Above(0) || !down.ReturnCI.Below(0) || up.Agent != "script:strong" || up.Other != "random" {
			t.Errorf("%s: %+v, and the other way round %+v", text, up, down)
		}
		if self, err := eval.Lead(t.Context(), g, strong, open("script:strong"), o); err != nil || self.MeanReturn != 0 ||
			self.ReturnCI.Above(0) {
			t.Errorf("%s: ahead of itself by %+v, %v", text, self, err)
		}
	}
}
