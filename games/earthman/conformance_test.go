package earthman_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/games/earthman"
)

// Drawn evenly, games end by claim, by peace or by giving everything away, before fleets have met, and
// the wars, the technologies and the end by points stay untested (RULES.md 12, 13.3).
var config = envtest.Config{
	RulePrefix: "EB",
	Weights: map[string]float64{
		"claim": 0.05, "peace": 0.05, "yes": 0.5, "expand": 6, "resource": 4, "all": 3, "fleet": 2, "land": 0.5,
		"done": 1.5, "at": 3, "study": 2, "tech": 3, "research": 2, "discontent": 0.3, "fire": 0.5, "seat": 0.3,
	},
	Games: 1,
}

func TestConformance(t *testing.T) { envtest.Run(t, earthman.Rulebook(), config) }

func TestScenarios(t *testing.T) { envtest.Scenarios(t, earthman.Rulebook()) }
