package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"earthgym/env/envtest/must"
)

// openTerminal opens a terminal and the end that a person would watch.
func openTerminal(t *testing.T) (person, terminal *os.File) {
	t.Helper()
	person = must.Have(os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	must.Do(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n := must.Have(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	terminal = must.Have(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { terminal.Close() })
	return person, terminal
}

func TestProgressOnATerminalOnly(t *testing.T) {
	person, terminal := openTerminal(t)
	match := []string{"match", "resilience-earth:players=2", "random", "--games", "40"}
	var out, errs bytes.Buffer
	if code := run(t.Context(), match, &out, terminal); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	drawn := make([]byte, 1<<16)
	n := must.Have(person.Read(drawn))(t)
	if !strings.Contains(string(drawn[:n]), "playing") {
		t.Errorf("no bar on the terminal: %q", drawn[:n])
	}
	if strings.Contains(out.String(), "playing") {
		t.Errorf("the bar is in the output: %q", out.String())
	}
	if code := run(t.Context(), match, &out, &errs); code != exitOK || errs.Len() > 0 {
		t.Errorf("exit code %d, and without a terminal %q", code, errs.String())
	}
}

// The bar of a training shows how its games go.
func TestTrainingProgress(t *testing.T) {
	person, terminal := openTerminal(t)
	drawn := make(chan string)
	go func() {
		var all strings.Builder
		b := make([]byte, 1<<12)
		for !strings.Contains(all.String(), "return") {
			n, err := person.Read(b)
			if err != nil {
				break
			}
			all.Write(b[:n])
		}
		drawn <- all.String()
	}()
	command := []string{"train", "resilience-earth:players=2", "--out", t.TempDir() + "/run", "--decisions", "3000",
		"--num-envs", "16", "--num-steps", "64", "--hidden", "8", "--clone", "", "--eval-games", "0"}
	var out bytes.Buffer
	if code := run(t.Context(), command, &out, terminal); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	terminal.Close() // what reads on in vain ends
	if got := <-drawn; !regexp.MustCompile(`[0-9]+ games, score -?[0-9.]+, return [+-][0-9.]+`).MatchString(got) {
		t.Errorf("on the terminal: %q", got)
	}
	if !regexp.MustCompile(`update [0-9]+: .* score -?[0-9.]+, return [+-][0-9.]+, wins `).MatchString(out.String()) {
		t.Errorf("in the output: %q", out.String())
	}
}

// A person who starts a server for a client by hand is told so.
func TestNoClientAtATerminal(t *testing.T) {
	_, terminal := openTerminal(t)
	for _, command := range []string{"serve", "mcp"} {
		var errs bytes.Buffer
		if code := run(t.Context(), []string{command}, terminal, &errs); code != exitUsage ||
			!strings.Contains(errs.String(), "standard output is a terminal") {
			t.Errorf("%s: exit code %d: %s", command, code, errs.String())
		}
	}
}
