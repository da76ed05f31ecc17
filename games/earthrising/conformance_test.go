package earthrising_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/games/earthrising"
)

// config makes weighted play clean up and transform, so that it reaches Minors, recessions and wins,
// where even play collapses after ten turns.
var config = envtest.Config{
	Games: 1, // there are fifteen variants, and a drawing is large
	Weights: map[string]float64{
		"end turn": 0.05, "clean": 12, "major": 40, "minor": 60, "create": 6, "flip": 6, "disband": 0.5,
		"give": 0.5, "refresh": 0.3, "ask": 0.5, "want": 0.2, "plan": 0.2,
	},
}

func TestConformance(t *testing.T) {
	c := config
	if testing.Short() {
		c.Combinations = 3
	}
	envtest.Run(t, earthrising.Rulebook(), c)
}

func TestGolden(t *testing.T) { envtest.Golden(t, earthrising.Rulebook(), config) }

func TestScenarios(t *testing.T) { envtest.Scenarios(t, earthrising.Rulebook()) }

func TestSoak(t *testing.T) { envtest.Soak(t, earthrising.Rulebook(), config) }

func FuzzPlay(f *testing.F) { envtest.Fuzz(f, earthrising.Rulebook()) }

func FuzzPosition(f *testing.F) { envtest.FuzzPosition(f, earthrising.Rulebook()) }

func TestObservationsAreComplete(t *testing.T) {
	envtest.Complete(t, earthrising.Rulebook(), config, ".", nil)
}
