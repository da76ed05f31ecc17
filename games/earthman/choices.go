package earthman

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// What may be done now, for those who read it: the legal actions by family, in the game's words.

// choice is legal actions of a family that need the same: what they do, and how they are written, several
// together where only their last words differ: "fire +1 (seat 2), +3 (seat 0)", "count 1-12".
type choice struct {
	about   string
	actions []string
	plain   []string // actions without a note, until they are written together
	head    string   // the words before the last of the latest action with a note
}

// choices are all legal actions; what ends the asking comes last.
func (s *State) choices() []choice {
	var list []choice
	for _, a := range s.legal().Append(nil) {
		about := s.about(a)
		if need := s.need(a); need != "" {
			about += ", " + need
		}
		i := slices.IndexFunc(list, func(c choice) bool { return c.about == about })
		if i < 0 {
			i = len(list)
			list = append(list, choice{about: about})
		}
		list[i].add(s.game.info, s.game.info.Actions[a].Text, s.note(a))
	}
	if m := s.legal(); m.Has(Done) {
		list = append(list[1:], list[0])
	}
	for i := range list {
		list[i].actions = append(list[i].actions, board.Group(list[i].plain)...)
	}
	return list
}

// add adds an action, with what it names in brackets and without the words that it shares with the one before,
// unless what is left would be another action.
func (c *choice) add(info *env.Info, text, note string) {
	head, tail := "", text
	if i := strings.LastIndexByte(text, ' ') + 1; i > 0 {
		head, tail = text[:i], text[i:]
	}
	_, err := info.Parse(tail)
	switch alone := err == nil; {
	case alone && note == "":
		c.actions = append(c.actions, text)
	case note == "":
		c.plain = append(c.plain, text)
	default:
		if c.head == head && !alone {
			text = tail
		}
		c.head = head
		c.actions = append(c.actions, fmt.Sprintf("%s (%s)", text, note))
	}
}

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

// about says in the game's words what an action does now.
func (s *State) about(a env.Action) string {
	if does, _ := s.asking().About(s, env.Player(s.seat), a); does != "" {
		return does
	}
	return familyWords[s.game.info.Actions[a].Family]
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
