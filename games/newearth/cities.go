package newearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// canConvert says whether the seat can found a city (NE-123): a zone without one, a legal set, and its
// price.
func (s *State) canConvert(p env.Player) bool {
	return s.owned[p]&^s.cities != 0 && s.nextOfSet(p) != 0
}

// price is the cash for a conversion: less with Urban Planning in the set (NE-034).
func (g *Game) price(set Cards) int32 {
	if set.Has(UrbanPlanning) {
		return int32(g.data.Conversion.Cheap)
	}
	return int32(g.data.Conversion.Cash)
}

// nextOfSet are the titles that can be picked next, in ascending order, so that a legal set that the
// seat holds and can pay can still be completed.
func (s *State) nextOfSet(p env.Player) Cards {
	held, picked := s.held[p]&cityCards, s.pickedCards
	if held.Count() < setSize || (held&s.game.cores).Count() < s.game.data.Conversion.Cores {
		return 0
	}
	var next Cards
	cash := s.seats[p].has[Cash]
	for _, set := range s.game.sets {
		if set&^held != 0 || cash < s.game.price(set) {
			continue
		}
		if rest := set &^ picked; set&picked == picked && (picked == 0 || rest&-rest > picked) {
			next |= rest & -rest
		}
	}
	return next
}

// startConversion is "city".
func (s *State) startConversion() { s.decision = AtCityZone }

// cityZone is the zone that becomes a city.
func (s *State) cityZone(z Zone) { s.decision, s.chosenZone = AtCityCard, z }

// pickCard is a title of the set. With the fourth the zone becomes a city (NE-123).
func (s *State) pickCard(p env.Player, c Card, tape *env.Tape) {
	s.pickedCards |= 1 << c
	if s.pickedCards.Count() < setSize {
		return
	}
	z, set := s.chosenZone, s.pickedCards
	s.chosenZone, s.pickedCards = NoZone, 0
	s.seats[p].has[Cash] -= s.game.price(set)
	for rest := set; rest != 0; rest = rest.Rest() {
		s.discardCard(p, rest.First())
	}
	s.cities |= only(z)
	s.converted |= only(z)
	if set.Has(StormDefence) { // NE-034: a card of the set also gives its conversion benefit
		s.forts |= only(z)
	}
	s.decision = AtDevelop
	s.draw(p, s.game.data.Conversion.Draws, tape)
	if s.full(p) {
		s.decision = AtOverflow
	}
}

// fortifiable is NE-124: the own plain cities that a card can fortify. Technology Research leaves out
// those founded this turn.
func (s *State) fortifiable(p env.Player, c Card) Zones {
	plain := s.owned[p] & s.cities &^ s.forts
	plain &^= form.When(c == TechnologyResearch, s.converted)
	return plain
}

// startUpgrade plays Storm Defence or Technology Research.
func (s *State) startUpgrade(p env.Player, c Card) {
	s.discardCard(p, c)
	s.decision, s.chosenCard = AtFortifyZone, c
}

// fortify is NE-124.
func (s *State) fortify(z Zone) {
	s.forts |= only(z)
	s.decision, s.chosenCard = AtDevelop, NoCard
}
