//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"earthgym/env/envtest/must"
)

// TestMain is also a writer: one that says when it has begun, and goes on at the end of its input.
func TestMain(m *testing.M) {
	name := os.Getenv("EARTHGYM_TEST_WRITES")
	if name == "" {
		os.Exit(m.Run())
	}
	err := WriteFile(name, func(w io.Writer) error {
		os.Stdout.WriteString("begun\n")
		if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
			return err
		}
		_, err := io.WriteString(w, "whole")
		return err
	})
	if err != nil {
		panic(err)
	}
	os.Exit(0)
}

// startWriter starts a process that is in the middle of writing a file, until its input is closed.
func startWriter(t *testing.T, name string) (*exec.Cmd, io.Closer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "EARTHGYM_TEST_WRITES="+name)
	in := must.Have(cmd.StdinPipe())(t)
	out := must.Have(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "begun\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	return cmd, in
}

// What a killed writer leaves goes with the next process that writes into the folder. What another process is writing
// stays, and so does whatever else is called alike.
func TestAbandonedFilesGo(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	list := func() (names []string) {
		files := must.Have(os.ReadDir(dir))(t)
		for _, f := range files {
			names = append(names, f.Name())
		}
		return names
	}
	killed, _ := startWriter(t, at("killed"))
	must.Do(t, killed.Process.Kill())
	_ = killed.Wait()
	left := list()
	if len(left) != 1 || !isTemporary(left[0]) {
		t.Fatalf("a killed writer leaves %q", left)
	}
	living, goOn := startWriter(t, at("living")) // which removes what was left
	inProgress := list()
	if len(inProgress) != 1 || slices.Contains(inProgress, left[0]) || !isTemporary(inProgress[0]) {
		t.Fatalf("after %q there are %q", left, inProgress)
	}
	abandoned := ".x.jsonl.17.earthgym.tmp"
	users := []string{".mine.17.tmp", "mine.17.earthgym.tmp", ".mine.earthgym.tmp"}
	for _, name := range append(users, abandoned) {
		must.Do(t, os.WriteFile(at(name), nil, 0o600))
	}
	folder, link := ".folder.1.earthgym.tmp", ".link.1.earthgym.tmp"
	must.Do(t, os.Mkdir(at(folder), 0o700))
	must.Do(t, os.Symlink(at(users[0]), at(link)))
	must.Do(t, WriteSecret(at("new"), func(io.Writer) error { return nil }))
	want := slices.Concat(users, inProgress, []string{folder, link, "new"})
	slices.Sort(want)
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
	must.Do(t, goOn.Close())
	if err := living.Wait(); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(at("living")); err != nil || string(b) != "whole" {
		t.Errorf("the other process has written %q, %v", b, err)
	}
}

// A writer whose temporary file is taken for abandoned between its making and its claim makes another.
func TestClaimedOnlyUnderItsName(t *testing.T) {
	f := must.Have(createTemporary(filepath.Join(t.TempDir(), "a")))(t)
	defer f.Close()
	removeUnclaimed(f.Name())
	if !named(f) {
		t.Error("a claimed file is removed")
	}
	other := must.Have(os.Open(f.Name()))(t)
	defer other.Close()
	if claim(other) {
		t.Error("two have claimed it")
	}
	if err := os.Remove(f.Name()); err != nil || named(f) {
		t.Errorf("it stands under its name: %v", err)
	}
}

func TestIsTemporary(t *testing.T) {
	for _, name := range []string{"a.jsonl", ".a.jsonl", "a.1.earthgym.tmp", ".earthgym.tmp", ".1.earthgym.tmp",
		"..earthgym.tmp",
		".a.earthgym.tmp", ".a..earthgym.tmp", ".a.x1.earthgym.tmp", ".a.12", ".a.12.tmp", "metrics.jsonl", ".lock"} {
		if isTemporary(name) {
			t.Errorf("%s is said to be temporary", name)
		}
	}
}
