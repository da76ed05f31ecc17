package oneearth

import "earthgym/env"

// drawEvent is OE-120, with Global Emissions as they are after the audit.
func (s *State) drawEvent(tape *env.Tape) {
	c := &s.game.Components.Constants
	switch g := int(s.Global); {
	case g >= c.CriticalFrom:
		s.drawCritical(tape)
	case g >= c.WarningFrom:
		s.drawWarning(tape)
		s.meet(tape)
	default:
		s.meet(tape)
	}
}

// left is the number of cards in the box that have not been drawn.
func left(cards []EventCard, drawn uint8) int {
	n := 0
	for i, card := range cards {
		if card.InBox && drawn>>i&1 == 0 {
			n++
		}
	}
	return n
}

// WarningsLeft is the number of Warning Events in the deck.
func (s *State) WarningsLeft() int { return left(s.game.Components.Warnings[:], s.WarningsDrawn) }

// CriticalsLeft is the number of Critical Events in the deck.
func (s *State) CriticalsLeft() int { return left(s.game.Components.Criticals[:], s.CriticalsDrawn) }

// drawWarning is OE-121 and OE-122: the income of the coming round; an empty deck is formed anew.
func (s *State) drawWarning(tape *env.Tape) {
	if s.WarningsLeft() == 0 {
		s.WarningsDrawn = 0
	}
	cards := &s.game.Components.Warnings
	w := tape.Weighted(&s.luck[warningStream], env.Everybody, "warning", NumWarnings, func(i int) int {
		return index(cards[i].InBox && s.WarningsDrawn>>i&1 == 0)
	}, func(i int) string { return warningIDs[i] })
	s.WarningsDrawn |= 1 << w
	s.IncomeMod = int8(cards[w].All.Income)
}

// drawCritical is OE-126, then OE-123 to OE-125. A Critical Event that is needed and not there ends the
// game (OE-205, OE-213).
func (s *State) drawCritical(tape *env.Tape) {
	if s.CriticalsLeft() == 0 {
		s.Culprits = s.Highest()
		s.end(NoCriticals)
		return
	}
	cards := &s.game.Components.Criticals
	c := tape.Weighted(&s.luck[criticalStream], env.Everybody, "critical", NumCriticals, func(i int) int {
		return index(cards[i].InBox && s.CriticalsDrawn>>i&1 == 0)
	}, func(i int) string { return criticalIDs[i] })
	s.CriticalsDrawn |= 1 << c
	s.Event = Critical(c)
	if p := s.reacts(General); p >= 0 { // OE-124
		if prosperity, money := s.struck(p, s.Highest(), s.Lowest()); prosperity != 0 || money != 0 {
			s.decide(AtImmunity, p)
			return
		}
	}
	s.strike(-1, tape)
}

// immunity is OE-124: the General's seat is spared all of it, good or bad.
func (s *State) immunity(p int, yes bool, tape *env.Tape) {
	if !yes {
		s.strike(-1, tape)
		return
	}
	s.Countries[p].AbilityUsed = true
	tape.Mark("strikes", env.Over)
	s.strike(p, tape)
}

// struck is OE-123: what the Critical Event does to a seat, the parts that fall on it added. If all
// tie, only the part for all applies.
func (s *State) struck(p int, highest, lowest env.Seats) (prosperity, money int) {
	card := &s.game.Components.Criticals[s.Event]
	prosperity, money = card.All.Prosperity, card.All.Money
	if highest == s.all() {
		return prosperity, money
	}
	if highest.Has(env.Player(p)) {
		prosperity += card.High.Prosperity
		money += card.High.Money
	}
	if lowest.Has(env.Player(p)) {
		prosperity += card.Low.Prosperity
		money += card.Low.Money
	}
	return prosperity, money
}

// strike is OE-125: the Critical Event hits in turn order, Prosperity before money, all but an immune
// seat. Then the checkpoint and the meeting.
func (s *State) strike(immune int, tape *env.Tape) {
	highest, lowest := s.Highest(), s.Lowest()
	for i := range s.game.Players {
		if p := s.inTurn(i); p != immune {
			prosperity, money := s.struck(p, highest, lowest)
			s.moveProsperity(p, prosperity)
			c := &s.Countries[p]
			c.Money = max(0, c.Money+int16(money))
		}
	}
	s.Event = NoCritical
	if s.checkpoint() {
		s.meet(tape)
	}
}
