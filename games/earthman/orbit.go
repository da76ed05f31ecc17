package earthman

import "earthgym/env"

// proceedPacify is EB-130 and EB-131.
func (s *State) proceedPacify(tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	switch {
	case pd.left > 0:
		pd.left--
		s.open(AtPacifyUse, p)
	case pd.pacify > 0:
		n := int(pd.pacify)
		pd.pacify = 0
		s.roll(evPacify, 0, n, tape)
	default:
		pd.step = doReplicate
	}
}

// legalPacify is EB-131.
func (s *State) legalPacify(m env.Mask, p env.Player) {
	w := s.pending.at
	my := &s.seats[p]
	risky := env.Nobody
	for q := range env.Player(s.game.players) {
		if s.seats[q].risky.Has(w) {
			risky = risky.With(q)
		}
	}
	m.Block(act.seat.First, s.relative(p, risky))
	m.Block(act.region.First, uint64(s.shaken[w]))
	m.SetIf(s.settled[p].Has(w) && my.discontent > 0 && my.resource > 0, PayDiscontent)
	m.SetIf(my.sanction && my.resource > 0 && (s.settled[p]|s.settled[UN]).Has(w), PaySanction)
	m.Block(Done, 1)
}

func (s *State) playPacify(_ env.Player, a env.Action, _ *env.Tape) {
	w, my := s.pending.at, &s.seats[s.actor]
	switch {
	case a == Done:
	case a == PayDiscontent:
		my.discontent--
		my.resource--
	case a == PaySanction:
		my.resource--
		my.token++
		if full := s.game.data.Track.Sanctions; int(my.token) == full {
			my.resource += int32(full)
			my.token, my.sanction = 0, false
		}
	case act.seat.Has(a):
		s.seats[s.Asked(a)].move(w, 1, -1)
	default:
		s.shaken[w] &^= 1 << act.region.Index(a)
	}
}

// proceedReplicate is EB-140 and EB-141.
func (s *State) proceedReplicate(tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	my := &s.seats[p]
	switch {
	case pd.add > 0:
		s.askAddFleet()
	case pd.left > 0:
		tape.Mark("shaken", p)
		for n := min(pd.left, my.fleet[pd.at].Steady); n > 0; n-- {
			my.shake(pd.at)
		}
		pd.left = 0
	case pd.replicate > 0:
		n := int(pd.replicate)
		pd.replicate = 0
		s.roll(evReplicate, 0, n, tape)
	default:
		s.endWorld()
	}
}
