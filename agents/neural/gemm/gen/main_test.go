package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestUpToDate(t *testing.T) {
	for name, want := range generate() {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s isn't what gen writes: run go generate ./agents/neural/gemm", name)
		}
	}
}
