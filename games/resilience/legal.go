package resilience

import "earthgym/env"

// Legal is what the actor may do: RULES.md 5.2 and 5.3.
func (s *State) Legal(m env.Mask) {
	m.Clear()
	switch s.decision {
	case AtTurn:
		s.legalTurn(m)
	case AtAmount:
		m.Block(amount0, 1<<s.mostAmount()-1)
	case AtReply:
		m.Block(Yes, 0b11)
	case AtPick:
		m.Block(dismantle0, uint64(s.removable(s.Actor())))
	}
}

func (s *State) legalTurn(m env.Mask) {
	p := s.Active()
	m.Block(settle0, uint64(s.settleable(p)))
	m.Block(city0, uint64(s.developable(p, City)))
	m.Block(industry0, uint64(s.developable(p, Industry)))
	m.Block(dismantle0, uint64(s.land[p]))
	rest := uint64(1) << (Done - Sabbatical)
	if s.sabbaticalPossible(p) {
		rest |= 1
	}
	m.Block(Sabbatical, rest)
	if s.game.deals {
		m.Block(offer0, s.legalOffers())
	}
	if s.game.talk && !s.said {
		m.Block(say0, 1<<(numWords-Calm)-1)
	}
}

func (s *State) legalOffers() uint64 {
	var offers uint64
	for places := 1; places < s.game.players; places++ {
		offers |= s.offersTo(s.clockwise(places)) << (Offer(places, Gift) - offer0)
	}
	return offers
}
