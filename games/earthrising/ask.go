package earthrising

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	if s.decision == over {
		return ""
	}
	who := fmt.Sprintf("Player %d", s.Actor())
	if s.Actor() == p {
		who = "You decide"
	}
	if k, ok := s.decider(); ok {
		who += " as the " + s.game.characterName(k)
	}
	text := fmt.Sprintf("%s: %s.", who, phaseAsks[s.decision])
	seen := s.sees(p)
	switch {
	case s.decision == atLooked && seen.Has(s.inside.card):
		text += " The card: " + s.game.cardName(s.inside.card) + "."
	case s.decision == atOrder:
		for j, c := range s.inside.order[:s.inside.orderSize] {
			if seen.Has(c) {
				text += fmt.Sprintf(" Place %d: %s.", j, s.game.cardName(c))
			}
		}
	case s.decision == atPay || s.decision == atCircle:
		text += " For: " + s.game.info.Actions[s.inside.pending].Text + "."
	case s.decision == atClean:
		text += fmt.Sprintf(" Strain left to remove: %d.", s.inside.credits)
	}
	return text
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	info := &s.game.info.Actions[a]
	what = familyWords[info.Family]
	switch {
	case a >= create && a < clean:
		c := practiceOf(a)
		return what, s.game.practiceName(c, a < disband)
	case a >= clean && a < give:
		x, n := Sector((a-clean)/maxCleanUp), (a-clean)%maxCleanUp+1
		return "Clean up strain of " + s.game.sectorName(x), fmt.Sprint(n)
	case a >= give && a < to:
		return what, s.game.cardName(Card(a - give))
	case a >= discard && a < circle:
		return what, s.game.cardName(Card(a - discard))
	case a >= token && a < startUp:
		c := Card(a - token)
		return what, s.game.practiceName(c, s.sustainable.Has(c))
	case a >= to && a < refresh:
		return what, s.game.characterName(Character(a - to))
	case a >= choose && a < want:
		return what, s.game.characterName(Character(a - choose))
	case a >= major && a < minor:
		return what, s.game.sectorName(Sector(a - major))
	case a >= minor && a < discard:
		return what, s.game.sectorName(Sector(a - minor))
	case a >= want && a < plan:
		return what, s.game.sectorName(Sector(a - want))
	case a >= plan:
		return what, s.game.sectorName(Sector(a - plan))
	case a >= move && a < ask:
		return what, strings.Join(info.Args, " to ")
	case len(info.Args) > 0:
		return what, strings.Join(info.Args, " ")
	}
	return what, ""
}
