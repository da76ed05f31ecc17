package newearth

import "earthgym/env"

// leadFrom is phase 6 for the seats from a place of the order on; after the last one the turn ends.
func (s *State) leadFrom(place int, tape *env.Tape) {
	if place < s.game.players {
		s.ask(AtLeader, s.order.at(place))
		return
	}
	s.endTurn(tape)
}

// lead is NE-080: the leader moves, and brings a card.
func (s *State) lead(p env.Player, z Zone, tape *env.Tape) {
	seat := &s.seats[p]
	s.leaders = s.leaders&^only(seat.leader) | only(z)
	seat.leader = z
	s.draw(p, s.game.data.Leader.Draws, tape)
	if s.full(p) {
		s.decision = AtOverflow
		return
	}
	s.decision = AtMovePick
}

// legalMoves are the pieces that can move (NE-082): not yet moved this turn, and with somewhere to go.
func (s *State) legalMoves(m env.Mask, p env.Player) {
	m.Set(Done)
	if s.seats[p].movesUsed >= s.game.moveLimit {
		return
	}
	own, sound := s.owned[p], s.sound(p)
	bays := s.around(sound & s.bays)
	miners, engineers := s.around(sound&s.room&s.mining), s.around(sound&s.room&s.energy)
	makers := s.around(sound & s.room & s.plants)
	goes := [numPieces]Zones{bays & own, (miners&s.mining | engineers&s.energy) & own, makers & own & s.plants}
	for u := range numPieces {
		var block Zones
		for set := goes[u]; set != 0; set = set.Rest() {
			if z := set.First(); s.count(z, u) > s.arrived[z][u] {
				block |= only(z)
			}
		}
		m.Block(act.machine.At(NumZones*int(u)), uint64(block))
	}
}

// destinations are where a piece of z can go: adjacent own zones, not affected, with room, and of the right
// type or with a plant.
func (s *State) destinations(p env.Player, u Unit, z Zone) Zones {
	near := s.near[z] & s.sound(p)
	switch {
	case u == Machine:
		return near & s.bays
	case u == Maker:
		return near & s.room & s.plants
	case s.mining.Has(z):
		return near & s.room & s.mining
	}
	return near & s.room & s.energy
}

// pick takes a piece up.
func (s *State) pick(u Unit, z Zone) {
	s.decision, s.chosenUnit, s.chosenZone = AtMoveTo, u, z
}

// move puts it down; it stays there for this turn.
func (s *State) move(p env.Player, z Zone) {
	s.put(s.chosenZone, s.chosenUnit, -1)
	s.put(z, s.chosenUnit, 1)
	s.arrived[z][s.chosenUnit]++
	s.arrivals |= only(z)
	s.seats[p].movesUsed++
	s.decision, s.chosenUnit, s.chosenZone = AtMovePick, noUnit, NoZone
}

// legalLead is NE-080.
func (s *State) legalLead(m env.Mask, p env.Player) {
	m.Block(act.zone.First, uint64(s.near[s.seats[p].leader]&s.owned[p]))
	m.Set(Done)
}

func (s *State) moveLeader(p env.Player, a env.Action, tape *env.Tape) {
	if a == Done {
		s.decision = AtMovePick
	} else {
		s.lead(p, Zone(act.zone.Index(a)), tape)
	}
}

// pickPiece is the menu of the reallocation (NE-082).
func (s *State) pickPiece(p env.Player, a env.Action, tape *env.Tape) {
	if u, z, picks := pieceOf(a); picks {
		s.pick(u, z)
	} else {
		s.leadFrom(s.order.place(p)+1, tape)
	}
}
