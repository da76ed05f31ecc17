package newearth

import (
	"strings"

	"earthgym/env"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	switch s.Actor() {
	case env.Over:
		return ""
	case p:
		return "You decide: " + decisions[s.decision].asks + "."
	}
	return s.waiting(p) + "."
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	what = s.about(a)
	info := &s.game.info.Actions[a]
	switch {
	case len(info.Args) == 0:
		if info.Family == "mining" || info.Family == "energy" {
			which = info.Family
		}
	case a >= offer0 && a < give0: // What names the seat.
	case a >= give0:
		which = strings.Join([]string{info.Args[1], info.Args[0]}, " ")
	default:
		which = s.game.wordOf(info.Args[0])
	}
	return what, which
}

// wordOf is the name of a card for its word in the action table, and any other word as it is.
func (g *Game) wordOf(word string) string {
	for c := range Card(len(cardNames)) {
		if cardNames[c] == word {
			return g.titleOf(c)
		}
	}
	return word
}
