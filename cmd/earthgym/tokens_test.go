package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Parts of text views, each in a file named after the tokens that o200k_base has for it.
func TestCountTokens(t *testing.T) {
	files, err := filepath.Glob("testdata/tokens/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseFloat(strings.TrimSuffix(filepath.Base(file), ".txt"), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := countTokens(string(text)); math.Abs(got/want-1) > 0.1 {
			t.Errorf("%s: %.0f tokens", file, got)
		}
	}
	for text, want := range map[string]float64{"": 0, "\n": 1.7, "fund 3": 0.9 + 0.4 + 1 + 1, "+1234": 1.1 + 2} {
		if got := countTokens(text); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v tokens, want %v", text, got, want)
		}
	}
}
