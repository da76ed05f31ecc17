package newearth

import "earthgym/env"

// The legal actions, which the State keeps from decision to decision.

const maskWords = (numActions + 63) / 64

// legal are those that it keeps.
func (s *State) legal() env.Mask { return s.mask[:] }

// Legal is what the actor may do.
func (s *State) Legal(m env.Mask) { copy(m, s.mask[:]) }

// legalAmount is a number from least to most, given in steps of plus20 and a rest. The running total is
// never above most.
func (s *State) legalAmount(m env.Mask, least, most int32) {
	m.SetIf(s.running+amountStep <= most, Plus20)
	low, high := max(least-s.running, 0), min(most-s.running, amountStep-1)
	if low <= high {
		m.Block(act.amount.First, 1<<(high+1)-1<<low)
	}
}

// findLegal works out the mask. It is kept until the next decision.
func (s *State) findLegal() { s.row().Mask(s, env.Player(s.seat), s.legal()) }
