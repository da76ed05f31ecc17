package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/eval"
	"earthgym/train"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type trainOptions struct {
	game     gameFlags
	config   train.Config
	out      string
	resume   bool
	programs bool
	workers  int
	time     time.Duration
	against  []string
	games    int
}

func newTrain() *cobra.Command {
	o := trainOptions{config: train.DefaultConfig("")}
	cmd := &cobra.Command{
		Use:   "train GAME",
		Short: "Train a network by self-play",
		Long: `Train a network by self-play into a folder: config.toml, metrics.jsonl, checkpoints, and what is needed
to go on after an interruption at any moment (--resume with the same --out; the game and the settings are
those of the folder, but --decisions may raise the budget). The budget is a number of decisions, so that a
seed repeats a run; --time stops it early and is outside that promise. The folder is an agent: net:FOLDER.

With --against, the trained network then plays a match with each of the agents named, one seat of it among
seats of theirs, and report.html in the folder shows the run and the matches.`,
		Example: `  earthgym train resilience-earth --out runs/first
  earthgym train resilience-earth:players=2 --out runs/duel --decisions 1000000 --seed 3 --against random,script:naive
  earthgym train --resume --out runs/first
  earthgym train --resume --out runs/first --decisions 6000000`,
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
	f.BoolVar(&o.programs, "start-programs", false, "with --resume, start the programs that the folder's config names as opponents (remote:)")
	f.IntVar(&o.workers, "workers", 0, "goroutines, on which the result does not depend; 0 = one on each core")
	f.DurationVar(&o.time, "time", 0, "stop after this time, with a checkpoint; 0 = never")
	f.StringSliceVar(&o.against, "against", nil, "agents to play a match with after training, joined by commas")
	f.IntVar(&o.games, "games", defaultTrainGames, "games of each of these matches, at least")
	for _, s := range train.Settings() {
		f.Var(&settingFlag{Setting: s, config: &o.config}, flagName(s.Name), s.Help)
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) {
			for _, s := range train.Settings() {
				if s.Was != "" && flagName(s.Was) == unknown.GetSpecifiedName() {
					return usagef("--%s is called --%s now", flagName(s.Was), flagName(s.Name))
				}
			}
		}
		return cmd.Parent().FlagErrorFunc()(cmd, err)
	})
	for _, name := range []string{"against", "opponents"} {
		_ = cmd.RegisterFlagCompletionFunc(name, completeAgents)
	}
	return cmd
}

const defaultTrainGames = 400

// flagName is the flag of a setting.
func flagName(setting string) string { return strings.ReplaceAll(setting, "_", "-") }

// A settingFlag is the flag of a setting of a run. A list may be given in parts.
type settingFlag struct {
	train.Setting
	config *train.Config
	parts  []string
}

func (f *settingFlag) String() string {
	if f.config == nil {
		return "" // asked by pflag of a flag without a value
	}
	return f.Text(f.config)
}

func (f *settingFlag) Set(text string) error {
	if f.IsList() {
		f.parts = append(f.parts, text)
		text = strings.Join(f.parts, ",")
	}
	return f.Setting.Set(f.config, text)
}

// Type is what help calls the value.
func (f *settingFlag) Type() string {
	switch {
	case f.IsList():
		return "list"
	case f.IsWhole():
		return "int"
	}
	return "float"
}

func runTrain(ctx context.Context, w, stderr io.Writer, args []string, o trainOptions, flags *pflag.FlagSet) error {
	switch {
	case o.out == "":
		return usagef("say where the run goes: --out FOLDER")
	case o.time < 0:
		return usagef("--time %v: at least 0", o.time)
	}
	if err := cmp.Or(checkGames(o.games), checkWorkers(o.workers)); err != nil {
		return err
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
	options := train.Options{Workers: o.workers, Program: "earthgym " + version, Memory: machineMemory(), Programs: o.programs}
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
	for _, s := range train.Settings() {
		switch {
		case !flags.Changed(flagName(s.Name)):
		case s.Name == "decisions":
			options.Decisions = o.config.Decisions
		default:
			return nil, nil, usagef("--resume goes on with the settings of the run: leave out --%s", flagName(s.Name))
		}
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
	if programs := new(train.ProgramsError); errors.As(err, &programs) {
		return nil, nil, fmt.Errorf("%w; say --start-programs if you trust them", err)
	}
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
	games := 0
	err := run.Train(ctx, func(u train.Update) {
		last = u
		games += u.Games
		bar.describe(results(u, games))
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
		fmt.Fprintf(w, "stopped after %v; go on with: %s\n", o.time, o.resumeCommand(run.Config()))
		return nil
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted after %d decisions, which are saved; go on with: %s", run.Decisions(), o.resumeCommand(run.Config()))
	}
	return err
}

// resumeCommand is the command line that goes on with the run, for a shell.
func (o *trainOptions) resumeCommand(c train.Config) string {
	words := []string{"earthgym", "train", "--resume", "--out", o.out}
	for _, file := range o.game.data {
		words = append(words, "--data", file)
	}
	if slices.ContainsFunc(c.Opponents, agents.IsProgram) {
		words = append(words, "--start-programs")
	}
	if len(o.against) > 0 {
		words = append(words, "--against", train.JoinList(o.against))
		if o.games != defaultTrainGames {
			words = append(words, "--games", strconv.Itoa(o.games))
		}
	}
	for i, word := range words {
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}

// quote writes a word so that a POSIX shell reads it as it is.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:,=@%+", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// results are the games so far and how the last of them went, in the little room beside a bar.
func results(u train.Update, games int) string {
	text := fmt.Sprintf("%d games", games)
	if u.Games > 0 {
		text += fmt.Sprintf(", score %.1f, return %+.2f", u.Score, meanReturn(u))
	}
	return text
}

// meanReturn is the mean over the kinds of opponents, or, of a network that met itself alone, what it got then.
func meanReturn(u train.Update) float64 {
	sum, n := 0.0, 0
	for _, name := range train.Opponents([]train.Update{u}) {
		if name != train.Self {
			sum, n = sum+u.Returns[name], n+1
		}
	}
	if n == 0 {
		return u.Returns[train.Self]
	}
	return sum / float64(n)
}

// summary is an update in one line.
func summary(u train.Update) string {
	text := fmt.Sprintf("update %d: %d decisions, %d games of %.0f, score %.1f, return %+.2f, wins %.0f %%",
		u.Update, u.Decisions, u.Games, u.Length, u.Score, meanReturn(u), 100*u.WinShare)
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
	for _, setting := range train.Settings() {
		settings = append(settings, eval.Setting{Name: flagName(setting.Name), Value: setting.Text(&c)})
	}
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
		m := matchOptions{games: o.games, seed: uint64(config.Seed), workers: o.workers, forfeit: forfeitTakeover}
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
