package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"earthgym/cmd/earthgym/term"
	"earthgym/env"

	"github.com/spf13/cobra"
)

type drillOptions struct {
	game   gameFlags
	seat   int
	with   string
	worst  int
	least  float64
	asJSON bool
}

func newDrill() *cobra.Command {
	o := drillOptions{}
	cmd := &cobra.Command{
		Use:   "drill FILE",
		Short: "Learn from a recorded game: the decisions that cost most, to try again",
		Long: `Value each decision of a seat in a recorded game by search: a curve shows what was lost where, then come
the decisions that lost the most expected return, the worst first: the table as the seat saw it, what had
happened, and the choices. Choose again, and see what the search thinks of it. What was chosen is compared
with the best on the samples that tried both, and counts as a loss only beyond its standard error; a search
is not always right all the same, least with few simulations.`,
		Example: `  earthgym drill records/resilience-earth-7.jsonl
  earthgym drill game.jsonl --as 2 --with mcts:sims=800 --worst 3
  earthgym drill game.jsonl --json`,
		Args: wordsAllowed(1, 1, "the record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("as") {
				o.seat = -1
			}
			return runDrill(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = nil
	f := cmd.Flags()
	f.IntVar(&o.seat, "as", 0, "whose decisions: a `SEAT`; if none is given, the first person's, or seat 0's")
	f.StringVar(&o.with, "with", "mcts:sims=200", "the `AGENT` that values decisions, a search")
	f.IntVar(&o.worst, "worst", 5, "how many decisions to show, at most")
	f.Float64Var(&o.least, "least", 0.05, "the least loss of expected return to show, of 2 that lie between winning and losing")
	f.BoolVar(&o.asJSON, "json", false, "list them for programs, and ask nothing")
	return cmd
}

func runDrill(ctx context.Context, in io.Reader, w, stderr io.Writer, file string, o drillOptions) error {
	if o.worst < 1 {
		return usagef("--worst %d: at least one decision is shown", o.worst)
	}
	rec, g, err := o.game.openRecord(file)
	if err != nil {
		return err
	}
	seat, err := drilled(rec, g, o.seat)
	if err != nil {
		return err
	}
	makers, err := openAgents(g, o.with)
	if err != nil {
		return fmt.Errorf("--with: %w", err)
	}
	bar := newProgress(stderr, "searching")
	found, err := term.Drill(ctx, rec, g, seat, makers[0], o.least, bar.set)
	bar.done()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	tasks := found.Tasks[:min(o.worst, len(found.Tasks))]
	if o.asJSON {
		type loss struct {
			Decision int        `json:"decision"`
			Player   env.Player `json:"player"`
			Chosen   string     `json:"chosen"`
			Best     string     `json:"best"`
			Loss     float64    `json:"loss"`
			Error    float64    `json:"error"` // the standard error of the loss
			Line     []string   `json:"line"`
		}
		losses := []loss{}
		for _, t := range tasks {
			losses = append(losses, loss{t.Decision, seat, t.Chosen, t.Best, t.Loss, t.Error, append([]string{}, t.Line...)})
		}
		return writeJSON(w, losses)
	}
	if len(tasks) == 0 {
		_, err := fmt.Fprintf(w, "%s finds no decision of player %d that lost %.2f or more\n", o.with, seat, o.least)
		return err
	}
	if err := found.Curve(w); err != nil {
		return err
	}
	return term.Try(ctx, in, w, g.Info(), tasks)
}

// drilled is the seat whose decisions are looked at: the one that is asked for, or -1 for the first person's.
func drilled(rec *env.Record, g env.Game, seat int) (env.Player, error) {
	switch players := g.Info().Players; {
	case seat >= players || seat < -1:
		return 0, usagef("--as %d: the game has seats 0 to %d", seat, players-1)
	case seat >= 0:
		return env.Player(seat), nil
	}
	return env.Player(max(0, slices.IndexFunc(rec.Header.Agents, func(name string) bool { return isPerson(name) }))), nil
}
