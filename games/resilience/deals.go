package resilience

import "earthgym/env"

// Deals: RULES.md 6.13.

// maxAmount bounds the RES of an offer (RE-150).
const maxAmount = 20

// payer is who pays in a deal, and dismantler is who dismantles, or -1 (RE-131).
func (s *State) payer(kind Kind, partner env.Player) env.Player {
	if kind == Gift || kind == Hire {
		return s.Active()
	}
	return partner
}

func (s *State) dismantler(kind Kind, partner env.Player) env.Player {
	switch kind {
	case Hire:
		return partner
	case Serve:
		return s.Active()
	}
	return -1
}

// offersTo are the kinds of offer that the active seat can make to another, a bit each (RE-130, RE-133,
// RE-150).
func (s *State) offersTo(partner env.Player) uint64 {
	if s.asked[partner] {
		return 0
	}
	p := s.Active()
	var kinds uint64
	if s.res[p] > 0 {
		kinds = 1 << Gift
		if s.removable(partner) != 0 {
			kinds |= 1 << Hire
		}
	}
	if s.res[partner] > 0 {
		kinds |= 1 << Ask
		if s.removable(p) != 0 {
			kinds |= 1 << Serve
		}
	}
	return kinds
}

// removable are the buildings that a deal can be about: cities and industries.
func (s *State) removable(p env.Player) Fields { return s.land[p] & (s.cities | s.industries) }

// offer asks the seat; the amount comes next.
func (s *State) offer(kind Kind, partner env.Player) {
	s.asked[partner] = true
	s.partner, s.kind = int8(partner), kind
	s.decision = AtAmount
}

// mostAmount is the most that the running offer can be about (RE-130).
func (s *State) mostAmount() int {
	return int(min(maxAmount, s.res[s.payer(s.kind, env.Player(s.partner))]))
}

// accept is RE-132: gift and ask move the RES at once; otherwise the building is chosen first, unless
// there is only one.
func (s *State) accept() {
	d := s.dismantler(s.kind, env.Player(s.partner))
	if d < 0 {
		s.settleUp()
		return
	}
	choice := s.removable(d)
	if choice.Count() > 1 {
		s.decision = AtPick
		return
	}
	s.pick(choice.First())
}

// pick moves the RES and dismantles the building of the running deal.
func (s *State) pick(f Field) {
	d := s.dismantler(s.kind, env.Player(s.partner))
	s.settleUp()
	s.dismantle(d, f)
}

// settleUp moves the RES and ends the deal.
func (s *State) settleUp() {
	from, to := s.Active(), env.Player(s.partner)
	if s.payer(s.kind, to) == to {
		from, to = to, from
	}
	s.res[from] -= int32(s.amount)
	s.res[to] += int32(s.amount)
	s.endDeal()
}

// endDeal goes back to the turn.
func (s *State) endDeal() {
	s.partner, s.kind, s.amount = -1, 0, 0
	s.decision = AtTurn
}
