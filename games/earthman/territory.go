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
		s.pending = nothing
		pd.transfers = transfers
		s.open(AtTransfer, p)
	default:
		s.endTurn(tape)
	}
}

// playTransfer is EB-291.
func (s *State) playTransfer(p env.Player, a env.Action, tape *env.Tape) {
	if a == Done {
		s.endTurn(tape)
		return
	}
	s.pending.target = int8(s.Asked(a))
	s.pending.transfers++
	s.open(AtTransferWhat, p)
}

func (s *State) legalTransferWhat(m env.Mask, p env.Player) {
	m.SetIf(s.seats[p].fleets > 0, TakeFleet)
	m.SetIf(s.seats[p].developments > 0, HandLand)
}

func (s *State) playTransferWhat(p env.Player, a env.Action, _ *env.Tape) {
	if a == TakeFleet {
		s.pending.step = giveFleet
		s.open(AtTransferFleet, p)
	} else {
		s.pending.step = giveLand
		s.open(AtTransferWorld, p)
	}
}

func (s *State) playTransferFleet(p env.Player, a env.Action, _ *env.Tape) {
	pd := &s.pending
	if pd.atRisk = act.risk.Has(a); pd.atRisk {
		pd.at = Place(act.risk.Index(a))
	} else {
		pd.at = Place(act.at.Index(a))
	}
	s.open(AtTransferCount, p)
}

func (s *State) playTransferCount(_ env.Player, a env.Action, _ *env.Tape) {
	s.pending.count = uint8(act.count.Index(a))
	s.open(AtTransferReply, env.Player(s.pending.target))
}

func (s *State) playTransferWorld(p env.Player, a env.Action, _ *env.Tape) {
	s.pending.at = Place(act.at.Index(a))
	s.open(AtTransferRegion, p)
}

func (s *State) playTransferRegion(_ env.Player, a env.Action, _ *env.Tape) {
	s.pending.region = uint8(act.region.Index(a)) + 1
	s.open(AtTransferReply, env.Player(s.pending.target))
}

// legalTransferReply is EB-292 and EB-294: so many fleets, or the land or not.
func (s *State) legalTransferReply(m env.Mask, p env.Player) {
	if s.pending.step == giveLand {
		s.legalAnswer(m, p)
	} else {
		counts(m, 0, int(s.pending.count))
	}
}

func (s *State) playTransferReply(_ env.Player, a env.Action, _ *env.Tape) {
	if s.pending.step == giveLand {
		s.giveLand(a == Yes)
	} else {
		s.giveFleets(act.count.Index(a))
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

func (s *State) legalTakeFleet(m env.Mask, p env.Player) {
	m.SetIf(s.seats[p].resource > 0, PayResource)
	m.Block(PayDiscontent, 1)
}

// playTakeFleet is EB-293 for one accepted fleet.
func (s *State) playTakeFleet(p env.Player, a env.Action, tape *env.Tape) {
	my, pd := &s.seats[p], &s.pending
	if a == PayResource {
		my.resource--
	} else {
		my.discontent++
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
	tape.Mark("takes-over", q)
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
