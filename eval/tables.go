package eval

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"earthgym/env/spelling"
)

// reportForms are the forms of reports, by the ends of their files' names.
func reportForms() map[string]func(w io.Writer, r Report) error {
	return map[string]func(w io.Writer, r Report) error{
		"": WriteReport, ".html": WriteReport, ".md": writeMarkdown, ".csv": writeCSV, ".json": writeReportJSON,
	}
}

// ReportForm finds what writes a report to a file of that name: WriteReport's page for .html and names without an end,
// tables in Markdown for .md, a row for each number for .csv, and the results as JSON for .json.
func ReportForm(name string) (func(w io.Writer, r Report) error, error) {
	if form := reportForms()[strings.ToLower(filepath.Ext(name))]; form != nil {
		return form, nil
	}
	return nil, fmt.Errorf("%s: a report is a file that ends in .html, .md, .csv or .json", name)
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

// matches are those of a report, the games of a tournament last.
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

// writeCSV writes the numbers of a report, one a row: of which game, of whom, against whom, what, how much and from
// where to where; ends that are not known are empty.
func writeCSV(w io.Writer, r Report) error {
	out := csv.NewWriter(w)
	number := func(x float64) string {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	unknown := Interval{math.Inf(-1), math.Inf(1)}
	row := func(game, of, against, what string, x float64, ci Interval) {
		// Flush says it.
		_ = out.Write([]string{game, spelling.Printable(of), spelling.Printable(against), what, number(x), number(ci[0]),
			number(ci[1])})
	}
	_ = out.Write([]string{"game", "of", "against", "what", "value", "low", "high"})
	for _, m := range r.matches() {
		row(m.Short, "", "", "games", float64(m.Games), unknown)
		for _, a := range m.Agents {
			row(m.Short, a.Agent, "", "seats", float64(a.Seats), unknown)
			row(m.Short, a.Agent, "", "return", a.MeanReturn, a.ReturnCI)
			row(m.Short, a.Agent, "", m.winWord(), a.WinShare, a.WinCI)
			row(m.Short, a.Agent, "", "score", a.MeanScore, a.ScoreCI)
			row(m.Short, a.Agent, "", "forfeits", float64(a.Forfeits), unknown)
		}
		for _, d := range m.Differences {
			row(m.Short, d.Agent, d.Other, "return difference", d.MeanReturn, d.ReturnCI)
		}
		if m.Aivat != nil {
			for _, a := range m.Aivat.Agents {
				row(m.Short, a.Agent, "", "return without luck", a.MeanReturn, a.ReturnCI)
			}
			for _, d := range m.Aivat.Differences {
				row(m.Short, d.Agent, d.Other, "return difference without luck", d.MeanReturn, d.ReturnCI)
			}
		}
		if f := m.Floor; f != nil {
			row(m.Short, f.Agent, f.Other, "noise floor", f.MeanReturn, f.ReturnCI)
		}
		for _, s := range m.Seats {
			row(m.Short, fmt.Sprintf("seat %d", s.Seat), "", "return", s.MeanReturn, s.ReturnCI)
		}
		for _, x := range m.Measures {
			row(m.Short, "", "", x.Name, x.Mean, x.CI)
		}
		for _, reason := range m.reasons() {
			row(m.Short, "", "", "end: "+reason, float64(m.Ends[reason]), unknown)
		}
		row(m.Short, "", "", "decisions", m.Decisions.Mean, unknown)
	}
	if t := r.Tournament; t != nil {
		for i, x := range t.Ratings {
			row(t.Short, x.Agent, "", "rating", x.Rating, x.CI)
			if p := x.WithoutForfeits; p != nil {
				row(t.Short, x.Agent, "", "rating without forfeited games", p.Rating, p.CI)
			}
			if !t.Shared {
				row(t.Short, x.Agent, "", "deviation rating", x.Deviation, unknown)
				row(t.Short, x.Agent, "", "soft Condorcet", x.Condorcet, unknown)
			}
			for j, pair := range t.Against[i] {
				if i != j && pair.Games > 0 {
					row(t.Short, x.Agent, t.Ratings[j].Agent, "half of the return difference", pair.Mean, pair.CI)
				}
			}
		}
	}
	for _, c := range r.Comparisons {
		row(c.Short, c.A, c.B, "return difference", c.MeanReturn, c.ReturnCI)
		row(c.Short, c.A, c.B, "success difference", c.WinShare, c.WinCI)
		row(c.Short, c.A, c.B, "score difference", c.MeanScore, c.ScoreCI)
	}
	if c := r.CrossPlay; c != nil {
		c.rows(row)
	}
	out.Flush()
	return out.Error()
}

// rows are the numbers of a CrossPlay: of a guest, against the table's agent.
func (c *CrossPlay) rows(row func(game, of, against, what string, x float64, ci Interval)) {
	for _, tables := range c.Tables {
		for _, t := range tables {
			add := func(what string, s Share) { row(c.Short, t.Guest, t.Agent, what, s.Mean, s.CI) }
			add("return at the table", t.Return)
			add("success at the table", t.Success)
			if t.Guest != t.Agent {
				add("gain over the table's agent", t.Gain)
				add("return of the others", t.Others)
				add("gain of the others", t.OthersGain)
			}
			if x := t.Commons; x != nil {
				add("return of all seats", x.Welfare)
				add("Gini coefficient of the scores", x.Gini)
				add("lost what all share", x.Lost)
				add("pushed it over", x.Agents[0].Pushed)
				add("used up of it", x.Agents[0].Depleted)
			}
			for _, m := range t.Measures {
				row(c.Short, t.Guest, t.Agent, m.Name, m.Mean, m.CI)
			}
		}
	}
	row(c.Short, "", "", "return of own tables", c.Self.Mean, c.Self.CI)
	row(c.Short, "", "", "return of guests", c.Cross.Mean, c.Cross.CI)
	row(c.Short, "", "", "guests minus own tables", c.Gap.Mean, c.Gap.CI)
	for i, x := range c.Floor {
		row(c.Short, c.Agents[i]+" (copy)", c.Agents[i], "gain of a copy over the table's agent", x.Mean, x.CI)
	}
	for i, p := range c.Price {
		row(c.Short, c.Agents[i], "", "price of selfishness", p.Mean, p.CI)
	}
}

// writeMarkdown writes the tables of a report in Markdown.
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
		rows := [][]string{{"first table", "second", "game seeds", "return", "success", "score"}}
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
		plainText(c.Short), count(c.Blocks, "game seed"), c.Seed)
	for _, m := range c.matrices() {
		rows := [][]string{{m.title}}
		for i, agent := range c.Agents {
			rows[0] = append(rows[0], fmt.Sprint(i+1))
			row := []string{fmt.Sprintf("%d %s", i+1, agent)}
			for j := range c.Agents {
				row = append(row, m.cell(&c.Tables[i][j]).marked())
			}
			rows = append(rows, row)
		}
		markdownTable(b, rows)
	}
	b.WriteByte('\n')
	for _, line := range c.lines() {
		fmt.Fprintf(b, "- %s\n", plainText(line))
	}
}

// text is the cell of a pair.
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
	rows := [][]string{{"agent", "seat-games", "return", r.winWord(), "score"}}
	if r.versus() {
		rows[0] = append(rows[0], "minus the first", "so it is")
	}
	for i, a := range r.Agents {
		row := []string{a.Agent, fmt.Sprint(a.Seats), signed(a.MeanReturn, a.ReturnCI), percent(a.WinShare, a.WinCI),
			plain(a.MeanScore, a.ScoreCI)}
		if r.versus() && i > 0 {
			d := r.Differences[i-1].reversed()
			row = append(row, signed(d.MeanReturn, d.ReturnCI), d.verdict())
		}
		rows = append(rows, row)
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
