package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestUpToDate(t *testing.T) {
	asm, decl := generate()
	for name, want := range map[string][]byte{asmFile: asm, declFile: decl} {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s isn't what gen writes: run go generate ./agents/neural/gemm", name)
		}
	}
}
