package earthman

import "earthgym/env"

// proceedTransfer is the last step of the turn, Territorial Agreements (EB-290), and its end.
func (s *State) proceedTransfer(tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	switch {
	case pd.step == giveFleet && pd.left > 0:
		pd.left--
		if q := env.Player(pd.target); int(s.seats[q].fleets) < s.game.fleetCap {
			s.open(AtTakeFleet, q)
		} else {
			pd.left = 0 // EB-293: the rest is lost
		}
	case pd.step == giveLand && pd.devs > 0:
		s.gainLand(tape)
	case pd.step == giveLand && pd.left > 0:
		pd.left--
		s.riskLand()
	case s.game.territory && s.hasUnits(p) && int(pd.transfers) < s.game.transfers:
		transfers := pd.transfers
		s.clearPending()
		pd.transfers = transfers
		s.open(AtTransfer, p)
	default:
		s.endTurn(tape)
	}
}

// playTransfer plays the decisions of EB-291 to EB-295.
func (s *State) playTransfer(at Point, a env.Action, tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	switch at {
	case AtTransfer:
		if a == Done {
			s.endTurn(tape)
			return
		}
		pd.target = int8(s.seatOf(a))
		pd.transfers++
		s.open(AtTransferWhat, p)
	case AtTransferWhat:
		if a == TakeFleet {
			pd.step = giveFleet
			s.open(AtTransferFleet, p)
		} else {
			pd.step = giveLand
			s.open(AtTransferWorld, p)
		}
	case AtTransferFleet:
		pd.atRisk = a >= risk0
		pd.at = Place(a - at0)
		if pd.atRisk {
			pd.at = Place(a - risk0)
		}
		s.open(AtTransferCount, p)
	case AtTransferCount:
		pd.count = uint8(a - count0)
		s.open(AtTransferReply, env.Player(pd.target))
	case AtTransferWorld:
		pd.at = Place(a - at0)
		s.open(AtTransferRegion, p)
	case AtTransferRegion:
		pd.region = uint8(a-region0) + 1
		s.open(AtTransferReply, env.Player(pd.target))
	case AtTransferReply:
		if pd.step == giveLand {
			s.giveLand(a == Yes)
		} else {
			s.giveFleets(int(a - count0))
		}
	case AtTakeFleet:
		s.takeFleet(a, tape)
	}
}

// offerable is how many fleets of the status in hand lie at the place in hand.
func (s *State) offerable() int {
	f := s.seats[s.actor].fleet[s.pending.at]
	if s.pending.atRisk {
		return int(f.Risk)
	}
	return int(f.Steady)
}

// giveFleets is EB-292: all that were offered leave the giver, whatever the recipient accepts.
func (s *State) giveFleets(accepted int) {
	p, pd := env.Player(s.actor), &s.pending
	if n := int(pd.count); pd.atRisk {
		s.removeFleets(p, pd.at, 0, n)
	} else {
		s.removeFleets(p, pd.at, n, 0)
	}
	pd.count, pd.left = 0, uint8(accepted)
}

// takeFleet is EB-293 for one accepted fleet.
func (s *State) takeFleet(a env.Action, tape *env.Tape) {
	q, pd := env.Player(s.seat), &s.pending
	my := &s.seats[q]
	if a == PayResource {
		my.e--
	} else {
		my.x++
	}
	if pd.atRisk {
		my.move(pd.at, 0, 1)
	} else {
		my.move(pd.at, 1, 0)
	}
	s.roll(evTransfer, 0, 1, tape)
}

// giveLand is EB-294: the answer, and then the giver's loss.
func (s *State) giveLand(accepted bool) {
	p, pd := env.Player(s.actor), &s.pending
	if !accepted { // EB-296
		pd.target = int8(UN)
	}
	r := int(pd.region) - 1
	pd.devs = s.devs[pd.at][r]
	pd.atRisk = s.shaken[pd.at]>>r&1 != 0
	s.loseRegion(p, pd.at, r, false)
}

// gainLand is EB-295 and EB-296, once the giver has paid.
func (s *State) gainLand(tape *env.Tape) {
	q, pd := env.Player(s.pending.target), &s.pending
	r, n := int(pd.region)-1, int(pd.devs)
	for range n {
		if q == UN {
			s.put(UN, pd.at, r, 1)
		} else {
			s.addDevelopment(q, pd.at, r)
		}
	}
	if pd.atRisk {
		s.shaken[pd.at] |= 1 << r
	}
	pd.devs, pd.atRisk = 0, false
	s.roll(evTransfer, 0, n, tape)
}

// transferRisk is what the dice of EB-293 and EB-295 say.
func (s *State) transferRisk(r result) {
	q, pd := env.Player(s.pending.target), &s.pending
	switch {
	case pd.step == giveLand:
		pd.left = uint8(r.hits)
	case r.hits > 0 && pd.atRisk:
		s.spreadFleets(q, pd.at)
	case r.hits > 0:
		s.seats[q].shake(pd.at)
	}
}

// riskLand is one result of EB-295: the region becomes At Risk, or risk spreads from it.
func (s *State) riskLand() {
	q, pd := env.Player(s.pending.target), &s.pending
	here := Regions(1) << (pd.region - 1)
	if (s.land[q][pd.at]&^s.shaken[pd.at])&here != 0 {
		s.shaken[pd.at] |= here
	} else {
		s.spreadRegions(q, pd.at)
	}
}
