package oneearth

import "earthgym/env"

// The order of play. A seat's turn is income, then the menu of AtTurn until it passes (turn.go); a
// round is a turn of each seat, then the NPC's, then the new round procedure (round.go).
//
// Each effect ends at a checkpoint (OE-195), where the game may end. Effects with decisions inside
// (Technology, losses, ballots) come to their checkpoint after the last of them.

// Apply plays a legal action of the actor.
func (s *State) Apply(a env.Action, tape *env.Tape) {
	p := int(s.Seat)
	switch s.Decision {
	case AtLeader:
		s.chooseLeader(Leader(a - ChooseLeader))
	case AtTurn:
		s.playTurn(p, a, tape)
	case AtTarget:
		s.target(p, Project(a-On))
	case AtAttach:
		s.attach(p, a == Yes, tape)
	case AtSecond:
		s.second(p, a)
	case AtShared:
		s.shared(p, a)
	case AtLoose:
		s.useLoose(p, a, tape)
	case AtAskAmount:
		s.askAmount(int8(a - Amount))
	case AtAskSay:
		s.askSay(Word(a - Say))
	case AtAskReply:
		s.askReply(a == Yes)
	case AtAudit:
		if a >= DiscardUpgraded {
			s.auditDiscard(p, Project(a-DiscardUpgraded), true, tape)
		} else {
			s.auditDiscard(p, Project(a-Discard), false, tape)
		}
	case AtImmunity:
		s.immunity(p, a == Yes)
	case AtAccuse:
		s.accuse(a)
	case AtPlea:
		s.plea(p, Word(a-Say))
	case AtSanction:
		s.voteSanction(a)
	case AtPropose:
		if a == Pass {
			s.startRound()
		} else {
			s.propose(Resolution(a - Propose))
		}
	case AtPick:
		s.Using = Technology(a - Tech)
		s.discuss()
	case AtDiscuss:
		s.statement(p, Word(a-Say))
	case AtVote:
		s.vote(a, tape)
	case AtBid:
		s.bid(bidOf(a), tape)
	case AtVeto:
		s.veto(p, a == Yes, tape)
	case AtPledge:
		s.pledge(int8(a-Amount), tape)
	}
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
		s.startRound()
	default:
		s.passToken(tape)
	}
}
