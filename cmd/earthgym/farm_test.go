package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
	"earthgym/env/farm"
)

// stubs stand for the programs of a cluster: all machines are this one, and each ssh begins in the home that all share.
var stubs = map[string]string{
	"ssh":    "host=$1\nshift\nexec sh -c \"$*\"\n",
	"scp":    "exit 0 # It lies in the home already.\n",
	"sbatch": "for k in 1 2 3; do\nSLURM_ARRAY_TASK_ID=$k SLURM_ARRAY_TASK_COUNT=3 sh $2\ndone\n",
}

// What FARM.md says is done here, line by line, and each way shows what one machine shows.
func TestFarmPage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the page is of shells")
	}
	page := must.Have(os.ReadFile(filepath.FromSlash("../../env/farm/FARM.md")))(t)
	blocks := regexp.MustCompile("(?s)```(sh|yaml)\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 4 {
		t.Fatalf("%d blocks of the page", len(blocks))
	}
	self := must.Have(os.Executable())(t)
	bin := t.TempDir()
	must.Do(t, os.Symlink(self, filepath.Join(bin, "earthgym")))
	for name, text := range stubs {
		must.Do(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o755))
	}
	shell := func(home, text string, with ...string) string {
		cmd := exec.Command("sh", "-ec", text)
		cmd.Dir, cmd.Env = home, append(os.Environ(), append(with, "PATH="+bin+":"+os.Getenv("PATH"))...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", text, err, &errs)
		}
		return string(out)
	}
	table := func(out string) string { return out[strings.Index(out, "{"):] }
	const merge = "earthgym farm merge cup-1 cup-2 cup-3 --out cup --json"
	alone := shell(t.TempDir(), "earthgym tournament resilience-earth:players=2 random script:naive script:greedy "+
		"--games 300 --out cup --json")

	if got := table(shell(t.TempDir(), string(blocks[0][2]))); got != alone {
		t.Errorf("by ssh: %s, want %s", got, alone)
	}
	slurm := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(slurm, "cup.sh"), blocks[1][2], 0o755))
	if got := table(shell(slurm, string(blocks[2][2]))); got != alone {
		t.Errorf("by Slurm: %s, want %s", got, alone)
	}
	job := t.TempDir()
	container := regexp.MustCompile(`(?s)args:\s+- >-\n(.*?)\n\s+volumeMounts`).FindSubmatch(blocks[3][2])
	if container == nil {
		t.Fatal("the job has no arguments")
	}
	for _, index := range []string{"0", "1", "2"} {
		shell(job, strings.Join(strings.Fields(string(container[1])), " "), "JOB_COMPLETION_INDEX="+index)
	}
	if got := shell(job, merge); got != alone {
		t.Errorf("by Kubernetes: %s, want %s", got, alone)
	}
}

// A folder from elsewhere asks for nothing but work that is shared.
func TestShardsAskForLittle(t *testing.T) {
	for name, words := range map[string][]string{
		"another command": {"games"},
		"none":            {"nonsense"},
		"a report":        {"match", "one-earth", "random", "--report=/tmp/x.html"},
		"a folder":        {"tournament", "one-earth", "random", "script:naive", "--out=elsewhere"},
		"programs":        {"tournament", "one-earth", "random", "script:naive", "--start-programs"},
		"a short flag":    {"match", "one-earth", "random", "-h"},
	} {
		dir := t.TempDir()
		s := must.Have(farm.Begin(dir, programText(), words, farm.Shard{K: 1, N: 1}))(t)
		must.Do(t, s.Close())
		var out, errs strings.Builder
		code := run(t.Context(), []string{"farm", "merge", dir, "--out", filepath.Join(t.TempDir(), "out")}, &out, &errs)
		if code == exitOK || out.Len() > 0 || !strings.Contains(errs.String(), "shared") {
			t.Errorf("%s: exit code %d, %q, %q", name, code, out.String(), errs.String())
		}
	}
}

// A shard that another build has played is refused, with both.
func TestShardsOfAnotherBuild(t *testing.T) {
	dir := t.TempDir()
	s, err := farm.Begin(dir, "earthgym 0.1.0", []string{"match", "one-earth", "random"}, farm.Shard{K: 1, N: 1})
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, s.Close())
	var out, errs strings.Builder
	code := run(t.Context(), []string{"farm", "merge", dir, "--out", filepath.Join(t.TempDir(), "out")}, &out, &errs)
	want := `was made by "earthgym 0.1.0"; this is "` + programText() + `"`
	if code != exitUsage || !strings.Contains(errs.String(), want) {
		t.Errorf("exit code %d, %q; want %q", code, errs.String(), want)
	}
}
