package earthrising

import (
	"math"
	"strings"

	"earthgym/env/board"
)

func drawCrater(d *board.Drawing, x, y float64) {
	d.Ball(x, y, circleSize-4, board.Paint{Fill: "#1a1a1a", Stroke: "#6b4f3a", Width: 4})
	d.Path(x, y, "M-18,-5 L-4,5 L-10,18 M-4,5 L12,-3 L21,10 M12,-3 L7,-20", board.Paint{Stroke: "#b5522a", Width: 3})
}

func (s *State) drawCounter(d *board.Drawing, p Card, cx, cy float64) {
	sustainable := s.sustainable.Has(p)
	drawFace(d, cx, cy, circleSize, sustainable)
	drawName(d, cx, cy, s.game.practiceName(p, sustainable))
	switch {
	case s.protest.Has(p):
		drawFist(d, cx+20, cy-27)
	case s.regeneration.Has(p):
		drawLeaf(d, cx+20, cy-27)
	}
}

// drawFace draws a practice's counter without its name.
func drawFace(d *board.Drawing, x, y, radius float64, sustainable bool) {
	fill, face := unsustainableColour, "frown"
	if sustainable {
		fill, face = sustainableColour, "smile"
	}
	d.Ball(x, y, radius, board.Paint{Fill: fill, Stroke: board.White, Width: 2})
	d.Use(face, x, y-0.68*radius)
}

func drawFist(d *board.Drawing, x, y float64) {
	d.Raised(x, y, "M-9,12 V1 H-12 V-8 Q-12,-12 -8,-12 H8 Q12,-12 12,-8 V3 L8,7 V12 Z M-5,-12 V-4 M0,-12 V-4 M5,-12 V-4",
		board.Paint{Fill: "#d62839", Stroke: board.White, Width: 1.6})
}

func drawLeaf(d *board.Drawing, x, y float64) {
	d.Raised(x, y, "M-12,12 Q-16,-11 12,-12 Q13,13 -12,12 Z M-12,12 L5,-5",
		board.Paint{Fill: "#8fd14f", Stroke: "#1f5c2e", Width: 1.8})
}

// drawName writes a name on a counter, below the face: the first two words, or a single one that is too long on two
// lines.
func drawName(d *board.Drawing, cx, cy float64, name string) {
	room := func(y float64) float64 {
		away := max(math.Abs(y-11), math.Abs(y+3))
		return 2*math.Sqrt(circleSize*circleSize-away*away) - 3
	}
	words := strings.Fields(name)
	if len(words) == 1 {
		if onDark.Width(name) <= room(8) {
			d.Text(cx, cy+8, onDark.Middle(), name)
			return
		}
		words = hyphenated(name, room(-1))
	}
	for i, word := range words[:min(len(words), 2)] {
		y := 16*float64(i) - 1
		d.Text(cx, cy+y, onDark.Middle(), board.Shorten(word, room(y), onDark.Size, onDark.Bold))
	}
}

// hyphenated are two parts of a word, of which the first fits and the second begins with a consonant before a vowel.
func hyphenated(word string, room float64) []string {
	parts := []string{word}
	for i := 3; i+3 <= len(word); i++ {
		if !strings.ContainsRune("aeiouhl", rune(word[i])) && strings.ContainsRune("aeiou", rune(word[i+1])) &&
			onDark.Width(word[:i]+"-") <= room {
			parts = []string{word[:i] + "-", word[i:]}
		}
	}
	return parts
}
