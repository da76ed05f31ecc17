package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/disk"
)

// writeObservation tells in sentences what a seat sees as the game of a seed begins, or what the numbers in a file say.
func writeObservation(w io.Writer, stdin io.Reader, g env.Game, o *gamesOptions) error {
	info := g.Info()
	if o.as < 0 || o.as >= info.Players {
		return usagef("--as %d: the game has seats 0 to %d", o.as, info.Players-1)
	}
	row := make([]float32, info.Observation())
	if o.observation == "" {
		s := g.New()
		s.Reset(o.seed, nil)
		s.Observe(row, env.Player(o.as))
	} else {
		var err error
		if row, err = readRow(o.observation, stdin, info); err != nil {
			return err
		}
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
