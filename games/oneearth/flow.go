package oneearth

import "earthgym/env"

// The order of play. A seat's turn is income, then the menu of AtTurn until it passes (turn.go); a
// round is a turn of each seat, then the NPC's, then the new round procedure (round.go).
//
// Each effect ends at a checkpoint (OE-195), where the game may end. Effects with decisions inside
// (Technology, losses, ballots) come to their checkpoint after the last of them.

// Apply plays a legal action of the actor.
func (s *State) Apply(a env.Action, tape *env.Tape) {
	decisions[s.Decision].play(s, int(s.Seat), a, tape)
}

// decide hands the decision to a seat.
func (s *State) decide(d Decision, p int) { s.Decision, s.Seat = d, int8(p) }

// settleLosses asks about the loose uses that an effect has given; after the last it goes on to the
// checkpoint, and to what the effect was part of.
func (s *State) settleLosses(tape *env.Tape) {
	if s.askLoose() || !s.checkpoint() {
		return
	}
	switch {
	case s.inATurn():
		s.menu()
	case s.Proposal >= 0:
		s.startRound(tape)
	default:
		s.passToken(tape)
	}
}
