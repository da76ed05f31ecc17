package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"earthgym/env/datafile"
	"earthgym/env/disk"
	"earthgym/eval/benchmark"
	"earthgym/games"
)

type benchmarkOptions struct {
	sharedFlags
	quick    bool
	agents   []string
	games    []string
	data     []string
	stored   bool
	markdown bool
}

func newBenchmark() *cobra.Command {
	o := benchmarkOptions{}
	cmd := &cobra.Command{
		Use:   "benchmark [AGENT…]",
		Short: "Measure agents by the standing protocol",
		Long: `Measure agents by protocol 3: in each game and in other variants of its rulebook a score at the table of
script:strong@1 (0 is random play, 1 is script:strong@1), a rating among the field, what the best guest of the field gains at the agent's own table,
how often its own table wins or keeps what all share, and scores among background populations that nobody
trains against, which make a profile: restraint, trust, sanction, reciprocity, teamwork.

Without an AGENT the whole field is measured. Else the agents named are, and stand below the stored results
of the field. --quick plays a fifth of the games, without search. --out keeps what is finished, and the same
command goes on from there. Of a network that has changed no more is played than the games in which it sits;
what is kept of a program that was changed under the same command is out of date.

"go doc earthgym/eval/benchmark" says what belongs to a version of the protocol. --data plays a season's
variants instead ("earthgym dev season").`,
		Example: `  earthgym benchmark --quick
  earthgym benchmark net:runs/mine --quick
  earthgym benchmark "remote:python my_agent.py" --game one-earth --out mine
  earthgym benchmark --stored --markdown`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.agents = args
			return runBenchmark(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.quick, "quick", false, "a fifth of the games, without search: about a minute")
	f.StringArrayVar(&o.games, "game", nil, "a `GAME` of the protocol to measure in, instead of all; repeatable")
	f.StringArrayVar(&o.data, "data", nil, "component data `FILE` of a season; repeatable, one a game")
	f.StringVar(&o.out, "out", "", "`FOLDER` that keeps what is finished")
	f.BoolVar(&o.stored, "stored", false, "only show the results of the field that come with the program")
	f.BoolVar(&o.markdown, "markdown", false, "for a page")
	o.add(cmd)
	cmd.ValidArgsFunction = completeAgent
	return cmd
}

func runBenchmark(ctx context.Context, w, stderr io.Writer, o benchmarkOptions) error {
	if err := checkWorkers(o.workers); err != nil {
		return err
	}
	switch {
	case o.stored && (o.quick || len(o.agents) > 0 || o.games != nil || o.data != nil || o.out != "" ||
		o.share.shard != ""):
		return usagef("--stored shows what is there: leave out agents, --quick, --game, --data, --out and --shard")
	case o.asJSON && o.markdown:
		return usagef("--json or --markdown, not both")
	}
	for _, text := range o.agents {
		if name, _, _ := strings.Cut(text, ":"); !beginsAgent(text) {
			if _, err := games.Find(name); err == nil {
				return usagef("%q is a game: --game %s", text, quote(text))
			}
		}
	}
	stored, err := benchmark.Stored()
	if err != nil {
		return err
	}
	if o.stored {
		return o.write(w, stored)
	}
	p, err := benchmark.Read()
	if err != nil {
		return err
	}
	if err := o.share.begin(ctx, o.out); err != nil {
		return err
	}
	r, err := o.run(ctx, stderr, p)
	if done, err := o.share.end(ctx, w, o.asJSON, err); done {
		return err
	}
	if err != nil {
		return err
	}
	if len(o.agents) > 0 && !o.asJSON && !r.Season && stored.Protocol == r.Protocol {
		if len(o.games) > 0 {
			stored = stored.In(p, o.games)
		}
		r.Rows = append(stored.Rows, r.Rows...)
	}
	return o.write(w, r)
}

func (o *benchmarkOptions) write(w io.Writer, r *benchmark.Results) error {
	switch {
	case o.asJSON:
		return writeJSON(w, r)
	case o.markdown:
		return benchmark.WriteMarkdown(w, r)
	}
	return benchmark.WriteText(w, r)
}

func (o *benchmarkOptions) run(ctx context.Context, stderr io.Writer, p *benchmark.Protocol) (_ *benchmark.Results,
	err error) {
	season, err := games.ReadData(o.data)
	if err != nil {
		return nil, err
	}
	dir := o.out
	if dir == "" {
		if dir, err = os.MkdirTemp("", "earthgym-benchmark-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	} else if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the folder for what is measured: %w", err)
	}
	bar := newProgress(stderr, "measuring")
	r, err := p.Run(ctx, o.agents, benchmark.Options{
		Quick: o.quick, Registry: games.All(), Games: o.games, Season: season, Workers: o.workers, Dir: dir,
		Share: o.share.Share,
		Progress: func(what string, done, total int) {
			bar.describe(what)
			bar.set(1000*done/total, 1000)
		},
	})
	bar.done()
	if err != nil {
		if ctx.Err() != nil && o.out != "" && !o.share.Partial() {
			return nil, fmt.Errorf("%w; the same command goes on with what is kept in %s", err, o.out)
		}
		return nil, asked(err)
	}
	r.Program, r.Date, r.Command = programText(), time.Now().UTC().Format(time.DateOnly), o.command()
	return r, nil
}

func (o *benchmarkOptions) command() string {
	words := []string{"earthgym", "benchmark"}
	if o.quick {
		words = append(words, "--quick")
	}
	words = append(words, o.agents...)
	for _, game := range o.games {
		words = append(words, "--game", game)
	}
	for _, file := range o.data {
		words = append(words, "--data", file)
	}
	return shellLine(words)
}

func newSeason() *cobra.Command {
	var seed uint64
	var out string
	var check bool
	cmd := &cobra.Command{
		Use:   "season --seed N --out FOLDER",
		Short: "Draw a season's variants of the games for the benchmark",
		Long: `Draw other numbers for the components of each game from a seed, within the bounds of the benchmark's protocol,
and write them as component data files, GAME.toml, into a folder. Who runs a season measures agents on them
("earthgym benchmark --data") and publishes the seed afterwards: --check says whether files are those of it.`,
		Example: `  earthgym dev season --seed 4711 --out autumn
  earthgym benchmark net:runs/mine --data autumn/one-earth.toml
  earthgym dev season --seed 4711 --out autumn --check`,
		Args: wordsAllowed(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runSeason(cmd.OutOrStdout(), seed, out, check)
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&seed, "seed", 0, "seed of the season")
	f.StringVar(&out, "out", "", "`FOLDER` of the files")
	f.BoolVar(&check, "check", false, "write nothing, and say whether the files there are those of the seed")
	_ = cmd.MarkFlagRequired("seed")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

func runSeason(w io.Writer, seed uint64, out string, check bool) error {
	p, err := benchmark.Read()
	if err != nil {
		return err
	}
	if !check {
		if err := os.MkdirAll(out, 0o755); err != nil {
			return fmt.Errorf("cannot make the folder of the season: %w", err)
		}
	}
	for _, s := range p.Seasons {
		d, err := s.Draw(games.All(), seed)
		if err != nil {
			return err
		}
		name := filepath.Join(out, s.Game+".toml")
		if !check {
			if err := disk.Write(name, d.Bytes); err != nil {
				return err
			}
			fmt.Fprintln(w, name)
			continue
		}
		there, _, err := datafile.Read(name)
		if err != nil {
			return err
		}
		if string(there.Bytes) != string(d.Bytes) {
			return fmt.Errorf("%s is not what the seed %d draws", name, seed)
		}
		fmt.Fprintf(w, "%s: drawn from seed %d\n", name, seed)
	}
	return nil
}
