package disk_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/disk"
	"earthgym/env/envtest/must"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	write := func(text string, err error) error {
		return disk.WriteFile(file, func(w io.Writer) error {
			if _, e := io.WriteString(w, text); e != nil {
				return e
			}
			return err
		})
	}
	content := func() string {
		return string(must.Have(os.ReadFile(file))(t))
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
	// A secret is nobody else's, also where a file of its name was for everybody.
	must.Do(t, disk.WriteSecret(file, func(w io.Writer) error { return nil }))
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of a secret: %v, %v", info.Mode(), err)
	}
	// A name that cannot be taken: the temporary file does not stay either.
	must.Do(t, os.Mkdir(filepath.Join(dir, "b"), 0o755))
	if err := disk.WriteFile(filepath.Join(dir, "b"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a directory is overwritten")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("the directory holds %v, %v", files, err)
	}
	if err := disk.WriteFile(filepath.Join(dir, "missing", "c"), func(io.Writer) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "cannot write") {
		t.Errorf("into a missing directory: %v", err)
	}
}

// Only regular files are written: anything else is refused in one sentence and stays as it was.
func TestWriteFileReplacesRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	link := func(target, name string) {
		t.Helper()
		must.Do(t, os.Symlink(target, at(name)))
	}
	must.Do(t, os.WriteFile(at("file"), []byte("old"), 0o600))
	must.Do(t, os.Mkdir(at("folder"), 0o755))
	link("file", "to a file")
	link("folder", "to a folder")
	link("nowhere", "to nothing")
	link(os.DevNull, "to a device")
	link("to a device", "to a link to a device")
	for _, tt := range []struct{ name, want string }{
		{"folder", "it is a folder, not a regular file"},
		{"to a folder", "it is a folder"},
		{"to nothing", "it is a link to a file that does not exist"},
		{"to a device", "it is a device"},
		{"to a link to a device", "it is a device"},
		{"missing/x", "there is no folder "},
		{"file/x", "cannot write "},
	} {
		before, _ := os.Lstat(at(tt.name))
		for _, err := range []error{
			disk.CheckFile(at(tt.name)),
			disk.WriteFile(at(tt.name), func(io.Writer) error { t.Errorf("%s: it is written", tt.name); return nil }),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), "cannot write "+at(tt.name)+": ") ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
			}
		}
		if after, _ := os.Lstat(at(tt.name)); before != nil && after.Mode() != before.Mode() {
			t.Errorf("%s was %v and is %v", tt.name, before.Mode(), after.Mode())
		}
	}
	if err := disk.WriteFile(os.DevNull, func(io.Writer) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "it is a device") {
		t.Errorf("%s: %v", os.DevNull, err)
	}
	if err := disk.WriteFile(at("to a file"), func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}); err != nil {
		t.Error(err)
	}
	info, err := os.Lstat(at("to a file"))
	if b, _ := os.ReadFile(at("file")); err != nil || string(b) != "new" || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("through a link: %q, %v, %v", b, info, err)
	}
}

func TestDifference(t *testing.T) {
	for _, tt := range []struct{ was, is, want string }{
		{"a = 1\nb = 2\n", "a = 1\nb = 2\n", ""},
		{"a = 1\nb = 2\n", "a = 1\nb = 3\n", "b = 2, not b = 3"},
		{"a = 1\n", "a = 1\nb = 3\n", "nothing, not b = 3"},
		{"a = 1\nb = 2\n", "a = 1\n", "b = 2, not nothing"},
	} {
		if got := disk.Difference([]byte(tt.was), []byte(tt.is)); got != tt.want {
			t.Errorf("%q and %q: %q, want %q", tt.was, tt.is, got, tt.want)
		}
	}
}
