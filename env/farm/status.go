package farm

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"earthgym/env/spelling"
)

// A Status is what goes on at an engine.
type Status struct {
	Backlog int    `json:"backlog"` // bundles that nobody has taken
	Taken   int    `json:"taken"`   // bundles that somebody is at
	Workers []Life `json:"workers"`
	Jobs    []Life `json:"jobs"`
}

// ReadStatus asks an engine.
func ReadStatus(ctx context.Context, e Engine) (*Status, error) {
	told, err := e.Told(ctx)
	if err != nil {
		return nil, err
	}
	s := &Status{Backlog: told.Backlog, Taken: told.Taken, Workers: []Life{}, Jobs: []Life{}}
	workers, jobs := told.Read()
	s.Workers, s.Jobs = append(s.Workers, workers...), append(s.Jobs, jobs...)
	return s, nil
}

// Write writes it for people.
func (s *Status) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s to be done, %d being done\n", spelling.Counted(s.Backlog, "bundle"), s.Taken)
	if len(s.Workers) == 0 {
		b.WriteString("no worker\n")
	}
	for _, l := range s.Workers {
		fmt.Fprintf(&b, "worker %q: %d of %d at work, %d games or runs done, %.3g a second, %s\n", l.Who, len(l.Bundles),
			l.Slots, l.Parts, l.Rate, clean(l.Class))
		for _, name := range slices.Sorted(maps.Keys(l.Doing)) {
			said, _, _ := strings.Cut(l.Doing[name], "\n")
			fmt.Fprintf(&b, "  %s\n", clean(said))
		}
	}
	if len(s.Jobs) == 0 {
		b.WriteString("no command\n")
	}
	for _, l := range s.Jobs {
		fmt.Fprintf(&b, "%d of %d, %.3g a second, %.0f s left: %s\n", l.Done, l.Total, l.Rate, l.Left, clean(l.Says))
		for _, s := range l.Standings {
			rating := "no rating yet"
			if s.Rated {
				rating = fmt.Sprintf("rating %.0f [%.0f, %.0f]", s.Rating, s.Low, s.High)
			}
			fmt.Fprintf(&b, "  %s: %s, return %+.3f, %s\n", clean(s.Agent), rating, s.Return, spelling.Counted(s.Games, "seat"))
		}
		for _, why := range l.Parked {
			fmt.Fprintf(&b, "  parked: %s\n", clean(why))
		}
		for _, name := range slices.Sorted(maps.Keys(l.Aside)) {
			fmt.Fprintf(&b, "  not by %q: %s\n", name, clean(l.Aside[name]))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// clean is a stranger's text on one line.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e {
			return ' '
		}
		return r
	}, text)
}

// WritePrometheus writes it in the text format of Prometheus.
func (s *Status) WritePrometheus(w io.Writer) error {
	var b strings.Builder
	gauge := func(name, help string, rows func()) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
		rows()
	}
	one := func(name, help string, value int) {
		gauge(name, help, func() { fmt.Fprintf(&b, "%s %d\n", name, value) })
	}
	slots := 0
	for _, l := range s.Workers {
		slots += l.Slots
	}
	one("earthgym_farm_backlog", "Bundles that nobody has taken.", s.Backlog)
	one("earthgym_farm_taken", "Bundles that a worker is at.", s.Taken)
	one("earthgym_farm_workers", "Workers.", len(s.Workers))
	one("earthgym_farm_slots", "Bundles that they do at once.", slots)
	each := func(name, help, label string, of []Life, value func(l Life) int) {
		gauge(name, help, func() {
			for _, l := range of {
				fmt.Fprintf(&b, "%s{%s=%q} %d\n", name, label, clean(l.Who), value(l))
			}
		})
	}
	each("earthgym_farm_parts", "Games or runs that a worker has done.", "worker", s.Workers,
		func(l Life) int { return l.Parts })
	each("earthgym_farm_pieces", "Pieces that a command asks for.", "job", s.Jobs, func(l Life) int { return l.Total })
	each("earthgym_farm_done", "Pieces of a command that are done.", "job", s.Jobs, func(l Life) int { return l.Done })
	each("earthgym_farm_parked", "Pieces of a command that nobody could do.", "job", s.Jobs,
		func(l Life) int { return len(l.Parked) })
	each("earthgym_farm_lag_seconds", "Time since the oldest bundle of a command was offered that is not done.", "job",
		s.Jobs, func(l Life) int { return int(l.Lag) })
	each("earthgym_farm_left_seconds", "Time that the rest of a command takes.", "job", s.Jobs,
		func(l Life) int { return int(l.Left) })
	each("earthgym_farm_aside", "Workers that a command takes nothing from.", "job", s.Jobs,
		func(l Life) int { return len(l.Aside) })
	_, err := io.WriteString(w, b.String())
	return err
}
