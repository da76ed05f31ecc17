package oneearth

import (
	"errors"

	"earthgym/env"
)

// What a position that is read needs for the decision that it is at. Each function says what is missing.

// lacks is for the decision at hand.
func (s *State) lacks() error {
	if check := s.row().Check; check != nil {
		if err := check(s); err != nil {
			return err
		}
	}
	if s.Proposal == ShareTech && s.Decision >= AtDiscuss && s.Using < 0 {
		return errors.New("using must name the Technology to be shared (OE-142)")
	}
	if s.Decision >= AtSanction && s.Decision != AtAccuse || s.Decision == AtVote {
		for _, a := range s.Votes[:s.NumVotes] {
			if a := env.Action(a); a != Yes && a != No {
				return errors.New("votes must be yes or no")
			}
		}
	}
	return s.lacksTime()
}

// lacksTime is for what belongs to a turn, to the time between rounds, or to another game.
func (s *State) lacksTime() error {
	inTurn := s.inATurn()
	switch {
	case s.Decision >= AtTurn && s.Decision <= AtShared || s.Decision >= AtAskAmount && s.Decision <= AtAskReply:
		if !inTurn {
			return errors.New("turns_done: all turns of the round are done")
		}
	case s.Decision >= AtAudit:
		if inTurn {
			return errors.New("turns_done: it comes only when all turns of the round are done")
		}
		if s.game.WithNPC() {
			return errors.New("it needs 3 players (OE-230)")
		}
		if s.Decision >= AtPropose && !s.game.Diplomatic() {
			return errors.New("standard mode has no Resolutions (OE-020)")
		}
	}
	return nil
}

func (s *State) lacksDraft() error {
	if s.game.leaders != draftLeaders {
		return errors.New("leaders are not drafted")
	}
	return nil
}

func (s *State) lacksUse() error {
	if s.Using < 0 {
		return errors.New("using is missing")
	}
	if !s.Fresh && s.Countries[s.active()].Loose[s.Using] == 0 {
		return errors.New("the seat has no loose use of using")
	}
	return nil
}

func (s *State) lacksOwnUse() error {
	if s.Using < 0 {
		return errors.New("using is missing")
	}
	if !s.game.Advanced || int(s.Technologies[s.Using]) != s.active() {
		return errors.New("using was not funded by the seat whose turn it is")
	}
	return nil
}

func (s *State) lacksAttach() error {
	c := &s.Countries[s.active()]
	switch {
	case s.Attach < 0 || !c.PlainSet.Has(s.Attach):
		return errors.New("attach must be a plain Project of the seat")
	case s.Using < 0 || s.game.tech[s.Attach] != s.Using || c.Saved[s.Using]+c.Loose[s.Using] == 0:
		return errors.New("using must be a held Technology that fits attach")
	}
	return nil
}

func (s *State) lacksLoose() error {
	u := s.LooseQueue[0]
	if u == 0 || s.Using != u.Technology() || s.Countries[u.Seat()].Loose[s.Using] == 0 {
		return errors.New("using must be the first loose use of loose_queue")
	}
	return nil
}

func (s *State) lacksAsked() error {
	if q := int(s.Ask.Seat); q < 0 || q == s.active() {
		return errors.New("ask.seat must be another seat")
	}
	return nil
}

func (s *State) lacksRequest() error {
	if err := s.lacksAsked(); err != nil {
		return err
	}
	if s.Ask.Amount < 1 || int(s.Ask.Amount) > s.maxRequest(int(s.Ask.Seat)) {
		return errors.New("ask.amount must be something that ask.seat has")
	}
	return nil
}

func (s *State) lacksSanctioned() error {
	if s.Sanctioned < 0 {
		return errors.New("nobody is sanctioned")
	}
	return nil
}

func (s *State) lacksEvent() error {
	if s.Event < 0 {
		return errors.New("event is missing")
	}
	return nil
}

func (s *State) lacksAccusations() error {
	for _, a := range s.Votes[:s.NumVotes] {
		if a := env.Action(a); a == Yes || a == No {
			return errors.New("votes must accuse or pass")
		}
	}
	return nil
}

func (s *State) lacksAccused() error {
	if s.Accused < 0 {
		return errors.New("accused is missing")
	}
	return nil
}

func (s *State) lacksProposal(r Resolution) error {
	if s.Proposal != r {
		return errors.New("proposal must be " + r.String())
	}
	return nil
}

func (s *State) lacksDiscussion() error {
	if s.Proposal < 0 || s.Proposal == ForeignAid || !s.game.Talk {
		return errors.New("there is no proposal to discuss")
	}
	return nil
}

// lacksBallot is for all that comes of a vote.
func (s *State) lacksBallot() error {
	if !s.Proposal.Voted() || s.Proposal < 0 {
		return errors.New("proposal must be one that is voted on")
	}
	return nil
}

func (s *State) lacksVoter() error {
	if err := s.lacksBallot(); err != nil {
		return err
	}
	if s.NumVotes < int8(s.game.Players) && s.Countries[s.nextVoter()].Tokens == 0 {
		return errors.New("the seat has no tokens (OE-145)")
	}
	return nil
}

func (s *State) lacksVotes() error {
	if err := s.lacksBallot(); err != nil {
		return err
	}
	if int(s.NumVotes) != s.game.Players {
		return errors.New("votes must be complete")
	}
	return nil
}

func (s *State) lacksTie() error {
	if err := s.lacksVotes(); err != nil {
		return err
	}
	if d := s.lead(); d != 0 && d != 1 {
		return errors.New("the votes leave nothing to bid for (OE-148)")
	}
	return nil
}
