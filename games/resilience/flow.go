package resilience

import "earthgym/env"

// The order of a game (RULES.md 5.1): rounds of one turn each, from the leader clockwise, then the
// allocation. The clock runs with every turn and every allocation, and nowhere else.

// Actor is who decides: mostly the seat whose turn it is.
func (s *State) Actor() env.Player {
	switch s.decision {
	case AtReply:
		return env.Player(s.partner)
	case AtPick:
		return s.dismantler(s.kind, env.Player(s.partner))
	case Over:
		return env.Over
	}
	return s.Active()
}

// Apply plays an action of the actor.
func (s *State) Apply(a env.Action, tape *env.Tape) {
	p := s.Active()
	switch {
	case a < city0:
		s.settle(p, Field(a-settle0), tape)
	case a < industry0:
		s.develop(p, Field(a-city0), City, tape)
	case a < dismantle0:
		s.develop(p, Field(a-industry0), Industry, tape)
	case a < Sabbatical:
		if s.decision == AtPick {
			s.pick(Field(a - dismantle0))
		} else {
			s.dismantle(p, Field(a-dismantle0))
		}
	case a == Sabbatical:
		s.takeSabbatical(p)
		s.endTurn(tape)
	case a == Done:
		s.endTurn(tape)
	case a < amount0:
		kind, partner := s.offerOf(a)
		s.offer(kind, partner)
	case a < Yes:
		s.amount = int8(a-amount0) + 1
		s.decision = AtReply
	case a == Yes:
		s.accept()
	case a == No:
		s.endDeal()
	default:
		s.say(Word(a-say0) + Calm)
	}
}

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
