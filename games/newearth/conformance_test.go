package newearth

import (
	"testing"

	"earthgym/env/envtest"
)

// config weighs play so that it reaches cities, elections and their secrets: uniform play spends a third
// of its decisions on offers and never gets there.
var config = envtest.Config{
	Weights: map[string]float64{
		"zone": 3, "goods": 6, "worker": 4, "mfg": 4, "machine": 1.5, "bulk": 3, "plant": 2, "city": 8, "raise": 4,
		"offer": 0.15, "propose": 4, "done": 0.7, "sell": 0.2, "unit": 0.3, "discard": 0.5, "yes": 2, "play": 2,
		"plus20": 0.5,
	},
	Games:        1,
	Combinations: 4,
	// A seat that began an election and can't pay has withdrawn unseen, and with it what was contested no longer is.
	Seldom: []string{"election.claimants", "election.contested"},
}

func TestConformance(t *testing.T) { envtest.Run(t, Rulebook(), config) }

func TestGolden(t *testing.T) { envtest.Golden(t, Rulebook(), config) }

func TestSoak(t *testing.T) { envtest.Soak(t, Rulebook(), config) }

func FuzzPlay(f *testing.F) { envtest.Fuzz(f, Rulebook()) }

func FuzzPosition(f *testing.F) { envtest.FuzzPosition(f, Rulebook()) }

func TestScenarios(t *testing.T) { envtest.Scenarios(t, Rulebook()) }

func TestObservationsAreComplete(t *testing.T) { envtest.Complete(t, Rulebook(), config, ".", nil) }
