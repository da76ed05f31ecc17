package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"earthgym/env"
)

// openUntil opens a game unless a signal ends the program before that: data files may be large.
func openUntil(ctx context.Context, open func() (env.Game, error)) (env.Game, error) {
	type opened struct {
		game env.Game
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		g, err := open()
		done <- opened{g, err}
	}()
	select {
	case o := <-done:
		return o.game, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// writeLayout writes what an agent needs to know of a game: its actions, what an observation is made of, hashes and
// bounds.
func writeLayout(w io.Writer, info *env.Info) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	part := func(title string) { // Its columns are of their own width.
		_ = t.Flush() // An error comes again at the end.
		fmt.Fprintf(w, "\n%s\n", title)
	}
	fmt.Fprintf(t, "%s\t%s\n", info.Title, strings.Join(info.Traits, ", "))
	fmt.Fprintf(t, "game\t%s\n", info.Short)
	fmt.Fprintf(t, "rules version\t%d\n", info.Rules)
	fmt.Fprintf(t, "data\t%s\n", info.DataHash)
	fmt.Fprintf(t, "players\t%d\n", info.Players)
	fmt.Fprintf(t, "decisions a game\tat most %d\n", info.MaxDecisions)
	fmt.Fprintf(t, "chance streams\t%s\n", strings.Join(info.Streams, ", "))
	fmt.Fprintf(t, "actions\t%d (hash %s)\n", len(info.Actions), info.ActionHash())
	fmt.Fprintf(t, "observation\t%d numbers (hash %s, encoding version %d)\n", info.Observation(), info.ObservationHash(),
		info.Encoding)

	part("Actions")
	for from := 0; from < len(info.Actions); {
		to := from + 1
		for to < len(info.Actions) && info.Actions[to].Family == info.Actions[from].Family {
			to++
		}
		first, last := info.Actions[from].Text, info.Actions[to-1].Text
		if to == from+1 {
			fmt.Fprintf(t, "  %d\t%s\t%s\n", from, info.Actions[from].Family, first)
		} else {
			fmt.Fprintf(t, "  %d-%d\t%s\t%s … %s\n", from, to-1, info.Actions[from].Family, first, last)
		}
		from = to
	}

	part("Observation, own seat first")
	for _, f := range info.Features {
		fmt.Fprintf(t, "  %d\t%s\t%s\t%v to %v\t%s\n", f.Offset, f.Name, shape(f.Shape), f.Low, f.High, f.Help)
	}
	if len(info.Objects) > 0 {
		part("Objects that actions point at, and the features that describe them")
	}
	for _, o := range info.Objects {
		fmt.Fprintf(t, "  %s\t%d\t%s\n", o.Name, o.Count, strings.Join(o.Features, ", "))
	}
	if len(info.Ends) > 0 {
		part("Ends of a game")
	}
	for _, e := range info.Ends {
		loss := ""
		if e.Loss {
			loss = "; all lose"
		}
		fmt.Fprintf(t, "  %s\t%s%s\n", e.Name, e.Help, loss)
	}
	if len(info.Measures) > 0 {
		part("Measures of a game, beside returns and scores")
	}
	for _, m := range info.Measures {
		fmt.Fprintf(t, "  %s\t%s\n", m.Name, m.Help)
	}
	return t.Flush()
}

// shape writes dimensions as 36×3.
func shape(dims []int) string {
	words := make([]string, len(dims))
	for i, d := range dims {
		words[i] = fmt.Sprint(d)
	}
	return strings.Join(words, "×")
}
