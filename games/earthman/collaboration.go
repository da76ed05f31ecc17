package earthman

import "earthgym/env"

// shareable are the technologies in which the actor can help a seat (EB-280).
func (s *State) shareable(q env.Player) Techs {
	my, other := &s.seats[s.actor], &s.seats[q]
	set := s.canStudy(q) & my.known
	for t := range my.level {
		if set.Has(Tech(t)) && my.level[t] <= other.level[t] {
			set &^= 1 << t
		}
	}
	return set
}

// helpable are the seats that the actor can help and has not offered to yet.
func (s *State) helpable() env.Seats {
	set := env.Nobody
	if s.seats[s.actor].known == 0 {
		return set
	}
	for q := range env.Player(s.game.players) {
		if int8(q) != s.actor && !s.pending.offered.has(q) && s.shareable(q) != 0 {
			set = set.With(q)
		}
	}
	return set
}

// playShare is EB-280 and EB-281.
func (s *State) playShare(at Point, a env.Action) {
	pd := &s.pending
	switch {
	case at == AtShare && a == Done:
		s.startTransfer()
	case at == AtShare:
		pd.target = int8(s.seatOf(a))
		pd.offered |= 1 << pd.target
		s.open(AtShareTech, env.Player(s.actor))
	case at == AtShareTech:
		pd.action = a
		s.open(AtShareReply, env.Player(pd.target))
	default:
		if a == Yes {
			s.research(env.Player(pd.target), Tech(pd.action-tech0))
		}
		pd.target, pd.action = int8(None), -1
	}
}
