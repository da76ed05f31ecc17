package oneearth_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/games/oneearth"
)

func BenchmarkRandomPlay(b *testing.B) {
	envtest.BenchmarkPlay(b, oneearth.Rulebook(), "players=1", "players=2", "players=3", "players=4", "players=5",
		"players=4,mode=advanced")
}
