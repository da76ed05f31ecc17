package earthrising

import "earthgym/env"

// majorClear says whether a sector's Major could be transformed: outside, and without strain on it
// (ER-320).
func (s *State) majorClear(x Sector) bool {
	return !s.major.has(x) && s.strain[x] == s.onMinor(x)
}

// minorClear says whether a sector's Minor could be transformed: outside, no strain in the sector, and
// its own and both neighbouring Majors in the centre (ER-323).
func (s *State) minorClear(x Sector) bool {
	beside := sectorSet(s.game.beside[x])
	return !s.minor.has(x) && s.strain[x] == 0 && s.major&beside == beside
}

// transform is ER-320, ER-321 and ER-323: free at home, elsewhere an action and a card of the sector.
func (s *State) transform(a env.Action, x Sector, tape *env.Tape) {
	if x == s.active.Home() {
		s.effect(a, tape)
		return
	}
	s.spend()
	s.askForPayment(a, x, tape)
}

// flipSegment is ER-322 and ER-323: circles open, and the tolerance falls. People come into the new circles (ER-325),
// and if this was the last segment the game is won (ER-902).
func (s *State) flipSegment(of *sectorSet, x Sector) {
	*of = of.with(x)
	s.settle(x)
	if !s.game.sustained && s.transformed() {
		s.end(won)
	}
}

// tolerance is ER-506: the strain that a sector bears for good.
func (s *State) tolerance(x Sector) int8 {
	switch {
	case s.minor.has(x):
		return 0
	case s.major.has(x):
		return int8(s.game.data.Burden.Minor)
	}
	return s.game.full
}

// recede is the recession check, once a turn (ER-651 to ER-656). All sectors are judged by the strain
// that they have now, which stays where it is.
func (s *State) recede(tape *env.Tape) {
	majors, minors := s.receding(s.strains())
	s.lose(majors, minors, tape)
}

// receding are the segments that recede with some strain on the sectors.
func (s *State) receding(strain Strains) (majors, minors sectorSet) {
	for x := range Sector(NumSectors) {
		if strain.At(x) > 0 {
			minors = minors.with(x)
		}
		if strain.At(x) > s.game.data.Burden.Minor {
			majors = majors.with(x)
		}
	}
	majors &= s.major
	for lost := majors; lost != 0; lost = lost.rest() { // ER-655
		minors |= sectorSet(s.game.beside[lost.first()])
	}
	return majors, minors & s.minor
}

// lose lets segments recede.
func (s *State) lose(majors, minors sectorSet, tape *env.Tape) {
	s.major &^= majors
	s.minor &^= minors
	for back := majors | minors; back != 0; back = back.rest() {
		x := Sector(back.first())
		if majors.has(x) {
			tape.Mark("recedes-major", env.Player(x))
		}
		if minors.has(x) {
			tape.Mark("recedes-minor", env.Player(x))
		}
		s.clearCovered(x, tape)
	}
}

// clearCovered is ER-653: counters on circles that are covered now return to the supply. Collapse
// tokens stay with their circles (ER-607).
func (s *State) clearCovered(x Sector, tape *env.Tape) {
	for i, v := range s.circle[x] {
		if v != vacant && v != crater && s.openCircles(x)>>i&1 == 0 {
			s.drop(Card(int(x)*perSector+int(v)-1), tape)
		}
	}
	s.settle(x)
}
