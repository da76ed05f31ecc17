package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"earthgym/env/spelling"
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
	fmt.Fprintf(b, "%s\n%s; intervals of 95 %% over game seeds\n\n", r.Short, r.design())
	writeColumns(b, r.rows())
	if r.versus() {
		b.WriteByte('\n')
		rows := [][]string{{"minus the first", "return", "so it is"}}
		for i, a := range r.Agents[1:] {
			d := r.Differences[i].reversed() // those of the first come first
			rows = append(rows, []string{a.Agent, signed(d.MeanReturn, d.ReturnCI), d.verdict()})
		}
		writeColumns(b, rows)
	}
	r.withoutLuck(b)
	b.WriteByte('\n')
	if r.versus() {
		writeList(b, "fair share", []string{fmt.Sprintf("%.1f %% of the wins a seat", r.fairShare())})
	}
	writeList(b, "ends", r.ends())
	for _, m := range r.Measures {
		writeList(b, m.Name, []string{plain(m.Mean, m.CI)})
	}
	if r.Commons != nil {
		r.Commons.lines(b)
	}
	for _, n := range r.notes() {
		writeList(b, n.name, n.items)
	}
	writeList(b, "decisions", []string{fmt.Sprintf("%.1f a game, at most %d", r.Decisions.Mean, r.Decisions.Max)})
	if !r.Shared {
		var seats []string
		for i, s := range r.Seats {
			seats = append(seats, fmt.Sprintf("%d: %s", s.Seat, signed(s.MeanReturn, s.ReturnCI)))
			if i == 0 {
				seats[i] = "return " + seats[i]
			}
		}
		writeList(b, "seats", seats)
	}
}

// rows are what each agent has made, below what that is.
func (r *MatchResult) rows() [][]string {
	rows := [][]string{{"agent", "seat-games", "return", r.winWord(), "score"}}
	for _, a := range r.Agents {
		rows = append(rows, []string{a.Agent, fmt.Sprint(a.Seats), signed(a.MeanReturn, a.ReturnCI),
			percent(a.WinShare, a.WinCI), plain(a.MeanScore, a.ScoreCI)})
	}
	return rows
}

// withoutLuck writes what is left of returns and differences when luck is taken away, if it has been measured.
func (r *MatchResult) withoutLuck(b *strings.Builder) {
	a := r.Aivat
	if a == nil {
		return
	}
	b.WriteByte('\n')
	rows := [][]string{{"without luck (AIVAT, " + a.Value + ")", "return", "as of games"}}
	for _, x := range a.Agents {
		rows = append(rows, []string{x.Agent, signed(x.MeanReturn, x.ReturnCI), times(x.Factor)})
	}
	if r.versus() {
		for i, x := range a.Agents[1:] {
			d := a.Differences[i].reversed() // those of the first come first
			rows = append(rows, []string{x.Agent + " minus the first", signed(d.MeanReturn, d.ReturnCI), times(d.Factor)})
		}
	}
	writeColumns(b, rows)
}

func times(factor float64) string { return fmt.Sprintf("× %.2f", factor) }

// A note is something that not every match has.
type note struct {
	name  string
	items []string
}

// linesOf are notes, each on a line of its own, below its name or the last one.
func linesOf(notes []note) (lines []string) {
	name := ""
	for _, n := range notes {
		name = cmp.Or(n.name, name)
		lines = append(lines, strings.TrimPrefix(name+": ", ": ")+strings.Join(n.items, ", "))
	}
	return lines
}

// fewForClaims is how many blocks it takes until Student's t of blocks that are far from normal can be believed.
const fewForClaims = 10

// notes say how it was decided that enough had been played, and what became of forfeits.
func (r *MatchResult) notes() []note {
	var notes []note
	if s := r.Stop; s != nil {
		notes = append(notes, note{"stopped", []string{s.Rule, "of " + spelling.Printable(s.Of), s.Verdict}})
	}
	for _, a := range r.Agents {
		if a.Forfeits > 0 {
			notes = append(notes, note{"forfeits", []string{
				fmt.Sprintf("%s: %s (%s)", spelling.Printable(a.Agent), spelling.Counted(a.Forfeits, "game"), a.faults()),
				"the first because: " + spelling.Printable(a.Fault),
			}})
		}
	}
	if r.Substitute != "" {
		notes = append(notes, note{"", []string{r.Substitute + " played them to their ends"}})
	}
	if f := r.Floor; f != nil {
		notes = append(notes, note{"noise", f.parts()})
	}
	seeds := r.Blocks
	if r.Void > 0 {
		whole := blockMeans(r.Outcomes, func(*Outcome) (float64, float64) { return 0, 1 })
		seeds = len(slices.DeleteFunc(whole, math.IsNaN))
	}
	if seeds < fewForClaims {
		notes = append(notes, note{
			"too few", []string{spelling.Counted(seeds, "game seed") + " for a claim",
				fmt.Sprintf("play %d or more", fewForClaims)}})
	}
	if r.Void > 0 {
		notes = append(notes, note{"void", []string{spelling.Counted(r.Void, "game") +
			", whose game seeds count for nobody else"}})
	}
	return notes
}

// nameWidth is the room for the name of a list.
const nameWidth = 10

// writeList writes a name and items after it, joined by commas, on as many lines as they take.
func writeList(b *strings.Builder, name string, items []string) {
	line := fmt.Sprintf("%-*s", nameWidth, name)
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if i > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(item) > tableWidth {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", nameWidth)
		}
		line += " " + item
	}
	b.WriteString(line + "\n")
}

// versus says whether agents were against each other, so that their difference means something.
func (r *MatchResult) versus() bool { return !r.Shared && len(r.Agents) > 1 }

func (r *MatchResult) winWord() string {
	if r.Shared {
		return "success"
	}
	return "win share"
}

func (r *MatchResult) design() string {
	seeds := spelling.Counted(r.Blocks, "game seed")
	if r.Games == r.Blocks*r.Seatings { // Those of a tournament have as many as fit their mixes.
		seeds += " × " + spelling.Counted(r.Seatings, "seating")
	}
	return fmt.Sprintf("%s: %s, match seed %d", spelling.Counted(r.Games, "game"), seeds, r.Seed)
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

// reasons are the reasons of the ends, the most frequent first.
func (r *MatchResult) reasons() []string {
	reasons := slices.Sorted(maps.Keys(r.Ends))
	slices.SortStableFunc(reasons, func(a, b string) int { return r.Ends[b] - r.Ends[a] })
	return reasons
}

// reversed is the difference seen from the other agent.
func (d Difference) reversed() Difference {
	return Difference{d.Other, d.Agent, -d.MeanReturn + 0, Interval{-d.ReturnCI[1], -d.ReturnCI[0]}, d.Clear}
}

// reversed is the difference seen from the other agent.
func (d AivatDifference) reversed() AivatDifference {
	return AivatDifference{d.Other, d.Agent, -d.MeanReturn + 0, Interval{-d.ReturnCI[1], -d.ReturnCI[0]}, d.Factor}
}

// verdict says what the difference shows of the agent.
func (d Difference) verdict() string {
	switch {
	case !d.Clear:
		return "open"
	case d.MeanReturn > 0:
		return "better"
	}
	return "worse"
}

// SignedText writes a return with its interval: +0.123 ± 0.045.
func SignedText(s Share) string { return signed(s.Mean, s.CI) }

// signed writes a return: +0.123 ± 0.045.
func signed(x float64, ci Interval) string { return within("%+.3f", x, ci, "") }

// percent writes a share: 51.2 ± 3.4 %. The interval of a share is a little longer on the side of the half: where that
// hardly shows, both sides are as long as that one.
func percent(x float64, ci Interval) string {
	if below, above := x-ci[0], ci[1]-x; math.Abs(below-above) <= max(below, above)/8 {
		ci = Interval{x - max(below, above), x + max(below, above)}
	}
	return within("%.1f", 100*x, Interval{100 * ci[0], 100 * ci[1]}, " %")
}

// plain writes a score: 12.34 ± 0.56.
func plain(x float64, ci Interval) string { return within("%.2f", x, ci, "") }

// difference writes a score minus another: +12.34 ± 0.56.
func difference(x float64, ci Interval) string { return within("%+.2f", x, ci, "") }

// within writes a mean with its interval: with ± where both ends are equally far, as far as the digits show,
// and otherwise with its ends, as in 97.5 [92.3, 100.0] %. Nothing is known of an end at infinity.
func within(format string, mean float64, ci Interval, unit string) string {
	number := func(x float64) string {
		if math.IsInf(x, 0) {
			return "?"
		}
		text := fmt.Sprintf(format, x)
		if x <= 0 && strings.Trim(text, "-+0.") == "" {
			return fmt.Sprintf(format, 0.0) // never -0, whatever has been rounded away
		}
		return text
	}
	below, above := mean-ci[0], ci[1]-mean
	size := strings.Replace(format, "+", "", 1)
	if math.IsInf(below, 0) && math.IsInf(above, 0) {
		return number(mean) + " ± ?" + unit
	}
	if fmt.Sprintf(size, below) == fmt.Sprintf(size, above) {
		return number(mean) + " ± " + fmt.Sprintf(size, above) + unit
	}
	return number(mean) + " [" + number(ci[0]) + ", " + number(ci[1]) + "]" + unit
}

// writeColumns writes rows with the first column to the left and all others to the right, two blanks
// apart. Names in the first column are cut in the middle where a line would be too long.
func writeColumns(b *strings.Builder, rows [][]string) {
	for _, row := range rows {
		row[0] = spelling.Printable(row[0])
	}
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

// writeStarred writes columns with room in each cell for the star that others have.
func writeStarred(b *strings.Builder, rows [][]string) {
	for _, row := range rows[1:] {
		for i, cell := range row[1:] {
			if cell != "·" && !strings.HasSuffix(cell, "*") {
				row[1+i] += " "
			}
		}
	}
	writeColumns(b, rows)
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
	fmt.Fprintf(&b, "\n%s\n%s minus %s, paired by %s; intervals of 95 %% over game seeds\n\n",
		c.Short, spelling.Printable(c.A), spelling.Printable(c.B), spelling.Counted(c.Blocks, "game seed"))
	writeList(&b, "return", []string{signed(c.MeanReturn, c.ReturnCI)})
	if a := c.Aivat; a != nil {
		writeList(&b, "", []string{signed(a.MeanReturn, a.ReturnCI) + " without luck",
			fmt.Sprintf("as of %.2f times as many games", a.Factor)})
	}
	writeList(&b, "wins", []string{percent(c.WinShare, c.WinCI)})
	writeList(&b, "score", []string{difference(c.MeanScore, c.ScoreCI)})
	for _, m := range c.Measures {
		writeList(&b, m.Name, []string{difference(m.Mean, m.CI)})
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sentence says what does not fit.
func (m *Misfit) sentence() string {
	return fmt.Sprintf("%s ends above %s in %.0f %% of their games, where their ratings say %.0f %%",
		spelling.Printable(m.Agent), spelling.Printable(m.Other), 100*m.Share, 100*m.Predicted)
}

// sentence says who is put in another order.
func (d *Disagreement) sentence() string {
	return fmt.Sprintf("%s put %s above %s, against the ratings", d.By, spelling.Printable(d.Other),
		spelling.Printable(d.Agent))
}

// ratingText is the rating of the agent at a place of the standings.
func (r *TournamentResult) ratingText(place int) string {
	x := r.Ratings[place]
	if x.Agent == r.Anchor {
		return "0 (anchor)"
	}
	return within("%+.0f", x.Rating, x.CI, "")
}

// hundredths writes a number with its sign and two digits, and never -0.00.
func hundredths(x float64) string { return fmt.Sprintf("%+.2f", math.Round(100*x)/100+0) }

// mostRemarks is how many remarks of one kind are made, the first ones.
const mostRemarks = 6

// remarks say where the ratings are not the whole story: a sentence in each item.
func (r *TournamentResult) remarks() []note {
	var misfits, disagreements, without []string
	for _, m := range r.Misfits {
		misfits = append(misfits, m.sentence())
	}
	for _, d := range r.Disagreements {
		disagreements = append(disagreements, d.sentence())
	}
	for _, x := range r.Ratings {
		if p := x.WithoutForfeits; p != nil && x.Agent != r.Anchor {
			without = append(without, fmt.Sprintf("%s: %s without the forfeited games", spelling.Printable(x.Agent),
				within("%+.0f", p.Rating, p.CI, "")))
		}
	}
	var notes []note
	for _, n := range []note{{"misfits", misfits}, {"but", disagreements}, {"ratings", without}} {
		if more := len(n.items) - mostRemarks; more > 0 && n.name != "ratings" {
			n.items = append(n.items[:mostRemarks:mostRemarks], fmt.Sprintf("and %d more", more))
		}
		if n.items != nil {
			notes = append(notes, n)
		}
	}
	return notes
}

// WriteTournament writes the standings of a tournament as plain text.
func WriteTournament(w io.Writer, r *TournamentResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s: %s, seed %d; intervals of 95 %% over game seeds\n\n",
		r.Short, spelling.Counted(r.Games, "game"), spelling.Counted(r.Blocks, "game seed"), r.Seed)
	rows := [][]string{{"agent", "rating", "return", r.winWord()}}
	other := [][]string{{"agent", "deviation rating", "soft Condorcet"}}
	for i, a := range r.Agents {
		x := r.Ratings[i]
		rows = append(rows, []string{a.Agent, r.ratingText(i), signed(a.MeanReturn, a.ReturnCI),
			percent(a.WinShare, a.WinCI)})
		other = append(other, []string{a.Agent, hundredths(x.Deviation), hundredths(x.Condorcet)})
	}
	writeColumns(&b, rows)
	if !r.Shared {
		b.WriteByte('\n')
		writeColumns(&b, other)
	}
	b.WriteString("\nrow against column: half of the difference of return; * is clear for all pairs together (Holm, " +
		"5 %)\n\n")
	rows = [][]string{{""}}
	for i, a := range r.Agents {
		rows[0] = append(rows[0], fmt.Sprint(i+1))
		row := []string{fmt.Sprintf("%d %s", i+1, a.Agent)}
		for j, x := range r.Against[i] {
			row = append(row, x.text(i != j))
		}
		rows = append(rows, row)
	}
	writeStarred(&b, rows)
	b.WriteByte('\n')
	for _, n := range r.remarks() {
		for _, line := range n.items {
			writeList(&b, n.name, strings.Split(line, ", "))
			n.name = ""
		}
	}
	writeList(&b, "ends", r.ends())
	for _, n := range r.notes() {
		writeList(&b, n.name, n.items)
	}
	writeList(&b, "decisions", []string{fmt.Sprintf("%.1f a game, at most %d", r.Decisions.Mean, r.Decisions.Max)})
	_, err := io.WriteString(w, b.String())
	return err
}
