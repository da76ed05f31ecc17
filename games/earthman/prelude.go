package earthman

import "earthgym/env"

// preludePasses are the Prelude turns of a seat (EB-300).
const preludePasses = 3

// startPrelude is EB-300: the seat before the first player begins.
func (s *State) startPrelude() {
	s.phase = InPrelude
	s.pending.pass = 1
	s.actor = int8(s.before(env.Player(s.first)))
	s.open(AtPrelude, env.Player(s.actor))
}

// before is the next seat anticlockwise.
func (s *State) before(p env.Player) env.Player { return s.clockwise(p, s.game.players-1) }

// nextPrelude goes on to the next Prelude turn, or to the first turn of the game.
func (s *State) nextPrelude(tape *env.Tape) {
	pass := s.pending.pass
	if s.actor == s.first {
		if pass++; pass > preludePasses {
			s.pending = nothing
			s.startTurn(env.Player(s.first), tape)
			return
		}
	}
	s.begin(InPrelude, noStep)
	s.pending.pass = pass
	s.actor = int8(s.before(env.Player(s.actor)))
	tape.Mark("prelude", env.Player(s.actor))
	s.open(AtPrelude, env.Player(s.actor))
}

// legalPrelude is EB-301.
func (s *State) legalPrelude(m env.Mask, p env.Player) {
	m.Block(TakeFleet, 1)
	m.SetIf(s.CanStudy(p) != 0, Study)
	m.Block(Voyage, 1)
}

// playPrelude is EB-302 to EB-304.
func (s *State) playPrelude(p env.Player, a env.Action, _ *env.Tape) {
	my := &s.seats[p]
	my.granted++ // in the ledger: what it brings is free
	switch a {
	case TakeFleet:
		my.move(s.game.home, 1, 0)
	case Study:
		my.resource++
		s.open(AtTech, p)
	case Voyage:
		my.resource++
		s.open(AtVoyageFrom, p)
	}
}

func (s *State) playVoyageFrom(p env.Player, a env.Action, _ *env.Tape) {
	if a != Done {
		s.pending.at = Place(act.at.Index(a))
		s.open(AtVoyageTo, p)
	}
}

func (s *State) playVoyageTo(p env.Player, a env.Action, _ *env.Tape) {
	my, pd := &s.seats[p], &s.pending
	my.move(pd.at, -1, 0)
	my.move(Place(act.at.Index(a)), 1, 0)
	pd.at = Nowhere
}
