package earthman

import "earthgym/env"

// assistanceDice are the Research dice of UN Assistance (EB-190).
const assistanceDice = 2

// assisted says whether the UN assists a seat: it has no token, and the UN still has developments at
// home (EB-190, EB-226).
func (s *State) assisted(p env.Player) bool {
	return !s.seats[p].sanction && s.settled[UN].Has(s.game.home)
}

// legalAssist is EB-190: a fleet costs a resource, and help to study is of use.
func (s *State) legalAssist(m env.Mask, p env.Player) {
	if my := &s.seats[p]; my.resource > 0 && int(my.fleets) < s.game.fleetCap {
		m.Block(TakeFleet, 1)
	}
	m.SetIf(s.CanStudy(p) != 0, Study)
	m.Block(Done, 1)
}

// playAssist is EB-190.
func (s *State) playAssist(p env.Player, a env.Action, tape *env.Tape) {
	switch a {
	case TakeFleet:
		s.seats[p].resource--
		s.seats[p].move(s.game.home, 1, 0)
	case Study:
		s.pending.step = doResearch
		s.roll(evResearch, steady, assistanceDice, tape)
	}
}

// proceedAssist uses the successes.
func (s *State) proceedAssist() {
	if s.pending.left > 0 {
		s.pending.left--
		s.open(AtTech, env.Player(s.actor))
		return
	}
	s.startSpy()
}
