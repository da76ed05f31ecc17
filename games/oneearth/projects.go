package oneearth

import "earthgym/env"

// traits are those of a seat that change what Projects are worth to it.
func (s *State) traits(p int) int {
	traits := 0
	if s.Countries[p].Leader == Tycoon { // OE-093
		traits |= tycoonTrait
	}
	if s.Resolutions[CurbTransport] == Passed {
		traits |= curbTrait
	}
	if s.YesVoters[EduTech].Has(env.Player(p)) {
		traits |= eduTrait
	}
	if s.YesVoters[Medicine].Has(env.Player(p)) {
		traits |= medicineTrait
	}
	return traits
}

// Worth is OE-048: the Prosperity of a copy for its owner.
func (s *State) Worth(p int, x Project, upgraded bool) int {
	return int(s.game.worth[s.traits(p)][index(upgraded)][x])
}

// EmissionWorth is OE-049: the Emissions of a copy.
func (s *State) EmissionWorth(x Project, upgraded bool) int {
	return int(s.game.emission[index(upgraded)][x])
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fund is OE-050 to OE-054: pay, take the card, move the markers, attach a held use, refill the slot,
// and only then the checkpoint.
func (s *State) fund(p, slot int, tape *env.Tape) {
	x := s.Row[slot]
	c := &s.Countries[p]
	c.Money -= int16(s.game.cost[x])
	s.Turn.Funded++
	s.Row[slot] = NoProject
	s.gain(p, x)
	s.moveProsperity(p, s.Worth(p, x, false))
	s.moveEmissions(p, s.EmissionWorth(x, false))
	if t := s.game.tech[x]; t >= 0 && c.Saved[t]+c.Loose[t] > 0 { // OE-052
		s.Attach, s.Using = x, t
		s.decide(AtAttach, p)
		return
	}
	s.refill(tape)
	s.endEffect()
}

// attach is OE-052 and OE-067: a saved use is spent before a loose one.
func (s *State) attach(p int, yes bool, tape *env.Tape) {
	x, t := s.Attach, s.Using
	s.Attach, s.Using = NoProject, NoTechnology
	if yes {
		if c := &s.Countries[p]; c.Saved[t] > 0 {
			c.Saved[t]--
		} else {
			c.Loose[t]--
		}
		s.upgrade(p, x)
	}
	s.refill(tape)
	s.endEffect()
}

// gain puts a Project before a seat.
func (s *State) gain(p int, x Project) {
	c := &s.Countries[p]
	c.Plain[x]++
	c.PlainSet |= 1 << x
}

// remove takes one copy from a seat.
func (s *State) remove(p int, x Project, upgraded bool) {
	c := &s.Countries[p]
	if upgraded {
		if c.Upgraded[x]--; c.Upgraded[x] == 0 {
			c.UpgradedSet &^= 1 << x
		}
		return
	}
	if c.Plain[x]--; c.Plain[x] == 0 {
		c.PlainSet &^= 1 << x
	}
}

// lose is OE-180 and OE-181: a sanction or a Resolution takes a Project. Its owner is compensated, and
// an upgraded one leaves a loose use behind.
func (s *State) lose(p int, x Project, upgraded bool) {
	c := &s.Countries[p]
	s.remove(p, x, upgraded)
	s.Gone[x]++
	s.moveProsperity(p, -s.Worth(p, x, upgraded))
	s.moveEmissions(p, -s.EmissionWorth(x, upgraded))
	c.Money += int16(s.Compensation(x))
	if upgraded {
		s.giveLoose(p, s.game.tech[x])
	}
}

// Compensation is the money for a lost Project, OE-180.
func (s *State) Compensation(x Project) int {
	return max(0, int(s.game.cost[x])-s.game.Components.Constants.CompensationLess)
}

// drawProject is OE-013: every card of the deck is equally likely.
func (s *State) drawProject(tape *env.Tape, event string) Project {
	x := Project(0)
	if tape == nil { // the same draw as below, without a call for each type
		r := int8(s.luck[projectStream].Below(int(s.DeckSize)))
		for ; r >= s.Deck[x]; x++ {
			r -= s.Deck[x]
		}
	} else {
		x = Project(tape.Weighted(&s.luck[projectStream], env.Everybody, event, NumProjects,
			func(i int) int { return int(s.Deck[i]) }, func(i int) string { return projectIDs[i] }))
	}
	s.Deck[x]--
	s.DeckSize--
	return x
}

// refill is OE-053: empty slots are filled in order while the deck lasts.
func (s *State) refill(tape *env.Tape) {
	for slot := range s.Row {
		if s.Row[slot] < 0 && s.DeckSize > 0 {
			s.Row[slot] = s.drawProject(tape, "deal")
		}
	}
}

// refresh is OE-085 to OE-087: six other Projects. A short deck is dealt out first; then the old six
// go back, and the rest of the row comes from them.
func (s *State) refresh(p int, tape *env.Tape) {
	s.Countries[p].Money -= int16(s.game.Components.Constants.RefreshPrice)
	s.Turn.Refreshes++
	old := s.Row
	for slot := range s.Row {
		if s.DeckSize == 0 {
			s.putBack(&old)
		}
		s.Row[slot] = s.drawProject(tape, "deal")
	}
	s.putBack(&old)
	s.menu()
}

// putBack returns set-aside Projects to the deck, once.
func (s *State) putBack(aside *[RowSize]Project) {
	for i, x := range aside {
		if x >= 0 {
			s.Deck[x]++
			s.DeckSize++
			aside[i] = NoProject
		}
	}
}
