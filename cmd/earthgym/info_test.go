package main

import (
	"context"
	"errors"
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
}
