package main

import (
	"fmt"
	"io"

	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/env/story"
)

// writeLog writes the story of a record as a viewer may know it: each decision's sentences below its number among those
// that the viewer has witnessed, from 1; what went before the first has 0.
func writeLog(w io.Writer, rec *record.Record, g env.Game, viewer env.Player) error {
	narrator, err := story.NewNarrator(g)
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
