package oneearth

import "earthgym/env"

// endRound follows the last seat's turn: the NPC, the end tests, the new round procedure (OE-003,
// OE-110, OE-210, OE-216, OE-230).
func (s *State) endRound(tape *env.Tape) {
	if s.game.WithNPC() && !s.npcTurn(tape) {
		return
	}
	switch {
	case s.Final:
		s.end(FinalPlayed)
		return
	case int(s.Round) == s.game.MaxRounds:
		s.endOfRounds()
		return
	}
	s.IncomeMod, s.Donors, s.Recipients = 0, env.Nobody, env.Nobody // OE-112
	if s.game.WithNPC() {
		s.First = int8(s.after(int(s.First))) // OE-111
		s.startRound(tape)
		return
	}
	s.audit(tape)
}

// startRound begins the next round with the first player's turn.
func (s *State) startRound(tape *env.Tape) {
	s.Proposal, s.Using = NoResolution, NoTechnology
	s.Round++
	s.TurnsDone = 0
	s.startTurn(tape)
}

// audit is OE-115 to OE-118: the sanctioned seat, if it is still the highest emitter and Global
// Emissions are high, discards its dirtiest Project; the sanction is lifted in any case.
func (s *State) audit(tape *env.Tape) {
	p := int(s.Sanctioned)
	if p < 0 {
		s.passToken(tape)
		return
	}
	if int(s.Global) < s.game.Components.Constants.CriticalFrom || !s.Highest().Has(env.Player(p)) {
		s.Sanctioned = -1
		s.passToken(tape)
		return
	}
	plain, upgraded := s.dirtiest(p)
	switch {
	case plain == 0 && upgraded == 0:
		s.Sanctioned = -1
		s.passToken(tape)
	case plain&(plain-1) == 0 && upgraded == 0:
		tape.Mark("loses", lossOf(p, plain.First()))
		s.auditDiscard(p, plain.First(), false, tape)
	case upgraded&(upgraded-1) == 0 && plain == 0:
		tape.Mark("loses", lossOf(p, upgraded.First()))
		s.auditDiscard(p, upgraded.First(), true, tape)
	default:
		s.decide(AtAudit, p)
	}
}

// dirtiest is the types of a seat's plain and upgraded Projects with the greatest emission worth.
func (s *State) dirtiest(p int) (plain, upgraded Projects) {
	c, most := &s.Countries[p], int8(-1)
	for x := range Project(NumProjects) {
		if e := s.game.emission[0][x]; c.PlainSet.Has(x) && e >= most {
			if e > most {
				most, plain, upgraded = e, 0, 0
			}
			plain |= 1 << x
		}
		if e := s.game.emission[1][x]; c.UpgradedSet.Has(x) && e >= most {
			if e > most {
				most, plain, upgraded = e, 0, 0
			}
			upgraded |= 1 << x
		}
	}
	return plain, upgraded
}

// auditDiscard is OE-117: the loss, the lifting, the owner's decision about a loose use, the checkpoint.
func (s *State) auditDiscard(p int, x Project, upgraded bool, tape *env.Tape) {
	s.lose(p, x, upgraded)
	s.Sanctioned = -1
	s.settleLosses(tape)
}

// passToken is OE-111, and the rest of the new round procedure: events, then the meeting.
func (s *State) passToken(tape *env.Tape) {
	s.First = int8(s.after(int(s.First)))
	s.drawEvent(tape)
}

// Highest is the seats with the highest Emissions.
func (s *State) Highest() env.Seats {
	return s.all().Most(func(p env.Player) int { return int(s.Countries[p].Emissions) })
}

// Lowest is the seats with the lowest Emissions.
func (s *State) Lowest() env.Seats {
	return s.all().Most(func(p env.Player) int { return -int(s.Countries[p].Emissions) })
}

// Richest is the seats with the highest Prosperity.
func (s *State) Richest() env.Seats {
	return s.all().Most(func(p env.Player) int { return int(s.Countries[p].Prosperity) })
}

// Poorest is the seats with the lowest Prosperity.
func (s *State) Poorest() env.Seats {
	return s.all().Most(func(p env.Player) int { return -int(s.Countries[p].Prosperity) })
}

// all is every seat of the game.
func (s *State) all() env.Seats { return env.AllOf(s.game.Players) }
