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
		drawFist(d, cx+21, cy-31)
	case s.regeneration.Has(p):
		drawLeaf(d, cx+21, cy-31)
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
	d.Path(x, y, "M-7,9 V1 H-9 V-6 Q-9,-9 -6,-9 H6 Q9,-9 9,-6 V2 L6,5 V9 Z M-4,-9 V-3 M0,-9 V-3 M4,-9 V-3",
		board.Paint{Fill: "#d62839", Stroke: board.White, Width: 1.6})
}

func drawLeaf(d *board.Drawing, x, y float64) {
	d.Path(x, y, "M-9,9 Q-12,-8 9,-9 Q10,10 -9,9 Z M-9,9 L4,-4",
		board.Paint{Fill: "#8fd14f", Stroke: "#1f5c2e", Width: 1.8})
}

// drawName writes a name on a counter, below the face, on up to three lines: whole words where they fit, and else words
// broken by hyphens.
func drawName(d *board.Drawing, cx, cy float64, name string) {
	rows := []string{board.Shorten(name, nameRoom(0, 1), onDark.Size, false)} // a longer name of somebody's own
	for _, n := range []int{1, 2, 3, -2, -3} {
		if fitting := nameRows(name, max(n, -n), n < 0); fitting != nil {
			rows = fitting
			break
		}
	}
	for i, row := range rows {
		d.Text(cx, cy+nameY(i, len(rows))+5.4, onDark.Middle(), row)
	}
}

// nameY is where the middle of a line lies in a counter.
func nameY(i, n int) float64 { return 14.5 * (float64(i) - float64(n-1)/2) }

// nameRoom is how wide a line can be there.
func nameRoom(i, n int) float64 {
	away := math.Abs(nameY(i, n)) + 6.5
	return 2*math.Sqrt(circleSize*circleSize-away*away) - 2.5
}

// nameRows are so many lines with a name; nil if it doesn't fit on them, with or without hyphens.
func nameRows(name string, n int, hyphens bool) []string {
	rows := make([]string, n)
	i := 0
	for rest := name; rest != ""; {
		gap := min(1, len(rows[i]))
		if rows[i] != "" && rows[i][len(rows[i])-1] == '-' {
			gap = 0
		}
		line := rows[i] + " "[:gap]
		word, after, _ := strings.Cut(rest, " ")
		if head, tail, ok := strings.Cut(word, "-"); ok && tail != "" {
			word, after = head+"-", strings.TrimPrefix(rest, head+"-")
		}
		fits := func(part string, i int) bool { return onDark.Width(part) <= nameRoom(i, n) }
		switch {
		case fits(line+word, i):
			rows[i], rest = line+word, after
			continue
		case hyphens && (i+1 == n || !fits(word, i+1)):
			for k := 2; k+2 < len(word); k++ {
				if breaks(word, k) && fits(line+word[:k]+"-", i) {
					rows[i], rest = line+word[:k]+"-", word[k:]+" "+after
				}
			}
			rest = strings.TrimSpace(rest)
		}
		if i++; i == n {
			return nil
		}
	}
	return rows
}

// breaks says whether a word may be broken before a letter: before a consonant, or two that are spoken together, and a
// vowel, with a vowel on both sides that is heard.
func breaks(word string, at int) bool {
	const vowels, pairs = "aeiouyAEIOUY", " bl br ch cl cr dr fr gr ph pl pr qu sh st th tr "
	vowel := func(i int) bool { return i < len(word) && strings.IndexByte(vowels, word[i]) >= 0 }
	pair := func(i int) bool { return strings.Contains(pairs, " "+word[i:i+2]+" ") }
	return !vowel(at) && (vowel(at+1) || pair(at) && vowel(at+2)) && !pair(at-1) &&
		strings.ContainsAny(word[:at], vowels) && strings.ContainsAny(strings.TrimRight(word[at:], "esd"), vowels)
}
