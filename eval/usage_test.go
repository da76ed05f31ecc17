package eval_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval"
)

func TestUsage(t *testing.T) {
	bets := maker("bets", func(*env.View, float64) env.Action { return kuhn.Bet })
	passes := maker("passes", func(*env.View, float64) env.Action { return kuhn.Pass })
	r := match(t, kuhn.Open(2), eval.Options{Games: 20, Seed: 1}, bets, passes)
	// Each block: bets-passes, where each decides once, and passes-bets, where passes must answer again.
	want := eval.Usage{
		{Agent: "bets", Families: []eval.FamilyUsage{{Family: "pass", PerGame: 0, LegalPerGame: 1},
			{Family: "bet", PerGame: 1, LegalPerGame: 1}}},
		{Agent: "passes", Families: []eval.FamilyUsage{{Family: "pass", PerGame: 1.5, LegalPerGame: 1.5},
			{Family: "bet", PerGame: 0, LegalPerGame: 1.5}}},
	}
	b := must.Have(json.Marshal(r.Usage))(t)
	const text = `{"bets":{"pass":{"per_game":0,"legal_per_game":1},"bet":{"per_game":1,"legal_per_game":1}},` +
		`"passes":{"pass":{"per_game":1.5,"legal_per_game":1.5},"bet":{"per_game":0,"legal_per_game":1.5}}}`
	if got := mustJSON(t, r.Usage); got != text || mustJSON(t, want) != text {
		t.Errorf("got %s, want %s", b, text)
	}
	for i, never := range []string{"pass", "bet"} {
		if got := strings.Join(r.Usage[i].Never(), " "); got != never {
			t.Errorf("%s never chose %q, want %q", r.Usage[i].Agent, got, never)
		}
	}
	whole, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(whole), `"usage":`+text) {
		t.Errorf("the result has other counts: %s, %v", whole, err)
	}
}

// What was chosen adds up to the decisions of the games, and nothing is chosen more often than it was legal.
func TestUsageAddsUp(t *testing.T) {
	g := kuhn.Open(3)
	r := match(t, g, eval.Options{Games: 300, Seed: 2, Workers: 3}, honest("honest"), opened(t, g, "random"))
	total := 0.0
	for i, a := range r.Usage {
		for _, f := range a.Families {
			total += f.PerGame * float64(r.Agents[i].Seats)
			if f.PerGame > f.LegalPerGame {
				t.Errorf("%s: %s %v times of %v", a.Agent, f.Family, f.PerGame, f.LegalPerGame)
			}
		}
	}
	if want := r.Decisions.Mean * float64(r.Games); math.Abs(total-want) > 1e-6 {
		t.Errorf("%v choices in %v decisions", total, want)
	}
}

func TestChooseAllocatesNothing(t *testing.T) {
	info := kuhn.Open(2).Info()
	c := eval.NewUsageCounter(info, []string{"a"})
	legal := make(env.Mask, info.MaskWords())
	legal.Set(kuhn.Bet)
	if n := testing.AllocsPerRun(1000, func() { c.Choose(0, legal, kuhn.Bet) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWriteUsage(t *testing.T) {
	usage := eval.Usage{
		{Agent: "script:strong", Families: []eval.FamilyUsage{{"settle", 15, 15}, {"dismantle", 0, 39}, {"offer", 0.001, 40},
			{"sanction", 0, 0}, {"amount", 0, 0}}},
		{Agent: "net:runs/a-very-long-name/of-a-run/checkpoints/checkpoint-000123.safetensors,argmax",
			Families: []eval.FamilyUsage{
				{"settle", 1.666, 3.333}, {"dismantle", 1, 1}, {"offer", 99.97, 100}, {"sanction", 0, 0}, {"amount", 8.5, 8.5}}},
	}
	var b strings.Builder
	must.Do(t, eval.WriteUsage(&b, usage))
	golden(t, "usage.txt", b.String())
}

func BenchmarkChoose(b *testing.B) {
	info := kuhn.Open(2).Info()
	c := eval.NewUsageCounter(info, []string{"a"})
	legal := make(env.Mask, info.MaskWords())
	legal.Set(kuhn.Bet)
	b.ReportAllocs()
	for b.Loop() {
		c.Choose(0, legal, kuhn.Bet)
	}
}
