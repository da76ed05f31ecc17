package newearth

import (
	"fmt"

	"earthgym/env"
)

// Why says why an action is not legal, out of what the actor knows.
func (s *State) Why(a env.Action) string {
	return s.row().Refusal(s, env.Player(s.seat), a, s.game.info)
}

// reason is a closer answer than what the decision is about, where there is one.
func (s *State) reason(p env.Player, a env.Action) string {
	u, z, piece := pieceOf(a)
	switch {
	case s.decision == Over:
		return ""
	case act.zone.Has(a):
		return s.whyZone(p, Zone(act.zone.Index(a)))
	case piece:
		return s.whyPiece(p, u, z)
	case act.amount.Has(a), a == Plus20:
		return s.whyNumber(p)
	case act.play.Has(a), act.discard.Has(a), act.sell.Has(a), act.unit.Has(a):
		return s.whyCard(p, a)
	case act.strike.Has(a):
		return s.whyStrike(p, CivilDisorder+Card(act.strike.Index(a)))
	case act.give.Has(a), act.want.Has(a):
		return s.whyTerm(a)
	}
	return s.whyMenu(p, a)
}

// whyZone is about every choice of a zone.
func (s *State) whyZone(p env.Player, z Zone) string {
	own := s.owned[p].Has(z)
	switch s.decision {
	case AtSetupClaim:
		switch {
		case !s.inPlay.Has(z):
			return fmt.Sprintf("%s is out of play (NE-002)", z)
		case s.Claimed().Has(z):
			return fmt.Sprintf("%s is claimed already (NE-010)", z)
		case !s.options(s.owned[p], s.inPlay&^s.Claimed()).Has(z):
			return fmt.Sprintf("%s is not adjacent to a zone claimed before (NE-010)", z)
		}
		return fmt.Sprintf("%s, claimed, leaves a seat that lacks zones no option (NE-011)", z)
	case AtCatZone:
		if s.catastrophe == Anarchists {
			return "Anarchists strike an own unaffected zone with a plant (NE-046)"
		}
		return "State of Independence takes an own zone of least level that is unaffected and without leader and election " +
			"(NE-049)"
	case AtDevelop:
		switch {
		case !own:
		case s.affected.Has(z):
			return fmt.Sprintf("%s is affected: its level cannot rise (NE-048)", z)
		case s.raised.Has(z):
			return fmt.Sprintf("%s has risen this turn (NE-122)", z)
		case s.sl[z] == maxLevel:
			return fmt.Sprintf("%s has the highest level (NE-122)", z)
		default:
			return fmt.Sprintf("the goods do not suffice to raise %s (NE-122)", z)
		}
		return fmt.Sprintf("%s is no own zone (NE-122)", z)
	case AtElect, AtElectWide:
		return s.whyTarget(p, z)
	case AtPlantZone:
		if own && s.affected.Has(z) {
			return fmt.Sprintf("%s is affected: nothing is placed in it (NE-048)", z)
		}
	case AtShortage:
		if own {
			return fmt.Sprintf("%s has no level to lose (NE-121)", z)
		}
	}
	return ""
}

// whyTarget is about zones in which no election can be started.
func (s *State) whyTarget(p env.Player, z Zone) string {
	switch {
	case !s.inPlay.Has(z):
		return fmt.Sprintf("%s is out of play (NE-002)", z)
	case s.owned[p].Has(z):
		return fmt.Sprintf("%s is an own zone (NE-061)", z)
	case s.affected.Has(z):
		return fmt.Sprintf("%s is affected: no election takes place (NE-048)", z)
	case s.leaders.Has(z):
		return fmt.Sprintf("a leader stands in %s (NE-061, NE-081)", z)
	case s.elected.Has(z):
		return fmt.Sprintf("%s had its election this turn (NE-076)", z)
	case !s.affordable(p, false).Has(z):
		return fmt.Sprintf("goods or cash do not suffice for an election in %s (NE-063)", z)
	case s.decision == AtElectWide:
		return ""
	case !s.near[s.seats[p].leader].Has(z):
		return fmt.Sprintf("%s is not adjacent to the leader's zone %s (NE-061)", z, s.seats[p].leader)
	}
	return fmt.Sprintf("%s has a higher level than the leader's zone %s (NE-061)", z, s.seats[p].leader)
}

// whyPiece is about machines and workers, bought or moved.
func (s *State) whyPiece(p env.Player, u Unit, z Zone) string {
	own := s.owned[p].Has(z)
	switch s.decision {
	case AtProduce, AtBulkPlace:
		full := u == Machine && !s.bays.Has(z) || u != Machine && !s.room.Has(z)
		switch {
		case s.decision == AtProduce && !s.seats[p].has.covers(&s.game.lots[lotMachine]):
			return "the stock does not suffice for a machine (NE-103)"
		case !own:
			return fmt.Sprintf("%s is no own zone (NE-104)", z)
		case s.affected.Has(z):
			return fmt.Sprintf("%s is affected: nothing is placed in it (NE-048)", z)
		case full:
			return fmt.Sprintf("%s is at its limit of %d workers and %d machines (NE-004)", z, s.game.people[z],
				s.game.machines[z])
		case u == Maker && !s.plants.Has(z):
			return fmt.Sprintf("%s has no plant for a manufacturing worker (NE-005)", z)
		}
		return "the cash does not suffice to automate (NE-104)"
	case AtMovePick:
		switch {
		case s.seats[p].movesUsed >= s.game.moveLimit:
			return fmt.Sprintf("all %d moves of the turn are used (NE-082)", s.game.moveLimit)
		case !own || s.count(z, u) == 0:
			return fmt.Sprintf("no own %s stands in %s (NE-082)", unitNames[u], z)
		case s.count(z, u) <= s.arrived[z][u]:
			return fmt.Sprintf("what stands in %s has moved this turn (NE-082)", z)
		}
		return fmt.Sprintf("no adjacent own zone can take it from %s (NE-082)", z)
	}
	return ""
}

// whyNumber is about numbers outside the range.
func (s *State) whyNumber(p env.Player) string {
	switch s.decision {
	case AtIndepAmount:
		return fmt.Sprintf("the total is 0, or at least %dm, and there are %dm; %d is named so far (NE-050)",
			s.game.data.Election.LeastContested, s.seats[p].has[Cash], s.running)
	case AtCommitAmount:
		least, most := s.bidRange(p)
		if most < least {
			return fmt.Sprintf("at least %dm are needed and only %dm can be committed: sell cards or withdraw with 0 (NE-065)",
				least, most)
		}
		return fmt.Sprintf("the total is %dm to %dm; %d is named so far (NE-065)", least, most, s.running)
	case AtAssignMining, AtAssignEnergy:
		_, most, _ := s.numberRange(p)
		return fmt.Sprintf("the total is 0 to %d; %d is named so far (NE-102)", most, s.running)
	}
	return ""
}

// whyCard is about the uses of City cards.
func (s *State) whyCard(p env.Player, a env.Action) string {
	c := Card(act.play.Index(a) % NumTitles)
	trades := s.decision == AtOverflow || s.decision == AtProduce
	sells := trades || s.decision == AtDevelop || s.decision == AtElect || s.decision == AtCommitAmount ||
		s.decision == AtIndepAmount
	committing := s.decision == AtCommitCard || s.decision == AtIndepCard
	switch {
	case !s.held[p].Has(c) && !(committing && s.seats[p].commitCards.Has(c)):
		return fmt.Sprintf("%s is not in the hand (NE-032)", c)
	case act.unit.Has(a):
		if trades {
			return fmt.Sprintf("%s brings no unit (NE-037)", c)
		}
		return "cards are traded for units in production turns and above the hand limit (NE-037)"
	case act.sell.Has(a):
		if sells && s.running > 0 {
			return "cards are sold before the number is begun (NE-065)"
		}
		if sells {
			return fmt.Sprintf("%s brings no cash (NE-036)", c)
		}
		return "cards are not sold now (NE-036)"
	case act.discard.Has(a):
		return "cards are discarded only above the hand limit (NE-031)"
	}
	return s.whyPlay(p, c)
}

func (s *State) whyPlay(p env.Player, c Card) string {
	switch s.decision {
	case AtNegate:
		if s.used[p].Has(c) {
			return fmt.Sprintf("%s has been played against this catastrophe (NE-035)", c)
		}
		if s.catastrophe == Independence {
			return "State of Independence is negated by Urban Planning together with another card (NE-050)"
		}
		return fmt.Sprintf("%s does not negate %s (NE-044)", c, s.catastrophe)
	case AtProduce, AtDevelop:
		switch {
		case c == TransportLinks:
			return "there is no Stock Loss in the hand to be rid of (NE-038)"
		case s.decision == AtDevelop && (c == StormDefence || c == TechnologyResearch):
			return fmt.Sprintf("%s finds no own city to fortify (NE-124)", c)
		}
		return fmt.Sprintf("%s has no effect of its own here (NE-034)", c)
	case AtElect:
		if c == TransportLinks {
			return "Transport Links opens no further target (NE-062)"
		}
	case AtCityCard:
		return fmt.Sprintf("no legal set that can be paid goes on with %s (NE-123)", c)
	case AtCommitCard, AtIndepCard:
		return "cards of one election have different titles (NE-035)"
	case AtJoin:
		if c == TransportLinks {
			return "the leader's zone is next to the target: no card is needed (NE-062)"
		}
	}
	return ""
}

func (s *State) whyStrike(p env.Player, c Card) string {
	if s.decision != AtCatChoose {
		return ""
	}
	if !s.held[p].Has(c) {
		return fmt.Sprintf("%s is not in the hand (NE-040)", c)
	}
	return fmt.Sprintf("%s finds no stock (NE-041)", c)
}

// whyTerm is about the terms of an offer.
func (s *State) whyTerm(a env.Action) string {
	if s.decision != AtOffer {
		return ""
	}
	if act.give.Has(a) && s.offer.giveTerms >= maxTerms || act.want.Has(a) && s.offer.wantTerms >= maxTerms {
		return fmt.Sprintf("a side of an offer has at most %d terms (NE-106)", maxTerms)
	}
	return "that is more than there is, or it is on the other side of the offer already (NE-106)"
}

// whyMenu is about the other actions.
func (s *State) whyMenu(p env.Player, a env.Action) string {
	seat := &s.seats[p]
	switch s.decision {
	case AtProduce:
		switch {
		case a == Goods5 || a == Goods10 || a == Plant && !seat.has.covers(&s.game.lots[lotPlant]):
			return "stock or cash do not suffice (NE-103)"
		case a == Bulk && !s.game.bulk:
			return "machines are sold one by one in this game (NE-103, option bulk_machines)"
		case a == Bulk && !seat.has.covers(&s.game.lots[lotBulk]):
			return "the stock does not suffice for four machines (NE-103)"
		case a == Bulk:
			return "there is no room for four machines (NE-104)"
		case a == Plant:
			return "every own unaffected zone has a plant (NE-105)"
		case act.offer.Has(a) && act.offer.Index(a)+2 > s.game.players:
			return fmt.Sprintf("there are only %d seats (NE-106)", s.game.players)
		case act.offer.Has(a) && seat.reopened:
			return "offers belong to the first production turn (NE-107)"
		case act.offer.Has(a):
			return fmt.Sprintf("all %d offers of the turn are used (NE-106)", s.game.offers)
		}
	case AtDevelop:
		switch a {
		case City:
			return "a conversion needs a zone without city, four different cards with at least two cores, and its price (NE-123)"
		case RaiseAll:
			return "there are no two zones to raise, or the goods do not suffice for all (NE-122)"
		}
	case AtReceive:
		if a == Yes {
			return "without a City card in the hand a card can only be passed on (NE-030)"
		}
	case AtJoin:
		if a == Yes {
			return "the target is out of the leader's reach; Transport Links can be played (NE-062)"
		}
	case AtOffer:
		if a == Propose {
			return "an offer needs at least one term (NE-106)"
		}
	}
	return ""
}
