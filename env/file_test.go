package env_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	write := func(text string, err error) error {
		return env.WriteFile(file, func(w io.Writer) error {
			if _, e := io.WriteString(w, text); e != nil {
				return e
			}
			return err
		})
	}
	content := func() string {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if err := write("one", nil); err != nil || content() != "one" {
		t.Fatalf("got %q, %v", content(), err)
	}
	if err := write("two", nil); err != nil || content() != "two" {
		t.Errorf("got %q, %v", content(), err)
	}
	broken := errors.New("no more paper")
	err := write(strings.Repeat("three", 1<<16), broken)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "a.txt, which is left as it was") || content() != "two" {
		t.Errorf("a failed write leaves %q and says %v", content(), err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("the directory holds %v, %v", files, err)
	}
	// A name that cannot be taken: the temporary file does not stay either.
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := env.WriteFile(filepath.Join(dir, "b"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a directory is overwritten")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("the directory holds %v, %v", files, err)
	}
	if err := env.WriteFile(filepath.Join(dir, "missing", "c"), func(io.Writer) error { return nil }); err == nil || !strings.Contains(err.Error(), "cannot write") {
		t.Errorf("into a missing directory: %v", err)
	}
}
