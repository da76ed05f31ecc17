package resilience_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/games/resilience"
)

// Drawn evenly among all actions, games hardly build, and the tower, events and ends by the tower stay
// untested (RULES.md 12).
var config = envtest.Config{
	Games:        1, // of each variant; TestSoak plays many
	Combinations: 8, // the variants go through every option already
	Weights: map[string]float64{
		"city": 8, "industry": 8, "settle": 5, "done": 2, "yes": 1, "no": 1, "amount": 1,
		"sabbatical": 0.5, "offer": 0.5, "say": 0.5, "dismantle": 0.4,
	},
}

func TestConformance(t *testing.T) { envtest.Run(t, resilience.Rulebook(), config) }

func TestGolden(t *testing.T) { envtest.Golden(t, resilience.Rulebook(), config) }

func TestScenarios(t *testing.T) { envtest.Scenarios(t, resilience.Rulebook()) }

func TestSoak(t *testing.T) { envtest.Soak(t, resilience.Rulebook(), config) }

func FuzzGame(f *testing.F) { envtest.Fuzz(f, resilience.Rulebook()) }

func FuzzPosition(f *testing.F) { envtest.FuzzPosition(f, resilience.Rulebook()) }

func TestObservationsAreComplete(t *testing.T) {
	envtest.Complete(t, resilience.Rulebook(), config, ".", nil)
}
