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
// of actions that come up in a few games of its kind, the fewer games the longer they are. A family that is used no more
// fails.
func TestUsage(t *testing.T) {
	const file, decisions = "testdata/usage.golden", 5000
	var text strings.Builder
	for _, script := range scripts() {
		rb := script.rulebook()
		for _, variant := range rb.Variants {
			g, err := env.Shelf{rb}.Open(variant)
			if err != nil {
				t.Fatal(err)
			}
			for level := range script.bots {
				text.WriteString(variant + " " + levels[level] + ": " + strings.Join(used(g, script.open(g, level), decisions), ", ") + "\n")
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

// used are the families that come up in the games of a bot with itself that so many decisions begin.
func used(g env.Game, bot *Bot, decisions int) []string {
	var families []string
	s, legal := g.New(), make(env.Mask, g.Info().MaskWords())
	n := 0
	for seed := uint64(0); n < decisions; seed++ {
		s.Reset(seed, nil)
		bot.Reset(seed)
		for s.Actor() != env.Over {
			s.Legal(legal)
			a := bot.Choose(s, legal)
			n++
			if family := g.Info().Actions[a].Family; !slices.Contains(families, family) {
				families = append(families, family)
			}
			s.Apply(a, nil)
		}
	}
	slices.Sort(families)
	return families
}
