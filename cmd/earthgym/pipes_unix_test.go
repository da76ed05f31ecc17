//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"earthgym/env/envtest/must"
)

// A file that somebody names is read where it is a regular file, and nowhere else: a pipe, to which nobody may ever
// write, is refused at once, whatever it is named as.
func TestPipesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.toml")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	scenario := filepath.Join(dir, "scenario.toml")
	must.Do(t, os.WriteFile(scenario, []byte("game = \"one-earth\"\ndata = \"pipe.toml\"\n"), 0o600))
	out := filepath.Join(dir, "out")
	// Whoever opens a pipe to read waits for a writer. One that comes finds a reader only where one waits, and lets it go
	// on.
	var waited atomic.Bool
	stop := make(chan struct{})
	defer close(stop)
	pipes := []string{pipe}
	folder := func(name string) string {
		t.Helper()
		in := t.TempDir()
		must.Do(t, syscall.Mkfifo(filepath.Join(in, name), 0o600))
		pipes = append(pipes, filepath.Join(in, name))
		return in
	}
	trained, cup, records := folder("config.toml"), folder("tournament.json"), folder("a.jsonl")
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			for _, name := range pipes {
				if f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
					waited.Store(true)
					f.Close()
				}
			}
		}
	}()
	for _, args := range [][]string{
		{"match", "one-earth:players=3", "random", "random", "--games", "3", "--data", pipe},
		{"record", "one-earth:players=3", "random", "--data", pipe},
		{"play", "one-earth:players=3", "--data", pipe},
		{"games", "one-earth", "--observation", pipe},
		{"explain", pipe, "--at", "3"},
		{"replay", pipe},
		{"play", "--out", pipe},
		{"replay", pipe, "--import"},
		{"replay", pipe, "--import", "--out", out},
		{"scenario", pipe},
		{"scenario", scenario},
		{"lesson", pipe},
		{"export", pipe, out},
		{"export", "--parquet", out, pipe},
		{"export", "--parquet", out, records},
		{"agents", "net:" + pipe},
		{"match", "one-earth:players=3", "net:" + pipe, "random", "--games", "3"},
		{"train", "one-earth:players=3", "--from", pipe, "--out", out},
		{"train", "one-earth:players=3", "--clone", "records:" + records, "--out", out},
		{"train", "--out", trained},
		{"tournament", "--out", cup},
		{"dev", "sweep", "one-earth:players=3", pipe, "--out", out},
		{"dev", "calibrate", "one-earth:players=3", "--out", pipe},
		{"dev", "puzzles", "one-earth:players=3", "--out", pipe},
		{"serve", "--listen", "tcp:127.0.0.1:0", "--token-file", pipe},
		{"mcp", "--listen", "127.0.0.1:0", "--token-file", pipe},
	} {
		var said bytes.Buffer
		code := run(t.Context(), args, &said, &said)
		if waited.Swap(false) {
			t.Errorf("%q waits for somebody who writes into the pipe: %s", args, &said)
		}
		if !strings.Contains(said.String(), "it is a named pipe, not a regular file") || code == exitOK {
			t.Errorf("%q: exit %d: %s", args, code, &said)
		}
	}
}
