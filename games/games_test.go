package games_test

import (
	"strings"
	"testing"

	"earthgym/games"
)

func TestShelf(t *testing.T) {
	for _, rb := range games.All() {
		if found, err := games.Find(rb.Name); err != nil || found.Name != rb.Name {
			t.Errorf("%s is not found by its name: %v", rb.Name, err)
		}
		g, err := games.Open(rb.Name)
		if err != nil {
			t.Errorf("%s does not open at its defaults: %v", rb.Name, err)
		} else if g.Info().Name != rb.Name {
			t.Errorf("%s opens as %s", rb.Name, g.Info().Name)
		}
	}
	// The test game is not for players.
	if _, err := games.Open("kuhn"); err == nil || !strings.Contains(err.Error(), `unknown game "kuhn"`) {
		t.Errorf("opening kuhn gives %v", err)
	}
	if _, err := games.ReadData([]string{"missing.toml"}); err == nil {
		t.Error("a missing data file is no error")
	}
}
