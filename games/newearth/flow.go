package newearth

import "earthgym/env"

// The order of a game (RULES.md 5.1): the set-up, turns of six phases, El Gigante. In each phase the
// seats go in the turn's order; each chapter has a function that goes on from a place of that order.

// Actor is who decides.
func (s *State) Actor() env.Player { return env.Player(s.seat) }

// ask puts a question to a seat whose own step it is.
func (s *State) ask(n Decision, p env.Player) {
	s.decision, s.seat, s.active = n, int8(p), int8(p)
}

// startTurn is the order of the turn, and phase 1 (NE-001). Nobody receives a card on turn 1, so there is
// no catastrophe either.
func (s *State) startTurn(tape *env.Tape) {
	s.turn++
	s.phase = phaseCatastrophes
	tape.Mark("turn", env.Over)
	s.initiative(tape)
	if s.turn == 1 {
		s.produceOutput(0, tape)
		return
	}
	s.receiveFrom(0, tape)
}

// endTurn is NE-083: markers, flags and counters of the turn go. After the last turn comes the storm.
func (s *State) endTurn(tape *env.Tape) {
	s.affected, s.elected, s.converted, s.raised = 0, 0, 0, 0
	s.arrived, s.arrivals = [NumZones][numPieces]int8{}, 0
	for p := range s.game.players {
		seat := &s.seats[p]
		seat.electionsUsed, seat.offersUsed, seat.movesUsed, seat.expended = 0, 0, 0, 0
		seat.finished, seat.reopened = false, false
	}
	if int(s.turn) < s.game.turns {
		s.startTurn(tape)
		return
	}
	s.elGigante(tape)
}

// Apply plays an action of the actor, and then whatever has no alternative.
func (s *State) Apply(a env.Action, tape *env.Tape) {
	s.play(a, tape)
	s.run(tape)
}

// run plays every question that has one answer, until somebody has a choice.
func (s *State) run(tape *env.Tape) {
	for {
		s.findLegal()
		if s.decision == Over {
			return
		}
		a, forced := s.legal().Only()
		if !forced {
			return
		}
		if s.scene() == openScene {
			tape.Mark("forced", env.Player(s.seat))
		}
		s.play(a, tape)
	}
}

// number is a step of a number: twenty more, its rest, or a card sold before it.
func (s *State) number(p env.Player, a env.Action, tape *env.Tape) {
	if a == Plus20 {
		s.running += amountStep
		return
	}
	if act.sell.Has(a) {
		s.sellAtBid(p, Card(act.sell.Index(a)), tape)
		return
	}
	total := s.running + int32(act.amount.Index(a))
	s.running = 0
	switch s.decision {
	case AtIndepAmount:
		s.commitIndependence(p, total, tape)
	case AtCommitAmount:
		s.commit(p, total, tape)
	default:
		s.assign(p, total, tape)
	}
}

// produce is the menu of a production turn, and the placement of a bulk lot.
func (s *State) produce(p env.Player, a env.Action, tape *env.Tape) {
	u, z, places := pieceOf(a)
	switch {
	case a == Done:
		s.endProduction(p, tape)
	case places:
		s.place(p, u, z)
	case a == Goods5:
		s.buyGoods(p, lotGoods5, 5)
	case a == Goods10:
		s.buyGoods(p, lotGoods10, 10)
	case a == Bulk:
		s.buyBulk(p)
	case a == Plant:
		s.buyPlant(p)
	case act.offer.Has(a):
		s.startOffer(p, act.offer.Index(a)+1)
	case act.unit.Has(a):
		s.trade(p, Card(act.unit.Index(a)))
	case act.sell.Has(a):
		s.sell(p, Card(act.sell.Index(a)))
	default:
		s.purge(p, tape)
	}
}

// develop is the menu of phase 4.
func (s *State) develop(p env.Player, a env.Action, tape *env.Tape) {
	switch {
	case a == Done:
		s.endDevelopment(p, tape)
	case a == RaiseAll:
		s.raiseZones(p, s.raisable(p))
	case a == City:
		s.startConversion()
	case act.zone.Has(a):
		s.raiseZones(p, only(Zone(act.zone.Index(a))))
	case act.sell.Has(a):
		s.sell(p, Card(act.sell.Index(a)))
	case a == Play(TransportLinks):
		s.purge(p, tape)
	default:
		s.startUpgrade(p, Card(act.play.Index(a)))
	}
}

// elect is the menu of phase 5.
func (s *State) elect(p env.Player, a env.Action, tape *env.Tape) {
	switch {
	case a == Done:
		s.electFrom(s.order.place(p)+1, tape)
	case act.zone.Has(a):
		s.startElection(p, Zone(act.zone.Index(a)), tape)
	case act.sell.Has(a):
		s.sell(p, Card(act.sell.Index(a)))
	default: // NE-062
		s.discardCard(p, TransportLinks)
		s.decision = AtElectWide
	}
}

// reduce gets rid of a card above the hand limit (NE-031). When the hand is small enough, play goes on
// where the card was drawn.
func (s *State) reduce(p env.Player, a env.Action, tape *env.Tape) {
	switch {
	case act.unit.Has(a):
		s.trade(p, Card(act.unit.Index(a)))
	case act.sell.Has(a):
		s.sell(p, Card(act.sell.Index(a)))
	default:
		s.discardCard(p, Card(act.discard.Index(a)))
	}
	if s.full(p) {
		return
	}
	switch s.phase {
	case phaseCatastrophes:
		s.receiveFrom(s.order.place(p)+1, tape)
	case phaseConsumption:
		s.decision = AtDevelop
	case phaseElections:
		s.afterElection(tape)
	case phaseLeader:
		s.decision = AtMovePick
	}
}
