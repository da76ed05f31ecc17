package kuhn_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
)

var config = envtest.Config{Weights: map[string]float64{"bet": 2}, Games: 6}

func TestConformance(t *testing.T) { envtest.Run(t, kuhn.Rulebook(), config) }

func TestGolden(t *testing.T) { envtest.Golden(t, kuhn.Rulebook(), config) }

func TestScenarios(t *testing.T) { envtest.Scenarios(t, kuhn.Rulebook()) }

func TestSoak(t *testing.T) { envtest.Soak(t, kuhn.Rulebook(), config) }

func FuzzGame(f *testing.F) { envtest.Fuzz(f, kuhn.Rulebook()) }

func FuzzPosition(f *testing.F) { envtest.FuzzPosition(f, kuhn.Rulebook()) }
