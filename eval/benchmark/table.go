package benchmark

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"earthgym/env/spelling"
	"earthgym/eval"
)

//go:embed results.json
var storedText []byte

// Stored are the results of the whole field that come with the program.
func Stored() (*Results, error) {
	r := &Results{}
	if err := json.Unmarshal(storedText, r); err != nil {
		return nil, fmt.Errorf("the stored results: %w", err)
	}
	return r, nil
}

// In are the results in some of the games.
func (r *Results) In(p *Protocol, games []string) *Results {
	some := *r
	some.Rows = nil
	for _, row := range r.Rows {
		row.Contests = slices.DeleteFunc(slices.Clone(row.Contests),
			func(c ContestResult) bool { return !slices.Contains(games, c.Game) })
		row.Scenarios = slices.DeleteFunc(slices.Clone(row.Scenarios), func(s SceneResult) bool {
			return !slices.ContainsFunc(p.Scenarios,
				func(is Scenario) bool { return is.Name == s.Scenario && slices.Contains(games, is.Game) })
		})
		row.Profile, row.Total = profile(row.Scenarios), p.total(row.Contests)
		some.Rows = append(some.Rows, row)
	}
	return &some
}

// A table is one thing that results tell: a row for each agent.
type table struct {
	title string
	head  []string
	rows  [][]string
}

func (r *Results) tables() []table {
	var games, scenes []string
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, row := range r.Rows {
		for _, c := range row.Contests {
			add(&games, c.Game)
		}
		for _, s := range row.Scenarios {
			add(&scenes, s.Scenario)
		}
	}
	contest := func(title string, cell func(c *ContestResult) string) table {
		t := table{title: title, head: []string{"agent"}}
		for _, game := range games {
			t.head = append(t.head, short(game))
		}
		for _, row := range r.Rows {
			cells := make([]string, len(games))
			for i := range row.Contests {
				cells[slices.Index(games, row.Contests[i].Game)] = cell(&row.Contests[i])
			}
			t.add(brief(row.Agent, 30), cells)
		}
		return t
	}
	list := []table{
		r.totals(contest("score at the table of the reference: 0 is random play, 1 the reference, both taken as exact",
			func(c *ContestResult) string { return number("%.2f", c.Score) })),
		contest("rating among the field; the reference is 0", func(c *ContestResult) string {
			if c.Rating == nil {
				return ""
			}
			return number("%+.0f", *c.Rating)
		}),
		contest("exploited: what the best guest of the field gains at the agent's own table", func(c *ContestResult) string {
			if c.Exploited == nil {
				return ""
			}
			return number("%+.2f", c.Exploited.Gain)
		}),
		contest("together: games won, or kept from losing what is shared, by its own table, in %",
			func(c *ContestResult) string {
				switch {
				case c.Success != nil:
					return number("%.0f", hundredfold(*c.Success))
				case c.Lost != nil:
					l := hundredfold(*c.Lost)
					return number("%.0f", eval.Share{Mean: 100 - l.Mean, CI: eval.Interval{100 - l.CI[1], 100 - l.CI[0]}})
				}
				return ""
			}),
	}
	if t := r.variants(games); len(t.rows) > 0 {
		list = append(list, t)
	}
	if len(scenes) == 0 {
		return list
	}
	scenarios := table{title: "scenarios", head: append([]string{"scenario"}, r.names()...)}
	for _, scene := range scenes {
		cells := make([]string, len(r.Rows))
		for i, row := range r.Rows {
			if k := slices.IndexFunc(row.Scenarios, func(s SceneResult) bool { return s.Scenario == scene }); k >= 0 {
				cells[i] = number("%.2f", row.Scenarios[k].Score)
			}
		}
		scenarios.add(scene, cells)
	}
	profiles := table{title: "profile: mean score of the scenarios that demand a thing",
		head: append([]string{"agent"}, Demands()...)}
	for _, row := range r.Rows {
		cells := make([]string, len(Demands()))
		for _, d := range row.Profile {
			cells[slices.Index(Demands(), d.Name)] = strings.Replace(fmt.Sprintf("%.2f", d.Score), "-0.00", "0.00", 1)
		}
		profiles.add(brief(row.Agent, 30), cells)
	}
	return append(list, scenarios, profiles)
}

// totals adds a column to the scores: their mean, each with those of its game's variants.
func (r *Results) totals(scores table) table {
	if !slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Total != nil }) {
		return scores
	}
	scores.head = append(scores.head, "all, with variants")
	i := 0
	for _, row := range r.Rows {
		if len(row.Contests) == 0 {
			continue
		}
		cell := "-"
		if row.Total != nil {
			cell = number("%.2f", *row.Total)
		}
		scores.rows[i] = append(scores.rows[i], cell)
		i++
	}
	return scores
}

func (r *Results) variants(games []string) table {
	t := table{title: "score in other variants of the rulebooks, at the table of the reference",
		head: append([]string{"variant"}, r.names()...)}
	var names []string
	cells := map[string][]string{}
	for _, game := range games {
		for i, row := range r.Rows {
			k := slices.IndexFunc(row.Contests, func(c ContestResult) bool { return c.Game == game })
			if k < 0 {
				continue
			}
			for _, v := range row.Contests[k].Variants {
				name := game + ":" + v.Variant
				if cells[name] == nil {
					cells[name] = make([]string, len(r.Rows))
					names = append(names, name)
				}
				cells[name][i] = number("%.2f", v.Score)
			}
		}
	}
	for _, name := range names {
		t.add(brief(name, 40), cells[name])
	}
	return t
}

// add adds a row, unless it says nothing.
func (t *table) add(name string, cells []string) {
	if strings.Join(cells, "") == "" {
		return
	}
	for i := range cells {
		if cells[i] == "" {
			cells[i] = "-"
		}
	}
	t.rows = append(t.rows, append([]string{name}, cells...))
}

// brief is the name of an agent in so many letters: of a long one, such as a command, the end says most.
func brief(name string, most int) string {
	runes := []rune(spelling.Printable(name))
	if len(runes) > most {
		runes = append([]rune("…"), runes[len(runes)-most+1:]...)
	}
	return string(runes)
}

func (r *Results) names() []string {
	var names []string
	for _, row := range r.Rows {
		names = append(names, brief(strings.TrimPrefix(row.Agent, "script:"), 13))
	}
	return names
}

// short names a game in a column.
func short(game string) string {
	if len(game) > 12 {
		game, _, _ = strings.Cut(game, "-")
	}
	return game
}

func hundredfold(s eval.Share) eval.Share {
	return eval.Share{Mean: 100 * s.Mean, CI: eval.Interval{100 * s.CI[0], 100 * s.CI[1]}}
}

// number writes a mean with the greater half of its interval; what rounds to no difference at all has none. Of what is
// not known it is "?".
func number(format string, s eval.Share) string {
	if unknown(s) {
		return "?"
	}
	plain := strings.Replace(format, "+", "", 1)
	if strings.Trim(fmt.Sprintf(plain, s.Mean), "-0.") == "" {
		s.Mean = 0 // never -0
	}
	half := fmt.Sprintf(plain, max(s.Mean-s.CI[0], s.CI[1]-s.Mean))
	if strings.Trim(half, "0.") == "" {
		return fmt.Sprintf(format, s.Mean)
	}
	return fmt.Sprintf(format, s.Mean) + " ± " + half
}

func (r *Results) heading() string {
	text := fmt.Sprintf("protocol %d, %s, %s", r.Protocol, r.Program, r.Date)
	if r.Quick {
		text = "quick, " + text
	}
	if r.Season {
		text = "a season's variants, " + text
	}
	return text + "; intervals of 95 %"
}

// WriteText writes the results as plain text.
func WriteText(w io.Writer, r *Results) error {
	var b strings.Builder
	b.WriteString(r.heading() + "\n")
	for _, t := range r.tables() {
		if len(t.rows) == 0 {
			continue
		}
		b.WriteString("\n" + t.title + "\n\n")
		all := append([][]string{t.head}, t.rows...)
		widths := make([]int, len(t.head))
		for _, row := range all {
			for i, cell := range row {
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
		for _, row := range all {
			var line strings.Builder
			fmt.Fprintf(&line, "%-*s", widths[0], row[0])
			for i, cell := range row[1:] {
				fmt.Fprintf(&line, "  %*s", widths[i+1], cell)
			}
			b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
	}
	for _, row := range r.Rows {
		if row.Network != "" {
			fmt.Fprintf(&b, "\n%s plays by %s\n", spelling.Printable(row.Agent), shortHashes(row.Network))
		}
		for _, made := range row.made() {
			fmt.Fprintf(&b, "%s is %s\n", spelling.Printable(row.Agent), spelling.Printable(made))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// made are what the agent's text leaves open, each with the games that it is so in.
func (r *Row) made() []string {
	var made []string
	games := map[string][]string{}
	for _, c := range r.Contests {
		if c.Made == "" {
			continue
		}
		if games[c.Made] == nil {
			made = append(made, c.Made)
		}
		games[c.Made] = append(games[c.Made], c.Game)
	}
	for i, m := range made {
		made[i] = m + " in " + strings.Join(games[m], ", ")
	}
	return made
}

// shortHashes are the first digits of hashes.
func shortHashes(hashes string) string {
	words := strings.Fields(hashes)
	for i, h := range words {
		words[i] = h[:min(12, len(h))]
	}
	return strings.Join(words, ", ")
}

// WriteMarkdown writes the results for a page.
func WriteMarkdown(w io.Writer, r *Results) error {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`: %s.\n", r.Command, r.heading())
	for _, t := range r.tables() {
		if len(t.rows) == 0 {
			continue
		}
		b.WriteString("\n" + spelling.Capital(t.title) + ":\n\n")
		b.WriteString("| " + strings.Join(t.head, " | ") + " |\n|---" + strings.Repeat("|---:", len(t.head)-1) + "|\n")
		for _, row := range t.rows {
			b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
