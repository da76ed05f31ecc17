package resilience

import (
	"strconv"

	"earthgym/env"
)

// End and scoring: RULES.md 6.12 and 9.

// end stops the game, in the middle of whatever is going on (RE-110 to RE-112).
func (s *State) end(how Ending, tape *env.Tape) {
	s.ending, s.decision = how, Over
	if tape != nil && s.game.random {
		tape.Reveal(env.Everybody, "the timer was set to "+minutesText(s.limit))
	}
}

// Unequal says whether the greater of p's RES and LQ is more than 80 % of both (RE-114).
func (s *State) Unequal(p env.Player) bool {
	return 5*min(s.res[p], s.lq[p]) < s.res[p]+s.lq[p]
}

// Total is RES and LQ of p, less the penalty, as if the game ended now (RE-113).
func (s *State) Total(p env.Player) int {
	total := int(s.res[p] + s.lq[p])
	if s.Unequal(p) {
		total -= s.game.data.Penalty
	}
	return total
}

// score is what counts for p: the total, and after a collapse LQ alone.
func (s *State) score(p env.Player) int {
	if s.ending == Collapse {
		return int(s.lq[p])
	}
	return s.Total(p)
}

// Winners are those of the highest score (RE-115); after a collapse the culprit is not among them
// (RE-116).
func (s *State) Winners() env.Seats {
	if s.ending == Running {
		return env.Nobody
	}
	among := env.AllOf(s.game.players)
	if s.culprit >= 0 {
		among &^= env.Only(env.Player(s.culprit))
	}
	return among.Most(s.score)
}

// Returns are RE-120 to RE-122.
func (s *State) Returns(dst []float64) {
	clear(dst)
	if s.ending == Running {
		return
	}
	winners := s.Winners()
	n, w := float64(s.game.players), float64(winners.Count())
	win, lose := (n-w)/(w*(n-1)), -1/(n-1)
	if s.ending == Collapse {
		win *= s.game.collapseWin
	}
	for p := range dst {
		switch {
		case int8(p) == s.culprit:
			dst[p] = -1
		case winners.Has(env.Player(p)):
			dst[p] = win
		default:
			dst[p] = lose
		}
	}
}

// Scores are the totals, as if the game ended now; after a collapse LQ alone (RE-123).
func (s *State) Scores(dst []float64) {
	for p := range dst {
		dst[p] = float64(s.score(env.Player(p)))
	}
}

var endingTexts = [...]string{"", "collapse", "time", "stones"}

// Reason is collapse, time or stones.
func (s *State) Reason() string { return endingTexts[s.ending] }

// ends are RE-110 to RE-112. After a collapse somebody still wins (RE-116).
func ends() []env.Ending {
	return []env.Ending{
		{Name: endingTexts[Collapse], Help: "the Climate Tower has fallen; LQ alone counts, and not for the culprit"},
		{Name: endingTexts[Time], Help: "the time is up"},
		{Name: endingTexts[Stones], Help: "the last stone stands on the tower"},
	}
}

// measures are what Measures writes.
func measures() []env.Measure {
	return []env.Measure{
		{Name: "welfare", Help: "mean total of the seats, RES and LQ less penalties, after a collapse too"},
		{Name: "stones", Help: "stones on the tower at the end, from 0"},
		{Name: "collapse", Help: "1 if the tower has fallen, else 0"},
		{Name: "broken", Help: "promises broken by all seats"},
	}
}

// Measures tells how the table fared together.
func (s *State) Measures(dst []float64) {
	clear(dst)
	for p := range env.Player(s.game.players) {
		dst[0] += float64(s.Total(p)) / float64(s.game.players)
		dst[3] += float64(s.broken[p])
	}
	dst[1] = float64(s.tower)
	if s.ending == Collapse {
		dst[2] = 1
	}
}

// Depletion is how many of the stones stand on the tower.
func (s *State) Depletion() float64 {
	if s.ending == Collapse {
		return 1
	}
	return float64(s.tower) / float64(s.game.stones)
}

// LostBy says whether the tower has fallen, and in whose turn (RE-084).
func (s *State) LostBy() (bool, env.Seats) {
	if s.ending != Collapse {
		return false, env.Nobody
	}
	return true, env.Only(env.Player(s.culprit))
}

// minutesText is a length in words.
func minutesText(seconds int32) string { return strconv.Itoa(int(seconds)/60) + " minutes" }
