package eval_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval"
)

// golden compares with testdata/name, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if flag.Lookup("update").Value.String() == "true" { // of envtest
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Have(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

func TestWriteTable(t *testing.T) {
	three, two := kuhn.Open(3), kuhn.Open(2)
	long := "net:runs/kuhn-ä-very-long-name-of-a-run/checkpoints/checkpoint-000123.safetensors,argmax"
	results := []*eval.MatchResult{
		match(t, three, eval.Options{Games: 600, Seed: 2}, honest(long), opened(t, three, "random"), honest("honest")),
		match(t, two, eval.Options{Games: 1, Seed: 3}, honest("honest")),
	}
	shared := drug("second", 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
	shared.Shared, shared.Ends = true, map[string]int{"woke": 3, "slept": 7}
	results = append(results, shared)
	var b strings.Builder
	must.Do(t, eval.WriteTable(&b, results...))
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	golden(t, "table.txt", b.String())
}

// Nothing that agents call themselves or say of their faults moves a cursor or changes a colour.
func TestControlCharacters(t *testing.T) {
	const evil = "net:\x1b[2Jruns\r\u202e\u009b31m"
	r := match(t, kuhn.Open(2), eval.Options{Games: 20, Seed: 2}, honest(evil), opened(t, kuhn.Open(2), "random"))
	r.Agents[0].Forfeits, r.Agents[0].Fault = 1, "said "+evil
	c := &eval.Comparison{Game: "kuhn", A: evil, B: evil, Blocks: 1}
	var b strings.Builder
	if err := errors.Join(eval.WriteTable(&b, r), eval.WriteComparison(&b, c), eval.WriteReport(&b, eval.Report{
		Title: evil, Settings: []eval.Setting{{Name: "agents", Value: evil}}, Matches: []*eval.MatchResult{r},
		Comparisons: []*eval.Comparison{c},
		Training: []eval.Chart{{Title: "Return", Series: []eval.Series{{Name: evil, X: []float64{0, 1}, Y: []float64{0, 1}},
			{Name: "b"}}}},
	})); err != nil {
		t.Fatal(err)
	}
	shown, _, _ := strings.Cut(b.String(), "<script") // behind it stand the results for programs, as JSON
	if at := strings.IndexFunc(shown, func(r rune) bool {
		return !unicode.IsGraphic(r) && r != '\n' &&
			r != '\t'
	}); at >= 0 {
		t.Errorf("a control character in %q", shown[max(0, at-60):at+20])
	}
	if n := strings.Count(shown, `\x1b[2J`); n < 8 {
		t.Errorf("the name is shown %d times", n)
	}
}

func TestWriteComparison(t *testing.T) {
	c := must.Have(eval.Compare(drug("second", 1.9, 0.8, 1.1), drug("first", 0.7, -1.6, -0.2)))(t)
	var b strings.Builder
	must.Do(t, eval.WriteComparison(&b, c))
	golden(t, "comparison.txt", b.String())
}
