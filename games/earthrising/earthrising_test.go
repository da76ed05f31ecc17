package earthrising

import (
	"testing"

	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// openGame opens a game of this package.
func openGame(t testing.TB, options string) *Game {
	t.Helper()
	return must.Have(Rulebook().Open(options, datafile.File{}))(t).(*Game)
}
