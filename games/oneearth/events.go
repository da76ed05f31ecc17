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

// warningsLeft are the Warning Events in the deck.
func (s *State) warningsLeft() uint8 { return s.game.boxWarnings &^ s.WarningsDrawn }

// criticalsLeft are the Critical Events in the deck.
func (s *State) criticalsLeft() uint8 { return s.game.boxCriticals &^ s.CriticalsDrawn }

// drawWarning is OE-121 and OE-122: the income of the coming round; an empty deck is formed anew.
func (s *State) drawWarning(tape *env.Tape) {
	if s.warningsLeft() == 0 {
		s.WarningsDrawn = 0
	}
	w := tape.Weighted(&s.luck[warningStream], env.Everybody, "warning", NumWarnings, func(i int) int {
		return int(s.warningsLeft() >> i & 1)
	}, func(i int) string { return warningIDs[i] })
	s.WarningsDrawn |= 1 << w
	s.IncomeMod = int8(s.game.Components.Warnings[w].All.Income)
}

// drawCritical is OE-126, then OE-123 to OE-125. A Critical Event that is needed and not there ends the
// game (OE-205, OE-213).
func (s *State) drawCritical(tape *env.Tape) {
	if s.criticalsLeft() == 0 {
		s.Culprits = s.Highest()
		s.end(NoCriticals)
		return
	}
	c := tape.Weighted(&s.luck[criticalStream], env.Everybody, "critical", NumCriticals, func(i int) int {
		return int(s.criticalsLeft() >> i & 1)
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
