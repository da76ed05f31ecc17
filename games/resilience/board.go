package resilience

import "earthgym/env/form"

// NumFields is the number of fields: 6 sectors of 6 (RULES.md 2.2). The tower's place in the middle is
// none of them.
const NumFields = 36

// A Field is a place on the board, 0 to 35: sector by sector, and in each by number.
type Field int8

// fieldNames are sector and number, as the two dice name them.
var fieldNames = [NumFields]string{
	"11", "12", "13", "14", "15", "16", "21", "22", "23", "24", "25", "26", "31", "32", "33", "34", "35", "36",
	"41", "42", "43", "44", "45", "46", "51", "52", "53", "54", "55", "56", "61", "62", "63", "64", "65", "66",
}

// String is the field's name: "64" is number 4 of sector 6.
func (f Field) String() string { return fieldNames[f] }

// number is the name as a number.
func (f Field) number() int { return 10*(int(f)/6+1) + int(f)%6 + 1 }

// Fields is a set of fields.
type Fields = form.SetOf[Field]

const allFields Fields = 1<<NumFields - 1

// hex is a place in axial coordinates; the tower stands at the zero value.
type hex struct{ q, r int }

func (h hex) plus(o hex) hex  { return hex{h.q + o.q, h.r + o.r} }
func (h hex) times(k int) hex { return hex{h.q * k, h.r * k} }

// directions go clockwise from north; sector s lies in the s-th.
var directions = [6]hex{{0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}}

// directionNames are those of the data file.
var directionNames = [6]string{"N", "NE", "SE", "S", "SW", "NW"}

// place is where a field lies: ring steps outwards in its sector's direction, then step sideways.
func (f Field) place() hex {
	var rings = [6]struct{ ring, step int }{{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}}
	sector, at := int(f)/6, rings[int(f)%6]
	return directions[sector].times(at.ring).plus(directions[(sector+2)%6].times(at.step))
}

// planet is what follows from the shape, worked out once per Game.
type planet struct {
	places     [7][7]Field // by axial coordinates, each plus 3; -1 where there is no field
	neighbours [NumFields]Fields
	spread     [6][64]Fields // by sector and set of its fields: all that is adjacent to one of them
}

func newPlanet() planet {
	var b planet
	for q := range b.places {
		for r := range b.places[q] {
			b.places[q][r] = -1
		}
	}
	for f := range Field(NumFields) {
		at := f.place()
		b.places[at.q+3][at.r+3] = f
	}
	for f := range Field(NumFields) {
		for _, d := range directions {
			if g := b.fieldAt(f.place().plus(d)); g >= 0 {
				b.neighbours[f] |= form.Only(g)
			}
		}
	}
	for sector := range b.spread {
		for set := range b.spread[sector] {
			for i := range 6 {
				b.spread[sector][set] |= form.When(set>>i&1 != 0, b.neighbours[6*sector+i])
			}
		}
	}
	return b
}

// fieldAt is the field at a place, or -1: off the board, or the tower's place.
func (b *planet) fieldAt(at hex) Field {
	if at.q < -3 || at.q > 3 || at.r < -3 || at.r > 3 {
		return -1
	}
	return b.places[at.q+3][at.r+3]
}

// beside is every field adjacent to a field of the set.
func (b *planet) beside(s Fields) Fields {
	return b.spread[0][s&63] | b.spread[1][s>>6&63] | b.spread[2][s>>12&63] |
		b.spread[3][s>>18&63] | b.spread[4][s>>24&63] | b.spread[5][s>>30&63]
}
