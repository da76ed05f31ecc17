package figures

import (
	"flag"
	"os"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/env/decode"
	"earthgym/env/envtest/must"
	"earthgym/env/envtest/readme"
)

var update = flag.Bool("update", false, "rewrite the table in README.md")

// README.md shows the stored results.
func TestReadme(t *testing.T) {
	text := must.Have(os.ReadFile("results.json"))(t)
	r := &Results{}
	must.Do(t, decode.JSON(text, r))
	var table strings.Builder
	must.Do(t, r.WriteMarkdown(&table))
	readme.Check(t, "README.md", "figures", "go test ./train/figures -run Readme -update", table.String(), *update)
}

func TestWriteMarkdown(t *testing.T) {
	strength := func(opponent string, lead float64) checkpoint.Strength {
		return checkpoint.Strength{Opponent: opponent, Return: lead, ReturnCI: [2]float64{lead - 0.1, lead + 0.1}}
	}
	r := &Results{Program: "earthgym 1", Date: "2026-01-02", Cores: 2, Minutes: 1.5, Games: []Game{
		{"nim", []Run{
			{Seed: 1, Decisions: 1_000_000, CPUSeconds: 90, Strength: []checkpoint.Strength{strength("random", 0.5),
				strength("greedy", 0)}},
			{Seed: 2, Decisions: 2_000_000, CPUSeconds: 110, Strength: []checkpoint.Strength{strength("random", 0.7),
				strength("greedy", 0.2)}},
		}},
		{"go", []Run{
			{Seed: 1, Decisions: 10_000, Strength: []checkpoint.Strength{strength("random", 1.5)}},
			{Seed: 2, Decisions: 10_000, Strength: []checkpoint.Strength{strength("random", 1.5)}},
		}},
		{"chess", []Run{{Seed: 1, Decisions: 30_000, Strength: []checkpoint.Strength{strength("random", -0.25)}}}},
	}}
	var b strings.Builder
	must.Do(t, r.WriteMarkdown(&b))
	const want = "`earthgym dev figures`: earthgym 1, 2026-01-02; 1.5 minutes each on 2 cores. Return beyond each " +
		"opponent, mean over seeds with its interval of 95 %\n" +
		"(of one seed, or of several that are all alike, that of a match); in brackets the mean of the middle half of " +
		"them.\n\n" +
		"| game | seeds | decisions | processor time | `random` | `greedy` |\n" +
		"|---|---:|---:|---:|---:|---:|\n" +
		"| `nim` | 2 | 1.50 M | 100 s | +0.600 [-0.671, +1.871] (+0.600) | +0.100 [-1.171, +1.371] (+0.100) |\n" +
		"| `go` | 2 | 0.01 M | 0 s | +1.500 [+1.400, +1.600] (+1.500) | - |\n" +
		"| `chess` | 1 | 0.03 M | 0 s | -0.250 [-0.350, -0.150] | - |\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}
