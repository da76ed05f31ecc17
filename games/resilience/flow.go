package resilience

import "earthgym/env"

// The order of a game (RULES.md 5.1): rounds of one turn each, from the leader clockwise, then the
// allocation. The clock runs with every turn and every allocation, and nowhere else.

// row is what is asked.
func (s *State) row() *decision { return &s.game.decisions[s.decision] }

// Actor is who decides: mostly the seat whose turn it is.
func (s *State) Actor() env.Player { return s.row().Actor(s) }

// Legal is what the actor may do.
func (s *State) Legal(m env.Mask) { s.row().Mask(s, s.Actor(), m) }

// Why says why an action is not legal, with the rule's id.
func (s *State) Why(a env.Action) string { return s.row().Refusal(s, s.Actor(), a, s.game.info) }

// Apply plays an action of the actor.
func (s *State) Apply(a env.Action, tape *env.Tape) { s.row().Apply(s, s.Actor(), a, tape) }

// endTurn is RE-024: the promise is judged, the turn's marks go, its time passes, and after the last
// turn of the round comes the allocation.
func (s *State) endTurn(tape *env.Tape) {
	s.judge(s.Active())
	s.built, s.placed, s.cut, s.said, s.promiseNew = false, false, false, false, NoWord
	clear(s.asked[:])
	if s.timeUp(s.game.turnTime) {
		s.end(Time, tape)
		return
	}
	if int(s.turn)+1 < s.game.players {
		s.turn++
		return
	}
	s.endRound(tape)
}

// endRound is RE-060 to RE-068.
func (s *State) endRound(tape *env.Tape) {
	s.allocate(tape)
	if s.timeUp(s.game.allocTime) {
		s.end(Time, tape)
		return
	}
	s.leader = int8((int(s.leader) + 1) % s.game.players)
	s.turn = 0
	s.round++
}

// timeUp adds to the clock and listens for the signal (RE-110).
func (s *State) timeUp(seconds int32) bool {
	s.clock += seconds
	return s.clock >= s.limit
}
