package resilience

import "earthgym/env"

// The Climate Tower: RULES.md 6.10.

// certain is a fall chance of 1.
const certain = 10000

// placeStone puts a stone of the first stack on the tower (RE-080): it falls, it was the last one, its
// stack has run out, or nothing happens.
func (s *State) placeStone(tape *env.Tape) {
	s.placed = true
	tape.Mark("stone", env.Over)
	if s.stoneFalls(tape) { // RE-084: it is neither on the tower nor at the edge
		s.culprit = int8(s.Active())
		s.end(Collapse, tape)
		return
	}
	s.tower++
	switch {
	case s.tower == s.game.stones: // RE-085
		s.end(Stones, tape)
	case s.game.empties>>s.tower&1 != 0: // RE-086
		s.climateEvent(tape)
	}
}

// stoneFalls is RE-081 to RE-083: chance, where it is not certain.
func (s *State) stoneFalls(tape *env.Tape) bool {
	fall := s.game.fall[s.tower+1]
	switch fall {
	case 0:
		return false
	case certain:
		return true
	}
	weights := [2]int{int(fall), certain - int(fall)}
	i := tape.Weighted(&s.luck[stoneStream], env.Everybody, "stone", 2,
		func(i int) int { return weights[i] }, func(i int) string { return stoneTexts[i] })
	return i == 0
}

var stoneTexts = [2]string{"falls", "stands"}

// NextFall is the chance that the next stone but skip brings the tower down; 0 if there is none.
func (s *State) NextFall(skip int) float64 { return s.game.FallChance(int(s.tower) + 1 + skip) }
