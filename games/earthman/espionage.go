package earthman

import "earthgym/env"

// stealable are the technologies that the actor could take a success in from a seat (EB-311).
func (s *State) stealable(q env.Player) Techs {
	return s.teachable(q, env.Player(s.actor))
}

// teachable are the technologies that one seat can study and in which another is ahead of it.
func (s *State) teachable(teacher, student env.Player) Techs {
	from, to := &s.seats[teacher], &s.seats[student]
	if from.known == 0 {
		return 0
	}
	set := s.CanStudy(student) & from.known
	for t := range from.level {
		if set.Has(Tech(t)) && from.level[t] <= to.level[t] {
			set &^= 1 << t
		}
	}
	return set
}

// presence are the worlds where an owner has fleets in orbit or developments; the UN has no fleets.
func (s *State) presence(p env.Player) Places {
	if p == UN {
		return s.settled[UN]
	}
	return s.seats[p].present()&worlds | s.settled[p]
}

// spyWorlds are the worlds where an operation against a seat is possible (EB-310, EB-311).
func (s *State) spyWorlds(operation env.Action, q env.Player) Places {
	both := s.presence(env.Player(s.actor)) & s.presence(q)
	switch operation {
	case Steal:
		if s.stealable(q) == 0 {
			return 0
		}
	case Sabotage:
		for w := range both.Each {
			if !s.seats[q].steady.Has(w) && s.land[q][w]&^s.shaken[w] == 0 {
				both &^= only(w)
			}
		}
	case Subvert:
		if !s.thinking.Has(q) {
			return 0
		}
	}
	return both
}

// spyTargets are the seats against which an operation is possible.
func (s *State) spyTargets(operation env.Action) env.Seats {
	others := s.others(env.Player(s.actor))
	return others.Where(func(q env.Player) bool { return s.spyWorlds(operation, q) != 0 })
}

// operations are those of EB-311 that are possible against somebody; bit i stands for steal + i.
func (s *State) operations() uint64 {
	var set uint64
	for operation := Steal; operation <= Subvert; operation++ {
		if s.spyTargets(operation) != 0 {
			set |= 1 << (operation - Steal)
		}
	}
	return set
}

// SpyNeed is the number needed against a seat (EB-312).
func (s *State) SpyNeed(p, q env.Player) int {
	return s.game.data.Roll.Spy - int(s.seats[p].level[Influence]) + int(s.seats[q].level[Unity])
}

// playSpy is EB-311.
func (s *State) playSpy(p env.Player, a env.Action, tape *env.Tape) {
	if a == Done {
		s.endSpy(tape)
		return
	}
	s.pending.step, s.pending.action = doOperation, a
	s.open(AtSpyTarget, p)
}

func (s *State) playSpyTarget(p env.Player, a env.Action, _ *env.Tape) {
	s.pending.target = int8(s.Asked(a))
	s.open(AtSpyWorld, p)
}

// playSpyWorld is EB-310 and EB-312.
func (s *State) playSpyWorld(_ env.Player, a env.Action, tape *env.Tape) {
	s.pending.at = Place(act.at.Index(a))
	s.roll(evSpy, 0, 1, tape)
}

// legalMark are the steady fleets and regions of the target (EB-314).
func (s *State) legalMark(m env.Mask, p env.Player) {
	at, t := s.pending.at, env.Player(s.pending.target)
	m.SetIf(s.seats[t].steady.Has(at), Seat(s.places(p, t)))
	m.Block(act.region.First, uint64(s.land[t][at]&^s.shaken[at]))
}

func (s *State) playMark(_ env.Player, a env.Action, _ *env.Tape) {
	pd := &s.pending
	if act.seat.Has(a) {
		s.seats[pd.target].shake(pd.at)
	} else {
		s.shaken[pd.at] |= 1 << act.region.Index(a)
	}
}

// spied is what the die says: success (EB-313, EB-314, EB-316) or exposure (EB-315).
func (s *State) spied(r result, tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	my, other := &s.seats[p], &s.seats[pd.target]
	switch {
	case r.low > 0:
		my.discontent++
		my.granted--
		if s.settled[UN].Has(pd.at) && !my.sanction {
			s.sanctioned(p, tape)
		}
	case r.hits == 0:
	case pd.action == Steal:
		s.open(AtSpyTech, p)
	case pd.action == Sabotage:
		s.open(AtSpyMark, p)
	case pd.action == Incite:
		other.discontent++
		other.granted--
	case pd.action == Subvert && other.thoughts > 0:
		s.setThoughts(env.Player(pd.target), int(other.thoughts)-1)
	}
}
