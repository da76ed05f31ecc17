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
	if a >= sell0 {
		s.sellAtBid(p, Card(a-sell0), tape)
		return
	}
	total := s.running + int32(a-amount0)
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
	switch {
	case a == Done:
		s.endProduction(p, tape)
	case a < amount0:
		i := a - machine0
		s.place(p, Unit(i/NumZones), Zone(i%NumZones))
	case a == Goods5:
		s.buyGoods(p, lotGoods5, 5)
	case a == Goods10:
		s.buyGoods(p, lotGoods10, 10)
	case a == Bulk:
		s.buyBulk(p)
	case a == Plant:
		s.buyPlant(p)
	case a >= offer0:
		s.startOffer(p, int(a-offer0)+1)
	case a >= unit0:
		s.trade(p, Card(a-unit0))
	case a >= sell0:
		s.sell(p, Card(a-sell0))
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
	case a < machine0:
		s.raiseZones(p, only(Zone(a-zone0)))
	case a >= sell0:
		s.sell(p, Card(a-sell0))
	case a == Play(TransportLinks):
		s.purge(p, tape)
	default:
		s.startUpgrade(p, Card(a-play0))
	}
}

// elect is the menu of phase 5.
func (s *State) elect(p env.Player, a env.Action, tape *env.Tape) {
	switch {
	case a == Done:
		s.electFrom(s.order.place(p)+1, tape)
	case a < machine0:
		s.startElection(p, Zone(a-zone0), tape)
	case a >= sell0:
		s.sell(p, Card(a-sell0))
	default: // NE-062
		s.discardCard(p, TransportLinks)
		s.decision = AtElectWide
	}
}

// reduce gets rid of a card above the hand limit (NE-031). When the hand is small enough, play goes on
// where the card was drawn.
func (s *State) reduce(p env.Player, a env.Action, tape *env.Tape) {
	switch {
	case a >= unit0:
		s.trade(p, Card(a-unit0))
	case a >= sell0:
		s.sell(p, Card(a-sell0))
	default:
		s.discardCard(p, Card(a-discard0))
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
