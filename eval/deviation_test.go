package eval_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval"
)

// Who always bets wins an ante of uniform play whenever that folds, and nothing on average when it is called, as the
// cards are alike. As the first player that is half of the time; as the second half of the time after a pass, and after
// a bet never.
func TestDeviate(t *testing.T) {
	g := kuhn.Open(2)
	bets := maker("bets", func(*env.View, float64) env.Action { return kuhn.Bet })
	d, err := eval.Deviate(context.Background(), g, bets, opened(t, g, "random"), eval.Options{Games: 20000, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	// On average of the seats 3/8 chip, of 2 that can be won.
	want := 3.0 / 16
	if math.Abs(d.Gain.Mean-want) > 0.01 || !(d.Gain.CI[0] < want && want < d.Gain.CI[1]) {
		t.Errorf("gain %v in %v, want %v", d.Gain.Mean, d.Gain.CI, want)
	}
	if math.Abs(d.Own.Mean) > 0.01 || math.Abs(d.Return.Mean-d.Own.Mean-d.Gain.Mean) > 1e-9 {
		t.Errorf("return %v, own %v, gain %v", d.Return.Mean, d.Own.Mean, d.Gain.Mean)
	}
	if math.Abs(d.Others.Mean+d.Return.Mean) > 1e-9 || d.Guest != "bets" || d.Agent != "random" {
		t.Errorf("%s gets %v at the table of %s, which gets %v", d.Guest, d.Return.Mean, d.Agent, d.Others.Mean)
	}
	if _, err := eval.Deviate(context.Background(), g, bets, bets, eval.Options{Games: 2}); err == nil ||
		!strings.Contains(err.Error(), "guest at its own table") {
		t.Errorf("a guest at its own table: %v", err)
	}
}

// Each cell is what the match of its agents says, on the same seeds.
func TestCrossPlay(t *testing.T) {
	g := tower(t)
	texts := []string{"random", "script:greedy", "script:strong"} // The bots do nothing by chance: no copy plays.
	var makers []*agents.Maker
	for _, text := range texts {
		makers = append(makers, opened(t, g, text))
	}
	last, total := 0, 0
	c := must.Have(eval.PlayCrossPlay(context.Background(), g, makers,
		eval.Options{Games: 30, Seed: 5, Workers: 2, Progress: func(done, of int) { last, total = done, of }}))(t)
	if last != total || total != 3*10+7*30 {
		t.Errorf("%d of %d games were played, want %d", last, total, 3*10+7*30)
	}
	for i, row := range c.Tables {
		noise, err := eval.Deviate(context.Background(), g, makers[i].Copy(), makers[i], eval.Options{Games: 30, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			noise.Gain.CI = eval.Interval{}
		}
		if c.Floor[i] != noise.Gain || !noise.Gain.CI.Holds(0) {
			t.Errorf("a copy of %s gains %v as a guest, not %v", texts[i], c.Floor[i], noise.Gain)
		}
		for j, cell := range row {
			games, table := 30, []*agents.Maker{makers[j], makers[i]}
			if i == j {
				games, table = 10, makers[i:i+1]
			}
			r := match(t, g, eval.Options{Games: games, Seed: 5}, table...)
			if math.Abs(cell.Return.Mean-r.Agents[0].MeanReturn) > 1e-9 ||
				math.Abs(cell.Commons.Lost.Mean-r.Commons.Lost.Mean) > 1e-9 {
				t.Errorf("%s at the table of %s: return %v, lost %v; the match says %v, %v", texts[j], texts[i],
					cell.Return.Mean, cell.Commons.Lost.Mean, r.Agents[0].MeanReturn, r.Commons.Lost.Mean)
			}
			if i != j && math.Abs(cell.Gain.Mean-(cell.Return.Mean-c.Tables[i][i].Return.Mean)) > 1e-9 {
				t.Errorf("%s at the table of %s: gain %v", texts[j], texts[i], cell.Gain.Mean)
			}
			if w := cell.Commons.Welfare.Mean; w > c.Best.Commons.Welfare.Mean {
				t.Errorf("the best table has a welfare of %v; that of %s with %s has %v", c.Best.Commons.Welfare.Mean, texts[i],
					texts[j], w)
			}
		}
		if want := c.Best.Commons.Welfare.Mean - c.Tables[i][i].Commons.Welfare.Mean; math.Abs(c.Price[i].Mean-want) > 1e-9 {
			t.Errorf("the price of the table of %s is %v, want %v", texts[i], c.Price[i].Mean, want)
		}
	}
	if math.Abs(c.Gap.Mean-(c.Cross.Mean-c.Self.Mean)) > 1e-9 {
		t.Errorf("own tables %v, as guests %v, gap %v", c.Self.Mean, c.Cross.Mean, c.Gap.Mean)
	}
	text, err := json.Marshal(c)
	if err != nil || strings.Contains(string(text), "NaN") {
		t.Errorf("as JSON: %v", err)
	}
	var b strings.Builder
	must.Do(t, eval.WriteCrossPlay(&b, c))
	for line := range strings.Lines(b.String()) {
		if len([]rune(line)) > 101 {
			t.Errorf("a line is too long: %s", line)
		}
	}
	b.Reset()
	must.Do(t, eval.WriteReport(&b, eval.Report{Title: "guests", CrossPlay: c}))
	for _, part := range []string{"<h3>Return of the guest</h3>", "<h3>Games in which the guest has pushed it over, " +
		"in %</h3>", "script:strong at the table of script:greedy", "<li>best table: ",
		"<li>noise: random: as a guest at its own table a copy gains ",
		"<li>noise: script:greedy: none, as it does nothing by chance"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("the report has no %s", part)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err = eval.PlayCrossPlay(ctx, g, makers, eval.Options{Games: 30, Workers: 1, Progress: func(done, _ int) {
		if done == 77 {
			cancel()
		}
	}})
	if want := "interrupted after 77 of 240 games"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if _, err := eval.PlayCrossPlay(context.Background(), g, []*agents.Maker{makers[0], makers[0]},
		eval.Options{Games: 3}); err == nil || !strings.Contains(err.Error(), "there twice") {
		t.Errorf("an agent twice: %v", err)
	}
	if _, err := eval.PlayCrossPlay(context.Background(), g, makers[:1], eval.Options{Games: 3}); err == nil ||
		!strings.Contains(err.Error(), "at least 2") {
		t.Errorf("one agent: %v", err)
	}
}
