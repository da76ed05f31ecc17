//go:build unix

package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// A client of another machine gets the networks of one folder, and learns nothing of other files: no content,
// not even whether there are any. No file makes the server wait or read without end.
func TestStrangersReachOneFolder(t *testing.T) {
	base := t.TempDir()
	nets := filepath.Join(base, "nets")
	g := kuhn.Open(2)
	write := func(dir string) {
		p := must.Have(neural.NewParams(neural.Spec{Inputs: g.Info().Observation(), Actions: 2, Hidden: []int{4}}))(t)
		must.Do(t, os.MkdirAll(filepath.Join(dir, checkpoint.Dir), 0o755))
		must.Do(t, checkpoint.Write(filepath.Join(dir, checkpoint.Dir, checkpoint.FileName(1)),
			checkpoint.New(g.Info(), p)))
	}
	write(filepath.Join(nets, "good"))
	write(filepath.Join(base, "other"))
	const secret = "\x08\x00\x00\x00\x00\x00\x00\x00{hunter2"
	for _, name := range []string{filepath.Join(base, "secret"), filepath.Join(nets, "junk")} {
		must.Do(t, os.WriteFile(name, []byte(secret), 0o600))
	}
	for name, target := range map[string]string{
		"zero": "/dev/zero", "out": filepath.Join(base, "other"), "leak": filepath.Join(base, "secret"), "alias": "good",
	} {
		must.Do(t, os.Symlink(target, filepath.Join(nets, name)))
	}
	linked := filepath.Join(nets, "linked", checkpoint.Dir)
	must.Do(t, os.MkdirAll(linked, 0o755))
	must.Do(t, os.Symlink(filepath.Join(base, "secret"), filepath.Join(linked, checkpoint.FileName(1))))
	must.Do(t, syscall.Mkfifo(filepath.Join(nets, "fifo"), 0o600))
	var log bytes.Buffer
	s := strangers{nets, slog.New(slog.NewTextHandler(&log, nil))}
	for _, text := range []string{
		"net:/dev/zero", "net:/etc/passwd", "net:../secret", "net:../other", "net:" + filepath.Join(nets, "good"),
		"net:good/../../other",
		"net:zero", "net:out", "net:leak", "net:fifo", "net:junk", "net:linked", "net:none", "net:good,best",
	} {
		log.Reset()
		_, err := s.open(text, g)
		if want := "agent \"" + text +
			"\": the server's folder of networks holds none of this name that plays kuhn"; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
		if !strings.Contains(log.String(), "reason=") {
			t.Errorf("%s: the log says %q", text, &log)
		}
	}
	for _, text := range []string{"net:good", "net:good,argmax", "net:alias", "net:good/" + checkpoint.Dir + "/" +
		checkpoint.FileName(1)} {
		m, err := s.open(text, g)
		if err != nil || m.Memory == 0 {
			t.Errorf("%s: %+v, %v", text, m, err)
			continue
		}
		if _, err := m.New(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := s.open("random", g); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{"remote:sh -c true": "cannot start programs", "nets:good": "did you mean",
		"llm:x": "unknown agent"} {
		if _, err := s.open(text, g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	if _, err := s.open("net:", g); err == nil ||
		!strings.Contains(err.Error(), "no network comes with the program for kuhn") {
		t.Errorf("what comes with the program: %v", err)
	}
	if _, err := (strangers{log: s.log}).open("net:good", g); err == nil || !strings.Contains(err.Error(), "--nets") {
		t.Errorf("without a folder: %v", err)
	}
	if _, err := openOpponent("rndom", g); err == nil || strings.Contains(err.Error(), "remote:") ||
		!strings.Contains(err.Error(), "net:") {
		t.Errorf("no such agent: %v", err)
	}
	// Clients of this machine may name any file, but none that has no end.
	done := make(chan error, 2)
	for _, text := range []string{"net:/dev/zero", "net:" + filepath.Join(nets, "fifo")} {
		go func() {
			_, err := openOpponent(text, g)
			done <- err
		}()
	}
	for range 2 {
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "not a regular file") {
				t.Errorf("got %v", err)
			}
		case <-time.After(10 * time.Minute):
			t.Fatal("a file without end holds the server")
		}
	}
}
