package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal opens a terminal and the end that a person would watch.
func openTerminal(t *testing.T) (person, terminal *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
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
	n, err := person.Read(drawn)
	if err != nil {
		t.Fatal(err)
	}
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
