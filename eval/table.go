package eval

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// tableWidth is the number of columns of a terminal that a table fits.
const tableWidth = 100

// shortest is how far the name of an agent may be cut to fit.
const shortest = 12

// WriteTable writes each result as a table of plain text, at most 100 columns wide.
func WriteTable(w io.Writer, results ...*MatchResult) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.table(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *MatchResult) table(b *strings.Builder) {
	fmt.Fprintf(b, "%s\n%s\n\n", r.Short, r.design())
	header := []string{"agent", "seat-games", "return", r.winWord(), "score"}
	if r.versus() {
		header = append(header, "against the first")
	}
	rows := [][]string{header}
	for i, a := range r.Agents {
		row := []string{
			a.Agent, fmt.Sprint(a.Seats),
			signed(a.MeanReturn, a.ReturnCI), percent(a.WinShare, a.WinCI), plain(a.MeanScore, a.ScoreCI),
		}
		if r.versus() {
			verdict := ""
			if i > 0 {
				d := r.Differences[i-1].reversed() // those of the first come first
				verdict = signed(d.MeanReturn, d.ReturnCI) + " " + d.verdict()
			}
			row = append(row, verdict)
		}
		rows = append(rows, row)
	}
	writeColumns(b, rows)
	fmt.Fprintf(b, "\nends       %s\n", strings.Join(r.ends(), ", "))
	for _, m := range r.Measures {
		fmt.Fprintf(b, "%-10s %s\n", m.Name, plain(m.Mean, m.CI))
	}
	for _, a := range r.Agents {
		if a.Forfeits > 0 {
			fmt.Fprintf(b, "forfeits   %s: %s, the first because: %s\n", a.Agent, count(a.Forfeits, "game"), a.Fault)
		}
	}
	fmt.Fprintf(b, "decisions  %.1f a game, at most %d\n", r.Decisions.Mean, r.Decisions.Max)
	if !r.Shared {
		b.WriteString("seats      return")
		for _, s := range r.Seats {
			fmt.Fprintf(b, " %d: %s%s", s.Seat, signed(s.MeanReturn, s.ReturnCI), separator(s.Seat, len(r.Seats)))
		}
		b.WriteByte('\n')
	}
}

func separator(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}

// versus says whether agents were against each other, so that their difference means something.
func (r *MatchResult) versus() bool { return !r.Shared && len(r.Agents) > 1 }

// winWord is what a win is called.
func (r *MatchResult) winWord() string {
	if r.Shared {
		return "success"
	}
	return "win share"
}

// design says how the match was made.
func (r *MatchResult) design() string {
	return fmt.Sprintf("%s: %s × %s, match seed %d; ± is a 95 %% interval over game seeds",
		count(r.Games, "game"), count(r.Blocks, "game seed"), count(r.Seatings, "seating"), r.Seed)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ends lists the reasons with their games, the most frequent first.
func (r *MatchResult) ends() []string {
	var list []string
	for _, reason := range r.reasons() {
		n := r.Ends[reason]
		list = append(list, fmt.Sprintf("%s %d (%.1f %%)", reason, n, 100*float64(n)/float64(r.Games)))
	}
	return list
}

// reasons are those of the ends, the most frequent first.
func (r *MatchResult) reasons() []string {
	reasons := slices.Sorted(maps.Keys(r.Ends))
	slices.SortStableFunc(reasons, func(a, b string) int { return r.Ends[b] - r.Ends[a] })
	return reasons
}

// reversed is the difference seen from the other agent.
func (d Difference) reversed() Difference {
	return Difference{d.Other, d.Agent, -d.MeanReturn + 0, Interval{-d.ReturnCI[1], -d.ReturnCI[0]}}
}

// verdict says what the difference shows of the agent: an interval that holds 0 leaves it open.
func (d Difference) verdict() string {
	switch {
	case d.ReturnCI.Above(0):
		return "better"
	case d.ReturnCI.Below(0):
		return "worse"
	}
	return "open"
}

// signed writes a return: +0.123 ± 0.045.
func signed(x float64, ci Interval) string {
	return fmt.Sprintf("%+.3f ± %s", x, margin("%.3f", x, ci))
}

// percent writes a share: 51.2 ± 3.4 %.
func percent(x float64, ci Interval) string {
	return fmt.Sprintf("%.1f ± %s %%", 100*x, margin("%.1f", 100*x, Interval{100 * ci[0], 100 * ci[1]}))
}

// plain writes a score: 12.34 ± 0.56.
func plain(x float64, ci Interval) string { return fmt.Sprintf("%.2f ± %s", x, margin("%.2f", x, ci)) }

// margin is the distance from the mean to the farther end of its interval.
func margin(format string, mean float64, ci Interval) string {
	m := max(ci[1]-mean, mean-ci[0])
	if math.IsInf(m, 0) {
		return "?"
	}
	return fmt.Sprintf(format, m)
}

// writeColumns writes rows with the first column to the left and all others to the right, two blanks
// apart. Names in the first column are cut in the middle where a line would be too long.
func writeColumns(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	total := 0
	for c := range widths {
		for _, row := range rows {
			widths[c] = max(widths[c], utf8.RuneCountInString(row[c]))
		}
		if c > 0 {
			total += 2 + widths[c]
		}
	}
	widths[0] = min(widths[0], max(shortest, tableWidth-total))
	for _, row := range rows {
		var line strings.Builder
		fmt.Fprintf(&line, "%-*s", widths[0], cut(row[0], widths[0]))
		for c, cell := range row[1:] {
			fmt.Fprintf(&line, "  %*s", widths[c+1], cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
}

// cut shortens a text to n characters and keeps both its ends.
func cut(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	head := (n - 1) / 2
	tail := n - 1 - head
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// WriteComparison writes a comparison as plain text.
func WriteComparison(w io.Writer, c *Comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s minus %s, paired by %s; ± is a 95 %% interval over game seeds\n\nreturn   %s\nsuccess  %s\nscore    %+.2f ± %s\n",
		c.Short, c.A, c.B, count(c.Blocks, "game seed"),
		signed(c.MeanReturn, c.ReturnCI), percent(c.WinShare, c.WinCI), c.MeanScore, margin("%.2f", c.MeanScore, c.ScoreCI))
	for _, m := range c.Measures {
		fmt.Fprintf(&b, "%s  %+.2f ± %s\n", m.Name, m.Mean, margin("%.2f", m.Mean, m.CI))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
