package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"earthgym/cmd/earthgym/term"
	"earthgym/env"
	"earthgym/env/record"
)

// runDrill values each decision of a seat, and lets those that cost most be tried again.
func runDrill(ctx context.Context, in io.Reader, w, stderr io.Writer, file string, o explainOptions) error {
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
	makers, err := openAgents(g, o.agent)
	if err != nil {
		return err
	}
	writeCaveats(stderr, []env.Game{g}, []string{o.agent})
	bar := newProgress(stderr, "searching")
	found, err := term.Drill(ctx, rec, g, seat, makers[0], o.least, bar.set)
	bar.done()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	tasks := found.Tasks[:min(o.worst, len(found.Tasks))]
	if o.asJSON {
		return writeJSON(w, append([]term.Task{}, tasks...))
	}
	if len(tasks) == 0 {
		_, err := fmt.Fprintf(w, "%s finds no decision of player %d that lost %.2f or more\n", o.agent, seat, o.least)
		return err
	}
	if err := found.Curve(w); err != nil {
		return err
	}
	return term.Try(ctx, in, w, g.Info(), tasks)
}

// drilled is the seat whose decisions are looked at: the one that is asked for, or -1 for the first person's.
func drilled(rec *record.Record, g env.Game, seat int) (env.Player, error) {
	switch players := g.Info().Players; {
	case seat >= players || seat < -1:
		return 0, usagef("--as %d: the game has seats 0 to %d", seat, players-1)
	case seat >= 0:
		return env.Player(seat), nil
	}
	return env.Player(max(0, slices.IndexFunc(rec.Header.Agents, func(name string) bool { return isPerson(name) }))), nil
}
