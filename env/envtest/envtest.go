// Package envtest is the conformance suite that every game passes, and the tools of its tests: golden
// records, scenarios, fuzz targets, long runs, and the coverage of its rules.
//
// A game's test is one call of [Run]; beside it stand [Golden], [Scenarios], [Complete], [Soak], [Fuzz] and
// [FuzzPosition]:
//
//	func TestConformance(t *testing.T) {
//		envtest.Run(t, oneearth.Rulebook(), envtest.Config{})
//	}
//
// The suite knows games only through package env. It goes over every variant of the rulebook and over
// option combinations drawn from a fixed seed, and plays each at random, evenly and weighted. Every
// failure says the game's text, the seed, the decision and the actions that led there.
package envtest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/env/scenario"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	soak   = flag.Int("soak", 0, "random games that Soak plays of each variant")
)

// Config is what the suite must be told of a game.
type Config struct {
	// Weights are those of action families in weighted play: a family is drawn among those that have a
	// legal action, and then one of its actions evenly. Families left out weigh 1. Nil plays evenly.
	Weights map[string]float64
	// Games are played of each variant, evenly and as many weighted; 0 stands for 2.
	Games int
	// Combinations of options are drawn beside the variants; 0 stands for 12.
	Combinations int
	// Seldom are places of positions that are secrets by the rules, in situations that the suite's games don't come to:
	// the suite doesn't ask for a redeal that changes them.
	Seldom []string

	rules *Rules // of RULES.md in the directory of the test: every reason must name one, if there are any
}

// A check is one property that every game has. It gives the first failure.
type check struct {
	name string
	run  func(*subject) error
}

// checks are all properties. The invariants come first: without them the others mean nothing.
var checks = []check{
	{"invariants", checkInvariants},
	{"info", checkInfo},
	{"mask", checkMask},
	{"reasons", checkReasons},
	{"illegal", checkIllegal},
	{"returns", checkReturns},
	{"observation", checkObservation},
	{"reading", checkReading},
	{"determinism", checkDeterminism},
	{"chance", checkChance},
	{"copies", checkCopies},
	{"equal", checkEqual},
	{"position", checkPosition},
	{"snapshot", checkSnapshot},
	{"record", checkRecord},
	{"texts", checkTexts},
	{"board", checkBoard},
	{"asks", checkAsker},
	{"effects", checkEffects},
	{"secrets", checkSecrets},
	{"redeal", checkRedeal},
	{"known", checkKnown},
	{"story", checkStory},
	{"allocations", checkAllocations},
	{"vec", checkVec},
}

// Run tests that a game keeps the contract of package env. With -short it tests the first variant
// alone, which is enough for the race detector: a State belongs to one goroutine, and only Vec has more.
func Run(t *testing.T, rb *registry.Rulebook, c Config) {
	t.Helper()
	if !testing.Short() {
		t.Run("options", func(t *testing.T) {
			if err := checkOptions(rb, c); err != nil {
				t.Error(err)
			}
		})
	}
	book, err := os.ReadFile("RULES.md")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	c.rules = RulesOf(book)
	subjects := must.Have(newSubjects(rb, c))(t)
	if testing.Short() {
		subjects = subjects[:1]
	}
	for _, s := range subjects {
		t.Run(s.info.Text, func(t *testing.T) {
			s.conform(func(c check) bool {
				return t.Run(c.name, func(t *testing.T) {
					if err := s.run(c); err != nil {
						t.Error(err)
					}
				})
			})
		})
	}
	if secrets := subjects[0].secrets; secrets.looked == len(subjects) && !testing.Short() && !t.Failed() {
		if err := secrets.idle(c.Seldom); err != nil {
			t.Error(err)
		}
	}
}

// NothingToRace skips a test with -short, which is how make race runs them: one goroutine, or another program, does
// all the work, so that the race detector has nothing to find and would take ten times as long.
func NothingToRace(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing in it goes on at the same time: with -short it is left out")
	}
}

// Scenarios runs every scenario in testdata/scenarios of the calling package.
func Scenarios(t *testing.T, rb *registry.Rulebook) {
	t.Helper()
	files := must.Have(filepath.Glob("testdata/scenarios/*.toml"))(t)
	if len(files) == 0 {
		t.Fatal("there are no scenarios in testdata/scenarios")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			sc, err := scenario.Read(file)
			if err == nil {
				err = sc.Run(func(game string, data []datafile.File) (env.Game, error) {
					return registry.Registry{rb}.Open(game, data...)
				})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// GoldenFile compares bytes with the file testdata/golden/name of the calling package; -update
// rewrites it.
func GoldenFile(t testing.TB, name string, got []byte) {
	t.Helper()
	if err := compareGolden(filepath.Join("testdata", "golden", name), got, *update); err != nil {
		t.Error(err)
	}
}

func compareGolden(file string, got []byte, update bool) error {
	if update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, got, 0o644)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%w; -update writes it", err)
	}
	if string(got) == string(want) {
		return nil
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i, line := range gotLines {
		if i >= len(wantLines) {
			return fmt.Errorf("%s: it ends at line %d, where now comes %q", file, i, line)
		}
		if line != wantLines[i] {
			return fmt.Errorf("%s:%d: got\n\t%s\nwant\n\t%s\n(-update rewrites it)", file, i+1, line, wantLines[i])
		}
	}
	return fmt.Errorf("%s:%d: it goes on where nothing more comes", file, len(gotLines)+1)
}
