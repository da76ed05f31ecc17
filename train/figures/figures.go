// Package figures is what training does by its defaults, measured: every game, several seeds, the same time for each
// run. "make figures" runs them and stores results.json, from which README.md beside it shows a table.
package figures

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"earthgym/agents/checkpoint"
	"earthgym/eval"
)

// Results are the runs of all games.
type Results struct {
	Program string  `json:"program"` // and version
	Date    string  `json:"date"`    // of the last run
	Cores   int     `json:"cores"`   // that each run had
	Minutes float64 `json:"minutes"` // of each run
	Games   []Game  `json:"games"`
}

// A Game is the runs of one game.
type Game struct {
	Game string `json:"game"` // text without what is as it is by default
	Runs []Run  `json:"runs"`
}

// A Run is one seed's.
type Run struct {
	Seed       uint64                `json:"seed"`
	Decisions  int                   `json:"decisions"`   // learnt from, those of teachers included
	CPUSeconds float64               `json:"cpu_seconds"` // 0 where it is unknown
	Strength   []checkpoint.Strength `json:"strength"`    // of its network, by matches on seeds that no run has seen
}

// opponents are those that the networks have met in the matches of all games, in their order.
func (r *Results) opponents() []string {
	var names []string
	for _, g := range r.Games {
		for _, run := range g.Runs {
			for _, s := range run.Strength {
				if !slices.Contains(names, s.Opponent) {
					names = append(names, s.Opponent)
				}
			}
		}
	}
	return names
}

// WriteMarkdown writes the results as a table: how much more the networks return than each opponent, on average over
// the seeds, with the interval of that mean.
func (r *Results) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "`earthgym dev figures`: %s, %s; %v minutes each on %s. Return beyond each opponent, mean over "+
		"seeds with its interval of 95 %%\n(of one seed, or of several that are all alike, that of a match); in brackets "+
		"the mean of the middle half of them.\n\n",
		r.Program, r.Date, r.Minutes, cores(r.Cores))
	opponents := r.opponents()
	b.WriteString("| game | seeds | decisions | processor time |")
	for _, name := range opponents {
		fmt.Fprintf(&b, " `%s` |", name)
	}
	fmt.Fprintf(&b, "\n|---|---:|---:|---:|%s\n", strings.Repeat("---:|", len(opponents)))
	for _, g := range r.Games {
		decisions, cpu := 0.0, 0.0
		for _, run := range g.Runs {
			decisions += float64(run.Decisions) / float64(len(g.Runs))
			cpu += run.CPUSeconds / float64(len(g.Runs))
		}
		fmt.Fprintf(&b, "| `%s` | %d | %.2f M | %.0f s |", g.Game, len(g.Runs), decisions/1e6, cpu)
		for _, name := range opponents {
			fmt.Fprintf(&b, " %s |", g.lead(name))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func cores(n int) string {
	if n == 1 {
		return "one core"
	}
	return fmt.Sprintf("%d cores", n)
}

// lead is how much more the networks return than an opponent.
func (g *Game) lead(opponent string) string {
	var leads []float64
	var match checkpoint.Strength // the last one
	for _, run := range g.Runs {
		for _, s := range run.Strength {
			if s.Opponent == opponent {
				leads, match = append(leads, s.Return), s
			}
		}
	}
	if len(leads) == 0 {
		return "-"
	}
	mean, ci := eval.Estimate(leads, -2, 2)
	if slices.Min(leads) == slices.Max(leads) { // How seeds differ doesn't show; how games do, does.
		ci = match.ReturnCI
	}
	if len(leads) == 1 {
		return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", mean, ci[0], ci[1])
	}
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f] (%+.3f)", mean, ci[0], ci[1], eval.InterquartileMean(leads))
}
