package oneearth

import "earthgym/env"

// The order of play. A seat's turn is income, then the menu of TurnPhase until it passes (turn.go); a
// round is a turn of each seat, then the NPC's, then the new round procedure (round.go).
//
// Each effect ends at a checkpoint (OE-195), where the game may end. Effects with decisions inside
// (Technology, losses, ballots) come to their checkpoint after the last of them.

// Apply plays a legal action of the actor.
func (s *State) Apply(a env.Action, tape *env.Tape) {
	p := int(s.Seat)
	switch s.Phase {
	case LeaderPhase:
		s.chooseLeader(Leader(a - ChooseLeader))
	case TurnPhase:
		s.playTurn(p, a, tape)
	case TargetPhase:
		s.target(p, Project(a-On))
	case AttachPhase:
		s.attach(p, a == Yes, tape)
	case SecondPhase:
		s.second(p, a)
	case SharedPhase:
		s.shared(p, a)
	case LoosePhase:
		s.useLoose(p, a, tape)
	case AskAmountPhase:
		s.askAmount(int8(a - Amount))
	case AskSayPhase:
		s.askSay(Word(a - Say))
	case AskReplyPhase:
		s.askReply(a == Yes)
	case AuditPhase:
		if a >= DiscardUpgraded {
			s.auditDiscard(p, Project(a-DiscardUpgraded), true, tape)
		} else {
			s.auditDiscard(p, Project(a-Discard), false, tape)
		}
	case ImmunityPhase:
		s.immunity(p, a == Yes)
	case AccusePhase:
		s.accuse(a)
	case PleaPhase:
		s.plea(p, Word(a-Say))
	case SanctionPhase:
		s.voteSanction(a)
	case ProposePhase:
		if a == Pass {
			s.startRound()
		} else {
			s.propose(Resolution(a - Propose))
		}
	case PickPhase:
		s.Using = Technology(a - Tech)
		s.discuss()
	case DiscussPhase:
		s.statement(p, Word(a-Say))
	case VotePhase:
		s.vote(a, tape)
	case BidPhase:
		s.bid(bidOf(a), tape)
	case VetoPhase:
		s.veto(p, a == Yes, tape)
	case PledgePhase:
		s.pledge(int8(a-Amount), tape)
	}
}

// decide hands the decision to a seat.
func (s *State) decide(phase Phase, p int) { s.Phase, s.Seat = phase, int8(p) }

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
