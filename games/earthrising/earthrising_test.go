package earthrising

import (
	"testing"

	"earthgym/env/datafile"
)

// openGame opens a game of this package.
func openGame(t testing.TB, options string) *Game {
	t.Helper()
	g, err := Rulebook().Open(options, datafile.File{})
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}
