package oneearth

import "earthgym/env"

// TechnologiesFunded counts the Technologies that a seat has paid for (OE-068).
func (s *State) TechnologiesFunded(p int) int { return ownedBy(p, s.Technologies[:]) }

// Targets is the set of types on which a seat may use a Technology: those of which it owns a plain
// copy (OE-060, OE-066).
func (s *State) Targets(p int, t Technology) Projects {
	return s.Countries[p].PlainSet & s.game.Components.Technologies[t].Fits
}

// fundTechnology is OE-060 and OE-061: pay, and use it at once on an own Project.
func (s *State) fundTechnology(p int, t Technology) {
	s.Countries[p].Money -= int16(s.game.Components.Technologies[t].Cost)
	s.Technologies[t] = int8(p)
	s.Turn.Technologies++
	s.Fresh = true
	s.chooseTarget(p, t)
}

// chooseTarget asks on which type the Technology is used, if there is a choice; in the own turn also for a loose use
// (OE-069).
func (s *State) chooseTarget(p int, t Technology) {
	s.Using = t
	if types := s.Targets(p, t); types&(types-1) == 0 {
		s.target(p, types.First())
		return
	}
	s.decide(AtTarget, p)
}

// target is the first use of a new Technology, or a loose one (OE-062).
func (s *State) target(p int, x Project) {
	s.upgrade(p, x)
	switch {
	case !s.Fresh:
		s.Countries[p].Loose[s.Using]--
		s.doneWithTechnology()
	case s.game.Advanced:
		s.Fresh = false
		s.secondUse(p)
	default: // OE-063
		s.Fresh = false
		s.doneWithTechnology()
	}
}

// upgrade is OE-062: a plain copy becomes an upgraded one, and the markers move.
func (s *State) upgrade(p int, x Project) {
	c := &s.Countries[p]
	s.remove(p, x, false)
	c.Upgraded[x]++
	c.UpgradedSet |= 1 << x
	s.moveProsperity(p, s.game.Components.Projects[x].DP)
	s.moveEmissions(p, s.game.Components.Projects[x].DE)
}

// secondUse is OE-064: on another own Project, shared, or saved. With nothing to choose it is saved.
func (s *State) secondUse(p int) {
	if s.Targets(p, s.Using) == 0 && s.sharers(p) == env.Nobody {
		s.save(p)
		return
	}
	s.decide(AtSecond, p)
}

// sharers is OE-065: the seats that could use the Technology and have not been offered it.
func (s *State) sharers(p int) env.Seats {
	others := s.all() &^ env.Only(env.Player(p))
	for _, q := range s.Offered[:s.NumOffered] {
		others &^= env.Only(env.Player(q))
	}
	return others.Where(func(q env.Player) bool { return s.Targets(int(q), s.Using) != 0 })
}

// share offers the second use to a seat; if it refuses, the funder chooses again (OE-065).
func (s *State) share(q env.Player) {
	s.Offered[s.NumOffered] = int8(q)
	s.NumOffered++
	s.decide(AtShared, int(q))
}

// useNew is the second use of a new Technology, by the funder or by the seat that it is offered to.
func (s *State) useNew(p env.Player, i int, _ *env.Tape) {
	s.upgrade(int(p), Project(i))
	s.doneWithNew()
}

// save is OE-067: the use waits for a Project funded later.
func (s *State) save(p int) {
	s.Countries[p].Saved[s.Using]++
	s.doneWithNew()
}

// doneWithNew is OE-166 for a Technology that is funded after it was shared by Resolution: the others
// get their uses once the funder has settled its own two.
func (s *State) doneWithNew() {
	s.Offered, s.NumOffered = [MaxPlayers - 1]int8{}, 0
	if s.Using == s.SharedTech {
		s.giveShared(s.active(), s.Using)
	}
	if !s.askLoose() {
		s.endEffect()
	}
}

// doneWithTechnology ends an effect that had one use.
func (s *State) doneWithTechnology() {
	s.Using = NoTechnology
	s.endEffect()
}

// giveShared is OE-166 and OE-167: each seat but the funder gets one loose use, in turn order.
func (s *State) giveShared(funder int, t Technology) {
	for i := range s.game.Players {
		if q := s.inTurn(i); q != funder {
			s.giveLoose(q, t)
		}
	}
}

// giveLoose gives a seat a loose use, and puts the decision about it at the end of the queue (OE-069).
func (s *State) giveLoose(p int, t Technology) {
	s.Countries[p].Loose[t]++
	for i := range s.LooseQueue {
		if s.LooseQueue[i] == 0 {
			s.LooseQueue[i] = looseUse(p, t)
			return
		}
	}
}

// askLoose goes to the next decision about a loose use, and says whether there is one; those without a
// fitting plain Project fall away (OE-069).
func (s *State) askLoose() bool {
	kept := 0
	for i, u := range s.LooseQueue {
		if u == 0 {
			break
		}
		s.LooseQueue[i] = 0
		if s.Targets(u.Seat(), u.Technology()) != 0 {
			s.LooseQueue[kept] = u
			kept++
		}
	}
	if kept == 0 {
		s.Using = NoTechnology
		return false
	}
	s.Using = s.LooseQueue[0].Technology()
	s.decide(AtLoose, s.LooseQueue[0].Seat())
	return true
}

// useLoose settles the first decision of the queue, and nextUse goes on to the next.
func (s *State) useLoose(p env.Player, i int, tape *env.Tape) {
	s.upgrade(int(p), Project(i))
	s.Countries[p].Loose[s.Using]--
	s.nextUse(tape)
}

func (s *State) nextUse(tape *env.Tape) {
	copy(s.LooseQueue[:], s.LooseQueue[1:])
	s.LooseQueue[maxLoose-1] = 0
	s.settleLosses(tape)
}
