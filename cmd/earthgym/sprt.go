package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

func newSPRT() *cobra.Command {
	var test, counts string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "sprt",
		Short: "Judge games played elsewhere by a sequential test",
		Long: `Judge the games of two agents, played elsewhere, by the test of match --sprt. The counts are those of pairs
of games on one seed with exchanged seats, by what the first agent has made of them: both lost, one lost and
one drawn, balanced, one won and one drawn, both won; or, less sharp, of games: lost, drawn, won. A return is
+1 for a game won and -1 for one lost, and what is tested is the first agent's minus the other's, which is
twice its own.`,
		Example: `  earthgym dev sprt --counts 31,80,120,95,44 --test return0=0,return1=0.1
  earthgym dev sprt --counts 210,30,260 --test return0=0,return1=0.05`,
		Args: wordsAllowed(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runSPRT(cmd.OutOrStdout(), test, counts, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&counts, "counts", "", "5 `counts` of pairs, from both lost to both won, or 3 of games, lost, drawn "+
		"and won")
	f.StringVar(&test, "test", "return0=0,return1=0.05", "the `test`, with alpha= and beta= (0.05 if left out)")
	f.BoolVar(&asJSON, "json", false, "for programs")
	_ = cmd.MarkFlagRequired("counts")
	return cmd
}

func runSPRT(w io.Writer, text, counts string, asJSON bool) error {
	test, err := readSPRT(text)
	if err != nil {
		return usagef("--test: %w", err)
	}
	var n []float64
	for _, word := range strings.Split(counts, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return usagef("--counts: %q is no number", word)
		}
		n = append(n, x)
	}
	stop, err := test.Judge(n)
	if err != nil {
		return usagef("--counts %s: %w", counts, err)
	}
	if asJSON {
		return writeJSON(w, stop)
	}
	_, err = fmt.Fprintf(w, "%s\nlog-likelihood ratio %.2f; it decides at %.2f and %.2f\n%s\n", stop.Rule, stop.LLR,
		stop.Lower, stop.Upper, stop.Verdict)
	return err
}
