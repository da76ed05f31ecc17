package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/farm"
	"earthgym/games"
	"earthgym/train"
	"earthgym/train/figures"
)

type figuresOptions struct {
	sharedFlags
	game  gameFlags
	seeds int
	time  time.Duration
	games int
	seed  uint64

	config  train.Config   // of each run
	changed *pflag.FlagSet // the flags of train that say where it is not the default
}

func newFigures() *cobra.Command {
	o := figuresOptions{config: train.DefaultConfig(), changed: new(pflag.FlagSet)}
	cmd := &cobra.Command{
		Use:   "figures [GAME…]",
		Short: "Measure what training does by its defaults",
		Long: `Train every game, or those that are named, with the default settings and several seeds, the same time for each
run, and measure the networks by matches against the game's bots on seeds that no run has seen. The table has
the mean lead over each bot with its interval over seeds, and the mean of the middle half of the seeds.

The runs are in the folder; the same command goes on where it was interrupted. train/figures/README.md shows
such a table: "make figures" makes it again, which takes hours.`,
		Example: `  earthgym dev figures resilience-earth --time 1m --out runs/figures
  earthgym dev figures --seeds 5 --time 10m --out runs/figures --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runFigures(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args, o)
		},
	}
	o.game.add(cmd)
	o.game.several = true
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "`FOLDER` of the runs")
	f.IntVar(&o.seeds, "seeds", 3, "runs of each game")
	f.DurationVar(&o.time, "time", defaultTrainTime, "of each run")
	f.IntVar(&o.games, "games", 400, "games of each match, at least")
	seedVar(f, &o.seed, "all chance of the matches; the runs have seeds from 1 on")
	o.add(cmd)
	return cmd
}

func runFigures(ctx context.Context, w, stderr io.Writer, texts []string, o figuresOptions) error {
	switch {
	case o.out == "":
		return usagef("say where the runs go: --out FOLDER")
	case o.seeds < 1 || o.seeds > maxSeeds:
		return usagef("--seeds %d: 1 to %d", o.seeds, maxSeeds)
	case o.time <= 0:
		return usagef("--time %v: above 0", o.time)
	}
	if err := cmp.Or(checkGames(o.games), checkWorkers(o.workers)); err != nil {
		return err
	}
	o.workers = cmp.Or(o.workers, runtime.GOMAXPROCS(0))
	if len(texts) == 0 {
		for _, rb := range games.All() {
			texts = append(texts, rb.Name)
		}
	}
	opened, err := o.game.openAll(texts) // before hours are spent on the first
	if err != nil {
		return err
	}
	if o.share.shard != "" && !o.share.cmd.Flags().Changed("workers") { // The number of cores is part of what is measured.
		if err := o.share.cmd.Flags().Set("workers", strconv.Itoa(o.workers)); err != nil {
			return err
		}
	}
	if err := o.share.begin(ctx, o.out); err != nil {
		return err
	}
	kernels, err := gemm.Select()
	if err != nil {
		return err
	}
	ground := farm.Ground{"kind: run of the figures", "kernels: " + kernels.Class(),
		fmt.Sprintf("minutes: %v", o.time.Minutes()),
		fmt.Sprintf("workers: %d", o.workers), fmt.Sprintf("games: %d", o.games),
		fmt.Sprintf("seed of the games: %d", o.seed)}
	r := &figures.Results{Program: programText(), Cores: o.workers, Minutes: o.time.Minutes()}
	for i, g := range opened {
		game := figures.Game{Game: g.Info().Short}
		for seed := range o.seeds {
			info, run := g.Info(), &figures.Run{}
			own := []string{"game: " + info.Text, fmt.Sprintf("rules: %d", info.Rules), "data: " + info.DataHash,
				fmt.Sprintf("run: %d", seed+1)}
			_, err := o.share.Do(ground, i*o.seeds+seed, own, run, figureFolder(info, seed+1), func() error {
				made, err := figureRun(ctx, stderr, g, uint64(seed)+1, o)
				if err == nil {
					*run = *made
				}
				return err
			})
			if err != nil {
				_, err = o.share.end(ctx, w, o.asJSON, err)
				return err
			}
			game.Runs = append(game.Runs, *run)
		}
		r.Games = append(r.Games, game)
	}
	if done, err := o.share.end(ctx, w, o.asJSON, nil); done {
		return err
	}
	if o.share.Merging() {
		if err := o.share.Missing(); err != nil {
			return err
		}
	}
	r.Date = time.Now().UTC().Format(time.DateOnly)
	if o.asJSON {
		return writeJSON(w, r)
	}
	return r.WriteMarkdown(w)
}

// figureFolder is the folder of a run within the folder of all runs.
func figureFolder(info *env.Info, seed int) string {
	folder := strings.NewReplacer(":", "-", ",", "-").Replace(info.Short) // a comma would end the path in net:PATH
	return filepath.Join(folder, fmt.Sprintf("seed-%d", seed))
}

// figureRun trains one network, or takes the one that is there, and measures it. What it says of that goes to stderr.
func figureRun(ctx context.Context, stderr io.Writer, g env.Game, seed uint64, o figuresOptions) (*figures.Run, error) {
	info := g.Info()
	t := trainOptions{game: o.game, config: o.config, workers: o.workers, time: o.time, games: o.games,
		part: true}
	t.config.Seed = datafile.Seed(seed)
	t.out = filepath.Join(o.out, figureFolder(info, int(seed)))
	if err := runSeed(ctx, stderr, stderr, []string{info.Text}, &t, o.changed); err != nil {
		return nil, fmt.Errorf("%s: %w", t.out, err)
	}
	c, err := checkpoint.Read(t.out)
	if err != nil {
		return nil, err
	}
	// A run that is there keeps its own time, which the table would not tell.
	if its, err := train.ReadConfig(t.out); err != nil || its.Minutes > 0 && its.Minutes != o.time.Minutes() {
		return nil, cmp.Or(err, fmt.Errorf("%s holds a run of %.4g minutes, not of %.4g: choose another folder", t.out,
			its.Minutes, o.time.Minutes()))
	}
	updates, err := train.ReadMetrics(t.out)
	if err != nil {
		return nil, err
	}
	run := &figures.Run{Seed: seed}
	for _, u := range updates {
		run.Decisions, run.CPUSeconds = u.Cloned+u.Decisions, run.CPUSeconds+u.CPUSeconds
	}
	run.Strength, err = measure(ctx, stderr, t.out, c, exportOptions{gameFlags: o.game, games: o.games, seed: o.seed,
		workers: o.workers})
	return run, err
}
