package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents/checkpoint"
	"earthgym/env/spelling"
	"earthgym/eval"
	"earthgym/train"
)

func newRuns() *cobra.Command {
	var asJSON bool
	var report string
	cmd := &cobra.Command{
		Use:   "runs [FOLDER]",
		Short: "List training runs and compare their strength",
		Long: `List the training runs below a FOLDER (runs, if none is named): games, decisions, time, and the strength of
the best network in matches against the run's field. --report draws their strength as curves of one page.
TensorBoard reads the runs too: tensorboard --logdir FOLDER.`,
		Example: `  earthgym runs
  earthgym runs runs/sweep --report runs.html
  earthgym runs --json`,
		Args: wordsAllowed(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := "runs"
			if len(args) > 0 {
				folder = args[0]
			}
			return runRuns(cmd.OutOrStdout(), folder, asJSON, report)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "for programs")
	f.StringVar(&report, "report", "", "also write their curves to this HTML `FILE`")
	_ = cmd.MarkFlagFilename("report", "html")
	return cmd
}

// listedRun is a run of the list.
type listedRun struct {
	Folder    string             `json:"folder"`
	Games     []string           `json:"games"`
	Cloned    int                `json:"cloned"`    // decisions of teachers learnt from
	Decisions int                `json:"decisions"` // of the network in the league
	Seconds   float64            `json:"seconds"`
	Strength  *float64           `json:"strength,omitempty"` // of the best network: mean lead in return over the field
	Update    int                `json:"update,omitempty"`   // after which it stood
	Leads     map[string]float64 `json:"leads,omitempty"`    // over each of the field
	Fault     string             `json:"fault,omitempty"`    // why it can't be read

	updates []train.Update
}

func runRuns(w io.Writer, folder string, asJSON bool, report string) error {
	if report != "" {
		if err := checkReport(report); err != nil {
			return err
		}
	}
	runs, err := findRuns(folder)
	if err != nil {
		return err
	}
	if report != "" {
		page := newReport("Runs in "+folder, []eval.Setting{{Name: "folder", Value: folder}})
		page.Training = strengthCharts(runs)
		if err := writeReport(report, nil, page); err != nil {
			return err
		}
	}
	if asJSON {
		return writeJSON(w, runs)
	}
	if len(runs) == 0 {
		_, err := fmt.Fprintf(w, "there are no runs below %s; earthgym train makes some\n", folder)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "run\tgame\tcloned\tdecisions\ttime\tstrength\tleads in return")
	for _, r := range runs {
		if r.Fault != "" {
			fmt.Fprintf(t, "%s\t%s\n", r.Folder, spelling.Printable(r.Fault))
			continue
		}
		games := make([]string, len(r.Games))
		for i, text := range r.Games {
			games[i] = shortGame(text)
		}
		strength := "-"
		if r.Strength != nil {
			strength = fmt.Sprintf("%+.3f", *r.Strength)
		}
		var leads []string
		for _, name := range train.Field(r.updates) {
			if lead, ok := r.Leads[name]; ok {
				leads = append(leads, fmt.Sprintf("%s %+.2f", name, lead))
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%v\t%s\t%s\n", r.Folder, strings.Join(games, " "), r.Cloned, r.Decisions,
			time.Duration(r.Seconds*float64(time.Second)).Round(time.Second), strength, strings.Join(leads, ", "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if report != "" {
		fmt.Fprintf(w, "report: %s\n", report)
	}
	return nil
}

// findRuns reads the runs in a folder and below it, in the order of their names.
func findRuns(folder string) ([]listedRun, error) {
	runs := []listedRun{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if path == folder && errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no folder %s: earthgym train makes its runs in runs, or where --out says", folder)
		}
		if err != nil {
			return fmt.Errorf("look for runs: %w", err)
		}
		if !d.IsDir() && path == folder {
			return fmt.Errorf("%s is a file: runs are looked for below a folder", folder)
		}
		if !d.IsDir() {
			return nil
		}
		if _, err := os.Stat(filepath.Join(path, train.ConfigFile)); err != nil {
			return nil
		}
		r, err := readRun(path)
		if err != nil { // one of an earlier version, say: the others are still worth a look
			r = listedRun{Folder: path, Fault: err.Error()}
		}
		runs = append(runs, r)
		return fs.SkipDir
	})
	return runs, err
}

func readRun(dir string) (listedRun, error) {
	r := listedRun{Folder: dir}
	config, err := train.ReadConfig(dir)
	if err != nil {
		return r, err
	}
	r.Games = config.Games
	r.updates, err = train.ReadMetrics(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a run needs none
		return r, err
	}
	for _, u := range r.updates {
		r.Cloned, r.Decisions = u.Cloned, u.Decisions
		r.Seconds += u.Seconds()
	}
	// The highest of the metrics may have been lucky, and not be what the run answers.
	name := filepath.Join(dir, checkpoint.Best)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) { // nothing has been measured yet
		return r, nil
	}
	best, err := checkpoint.Read(name)
	if err != nil {
		return r, err
	}
	if best.Card == nil || len(best.Card.Strength) == 0 {
		return r, nil
	}
	mean := 0.0
	r.Strength, r.Update, r.Leads = &mean, int(best.Update), map[string]float64{}
	for _, s := range best.Card.Strength {
		r.Leads[s.Opponent] = s.Return
		mean += s.Return / float64(len(best.Card.Strength))
	}
	return r, nil
}

// strengthCharts compares the runs: their strength on average, and over each of their fields.
func strengthCharts(runs []listedRun) []eval.Chart {
	draw := func(of func(u train.Update) (float64, bool)) []eval.Series {
		var list []eval.Series
		for _, r := range runs {
			if s := metrics(r.updates).draw(r.Folder, of); len(s.X) > 0 {
				list = append(list, s)
			}
		}
		return list
	}
	var names []string
	for _, r := range runs {
		names = append(names, train.Field(r.updates)...)
	}
	slices.Sort(names)
	charts := []eval.Chart{{
		Title: "Strength against the field", Help: "Mean lead in return over the agents that each run is measured by, " +
			"which never change; over the decisions learnt from.",
		Series: draw(func(u train.Update) (float64, bool) {
			if u.Strength == nil {
				return 0, false
			}
			return *u.Strength, true
		}),
	}}
	for _, name := range slices.Compact(names) {
		charts = append(charts, eval.Chart{
			Title: "Lead over " + name, Help: "Mean return of the network's seats less that of its opponents' in the same " +
				"matches.",
			Series: draw(func(u train.Update) (float64, bool) { s, ok := u.Field[name]; return s.Lead, ok }),
		})
	}
	return slices.DeleteFunc(charts, func(c eval.Chart) bool { return len(c.Series) == 0 })
}
