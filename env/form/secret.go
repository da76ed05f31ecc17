package form

import (
	"math/bits"

	"earthgym/env"
)

// AppendKnown is AppendPosition with what a seat may know: what is declared to be secret from it is left out, and
// stands as null in a list.
func AppendKnown(dst []byte, p env.Player, body func(*Position)) []byte {
	f := &Position{dst: append(dst, '{'), viewer: p, partly: true}
	body(f)
	return append(f.dst, '}')
}

// Viewer is the seat for which the position is written, and whether it is written for one: otherwise all of it is.
func (f *Position) Viewer() (p env.Player, partly bool) { return f.viewer, f.partly }

// hides says whether what only some seats know is left out.
func (f *Position) hides(known env.Seats) bool { return f.partly && !known.Has(f.viewer) }

// null writes that there is a value.
func (f *Position) null(name string) {
	f.key(name)
	f.dst = append(f.dst, "null"...)
}

// Secret declares a field that only some seats may know.
func Secret(f *Position, known env.Seats, name string, field func()) {
	switch {
	case !f.hides(known):
		field()
	case name == Element:
		f.null(name)
	}
}

// FaceDown declares a list that only some seats may know, but for its length n.
func FaceDown(f *Position, known env.Seats, name string, n int, list func()) {
	if !f.hides(known) {
		list()
		return
	}
	List(f, name, n, func(int) { f.null(Element) })
}

// FaceDownSet is [Set] of cards of which each has seats that know it; how many there are is known to all. To a seat the
// cards that it doesn't know come last, so that their places tell nothing of them.
func FaceDownSet[T Bits](f *Position, name string, v *T, words []string, known func(member int) env.Seats) {
	if !f.partly {
		Set(f, name, v, words)
		return
	}
	var seen T
	for left := uint64(*v); left != 0; left &= left - 1 {
		if i := bits.TrailingZeros64(left); !f.hides(known(i)) {
			seen |= 1 << i
		}
	}
	n := bits.OnesCount64(uint64(seen))
	List(f, name, bits.OnesCount64(uint64(*v)), func(i int) {
		if i >= n {
			f.null(Element)
			return
		}
		f.member(bits.TrailingZeros64(uint64(seen)), words)
		seen &= seen - 1
	})
}
