package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"earthgym/env/envtest/must"
)

func TestUpToDate(t *testing.T) {
	for name, want := range generate() {
		got := must.Have(os.ReadFile(filepath.Join("..", name)))(t)
		if !bytes.Equal(got, want) {
			t.Errorf("%s isn't what gen writes: run go generate ./agents/neural/gemm", name)
		}
	}
}
