package resilience

import "earthgym/env"

// Smog, the price of living beside industries: RULES.md 6.9.

// paySmog lets the owners of those of the fields that are occupied and not marked yet pay, and marks
// them (RE-070 to RE-074). Who has too little pays what there is.
func (s *State) paySmog(fields Fields, tape *env.Tape) {
	tape.Mark("smog", env.Over)
	for p := range s.game.players {
		paying := fields & s.land[p] &^ s.smogged
		s.loseLQ(p, paying)
		s.smogged |= paying
	}
}

// smogOfRound is RE-075: every occupied field beside an industry costs its owner, in every round.
func (s *State) smogOfRound(tape *env.Tape) {
	tape.Mark("smog", env.Over)
	smoggy := s.game.beside(s.industries)
	for p := range s.game.players {
		s.loseLQ(p, smoggy&s.land[p])
	}
}

func (s *State) loseLQ(p int, fields Fields) {
	s.lq[p] -= min(s.lq[p], int32(fields.Count()*s.game.data.SmogLQ)) // RE-073
}

// SmogPayers are the fields of p that an industry on f would make pay: once, or with smog=rounds every
// round.
func (s *State) SmogPayers(p env.Player, f Field) Fields {
	if s.game.smogRounds {
		return s.game.neighbours[f] & s.land[p] &^ s.game.beside(s.industries)
	}
	return s.game.neighbours[f] & s.land[p] &^ s.smogged
}
