package scripted

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// What each bot does is written down in testdata: in choices.golden a line for each variant, level and version with a
// hash of what it chooses, in usage.golden a line for each variant and level with the families of actions that come up,
// both in a few games of its kind, the fewer the longer they are. Choices that differ are another version of the bot:
// the one before becomes one of its script's earlier ones, which go on being held to what they chose. A family that is
// used no more fails.
func TestUsage(t *testing.T) {
	const decisions = 5000
	var usage, choices strings.Builder
	for _, script := range scripts() {
		rb := script.rulebook()
		for _, variant := range rb.Variants {
			g := must.Have(registry.Registry{rb}.Open(variant))(t)
			for level := range script.bots {
				name := variant + " " + levels[level]
				for version := range script.version(level) {
					bot := must.Have(open(scripts(), g, fmt.Sprintf("%s@%d", levels[level], version+1)))(t)
					families, hash := choose(g, bot(), decisions)
					fmt.Fprintf(&choices, "%s@%d: %016x\n", name, version+1, hash)
					if version+1 == script.version(level) {
						fmt.Fprintf(&usage, "%s: %s\n", name, strings.Join(families, ", "))
					}
				}
			}
		}
	}
	for _, script := range scripts() {
		g := must.Have(registry.Registry{script.rulebook()}.Open(script.rulebook().Name))(t)
		for _, p := range Populations(g) {
			bot := must.Have(OpenPopulation(g, p.Name))(t)
			_, hash := choose(g, bot(), 1000)
			fmt.Fprintf(&choices, "%s background:%s: %016x\n", g.Info().Name, p.Name, hash)
			strong := must.Have(Open(g, "strong@1"))(t)
			if _, other := choose(g, strong(), 1000); hash == other {
				t.Errorf("background:%s of %s plays as script:strong does", p.Name, g.Info().Name)
			}
		}
	}
	chosen := golden(t, "choices.golden", choices.String())
	for bot, hash := range chosen {
		if got := lines(choices.String())[bot]; got != hash {
			t.Errorf("%s does not choose as it did: raise its version and keep the one before, as script.earlier tells "+
				"(while that has not "+
				"been released, delete its lines in choices.golden, and -update writes them anew)", bot)
		}
	}
	got := lines(usage.String())
	for bot, families := range golden(t, "usage.golden", usage.String()) {
		for _, family := range strings.Split(families, ", ") {
			if !slices.Contains(strings.Split(got[bot], ", "), family) {
				t.Errorf("%s does not use %q any more; if that is meant, -update rewrites the list", bot, family)
			}
		}
	}
}

// golden are the lines of a golden file. With -update they become those given, but for choices, which only grow.
func golden(t *testing.T, file, text string) map[string]string {
	t.Helper()
	file = "testdata/" + file
	kept, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	before := lines(string(kept))
	if flag.Lookup("update").Value.String() == "true" { // of envtest
		var b strings.Builder
		for line := range strings.Lines(text) {
			bot, hash, _ := strings.Cut(strings.TrimSpace(line), ": ")
			if old, ok := before[bot]; ok && file == "testdata/choices.golden" {
				hash = old
			}
			b.WriteString(bot + ": " + hash + "\n")
		}
		must.Do(t, os.WriteFile(file, []byte(b.String()), 0o666))
		before = lines(b.String())
	}
	for bot := range lines(text) {
		if _, ok := before[bot]; !ok {
			t.Errorf("%s has no line for %s: -update adds it", file, bot)
		}
	}
	return before
}

// lines are what stands behind the names of bots.
func lines(text string) map[string]string {
	of := map[string]string{}
	for line := range strings.Lines(text) {
		bot, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		of[bot] = rest
	}
	return of
}

// choose plays the games of a bot with itself that so many decisions begin, and gives the families that come up and a
// hash of all choices.
func choose(g env.Game, bot *Bot, decisions int) ([]string, uint64) {
	var families []string
	hash := fnv.New64a()
	s, legal := g.New(), make(env.Mask, g.Info().MaskWords())
	n := 0
	for seed := uint64(0); n < decisions; seed++ {
		s.Reset(seed, nil)
		bot.Reset(seed)
		for s.Actor() != env.Over {
			s.Legal(legal)
			a := bot.Choose(s, legal)
			n++
			_, _ = hash.Write([]byte{byte(a), byte(a >> 8)}) // It never fails.
			if family := g.Info().Actions[a].Family; !slices.Contains(families, family) {
				families = append(families, family)
			}
			s.Apply(a, nil)
		}
	}
	slices.Sort(families)
	return families, hash.Sum64()
}

// A bot that gets better stays what it was under its old number.
func TestVersions(t *testing.T) {
	rb := scripts()[0].rulebook()
	g := must.Have(rb.Open("", datafile.File{}))(t)
	older := scripts()[0]
	newer := older
	newer.bots[2] = older.bots[0]
	newer.earlier[2] = []bot{older.bots[2]}
	hash := func(s script, level string) uint64 {
		t.Helper()
		bot := must.Have(open([]script{s}, g, level))(t)
		_, sum := choose(g, bot(), 500)
		return sum
	}
	if hash(newer, "strong@1") != hash(older, "strong") || hash(newer, "strong@2") != hash(newer, "strong") ||
		hash(newer, "strong") != hash(older, "naive") {
		t.Error("strong@1 is not what strong was, or strong@2 is not what it is now")
	}
	for _, level := range []string{"strong@3", "strong@0", "strong@", "strong@01", "strong@-1", "strong@x"} {
		if _, err := open([]script{newer}, g, level); err == nil || !strings.Contains(err.Error(), "there are 1 to 2") {
			t.Errorf("%s: %v", level, err)
		}
	}
	if v, err := Version(g, Strong); err != nil || v != older.version(2) {
		t.Errorf("strong is version %d, %v", v, err)
	}
}
