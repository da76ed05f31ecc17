package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"earthgym/env/spelling"
)

// ReportForm finds what writes a report to a file of that name: WriteReport's page for .html and names without an end,
// tables in Markdown for .md, and the results as JSON for .json.
func ReportForm(name string) (func(w io.Writer, r Report) error, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case "", ".html":
		return WriteReport, nil
	case ".md":
		return writeMarkdown, nil
	case ".json":
		return writeReportJSON, nil
	}
	return nil, fmt.Errorf("%s: a report is a file that ends in .html, .md or .json", name)
}

// results are those of a report, tournaments with what they have beside their games.
func (r *Report) results() []any {
	list := []any{}
	for _, m := range r.Matches {
		list = append(list, m)
	}
	if r.Tournament != nil {
		list = append(list, r.Tournament)
	}
	if r.CrossPlay != nil {
		list = append(list, r.CrossPlay)
	}
	return list
}

// matches are the matches of a report, the games of a tournament last.
func (r *Report) matches() []*MatchResult {
	list := append([]*MatchResult{}, r.Matches...)
	if r.Tournament != nil {
		list = append(list, r.Tournament.MatchResult)
	}
	return list
}

// writeReportJSON writes the results of a report as one JSON document.
func writeReportJSON(w io.Writer, r Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Title       string        `json:"title"`
		Program     string        `json:"program"`
		Results     []any         `json:"results"`
		Comparisons []*Comparison `json:"comparisons,omitempty"`
	}{r.Title, r.Program, r.results(), r.Comparisons})
}

func writeMarkdown(w io.Writer, r Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", plainText(r.Title))
	if made := r.made(); made != "" {
		fmt.Fprintf(&b, "\n%s\n", plainText(made))
	}
	if t := r.Tournament; t != nil {
		t.markdown(&b)
	}
	if c := r.CrossPlay; c != nil {
		c.markdown(&b)
	}
	for _, m := range r.matches() {
		m.markdown(&b)
	}
	if len(r.Comparisons) > 0 {
		rows := [][]string{{"first table", "second", "game seeds", "return", "wins", "score"}}
		for _, c := range r.Comparisons {
			rows = append(rows, []string{c.A, c.B, fmt.Sprint(c.Blocks), signed(c.MeanReturn, c.ReturnCI),
				percent(c.WinShare, c.WinCI), difference(c.MeanScore, c.ScoreCI)})
		}
		b.WriteString("\n## Whole tables compared\n")
		markdownTable(&b, rows)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *TournamentResult) markdown(b *strings.Builder) {
	b.WriteString("\n## Standings\n")
	rows := [][]string{{"", "agent", "rating", "return", r.winWord()}}
	if !r.Shared {
		rows[0] = append(rows[0], "deviation rating", "soft Condorcet")
	}
	pairs := [][]string{{"", "agent"}}
	for i, a := range r.Agents {
		x := r.Ratings[i]
		row := []string{fmt.Sprint(i + 1), a.Agent, r.ratingText(i), signed(a.MeanReturn, a.ReturnCI),
			percent(a.WinShare, a.WinCI)}
		if !r.Shared {
			row = append(row, hundredths(x.Deviation), hundredths(x.Condorcet))
		}
		rows, pairs[0] = append(rows, row), append(pairs[0], fmt.Sprint(i+1))
		against := []string{fmt.Sprint(i + 1), a.Agent}
		for j, pair := range r.Against[i] {
			against = append(against, pair.text(i != j))
		}
		pairs = append(pairs, against)
	}
	markdownTable(b, rows)
	for i, n := range r.remarks() {
		if i == 0 {
			b.WriteByte('\n')
		}
		for _, item := range n.items {
			fmt.Fprintf(b, "- %s\n", plainText(item))
		}
	}
	b.WriteString("\nEach against each: half of the return of the row minus that of the column; * is clear for all " +
		"pairs together (Holm, 5 %).\n")
	markdownTable(b, pairs)
}

func (c *CrossPlay) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s: guests at each other's tables\n\n%s, seed %d; each row is the table of an agent, with "+
		"each agent as a guest in one seat; * differs from the table without a guest, for all guests together (Holm, 5 %%)\n",
		plainText(c.Short), spelling.Counted(c.Blocks, "game seed"), c.Seed)
	for _, m := range c.matrices() {
		markdownTable(b, c.rows(m.title, m))
	}
	b.WriteByte('\n')
	for _, line := range linesOf(c.summary()) {
		fmt.Fprintf(b, "- %s\n", plainText(line))
	}
}

func (a *AgainstRow) text(met bool) string {
	switch {
	case !met || a.Games == 0:
		return "·"
	case a.Clear:
		return fmt.Sprintf("%+.2f*", a.Mean)
	}
	return fmt.Sprintf("%+.2f", a.Mean)
}

func (r *MatchResult) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s; intervals of 95 %% over game seeds\n", plainText(r.Short), r.design())
	rows := r.rows()
	if r.versus() {
		rows[0] = append(rows[0], "minus the first", "so it is")
		for i := range r.Agents[1:] {
			d := r.Differences[i].reversed() // those of the first come first
			rows[2+i] = append(rows[2+i], signed(d.MeanReturn, d.ReturnCI), d.verdict())
		}
	}
	markdownTable(b, rows)
	items := [][]string{{"ends", strings.Join(r.ends(), ", ")}}
	for _, m := range r.Measures {
		items = append(items, []string{m.Name, plain(m.Mean, m.CI)})
	}
	for _, n := range append(r.luckNotes(), r.notes()...) {
		items = append(items, []string{n.name, strings.Join(n.items, ", ")})
	}
	items = append(items, []string{"decisions", fmt.Sprintf("%.1f a game, at most %d", r.Decisions.Mean, r.Decisions.Max)})
	if !r.Shared {
		for _, s := range r.Seats {
			items = append(items, []string{fmt.Sprintf("seat %d", s.Seat), "return " + signed(s.MeanReturn, s.ReturnCI)})
		}
	}
	markdownTable(b, append([][]string{{"", ""}}, items...))
}

// luckNotes are the returns without luck, a line for each agent and for each difference to the first.
func (r *MatchResult) luckNotes() []note {
	if r.Aivat == nil {
		return nil
	}
	var notes []note
	add := func(of string, mean float64, ci Interval, factor float64) {
		notes = append(notes, note{
			"without luck", []string{fmt.Sprintf("%s: return %s by %s, as of %.2f times as many games", of, signed(mean, ci),
				spelling.Printable(r.Aivat.Value), factor)}})
	}
	for _, x := range r.Aivat.Agents {
		add(spelling.Printable(x.Agent), x.MeanReturn, x.ReturnCI, x.Factor)
	}
	if r.versus() {
		for i := range r.Agents[1:] {
			d := r.Aivat.Differences[i].reversed() // those of the first come first
			add(spelling.Printable(d.Agent)+" minus "+spelling.Printable(d.Other), d.MeanReturn, d.ReturnCI, d.Factor)
		}
	}
	return notes
}

// markdownTable writes rows, the first of them the head.
func markdownTable(b *strings.Builder, rows [][]string) {
	b.WriteByte('\n')
	for i, row := range rows {
		for c := range rows[0] {
			cell := ""
			if c < len(row) {
				cell = plainText(row[c])
			}
			fmt.Fprintf(b, "| %s ", cell)
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
}

// plainText is a text that Markdown shows as it is.
func plainText(text string) string {
	var b strings.Builder
	for _, c := range spelling.Printable(text) {
		if strings.ContainsRune("\\`*_[]<>|#&~$", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
