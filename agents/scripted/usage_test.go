package scripted

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
)

// What each bot uses of a game is written down in testdata/usage.golden, a line for each variant and level: the families
// of actions that come up in a few games of its kind. A family that is used no more fails.
func TestUsage(t *testing.T) {
	const file, games = "testdata/usage.golden", 24
	var text strings.Builder
	for _, script := range []script{oneEarthBots, resilienceBots} {
		rb := script.rulebook()
		for _, variant := range rb.Variants {
			g, err := env.Shelf{rb}.Open(variant)
			if err != nil {
				t.Fatal(err)
			}
			for level := range script.bots {
				text.WriteString(variant + " " + levels[level] + ": " + strings.Join(used(g, script.open(g, level), games), ", ") + "\n")
			}
		}
	}
	if flag.Lookup("update").Value.String() == "true" { // of envtest
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for line := range strings.Lines(text.String()) {
		bot, families, _ := strings.Cut(strings.TrimSpace(line), ": ")
		got[bot] = strings.Split(families, ", ")
	}
	for line := range strings.Lines(string(golden)) {
		bot, families, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, family := range strings.Split(families, ", ") {
			if !slices.Contains(got[bot], family) {
				t.Errorf("%s does not use %q any more; if that is meant, -update rewrites the list", bot, family)
			}
		}
	}
}

// used are the families that come up in some games of a bot with itself.
func used(g env.Game, bot *Bot, games uint64) []string {
	var families []string
	s, legal := g.New(), make(env.Mask, g.Info().MaskWords())
	for seed := range games {
		s.Reset(seed, nil)
		bot.Reset(seed)
		for s.Actor() != env.Over {
			s.Legal(legal)
			a := bot.Choose(s, legal)
			if family := g.Info().Actions[a].Family; !slices.Contains(families, family) {
				families = append(families, family)
			}
			s.Apply(a, nil)
		}
	}
	slices.Sort(families)
	return families
}
