package table

import (
	"slices"
	"strings"
	"unicode"

	"earthgym/env"
	"earthgym/env/board"
)

// Find answers a typed question about the table with the lines of its text, and of the story, that tell of it, as the
// viewer may know them; none if nothing does. All words of the question must be in a line, or in the one that it stands
// below. "hand" is all about the viewer's own seat, "threats" what may go wrong, "since" what has happened since the
// viewer's last decision; words that only lead on, such as "my", are left out.
func (t *Table) Find(viewer env.Player, question string) ([]string, error) {
	s, err := t.Look(viewer)
	if err != nil {
		return nil, err
	}
	words := slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(question),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }),
		func(word string) bool { return slices.Contains(leadingWords, word) })
	if len(words) == 0 {
		return nil, nil
	}
	text := strings.Split(env.WithoutActions(t.Text(viewer)), "\n")
	switch words[0] {
	case "since":
		var lines []string
		for _, l := range s.Since() {
			lines = append(lines, l.Text)
		}
		return lines, nil
	case "hand", "hands":
		if len(words) == 1 && viewer >= 0 {
			if lines := block(text, func(line string) bool { return strings.Contains(line, "you)") }); lines != nil {
				return lines, nil
			}
			t.mu.Lock()
			defer t.mu.Unlock()
			own := block(strings.Split(env.WithoutActions(env.TextView(t.eye(viewer).shown, viewer)), "\n"),
				func(line string) bool { return ownLine(line, viewer) })
			t.spokenAll(own, nobody)
			return own, nil
		}
	case "threat", "threats", "danger", "dangers":
		return block(text, func(line string) bool {
			return slices.ContainsFunc(threats, func(word string) bool { return strings.Contains(strings.ToLower(line), word) })
		}), nil
	}
	return block(text, func(line string) bool {
		line = strings.ToLower(line)
		own := strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, word := range words {
			// A number is meant whole: sector 3 is not sector 13.
			if !slices.Contains(own, word) && (len(word) < 3 || !strings.Contains(line, word)) {
				return false
			}
		}
		return true
	}), nil
}

var (
	leadingWords = []string{"the", "my", "a", "of", "in", "what", "is", "are", "show", "me", "last", "turn", "decision"}
	threats      = []string{"fall", "risk", "collaps", "strike", "event", "threat", "storm", "sanction", "warning",
		"critical", "catastroph", "unrest", "discontent", "strain", "blocked", "destroyed"}
)

// ownLine says whether a line of a game in which nothing is hidden tells of a seat: by its name, at the head of a row,
// or before what it has there.
func ownLine(line string, seat env.Player) bool {
	number := board.Mark(seat)
	fields := strings.Fields(strings.TrimPrefix(line, ">"))
	return len(fields) > 0 && (fields[0] == number || slices.ContainsFunc(fields[1:], func(field string) bool {
		return strings.HasPrefix(field, number+":") || strings.Contains(field, ":"+number+"x")
	})) && !strings.HasPrefix(strings.TrimSpace(line), "(")
}

// block are the lines for which it holds, each with those that are indented below it.
func block(text []string, holds func(line string) bool) (lines []string) {
	below := -1 // the indentation of the line that is told with all below it
	for _, line := range text {
		blank := strings.TrimSpace(line) == ""
		in := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case blank:
			below = -1
			continue
		case below >= 0 && in > below:
		case holds(line):
			below = in
		default:
			below = -1
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// Since are the lines of the log from the viewer's last decision on; all of them if there was none.
func (s *Sight) Since() []Line {
	for i, l := range slices.Backward(s.Log) {
		if l.Kind == ActionLine && l.Player == s.Viewer {
			return s.Log[i:]
		}
	}
	return s.Log
}
