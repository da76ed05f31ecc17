package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/eval/tune"
)

type tuneOptions struct {
	game    gameFlags
	config  tune.Config
	out     string
	judge   int
	workers int
	asJSON  bool
}

func newTune() *cobra.Command {
	o := tuneOptions{}
	cmd := &cobra.Command{
		Use:   "tune GAME… [script:LEVEL]",
		Short: "Look for better weights of a scripted bot by play",
		Long: `Look for better weights of a scripted bot by play, in one or several variants of a game, into a folder:
config.toml, log.jsonl with a line for each step, and result.json. At each step all weights are moved a little
at random; the bot with these moves plays against the bot with the opposite ones, and each of them among the
bot as it stands and the agents of --against; then the weights follow the better side. An interruption loses
one step at most (the same command goes on, as it does without GAME; --steps may be raised).

At the end the weights that were found, the mean of the last steps, are shown beside those that stand, and
both bots are judged on seeds that no step has seen. Where all seats win together, whole tables are compared.`,
		Example: `  earthgym dev tune resilience-earth script:strong --out runs/tune
  earthgym dev tune new-earth --out runs/new --steps 600 --against script:greedy
  earthgym dev tune --out runs/tune --steps 1200`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, bots := gamesAndAgents(args)
			switch level, ok := strings.CutPrefix(strings.Join(bots, " "), "script:"); {
			case len(bots) == 0:
				o.config.Bot = scripted.Strong
			case !ok || len(bots) > 1:
				return usagef("%s: what is tuned is one bot, script:LEVEL", strings.Join(bots, " "))
			case len(args) == 0:
				return usagef("the game is missing: it comes before the bot")
			default:
				o.config.Bot = level
			}
			return runTune(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args, o, cmd.Flags())
		},
	}
	o.game.add(cmd)
	f := cmd.Flags()
	agentsVar(f, &o.config.Against, "against", "agents to play against beside the bot as it stands")
	f.IntVar(&o.config.Steps, "steps", defaultTuneSteps, "steps in all")
	f.IntVar(&o.config.Games, "games", 24, "games of each match of a step, in each variant, at least")
	seedVar(f, &o.config.Seed, "all chance")
	f.IntVar(&o.judge, "judge", 400, "games of each match of the judgement, in each variant, at least")
	f.StringVar(&o.out, "out", "", "`FOLDER` of the run")
	_ = cmd.MarkFlagDirname("out")
	workersVar(f, &o.workers)
	f.BoolVar(&o.asJSON, "json", false, "for programs")
	_ = cmd.RegisterFlagCompletionFunc("against", completeAgents)
	return cmd
}

const defaultTuneSteps = 400

func runTune(ctx context.Context, w, stderr io.Writer, args []string, o tuneOptions, flags *pflag.FlagSet) error {
	if o.out == "" {
		return usagef("say where the run goes: --out FOLDER")
	}
	if o.judge < 1 || o.judge > tune.MaxGames {
		return usagef("--judge %d: from 1 to %d", o.judge, tune.MaxGames)
	}
	if err := checkWorkers(o.workers); err != nil {
		return err
	}
	run, err := openTuning(args, o, flags)
	if err != nil {
		return err
	}
	defer run.Close()
	c := run.Config()
	if !o.asJSON {
		fmt.Fprintf(w, "tuning the %d weights of script:%s\nrun: %s, seed %d, %d of %d steps done\n",
			len(run.Weights()), c.Bot, o.out, c.Seed, run.Done().Step, c.Steps)
	}
	bar := newProgress(stderr, "tuning")
	spoken := time.Now()
	err = run.Tune(ctx, o.workers, func(s tune.Step) {
		bar.set(s.Step, c.Steps)
		if bar.w == nil && !o.asJSON && time.Since(spoken) > 10*time.Second {
			spoken = time.Now()
			fmt.Fprintf(w, "step %d: difference %+.3f\n", s.Step, s.Difference)
		}
	})
	bar.done()
	goOn := func(err error, what string) error {
		if !errors.Is(err, context.Canceled) {
			return err
		}
		return fmt.Errorf("interrupted %s; go on with: %s", what, o.resumeCommand())
	}
	if err != nil {
		return goOn(err, fmt.Sprintf("after %d steps, which are saved", run.Done().Step))
	}
	bar = newProgress(stderr, "judging")
	result, err := run.Judge(ctx, o.workers, o.judge, bar.set)
	bar.done()
	if err != nil {
		return goOn(err, "while judging")
	}
	if o.asJSON {
		return writeJSON(w, result)
	}
	return writeTuning(w, result, filepath.Join(o.out, tune.ResultFile))
}

// openTuning starts or resumes the run.
func openTuning(args []string, o tuneOptions, flags *pflag.FlagSet) (*tune.Run, error) {
	openRivals := func(g env.Game, against []string) ([]*agents.Maker, error) { return openAgents(g, against...) }
	if len(args) > 0 {
		var games []env.Game
		var rivals [][]*agents.Maker
		for _, text := range args {
			g, err := o.game.open(text)
			if err != nil {
				return nil, err
			}
			o.config.Variants = append(o.config.Variants, tune.Variant{Game: g.Info().Text})
			games = append(games, g)
		}
		if err := o.config.Check(); err != nil {
			return nil, usage(err)
		}
		for _, g := range games {
			makers, err := openRivals(g, o.config.Against)
			if err != nil {
				return nil, err
			}
			rivals = append(rivals, makers)
		}
		run, err := tune.Open(o.out, o.config, games, rivals)
		var wrong *tune.BotError
		if errors.As(err, &wrong) {
			return nil, usage(err)
		}
		return run, err
	}
	for _, name := range []string{"against", "games", "seed"} {
		if flags.Changed(name) {
			return nil, usagef("without GAME the run goes on with its settings: leave out --%s", name)
		}
	}
	steps := 0
	if flags.Changed("steps") {
		if steps = o.config.Steps; steps < 1 || steps > tune.MaxSteps {
			return nil, usagef("steps %d: from 1 to %d", steps, tune.MaxSteps)
		}
	}
	c, err := tune.ReadConfig(o.out)
	if err != nil {
		return nil, err
	}
	var games []env.Game
	var rivals [][]*agents.Maker
	for _, v := range c.Variants {
		g, err := o.game.openOf(filepath.Join(o.out, tune.ConfigFile), v.Game)
		if err != nil {
			return nil, err
		}
		makers, err := openRivals(g, c.Against)
		if err != nil {
			return nil, err
		}
		games, rivals = append(games, g), append(rivals, makers)
	}
	return tune.Resume(o.out, steps, games, rivals)
}

// resumeCommand is the command line that goes on with the run, for a shell.
func (o *tuneOptions) resumeCommand() string {
	words := []string{"earthgym", "dev", "tune", "--out", o.out}
	for _, file := range o.game.data {
		words = append(words, "--data", file)
	}
	for i, word := range words {
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}

// writeTuning writes what was found as tables.
func writeTuning(w io.Writer, r *tune.Result, file string) error {
	fmt.Fprintf(w, "\nafter %d steps:\n\n", r.Steps)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "weight\tstands\tfound\t")
	for _, f := range r.Weights {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", f.Name, short(f.Before), short(f.After), f.Help)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\njudged on seeds that no step has seen; intervals of 95 %:\n\n")
	fmt.Fprintln(t, "game\tagent\tamong\tgames\treturn\t")
	for _, j := range r.Judgement {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%+.3f, %+.3f to %+.3f\t\n", j.Game, j.Agent, cmp.Or(j.Among, "its like"), j.Games,
			j.Return, j.ReturnCI[0], j.ReturnCI[1])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "result: %s\n", file)
	return nil
}

// short is a number with three digits.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
