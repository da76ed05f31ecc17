package earthman_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/games/earthman"
)

func BenchmarkRandomPlay(b *testing.B) {
	envtest.BenchmarkPlay(b, earthman.Rulebook(), "players=2", "players=4", "players=6")
}
