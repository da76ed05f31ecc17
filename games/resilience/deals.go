package resilience

import (
	"fmt"

	"earthgym/env"
)

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

// clockwise is the seat so many places clockwise from the active one.
func (s *State) clockwise(places int) env.Player {
	return s.seatAt(int(s.Active()) + places)
}

// offerOf are the kind and the seat asked of an offer.
func (s *State) offerOf(i int) (Kind, env.Player) {
	places, kind := act.offer.Pair(i)
	return Kind(kind), s.clockwise(places + 1)
}

// offers are those that the active seat can make, the kinds to one seat after those to another (RE-130, RE-133).
func (s *State) offers(p env.Player) (set uint64) {
	if !s.game.deals {
		return 0
	}
	for places := s.game.players - 1; places > 0; places-- {
		set <<= numKinds
		q := s.clockwise(places)
		if s.asked[q] {
			continue
		}
		if s.res[p] > 0 {
			set |= 1 << Gift
			if s.removable(q) != 0 {
				set |= 1 << Hire
			}
		}
		if s.res[q] > 0 {
			set |= 1 << Ask
			if s.removable(p) != 0 {
				set |= 1 << Serve
			}
		}
	}
	return set
}

func (s *State) whyNotOffer(_ env.Player, i int) string {
	switch places, _ := act.offer.Pair(i); {
	case !s.game.deals:
		return "this game is played without deals (RE-130, option deals)"
	case places+1 >= s.game.players:
		return fmt.Sprintf("nobody sits %d places on: there are %d players (RE-001)", places+1, s.game.players)
	}
	kind, partner := s.offerOf(i)
	payer := s.payer(kind, partner)
	switch {
	case s.asked[partner]:
		return fmt.Sprintf("player %d has had an offer in this turn (RE-130)", partner)
	case s.res[payer] < 1:
		return fmt.Sprintf("player %d has no RES to pay with (RE-130)", payer)
	}
	return fmt.Sprintf("player %d has no city or industry to dismantle (RE-133)", s.dismantler(kind, partner))
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
	from, to := s.parties()
	s.res[from] -= int32(s.amount)
	s.res[to] += int32(s.amount)
	s.endDeal()
}

// parties are who pays and who is paid in the running deal.
func (s *State) parties() (from, to env.Player) {
	from, to = s.Active(), env.Player(s.partner)
	if s.payer(s.kind, to) == to {
		from, to = to, from
	}
	return from, to
}

// endDeal goes back to the turn.
func (s *State) endDeal() {
	s.partner, s.kind, s.amount = -1, 0, 0
	s.decision = AtTurn
}
