package earthrising

import (
	"math/bits"

	"earthgym/env"
)

// strike resolves an SQS card from beginning to end, without a decision (ER-446, ER-701 to ER-713).
func (s *State) strike(q Card, tape *env.Tape) {
	s.struck = s.struck.with(q.Sector())
	s.centre = Only(q)
	s.learn(env.Everybody, q)
	s.note(tape, env.Everybody, "strike", q)

	var drawn [1 + perSector]Card
	n := 0
	for range 1 + s.count(q.Sector()) { // ER-702
		c, ok := s.drawInfluence(tape, "strike draws", true)
		if !ok {
			break
		}
		drawn[n] = c
		n++
	}
	for _, c := range drawn[:n] {
		for ok := true; ok && !s.hit(c, tape); { // ER-707
			c, ok = s.drawInfluence(tape, "strike draws", true)
		}
		if s.decision == over {
			break
		}
	}

	aside := s.centre&allStrikes != Only(q)
	s.discard |= s.centre // ER-709, ER-713
	s.centre = 0
	if aside && s.decision != over {
		s.shuffleIn(tape, "sqs-shuffle") // ER-710
	}
}

// hit is the effect of one card of a strike, in the card's own sector (ER-704 to ER-708). It is false if
// there is no space for one.
func (s *State) hit(c Card, tape *env.Tape) bool {
	x := c.Sector()
	switch {
	case s.sustainable.Has(c): // ER-705
		tape.Mark("strike-removes", env.Player(c))
		s.remove(c, tape)
	case s.unsustainable.Has(c): // ER-706
		tape.Mark("strike-strains", env.Player(c))
		s.addAll(x, int8(s.game.data.Strain.Strike), tape)
	default: // ER-704
		circles := s.vacantCircles(x)
		if circles == 0 {
			return false
		}
		tape.Mark("strike-places", env.Player(c))
		s.place(c, int8(bits.TrailingZeros8(circles)), false)
	}
	return true
}
