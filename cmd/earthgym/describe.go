package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/disk"

	"github.com/spf13/cobra"
)

type describeOptions struct {
	game   gameFlags
	seed   uint64
	as     int
	tokens bool
	games  int
	agent  string
}

func newDescribe() *cobra.Command {
	o := describeOptions{}
	cmd := &cobra.Command{
		Use:   "describe GAME [FILE]",
		Short: "Tell an observation in sentences",
		Long: `Tell an observation in sentences: feature by feature, what it says, in the words of the game. FILE holds
the numbers, divided by spaces, commas or lines, in brackets or not; "-" is the standard input. Without a
file it is what a seat sees when the game begins.

With --tokens games are played instead, and the lengths of the texts are told that a seat decides by, as a
language model reads them: the text view, and what the seat has seen since its last decision. Tokens are
estimated: of each view of the games, OpenAI's o200k_base has as many to 5 %.`,
		Example: `  earthgym describe resilience-earth --seed 7 --as 2
  python -c "...; print(*observation)" | earthgym describe one-earth -
  earthgym describe new-earth --tokens --games 2 --agent script:strong`,
		Args: wordsAllowed(1, 2, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDescribe(cmd.Context(), cmd.OutOrStdout(), cmd.InOrStdin(), args, o)
		},
	}
	o.game.add(cmd)
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", 1, "of the game that begins, or of the first that is played")
	f.IntVar(&o.as, "as", 0, "the `SEAT` that sees it")
	f.BoolVar(&o.tokens, "tokens", false, "lengths of the texts of played games instead")
	f.IntVar(&o.games, "games", 3, "`N` games to be played for --tokens")
	f.StringVar(&o.agent, "agent", "script:greedy", "`AGENT` that plays them")
	return cmd
}

func runDescribe(ctx context.Context, w io.Writer, stdin io.Reader, args []string, o describeOptions) error {
	g, err := o.game.open(args[0])
	if err != nil {
		return err
	}
	info := g.Info()
	if o.as < 0 || o.as >= info.Players {
		return usagef("--as %d: the game has seats 0 to %d", o.as, info.Players-1)
	}
	if o.tokens {
		if len(args) > 1 {
			return usagef("--tokens plays games: leave out the file %q", args[1])
		}
		return writeTokens(ctx, w, g, o)
	}
	row := make([]float32, info.Observation())
	if len(args) == 1 {
		s := g.New()
		s.Reset(o.seed, nil)
		s.Observe(row, env.Player(o.as))
	} else if row, err = readRow(args[1], stdin, info); err != nil {
		return err
	}
	lines, err := info.Describe(row)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if err := writeWrapped(w, "", line); err != nil {
			return err
		}
	}
	return nil
}

// readRow reads the numbers of one observation of a game.
func readRow(file string, stdin io.Reader, info *env.Info) ([]float32, error) {
	name, in := "standard input", stdin
	if file != "-" {
		f, err := disk.Open(file)
		if err != nil {
			return nil, fmt.Errorf("observation: %w", err)
		}
		defer f.Close()
		name, in = file, f
	}
	var row []float32
	words := bufio.NewScanner(in)
	words.Split(bufio.ScanWords)
	for words.Scan() {
		for _, word := range strings.FieldsFunc(words.Text(), func(r rune) bool { return r == ',' || r == '[' || r == ']' }) {
			x, err := strconv.ParseFloat(word, 32)
			if err != nil {
				return nil, fmt.Errorf("%s: number %d: %q is none", name, len(row), word)
			}
			if row = append(row, float32(x)); len(row) > info.Observation() {
				return nil, fmt.Errorf("%s: more than the %d numbers of an observation of %s", name, info.Observation(), info.Name)
			}
		}
	}
	if err := words.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(row) < info.Observation() {
		return nil, fmt.Errorf("%s: %d numbers; an observation of %s has %d", name, len(row), info.Name, info.Observation())
	}
	return row, nil
}
