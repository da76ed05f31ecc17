package oneearth

import "earthgym/env"

// The order of play. A seat's turn is income, then the menu of AtTurn until it passes (turn.go); a
// round is a turn of each seat, then the NPC's, then the new round procedure (round.go).
//
// Each effect ends at a checkpoint (OE-195), where the game may end. Effects with decisions inside
// (Technology, losses, ballots) come to their checkpoint after the last of them.

// row is what is asked.
func (s *State) row() *decision { return &s.game.decisions[s.Decision] }

// Actor is who decides.
func (s *State) Actor() env.Player { return env.Player(s.Seat) }

// Legal is section 5.2 and 5.3 of RULES.md.
func (s *State) Legal(m env.Mask) { s.row().Mask(s, s.Actor(), m) }

// Why is the rule that forbids an action now.
func (s *State) Why(a env.Action) string { return s.row().Refusal(s, s.Actor(), a, s.game.info) }

// Apply plays a legal action of the actor.
func (s *State) Apply(a env.Action, tape *env.Tape) { s.row().Apply(s, s.Actor(), a, tape) }

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
