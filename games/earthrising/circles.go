package earthrising

import (
	"math/bits"

	"earthgym/env"
)

// openCircles are the circles of a sector that are in use (ER-010).
func (s *State) openCircles(x Sector) uint8 {
	return s.game.open[s.major>>uint(x)&1][s.minor>>uint(x)&1]
}

// vacantCircles are open and hold neither counter nor Collapse token (ER-011).
func (s *State) vacantCircles(x Sector) uint8 {
	return s.openCircles(x) &^ s.filled[x]
}

// count is the number of sustainable practices of a sector on the board.
func (s *State) count(x Sector) int8 {
	return int8((s.sustainable & Of(x)).Count())
}

// onBoard are the practices whose counter lies on the board.
func (s *State) onBoard() Set { return s.sustainable | s.unsustainable }

// settle counts the people again after something has changed in a sector: each counter supports some,
// each open circle without a Collapse token holds one, and whoever has no place is poor (ER-014 to
// ER-017).
func (s *State) settle(x Sector) {
	counters := bits.OnesCount8(s.filled[x] &^ s.craters[x])
	s.housed[x] = int8(min(s.game.data.People.Support*counters, s.places(x)))
	s.countPoor()
}

// places is how many people the open circles of a sector have room for.
func (s *State) places(x Sector) int { return bits.OnesCount8(s.openCircles(x) &^ s.craters[x]) }

func (s *State) countPoor() {
	poor := numMeeple - s.startups
	for _, n := range s.housed {
		poor -= n
	}
	s.poverty = max(0, poor)
}

// place puts a practice's counter on a circle.
func (s *State) place(p Card, circle int8, sustainable bool) {
	x := p.Sector()
	s.circle[x][circle] = p.place() + 1
	s.filled[x] |= 1 << circle
	if sustainable {
		s.sustainable |= Only(p)
	} else {
		s.unsustainable |= Only(p)
	}
	s.settle(x)
}

// circleOf is where a practice on the board lies.
func (s *State) circleOf(p Card) int8 {
	want := p.place() + 1
	for i, v := range s.circle[p.Sector()] {
		if v == want {
			return int8(i)
		}
	}
	panic("earthrising: a practice on the board without a circle")
}

// remove returns a practice's counter to the supply and the tokens on it to their characters (ER-019,
// ER-461). Start-Ups that it supported fall at once (ER-412).
func (s *State) remove(p Card, tape *env.Tape) {
	x, i := p.Sector(), s.circleOf(p)
	s.circle[x][i] = vacant
	s.filled[x] &^= 1 << i
	s.sustainable &^= Only(p)
	s.unsustainable &^= Only(p)
	s.protest &^= Only(p)
	s.regeneration &^= Only(p)
	s.settle(x)
	if n := s.limit(Innovator); x == Industry && s.startups > n {
		s.dropStartUps(n, tape)
	}
}

// drop is remove of a practice that is lost without anybody's decision.
func (s *State) drop(p Card, tape *env.Tape) {
	lost := env.Player(p)
	if s.unsustainable.Has(p) {
		lost += numCards
	}
	tape.Mark("lost", lost)
	s.remove(p, tape)
}

// dropStartUps leaves so many Start-Ups.
func (s *State) dropStartUps(left int8, tape *env.Tape) {
	tape.Mark("unsettled", env.Player(s.startups-left))
	s.startups = left
	s.countPoor()
}
