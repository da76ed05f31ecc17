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

// A throw is a row of the dice table: when an event is rolled, by whom and against whom, and what is needed.
type throw struct {
	steps  []step                    // in which its Thought window may be open
	by     func(s *State) env.Player // nil: the actor
	hurt   func(s *State) env.Seats  // nil: nobody (EB-253)
	most   int                       // dice
	mostBy func(s *State, by env.Player) int

	needs int                                        // the number needed
	need  func(s *State, by env.Player, way int) int // where it depends, such as on the ways to roll: 0 to ways-1
	ways  int                                        // 0 stands for 1

	low  int                // dice below it are of the lowest class (EB-252); 0: the number needed
	high func(s *State) int // by how much the highest class lies above the number needed; nil: 0
}

// The ways in which fleets, developments and regions roll (EB-017): those At Risk need one more.
const (
	steady = iota
	atRisk
	steadyOrNot // the number of ways
)

// throws is the dice table. Rolling and reading positions go by it; what the dice do is settled below.
var throws = [numEvents]throw{
	evRisk:   {steps: []step{riskFleets, riskRegions}, most: maxFleets, needs: riskNeed},
	evUnrest: {steps: []step{riskDiscontent}, most: maxDice, needs: riskNeed},
	evMutiny: {steps: []step{riskDiscontent}, most: 1, needs: mutinyNeed},
	evForfeit: {steps: []step{riskRegions, doFire, doOverthrow, doConstruct, giveLand}, by: (*State).payer, most: 1,
		needs: forfeitNeed},
	evDefensive: { // the roller is one of those that fire
		steps: []step{moveDefensive}, hurt: (*State).theActor,
		mostBy: func(s *State, by env.Player) int { return s.DefensiveDice(by, s.pending.at) },
		need:   func(s *State, by env.Player, _ int) int { return s.HitNeed(by, env.Player(s.actor)) },
	},
	evFire: {
		steps: []step{doFire}, hurt: (*State).theTarget, most: maxFleets, ways: steadyOrNot, need: (*State).needAgainstTarget,
		high: func(s *State) int { // EB-103
			if s.guarded(s.pending.at) {
				return 1
			}
			return 0
		},
	},
	evUNDefence: {
		steps: []step{doUNDefence}, by: func(*State) env.Player { return UN }, hurt: (*State).theActor, most: 3 * MaxRegions,
		ways: steadyOrNot,
		need: func(s *State, _ env.Player, way int) int { return s.HitNeed(UN, env.Player(s.actor)) + way },
	},
	evExpand: { // way 0 is a group of 1
		steps: []step{doExpand}, most: maxFleets, ways: 3,
		need: func(s *State, by env.Player, way int) int { return s.ExpandNeed(by, 1+way) },
	},
	evOverthrow: {
		steps: []step{doOverthrow}, hurt: (*State).theTarget, most: maxFleets, ways: steadyOrNot,
		need: func(s *State, by env.Player, way int) int {
			return s.OverthrowNeed(by, env.Player(s.pending.target), s.pending.at) + way
		},
	},
	evPacify: {
		steps: []step{doPacify}, most: maxFleets,
		need: func(s *State, by env.Player, _ int) int {
			return s.game.data.Roll.Pacify - int(s.seats[by].level[Stability])
		},
	},
	evReplicate: {
		steps: []step{doReplicate}, mostBy: func(s *State, by env.Player) int { return int(s.seats[by].level[VonNeumann]) },
		need: func(s *State, _ env.Player, _ int) int { return s.game.data.Roll.Replicate }, low: 2,
	},
	evConstruct: { // way 0 is a group of 1
		steps: []step{doConstruct}, most: maxDevs * MaxRegions, ways: 2,
		need: func(s *State, _ env.Player, way int) int {
			return [...]int{s.game.data.Roll.Once, s.game.data.Roll.Twice}[way]
		},
	},
	evResearch: {
		steps: []step{doResearch}, most: maxDevs * MaxRegions, ways: steadyOrNot,
		need: func(s *State, by env.Player, way int) int { return s.researchNeed(by) + way },
	},
	evDefence: {
		steps: []step{doDefence}, hurt: (*State).theTarget, most: 3 + 3, ways: steadyOrNot, need: (*State).needAgainstTarget,
	},
	evInfluence: { // way 0 removes the fewest fleets
		steps: []step{doInfluence}, most: 1, ways: maxFleets - leastInfluence + 1,
		need: func(s *State, _ env.Player, way int) int { return int(s.game.influence[leastInfluence+way]) },
	},
	evTransfer: {
		steps: []step{giveFleet, giveLand}, by: func(s *State) env.Player { return env.Player(s.pending.target) },
		needs: transferNeed,
		mostBy: func(s *State, _ env.Player) int {
			if s.pending.step == giveLand {
				return maxDevs
			}
			return 1
		},
	},
	evSpy: {
		steps: []step{doOperation}, hurt: (*State).theTarget, most: 1, low: 2,
		need: func(s *State, by env.Player, _ int) int { return s.SpyNeed(by, env.Player(s.pending.target)) },
	},
}

func (s *State) payer() env.Player    { return env.Player(s.pay.seat) }
func (s *State) theActor() env.Seats  { return env.Only(env.Player(s.actor)) }
func (s *State) theTarget() env.Seats { return seatsOf(env.Player(s.pending.target)) }

// needAgainstTarget is the number needed to hit the target in hand.
func (s *State) needAgainstTarget(by env.Player, way int) int {
	return s.HitNeed(by, env.Player(s.pending.target)) + way
}

// terms are those on which a lot is rolled.
type terms struct {
	event  event
	roller int8
	hurt   env.Seats
	need   int8
	bounds [2]int8 // classes: low below the first, high from the second on
}

// roller is who rolls an event, where that is not one of several.
func (s *State) roller(e event) env.Player {
	if by := throws[e].by; by != nil {
		return by(s)
	}
	return env.Player(s.actor)
}

// terms are those of an event by the dice table.
func (s *State) terms(e event, by env.Player, way int) terms {
	t := &throws[e]
	need, hurt := t.needs, env.Nobody
	if t.need != nil {
		need = t.need(s, by, way)
	}
	low, high := need, need
	if t.low > 0 {
		low = t.low
	}
	if t.high != nil {
		high += t.high(s)
	}
	if t.hurt != nil {
		hurt = t.hurt(s)
	}
	return terms{e, int8(by), hurt, int8(need), [2]int8{int8(low), int8(high)}}
}

// mostDice is the most dice of an event that a seat or the UN can roll.
func (s *State) mostDice(e event, by env.Player) int {
	if f := throws[e].mostBy; f != nil {
		return f(s, by)
	}
	return throws[e].most
}

// lot is the dice that were rolled together and whose Thought window is open (EB-016).
type lot struct {
	terms
	n      uint8
	dice   [maxDice]uint8 // reaches (EB-015), in the order rolled
	passed env.Seats
}

var noLot = lot{terms: terms{roller: int8(None)}}

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

// roll is EB-016: a lot of n dice, on the terms of the dice table, with its Thought window. What comes of it is
// settled at once if no dice are rolled (EB-013, EB-014) or nobody can re-roll one.
func (s *State) roll(e event, way, n int, tape *env.Tape) { s.rollBy(e, s.roller(e), way, n, tape) }

// rollBy is roll where one of several rolls.
func (s *State) rollBy(e event, by env.Player, way, n int, tape *env.Tape) {
	s.rollOn(s.terms(e, by, way), n, tape)
}

// rollOn rolls n dice on some terms.
func (s *State) rollOn(t terms, n int, tape *env.Tape) {
	need := int(t.need)
	switch {
	case n == 0 || need >= impossible:
		s.settle(result{event: t.event, n: n, need: need}, tape)
		return
	case need <= automatic:
		s.settle(result{event: t.event, n: n, hits: n, high: n, need: need}, tape)
		return
	}
	l := &s.lot
	highest := int(max(t.need, t.bounds[1]))
	for i := range n {
		l.dice[i] = s.reach(t.event, highest, tape)
	}
	l.terms, l.n = t, uint8(n)
	s.window(tape)
}

// seatsOf is the set of p alone, and nobody for the UN.
func seatsOf(p env.Player) env.Seats {
	if p >= UN {
		return env.Nobody
	}
	return env.Only(p)
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
	tape.Mark("dice", env.Over)
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
	l.terms, l.n, l.passed = noLot.terms, 0, 0
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

// legalThought are the classes of the dice that lie there (EB-252).
func (s *State) legalThought(m env.Mask, _ env.Player) {
	for _, d := range s.lot.dice[:s.lot.n] {
		m.Block(Reroll(s.lot.class(d)), 1)
	}
	m.Block(Done, 1)
}

// think plays a decision of a Thought window (EB-251).
func (s *State) think(p env.Player, a env.Action, tape *env.Tape) {
	l := &s.lot
	if a == Done {
		l.passed = l.passed.With(p)
		s.window(tape)
		return
	}
	s.setThoughts(p, int(s.seats[p].thoughts)-1)
	for i, d := range l.dice[:l.n] {
		if l.class(d) == act.reroll.Index(a) {
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
		s.spied(r, tape)
	}
}
