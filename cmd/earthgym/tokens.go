package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/eval"
)

type tokensOptions struct {
	game   gameFlags
	seed   uint64
	games  int
	agents []string
}

func newTokens() *cobra.Command {
	o := tokensOptions{}
	cmd := &cobra.Command{
		Use:   "tokens GAME [AGENT…]",
		Short: "Measure the texts that language models read to play a game",
		Long: `Play games, and tell the lengths of the texts that a seat decides by, as a language model reads them: the text
view, and what the seat has seen since its last decision. Tokens are estimated: of each view of the games,
OpenAI's o200k_base has as many to 5 %.`,
		Example: `  earthgym dev tokens new-earth script:strong --games 2`,
		Args:    wordsAllowed(1, -1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := o.game.open(args[0])
			if err != nil {
				return err
			}
			if o.agents = args[1:]; len(o.agents) == 0 {
				o.agents = []string{"script:greedy"}
			}
			return writeTokens(cmd.Context(), cmd.OutOrStdout(), g, o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeGameAndAgents
	f := cmd.Flags()
	seedVar(f, &o.seed, "the first game")
	f.IntVar(&o.games, "games", 3, "`N` games to be played")
	return cmd
}

// A lengthReader measures what a seat is told before each of its decisions, and lets an agent decide.
type lengthReader struct {
	agents.Agent
	lengths *textLengths
}

// textLengths are the lengths of texts in tokens, decision by decision.
type textLengths struct{ view, since, both []float64 }

// Act measures the text view, and what the seat has seen since its last decision.
func (r *lengthReader) Act(v *env.View) (env.Action, error) {
	view, since := countTokens(v.Text()), 0.0
	for _, line := range v.Story() {
		since += countTokens(line + "\n")
	}
	l := r.lengths
	l.view, l.since, l.both = append(l.view, view), append(l.since, since), append(l.both, view+since)
	return r.Agent.Act(v)
}

// Close ends an agent that is a program.
func (r *lengthReader) Close() error { return agents.Close(r.Agent) }

// writeTokens plays games and writes how long the texts are that a seat decides by.
func writeTokens(ctx context.Context, w io.Writer, g env.Game, o tokensOptions) error {
	if o.games < 1 {
		return usagef("--games %d: it is the number of games that are played, at least 1", o.games)
	}
	makers, err := openTable(g, o.agents)
	if err != nil {
		return err
	}
	var lengths textLengths
	for i, m := range makers {
		makers[i] = &agents.Maker{Text: m.Text, New: func() (agents.Agent, error) {
			a, err := m.New()
			return &lengthReader{a, &lengths}, err
		}}
	}
	options := eval.Options{Games: o.games, Seed: o.seed, Workers: 1}
	_, err = eval.Games(ctx, g, makers, options, func(int, *eval.Outcome) error { return nil })
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\ngames of %s from seed %d: %d, with %d decisions; estimated tokens at one\n\n", g.Info().Short,
		strings.Join(o.agents, ", "), o.seed, o.games, len(lengths.view))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "mean\t95 %\tmost\t")
	for _, row := range []struct {
		name   string
		tokens []float64
	}{{"text view", lengths.view}, {"seen since the seat's last one", lengths.since}, {"both", lengths.both}} {
		slices.Sort(row.tokens)
		n, sum := len(row.tokens), 0.0
		for _, x := range row.tokens {
			sum += x
		}
		fmt.Fprintf(t, "%.0f\t%.0f\t%.0f\t  %s\n", sum/float64(n), row.tokens[n*95/100], row.tokens[n-1], row.name)
	}
	return t.Flush()
}

// countTokens estimates how many tokens a text has for a language model. Byte pair encodings mostly have one for a word
// with the space before it, for up to three digits, and for a run of signs; what is glued together, and lines, take
// more. The factors are fitted to o200k_base over the views of all games, each of which it gets right to 5 %.
func countTokens(text string) float64 {
	tokens := 0.0
	before := rune(-1)
	for rest := []rune(text); len(rest) > 0; {
		kind := kindOfRune(rest[0])
		n := 1
		for kind != aLine && n < len(rest) && kindOfRune(rest[n]) == kind {
			n++
		}
		switch kind {
		case aLetter:
			tokens += 0.9
			if before != ' ' {
				tokens += 0.4
			}
		case aDigit:
			tokens += float64((n + 2) / 3)
		case aSpace:
			if n > 1 || len(rest) > 1 && kindOfRune(rest[1]) == aDigit {
				tokens++
			}
		case aLine:
			tokens += 1.7
		default:
			tokens += 1.1
		}
		before = rest[n-1]
		rest = rest[n:]
	}
	return tokens
}

// The kinds of characters that tokens keep apart.
const (
	aSign = iota
	aLetter
	aDigit
	aSpace
	aLine
)

func kindOfRune(r rune) int {
	switch {
	case unicode.IsLetter(r):
		return aLetter
	case unicode.IsDigit(r):
		return aDigit
	case r == '\n':
		return aLine
	case strings.ContainsRune(" \t", r):
		return aSpace
	}
	return aSign
}
