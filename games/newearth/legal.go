package newearth

import (
	"math/bits"

	"earthgym/env"
)

// The mask of legal actions.

const maskWords = (numActions + 63) / 64

// A mask is the set of legal actions, kept in the State.
type mask [maskWords]uint64

// put lays a block of bits into the mask, from action a on.
func (m *mask) put(a env.Action, block uint64) {
	word, shift := a>>6, uint(a)&63
	m[word] |= block << shift
	if spill := block >> (64 - shift); spill != 0 { // a shift by 64 gives 0
		m[word+1] |= spill
	}
}

// set adds actions.
func (m *mask) set(actions ...env.Action) {
	for _, a := range actions {
		m[a>>6] |= 1 << (uint(a) & 63)
	}
}

func (m *mask) has(a env.Action) bool { return m[a>>6]>>(uint(a)&63)&1 != 0 }

// single gives the only action of the mask, or false if there are more. The mask is not empty.
func (m *mask) single() (env.Action, bool) {
	at := -1
	for i, w := range m {
		if w == 0 {
			continue
		}
		if at >= 0 || w&(w-1) != 0 {
			return -1, false
		}
		at = i<<6 + bits.TrailingZeros64(w)
	}
	return env.Action(at), true
}

// Legal is what the actor may do.
func (s *State) Legal(m env.Mask) { copy(m, s.mask[:]) }

// legalAmount is a number from least to most, given in steps of plus20 and a rest. The running total is
// never above most.
func (s *State) legalAmount(m *mask, least, most int32) {
	if s.running+amountStep <= most {
		m.set(Plus20)
	}
	low, high := max(least-s.running, 0), min(most-s.running, amountStep-1)
	if low <= high {
		m.put(amount0, 1<<(high+1)-1<<low)
	}
}

// findLegal works out the mask. It is kept until the next decision.
func (s *State) findLegal() {
	s.mask = mask{}
	p := env.Player(s.seat)
	switch d := &decisions[s.decision]; {
	case d.zones != nil:
		s.mask.put(zone0, uint64(d.zones(s, p)))
	case d.legal != nil:
		d.legal(s, &s.mask, p)
	}
}
