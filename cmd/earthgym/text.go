package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// screenWidth is the number of columns of a terminal that is written for.
const screenWidth = 80

// writeWrapped writes a head and words after it, on as many lines as they take, each further one indented as
// far as the head is wide.
func writeWrapped(w io.Writer, head, text string) error {
	indent := utf8.RuneCountInString(head)
	width := indent
	line := head
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > screenWidth:
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
			line, width = strings.Repeat(" ", indent), indent
		default:
			line, width = line+" ", width+1
		}
		line, width = line+word, width+n
	}
	_, err := fmt.Fprintln(w, strings.TrimRight(line, " "))
	return err
}

// escapeJSON escapes in a JSON text what is no picture of its own; it can only stand in strings there.
func escapeJSON(text string) string {
	hidden := func(r rune) bool { return !unicode.IsGraphic(r) && r != '\n' }
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
