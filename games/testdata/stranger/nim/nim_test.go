package nim_test

import (
	"testing"

	"earthgym/env/envtest"
	"example.org/stranger/nim"
)

func TestConformance(t *testing.T) { envtest.Run(t, nim.Rulebook(), envtest.Config{Games: 1}) }
