package shipped

import (
	"testing"

	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Tunings are for the component data that come with the program. A game may have none.
func TestTunings(t *testing.T) {
	all := must.Have(tunings())(t)
	known := map[string]bool{}
	for _, rb := range games.All() {
		known[rb.Name] = true
		g := must.Have(rb.Open("", datafile.File{}))(t)
		if tuning, ok := all[rb.Name]; ok && tuning.Data != g.Info().DataHash {
			t.Errorf("the tuning of %s is for component data %s, and %s come with the program now: see whether it still holds",
				rb.Name, tuning.Data, g.Info().DataHash)
		}
	}
	for name := range all {
		if !known[name] {
			t.Errorf("tuning.toml speaks of %s, which is no game", name)
		}
	}
}
