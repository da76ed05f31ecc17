package earthrising

import (
	"math"

	"earthgym/env"
)

// end ends the game (ER-902 to ER-905).
func (s *State) end(r result) {
	s.phase, s.result, s.inside = inOver, r, inside{}
}

// segments is how many of the segments that count are in the centre (ER-002, ER-801).
func (s *State) segments() int {
	n := s.major.count()
	if s.game.variant != quickplay {
		n += s.minor.count()
	}
	return n
}

// transformed says whether all of them are.
func (s *State) transformed() bool { return s.segments() == int(s.game.required) }

// share is f of the scores: the part of the segments that is in the centre.
func (s *State) share() float64 { return float64(s.segments()) / float64(s.game.required) }

// score is the raw score; before the end it is that of a calendar that has run out.
func (s *State) score() int {
	switch s.result {
	case won:
		return 100 + int(s.game.limit-s.year)
	case fourthCollapse:
		return 20 * s.segments() / int(s.game.required)
	}
	return 60 * s.segments() / int(s.game.required)
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
		value = -0.5 + 0.75*s.share()
	case s.result == fourthCollapse:
		value = -1 + 0.25*s.share()
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

// measures are what Measures writes.
func measures() []env.Measure {
	return []env.Measure{
		{Name: "segments", Help: "share of the segments needed that are transformed at the end, 0 to 1"},
		{Name: "collapses", Help: "collapses over the game, 0 to 4"},
	}
}

// Measures is what beside the score says how near the table came.
func (s *State) Measures(dst []float64) { dst[0], dst[1] = s.share(), float64(s.collapses) }

// Potential is for potential-based shaping: what is transformed, less collapses and strain.
func (s *State) Potential(env.Player) float64 {
	strain := float64(s.total()) / float64(NumSectors*int(s.game.full))
	return 0.6*s.share() - 0.1*float64(s.collapses) - 0.2*strain
}

// An outlookWeight is what a number counts in the log-odds of a win: at once, and for each turn that is left.
type outlookWeight struct{ now, turn float64 }

// outlookWeights are logistic regressions over the turns of tables of strong bots: 4,200 normal games with 1 to 6 seats,
// 2,700 with win=sustained, 3,500 of quickplay.
type outlookWeights struct {
	one                    outlookWeight // the constant
	majors, minors         outlookWeight // segments outside
	outside, inside, whole outlookWeight // strain in sectors without a segment in the centre, with the Major, with both
	rising, falling        outlookWeight // net of Phase 2 of all sectors that gain strain, and that lose it
	poverty                outlookWeight
	lost                   [4]float64 // the share at the end of a lost game: 1, share now, tenths of turns left, product of both
}

var (
	normalOutlook = outlookWeights{
		one: outlookWeight{2.21, 0.294}, majors: outlookWeight{-0.08, -0.0144}, minors: outlookWeight{-0.744, 0.0685},
		outside: outlookWeight{-0.0224, -0.0019}, inside: outlookWeight{-0.0044, -0.0049}, whole: outlookWeight{0.0984, 0.0118},
		rising: outlookWeight{-0.334, -0.0086}, falling: outlookWeight{-0.002, 0.0186}, poverty: outlookWeight{-0.0513, 0},
		lost: [4]float64{0.573, 0.21, 0.08, -0.065},
	}
	sustainedOutlook = outlookWeights{
		one: outlookWeight{-0.615, 0.289}, majors: outlookWeight{-0.273, -0.0025}, minors: outlookWeight{-0.484, 0.0373},
		outside: outlookWeight{0.01, -0.0033}, inside: outlookWeight{-0.0542, 0.0021}, whole: outlookWeight{-0.0313, 0.0191},
		rising: outlookWeight{-0.646, 0.0126}, falling: outlookWeight{0.0557, 0.0076}, poverty: outlookWeight{-0.0265, 0.0023},
		lost: [4]float64{0.604, 0.227, 0.098, -0.053},
	}
	quickplayOutlook = outlookWeights{
		one: outlookWeight{2.63, 2.058}, majors: outlookWeight{0.176, -0.0601},
		outside: outlookWeight{-0.234, 0.0054}, inside: outlookWeight{-0.0458, -0.0352},
		rising: outlookWeight{-0.0989, -0.1003}, falling: outlookWeight{0.173, 0.0212}, poverty: outlookWeight{0.0055, -0.0212},
		lost: [4]float64{0.317, 0.614, 0.322, -0.739},
	}
)

// collapseOdds is what a collapse takes off the log-odds of a win. Strong bots have too few of them to measure it.
const collapseOdds = 0.7

// Outlook is the chance of a win at the beginning of a turn.
func (s *State) Outlook(dst []float64) bool {
	if s.result != running || s.phase == inChoose || s.actions != int8(s.game.data.Turn.Actions) || s.inside.drawing == actionDrawing {
		return false
	}
	w := &normalOutlook
	switch {
	case s.game.variant == quickplay:
		w = &quickplayOutlook
	case s.game.sustained:
		w = &sustainedOutlook
	}
	var outside, inside, whole, rising, falling int
	for x := range Sector(NumSectors) {
		strain, net := int(s.strain[x]), int(s.net(x))
		switch {
		case s.minor.has(x):
			whole += strain
		case s.major.has(x):
			inside += strain
		default:
			outside += strain
		}
		rising, falling = rising+max(net, 0), falling+max(-net, 0)
	}
	turns := float64(s.game.limit - s.year)
	odds := -collapseOdds * float64(s.collapses)
	for _, term := range [...]struct {
		outlookWeight
		n int
	}{
		{w.one, 1}, {w.majors, NumSectors - s.major.count()}, {w.minors, NumSectors - s.minor.count()}, {w.outside, outside},
		{w.inside, inside}, {w.whole, whole}, {w.rising, rising}, {w.falling, falling}, {w.poverty, int(s.poverty)},
	} {
		odds += (term.now + term.turn*turns) * float64(term.n)
	}
	win := 1 / (1 + math.Exp(-odds))
	lost := -1.0
	if !s.game.binary {
		share := s.share()
		lost = -0.5 + 0.75*min(1, w.lost[0]+w.lost[1]*share+(w.lost[2]+w.lost[3]*share)*turns/10)
	}
	fill(dst, win+(1-win)*lost)
	return true
}
