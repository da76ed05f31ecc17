package newearth

import "earthgym/env"

// consumeFrom is phase 4 for the seats from a place of the order on; after the last one come elections.
func (s *State) consumeFrom(place int, tape *env.Tape) {
	if place == s.game.players {
		s.phase = phaseElections
		s.electFrom(0, tape)
		return
	}
	p := s.order.at(place)
	s.ask(AtDevelop, p)
	s.maintain(p, tape)
}

// need is the goods that keep the seat's levels.
func (s *State) need(p env.Player) int32 {
	var goods int32
	for level := 1; level <= maxLevel; level++ {
		goods += s.game.upkeep[level] * int32((s.owned[p] & s.level[level]).Count())
	}
	return goods
}

// maintain is NE-120 and NE-121: the levels are paid for, or all goods are, and levels fall.
func (s *State) maintain(p env.Player, tape *env.Tape) {
	tape.Mark("upkeep", p)
	seat := &s.seats[p]
	need := s.need(p)
	if seat.has[Goods] >= need {
		seat.has[Goods] -= need
		seat.expended = need
		return
	}
	seat.expended, seat.has[Goods] = seat.has[Goods], 0
	if seat.expended == 0 {
		for set := s.owned[p] &^ s.level[0]; set != 0; set = set.Rest() {
			s.setLevel(set.First(), 0)
		}
		return
	}
	s.decision = AtShortage
}

// drop takes a level from a zone in a shortage, until what is left has been paid for.
func (s *State) drop(p env.Player, z Zone) {
	s.setLevel(z, s.sl[z]-1)
	if s.need(p) <= s.seats[p].expended {
		s.decision = AtDevelop
	}
}

// raisable is NE-122: zones that can rise for the seat's goods.
func (s *State) raisable(p env.Player) Zones {
	goods := s.seats[p].has[Goods]
	var set Zones
	for level := range maxLevel {
		if goods >= s.game.raise[level+1] {
			set |= s.level[level]
		}
	}
	return set & s.sound(p) &^ s.raised
}

// legalDevelop is the menu of phase 4 (NE-126: in any order).
func (s *State) legalDevelop(m env.Mask, p env.Player) {
	raisable := s.raisable(p)
	m.Block(act.zone.First, uint64(raisable))
	if raisable.Rest() != 0 && s.seats[p].has[Goods] >= s.priceOf(s.sound(p)&^s.raised&^s.level[maxLevel]) {
		m.Set(RaiseAll)
	}
	if titles := s.held[p] & cityCards; titles != 0 {
		m.SetIf(s.canConvert(p), City)
		for _, c := range [...]Card{StormDefence, TechnologyResearch} {
			m.SetIf(titles.Has(c) && s.fortifiable(p, c) != 0, Play(c))
		}
		m.SetIf(s.canPurge(p), Play(TransportLinks))
		m.Block(act.sell.First, uint64(titles&s.game.sellable))
	}
	m.Set(Done)
}

// priceOf is the goods that raise all zones of a set by one level.
func (s *State) priceOf(set Zones) int32 {
	var goods int32
	for level := range maxLevel {
		goods += s.game.raise[level+1] * int32((set & s.level[level]).Count())
	}
	return goods
}

// raiseZones is NE-122: each zone of the set goes up by one level and has its turn's raise behind it.
func (s *State) raiseZones(p env.Player, set Zones) {
	price := s.priceOf(set)
	s.seats[p].has[Goods] -= price
	s.seats[p].expended += price
	s.raised |= set
	for ; set != 0; set = set.Rest() {
		z := set.First()
		s.setLevel(z, s.sl[z]+1)
	}
}

// surplus is NE-125: the goods above the number expended, which are lost when the phase ends.
func (s *State) surplus(p env.Player) int32 { return max(s.seats[p].has[Goods]-s.seats[p].expended, 0) }

// endDevelopment ends the phase for a seat.
func (s *State) endDevelopment(p env.Player, tape *env.Tape) {
	tape.Mark("spoils", p)
	s.seats[p].has[Goods] -= s.surplus(p)
	s.consumeFrom(s.order.place(p)+1, tape)
}
