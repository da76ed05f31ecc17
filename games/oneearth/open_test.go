package oneearth_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/games/oneearth"
)

// open opens a game text.
func open(t testing.TB, text string) env.Game {
	t.Helper()
	g, err := oneearth.Rulebook().Open(strings.TrimPrefix(text, "one-earth:"), datafile.File{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
