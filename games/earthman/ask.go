package earthman

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	if s.phase == IsOver {
		return ""
	}
	jobs := s.nominatedText()
	if jobs != "" {
		jobs = " Nominated: " + jobs + "."
	}
	if s.Actor() == p {
		return fmt.Sprintf("%s%s (%s)", s.asked(), jobs, s.asking().Rule)
	}
	return fmt.Sprintf("Seat %d decides (%s). %s%s", s.seat, s.asking().Rule, s.question(), jobs)
}

// asked is the question in words to the seat that decides; {seat} is the one whose turn it is, {target} the one that is
// spied on or helped.
func (s *State) asked() string {
	text := s.asking().Direct
	switch s.decision {
	case AtFleetJobs, AtDevJobs:
		return s.question() + " Which job do some of them get?"
	case AtExpandUse, AtPacifyUse, AtTech:
		if s.pending.left > 0 {
			text += fmt.Sprintf(" %d more to come.", s.pending.left)
		}
	}
	if text == "" {
		return s.question()
	}
	text = strings.NewReplacer("{seat}", fmt.Sprint(s.actor), "{target}", fmt.Sprint(s.pending.target)).Replace(text)
	if s.pending.at >= 0 {
		return s.where() + ": " + text
	}
	return text
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	what = s.about(a)
	info := &s.game.info.Actions[a]
	switch {
	case act.count.Has(a), act.region.Has(a):
		which = info.Args[0]
	case act.at.Has(a), act.part.Has(a), act.risk.Has(a):
		which = s.game.names[act.at.Index(a)%NumPlaces]
	case act.seat.Has(a):
		which = fmt.Sprintf("seat %d", s.Asked(a))
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

// Inside implements env.Asker.
func (s *State) Inside() string { return s.asking().GoesOn() }

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
