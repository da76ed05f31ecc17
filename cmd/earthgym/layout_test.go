package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"earthgym/env"
)

// A signal ends a command that is still reading its data.
func TestInfoEndsOnASignal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reading, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	go func() { <-reading; cancel() }()
	_, err := openUntil(ctx, func() (env.Game, error) { close(reading); <-release; return nil, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	var said strings.Builder
	if code := run(ctx, []string{"bench", "one-earth"}, &said, &said); code != exitFailed ||
		!strings.HasSuffix(said.String(), "\nearthgym: interrupted\n") {
		t.Errorf("exit code %d: %s", code, &said)
	}
}

func TestInfoShowsObjects(t *testing.T) {
	info, err := env.NewInfo(env.Info{
		Ends:     []env.Ending{{Name: "frost", Help: "the first frost", Loss: true}, {Name: "harvest", Help: "all is ripe"}},
		Features: []env.Feature{{Name: "beds", Shape: []int{3, 2}}},
		Objects:  []env.Objects{{Name: "bed", Count: 3, Features: []string{"beds"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := writeLayout(&b, info); err != nil || !strings.Contains(b.String(), "  bed  3  beds\n") ||
		!strings.Contains(b.String(), "  frost    the first frost; all lose\n  harvest  all is ripe\n") {
		t.Errorf("error %v, got\n%s", err, &b)
	}
}
