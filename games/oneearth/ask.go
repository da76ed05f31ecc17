package oneearth

import (
	"strconv"

	"earthgym/env"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	switch s.Actor() {
	case env.Over:
		return ""
	case p:
		return "You decide: " + decisions[s.Decision].asks + "."
	}
	return s.deciderText() + "."
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	what = s.choiceText(a)
	switch {
	case a >= Fund && a < Tech:
		which = "place " + strconv.Itoa(int(a-Fund)+1)
	case a >= Amount && a < Say:
		which = strconv.Itoa(int(a - Amount))
	case a > BidNothing && a < BidNo:
		which = strconv.Itoa(int(a-BidYes) + 1)
	case a >= BidNo && a < Propose:
		which = strconv.Itoa(int(a-BidNo) + 1)
	}
	return what, which
}
