package nim_test

import (
	"testing"

	"example.org/stranger/nim"

	"earthgym/env/envtest"
)

func TestConformance(t *testing.T) { envtest.Run(t, nim.Rulebook(), envtest.Config{Games: 1}) }
