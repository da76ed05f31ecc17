package earthman

import (
	"strings"
	"testing"

	"earthgym/env"
)

// The number that the words about a job tell is the one that its dice need (EB-017). In visited positions each job is
// tried alone, and its first lot looked at in the Thought window, which all seats are given Thoughts to open.
func TestNeedsAreThoseOfTheDice(t *testing.T) {
	seen := [numEvents]int{}
	each(t, func(before, _ *State, _ env.Action) {
		if before.phase == IsOver || before.nominatedText() != "" || before.game.thoughts == askNobody {
			return
		}
		for _, a := range before.legal().Append(nil) {
			said, e := before.need(a), before.jobEvent(a)
			if said == "" || e == noEvent {
				continue
			}
			try := *before
			for q := range env.Player(try.game.players) {
				try.setThoughts(q, 9)
			}
			try.Apply(a, nil)
			if !try.rollNext(e) {
				continue // nothing is left to be rolled for, or no die is needed
			}
			if real := needText(int(try.lot.need)); !strings.Contains(said, real) {
				t.Fatalf("%q is said to need %q, and its dice need %q", before.game.info.Actions[a].Text, said, real)
			}
			seen[e]++
		}
	})
	for _, e := range []event{
		evFire, evExpand, evOverthrow, evPacify, evReplicate, evConstruct, evResearch, evInfluence, evSpy,
	} {
		if seen[e] == 0 {
			t.Errorf("no dice of %q have been looked at", eventNames[e])
		}
	}
}

// jobEvent is the dice that an action is about now, noEvent if none.
func (s *State) jobEvent(a env.Action) event {
	switch {
	case s.decision == AtSpyTarget:
		return evSpy
	case s.decision == AtInfluenceCount:
		return evInfluence
	case a == Study, a == ResearchAct, a == ResearchRisk:
		return evResearch
	case act.fire.Has(a), act.fireRisk.Has(a):
		return evFire
	case act.overthrow.Has(a), act.overthrowRisk.Has(a):
		return evOverthrow
	case act.expand.Has(a):
		return evExpand
	case a == Pacify:
		return evPacify
	case a == Replicate:
		return evReplicate
	case a == Build(4), a == Build(1):
		return evConstruct
	}
	return noEvent
}

// rollNext plays on until dice lie there, one to a job and no more jobs, and says whether they are of that event.
func (s *State) rollNext(e event) bool {
	for range 12 {
		m := s.legal()
		switch {
		case s.phase == IsOver:
			return false
		case s.decision == AtThought:
			return s.lot.event == e
		case s.decision == AtJobCount:
			s.Apply(Count(1), nil)
		case m.Has(Done):
			s.Apply(Done, nil)
		default:
			s.Apply(m.Nth(0), nil)
		}
	}
	return false
}
