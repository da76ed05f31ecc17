package oneearth

import (
	"math/bits"

	"earthgym/env"
)

// meet is OE-130: the sanction steps from Global Emissions of 21 on; in an advanced game a Resolution
// in any case.
func (s *State) meet(tape *env.Tape) {
	if int(s.Global) < s.game.Components.Constants.CriticalFrom {
		s.assemble(tape)
		return
	}
	highest := s.Highest() // OE-131
	if highest.Count() > 1 {
		s.decide(AtAccuse, int(s.First))
		return
	}
	s.hear(firstOf(highest))
}

// accuse is OE-132: each seat names one of the tied seats or nobody; strictly most votes accuse.
func (s *State) accuse(a env.Action, tape *env.Tape) {
	if !s.answered(a) {
		return
	}
	var votes [MaxPlayers]int
	for i := range s.game.Players {
		if a := env.Action(s.Votes[i]); a != Pass {
			votes[(s.inTurn(i)+act.accuse.Index(a))%s.game.Players]++
		}
	}
	s.clearVotes()
	accused, most := -1, 0
	for p, n := range votes {
		switch {
		case n > most:
			accused, most = p, n
		case n == most:
			accused = -1
		}
	}
	if accused < 0 {
		s.assemble(tape)
		return
	}
	s.hear(accused)
}

// hear is OE-133: the accused may speak, then the vote.
func (s *State) hear(accused int) {
	s.Accused = int8(accused)
	if s.game.Talk {
		s.decide(AtPlea, accused)
		return
	}
	s.plea(accused, SayNothing)
}

// voteSanction is OE-134 to OE-136: all seats vote, openly and without tokens; more than half of all
// seats sanction.
func (s *State) voteSanction(a env.Action, tape *env.Tape) {
	if !s.answered(a) {
		return
	}
	if 2*s.yesVotes() > s.game.Players {
		s.Sanctioned = s.Accused
	}
	s.Accused = -1
	s.clearVotes()
	s.assemble(tape)
}

// answered notes an answer of a ballot; it is true after the last, else the next seat is asked.
func (s *State) answered(a env.Action) bool {
	s.Votes[s.NumVotes] = uint8(a)
	s.NumVotes++
	if int(s.NumVotes) == s.game.Players {
		return true
	}
	s.Seat = int8(s.inTurn(int(s.NumVotes)))
	return false
}

// yesVotes counts the "yes" answers of the running ballot.
func (s *State) yesVotes() int {
	n := 0
	for _, a := range s.Votes[:s.NumVotes] {
		if env.Action(a) == Yes {
			n++
		}
	}
	return n
}

func (s *State) clearVotes() { s.Votes, s.NumVotes = [MaxPlayers]uint8{}, 0 }

// assemble is the Resolution step, or the start of the round (OE-020, OE-140).
func (s *State) assemble(tape *env.Tape) {
	if !s.game.Diplomatic() || s.proposals() == 0 {
		s.startRound(tape)
		return
	}
	s.decide(AtPropose, int(s.First))
}

// proposals is OE-140, OE-141 and OE-154: the Resolutions that may be proposed, as bits.
func (s *State) proposals() uint16 {
	set := uint16(0)
	for r := range Resolution(NumResolutions) {
		if s.game.Components.Resolutions[r].InBox && s.Resolutions[r] == InDeck && (r != ForeignAid || s.aidAllowed()) {
			set |= 1 << r
		}
	}
	return set
}

// aidAllowed is OE-141.
func (s *State) aidAllowed() bool {
	for p := range s.game.Players {
		if int(s.Countries[p].Prosperity) >= s.game.Components.Constants.AidThreshold {
			return true
		}
	}
	return false
}

// firstOf is the lowest seat of a set that is not empty.
func firstOf(set env.Seats) int { return bits.TrailingZeros8(uint8(set)) }
