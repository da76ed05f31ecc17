package resilience

import (
	"math"

	"earthgym/env"
	"earthgym/env/form"
)

// The allocation at the end of a round: RULES.md 6.8.

// allocate deals out RES and LQ, and takes a round off the covers (RE-060 to RE-067).
func (s *State) allocate(tape *env.Tape) {
	tape.Mark("allocation", env.Over)
	s.dealOut(tape)
	s.countDown()
	clear(s.resting[:])
}

// dealOut pays RES and LQ, from the leader clockwise, and, with smog=rounds, takes the round's smog (RE-060 to RE-066,
// RE-075).
func (s *State) dealOut(tape *env.Tape) {
	bankRES, bankLQ := s.bank()
	for i := range s.game.players {
		p := (int(s.leader) + i) % s.game.players
		seat := env.Player(p)

		if !s.resting[p] { // RE-052
			got := min(int32(s.Income(seat)), bankRES)
			s.res[p] += got
			bankRES -= got
		}
		got := min(int32(s.LQDue(seat)), bankLQ)
		s.lq[p] += got
		bankLQ -= got
		s.credit[p] |= s.Settlements(seat) &^ s.Covered() // used up also where the bank was empty (RE-066)
	}
	if s.game.smogRounds {
		s.smogOfRound(tape)
	}
}

// bank is what the bank can still pay (RE-066).
func (s *State) bank() (res, lq int32) {
	if !s.game.tight {
		return math.MaxInt32, math.MaxInt32
	}
	res, lq = int32(s.game.data.Supply.RES), int32(s.game.data.Supply.LQ)
	for p := range s.game.players {
		res -= s.res[p]
		lq -= s.lq[p]
	}
	return res, lq
}

// Income is what p's fields yield in RES, without regard to sabbaticals (RE-061, RE-062).
func (s *State) Income(p env.Player) int {
	working := s.land[p] &^ s.Covered()
	all := int32(working.Count())
	cities := int32((working & s.cities).Count())
	industries := int32((working & s.industries).Count())
	by := &s.game.production
	return int((all-cities-industries)*by[Settlement] + cities*by[City] + industries*by[Industry])
}

// LQDue is what the next allocation would bring p in LQ: settlements that have not had theirs (RE-063,
// RE-064), and a running sabbatical (RE-053, RE-065).
func (s *State) LQDue(p env.Player) int {
	due := (s.Settlements(p) &^ s.Covered() &^ s.credit[p]).Count() * s.game.data.SettlementLQ
	if s.resting[p] {
		due += s.game.data.SabbaticalLQ
	}
	return due
}

// countDown takes a round off every cover that is not for the whole game (RE-067).
func (s *State) countDown() {
	for r := s.Covered(); r != 0; r = r.Rest() {
		f := r.First()
		if s.left[f] == wholeGame {
			continue
		}
		s.left[f]--
		if s.left[f] == 0 {
			s.blocked &^= form.Only(f)
			s.destroyed &^= form.Only(f)
		}
	}
}
