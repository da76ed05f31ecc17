package oneearth

import "earthgym/env"

// say notes a statement. It changes nothing else (OE-280).
func (s *State) say(p int, w Word) { s.Countries[p].Said = w }

// promise opens what the word promises, unless it is open already (OE-283).
func (s *State) promise(p int, w Word) {
	switch w {
	case PromisePolicy:
		s.Countries[p].PendingPolicy = true
	case PromiseClean:
		s.Countries[p].PendingClean = true
	}
}

// judgePromises is OE-283 at the end of a turn.
func (s *State) judgePromises(p int) {
	c := &s.Countries[p]
	if c.PendingPolicy {
		s.judge(p, s.Turn.Policies > 0)
	}
	if c.PendingClean {
		s.judge(p, c.Emissions <= s.Turn.EmissionsAtStart)
	}
	c.PendingPolicy, c.PendingClean = false, false
}

// judgeBallot is OE-283 for a vote or pledge after a discussion.
func (s *State) judgeBallot(p int, yes bool) {
	switch s.Countries[p].Said {
	case SayYes:
		s.judge(p, yes)
	case SayNo:
		s.judge(p, !yes)
	}
}

func (s *State) judge(p int, kept bool) {
	if kept {
		s.Countries[p].PromisesKept++
	} else {
		s.Countries[p].PromisesBroken++
	}
}

// discuss is OE-143: each seat from the proposer makes a statement.
func (s *State) discuss(tape *env.Tape) { s.discussFrom(int(s.First), tape) }

func (s *State) discussFrom(p int, tape *env.Tape) {
	if s.game.Talk {
		s.decide(AtDiscuss, p)
		return
	}
	s.statement(p, SayNothing, tape)
}

func (s *State) statement(p int, w Word, tape *env.Tape) {
	s.say(p, w)
	s.promise(p, w)
	if next := s.after(p); next != int(s.First) {
		s.discussFrom(next, tape)
		return
	}
	s.ballot(tape)
}

// plea is OE-133: the accused speaks before the vote.
func (s *State) plea(p int, w Word) {
	s.say(p, w)
	s.promise(p, w)
	s.decide(AtSanction, int(s.First))
}
