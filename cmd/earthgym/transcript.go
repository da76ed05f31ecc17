package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"earthgym/env/disk"
	"earthgym/env/record"
)

// transcriptHelp says what a game looks like that was written down without a seed.
const transcriptHelp = `With --import, FILE is a game that was written down without a seed, such as one played at a real table. It is
JSON Lines: first the game, then a line for each decision, and last what is known of the result.

  {"game": "resilience-earth:players=2", "chance": ["timer = 62"]}
  {"action": "settle 12", "player": 0}
  {"winners": [1]}

The chance of the first line is that of the set-up, that of a decision what it caused, each draw in the order
of the game and as records have it ("earthgym record" shows how). Of a shuffled deck the first cards are
enough. What is missing or can't have been is said with its line, and with what there might be. Players,
agents and the result may be left out, and so may draws that have one outcome; "meta" and "date" are kept.
With --out the game is written as a record, which all commands take that read records.`

// runImport verifies a game that was written down, and writes it as a record if that is asked for.
func runImport(w io.Writer, file string, o replayOptions) error {
	in, err := disk.Open(file)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	defer in.Close()
	transcript, err := record.ReadTranscript(file, in)
	if err != nil {
		return err
	}
	g, err := o.game.openOf(file+": line 1", transcript.Game())
	if err != nil {
		return err
	}
	rec, err := transcript.Record(g)
	if err != nil {
		return err
	}
	if o.out != "" {
		switch _, err := os.Stat(o.out); {
		case err == nil:
			return fmt.Errorf("%s exists: name another file", o.out)
		case !errors.Is(err, os.ErrNotExist):
			return err
		}
		if rec.Header.Program == "" {
			rec.Header.Program = programText()
		}
		if err := disk.WriteFile(o.out, rec.Write); err != nil {
			return err
		}
	}
	if err := writeVerified(w, file, g.Info(), rec); err != nil || o.out == "" {
		return err
	}
	_, err = fmt.Fprintf(w, "record: %s\n", o.out)
	return err
}
