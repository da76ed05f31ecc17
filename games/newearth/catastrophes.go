package newearth

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// receiveFrom is NE-030 for the seats from a place of the order on: one card each, unless the hand is
// full; then the seat is asked.
func (s *State) receiveFrom(place int, tape *env.Tape) {
	for ; place < s.game.players; place++ {
		p := s.order.at(place)
		if int(s.size[p]) >= s.game.data.HandLimit {
			s.ask(AtReceive, p)
			return
		}
		s.draw(p, 1, tape)
	}
	s.strikeFrom(0, tape)
}

// received draws the card of a seat whose hand was full (NE-031).
func (s *State) received(p env.Player, tape *env.Tape) {
	s.draw(p, 1, tape)
	if s.full(p) {
		s.decision = AtOverflow
		return
	}
	s.receiveFrom(s.order.place(p)+1, tape)
}

// strikeFrom is NE-040 for the seats from a place of the order on; after the last one comes production.
func (s *State) strikeFrom(place int, tape *env.Tape) {
	for ; place < s.game.players; place++ {
		p := s.order.at(place)
		if s.held[p]&catastropheCards == 0 {
			continue
		}
		if s.playable(p, s.held[p]) != 0 {
			s.ask(AtCatChoose, p)
			return
		}
		if s.canPurge(p) {
			s.ask(AtCatPurge, p)
			return
		}
	}
	s.produceOutput(0, tape)
}

// playable is NE-041: the Catastrophe cards of those that it holds that the seat can play. A Stock Loss needs stock.
func (s *State) playable(p env.Player, held Cards) Cards {
	set := held & catastropheCards
	for losses := set & stockLosses; losses != 0; losses = losses.Rest() {
		if kind, _ := losses.First().stockLoss(); s.seats[p].has[kind] == 0 {
			set &^= 1 << losses.First()
		}
	}
	return set
}

// strike plays a Catastrophe card.
func (s *State) strike(p env.Player, c Card, tape *env.Tape) {
	if tape != nil {
		tell(tape, "player %d plays %s", p, c)
	}
	s.discardCard(p, c)
	s.catastrophe = c
	switch c {
	case Anarchists, Independence:
		if s.strikable(p) == 0 { // NE-046, NE-049: without effect
			s.endStrike(tape)
			return
		}
		s.decision = AtCatZone
	case StockLossMining, StockLossEnergy, StockLossManufacturing:
		s.ask(AtNegate, p)
	default:
		s.rollTiles(p, c, tape)
		s.affected |= s.hit
		s.askHit(0, tape)
	}
}

// rollTiles is NE-042 and NE-043: one die for each tile concerned, in letter order.
func (s *State) rollTiles(p env.Player, c Card, tape *env.Tape) {
	spared := s.affected | ^s.inPlay
	spared |= form.When(c == FloodLocal || c == FloodGeneral, s.forts)
	for t := range NumTiles {
		if !c.strikesAll() && s.owned[p]&tile(t) == 0 {
			continue
		}
		die := tape.Uniform(&s.luck[catastropheStream], env.Everybody, catDieNames[t], tileZones, dieText)
		z := Zone(t*tileZones + die)
		if !c.strikesAll() && !s.owned[p].Has(z) || spared.Has(z) {
			continue
		}
		s.hit |= only(z)
	}
}

var catDieNames = [NumTiles]string{"cat die A", "cat die B", "cat die C", "cat die D", "cat die E", "cat die F"}

func dieText(i int) string { return strconv.Itoa(i + 1) }

// strikable are the zones that Anarchists (NE-046) or State of Independence (NE-049) can strike.
func (s *State) strikable(p env.Player) Zones {
	if s.catastrophe == Anarchists {
		return s.sound(p) & s.plants
	}
	eligible := s.sound(p) &^ s.leaders &^ s.elected
	for level := range s.level {
		if least := eligible & s.level[level]; least != 0 {
			return least
		}
	}
	return 0
}

// strikeZone is the zone picked for Anarchists or State of Independence.
func (s *State) strikeZone(p env.Player, z Zone) {
	s.hit = only(z)
	s.affected |= form.When(s.catastrophe == Anarchists, only(z))
	s.ask(AtNegate, p)
}

// askHit is NE-044 for the seats from a place of the order on: each owner of zones that are hit may
// negate. The queue is those after the one asked.
func (s *State) askHit(place int, tape *env.Tape) {
	s.queue = s.inOrder(place, s.isHit)
	s.nextHit(tape)
}

// isHit says whether the catastrophe strikes zones of the seat.
func (s *State) isHit(p env.Player) bool { return s.owned[p]&s.hit != 0 }

func (s *State) nextHit(tape *env.Tape) {
	if s.queue.n == 0 {
		s.afterNegation(tape)
		return
	}
	s.decision = AtNegate
	s.seat = int8(s.queue.take())
}

// negating are the titles that the seat can play against the catastrophe (RULES.md 2.13), each once
// (NE-035).
func (s *State) negating(p env.Player) Cards {
	titles := s.against() & s.held[p] &^ s.used[p]
	if s.catastrophe == Independence && !s.held[p].Has(UrbanPlanning) { // NE-050: only together
		return 0
	}
	return titles
}

// against are the titles that negate the catastrophe.
func (s *State) against() Cards {
	k := s.catastrophe - CivilDisorder
	return s.game.negatesAll[k] | s.game.negatesOne[k]
}

// negate plays a City card against the catastrophe.
func (s *State) negate(p env.Player, c Card, tape *env.Tape) {
	if tape != nil {
		tell(tape, "player %d plays %s against %s", p, c, s.catastrophe)
	}
	s.discardCard(p, c)
	s.used[p] |= 1 << c
	if s.catastrophe == Independence {
		s.discardCard(p, UrbanPlanning)
	}
	mine := s.hit & s.owned[p]
	switch k := s.catastrophe - CivilDisorder; {
	case !s.catastrophe.strikesZones():
		s.endStrike(tape)
	case s.game.negatesAll[k].Has(c):
		s.save(mine)
		s.nextHit(tape)
	case mine.Rest() == 0:
		s.save(mine)
		s.nextHit(tape)
	default:
		s.decision, s.chosenCard = AtNegateZone, c
	}
}

// saveZone is the zone that a card of one zone saves; the seat may go on.
func (s *State) saveZone(z Zone) {
	s.save(only(z))
	s.decision, s.chosenCard = AtNegate, NoCard
}

// save takes the markers away again: a negated zone counts as not hit.
func (s *State) save(set Zones) {
	s.hit &^= set
	s.affected &^= set
}

// declineNegation is "no" to negation.
func (s *State) declineNegation(p env.Player, tape *env.Tape) {
	switch kind, loss := s.catastrophe.stockLoss(); {
	case loss: // NE-047
		tape.Mark("stock-loss", p)
		s.seats[p].has[kind] = 0
		s.endStrike(tape)
	case s.catastrophe == Independence:
		s.decision = AtIndepAmount
	default:
		s.nextHit(tape)
	}
}

// afterNegation is NE-045: civil disorder is paid for, as far as the cash reaches.
func (s *State) afterNegation(tape *env.Tape) {
	if s.catastrophe == CivilDisorder {
		tape.Mark("disorder", env.Over)
		for p := range s.game.players {
			has := &s.seats[p].has
			due := int32((s.hit & s.owned[p]).Count() * s.game.data.CivilDisorder.Cash)
			has[Cash] -= min(has[Cash], due)
		}
	}
	s.endStrike(tape)
}

// endStrike is the end of a catastrophe; the next seat strikes.
func (s *State) endStrike(tape *env.Tape) {
	s.catastrophe, s.hit = NoCard, 0
	s.used = [maxPlayers]Cards{}
	s.strikeFrom(s.order.place(env.Player(s.active))+1, tape)
}

// legalIndependence is the cash for a zone's return: none, or at least the minimum (NE-050).
func (s *State) legalIndependence(m env.Mask, p env.Player) {
	cash := s.seats[p].has[Cash]
	least := int32(s.game.data.Election.LeastContested)
	m.SetIf(s.running == 0, act.amount.First)
	s.legalBid(m, p, least, cash)
}

// commitIndependence is the cash given for the zone's return; nothing gives it up.
func (s *State) commitIndependence(p env.Player, total int32, tape *env.Tape) {
	if total == 0 {
		s.resolveIndependence(p, tape)
		return
	}
	s.seats[p].commitCash = total
	s.decision = AtIndepCard
	s.moreIndependence(p, tape)
}

// moreIndependence goes on after each card.
func (s *State) moreIndependence(p env.Player, tape *env.Tape) {
	if s.committable(p) == 0 {
		s.resolveIndependence(p, tape)
	}
}

// resolveIndependence is NE-050 and NE-051.
func (s *State) resolveIndependence(p env.Player, tape *env.Tape) {
	z := s.hit.First()
	seat := &s.seats[p]
	won := false
	if cash := seat.commitCash; cash >= 0 {
		if tape != nil {
			tell(tape, "player %d commits %dm for the return of %s", p, cash, z)
		}
		s.spend(p)
		if excess := cash - s.game.zoneValue[s.sl[z]]; excess > 0 {
			won = s.roll(excess, s.modifier(p, &s.game.initiator), tape)
			tape.Mark("used", p)
			s.discardCommitted(p)
		}
		s.returnCommitted(p)
	}
	s.elected |= only(z)
	if !won {
		s.owned[p] &^= only(z)
		s.setLevel(z, 0)
	}
	if tape != nil {
		if won {
			tell(tape, "player %d keeps %s", p, z)
		} else {
			tell(tape, "%s turns neutral", z)
		}
	}
	s.endStrike(tape)
}

// purgeFirst is NE-038, before the seat's next Catastrophe card is looked for.
func (s *State) purgeFirst(p env.Player, a env.Action, tape *env.Tape) {
	if a != Done {
		s.purge(p, tape)
		s.strikeFrom(s.order.place(p), tape)
	} else {
		s.strikeFrom(s.order.place(p)+1, tape)
	}
}

// legalNegate is NE-044.
func (s *State) legalNegate(m env.Mask, p env.Player) {
	m.Block(act.play.First, uint64(s.negating(p)))
	m.Set(No)
}

func (s *State) answerCatastrophe(p env.Player, a env.Action, tape *env.Tape) {
	if a == No {
		s.declineNegation(p, tape)
	} else {
		s.negate(p, Card(act.play.Index(a)), tape)
	}
}

// playForReturn is NE-066 for a zone's return.
func (s *State) playForReturn(p env.Player, a env.Action, tape *env.Tape) {
	if a == Done {
		s.resolveIndependence(p, tape)
	} else {
		s.commitCard(p, Card(act.play.Index(a)))
		s.moreIndependence(p, tape)
	}
}
