package newearth

import "earthgym/env"

// The order of a game (RULES.md 5.1): the set-up, turns of six phases, El Gigante. In each phase the
// seats go in the turn's order; each chapter has a function that goes on from a place of that order.

// Actor is who decides.
func (s *State) Actor() env.Player { return env.Player(s.seat) }

// ask puts a question to a seat whose own step it is.
func (s *State) ask(n Node, p env.Player) {
	s.node, s.seat, s.active = n, int8(p), int8(p)
}

// startTurn is the order of the turn, and phase 1 (NE-001). Nobody receives a card on turn 1, so there is
// no catastrophe either.
func (s *State) startTurn(tape *env.Tape) {
	s.turn++
	s.phase = phaseCatastrophes
	s.initiative(tape)
	if s.turn == 1 {
		s.produceOutput(0)
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
	s.settle(tape)
}

// settle plays every question that has one answer, until somebody has a choice.
func (s *State) settle(tape *env.Tape) {
	for {
		s.findLegal()
		if s.node == Over {
			return
		}
		a, forced := s.mask.single()
		if !forced {
			return
		}
		s.play(a, tape)
	}
}

// play is one answer to the question that is asked (RULES.md 5.2).
func (s *State) play(a env.Action, tape *env.Tape) {
	p, z := env.Player(s.seat), Zone(a-zone0)
	switch s.node {
	case AtSetupTile:
		s.takeTile(p, int(a-tile0))
	case AtSetupClaim:
		s.claim(p, z)
	case AtSetupMine:
		s.mine(p, z)
	case AtSetupPlant:
		s.placePlant(z)
	case AtSetupLeader:
		s.placeLeader(p, z, tape)
	case AtReceive:
		if a == Yes {
			s.received(p, tape)
		} else {
			s.receiveFrom(s.order.place(p)+1, tape)
		}
	case AtOverflow:
		s.reduce(p, a, tape)
	case AtCatChoose:
		s.strike(p, CivilDisorder+Card(a-strike0), tape)
	case AtCatPurge:
		if a != Done {
			s.purge(p, tape)
			s.strikeFrom(s.order.place(p))
		} else {
			s.strikeFrom(s.order.place(p) + 1)
		}
	case AtCatZone:
		s.strikeZone(p, z)
	case AtNegate:
		if a == No {
			s.declineNegation(p)
		} else {
			s.negate(p, Card(a-play0), tape)
		}
	case AtNegateZone:
		s.saveZone(z)
	case AtIndepAmount, AtCommitAmount, AtAssignMining, AtAssignEnergy:
		s.number(p, a, tape)
	case AtIndepCard:
		if a == Done {
			s.resolveIndependence(p, tape)
		} else {
			s.commitCard(p, Card(a-play0))
			s.moreIndependence(p, tape)
		}
	case AtProduce, AtBulkPlace:
		s.produce(p, a, tape)
	case AtPlantZone:
		s.build(z)
	case AtOffer:
		switch a {
		case Propose:
			s.propose()
		case No:
			s.endOffer()
		default:
			s.addTerm(a)
		}
	case AtOfferReply:
		s.reply(a == Yes)
	default:
		s.playLate(p, a, tape)
	}
}

// playLate is play from phase 4 on.
func (s *State) playLate(p env.Player, a env.Action, tape *env.Tape) {
	z, c := Zone(a-zone0), Card(a-play0)
	switch s.node {
	case AtShortage:
		s.drop(p, z)
	case AtDevelop:
		s.develop(p, a, tape)
	case AtCityZone:
		s.cityZone(z)
	case AtCityCard:
		s.pickCard(p, c, tape)
	case AtFortifyZone:
		s.fortify(z)
	case AtElect:
		s.elect(p, a, tape)
	case AtElectWide:
		s.startElection(p, z, tape)
	case AtJoin:
		switch a {
		case No:
			s.nextJoin(tape)
			return
		case Play(TransportLinks):
			s.discardCard(p, c)
			if tape != nil {
				tell(tape, "player %d plays %s", p, c)
			}
		}
		s.join(p, tape)
	case AtCommitCard:
		if a == Done {
			s.nextCommitment(tape)
		} else {
			s.commitCard(p, c)
			s.moreCards(p, tape)
		}
	case AtNewWorker:
		of := &s.mining
		if a == EnergyZone {
			of = &s.energy
		}
		s.settleZone(p, of, tape)
	case AtLeader:
		if a == Done {
			s.node = AtMovePick
		} else {
			s.lead(p, z, tape)
		}
	case AtMovePick:
		if a == Done {
			s.leadFrom(s.order.place(p)+1, tape)
		} else {
			i := a - machine0
			s.pick(Unit(i/NumZones), Zone(i%NumZones))
		}
	case AtMoveTo:
		s.move(p, z)
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
	switch s.node {
	case AtIndepAmount:
		s.commitIndependence(p, total, tape)
	case AtCommitAmount:
		s.commit(p, total, tape)
	default:
		s.assign(p, total)
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
		s.node = AtElectWide
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
		s.node = AtDevelop
	case phaseElections:
		s.afterElection(tape)
	case phaseLeader:
		s.node = AtMovePick
	}
}
