package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"earthgym/cmd/earthgym/rulebook"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// No rule is printed too wide for a screen.
func TestRulesFitTheScreen(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		text := must.Have(games.Rules(rb.Name))(t)
		for _, id := range rulebook.Read(text).IDs() {
			var b strings.Builder
			if err := runRules(&b, rb.Name, []string{id}, false, false); err != nil {
				t.Fatalf("%s: %v", rb.Name, err)
			}
			for line := range strings.Lines(b.String()) {
				if n := utf8.RuneCountInString(line); n > screenWidth+1 {
					t.Errorf("%s: %s: a line of %d columns: %s", rb.Name, id, n, line)
				}
			}
		}
	}
}
