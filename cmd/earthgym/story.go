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

// writeLog writes the story of a record as a viewer may know it: each decision's sentences below its number among those
// that the viewer has witnessed, from 1; what went before the first has 0.
func writeLog(w io.Writer, rec *env.Record, g env.Game, words *env.Words, viewer env.Player) error {
	narrator, err := env.NewNarrator(g, words)
	if err != nil {
		return err
	}
	all := 0 // that it has witnessed, as those that it hasn't must not even show in how wide the numbers are
	onlooker := env.NewOnlooker(viewer)
	err = rec.Follow(g, func(_ int, step *env.Step) error {
		if _, witnessed := onlooker.Hear(step); witnessed {
			all++
		}
		return nil
	})
	if err != nil {
		return err
	}
	width, n := len(fmt.Sprint(all)), 0
	number := fmt.Sprint(n)
	onlooker = env.NewOnlooker(viewer)
	err = rec.Follow(g, func(_ int, step *env.Step) error {
		step, witnessed := onlooker.Hear(step)
		if step == nil {
			return nil
		}
		if witnessed {
			n++
			number = fmt.Sprint(n)
		}
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
