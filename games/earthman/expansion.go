package earthman

import "earthgym/env"

// proceedExpand is EB-110 to EB-113: groups of 3, of 2, of 1.
func (s *State) proceedExpand(tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	if pd.left > 0 {
		pd.left--
		s.open(AtExpandUse, p)
		return
	}
	for i := range pd.expand {
		if n := int(pd.expand[i]); n > 0 {
			pd.expand[i] = 0
			s.roll(evExpand, 2-i, n, tape)
			return
		}
	}
	pd.step = doOverthrow
}

// ExpandNeed is the number that a group of 1 to 3 fleets needs; Colonisation makes it larger (EB-110,
// EB-111).
func (s *State) ExpandNeed(p env.Player, size int) int {
	return s.game.data.Roll.Expand[min(size+int(s.seats[p].level[Colonisation]), 3)-1]
}

// playExpand is EB-113.
func (s *State) playExpand(p env.Player, a env.Action, _ *env.Tape) {
	if a == Done {
		return
	}
	w, r := s.pending.at, act.region.Index(a)
	here := Regions(1) << r
	switch {
	case s.rubble[w][1]&here != 0:
		s.rubble[w][1] &^= here
	case s.rubble[w][0]&here != 0:
		s.rubble[w][0] &^= here
	default:
		s.addDevelopment(p, w, r)
	}
}
