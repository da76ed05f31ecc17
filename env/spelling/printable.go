package spelling

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable is a text that comes from outside (a name, what a program says of itself), as it may be shown to
// people: what would move a cursor, change colours or turn the direction of writing is spelt as in a Go string,
// "\x1b", and so is what is no UTF-8. Everything else, blanks of any kind included, stays.
func Printable(text string) string {
	if strings.IndexFunc(text, spelled) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, width := 0, 0; i < len(text); i += width {
		var r rune
		r, width = utf8.DecodeRuneInString(text[i:])
		switch quoted := strconv.QuoteToASCII(text[i : i+width]); {
		case spelled(r), r == utf8.RuneError && width == 1:
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spelled says whether a character has no picture of its own.
func spelled(r rune) bool { return !unicode.IsGraphic(r) }

// mostApart is how many bytes of a text are shown beside those of another one.
const mostApart = 240

// Apart is what two texts are shown by that differ: themselves, or, where they are long, the word or item of a list in
// which they begin to.
func Apart(a, b string) (string, string) {
	if len(a) <= mostApart && len(b) <= mostApart || a == b {
		return a, b
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := max(strings.LastIndexAny(a[:max(0, same-1)], "\"' \n")+1, same-mostApart/2)
	show := func(text string) string {
		shown := strings.ToValidUTF8(text[from:min(len(text), from+mostApart)], "")
		if from > 0 {
			shown = "…" + shown
		}
		if from+mostApart < len(text) {
			shown += "…"
		}
		return shown
	}
	return show(a), show(b)
}
