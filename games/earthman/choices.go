package earthman

import (
	"fmt"
	"strconv"

	"earthgym/env"
)

// What may be done now, for those who read it: the legal actions by family, in the game's words.

// need is the number that an action's dice need, and what they do.
func (s *State) need(a env.Action) string {
	p, pd := env.Player(s.seat), &s.pending
	roll := &s.game.data.Roll
	switch {
	case s.decision == AtFleetJobs && attacks(a):
		target, penalty := s.targetOwner(act.fire.Index(a)%numTargets), act.fire.Index(a)/numTargets%2
		if act.fire.Has(a) || act.fireRisk.Has(a) {
			return needText(s.HitNeed(p, target) + penalty)
		}
		return needText(s.OverthrowNeed(p, target, pd.at) + penalty)
	case s.decision == AtFleetJobs && act.expand.Has(a):
		return needText(s.ExpandNeed(p, 3-act.expand.Index(a))) + " per group"
	case a == Pacify:
		return needText(roll.Pacify-int(s.seats[p].level[Stability])) + " per die, two make one use"
	case a == Replicate:
		return needText(roll.Replicate) + " per die adds a fleet, a 1 shakes one"
	case s.decision == AtInfluenceCount && a != All:
		return needText(int(s.game.influence[act.count.Index(a)]))
	case s.decision == AtInfluenceCount:
		return needText(int(s.game.influence[s.seats[p].fleet[pd.at].Count()]))
	case a == ResearchAct:
		return needText(s.researchNeed(p)) + " per die"
	case a == ResearchRisk:
		return needText(s.researchNeed(p)+1) + " per die"
	case a == Study && s.decision == AtAssist:
		return fmt.Sprintf("%d dice at %s", assistanceDice, needText(s.researchNeed(p)))
	case a == act.build.First:
		return "two fleets a group, Risk roll " + needText(roll.Twice)
	case a == act.build.First+3:
		return "one fleet a group, Risk roll " + needText(roll.Once)
	case act.build.Has(a):
		return "one fleet a group, no roll"
	case s.decision == AtDevJobs && act.region.Has(a):
		return fmt.Sprintf("%d dice each", 3+int(s.seats[p].level[Defences]))
	case s.decision == AtSpyTarget:
		return needText(s.SpyNeed(p, s.Asked(a)))
	}
	return ""
}

// note says whom an action names, or how far a track is.
func (s *State) note(a env.Action) string {
	switch {
	case act.seat.Has(a) && a != Seat(0):
		return fmt.Sprintf("seat %d", s.Asked(a))
	case attacks(a):
		if target := s.targetOwner(act.fire.Index(a) % numTargets); target < UN {
			return fmt.Sprintf("seat %d", target)
		}
	case s.decision == AtTech && act.tech.Has(a):
		level, step, of := s.study(Tech(act.tech.Index(a)))
		return fmt.Sprintf("level %d: %d of %d", level, step, of)
	case s.decision == AtJobCount && a == All:
		return strconv.Itoa(s.jobMost(s.pending.action))
	}
	return ""
}

// study is what a success in a technology brings the seat that decides: a step, of so many, towards a level (EB-166,
// EB-167).
func (s *State) study(t Tech) (level, step, of int) {
	p := env.Player(s.seat)
	return s.Level(p, t) + 1, s.Counter(p, t) + 1, s.game.Steps(t)
}

// about says in the game's words what an action does now, and the number that its dice need.
func (s *State) about(a env.Action) string {
	what, _ := s.asking().About(s, env.Player(s.seat), a)
	if what == "" {
		what = familyWords[s.game.info.Actions[a].Family]
	}
	if need := s.need(a); need != "" {
		what += ", " + need
	}
	return what
}

// familyWords say what the actions of a family do in most decisions.
var familyWords = map[string]string{
	"done": "Nothing more", "yes": "Answer", "no": "Answer", "all": "How many", "count": "How many",
	"at": "World", "part": "Some of them to", "risk": "A fleet At Risk at", "region": "Region", "seat": "Seat",
	"tech": "Study",
	"fire": "Open Fire, steady fleets", "firerisk": "Open Fire, fleets At Risk",
	"overthrow": "Overthrow by two hits, steady fleets", "overthrowrisk": "Overthrow by two hits, fleets At Risk",
	"expand": "Expansion by groups", "pacify": "Pacification", "replicate": "Von Neumann Engines",
	"influence": "Political Influence", "research": "Research", "researchrisk": "Research",
	"build3x2": "Construction", "build3": "Construction", "build2": "Construction", "build1": "Construction",
	"reroll": "Spend a Thought on a die", "resource": "Pay with", "discontent": "Pay with", "sanction": "Pay with",
	"claim": "Claim the victory", "peace": "Propose peace", "fleet": "Take a fleet", "study": "Take research",
	"voyage": "Take a voyage of a fleet", "land": "Hand over",
	"steal": "Try to steal research", "sabotage": "Try to put a fleet or region of another At Risk",
	"incite": "Try to bring another discontent", "subvert": "Try to take a Thought from another",
}
