package earthrising

import "earthgym/env"

// end ends the game (ER-902 to ER-905).
func (s *State) end(r result) {
	s.decision, s.result, s.inside = over, r, inside{}
}

// Segments is how many of the segments that count are in the centre (ER-002, ER-801).
func (s *State) Segments() int {
	n := s.major.count()
	if s.game.variant != quickplay {
		n += s.minor.count()
	}
	return n
}

// transformed says whether all of them are.
func (s *State) transformed() bool { return s.Segments() == int(s.game.required) }

// share is f of the scores: the part of the segments that is in the centre.
func (s *State) share() float64 { return float64(s.Segments()) / float64(s.game.required) }

// score is the raw score; before the end it is that of a calendar that has run out.
func (s *State) score() int {
	switch s.result {
	case won:
		return 100 + int(s.game.limit-s.year)
	case fourthCollapse:
		return 20 * s.Segments() / int(s.game.required)
	}
	return 60 * s.Segments() / int(s.game.required)
}

// Scores writes the one raw score for every seat.
func (s *State) Scores(dst []float64) { fill(dst, float64(s.score())) }

// Returns writes the one return for every seat.
func (s *State) Returns(dst []float64) {
	value := 0.0
	switch {
	case s.result == running:
	case s.result == won:
		value = 1
	case s.game.binary:
		value = -1
	case s.result == outOfTime:
		value = -0.5 + float64(0.75*s.share())
	case s.result == fourthCollapse:
		value = -1 + float64(0.25*s.share())
	}
	fill(dst, value)
}

func fill(dst []float64, value float64) {
	for i := range dst {
		dst[i] = value
	}
}

// Winners is every seat or nobody (ER-001).
func (s *State) Winners() env.Seats {
	if s.result != won {
		return env.Nobody
	}
	return 1<<s.game.players - 1
}

// Reason is win, calendar or collapse once the game is over.
func (s *State) Reason() string { return resultIDs[s.result] }

// ends are ER-902 to ER-905.
func ends() []env.Ending {
	return []env.Ending{
		{Name: resultIDs[won], Help: "all segments needed are transformed"},
		{Name: resultIDs[outOfTime], Help: "the calendar has run out", Loss: true},
		{Name: resultIDs[fourthCollapse], Help: "the fourth collapse has come", Loss: true},
	}
}

// Depletion is how many of the four collapses have come.
func (s *State) Depletion() float64 { return float64(s.collapses) / (maxCollapses + 1) }

// LostBy says whether the fourth has come; it is nobody's.
func (s *State) LostBy() (bool, env.Seats) { return s.result == fourthCollapse, env.Nobody }

// measures are what Measures writes.
func measures() []env.Measure {
	return []env.Measure{
		{Name: "segments", Help: "share of the segments needed that are transformed at the end, 0 to 1"},
		{Name: "collapses", Help: "collapses over the game, 0 to 4"},
	}
}

// Measures is what beside the score says how near the table came.
func (s *State) Measures(dst []float64) { dst[0], dst[1] = s.share(), float64(s.collapses) }
