package resilience

import "earthgym/env"

// Talk: RULES.md 6.14.

// mayTalk is RE-140: in games with talk one statement a turn.
func (s *State) mayTalk(env.Player) bool { return s.game.talk && !s.said }

func (s *State) whyNoTalk(env.Player, int) string {
	if !s.game.talk {
		return "this game is played without talk (RE-140, option talk)"
	}
	return "one statement a turn, and it has been made (RE-140)"
}

// say is RE-140: it changes nothing but what will be judged.
func (s *State) say(w Word) {
	s.said = true
	if w != Warn {
		s.promiseNew = w
	}
}

// judge counts the promise that p made in its turn before as kept or broken, and puts this turn's in
// its place (RE-142, RE-143).
func (s *State) judge(p env.Player) {
	kept := false
	switch s.promise[p] {
	case Calm:
		kept = !s.placed
	case Cut:
		kept = s.cut
	case Rest:
		kept = s.resting[p]
	case Grow:
		kept = s.placed
	}
	switch {
	case s.promise[p] == NoWord:
	case kept:
		s.kept[p]++
	default:
		s.broken[p]++
	}
	s.promise[p] = s.promiseNew
}

// wordMeanings are what is promised, in words; Warn promises nothing.
var wordMeanings = [numWords]string{
	Calm: "to place no stone", Cut: "to dismantle a city or industry", Rest: "to take a sabbatical",
	Grow: "to place a stone",
	Warn: "nobody should place stones now",
}
