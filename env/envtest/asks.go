package envtest

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// checkAsker tests that a State which puts its decisions into words has words for all of them, and that no two actions
// are told in the same ones.
func checkAsker(s *subject) error {
	return s.look(func(st env.State, _ *play, _ int) error {
		asker, ok := st.(env.Asker)
		if !ok {
			return nil
		}
		for p := env.Spectator; p < env.Player(s.info.Players); p++ {
			if p == env.Over {
				continue // nobody who looks
			}
			switch text, over := env.Question(st, p), st.Actor() == env.Over; {
			case (text == "") != over:
				return fmt.Errorf("the question as viewer %d is told it is %q, and the game over: %v", p, text, over)
			case strings.ContainsAny(text, "\n\t"):
				return fmt.Errorf("the question has more than one line: %q", text)
			}
		}
		told := map[string]env.Action{}
		for _, a := range env.LegalActions(st) {
			if what, _ := asker.About(a); what == "" {
				return fmt.Errorf("%q is not told about", env.ActionText(st, a))
			}
			text := about(st, a)
			if other, ok := told[text]; ok {
				return fmt.Errorf("%q and %q are both told as %q", env.ActionText(st, other), env.ActionText(st, a), text)
			}
			told[text] = a
		}
		return nil
	})
}

// about is all that is said about a legal action, "" without words for it.
func about(st env.State, a env.Action) string {
	asker, ok := st.(env.Asker)
	if !ok {
		return ""
	}
	what, which := asker.About(a)
	return what + ": " + which
}
