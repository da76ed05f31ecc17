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

// direct are the questions to the seat that decides that have no numbers of their own; {seat} is the one whose turn it
// is, {target} the one
// that is spied on or helped.
var direct = [numDecisions]string{
	AtPrelude:        "Your turn of the Prelude: a fleet, a study or a voyage?",
	AtVoyageFrom:     "From where does a fleet of yours set out on a voyage skyward, if at all?",
	AtVoyageTo:       "Where does the fleet go, skyward of here?",
	AtAccord:         "Do you claim victory, propose peace, or neither?",
	AtClaimVote:      "Seat {seat} claims victory: do you agree that it has won?",
	AtPeaceVote:      "Seat {seat} proposes peace: do you agree?",
	AtRiskRegion:     "Which of your steady regions becomes At Risk?",
	AtRiskLose:       "Which of your regions is lost?",
	AtUnrestFleet:    "Unrest: where does a steady fleet of yours become At Risk, or, if there is none, is one removed?",
	AtMutiny:         "Where do your fleets mutiny?",
	AtEarlyLaunch:    "From which orbit do fleets of yours launch before all movement, if any?",
	AtLaunch:         "From which orbit do fleets of yours launch, if any?",
	AtLaunchTo:       "Where do the fleets go, skyward of here, all or a part of them?",
	AtPartCount:      "How many steady fleets go? One fleet at least stays.",
	AtPartCountRisk:  "How many fleets At Risk go? One fleet at least stays.",
	AtExtraMove:      "Do you make another round of movement?",
	AtWorldward:      "Do the fleets go a step worldward, all or a part of them?",
	AtFleetWorld:     "At which world do your fleets act next?",
	AtRaze:           "Which of your regions is destroyed?",
	AtExpandUse:      "A success: where do you clear Devastation, or settle?",
	AtOverthrowReply: "Which of your regions is shaken, or given up if it is At Risk?",
	AtPacifyUse:      "A success: what do you calm, pay off or gain?",
	AtForfeitRisk:    "Which of your steady fleets becomes At Risk?",
	AtDevWorld:       "At which world do your developments act next?",
	AtDefendTarget:   "At whom does the region fire?",
	AtInfluenceCount: "How many fleets do you remove, three or more?",
	AtInfluenceRisk:  "How many of the fleets that you remove are At Risk ones?",
	AtTech:           "A success: which technology do you study?",
	AtAssist:         "Do you take a fleet from the UN for a resource, have its help with research, or neither?",
	AtSpy:            "Which operation of espionage do you undertake?",
	AtSpyTarget:      "Against which seat?",
	AtSpyWorld:       "On which world, of those where both of you are?",
	AtSpyTech:        "Which technology do you study, of those in which seat {target} is ahead of you?",
	AtSpyMark:        "Which fleet or region of seat {target} becomes At Risk?",
	AtShare:          "Which seat do you help to study, if any?",
	AtShareTech:      "In which technology do you help seat {target}, of those in which you are ahead?",
	AtTransfer:       "Which seat do you offer units to, if any?",
	AtTransferWhat:   "Do you offer fleets, or land?",
	AtTransferFleet:  "Which fleets do you offer, of one status at one place?",
	AtTransferCount:  "How many fleets do you offer?",
	AtTransferWorld:  "On which world do you offer land?",
	AtTransferRegion: "Which of your regions do you offer?",
	AtTakeFleet:      "How do you pay for a fleet that you accept: with resource, or with discontent?",
}

// asked is the question in words to the seat that decides.
func (s *State) asked() string {
	text := direct[s.decision]
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
