package oneearth_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/games/oneearth"
)

// Drawn evenly, requests for aid fill the turns, and games end before much of the UN's business is done
// (RULES.md 5.4).
var config = envtest.Config{
	Games: 1, // they are long; TestSoak plays many
	Weights: map[string]float64{
		"fund": 3, "policy": 3, "tech": 4, "pass": 2, "ask": 0.3, "refresh": 0.3, "propose": 6, "mars": 4,
	},
}

func TestConformance(t *testing.T) { envtest.Run(t, oneearth.Rulebook(), config) }

func TestGolden(t *testing.T) { envtest.Golden(t, oneearth.Rulebook(), config) }

func TestScenarios(t *testing.T) { envtest.Scenarios(t, oneearth.Rulebook()) }

func TestSoak(t *testing.T) { envtest.Soak(t, oneearth.Rulebook(), config) }

func FuzzGame(f *testing.F) { envtest.Fuzz(f, oneearth.Rulebook()) }

func FuzzPosition(f *testing.F) { envtest.FuzzPosition(f, oneearth.Rulebook()) }

func TestObservationsAreComplete(t *testing.T) {
	envtest.Complete(t, oneearth.Rulebook(), config, ".", nil)
}
