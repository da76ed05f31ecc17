package main

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"earthgym/env/envtest/must"
)

func TestWriteWrapped(t *testing.T) {
	words := strings.Repeat("ä ", 60) + strings.Repeat("b", 120) + " end"
	var b strings.Builder
	must.Do(t, writeWrapped(&b, "  häd  ", words))
	for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if n := utf8.RuneCountInString(line); n > screenWidth && !strings.Contains(line, "bbb") {
			t.Errorf("a line of %d columns: %q", n, line)
		}
		if want := "  häd  "; i == 0 && !strings.HasPrefix(line, want) || i > 0 &&
			!strings.HasPrefix(line, strings.Repeat(" ", utf8.RuneCountInString(want))) {
			t.Errorf("line %d: %q", i, line)
		}
	}
	if got, want := strings.Fields(b.String())[1:], strings.Fields(words); strings.Join(got, " ") != strings.Join(want,
		" ") {
		t.Errorf("got the words %q", got)
	}
}

func TestJSONHoldsNoControlCharacters(t *testing.T) {
	const evil = "\x1b[31m \u009b31m \u202e \U000e0001 <&> ä"
	var b strings.Builder
	must.Do(t, writeJSON(&b, []string{evil}))
	if want := `["\u001b[31m \u009b31m \u202e \udb40\udc01 <&> ä"]` + "\n"; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
	var back []string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back[0] != evil {
		t.Errorf("read back: %q, %v", back, err)
	}
}
