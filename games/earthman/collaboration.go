package earthman

import "earthgym/env"

// shareable are the technologies in which the actor can help a seat (EB-280).
func (s *State) shareable(q env.Player) Techs {
	return s.teachable(env.Player(s.actor), q)
}

// helpable are the seats that the actor can help and has not offered to yet.
func (s *State) helpable() env.Seats {
	if s.seats[s.actor].known == 0 {
		return env.Nobody
	}
	asked := env.Seats(s.pending.offered)
	return (s.others(env.Player(s.actor)) &^ asked).Where(func(q env.Player) bool { return s.shareable(q) != 0 })
}

// playShare is EB-280.
func (s *State) playShare(p env.Player, a env.Action, _ *env.Tape) {
	if a == Done {
		s.startTransfer()
		return
	}
	pd := &s.pending
	pd.target = int8(s.Asked(a))
	pd.offered |= 1 << pd.target
	s.open(AtShareTech, p)
}

func (s *State) playShareTech(_ env.Player, a env.Action, _ *env.Tape) {
	s.pending.action = a
	s.open(AtShareReply, env.Player(s.pending.target))
}

// playShareReply is EB-281.
func (s *State) playShareReply(p env.Player, a env.Action, _ *env.Tape) {
	pd := &s.pending
	if a == Yes {
		s.research(p, Tech(act.tech.Index(pd.action)))
	}
	pd.target, pd.action = int8(None), -1
}
