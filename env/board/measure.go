package board

import (
	"regexp"
	"strings"
)

// Width is how wide a text of a size is, in units of the picture: by the letters of Helvetica, Arial and Liberation
// Sans, which are equally wide. Letters that those lack count as squares.
func Width(text string, size int, bold bool) float64 {
	table := &widths[0]
	if bold {
		table = &widths[1]
	}
	sum := 0
	for _, r := range text {
		switch {
		case r >= 0x20 && int(r-0x20) < len(table):
			sum += int(table[r-0x20])
		default:
			sum += otherWidth(r, bold)
		}
	}
	return float64(sum*size) / 2048
}

// otherWidth is the width of signs beyond the table.
func otherWidth(r rune, bold bool) int {
	switch r {
	case '–':
		return 1139
	case '‘', '’':
		if bold {
			return 569
		}
		return 455
	case '“', '”':
		if bold {
			return 1024
		}
		return 682
	case '−':
		return 1196
	case '≤', '≥':
		return 1124
	case '∞':
		return 1460
	case '↑', '↓':
		return 1024
	}
	return 2048
}

// words are those of a text; a seat and its number are one, which pages replace by a name.
var words = regexp.MustCompile(`(?i)\S*(seat|player) \d\S*|\S+`)

// Wrap breaks a text into lines of a width at most, between words, and within a word that is wider than a line.
func Wrap(text string, width float64, size int, bold bool) []string {
	fits := func(line string) bool { return Width(line, size, bold) <= width }
	var lines []string
	line := ""
	for _, word := range words.FindAllString(text, -1) {
		if line != "" && !fits(line+" "+word) {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
		for !fits(line) {
			head := cut(line, fits)
			lines = append(lines, head)
			line = line[len(head):]
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// WrapList breaks a list into lines of a width at most, between items; an item that is wider is broken as by Wrap.
func WrapList(items []string, separator string, width float64, size int, bold bool) []string {
	var lines []string
	line := ""
	for _, item := range items {
		parts := Wrap(item, width, size, bold)
		switch {
		case len(parts) == 0:
			continue
		case line != "" && Width(line+separator+item, size, bold) <= width:
			line += separator + item
			continue
		case line != "":
			lines = append(lines, line)
		}
		lines = append(lines, parts[:len(parts)-1]...)
		line = parts[len(parts)-1]
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// cut is the longest beginning of a text that fits, but at least its first letter.
func cut(text string, fits func(string) bool) string {
	end := 0
	for i := range text {
		if i == 0 {
			continue
		}
		if end > 0 && !fits(text[:i]) {
			return text[:end]
		}
		end = i
	}
	if end == 0 {
		return text
	}
	return text[:end]
}

// Shorten is a text as it is, if it fits a width, or its beginning with an ellipsis.
func Shorten(text string, width float64, size int, bold bool) string {
	if Width(text, size, bold) <= width {
		return text
	}
	end := 0
	for i := range text {
		if Width(strings.TrimRight(text[:i], " ,")+"…", size, bold) > width {
			break
		}
		end = i
	}
	return strings.TrimRight(text[:end], " ,") + "…"
}
