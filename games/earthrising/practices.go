package earthrising

import (
	"math/bits"

	"earthgym/env"
)

// affect is the first half of creating, disbanding and flipping a practice, and of ER-309: the acting
// card goes, and elsewhere than at home a second card of the sector pays (ER-302, ER-303, ER-305 to
// ER-307, ER-404).
func (s *State) affect(a env.Action, tape *env.Tape) {
	p := practiceOf(a)
	s.use(p)
	if p.Sector() == s.active.Home() {
		s.effect(a, tape)
		return
	}
	s.askForPayment(a, p.Sector(), tape)
}

// use discards a card of the active hand face up.
func (s *State) use(c Card) {
	s.hand[s.active] &^= Only(c)
	s.discard |= Only(c)
	s.learn(env.Everybody, c)
}

// askForPayment asks which card of the sector pays, if there is a choice.
func (s *State) askForPayment(a env.Action, x Sector, tape *env.Tape) {
	s.inside.pending = int16(a)
	if cards := s.hand[s.active] & Of(x); cards.Rest() == 0 {
		s.pay(cards.First(), tape)
		return
	}
	s.decision = atPay
}

func (s *State) pay(c Card, tape *env.Tape) {
	s.use(c)
	s.effect(env.Action(s.inside.pending), tape)
}

// effect does what has been paid for.
func (s *State) effect(a env.Action, tape *env.Tape) {
	switch p := practiceOf(a); {
	case act.minor.Has(a):
		s.flipSegment(&s.minor, Sector(a-minor))
	case act.major.Has(a):
		s.flipSegment(&s.major, Sector(a-major))
	case act.flip.Has(a):
		s.flip(p)
	case act.disband.Has(a):
		s.remove(p, tape) // ER-306
	default:
		circles := s.vacantCircles(p.Sector())
		if circles&(circles-1) != 0 { // ER-012
			s.decision, s.inside = atCircle, inside{pending: int16(a)}
			return
		}
		s.create(p, int8(bits.TrailingZeros8(circles)), tape)
		return
	}
	s.goOnActing(tape)
}

// create is the second half of ER-302.
func (s *State) create(p Card, circle int8, tape *env.Tape) {
	s.place(p, circle, true)
	s.goOnActing(tape)
}

// cleanUp is a part of ER-310; its four tokens may come from several sectors.
func (s *State) cleanUp(a env.Action, tape *env.Tape) {
	x, n := Sector((a-clean)/maxCleanUp), int8((a-clean)%maxCleanUp)+1
	s.strain[x] -= n
	s.inside.credits -= n
	if s.inside.credits > 0 && s.total() > 0 {
		s.decision = atClean
		return
	}
	s.goOnActing(tape)
}

// nameGift is the first half of ER-312: the card. Who gets it is asked if there is a choice.
func (s *State) nameGift(a env.Action, tape *env.Tape) {
	if others := s.inPlay &^ bit(s.active); others.rest() == 0 {
		s.give(Card(a-give), Character(others.first()), tape)
		return
	}
	s.decision, s.inside.pending = atTo, int16(a)
}

// give is the second half of ER-312.
func (s *State) give(c Card, k Character, tape *env.Tape) {
	from := s.activeSeat()
	s.hand[s.active] &^= Only(c)
	s.hand[k] |= Only(c)
	s.leaveFaceDown(s.active, s.holders(from)|s.holders(env.Player(s.seat[k])), c)
	s.goOnActing(tape)
}

// maxSignals is how many signals a turn may have (ER-925).
const maxSignals = 2

// makeSignal is ER-925.
func (s *State) makeSignal(a env.Action, tape *env.Tape) {
	s.signal[s.activeSeat()] = int8(a-want) + 1
	s.signals++
	s.goOnActing(tape)
}
