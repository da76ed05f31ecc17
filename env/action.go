package env

import "math/bits"

// An Action is an index into the action table of a game (Info.Actions).
type Action int

// A Mask is a set of actions: bit a%64 of word a/64 stands for action a.
type Mask []uint64

// MaskWords is the number of words that a mask of n actions takes.
func MaskWords(n int) int { return (n + 63) / 64 }

// Clear empties the set.
func (m Mask) Clear() { clear(m) }

// Set adds actions.
func (m Mask) Set(actions ...Action) {
	for _, a := range actions {
		m[a>>6] |= 1 << (a & 63)
	}
}

// SetIf adds an action if it is legal.
func (m Mask) SetIf(legal bool, a Action) {
	if legal {
		m[a>>6] |= 1 << (a & 63)
	}
}

// Block adds the actions from first on whose bits are set: first itself for bit 0.
func (m Mask) Block(first Action, bits uint64) {
	word, shift := first>>6, uint(first&63)
	m[word] |= bits << shift
	if over := bits >> (64 - shift); over != 0 { // a shift by 64 leaves 0
		m[word+1] |= over
	}
}

// Has says whether a is in the set; an a outside the words is not.
func (m Mask) Has(a Action) bool {
	return a >= 0 && int(a>>6) < len(m) && m[a>>6]>>(a&63)&1 != 0
}

// Only is the one action of the set; false if there is none, or more than one.
func (m Mask) Only() (Action, bool) {
	found := Action(-1)
	for i, w := range m {
		if w == 0 {
			continue
		}
		if found >= 0 || w&(w-1) != 0 {
			return -1, false
		}
		found = Action(i<<6 + bits.TrailingZeros64(w))
	}
	return found, found >= 0
}

// Count is the number of actions in the set.
func (m Mask) Count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// Nth is the n-th action of the set in ascending order, n from 0 to Count()-1. It is -1 if there are
// no more than n.
func (m Mask) Nth(n int) Action {
	for i, w := range m {
		c := bits.OnesCount64(w)
		if n < c {
			return Action(i<<6 + nthBit(w, n))
		}
		n -= c
	}
	return -1
}

// nthBit is the place of the n-th set bit of w, by halving.
func nthBit(w uint64, n int) int {
	at := 0
	for width := 32; width >= 4; width >>= 1 {
		low := bits.OnesCount64(w & (1<<width - 1))
		if n >= low {
			n -= low
			w >>= width
			at += width
		}
	}
	for ; n > 0; n-- {
		w &= w - 1
	}
	return at + bits.TrailingZeros64(w)
}

// Append appends the actions of the set to dst in ascending order.
func (m Mask) Append(dst []Action) []Action {
	for i, w := range m {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, Action(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return dst
}
