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

// Capital is a text with a large first letter.
func Capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// Counted is a number with its noun: 1 card, 2 cards, 2 COLLAPSES.
func Counted(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.ToUpper(noun) == noun:
		noun += "S"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// spelled says whether a character has no picture of its own, nor a part in one: U+200C and U+200D part and join the
// letters and emoji of names.
func spelled(r rune) bool { return !unicode.IsGraphic(r) && r != '\u200c' && r != '\u200d' }

// Apart is what two texts are shown by that differ: where they are long, from the word or item of a list on in which
// they do.
func Apart(a, b string) (string, string) {
	const most = 240 // bytes
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if len(a) <= most && len(b) <= most || a == b {
		return a, b
	}
	from := max(strings.LastIndexAny(a[:max(0, same-1)], "\"' \n")+1, same-most/2)
	show := func(text string) string {
		return strings.ToValidUTF8("…"[:3*min(1, from)]+text[from:min(len(text), from+most)], "") +
			"…"[:3*max(0, min(1, len(text)-from-most))]
	}
	return show(a), show(b)
}
