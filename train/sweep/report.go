package sweep

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// final is the last judgement of each candidate, those that came furthest first, and of them the strongest.
func (r *Results) final() []Judgement {
	last := map[int]Judgement{}
	for _, j := range r.Judged {
		if j.Round > last[j.Candidate].Round {
			last[j.Candidate] = j
		}
	}
	return slices.SortedFunc(maps.Values(last), func(a, b Judgement) int {
		return cmp.Or(cmp.Compare(b.Round, a.Round), cmp.Compare(b.Strength, a.Strength),
			cmp.Compare(a.Candidate, b.Candidate))
	})
}

// rows are the table of the results, its head first.
func (r *Results) rows() [][]string {
	var names []string
	if len(r.Judged) > 0 {
		names = slices.Sorted(maps.Keys(r.Judged[0].Leads))
	}
	rows := [][]string{append([]string{"candidate", "settings", "round", "decisions", "processor time", "strength"},
		names...)}
	for _, j := range r.final() {
		row := []string{
			fmt.Sprint(j.Candidate), r.Candidates[j.Candidate-1].Text(), fmt.Sprint(j.Round), fmt.Sprint(j.Decisions),
			fmt.Sprintf("%.1f s", j.CPUSeconds), fmt.Sprintf("%+.3f ± %.3f", j.Strength, (j.CI[1]-j.CI[0])/2),
		}
		for _, name := range names {
			row = append(row, fmt.Sprintf("%+.3f", j.Leads[name]))
		}
		rows = append(rows, row)
	}
	return rows
}

// note says what the numbers are.
func (r *Results) note() string {
	text := "Strength is the mean of the leads in return over the agents in the columns behind it, with its interval " +
		"of 95 %."
	if r.Done {
		return fmt.Sprintf("Candidate %d is left: %s. %s", r.Best, r.Candidates[r.Best-1].Text(), text)
	}
	return "The sweep is not done. " + text
}

// Write writes the results as a table for terminals.
func (r *Results) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range r.rows() {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.note())
	return err
}

// WriteMarkdown writes the results as a table in Markdown.
func (r *Results) WriteMarkdown(w io.Writer) error {
	for i, row := range r.rows() {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
			return err
		}
		if i == 0 {
			if _, err := fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(row))); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.note())
	return err
}
