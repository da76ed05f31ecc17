package main

import (
	"fmt"
	"io"

	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/spelling"
)

// openWords reads a catalogue for the story of a game: the game's own if there is no file.
func openWords(file string, g env.Game) (*env.Words, error) {
	own, err := env.WordsOf(g)
	if err != nil || file == "" {
		return own, err
	}
	b, err := disk.ReadFile(file, env.MaxDataFile)
	if err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	words, err := env.ReadWords(env.DataFile{Name: file, Bytes: b}, own)
	if err != nil {
		return nil, err
	}
	if err := web.CheckLabels(words.Page()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return words, nil
}

// writeLog writes the story of a record as a viewer may know it: each step's sentences below the number of the
// decision, from 1; what went before the first has 0.
func writeLog(w io.Writer, rec *env.Record, g env.Game, words *env.Words, viewer env.Player) error {
	narrator, err := env.NewNarrator(g, words)
	if err != nil {
		return err
	}
	width := len(fmt.Sprint(len(rec.Moves)))
	err = rec.Follow(g, func(n int, step *env.Step) error {
		number := fmt.Sprint(n)
		for _, s := range narrator.Tell(step, viewer) {
			if _, err := fmt.Fprintf(w, "%*s  %s\n", width, number, spelling.Printable(s.Text)); err != nil {
				return err
			}
			number = ""
		}
		return nil
	})
	if err != nil {
		return err
	}
	return narrator.Err()
}
