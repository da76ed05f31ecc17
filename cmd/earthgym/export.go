package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"earthgym/agents/checkpoint"
	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/spelling"
	"earthgym/eval"
	"earthgym/train"
)

type exportOptions struct {
	against []string
	variant []string
	games   int
	seed    uint64
	workers int
	whole   bool
	parquet string
	gameFlags
}

func newExport() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export RUN|net:GAME FILE | export RECORD… --parquet FILE",
		Short: "Write a network as one small file, or records as a data set",
		Long: `Write the network of a training run, or of a checkpoint, to a FILE of half the size (float16) without what
only training needs, with a card: its settings, teachers and opponents, how long it was trained, and its
strength, which matches measure here, one seat of it among seats of each opponent. FILE is an agent:
net:FILE. "earthgym agents net:FILE" shows the card, and the SHA-256 that names the network.

With net:GAME: write the network that comes with the program for a game, as it is, with the card that it has.

With --parquet: write the decisions of finished games, from their records or from folders of them, all of one
rulebook, as a data set for offline learning. A row is a decision: game, episode, seed, decision, seat,
agent, observation, action_mask, action, action_text, reward (until the seat's next decision), return (of
the game) and terminated (whether it was the seat's last). At the end of a game come rows with action -1:
what each seat saw then. The metadata earthgym.info are what "earthgym games --json" --layout says of the game.`,
		Example: `  earthgym export runs/first first.safetensors
  earthgym export runs/first first.safetensors --against script:strong
  earthgym export net:one-earth one-earth.safetensors
  earthgym export records --parquet games.parquet`,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("parquet") {
				return wordsAllowed(1, -1, "a record, or a folder of them,")(cmd, args)
			}
			return wordsAllowed(2, 2, "the run, or the file to write,")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("parquet") {
				for _, name := range []string{"against", "variant", "games", "seed", "workers", "float32"} {
					if cmd.Flags().Changed(name) {
						return usagef("--%s goes with a network, not with --parquet", name)
					}
				}
				return runExportParquet(cmd.OutOrStdout(), args, o.parquet, &o.gameFlags)
			}
			return runExport(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], args[1], o)
		},
	}
	f := cmd.Flags()
	agentsVar(f, &o.against, "against", "agents to measure its strength by; the game's own bots if left out")
	f.StringArrayVar(&o.variant, "variant", nil, "`GAME` to measure it in, repeatable; the one that it was trained in "+
		"if left out")
	f.IntVar(&o.games, "games", 400, "games of each match, at least; 0 measures nothing")
	seedVar(f, &o.seed, "all chance of the matches")
	workersVar(f, &o.workers)
	f.StringVar(&o.parquet, "parquet", "", "write records as a data set to this `FILE`")
	f.BoolVar(&o.whole, "float32", false, "keep every number as it is, in a file of twice the size")
	o.add(cmd)
	o.several = true
	cmd.ValidArgsFunction = nil // files, not games
	return cmd
}

func runExport(ctx context.Context, w, stderr io.Writer, from, to string, o exportOptions) error {
	if o.games != 0 {
		if err := checkGames(o.games); err != nil {
			return err
		}
	}
	if err := checkWorkers(o.workers); err != nil {
		return err
	}
	if err := disk.CheckFile(to); err != nil {
		return err
	}
	if game, ok := strings.CutPrefix(from, "net:"); ok {
		return exportShipped(w, game, to, o.whole)
	}
	c, err := checkpoint.Read(from)
	if err != nil {
		return err
	}
	if at, err := os.Stat(from); err == nil && at.IsDir() {
		if err := train.CompleteCard(from, c); err != nil {
			return err
		}
	}
	if c.Card == nil {
		c.Card = new(checkpoint.Card)
	}
	c.Card.Strength = nil
	c.Tensors, c.Texts, c.Half = nil, nil, !o.whole
	if o.games > 0 {
		if c.Card.Strength, err = measureWritten(ctx, stderr, c, o); err != nil {
			return err
		}
	}
	if err := checkpoint.Write(to, c); err != nil {
		return err
	}
	return writeCard(w, to)
}

// exportShipped writes the network that comes with the program for a game.
func exportShipped(w io.Writer, game, to string, whole bool) error {
	if !shipped.Has(game) {
		return usagef("net:%s: no network comes with the program for that game: %s", game,
			spelling.Suggest(game, shipped.Games()))
	}
	c, err := shipped.Network(game)
	if err != nil {
		return err
	}
	c.Half = c.Half && !whole
	if err := checkpoint.Write(to, c); err != nil {
		return err
	}
	return writeCard(w, to)
}

// measureWritten is measure of what a file of the network holds, written in a folder of its own: what may stand where
// it is exported to stays until all is known.
func measureWritten(ctx context.Context, stderr io.Writer, c *checkpoint.Checkpoint,
	o exportOptions) (_ []checkpoint.Strength, err error) {
	dir, err := os.MkdirTemp("", "earthgym-export-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "network.safetensors")
	if err := checkpoint.Write(file, c); err != nil {
		return nil, err
	}
	return measure(ctx, stderr, file, c, o)
}

// measure plays the network of a file against each of the opponents in each of the variants.
func measure(ctx context.Context, stderr io.Writer, file string, c *checkpoint.Checkpoint,
	o exportOptions) ([]checkpoint.Strength, error) {
	variants, opponents := o.variant, o.against
	if len(variants) == 0 {
		variants = []string{c.Game}
	}
	if len(opponents) == 0 {
		for _, level := range scripted.Levels() {
			opponents = append(opponents, "script:"+level)
		}
	}
	var list []checkpoint.Strength
	for _, text := range variants {
		g, err := o.open(text)
		if err != nil {
			return nil, err
		}
		if g.Info().Name != c.Name {
			return nil, usagef("--variant %s: the network is of %s", text, c.Name)
		}
		if err := c.Check(g.Info()); err != nil {
			return nil, fmt.Errorf("the network: %w", err)
		}
		if len(o.variant) == 0 { // a strength among other components is told only of a variant that is asked for
			if err := c.CheckData(g.Info()); err != nil {
				return nil, fmt.Errorf("the network: %w", err)
			}
		}
		for _, opponent := range opponents {
			s, err := measureOne(ctx, stderr, g, file, opponent, o)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// measureOne plays one match, or in a game that all win together two tables on the same seeds.
func measureOne(ctx context.Context, stderr io.Writer, g env.Game, file, opponent string,
	o exportOptions) (checkpoint.Strength, error) {
	info := g.Info()
	s := checkpoint.Strength{Agent: "net", Opponent: opponent, Game: info.Text, Program: programText(), Seed: o.seed}
	play := func(seated ...string) (*eval.MatchResult, error) {
		return playNamed(ctx, stderr, g, matchOptions{sharedFlags: sharedFlags{workers: o.workers}, games: o.games,
			seed: o.seed, forfeit: forfeitTakeover}, "playing "+opponent, seated...)
	}
	if info.Shared() {
		ours, err := play("net:" + file)
		if err != nil {
			return s, err
		}
		theirs, err := play(opponent)
		if err != nil {
			return s, err
		}
		difference, err := eval.Compare(ours, theirs)
		if err != nil {
			return s, err
		}
		own := ours.Agents[0]
		s.Games, s.Return, s.ReturnCI = ours.Games, difference.MeanReturn, difference.ReturnCI
		s.Wins, s.WinsCI, s.Fair = own.WinShare, own.WinCI, theirs.Agents[0].WinShare
		return s, nil
	}
	match, err := play("net:"+file, opponent)
	if err != nil {
		return s, err
	}
	own, difference := match.Agents[0], match.Differences[0]
	s.Games, s.Return, s.ReturnCI = match.Games, difference.MeanReturn, difference.ReturnCI
	s.Wins, s.WinsCI, s.Fair = own.WinShare, own.WinCI, 1/float64(info.Players)
	return s, nil
}
