package earthman

import "earthgym/env"

// needs of dice that the data file doesn't change.
const (
	riskNeed     = 3 // 1 and 2 spread (EB-040, EB-042, EB-050)
	mutinyNeed   = 2 // a 1 is a mutiny (EB-052)
	forfeitNeed  = 2 // a 1 shakes a fleet (EB-207)
	transferNeed = 4 // from this on what is handed over is At Risk (EB-293, EB-295)
)

// proceedRisk is step 2 of the turn, place by place, world by world, and then the discontent.
func (s *State) proceedRisk(tape *env.Tape) {
	p := env.Player(s.actor)
	my := &s.seats[p]
	pd := &s.pending
	switch pd.step {
	case riskFleets: // EB-040
		for ; pd.left > 0; pd.left-- {
			s.spreadFleets(p, pd.at)
		}
		if next := my.risky.after(pd.at); next != 0 {
			pd.at = next.first()
			s.roll(evRisk, 0, int(my.fleet[pd.at].Risk), tape)
			return
		}
		pd.step, pd.at = riskRegions, Nowhere
	case riskRegions: // EB-042
		if pd.left > 0 {
			pd.left--
			s.spreadRegions(p, pd.at)
			return
		}
		for w := range s.settled[p].after(pd.at).Each {
			if k := (s.land[p][w] & s.shaken[w]).Count(); k > 0 {
				pd.at = w
				s.roll(evRisk, 0, k, tape)
				return
			}
		}
		pd.step, pd.at = riskDiscontent, Nowhere
		if my.fleets > 0 { // EB-050
			s.roll(evUnrest, 0, int(min(my.discontent, maxDice)), tape)
		}
	case riskDiscontent: // EB-051
		if pd.left == 0 || my.fleets == 0 {
			s.startMove()
			return
		}
		pd.left--
		s.open(AtUnrestFleet, p)
	}
}

// spreadFleets is EB-041.
func (s *State) spreadFleets(p env.Player, at Place) {
	switch f := s.seats[p].fleet[at]; {
	case f.Steady > 0:
		s.seats[p].shake(at)
	case f.Risk > 0:
		s.removeFleets(p, at, 0, 1)
	}
}

// spreadRegions is EB-043; for the UN, EB-224.
func (s *State) spreadRegions(owner env.Player, w Place) {
	land := s.land[owner][w]
	steady := land &^ s.shaken[w]
	switch {
	case land == 0:
	case owner == UN && steady != 0:
		s.shaken[w] |= 1 << steady.first()
	case owner == UN:
		s.loseRegion(UN, w, land.first(), true)
	case steady != 0:
		s.open(AtRiskRegion, owner)
	default:
		s.open(AtRiskLose, owner)
	}
}

// legalUnrest is EB-051.
func (s *State) legalUnrest(m env.Mask, p env.Player) {
	if my := &s.seats[p]; my.steady != 0 {
		m.Block(act.at.First, uint64(my.steady))
	} else {
		m.Block(act.risk.First, uint64(my.risky))
	}
}

func (s *State) playUnrest(p env.Player, a env.Action, tape *env.Tape) {
	if act.risk.Has(a) {
		s.removeFleets(p, Place(act.risk.Index(a)), 0, 1)
	} else {
		s.seats[p].shake(Place(act.at.Index(a)))
	}
	s.roll(evMutiny, 0, 1, tape) // EB-052
}

// playMutiny is EB-053.
func (s *State) playMutiny(p env.Player, a env.Action, _ *env.Tape) {
	at := Place(act.at.Index(a))
	if f := s.seats[p].fleet[at]; f.Steady > 0 {
		s.removeFleets(p, at, 1, 1)
	} else {
		s.removeFleets(p, at, 0, min(2, int(f.Risk)))
	}
}

// mutiny asks where it is, if there is one.
func (s *State) mutiny(r result) {
	if r.low > 0 && s.seats[s.actor].risky != 0 {
		s.open(AtMutiny, env.Player(s.actor))
	}
}

// mutinous are the places that EB-053 allows: those with both kinds of fleets, else those with two At
// Risk, else those with one.
func (s *State) mutinous() Places {
	my := &s.seats[s.actor]
	if both := my.steady & my.risky; both != 0 {
		return both
	}
	var pairs Places
	for at := range my.risky.Each {
		if my.fleet[at].Risk >= 2 {
			pairs |= only(at)
		}
	}
	if pairs != 0 {
		return pairs
	}
	return my.risky
}
