package resilience

import (
	"fmt"

	"earthgym/env"
)

// The sabbatical: RULES.md 6.7. Its LQ comes with the allocation.

// sabbaticalPossible is RE-050, RE-051 and RE-054.
func (s *State) sabbaticalPossible(p env.Player) bool {
	return !s.built && s.res[p] >= int32(s.game.data.SabbaticalRES) && !s.sabbaticalsUsedUp(p)
}

func (s *State) whyNoSabbatical(p env.Player, _ int) string {
	switch {
	case s.built:
		return fmt.Sprintf("player %d has settled or developed in this turn (RE-051)", p)
	case s.sabbaticalsUsedUp(p):
		return fmt.Sprintf("player %d has taken all %d sabbaticals (RE-054)", p, s.game.sabbaticals)
	}
	return fmt.Sprintf("it costs %d RES, and player %d has %d (RE-050)", s.game.data.SabbaticalRES, p, s.res[p])
}

// sabbaticalsUsedUp is RE-054.
func (s *State) sabbaticalsUsedUp(p env.Player) bool {
	return s.game.sabbaticals > 0 && int(s.sabbaticals[p]) >= s.game.sabbaticals
}

// takeSabbatical pays and lays the card out; the turn is over with it (RE-050).
func (s *State) takeSabbatical(p env.Player, tape *env.Tape) {
	s.res[p] -= int32(s.game.data.SabbaticalRES)
	s.sabbaticals[p]++
	s.resting[p] = true
	s.endTurn(tape)
}
