package eval_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval"
)

func report(t testing.TB, r eval.Report) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, eval.WriteReport(&b, r))
	return b.String()
}

const hostile = `</script><b onclick="x">&'`

func example(t testing.TB) eval.Report {
	g := kuhn.Open(3)
	x := []float64{0, 1000, 2000, 3000}
	return eval.Report{
		Title: "Kuhn " + hostile, Program: "earthgym 1.2.3", Took: 125 * time.Second,
		Date:     time.Date(2026, 11, 22, 5, 6, 7, 0, time.FixedZone("", 3600)),
		Settings: []eval.Setting{{Name: "seed", Value: "2"}, {Name: "agents", Value: hostile}},
		Training: []eval.Chart{
			{Title: "Return", Help: "Against the pool.", Mark: 0.25, Series: []eval.Series{
				{Name: hostile, X: x, Y: []float64{-0.5, math.NaN(), 0.2, 0.3}},
				{Name: "random", X: x, Y: []float64{0, math.Inf(1), 0.5, 0.6}},
			}},
			{Title: "Entropy", Series: []eval.Series{{Name: "entropy", X: x, Y: []float64{0.7, 0.6, 0.5, 0.5}}}},
			{Title: "Diverged", Series: []eval.Series{{Name: "loss", X: x, Y: []float64{1, 1e20, math.MaxFloat64, 1}}}},
			{Title: "Constant", Series: []eval.Series{{Name: "loss", X: x[:1], Y: []float64{3}}}},
			{Title: "Nothing yet", Series: []eval.Series{{Name: "empty"}}},
		},
		Matches: []*eval.MatchResult{
			match(t, g, eval.Options{Games: 300, Seed: 2}, honest("net:runs/"+hostile), opened(t, g, "random")),
			match(t, g, eval.Options{Games: 3, Seed: 2}, honest("honest")),
			match(t, g, eval.Options{Games: 1, Seed: 2}, honest("a"), honest("b"), honest("c")),
		},
		Comparisons: []*eval.Comparison{{Game: "sleep:hours=8", Short: "sleep", A: hostile, B: "first", Blocks: 10,
			MeanReturn: 0.158, ReturnCI: eval.Interval{0.07, 0.246}}},
	}
}

// The page is one well-formed tree, and nothing in it comes from elsewhere.
func TestReportStandsAlone(t *testing.T) {
	for name, r := range map[string]eval.Report{"full": example(t), "empty": {Title: "nothing"}} {
		page := report(t, r)
		d := xml.NewDecoder(strings.NewReader(page))
		pictures := 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				switch e.Name.Local {
				case "svg":
					pictures++
				case "b":
					if len(e.Attr) > 0 {
						t.Errorf("%s: the name of an agent became an element", name)
					}
				case "link", "img", "iframe", "image", "use":
					t.Errorf("%s: an element %s", name, e.Name.Local)
				}
				for _, a := range e.Attr {
					if a.Name.Local == "class" && a.Value == "bars" {
						pictures++
					}
					if a.Name.Local == "src" || a.Name.Local == "href" {
						t.Errorf("%s: element %s refers to %s", name, e.Name.Local, a.Value)
					}
				}
			}
		}
		agents := 0
		for _, m := range r.Matches {
			agents += len(m.Agents)
		}
		if want := len(r.Training) + 5*len(r.Matches) + agents; name == "full" && pictures != want+2 || name == "empty" &&
			pictures != 0 {
			t.Errorf("%s: %d pictures, want %d and 2 of the summary", name, pictures, want)
		}
		for _, word := range []string{"http:", "https:", "//", "@import", "url(", "NaN", "Inf"} {
			if strings.Contains(page, word) {
				t.Errorf("%s: the page has %q", name, word)
			}
		}
	}
}

// What the page says is what the JSON says.
func TestReportShowsTheResults(t *testing.T) {
	r := example(t)
	page := report(t, r)
	_, after, _ := strings.Cut(page, `<script type="application/json" id="results">`)
	inside, _, _ := strings.Cut(after, "</script>")
	var got, want any
	must.Do(t, json.Unmarshal([]byte(inside), &got))
	b := must.Have(json.Marshal(r.Matches))(t)
	must.Do(t, json.Unmarshal(b, &want))
	if a, b := mustJSON(t, got), mustJSON(t, want); a != b {
		t.Errorf("the page holds\n%s\nwant\n%s", a, b)
	}
	var table strings.Builder
	must.Do(t, eval.WriteTable(&table, r.Matches...))
	// Every figure with an interval that the terminal shows is in the page.
	numbers := regexp.MustCompile(`[-+]?[0-9.]+ (± [0-9.?]+|\[[-+0-9.?]+, [-+0-9.?]+\])`).FindAllString(table.String(), -1)
	ends := slices.DeleteFunc(slices.Clone(numbers), func(n string) bool { return !strings.Contains(n, "[") })
	if len(numbers) < 20 || len(ends) < 3 {
		t.Fatalf("the table has only the figures %v", numbers)
	}
	text := strings.ReplaceAll(page, "&#43;", "+")
	for _, n := range numbers {
		if !strings.Contains(text, n) {
			t.Errorf("the page lacks %s", n)
		}
	}
	for _, text := range []string{
		"random", "honest", "net:<wbr/>runs/<wbr/>&lt;/<wbr/>script&gt;",
		"earthgym 1.2.3 · 22 November 2026, 04:06 UTC · took 2 min 5 s", `<th class="name">seed</th><td class="name">2</td>`,
		`</td><td colspan="2"></td></tr>`, // of the first agent, which is compared with none
	} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %s", text)
		}
	}
	// A fair share at the wins of each of 2, 1 and 3 agents, and of each of 1 and 2 opponents; the mark of a chart.
	if n := strings.Count(page, `class="mark"`) + strings.Count(page, "stroke-dasharray:4"); n != 10 {
		t.Errorf("%d dashed lines", n)
	}
	if page != report(t, example(t)) {
		t.Error("the same report is another page")
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	return string(must.Have(json.Marshal(v))(t))
}
