package main

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A match that is interrupted shows what it has played; one whose output programs read fails and shows nothing.
func TestInterruptedMatch(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		var out strings.Builder
		o := matchOptions{games: 200_000, seed: 1, forfeit: forfeitTakeover, asJSON: asJSON}
		err := runMatch(ctx, &out, io.Discard, "resilience-earth:players=2", []string{"random", "script:naive"}, o)
		want := `^interrupted after \d+ of 200000 games; the table is of the first \d+, and nothing is kept$`
		if asJSON {
			want = `^interrupted after \d+ of 200000 games$`
		}
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("error %v, want %s", err, want)
		}
		if told := strings.Contains(out.String(), "script:naive"); told == asJSON {
			t.Errorf("JSON %v: %q", asJSON, out.String())
		}
	}
}
