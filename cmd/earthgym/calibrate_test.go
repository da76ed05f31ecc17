package main

import (
	"slices"
	"testing"

	"earthgym/agents/shipped"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

// A game's name stands for all tables that its network's card measures, each once, and a game with options for itself
// alone.
func TestCalibratedTables(t *testing.T) {
	envtest.NothingToRace(t)
	var o calibrateOptions
	for _, name := range shipped.Games() {
		list := must.Have(o.tables(name))(t)
		var texts []string
		for _, g := range list {
			if slices.Contains(texts, g.Info().Text) {
				t.Errorf("%s: %s comes twice", name, g.Info().Text)
			}
			texts = append(texts, g.Info().Text)
		}
		c := must.Have(shipped.Network(name))(t)
		for _, s := range c.Card.Strength {
			if !slices.Contains(texts, s.Game) {
				t.Errorf("%s: the card measures %s, where no levels would be fitted", name, s.Game)
			}
		}
		if last := texts[len(texts)-1]; len(texts) > 1 {
			if one, err := o.tables(last); err != nil || len(one) != 1 || one[0].Info().Text != last {
				t.Errorf("%s: %v, %v", last, one, err)
			}
		}
	}
}
