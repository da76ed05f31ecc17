package games_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The places that ADDING.md names are there: functions by file.
func TestAdding(t *testing.T) {
	text, err := os.ReadFile("ADDING.md")
	if err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile("`([a-z/_]+\\.go): (\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(places) < 20 {
		t.Fatalf("ADDING.md names %d functions by file", len(places))
	}
	for _, place := range places {
		code, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(place[1])))
		if err != nil {
			t.Error(err)
		} else if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + place[2] + `\(`).Match(code) {
			t.Errorf("%s has no function %s", place[1], place[2])
		}
	}
}
