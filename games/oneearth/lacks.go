package oneearth

import "earthgym/env"

// What a position that is read needs for the decision that it is at. Each function says what is missing, or "".

// lacks is for the decision at hand.
func (s *State) lacks() string {
	if of := decisions[s.Decision].lacks; of != nil {
		if missing := of(s); missing != "" {
			return missing
		}
	}
	if s.Proposal == ShareTech && s.Decision >= AtDiscuss && s.Using < 0 {
		return "using must name the Technology to be shared (OE-142)"
	}
	if s.Decision >= AtSanction && s.Decision != AtAccuse || s.Decision == AtVote {
		for _, a := range s.Votes[:s.NumVotes] {
			if a := env.Action(a); a != Yes && a != No {
				return "votes must be yes or no"
			}
		}
	}
	return s.lacksTime()
}

// lacksTime is for what belongs to a turn, to the time between rounds, or to another game.
func (s *State) lacksTime() string {
	inTurn := s.inATurn()
	switch {
	case s.Decision >= AtTurn && s.Decision <= AtShared || s.Decision >= AtAskAmount && s.Decision <= AtAskReply:
		if !inTurn {
			return "turns_done: all turns of the round are done"
		}
	case s.Decision >= AtAudit:
		if inTurn {
			return "turns_done: it comes only when all turns of the round are done"
		}
		if s.game.WithNPC() {
			return "it needs 3 players (OE-230)"
		}
		if s.Decision >= AtPropose && !s.game.Diplomatic() {
			return "standard mode has no Resolutions (OE-020)"
		}
	}
	return ""
}

func (s *State) lacksDraft() string {
	if s.game.leaders != draftLeaders {
		return "leaders are not drafted"
	}
	return ""
}

func (s *State) lacksUse() string {
	if s.Using < 0 {
		return "using is missing"
	}
	if !s.Fresh && s.Countries[s.active()].Loose[s.Using] == 0 {
		return "the seat has no loose use of using"
	}
	return ""
}

func (s *State) lacksOwnUse() string {
	if s.Using < 0 {
		return "using is missing"
	}
	if !s.game.Advanced || int(s.Technologies[s.Using]) != s.active() {
		return "using was not funded by the seat whose turn it is"
	}
	return ""
}

func (s *State) lacksAttach() string {
	c := &s.Countries[s.active()]
	switch {
	case s.Attach < 0 || !c.PlainSet.Has(s.Attach):
		return "attach must be a plain Project of the seat"
	case s.Using < 0 || s.game.tech[s.Attach] != s.Using || c.Saved[s.Using]+c.Loose[s.Using] == 0:
		return "using must be a held Technology that fits attach"
	}
	return ""
}

func (s *State) lacksLoose() string {
	u := s.LooseQueue[0]
	if u == 0 || s.Using != u.Technology() || s.Countries[u.Seat()].Loose[s.Using] == 0 {
		return "using must be the first loose use of loose_queue"
	}
	return ""
}

func (s *State) lacksAsked() string {
	if q := int(s.Ask.Seat); q < 0 || q == s.active() {
		return "ask.seat must be another seat"
	}
	return ""
}

func (s *State) lacksRequest() string {
	if missing := s.lacksAsked(); missing != "" {
		return missing
	}
	if s.Ask.Amount < 1 || int(s.Ask.Amount) > s.maxRequest(int(s.Ask.Seat)) {
		return "ask.amount must be something that ask.seat has"
	}
	return ""
}

func (s *State) lacksSanctioned() string {
	if s.Sanctioned < 0 {
		return "nobody is sanctioned"
	}
	return ""
}

func (s *State) lacksEvent() string {
	if s.Event < 0 {
		return "event is missing"
	}
	return ""
}

func (s *State) lacksAccusations() string {
	for _, a := range s.Votes[:s.NumVotes] {
		if a := env.Action(a); a == Yes || a == No {
			return "votes must accuse or pass"
		}
	}
	return ""
}

func (s *State) lacksAccused() string {
	if s.Accused < 0 {
		return "accused is missing"
	}
	return ""
}

func (s *State) lacksProposal(r Resolution) string {
	if s.Proposal != r {
		return "proposal must be " + r.String()
	}
	return ""
}

func (s *State) lacksDiscussion() string {
	if s.Proposal < 0 || s.Proposal == ForeignAid || !s.game.Talk {
		return "there is no proposal to discuss"
	}
	return ""
}

// lacksBallot is for all that comes of a vote.
func (s *State) lacksBallot() string {
	if !s.Proposal.Voted() || s.Proposal < 0 {
		return "proposal must be one that is voted on"
	}
	return ""
}

func (s *State) lacksVoter() string {
	if missing := s.lacksBallot(); missing != "" {
		return missing
	}
	if s.NumVotes < int8(s.game.Players) && s.Countries[s.nextVoter()].Tokens == 0 {
		return "the seat has no tokens (OE-145)"
	}
	return ""
}

func (s *State) lacksVotes() string {
	if missing := s.lacksBallot(); missing != "" {
		return missing
	}
	if int(s.NumVotes) != s.game.Players {
		return "votes must be complete"
	}
	return ""
}

func (s *State) lacksTie() string {
	if missing := s.lacksVotes(); missing != "" {
		return missing
	}
	if d := s.lead(); d != 0 && d != 1 {
		return "the votes leave nothing to bid for (OE-148)"
	}
	return ""
}
