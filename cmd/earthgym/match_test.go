package main

import (
	"context"
	"io"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// fuse is a context that ends once it has been asked so often.
type fuse struct {
	context.Context
	left atomic.Int64
}

func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A match that is interrupted shows what it has played; one whose output programs read fails and shows nothing.
func TestInterruptedMatch(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		ctx := &fuse{Context: t.Context()}
		ctx.left.Store(2000)
		var out strings.Builder
		// so that games end in order
		o := matchOptions{games: 1000, seed: 1, forfeit: forfeitTakeover,
			sharedFlags: sharedFlags{asJSON: asJSON, workers: 1}}
		err := runMatch(ctx, &out, io.Discard, "resilience-earth:players=2", []string{"random", "script:naive"}, o)
		want := `^interrupted after \d+ of 1000 games; the table is of the first \d+, and nothing is kept$`
		if asJSON {
			want = `^interrupted after \d+ of 1000 games$`
		}
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("error %v, want %s", err, want)
		}
		if told := strings.Contains(out.String(), "script:naive"); told == asJSON {
			t.Errorf("JSON %v: %q", asJSON, out.String())
		}
	}
}
