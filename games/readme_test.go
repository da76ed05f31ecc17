package games_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

// The program that env/README.md shows is built and run in a module of its own, as it says there.
func TestReadmeProgram(t *testing.T) {
	envtest.NothingToRace(t)
	root := must.Have(filepath.Abs(".."))(t)
	readme := must.Have(os.ReadFile(filepath.Join(root, "env", "README.md")))(t)
	program := regexp.MustCompile("(?s)```go\n(package main\n.*?)```").FindSubmatch(readme)
	if program == nil {
		t.Fatal("the README shows no program")
	}
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), program[1], 0o644))
	// What go mod tidy would look up: the versions that the repository uses.
	sums := must.Have(os.ReadFile(filepath.Join(root, "go.sum")))(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	output := ""
	for _, words := range [][]string{
		{"mod", "init", "outside"},
		{"mod", "edit", "-require", "earthgym@v0.0.0", "-replace", "earthgym=" + root},
		{"run", "-mod=mod", "."},
	} {
		cmd := exec.Command("go", words...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		b, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(words, " "), err, b)
		}
		output = string(b)
	}
	if !regexp.MustCompile(`^[0-2]( [0-2])*\n$`).MatchString(output) {
		t.Errorf("the program prints %q, not the winners", output)
	}
}
