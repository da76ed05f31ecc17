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

// Write writes the results as a table for terminals, and what its numbers are.
func (r *Results) Write(w io.Writer) error {
	var names []string
	if len(r.Judged) > 0 {
		names = slices.Sorted(maps.Keys(r.Judged[0].Leads))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := []string{"candidate", "settings", "round", "decisions", "processor time", "strength"}
	fmt.Fprintln(t, strings.Join(append(head, names...), "\t"))
	for _, j := range r.final() {
		fmt.Fprintf(t, "%d\t%s\t%d\t%d\t%.1f s\t%+.3f ± %.3f", j.Candidate, r.Candidates[j.Candidate-1].Text(), j.Round,
			j.Decisions, j.CPUSeconds, j.Strength, (j.CI[1]-j.CI[0])/2)
		for _, name := range names {
			fmt.Fprintf(t, "\t%+.3f", j.Leads[name])
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	state := "The sweep is not done."
	if r.Done {
		state = fmt.Sprintf("Candidate %d is left: %s.", r.Best, r.Candidates[r.Best-1].Text())
	}
	_, err := fmt.Fprintf(w, "\n%s Strength is the mean of the leads in return over the agents in the columns behind it, "+
		"with its interval of 95 %%.\n", state)
	return err
}
