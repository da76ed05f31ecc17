package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/env/disk"
	"earthgym/env/envtest/must"
	"earthgym/env/seal"
)

// A log is gone on with wherever a process was killed: it holds the same bytes then as one that was written at once.
// Lines that were changed or left out are refused.
func TestLog(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.jsonl")
	type entry struct {
		N int `json:"n"`
	}
	begin := seal.Begin("what it is of")
	open := func() (*disk.Log[entry], []string, error) {
		var lines []string
		l, err := disk.OpenLog(name, begin, func(line entry) error {
			if line.N == 7 {
				return errors.New("a seven")
			}
			lines = append(lines, fmt.Sprintf(`{"n":%d}`, line.N))
			return nil
		})
		return l, lines, err
	}
	add := func(from, to int) {
		t.Helper()
		l, lines, err := open()
		if err != nil || len(lines) != from {
			t.Fatalf("%d lines, %v; want %d", len(lines), err, from)
		}
		for n := from; n < to; n++ {
			must.Do(t, l.Add(entry{n}))
		}
		must.Do(t, l.Close())
	}
	read := func() string {
		t.Helper()
		return string(must.Have(os.ReadFile(name))(t))
	}
	write := func(text string) {
		t.Helper()
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	add(0, 6)
	whole := read()
	for cut := range whole {
		write(whole[:cut])
		add(strings.Count(whole[:cut], "\n"), 6)
		if got := read(); got != whole {
			t.Fatalf("cut off after %d bytes it becomes\n%s, want\n%s", cut, got, whole)
		}
	}
	lines := strings.SplitAfter(whole, "\n")
	for what, text := range map[string]string{
		"changed":   strings.Replace(whole, `"n":3`, `"n":4`, 1),
		"left out":  strings.Join(slices.Delete(slices.Clone(lines), 2, 3), ""),
		"exchanged": lines[0] + lines[2] + lines[1] + lines[3], "without a sum": whole + "{\"n\":6}\n", "no JSON": lines[0] +
			"x\n",
		"long": lines[0] + strings.Repeat(" ", 2<<20) + "\n",
	} {
		write(text)
		if _, _, err := open(); err == nil || !strings.HasPrefix(err.Error(), name+":") {
			t.Errorf("%s: %v", what, err)
		}
		if read() != text {
			t.Errorf("%s: the file is changed", what)
		}
	}
	write(whole)
	must.Do(t, disk.SelectLog(name, begin, func(line entry) bool { return line.N != 3 }))
	if _, got, err := open(); err != nil ||
		!slices.Equal(got, []string{`{"n":0}`, `{"n":1}`, `{"n":2}`, `{"n":4}`, `{"n":5}`}) {
		t.Errorf("without one line: %v, %v", got, err)
	}
	begin = seal.Begin("something else")
	if _, _, err := open(); !errors.Is(err, seal.ErrChanged) {
		t.Errorf("of something else: %v", err)
	}
	begin = seal.Begin("what it is of")
	write("")
	add(0, 8)
	if _, _, err := open(); err == nil || err.Error() != name+":8: a seven" {
		t.Errorf("a line that is refused: %v", err)
	}
}
