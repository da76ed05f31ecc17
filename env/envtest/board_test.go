package envtest

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"earthgym/env/board"
)

func TestLintDrawing(t *testing.T) {
	const card = `<rect x="20" y="10" width="60" height="30" fill="#ffffff" stroke="#22303a"/>`
	for _, tt := range []struct {
		name, inside, says string // "" = nothing
		players            int
	}{
		{name: "text on a card", inside: card + `<text x="50" y="30" font-size="12" text-anchor="middle">Farm</text>`},
		{name: "a seat in a place of a stated width", inside: `<text x="10" y="30" font-size="12" data-room="80">Seat 2</text>`},
		{name: "a seat in a place of any width", inside: `<text x="10" y="30" font-size="12">First: player 2</text>`,
			says: "how wide the name"},
		{name: "text beside a card", inside: card + `<text x="82" y="30" font-size="12">Farm</text>`},
		{name: "text that leaves its card", inside: card + `<text x="30" y="30" font-size="12">Electricity</text>`,
			says: `the text "Electricity" at 30,22 to 81,32 lies across the edge of the shape at 20,10`},
		{name: "text below the card's edge", inside: card + `<text x="30" y="44" font-size="12">Farm</text>`,
			says: "across the edge"},
		{name: "text on the outline of a ring",
			inside: `<circle cx="50" cy="50" r="30" fill="none" stroke="#000000"/><text x="70" y="54" font-size="12">Farm</text>`, says: "across the edge"},
		{name: "text on a line",
			inside: `<path d="M0,20 H200" fill="none" stroke="#000000"/><text x="70" y="24" font-size="12">Farm</text>`,
			says:   "across the edge"},
		{name: "the chord of an open line is no edge",
			inside: `<path d="M10,20 V80 H190 V20" fill="none" stroke="#000000"/><text x="70" y="24" font-size="12">Farm</text>`},
		{name: "an edge that cannot be seen", inside: `<circle cx="50" cy="25" r="20" fill="#ff0000"/>` + card +
			`<text x="50" y="30" font-size="12" text-anchor="middle">Electric</text>`},
		{name: "a shape without paint",
			inside: `<circle cx="50" cy="25" r="20" fill="none"/><text x="50" y="30" font-size="12">Electric</text>`},
		{name: "text outside the page", inside: `<text x="190" y="30" font-size="12">Farm</text>`,
			says: "is not on the page"},
		{name: "turned text outside the page",
			inside: `<text font-size="12" transform="translate(100 90) rotate(90)">Farm</text>`, says: "is not on the page"},
		{name: "a shape outside the page", inside: `<rect x="150" width="60" height="5"/>`,
			says: "a shape at 150,0 to 210,5 is not on the page"},
		{name: "text on text",
			inside: `<text x="10" y="30" font-size="12">Farm</text><text x="30" y="32" font-size="12">Coal</text>`,
			says:   `the text "Farm" at 10,22 to 38,30 meets the text "Coal"`},
		{name: "turned text beside text",
			inside: `<text x="10" y="30" font-size="12">Farm</text><text font-size="12" transform="translate(40 35) rotate(-90)">Coal</text>`, says: "meets"},
		{name: "turned text past text",
			inside: `<text x="10" y="30" font-size="12">Farm</text><text font-size="12" transform="translate(52 35) rotate(-90)">Coal</text>`},
		{name: "slanted text whose box alone meets text",
			inside: `<text x="10" y="30" font-size="12">Farm</text><text font-size="12" transform="translate(12 38) rotate(45)">Coal mine</text>`},
		{name: "small text", inside: `<text x="10" y="30" font-size="1.7">Farm</text>`, says: "has the size 10.9"},
		{name: "text under a shape", inside: `<text x="50" y="30" font-size="12" text-anchor="middle">Farm</text>` + card,
			says: "lies under a shape"},
		{name: "pale text", inside: `<text x="10" y="30" font-size="12" fill="#999999">Farm</text>`,
			says: "has a contrast of 2.85 on #ffffff, less than 4.5"},
		{name: "fairly pale text", inside: `<text x="10" y="30" font-size="12" fill="#888888">Farm</text>`, says: "3.54"},
		{name: "fairly pale large text", inside: `<text x="10" y="30" font-size="24" fill="#888888">Farm</text>`},
		{name: "fairly pale large bold text",
			inside: `<text x="10" y="30" font-size="19" font-weight="bold" fill="#888888">Farm</text>`},
		{name: "transparent text", inside: `<text x="10" y="30" font-size="12" fill-opacity="0.3">Farm</text>`,
			says: "contrast"},
		{name: "text on a pastel",
			inside: `<rect x="5" y="10" width="60" height="30" fill="#ff0000" fill-opacity="0.4"/><text x="10" y="30" font-size="12" fill="#ffffff">Farm</text>`, says: "on #ff9999"},
		{name: "text on a pattern",
			inside: `<defs><pattern id="p" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="3" height="6" fill="#101010"/></pattern></defs>` +
				`<rect x="5" y="10" width="60" height="30" fill="url(#p)"/><text x="10" y="30" font-size="12">Farm</text>`,
			says: "on #101010"},
		{name: "a pattern without gaps",
			inside: `<defs><pattern id="p" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#eeeeee"/></pattern></defs>` +
				`<rect width="200" height="100" fill="#000000"/><rect x="5" y="10" width="60" height="30" fill="url(#p)"/><text x="10" y="30" font-size="12">Farm</text>`},
		{name: "an element that pixels don't know", inside: `<blink/>`, says: "the element blink"},

		{name: "pieces", players: 2, inside: piece("0", "#cf3a24", "0", 20) + piece("1", "#1f4ed8", "1", 50)},
		{name: "a piece whose mark is a word of it", players: 2, inside: piece("0", "#cf3a24", "0", 20) +
			piece("1", "#ffffff", "1", 50) +
			`<g data-seat="1"><rect x="80" y="5" width="90" height="20" fill="#ffffff"/><text x="90" y="20" font-size="12" data-room="70">seat 1: 10</text></g>`},
		{name: "a piece without its mark", players: 2, inside: piece("0", "#cf3a24", "0", 20) +
			piece("1", "#1f4ed8", "10", 50), says: "of a piece of 1 that doesn't bear that mark"},
		{name: "a player without a piece", players: 2, inside: piece("0", "#cf3a24", "0", 20),
			says: `of 2 players only 1 have a piece with their mark (data-seat): ["0"]`},
		{name: "a shape in a player's colour", players: 1, inside: piece("0", "#cf3a24", "0", 20) +
			`<circle cx="70" cy="20" r="5" fill="#cf3a24"/>`, says: "has the colour of 0, but is no piece"},
		{name: "a pale shape in a player's colour", players: 1, inside: piece("0", "#cf3a24", "0", 20) +
			`<circle cx="70" cy="20" r="5" fill="#cf3a24" fill-opacity="0.3"/>`},
		{name: "a piece in another's colour", players: 2, inside: piece("0", "#cf3a24", "0", 20) +
			piece("1", "#1f4ed8", "1", 50) + piece("1", "#cf3a24", "1", 80), says: "of a piece of 1 in the colour of 0"},
		{name: "pieces of one player in two colours", players: 1, inside: piece("0", "#cf3a24", "0", 20) +
			piece("0", "#4a1259", "0", 50), says: "pieces of 0 have two colours"},
		{name: "red and green", players: 2, inside: piece("0", "#c84040", "0", 20) + piece("1", "#5f7a1f", "1", 50),
			says: "the colours of 1 and 0 are"},
		{name: "a piece without colour", players: 0,
			inside: `<g data-seat="0"><text x="10" y="30" font-size="12">0</text></g>`, says: "without a colour"},
	} {
		svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">` + tt.inside + `</svg>`
		faults := lintDrawing(svg, tt.players)
		if tt.says == "" && len(faults) > 0 || tt.says != "" && (len(faults) != 1 || !strings.Contains(faults[0], tt.says)) {
			t.Errorf("%s: %q, want %q", tt.name, faults, tt.says)
		}
	}
}

// piece is a disc with a text.
func piece(mark, fill, text string, x int) string {
	ink := "#ffffff"
	if fill == ink {
		ink = "#000000"
	}
	return fmt.Sprintf(
		`<g data-seat="%s"><circle cx="%d" cy="20" r="12" fill="%s"/><text x="%d" y="24" font-size="12" text-anchor="middle" fill="%s">%s</text></g>`, mark, x, fill, x, ink, text)
}

func TestLintText(t *testing.T) {
	for text, says := range map[string]string{
		"":                               "",
		strings.Repeat("ä", 100) + "\nb": "",
		strings.Repeat("ä", 101) + "\nb": "has 101 columns",
		"a\tb\n":                         "control character '\\t'",
		"21 cards\n":                     "",
		"deck 1 cards\n":                 "says \" 1 cards\"",
	} {
		faults := lintText(text)
		if says == "" && len(faults) > 0 || says != "" && (len(faults) != 1 || !strings.Contains(faults[0], says)) {
			t.Errorf("%q: %q, want %q", text, faults, says)
		}
	}
}

func TestContrast(t *testing.T) {
	for _, tt := range []struct {
		a, b color.RGBA
		want float64 // as WCAG's own examples and common checkers have it
	}{
		{color.RGBA{255, 255, 255, 255}, color.RGBA{0, 0, 0, 255}, 21},
		{color.RGBA{0x76, 0x76, 0x76, 255}, color.RGBA{255, 255, 255, 255}, 4.54},
		{color.RGBA{255, 0, 0, 255}, color.RGBA{255, 255, 255, 255}, 4.00},
	} {
		if got := contrast(tt.a, tt.b); math.Abs(got-tt.want) > 0.005 {
			t.Errorf("contrast of %v and %v: %.3f, want %.2f", tt.a, tt.b, got, tt.want)
		}
	}
}

// The colours of seats can be told apart and written on.
func TestSeats(t *testing.T) {
	read := func(text string) (c color.RGBA) {
		if _, err := fmt.Sscanf(text, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
			t.Fatal(text, err)
		}
		return c
	}
	for i, a := range board.Seats {
		if c := contrast(read(a.Fill), read(a.Ink)); c < 4.5 {
			t.Errorf("seat %d: contrast %.2f", i, c)
		}
		for k, b := range board.Seats[:i] {
			if d := distance(read(a.Fill), read(b.Fill)); d < leastDistance {
				t.Errorf("seats %d and %d are %.1f apart", k, i, d)
			}
		}
	}
	if d := distance(read("#c84040"), read("#5f7a1f")); d > 10 {
		t.Errorf("red and olive are %.1f apart for a deuteranope", d)
	}
	white, grey := read("#ffffff"), read("#777777")
	if d := distance(white, grey); math.Abs(d-apart(linear(white), linear(grey))) > 1 {
		t.Errorf("white and grey are %.1f apart for a deuteranope", d)
	}
}
