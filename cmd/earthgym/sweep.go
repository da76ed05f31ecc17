package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"earthgym/env/spelling"
	"earthgym/train"
	"earthgym/train/sweep"
)

type sweepOptions struct {
	sharedFlags
	game gameFlags
}

func newSweep() *cobra.Command {
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep GAME… FILE.toml",
		Short: "Look for better settings of training by successive halving",
		Long: `Look for better settings of training, for a game or several variants of one: candidates from the space that
FILE declares train for a short while and are judged by matches; the better ones go on with a larger budget,
until one is left. The first candidate has the settings as they stand.

  candidates = 8         # to begin with
  eta = 2                # one in so many goes on, with so many times the budget
  decisions = 200000     # of the first round, or minutes = 1.5, with cloning
  against = ["script:greedy", "script:strong"]   # who they are judged by
  games = 200            # of each of these matches
  seed = 1

  [settings]             # of all of them, as in a run's config.toml
  clone_decisions = 300000

  [space]                # what they differ in: lists of values, or ranges
  learning_rate = { from = 0.0001, to = 0.001, scale = "log" }
  hidden = [[128, 128], [256, 256]]

The folder of the sweep holds the runs, which are agents (net:FOLDER/candidate-1), and results.json. The same
command goes on where it was interrupted. With decisions as the budget a seed repeats a sweep; what each of
its candidates took of processor time is in the table.`,
		Example: `  earthgym dev sweep resilience-earth space.toml --out runs/sweep
  earthgym dev sweep new-earth space.toml --out runs/sweep --json`,
		Args: wordsAllowed(2, -1, "a game, or the file of the settings,"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSweep(cmd.Context(), cmd.OutOrStdout(), args[:len(args)-1], args[len(args)-1], o)
		},
	}
	o.game.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "`FOLDER` of the sweep")
	o.add(cmd)
	return cmd
}

func runSweep(ctx context.Context, w io.Writer, texts []string, file string, o sweepOptions) error {
	if o.out == "" {
		return usagef("say where the sweep goes: --out FOLDER")
	}
	if err := checkWorkers(o.workers); err != nil {
		return err
	}
	variants, err := o.game.openAll(texts)
	if err != nil {
		return err
	}
	plan, err := sweep.ReadPlan(file)
	if err != nil {
		return err
	}
	o.workers = cmp.Or(o.workers, runtime.GOMAXPROCS(0))
	options := sweep.Options{Train: train.Options{Workers: o.workers, Program: programText(), Memory: machineMemory()}}
	if !o.asJSON {
		options.Progress = func(s sweep.State) { fmt.Fprintln(w, sweepLine(s)) }
	}
	if err := o.share.begin(ctx, o.out); err != nil {
		return err
	}
	options.Share = o.share.Share
	s, err := sweep.Open(o.out, plan, variants, options)
	if err != nil {
		return err
	}
	defer s.Close()
	results, err := s.Run(ctx)
	if done, err := o.share.end(ctx, w, o.asJSON, err); done {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted after %s, which are saved; the same command goes on",
			spelling.Counted(len(s.Results().Judged), "judgement"))
	}
	if err != nil {
		return err
	}
	if o.asJSON {
		return writeJSON(w, results)
	}
	fmt.Fprintln(w)
	if err := results.Write(w); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "agent: net:%s\n", s.Folder(results.Best))
	return err
}

func sweepLine(s sweep.State) string {
	text := fmt.Sprintf("round %d of %d, candidate %d (%d of %d)", s.Round, s.Rounds, s.Candidate.Number, s.At, s.Of)
	if s.Judgement == nil {
		return text + ": " + s.Candidate.Text()
	}
	return fmt.Sprintf("%s: strength %+.3f", text, s.Judgement.Strength)
}
