package oneearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// What a position that is read needs for the decision that it is at. Each function says what is missing.

// lacks is for the decision at hand.
func (s *State) lacks(f *form.Faults) {
	if check := s.row().Check; check != nil {
		check(s, f)
	}
	f.Need(s.Proposal != ShareTech || s.Decision < AtDiscuss || s.Using >= 0,
		"using must name the Technology to be shared (OE-142)")
	if s.Decision >= AtSanction && s.Decision != AtAccuse || s.Decision == AtVote {
		for _, a := range s.Votes[:s.NumVotes] {
			f.Need(env.Action(a) == Yes || env.Action(a) == No, "votes must be yes or no")
		}
	}
	s.lacksTime(f)
}

// lacksTime is for what belongs to a turn, to the time between rounds, or to another game.
func (s *State) lacksTime(f *form.Faults) {
	inTurn := s.inATurn()
	switch {
	case s.Decision >= AtTurn && s.Decision <= AtShared || s.Decision >= AtAskAmount && s.Decision <= AtAskReply:
		f.Need(inTurn, "turns_done: all turns of the round are done")
	case s.Decision >= AtAudit:
		f.Need(!inTurn, "turns_done: it comes only when all turns of the round are done")
		f.Need(!s.game.WithNPC(), "it needs 3 players (OE-230)")
		f.Need(s.Decision < AtPropose || s.game.Diplomatic(), "standard mode has no Resolutions (OE-020)")
	}
}

func (s *State) lacksDraft(f *form.Faults) {
	f.Need(s.game.leaders == draftLeaders, "leaders are not drafted")
}

func (s *State) lacksUse(f *form.Faults) {
	f.Need(s.Using >= 0, "using is missing")
	f.Need(s.Using < 0 || s.Fresh || s.Countries[s.active()].Loose[s.Using] > 0, "the seat has no loose use of using")
}

func (s *State) lacksOwnUse(f *form.Faults) {
	f.Need(s.Using >= 0, "using is missing")
	f.Need(s.Using < 0 || s.game.Advanced && int(s.Technologies[s.Using]) == s.active(),
		"using was not funded by the seat whose turn it is")
}

func (s *State) lacksAttach(f *form.Faults) {
	c := &s.Countries[s.active()]
	f.Need(s.Attach >= 0 && c.PlainSet.Has(s.Attach), "attach must be a plain Project of the seat")
	f.Need(s.Using >= 0 && s.Attach >= 0 && s.game.tech[s.Attach] == s.Using && c.Saved[s.Using]+c.Loose[s.Using] > 0,
		"using must be a held Technology that fits attach")
}

func (s *State) lacksLoose(f *form.Faults) {
	u := s.LooseQueue[0]
	f.Need(u != 0 && s.Using == u.Technology() && s.Countries[u.Seat()].Loose[s.Using] > 0,
		"using must be the first loose use of loose_queue")
}

func (s *State) lacksAsked(f *form.Faults) {
	q := int(s.Ask.Seat)
	f.Need(q >= 0 && q != s.active(), "ask.seat must be another seat")
}

func (s *State) lacksRequest(f *form.Faults) {
	s.lacksAsked(f)
	f.Need(s.Ask.Amount >= 1 && s.Ask.Seat >= 0 && int(s.Ask.Amount) <= s.maxRequest(int(s.Ask.Seat)),
		"ask.amount must be something that ask.seat has")
}

func (s *State) lacksSanctioned(f *form.Faults) { f.Need(s.Sanctioned >= 0, "nobody is sanctioned") }

func (s *State) lacksEvent(f *form.Faults) { f.Need(s.Event >= 0, "event is missing") }

func (s *State) lacksAccusations(f *form.Faults) {
	for _, a := range s.Votes[:s.NumVotes] {
		f.Need(env.Action(a) != Yes && env.Action(a) != No, "votes must accuse or pass")
	}
}

func (s *State) lacksAccused(f *form.Faults) { f.Need(s.Accused >= 0, "accused is missing") }

func (s *State) lacksProposal(f *form.Faults, r Resolution) {
	f.Need(s.Proposal == r, "proposal must be %s", r)
}

func (s *State) lacksDiscussion(f *form.Faults) {
	f.Need(s.Proposal >= 0 && s.Proposal != ForeignAid && s.game.Talk, "there is no proposal to discuss")
}

// lacksBallot is for all that comes of a vote.
func (s *State) lacksBallot(f *form.Faults) {
	f.Need(s.Proposal >= 0 && s.Proposal.Voted(), "proposal must be one that is voted on")
}

func (s *State) lacksVoter(f *form.Faults) {
	s.lacksBallot(f)
	f.Need(s.NumVotes >= int8(s.game.Players) || s.Countries[s.nextVoter()].Tokens > 0, "the seat has no tokens (OE-145)")
}

func (s *State) lacksVotes(f *form.Faults) {
	s.lacksBallot(f)
	f.Need(int(s.NumVotes) == s.game.Players, "votes must be complete")
}

func (s *State) lacksTie(f *form.Faults) {
	s.lacksVotes(f)
	d := s.lead()
	f.Need(d == 0 || d == 1, "the votes leave nothing to bid for (OE-148)")
}
