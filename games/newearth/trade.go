package newearth

import "earthgym/env"

// startOffer is "offer +r" (NE-106). It counts as used at once.
func (s *State) startOffer(p env.Player, r int) {
	s.seats[p].offersUsed++
	s.offer = offer{partner: int8((int(p) + r) % s.game.players)}
	s.decision = AtOffer
}

// legalTerms are the terms that the offer can still get: each side at most three, of what the seat and the
// partner have, and nothing both ways.
func (s *State) legalTerms(m env.Mask, p env.Player) {
	o := &s.offer
	terms(m, act.give.First, o.giveTerms, &o.give, &o.want, &s.seats[p].has)
	terms(m, act.want.First, o.wantTerms, &o.want, &o.give, &s.seats[o.partner].has)
	m.SetIf(o.giveTerms+o.wantTerms > 0, Propose)
	m.Set(No)
}

// termBits are the numbers of termSizes that so much is enough for, as bits.
var termBits = [6]uint64{0b0000, 0b0001, 0b0011, 0b0111, 0b0111, 0b1111}

func terms(m env.Mask, first env.Action, used int8, side, other, has *holdings) {
	if used >= maxTerms {
		return
	}
	var block uint64
	for k := range numKinds {
		if other[k] > 0 {
			continue
		}
		left := min(has[k]-side[k], termSizes[numTermSizes-1])
		block |= termBits[left] << (int(k) * numTermSizes)
	}
	m.Block(first, block)
}

// addTerm is "give k n" or "want k n".
func (s *State) addTerm(a env.Action) {
	o := &s.offer
	if act.give.Has(a) {
		k, n := act.give.Pair(act.give.Index(a))
		o.give[k] += termSizes[n]
		o.giveTerms++
	} else {
		k, n := act.want.Pair(act.want.Index(a))
		o.want[k] += termSizes[n]
		o.wantTerms++
	}
}

// propose asks the partner.
func (s *State) propose() {
	s.decision, s.seat = AtOfferReply, s.offer.partner
}

// reply is the partner's answer. What is agreed changes hands at once, and a partner who had finished
// production may buy once more (NE-107).
func (s *State) reply(yes bool) {
	o := &s.offer
	if yes {
		from, to := &s.seats[s.active], &s.seats[o.partner]
		from.has.pay(&o.give)
		from.has.receive(&o.want)
		to.has.pay(&o.want)
		to.has.receive(&o.give)
		if to.finished {
			to.reopened = true
		}
	}
	s.endOffer()
}

// endOffer goes on with the production turn of the seat that offered.
func (s *State) endOffer() {
	s.offer = offer{partner: -1}
	s.decision, s.seat = AtProduce, s.active
}

// term is a step of making an offer.
func (s *State) term(_ env.Player, a env.Action, _ *env.Tape) {
	switch a {
	case Propose:
		s.propose()
	case No:
		s.endOffer()
	default:
		s.addTerm(a)
	}
}
