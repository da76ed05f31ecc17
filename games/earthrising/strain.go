package earthrising

import (
	"math/bits"

	"earthgym/env"
)

// onMinor is how much of a sector's strain lies in the Minor's place; the rest lies in the Major's
// (ER-501 to ER-503).
func (s *State) onMinor(x Sector) int8 {
	return s.game.onMinor[s.major>>uint(x)&1][s.strain[x]]
}

// add puts one strain token on a sector (ER-502). A full one passes it to the next sector's Minor
// (ER-504), and if it has no room either there is a collapse (ER-505, ER-601).
func (s *State) add(x Sector, tape *env.Tape) {
	if s.strain[x] < s.game.full {
		s.strain[x]++
		return
	}
	next := s.game.next[x]
	if s.onMinor(next) < int8(s.game.data.Burden.Minor) {
		s.strain[next]++
		return
	}
	s.collapse(x, tape)
}

// addAll puts n tokens on a sector one by one, as far as the game goes on.
func (s *State) addAll(x Sector, n int8, tape *env.Tape) {
	for range n {
		if s.decision == over {
			return
		}
		s.add(x, tape)
	}
}

// temperature is ER-604: of all Rising Temperature tokens in the centre.
func (s *State) temperature() int8 {
	if s.collapses == 0 {
		return 0
	}
	return s.game.heat[min(s.collapses, maxCollapses)-1]
}

// meepleStrain is M of ER-511, if Phase 1 began now.
func (s *State) meepleStrain() int8 {
	return s.poverty/int8(s.game.data.People.PerStrain) + s.temperature()
}

// strainFromMeeple is Strain Phase 1 (ER-511, ER-512). A collapse inside it changes neither the amount
// nor what is left to place (ER-608).
func (s *State) strainFromMeeple(tape *env.Tape) {
	tape.Mark("people", env.Over)
	round := &s.game.ring[s.active.Home()]
	for i := range s.meepleStrain() {
		if s.decision == over {
			return
		}
		s.add(round[i%NumSectors], tape)
	}
}

// net is ER-514: what a sector's practices add in Phase 2, or take off.
func (s *State) net(x Sector) int8 {
	t := &s.game.data.Strain
	regenerating := (s.sustainable & s.regeneration & Of(x)).Count()
	sustainable := (s.sustainable & Of(x)).Count() - regenerating
	return int8(t.Unsustainable*(s.unsustainable&Of(x)).Count() - t.Sustainable*sustainable - t.Regenerating*regenerating)
}

// strainFromPractices is Strain Phase 2: sector by sector, each as it is when its turn comes (ER-513,
// ER-514).
func (s *State) strainFromPractices(tape *env.Tape) {
	tape.Mark("practices", env.Over)
	for _, x := range s.game.ring[s.active.Home()] {
		if s.decision == over {
			return
		}
		if n := s.net(x); n > 0 {
			s.addAll(x, n, tape)
		} else {
			s.strain[x] = max(0, s.strain[x]+n)
		}
	}
}

// collapse is an Ecological Collapse of a full Major and the next sector's Minor (ER-601 to ER-608).
func (s *State) collapse(x Sector, tape *env.Tape) {
	tape.Mark("collapse", env.Player(s.collapses+1))
	s.collapses++
	s.collapsed = true
	if s.collapses > maxCollapses { // ER-602
		s.end(fourthCollapse)
		return
	}
	t := &s.game.data.Collapse
	s.strain[x] += 1 - int8(t.Relief) // ER-603: the 15th token is placed
	s.strain[s.game.next[x]] -= int8(t.Relief)
	if s.foreseen {
		return
	}
	for range t.Cards[s.collapses-1] { // ER-605
		c, ok := s.drawInfluence(tape, "collapse", false)
		if !ok {
			break
		}
		s.scar(c.Sector(), tape)
		s.discard |= Only(c)
		s.centre &^= Only(c)
	}
	tape.Mark("further", env.Over)
}

// drawInfluence draws an Influence card for a collapse or a strike and lays it in the centre for all to
// see; ok is false if none is left in deck and discard pile. A strike met on the way has no effect: it
// stays in the centre if setAside (ER-703), else it is discarded (ER-605).
func (s *State) drawInfluence(tape *env.Tape, verb string, setAside bool) (c Card, ok bool) {
	for s.undrawn()&allInfluence != 0 {
		c := s.turnOver(tape)
		s.learn(env.Everybody, c)
		if !c.IsStrike() {
			s.note(tape, env.Everybody, verb, c)
			s.centre |= Only(c)
			return c, true
		}
		s.note(tape, env.Everybody, "set aside", c)
		if setAside {
			s.centre |= Only(c)
		} else {
			s.discard |= Only(c)
		}
	}
	return 0, false
}

// scar is ER-606 and ER-607: a Collapse token on the left-most vacant circle, else in place of the
// left-most counter, for the rest of the game.
func (s *State) scar(x Sector, tape *env.Tape) {
	circles := s.vacantCircles(x)
	if circles == 0 {
		circles = s.openCircles(x) &^ s.craters[x]
	}
	if circles == 0 {
		return
	}
	i := bits.TrailingZeros8(circles)
	if v := s.circle[x][i]; v != vacant {
		s.drop(Card(int(x)*perSector+int(v)-1), tape)
	}
	s.circle[x][i] = crater
	s.filled[x] |= 1 << i
	s.craters[x] |= 1 << i
	s.settle(x)
}
