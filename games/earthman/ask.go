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
	text := fmt.Sprintf("%s (%s). %s", who, s.asking().Rule, s.question())
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
	case act.count.Has(a), act.region.Has(a):
		which = info.Args[0]
	case act.at.Has(a), act.part.Has(a), act.risk.Has(a):
		which = s.game.names[act.at.Index(a)%NumPlaces]
	case act.seat.Has(a):
		which = fmt.Sprintf("seat %d", s.seatOf(a))
	case act.tech.Has(a):
		which = s.game.techs[act.tech.Index(a)].name
		if note := s.note(a); note != "" {
			which += ", " + note
		}
	case attacks(a):
		which = "the UN"
		if target := s.targetOwner(act.fire.Index(a) % numTargets); target < UN {
			which = fmt.Sprintf("seat %d", target)
		}
	case a == Pacify, a == Replicate, a == InfluenceAct, a == ResearchAct, a == ResearchRisk: // What says it all.
	case act.build.Has(a):
		which = [...]string{"groups of three, twice", "groups of three", "groups of two",
			"single developments"}[act.build.Index(a)]
	case len(info.Args) > 0:
		which = info.Args[len(info.Args)-1]
	case familyWords[info.Family] != "" && a != Done:
		which = info.Text
	}
	return what, which
}

// Effects implements env.Asker: the numbers of a study. Those of dice are needs, not effects.
func (s *State) Effects(a env.Action) []env.Effect {
	if s.decision != AtTech || !act.tech.Has(a) {
		return nil
	}
	p, t := env.Player(s.seat), Tech(act.tech.Index(a))
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
