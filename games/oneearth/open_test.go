package oneearth_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/games/oneearth"
)

// open opens a game text.
func open(t testing.TB, text string) env.Game {
	t.Helper()
	return must.Have(oneearth.Rulebook().Open(strings.TrimPrefix(text, "one-earth:"), datafile.File{}))(t)
}
