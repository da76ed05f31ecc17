package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"earthgym/env"
	"earthgym/eval"
	"earthgym/train"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type trainOptions struct {
	game    gameFlags
	config  train.Config
	out     string
	resume  bool
	workers int
	time    time.Duration
	against []string
	games   int
}

func newTrain() *cobra.Command {
	o := trainOptions{config: train.DefaultConfig("")}
	cmd := &cobra.Command{
		Use:   "train GAME",
		Short: "Train a network by self-play",
		Long: `Train a network by self-play into a folder: config.toml, metrics.jsonl, checkpoints, and what is needed
to go on after an interruption at any moment (--resume with the same --out; the game and the settings are
those of the folder). The budget is a number of decisions, so that a seed repeats a run; --time stops it
early and is outside that promise. The folder is an agent: net:FOLDER.

With --against, the trained network then plays a match with each of the agents named, one seat of it among
seats of theirs, and report.html in the folder shows the run and the matches.`,
		Example: `  earthgym train resilience-earth --out runs/first
  earthgym train resilience-earth:players=2 --out runs/duel --decisions 1000000 --seed 3 --against random,script:naive
  earthgym train --resume --out runs/first`,
		Args: wordsAllowed(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTrain(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args, o, cmd.Flags())
		},
	}
	o.game.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "`FOLDER` of the run")
	_ = cmd.MarkFlagDirname("out")
	f.BoolVar(&o.resume, "resume", false, "go on with the run in --out")
	f.IntVar(&o.workers, "workers", 0, "goroutines, on which the result does not depend; 0 = one on each core")
	f.DurationVar(&o.time, "time", 0, "stop after this time, with a checkpoint; 0 = never")
	f.StringSliceVar(&o.against, "against", nil, "agents to play a match with after training, joined by commas")
	f.IntVar(&o.games, "games", 400, "games of each of these matches, at least")
	addConfigFlags(f, &o.config)
	for _, name := range []string{"against", "opponents"} {
		_ = cmd.RegisterFlagCompletionFunc(name, completeAgents)
	}
	return cmd
}

// addConfigFlags adds a flag for each setting of a run but the game.
func addConfigFlags(f *pflag.FlagSet, c *train.Config) {
	f.Uint64Var(&c.Seed, "seed", c.Seed, "of everything random in the run")
	f.IntVar(&c.Decisions, "decisions", c.Decisions, "budget: decisions of the network to learn from")
	f.IntVar(&c.Lanes, "lanes", c.Lanes, "games played side by side")
	f.IntVar(&c.Steps, "steps", c.Steps, "steps of every lane between two updates")
	f.IntSliceVar(&c.Hidden, "hidden", c.Hidden, "widths of the hidden layers")
	f.Float64Var(&c.LearningRate, "learning-rate", c.LearningRate, "of Adam at the start; it falls to a tenth of it")
	f.IntVar(&c.Epochs, "epochs", c.Epochs, "times that an update goes through its decisions")
	f.IntVar(&c.Minibatch, "minibatch", c.Minibatch, "decisions of one gradient step")
	f.Float64Var(&c.Gamma, "gamma", c.Gamma, "discount per own decision")
	f.Float64Var(&c.Lambda, "lambda", c.Lambda, "of generalised advantage estimation")
	f.Float64Var(&c.Clip, "clip", c.Clip, "of the probability ratio")
	f.Float64Var(&c.Entropy, "entropy", c.Entropy, "weight of the entropy bonus")
	f.Float64Var(&c.ValueCoef, "value-coef", c.ValueCoef, "weight of the value loss")
	f.Float64Var(&c.MaxGradNorm, "max-grad-norm", c.MaxGradNorm, "gradients are scaled down to this norm")
	f.Float64Var(&c.Shaping, "shaping", c.Shaping, "weight of the growth of the game's potential in the rewards")
	f.IntVar(&c.PoolSize, "pool-size", c.PoolSize, "past selves kept as opponents")
	f.IntVar(&c.PoolEvery, "pool-every", c.PoolEvery, "updates between two of them")
	f.Float64Var(&c.PoolShare, "pool-share", c.PoolShare, "share of the games against a past self")
	f.StringSliceVar(&c.Opponents, "opponents", c.Opponents, "agents that are opponents from the start, joined by commas")
	f.Float64Var(&c.OpponentShare, "opponent-share", c.OpponentShare, "share of the games against one of them")
	f.IntVar(&c.CheckpointEvery, "checkpoint-every", c.CheckpointEvery, "updates between two checkpoints")
}

func runTrain(ctx context.Context, w, stderr io.Writer, args []string, o trainOptions, flags *pflag.FlagSet) error {
	switch {
	case o.out == "":
		return usagef("say where the run goes: --out FOLDER")
	case o.games < 1:
		return usagef("--games %d: at least 1", o.games)
	case o.time < 0:
		return usagef("--time %v: at least 0", o.time)
	}
	if o.workers < 1 {
		o.workers = runtime.GOMAXPROCS(0)
	}
	run, g, err := openRun(args, o, flags)
	if err != nil {
		return err
	}
	defer run.Close()
	fmt.Fprintf(w, "training on %s\nrun: %s, seed %d, %d of %d decisions done\n", g.Info().Short, o.out, run.Config().Seed, run.Decisions(), run.Config().Decisions)
	if err := trainRun(ctx, w, stderr, run, o); err != nil {
		return err
	}
	if len(o.against) == 0 {
		return nil
	}
	return evaluateRun(ctx, w, stderr, g, o)
}

// openRun starts or resumes the run.
func openRun(args []string, o trainOptions, flags *pflag.FlagSet) (*train.Run, env.Game, error) {
	options := train.Options{Workers: o.workers, Program: "earthgym " + version}
	if !o.resume {
		if len(args) == 0 {
			return nil, nil, usagef("the game is missing (see earthgym train --help)")
		}
		g, err := o.game.open(args[0])
		if err != nil {
			return nil, nil, err
		}
		if err := o.config.Check(); err != nil {
			return nil, nil, usage(err)
		}
		// A typo shall be found before the training and not after it.
		if _, err := openAgents(g, slices.Concat(o.config.Opponents, o.against)...); err != nil {
			return nil, nil, err
		}
		run, err := train.Start(o.out, o.config, g, options)
		return run, g, err
	}
	if len(args) > 0 {
		return nil, nil, usagef("--resume goes on with the game of the run: leave out %q", args[0])
	}
	settings := pflag.NewFlagSet("", pflag.ContinueOnError)
	addConfigFlags(settings, new(train.Config))
	var changed error
	settings.VisitAll(func(f *pflag.Flag) {
		if flags.Changed(f.Name) {
			changed = usagef("--resume goes on with the settings of the run: leave out --%s", f.Name)
		}
	})
	if changed != nil {
		return nil, nil, changed
	}
	c, err := train.ReadConfig(o.out)
	if err != nil {
		return nil, nil, err
	}
	g, err := o.game.openOf(filepath.Join(o.out, train.ConfigFile), c.Game)
	if err != nil {
		return nil, nil, err
	}
	if _, err := openAgents(g, o.against...); err != nil {
		return nil, nil, err
	}
	run, err := train.Resume(o.out, g, options)
	return run, g, err
}

// trainRun trains, and shows progress: a bar on a terminal, a line now and then elsewhere.
func trainRun(ctx context.Context, w, stderr io.Writer, run *train.Run, o trainOptions) error {
	parent := ctx
	if o.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.time)
		defer cancel()
	}
	bar := newProgress(stderr, "training")
	start, first, spoken := time.Now(), run.Decisions(), time.Now()
	var last train.Update
	err := run.Train(ctx, func(u train.Update) {
		last = u
		bar.set(min(u.Decisions, run.Config().Decisions), run.Config().Decisions)
		if bar.w == nil && time.Since(spoken) > 10*time.Second {
			spoken = time.Now()
			fmt.Fprintln(w, summary(u))
		}
	})
	bar.done()
	if last.Update > 0 {
		fmt.Fprintln(w, summary(last))
	}
	seconds := time.Since(start).Seconds()
	switch {
	case err == nil:
		fmt.Fprintf(w, "trained: %d decisions in %.0f s (%.0f a second)\nagent: net:%s\n",
			run.Decisions()-first, seconds, float64(run.Decisions()-first)/seconds, o.out)
		return nil
	case errors.Is(err, context.DeadlineExceeded) && parent.Err() == nil:
		fmt.Fprintf(w, "stopped after %v; go on with: %s\n", o.time, o.resumeCommand())
		return nil
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted after %d decisions, which are saved; go on with: %s", run.Decisions(), o.resumeCommand())
	}
	return err
}

// resumeCommand is the command line that goes on with the run.
func (o *trainOptions) resumeCommand() string {
	words := []string{"earthgym train --resume --out", o.out}
	for _, file := range o.game.data {
		words = append(words, "--data", file)
	}
	if len(o.against) > 0 {
		words = append(words, "--against", strings.Join(o.against, ","))
	}
	return strings.Join(words, " ")
}

// summary is an update in one line.
func summary(u train.Update) string {
	text := fmt.Sprintf("update %d: %d decisions, %d games of %.0f, score %.1f, wins %.0f %%",
		u.Update, u.Decisions, u.Games, u.Length, u.Score, 100*u.WinShare)
	for _, name := range slices.Sorted(maps.Keys(u.Measures)) {
		text += fmt.Sprintf(", %s %.2f", name, u.Measures[name])
	}
	text += fmt.Sprintf(", entropy %.2f, explained %.2f", u.Entropy, u.Explained)
	for _, name := range train.Opponents([]train.Update{u}) {
		if name != train.Self {
			text += fmt.Sprintf(", return against %s %+.2f", env.Printable(name), u.Returns[name])
		}
	}
	return text
}

// trainSettings are all settings of a run, for its report.
func trainSettings(c train.Config) []eval.Setting {
	settings := []eval.Setting{{Name: "game", Value: c.Game}}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	addConfigFlags(flags, &c)
	flags.VisitAll(func(f *pflag.Flag) { settings = append(settings, eval.Setting{Name: f.Name, Value: f.Value.String()}) })
	return settings
}

// evaluateRun plays the trained network against other agents and writes the run's report.
func evaluateRun(ctx context.Context, w, stderr io.Writer, g env.Game, o trainOptions) error {
	config, err := train.ReadConfig(o.out)
	if err != nil {
		return err
	}
	updates, err := train.ReadMetrics(o.out)
	if err != nil {
		return err
	}
	report := newReport(g.Info().Title+": training run "+filepath.Base(o.out), trainSettings(config))
	report.Training = trainingCharts(g.Info(), updates)
	net := "net:" + o.out
	for _, other := range o.against {
		fmt.Fprintln(w)
		table := []string{net, other}
		if g.Info().Shared() {
			table = []string{net}
		}
		m := matchOptions{games: o.games, seed: config.Seed, workers: o.workers}
		makers, err := openAgents(g, table...)
		if err != nil {
			return err
		}
		result, err := playMatch(ctx, stderr, g, makers, m, "against "+other)
		if err != nil {
			return err
		}
		report.Matches = append(report.Matches, result)
		if err := eval.WriteTable(w, result); err != nil {
			return err
		}
		if g.Info().Shared() {
			makers, err := openAgents(g, other)
			if err != nil {
				return err
			}
			theirs, err := playMatch(ctx, stderr, g, makers, m, other)
			if err != nil {
				return err
			}
			c, err := eval.Compare(result, theirs)
			if err != nil {
				return err
			}
			report.Matches = append(report.Matches, theirs)
			report.Comparisons = append(report.Comparisons, c)
			if err := eval.WriteComparison(w, c); err != nil {
				return err
			}
		}
	}
	name := filepath.Join(o.out, "report.html")
	for _, u := range updates {
		report.Took += time.Duration((u.CollectSeconds + u.LearnSeconds) * float64(time.Second))
	}
	report.Took += time.Since(report.Date)
	if err := writeReport(name, report); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nreport: %s\n", name)
	return nil
}
