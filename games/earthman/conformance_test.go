package earthman_test

import (
	"regexp"
	"strings"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/registry"
	"earthgym/games/earthman"
)

// Drawn evenly, games end by claim, by peace or by giving everything away, before fleets have met, and
// the wars, the technologies and the end by points stay untested (RULES.md 12, 13.3).
var config = envtest.Config{
	Weights: map[string]float64{
		"claim": 0.05, "peace": 0.05, "yes": 0.5, "expand": 6, "resource": 4, "all": 3, "fleet": 2, "land": 0.5,
		"done": 1.5, "at": 3, "study": 2, "tech": 3, "research": 2, "discontent": 0.3, "fire": 0.5, "seat": 0.3,
	},
	Games: 1,
}

// some is the rulebook with every k-th variant. As there are 7 sets of rules for each of 5 numbers of
// seats, k = 5 has each of both.
func some(k int) *registry.Rulebook {
	rb := earthman.Rulebook()
	var texts []string
	for i := 0; i < len(rb.Variants); i += k {
		texts = append(texts, rb.Variants[i])
	}
	rb.Variants = texts
	return rb
}

// even is for games drawn evenly: weighted ones are ten times as long, and a few variants have them.
var even = envtest.Config{Games: 1, Combinations: 4}

// Each set of rules and each number of seats; make soak goes over all 35 variants.
func TestConformance(t *testing.T) { envtest.Run(t, some(5), even) }

func TestConformanceWeighted(t *testing.T) {
	c := config
	c.Combinations = 1
	envtest.Run(t, some(13), c)
}

// quick is the game with short tracks, in which random play reaches Artificial Intelligence, its
// Thoughts and Skynet.
func quick() *registry.Rulebook {
	rb := earthman.Rulebook()
	text := regexp.MustCompile(`steps = \d+`).ReplaceAllString(string(rb.Data), "steps = 1")
	rb.Data = []byte(strings.ReplaceAll(text, "others = 3", "others = 1"))
	rb.Variants = nil
	rb.Variants = []string{
		rb.Name + ":players=3,claims=0,peace=0",
		rb.Name + ":players=4,claims=0,peace=0,skynet=on,collab=on,territory=on,prelude=on,espionage=on,thoughts=key",
	}
	return rb
}

func TestConformanceQuick(t *testing.T) {
	c := config
	c.Combinations = 1
	envtest.Run(t, quick(), c)
}

// Golden records are of even play.
func TestGolden(t *testing.T) { envtest.Golden(t, earthman.Rulebook(), envtest.Config{}) }

func TestScenarios(t *testing.T) { envtest.Scenarios(t, earthman.Rulebook()) }

func TestSoak(t *testing.T) {
	envtest.Soak(t, earthman.Rulebook(), config)
	t.Run("conformance", func(t *testing.T) { envtest.Run(t, earthman.Rulebook(), even) })
	t.Run("quick", func(t *testing.T) { envtest.Soak(t, quick(), config) })
}

func FuzzGame(f *testing.F) { envtest.Fuzz(f, earthman.Rulebook()) }

func FuzzPosition(f *testing.F) { envtest.FuzzPosition(f, earthman.Rulebook()) }

func TestVariants(t *testing.T) {
	rb := earthman.Rulebook()
	for _, rules := range []string{"", "skynet", "collab", "territory", "prelude", "espionage",
		"skynet=on,collab=on,territory=on,prelude=on,espionage"} {
		for players := '2'; players <= '6'; players++ {
			want := "earthmans-burden:players=" + string(players)
			if rules != "" {
				want += "," + rules + "=on"
			}
			if !strings.Contains(strings.Join(rb.Variants, "\n")+"\n", want+"\n") {
				t.Errorf("%s is no variant", want)
			}
		}
	}
}

func TestObservationsAreComplete(t *testing.T) {
	envtest.Complete(t, earthman.Rulebook(), config, ".", nil)
}
