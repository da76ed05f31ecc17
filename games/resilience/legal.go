package resilience

import "earthgym/env"

// Legal is what the actor may do: RULES.md 5.2 and 5.3.
func (s *State) Legal(m env.Mask) {
	m.Clear()
	switch s.phase {
	case Turn:
		s.legalTurn(m)
	case AmountOf:
		put(m, amount0, 1<<s.mostAmount()-1)
	case Reply:
		put(m, Yes, 0b11)
	case Pick:
		put(m, dismantle0, uint64(s.removable(s.Actor())))
	}
}

func (s *State) legalTurn(m env.Mask) {
	p := s.Active()
	put(m, settle0, uint64(s.settleable(p)))
	put(m, city0, uint64(s.developable(p, City)))
	put(m, industry0, uint64(s.developable(p, Industry)))
	put(m, dismantle0, uint64(s.land[p]))
	rest := uint64(1) << (Done - Sabbatical)
	if s.sabbaticalPossible(p) {
		rest |= 1
	}
	put(m, Sabbatical, rest)
	if s.game.deals {
		put(m, offer0, s.legalOffers())
	}
	if s.game.talk && !s.said {
		put(m, say0, 1<<(numWords-Calm)-1)
	}
}

func (s *State) legalOffers() uint64 {
	var offers uint64
	for places := 1; places < s.game.players; places++ {
		offers |= s.offersTo(s.clockwise(places)) << (Offer(places, Gift) - offer0)
	}
	return offers
}

// put lays a block of bits into the mask, from action a on.
func put(m env.Mask, a env.Action, block uint64) {
	word, shift := a>>6, uint(a)&63
	m[word] |= block << shift
	if shift > 0 {
		if over := block >> (64 - shift); over != 0 {
			m[word+1] |= over
		}
	}
}
