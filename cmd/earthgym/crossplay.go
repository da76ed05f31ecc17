package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"earthgym/env"
	"earthgym/eval"
)

type crossplayOptions struct {
	sharedFlags
	game    gameFlags
	games   int
	seed    uint64
	forfeit string
	report  []string
}

func newCrossplay() *cobra.Command {
	o := crossplayOptions{}
	cmd := &cobra.Command{
		Use:   "crossplay GAME AGENT AGENT…",
		Short: "Seat every agent as a guest at every other's table",
		Long: `Play every agent as a guest, in one seat of a table that is otherwise another agent's, and every table
without a guest on the same game seeds. A star marks what the guest changes, with an error of 5 % for all
guests together (Holm). What a copy of each agent gains as a guest at its own table is noise, of which one
that does nothing by chance has none.

In a cooperative game this says whether agents that were trained apart get on (cross-play). In a game of
mixed motives the guest is a focal agent among a background population: what it gets there, what that does to
the others, how often what all share is lost (a fallen tower, a ruined Earth) and by whom, how unequal the
scores are, and the price of selfishness: how far each agent's own table falls short of the best table known.
Agents of different aims in the field, such as a careful one, make that a better yardstick.`,
		Example: `  earthgym crossplay earth-rising script:strong net:runs/a net:runs/b
  earthgym crossplay one-earth script:greedy script:strong --games 400
  earthgym crossplay one-earth script:strong net: --report crossplay.html`,
		Args: wordsAllowed(3, -1, "a game with at least two agents"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.seed = tableSeed(cmd, o.seed, args[1:]...)
			return runCrossplay(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], args[1:], o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeGameAndAgents
	f := cmd.Flags()
	f.IntVar(&o.games, "games", 100, "games with each guest at each table, at least; the table alone plays one game on "+
		"each of their seeds")
	seedVar(f, &o.seed, "all chance"+seedHelp)
	forfeitVar(cmd, &o.forfeit)
	reportVar(cmd, &o.report, "")
	o.add(cmd)
	return cmd
}

func runCrossplay(ctx context.Context, w, stderr io.Writer, game string, texts []string, o crossplayOptions) error {
	if err := cmp.Or(checkGames(o.games), checkWorkers(o.workers)); err != nil {
		return err
	}
	g, err := o.game.open(game)
	if err != nil {
		return err
	}
	makers, err := openAgents(g, texts...)
	if err != nil {
		return err
	}
	writeCaveats(stderr, []env.Game{g}, texts)
	substitute, err := openSubstitute(g, o.forfeit)
	if err != nil {
		return err
	}
	if err := checkReport(o.report...); err != nil {
		return err
	}
	report := newReport(g.Info().Title+": cross-play", []eval.Setting{
		{Name: "game", Value: g.Info().Text}, {Name: "games", Value: fmt.Sprint(o.games)},
		{Name: "seed", Value: fmt.Sprint(o.seed)}, {Name: "forfeit", Value: o.forfeit},
	})
	if err := o.share.begin(ctx, o.out); err != nil {
		return err
	}
	bar := newProgress(stderr, "playing")
	c, err := eval.PlayCrossPlay(ctx, g, makers, eval.Options{
		Games: o.games, Seed: o.seed, Workers: o.workers, Substitute: substitute, Progress: bar.set,
		Share: o.share.Share,
	})
	bar.done()
	if done, err := o.share.end(ctx, w, o.asJSON, err); done {
		return err
	}
	if err != nil {
		return asked(err)
	}
	report.CrossPlay, report.Took = c, time.Since(report.Date)
	filed := writeReports(o.report, []env.Game{g}, report)
	if o.asJSON {
		return cmp.Or(writeJSON(w, c), filed)
	}
	return cmp.Or(eval.WriteCrossPlay(w, c), tellReports(w, o.report, filed))
}
