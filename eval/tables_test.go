package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// A report says the same in all its forms.
func TestReportForms(t *testing.T) {
	g := kuhn.Open(2)
	tour := must.Have(OpenTournament(t.TempDir(), g, gamblers(3), TournamentOptions{Seed: 4}))(t)
	defer tour.Close()
	must.Do(t, tour.Play(context.Background(), 300, 0, Options{}))
	standings := must.Have(tour.Result(""))(t)
	odd := &agents.Maker{Text: "odd|one*", New: gamblers(2)[1].New}
	match := must.Have(Match(context.Background(), g, []*agents.Maker{odd, gamblers(2)[0]},
		Options{Games: 40, Seed: 1, Value: valueOf(nonsense)}))(t)
	r := Report{Title: "a cup", Program: "test", Matches: []*MatchResult{match}, Tournament: standings}
	written := func(name string) string {
		form := must.Have(ReportForm(name))(t)
		var b bytes.Buffer
		must.Do(t, form(&b, r))
		return b.String()
	}
	rating := standings.ratingText(0)
	page := html.UnescapeString(written("cup.HTML"))
	for _, want := range []string{"<h2>Standings</h2>", "deviation rating", rating} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	text := written("cup.md")
	for _, want := range []string{"# a cup\n", "## Standings\n", "| 1 | " + standings.Agents[0].Agent + " | " +
		plainText(rating), `| odd\|one\* | 40 |`, "| without luck | odd"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	var doc struct{ Results []map[string]any }
	if err := json.Unmarshal([]byte(written("cup.json")), &doc); err != nil || len(doc.Results) != 2 ||
		doc.Results[1]["ratings"] == nil {
		t.Errorf("%v, %v", doc, err)
	}
	cross := must.Have(PlayCrossPlay(context.Background(), g, gamblers(2), Options{Games: 40, Seed: 2}))(t)
	r = Report{Title: "guests", CrossPlay: cross}
	text = written("guests.md")
	for _, want := range []string{"guests at each other's tables", "| return of the guest | 1 | 2 |", "| 2 b | ",
		"- as guests: return "} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if _, err := ReportForm("cup.pdf"); err == nil ||
		!strings.Contains(err.Error(), "cup.pdf: a report is a file that ends in .html, .md or .json") {
		t.Errorf("error %v", err)
	}
}
