package games_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

// A program outside this repository puts a game of its own into a registry, and it gets what the games here have:
// the conformance suite, environments, training, matches, records and the pipe (ADDING.md).
func TestStrangersGame(t *testing.T) {
	envtest.NothingToRace(t)
	root := must.Have(filepath.Abs(".."))(t)
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "stranger"))))
	// What the stranger requires, this module requires: the same versions, from the same cache.
	mod := must.Have(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	_, requirements, ok := strings.Cut(string(mod), "module earthgym\n")
	if !ok {
		t.Fatal("go.mod does not begin with its module")
	}
	mod = []byte("module example.org/stranger\n" + requirements + "\nrequire earthgym v0.0.0\n\nreplace earthgym => " +
		root + "\n")
	must.Do(t, os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644))
	sums := must.Have(os.ReadFile(filepath.Join(root, "go.sum")))(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("test", "-mod=mod", "./nim")
	want := `in a registry: nim
one environment: empty
the trained network wins most games: true
a record verifies: true
a server ends: <nil>
`
	if got := run("run", "-mod=mod", "."); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
