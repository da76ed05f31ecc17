package earthrising

import (
	"math/bits"

	"earthgym/env"
)

// limit is how far a character's ability goes: a number of its own, and one more for each sustainable
// practice of its sector (ER-402, ER-411, ER-421, ER-431, ER-442, ER-451).
func (s *State) limit(k Character) int8 { return s.game.base[k] + s.count(k.Home()) }

// Activist and Ecologist

// tokenTargets are the practices on which the actor may put a token now, or from which it may lift one.
func (s *State) tokenTargets() Set {
	switch {
	case s.decision == atTrim:
		if s.trims() == Activist {
			return s.protest
		}
		return s.regeneration
	case s.active == Activist: // ER-401, ER-402
		if int8(s.protest.Count()) < s.limit(Activist) {
			return s.unsustainable &^ s.protest &^ s.inside.touched
		}
	case s.active == Ecologist: // ER-431, ER-432
		free := s.sustainable &^ s.regeneration
		if s.decision == atActions && free == 0 {
			return 0
		}
		targets := s.regeneration
		if int8(s.regeneration.Count()) < s.limit(Ecologist) {
			targets |= free
		}
		return targets &^ s.inside.touched
	}
	return 0
}

// moveToken puts the active character's token on a practice, or lifts it from there, and goes on in the
// same action while there is anything to do.
func (s *State) moveToken(p Card, tape *env.Tape) {
	if s.active == Activist {
		s.protest |= Only(p)
	} else {
		s.regeneration ^= Only(p)
	}
	s.inside.touched |= Only(p)
	s.decision = atTokens
	if s.tokenTargets() == 0 {
		s.goOnActing(tape)
	}
}

// flip is ER-404 and ER-405: the counter turns over where it lies, and the Protest token leaves.
func (s *State) flip(p Card) {
	s.protest &^= Only(p)
	s.unsustainable &^= Only(p)
	s.sustainable |= Only(p)
}

// trims is whose surplus tokens come off first (ER-460).
func (s *State) trims() Character {
	if int8(s.protest.Count()) > s.limit(Activist) {
		return Activist
	}
	return Ecologist
}

// surplus says whether tokens lie on the board that are no longer supported (ER-403, ER-434).
func (s *State) surplus() bool {
	return int8(s.protest.Count()) > s.limit(Activist) || int8(s.regeneration.Count()) > s.limit(Ecologist)
}

// trimNeeded is a checkpoint of ER-460: surplus tokens have to come off before the flow goes on.
func (s *State) trimNeeded(then afterTrim) bool {
	if !s.surplus() {
		return false
	}
	s.decision, s.inside.after = atTrim, then
	return true
}

// trim takes one surplus token off.
func (s *State) trim(p Card, tape *env.Tape) {
	if s.trims() == Activist {
		s.protest &^= Only(p)
	} else {
		s.regeneration &^= Only(p)
	}
	if s.surplus() {
		return
	}
	then := s.inside.after
	s.inside.after = noTrim
	switch then {
	case thenDraw:
		s.goOnDrawing(tape)
	case thenStrain2:
		s.strain2(tape)
	case thenCalendar:
		s.turnCalendar(tape)
	}
}

// Innovator

// newStartUps is how many Start-Ups the Innovator could place (ER-411).
func (s *State) newStartUps() int8 {
	return min(s.limit(Innovator)-s.startups, s.poverty)
}

// startUp is ER-411: as many as possible. They stay until they lose their support (ER-412, ER-413).
func (s *State) startUp() {
	s.startups += s.newStartUps()
	s.countPoor()
}

// Eco Investor

// lookLegal says whether the Eco Investor may look at an extra card in this drawing (ER-421, ER-425).
func (s *State) lookLegal() bool {
	return s.active == Investor && s.inside.looks < s.limit(Investor)
}

// look is ER-421. A strike goes to the bottom at once (ER-424).
func (s *State) look(tape *env.Tape) {
	s.inside.looks++
	c := s.turnOver(tape)
	seats := s.holders(s.activeSeat())
	s.learn(seats, c)
	s.note(tape, seats, "look at", c)
	if c.IsStrike() {
		s.bury(c)
		s.goOnDrawing(tape)
		return
	}
	s.decision, s.inside.card = atLooked, c
}

// bury puts a card at the bottom of the deck. Everybody knows its kind, as everybody saw whether the Eco
// Investor was asked.
func (s *State) bury(c Card) {
	copy(s.deck[1:s.deckSize+1], s.deck[:s.deckSize])
	s.deck[0] = c
	s.deckSize++
	s.public = s.public<<1 | 1
}

func (s *State) buryLooked() {
	s.bury(s.inside.card)
	s.inside.card = 0
}

// giveLooked is ER-423.
func (s *State) giveLooked(k Character) {
	c := s.inside.card
	s.inside.card = 0
	s.hand[k] |= Only(c)
	s.learn(s.holders(env.Player(s.seat[k])), c)
}

// Climatologist

// allowance is how many moves are left in this turn (ER-442).
func (s *State) allowance() int8 { return max(0, s.limit(Climatologist)-s.moves) }

// strained are the sectors that have strain, and roomy those with a burden that can take some (ER-441).
func (s *State) strained() (from sectorSet) {
	for x, t := range s.strain {
		if t > 0 {
			from = from.with(Sector(x))
		}
	}
	return from
}

func (s *State) roomy() (to sectorSet) {
	for x, t := range s.strain {
		if t < s.tolerance(Sector(x)) {
			to = to.with(Sector(x))
		}
	}
	return to
}

// CanMove says whether the Climatologist may move strain now, whoever decides, if it may move at all (ER-443).
func (s *State) CanMove() bool {
	if !s.inPlay.plays(Climatologist) || s.allowance() == 0 {
		return false
	}
	from, to := s.strained(), s.roomy()
	return from != 0 && to != 0 && (from|to).rest() != 0
}

// moveInTurn says whether the active seat may move strain in its own turn (ER-444).
func (s *State) moveInTurn() bool {
	return s.CanMove() && env.Player(s.seat[Climatologist]) == s.activeSeat()
}

// askLegal is ER-445.
func (s *State) askLegal() bool {
	return !s.asked && s.CanMove() && env.Player(s.seat[Climatologist]) != s.activeSeat()
}

// move is ER-441.
func (s *State) move(a env.Action) {
	from, to := movePair(a)
	s.strain[from]--
	s.strain[to]++
	s.moves++
}

// Grass Roots Politician

// consult is ER-451: the cards leave the deck while they are put into a new order. With one card nothing
// is asked.
func (s *State) consult(tape *env.Tape) {
	n := min(s.limit(Politician), s.deckSize)
	s.inside.orderSize = n
	for i := range n {
		c := s.pop()
		s.inside.order[i] = c
		s.consulted(c)
		s.note(tape, s.holders(s.activeSeat()), "look at", c)
	}
	s.decision = atOrder
	if n == 1 {
		s.putBack(tape)
	}
}

// rearrange is ER-452: the card named lies next, from the top.
func (s *State) rearrange(_ env.Player, a env.Action, tape *env.Tape) {
	in := &s.inside
	if a != keep {
		in.ordered[in.orderedSize] = int8(a - top)
		in.orderedSize++
		if in.orderedSize < in.orderSize-1 {
			return
		}
	}
	s.putBack(tape)
}

// unordered are the places, as bits, that have not been named yet.
func (s *State) unordered() uint16 {
	places := uint16(1)<<s.inside.orderSize - 1
	for _, j := range s.inside.ordered[:s.inside.orderedSize] {
		places &^= 1 << j
	}
	return places
}

// putBack puts the cards back on the deck: those named in their order, the others as they lay.
func (s *State) putBack(tape *env.Tape) {
	in := &s.inside
	for rest := s.unordered(); rest != 0; rest &^= 1 << (bits.Len16(rest) - 1) {
		s.push(in.order[bits.Len16(rest)-1])
	}
	for i := in.orderedSize - 1; i >= 0; i-- {
		s.push(in.order[in.ordered[i]])
	}
	if !s.game.closed { // the places are public again
		s.public |= (1<<in.orderSize - 1) << (s.deckSize - in.orderSize)
	}
	s.goOnActing(tape)
}
