package earthman

import (
	"math/bits"

	"earthgym/env"
)

// An event is a kind of dice (RULES.md 7).
type event uint8

const (
	noEvent event = iota
	evAI
	evRisk
	evUnrest
	evMutiny
	evForfeit
	evDefensive
	evFire
	evUNDefence
	evExpand
	evOverthrow
	evPacify
	evReplicate
	evConstruct
	evResearch
	evDefence
	evInfluence
	evTransfer
	evSpy
	numEvents
)

var eventNames = [numEvents]string{
	"", "ai", "risk", "unrest", "mutiny", "forfeit", "defensive", "fire", "un-defence", "expand", "overthrow", "pacify",
	"replicate", "construct", "research", "defence", "influence", "transfer", "spy",
}

// secondNames are those of second dice (EB-011, EB-012).
var secondNames = [numEvents]string{
	"", "ai+", "risk+", "unrest+", "mutiny+", "forfeit+", "defensive+", "fire+", "un-defence+", "expand+", "overthrow+",
	"pacify+", "replicate+", "construct+", "research+", "defence+", "influence+", "transfer+", "spy+",
}

const (
	impossible = 9 // the number that no die reaches (EB-013)
	automatic  = 1 // the number that needs no die (EB-014)
)

// lot is the dice that were rolled together and whose Thought window is open (EB-016).
type lot struct {
	event  event
	roller int8
	hurt   env.Seats
	need   int8
	bounds [2]int8 // classes: low below the first, high from the second on
	n      uint8
	dice   [maxDice]uint8 // reaches (EB-015), in the order rolled
	passed env.Seats
}

var noLot = lot{roller: int8(None)}

// result is what the dice of a lot say.
type result struct {
	event event
	n     int
	hits  int // dice that reach the number needed
	high  int // dice of the highest class
	low   int // dice of the lowest class
	need  int
}

// die rolls one (EB-010).
func (s *State) die(name string, tape *env.Tape) int {
	return 1 + tape.Uniform(&s.luck[diceStream], env.Everybody, name, 6, faceText)
}

func faceText(i int) string { return digits[i+1] }

// reach is EB-011, EB-012 and EB-015: a 6 is rolled once more where that can matter.
func (s *State) reach(e event, highest int, tape *env.Tape) uint8 {
	face := s.die(eventNames[e], tape)
	if face < 6 || highest < 7 {
		return uint8(face)
	}
	switch second := s.die(secondNames[e], tape); {
	case second == 6:
		return 8
	case second >= 4:
		return 7
	}
	return 6
}

// roll is EB-016: a lot of n dice that need a number, with its Thought window. What comes of it is
// settled at once if no dice are rolled (EB-013, EB-014) or nobody can re-roll one.
func (s *State) roll(e event, roller env.Player, n, need int, tape *env.Tape) {
	s.rollClasses(e, roller, env.Nobody, n, need, need, need, tape)
}

// rollAt is roll where the lot hurts a seat, or the UN.
func (s *State) rollAt(e event, roller, hurt env.Player, n, need int, tape *env.Tape) {
	s.rollClasses(e, roller, seatsOf(hurt), n, need, need, need, tape)
}

// seatsOf is the set of p alone, and nobody for the UN.
func seatsOf(p env.Player) env.Seats {
	if p >= UN {
		return env.Nobody
	}
	return env.Only(p)
}

// rollClasses is roll with the bounds of three classes (EB-252).
func (s *State) rollClasses(e event, roller env.Player, hurt env.Seats, n, need, low, high int, tape *env.Tape) {
	switch {
	case n == 0 || need >= impossible:
		s.settle(result{event: e, n: n, need: need}, tape)
		return
	case need <= automatic:
		s.settle(result{event: e, n: n, hits: n, high: n, need: need}, tape)
		return
	}
	l := &s.lot
	highest := max(need, high)
	for i := range n {
		l.dice[i] = s.reach(e, highest, tape)
	}
	l.event, l.roller, l.hurt = e, int8(roller), hurt
	l.need, l.bounds, l.n = int8(need), [2]int8{int8(low), int8(high)}, uint8(n)
	s.window(tape)
}

// window is EB-250 to EB-253: the next seat that may re-roll a die is asked; if there is none, the dice
// count.
func (s *State) window(tape *env.Tape) {
	if p := s.nextThinker(); p != None {
		s.open(AtThought, p)
		return
	}
	l := &s.lot
	r := result{event: l.event, n: int(l.n), need: int(l.need)}
	for _, d := range l.dice[:l.n] {
		r.hits += atLeast(d, l.need)
		r.high += atLeast(d, l.bounds[1])
		r.low += 1 - atLeast(d, l.bounds[0])
	}
	s.clearLot()
	s.settle(r, tape)
}

func atLeast(d uint8, need int8) int {
	if int8(d) >= need {
		return 1
	}
	return 0
}

func (s *State) clearLot() {
	l := &s.lot
	clear(l.dice[:l.n])
	l.event, l.roller, l.hurt, l.need, l.bounds, l.n, l.passed = noEvent, int8(None), 0, 0, [2]int8{}, 0, 0
}

// nextThinker is the first of the thinkers, clockwise from the actor; None if there is none.
func (s *State) nextThinker() env.Player { return s.firstClockwise(s.thinkers()) }

// thinkers are the seats that may still re-roll a die: they have Thoughts, have not passed, and are asked
// under the option thoughts (EB-253).
func (s *State) thinkers() env.Seats {
	ask := s.thinking &^ s.lot.passed
	switch s.game.thoughts {
	case askNobody:
		return env.Nobody
	case askKey:
		concerned := s.lot.hurt
		if s.lot.roller < int8(UN) {
			concerned |= env.Only(env.Player(s.lot.roller))
		}
		return ask & concerned
	}
	return ask
}

// firstClockwise is the first seat of a set, clockwise beginning with the actor; None if it is empty.
func (s *State) firstClockwise(set env.Seats) env.Player {
	if set == 0 {
		return None
	}
	if from := set >> s.actor << s.actor; from != 0 {
		set = from
	}
	return env.Player(bits.TrailingZeros8(uint8(set)))
}

// think plays a decision of a Thought window (EB-251).
func (s *State) think(a env.Action, tape *env.Tape) {
	l := &s.lot
	p := env.Player(s.seat)
	if a == Done {
		l.passed = l.passed.With(p)
		s.window(tape)
		return
	}
	s.setThoughts(p, int(s.seats[p].thoughts)-1)
	for i, d := range l.dice[:l.n] {
		if l.class(d) == int(a-rerollLow) {
			l.dice[i] = s.reach(l.event, int(max(l.need, l.bounds[1])), tape)
			break
		}
	}
	l.passed = 0
	s.window(tape)
}

// class of a reach: 0 low, 1 mid, 2 high (EB-252).
func (l *lot) class(d uint8) int { return atLeast(d, l.bounds[0]) + atLeast(d, l.bounds[1]) }

// setThoughts keeps the set of seats that have any.
func (s *State) setThoughts(p env.Player, n int) {
	s.seats[p].thoughts = uint16(n)
	if n > 0 {
		s.thinking |= env.Only(p)
	} else {
		s.thinking &^= env.Only(p)
	}
}

// settle applies what a lot says.
func (s *State) settle(r result, tape *env.Tape) {
	switch r.event {
	case evRisk, evUnrest:
		s.pending.left = uint8(r.low)
	case evMutiny:
		s.mutiny(r)
	case evForfeit:
		s.forfeited(r)
	case evDefensive:
		s.defensiveHits(r)
	case evFire:
		s.fireHits(r)
	case evUNDefence:
		s.unDefenceHits(r)
	case evExpand, evResearch:
		s.pending.left = uint8(r.hits)
	case evOverthrow:
		s.overthrowHits(r)
	case evPacify:
		s.pending.left = uint8(r.hits / 2) // EB-131
	case evReplicate:
		s.pending.add, s.pending.left = uint8(r.hits), uint8(r.low) // EB-140, EB-141
	case evConstruct:
		s.construction(r)
	case evDefence:
		s.defenceHits(r)
	case evInfluence:
		s.influenced(r)
	case evTransfer:
		s.transferRisk(r)
	case evSpy:
		s.spied(r)
	}
}
