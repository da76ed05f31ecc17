package earthman_test

import (
	"testing"

	"earthgym/env/envtest"
	"earthgym/games/earthman"
)

func TestScenarios(t *testing.T) { envtest.Scenarios(t, earthman.Rulebook()) }
