package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"earthgym/agents/check"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// The agents of agents/WRITING.md keep to the protocol, and play matches; those in Python do so in the tests of the
// package.
func TestWriting(t *testing.T) {
	envtest.NothingToRace(t)
	root := must.Have(filepath.Abs("../.."))(t)
	page := must.Have(os.ReadFile(filepath.Join(root, "agents", "WRITING.md")))(t)
	dir := t.TempDir()
	for _, block := range regexp.MustCompile("(?ms)^```\\w+ (\\w+\\.\\w+)\n(.*?)^```$").
		FindAllStringSubmatch(string(page), -1) {
		must.Do(t, os.WriteFile(filepath.Join(dir, block[1]), []byte(block[2]), 0o644))
	}
	program := filepath.Join(dir, "agent.exe")
	build := exec.Command("go", "build", "-o", program, filepath.Join(dir, "agent.go"))
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, a := range []struct {
		language string
		command  []string
		needs    []string // a command that fails where the language isn't there
	}{
		{"Go", []string{program}, nil},
		{"JavaScript", []string{"node", filepath.Join(dir, "agent.js")}, []string{"node", "--version"}},
	} {
		t.Run(a.language, func(t *testing.T) {
			if a.needs != nil && exec.Command(a.needs[0], a.needs[1:]...).Run() != nil {
				if os.Getenv("CI") != "" {
					t.Errorf("%s has to be there", a.needs[0])
				}
				t.Logf("%s is not here, so that its agent is not run", strings.Join(a.needs, " "))
				return
			}
			g := must.Have(games.Open("new-earth:players=2"))(t)
			var said bytes.Buffer
			if !check.Report(&said, check.Agent(t.Context(), a.command, check.AgentOptions{Game: g, Limit: 10 * time.Minute,
				Seed: 3})) {
				t.Errorf("%s", &said)
			}
			root := newRoot()
			root.SetArgs([]string{"match", "resilience-earth:players=2", "remote:" + strings.Join(a.command, " "), "random",
				"--games", "2", "--workers", "1", "--forfeit", "void"})
			said.Reset()
			root.SetOut(&said)
			if err := root.ExecuteContext(t.Context()); err != nil || strings.Contains(said.String(), "forfeit") {
				t.Errorf("%v\n%s", err, &said)
			}
		})
	}
}
