package earthman

import (
	"fmt"

	"earthgym/env"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	if s.phase == IsOver {
		return ""
	}
	who := fmt.Sprintf("Seat %d decides", s.seat)
	if s.Actor() == p {
		who = "You decide"
	}
	text := fmt.Sprintf("%s (%s). %s", who, decisions[s.decision].rule, s.question())
	if jobs := s.nominatedText(); jobs != "" {
		text += " Nominated: " + jobs + "."
	}
	return text
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	what = s.about(a)
	if need := s.need(a); need != "" {
		what += ", " + need
	}
	info := &s.game.info.Actions[a]
	switch {
	case a >= count0 && a < at0, a >= region0 && a < seat0:
		which = info.Args[0]
	case a >= at0 && a < region0:
		which = s.game.names[(int(a)-int(at0))%NumPlaces]
	case a >= seat0 && a < tech0:
		which = fmt.Sprintf("seat %d", s.seatOf(a))
	case a >= tech0 && a < fire0:
		which = s.game.techs[a-tech0].name
		if note := s.note(a); note != "" {
			which += ", " + note
		}
	case a >= fire0 && a < expand0:
		which = "the UN"
		if target := s.targetOwner(int(a-fire0) % numTargets); target < UN {
			which = fmt.Sprintf("seat %d", target)
		}
	case a >= Pacify && a < build0: // What says it all.
	case a >= build0 && a < rerollLow:
		which = [...]string{"groups of three, twice", "groups of three", "groups of two", "single developments"}[a-build0]
	case len(info.Args) > 0:
		which = info.Args[len(info.Args)-1]
	case familyWords[info.Family] != "" && a != Done:
		which = info.Text
	}
	return what, which
}
