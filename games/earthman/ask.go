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

// Effects implements env.Asker: the numbers of a study. Those of dice are needs, not effects.
func (s *State) Effects(a env.Action) []env.Effect {
	if s.decision != AtTech || a < tech0 || a >= fire0 {
		return nil
	}
	p, t := env.Player(s.seat), Tech(a-tech0)
	after, alone := *s, *s
	after.Apply(a, nil)
	alone.play(a, nil)
	if after.seats[p].counter[t] != alone.seats[p].counter[t] || after.seats[p].level[t] != alone.seats[p].level[t] {
		return nil // the next success can be used for nothing else
	}
	steps := env.Effect{Player: p, What: "step " + t.ID(), By: 1}
	levels := env.Effect{Player: p, What: "level " + t.ID()}
	if _, step, of := s.study(t); step == of {
		steps.By, levels.By = 1-step, 1
	}
	return []env.Effect{steps, levels}
}

// Counters implements env.Asker.
func (s *State) Counters() (list []env.Counter) {
	for p := range env.Player(s.game.players) {
		for t := range Tech(NumTechs) {
			list = append(list, env.Counter{Player: p, What: "step " + t.ID(), Value: s.Counter(p, t)},
				env.Counter{Player: p, What: "level " + t.ID(), Value: s.Level(p, t)})
		}
	}
	return list
}
