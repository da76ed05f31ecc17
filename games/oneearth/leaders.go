package oneearth

// hasAbility says whether the seat has an ability to use in its turn: the Environmentalist's and the
// Entertainer's (OE-090).
func (s *State) hasAbility(p int) bool {
	c := &s.Countries[p]
	return (c.Leader == Environmentalist || c.Leader == Entertainer) && !c.AbilityUsed
}

// ability is OE-090 to OE-092.
func (s *State) ability(p int) {
	c := &s.Countries[p]
	c.AbilityUsed = true
	steps := s.game.Components.Leaders[c.Leader].Ability
	switch c.Leader {
	case Environmentalist: // own Emissions stay
		s.moveGlobal(-steps)
	case Entertainer: // a festival
		s.moveProsperity(p, steps)
		s.moveEmissions(p, steps)
	}
	s.endEffect()
}

// reacts is the seat whose Leader may still react outside its turn, -1 if there is none: the Diplomat
// by a veto, the General by immunity (OE-094).
func (s *State) reacts(l Leader) int {
	if s.game.Components.Leaders[l].Ability == 0 {
		return -1
	}
	for p := range s.game.Players {
		if c := &s.Countries[p]; c.Leader == l && !c.AbilityUsed {
			return p
		}
	}
	return -1
}
