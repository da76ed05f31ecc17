package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// saveNetwork writes a small network for a game, as it is before training.
func saveNetwork(t *testing.T, text, file string) {
	t.Helper()
	g := must.Have(games.All().Open(text))(t)
	p := must.Have(neural.NewParams(neural.NewSpec(g.Info(), []int{4})))(t)
	p.Init(1)
	c := checkpoint.New(g.Info(), p)
	c.Decisions, c.CreatedBy, c.Texts = 42, "a test", map[string]string{"resume": "much"}
	must.Do(t, checkpoint.Write(file, c))
}

// An exported network plays, is half as large, and says what it is worth, whether seats win alone or together.
func TestExport(t *testing.T) {
	for game, want := range map[string]string{
		"resilience-earth:players=2": "alike 50.0 %; resilience-earth:players=2, 2 games, seed 7, ",
		"one-earth:players=1":        "; one-earth:players=1, 2 games, seed 7, ",
	} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from.safetensors"), filepath.Join(dir, "to.safetensors")
		saveNetwork(t, game, from)
		var out bytes.Buffer
		o := exportOptions{against: []string{"random"}, games: 2, seed: 7}
		must.Do(t, runExport(t.Context(), &out, io.Discard, from, to, o))
		c := must.Have(checkpoint.Read(to))(t)
		if !c.Half || c.Texts != nil || len(c.Card.Strength) != 1 || c.Card.Strength[0].Opponent != "random" {
			t.Errorf("%s: exported as %+v with the card %+v", game, c, c.Card)
		}
		for _, part := range []string{"network ", c.Hash, "net against random: return ", want, "42 decisions", "a test"} {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s: got\n%s\nwant it to say %q", game, &out, part)
			}
		}
		before := must.Have(os.Stat(from))(t)
		if after, err := os.Stat(to); err != nil || after.Size() > before.Size()*2/3 {
			t.Errorf("%s: %d bytes became %d (%v)", game, before.Size(), after.Size(), err)
		}
		if code := run(t.Context(), []string{"agents", "net:" + to, "--json"}, &out, &out); code != exitOK {
			t.Errorf("%s: agents net: exits with %d: %s", game, code, &out)
		}
	}
}

// Nothing is left of an export that fails, but what was there before.
func TestExportRefuses(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.safetensors"), filepath.Join(dir, "to.safetensors")
	saveNetwork(t, "resilience-earth:players=2", from)
	for want, o := range map[string]exportOptions{
		`unknown agent "rndom"`: {against: []string{"rndom"}, games: 2},
		`unknown game "chess"`:  {variant: []string{"chess"}, games: 2},
		"nosuch.toml":           {gameFlags: gameFlags{data: []string{"nosuch.toml"}}, games: 2},
		"--variant one-earth: the network is of resilience-earth": {variant: []string{"one-earth"},
			against: []string{"random"}, games: 2},
	} {
		if err := runExport(t.Context(), io.Discard, io.Discard, from, to, o); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if _, err := os.Stat(to); !os.IsNotExist(err) {
			t.Errorf("%s: a file is left (%v)", want, err)
		}
	}
	must.Do(t, os.WriteFile(to, []byte("older"), 0o600))
	if err := runExport(t.Context(), io.Discard, io.Discard, from, to,
		exportOptions{variant: []string{"chess"}, games: 2}); err == nil {
		t.Error("measured in a game that there is not")
	}
	if b, err := os.ReadFile(to); err != nil || string(b) != "older" {
		t.Errorf("of the older file there is %q (%v)", b, err)
	}
	for want, args := range map[string][]string{
		"there is no checkpoint": {"export", filepath.Join(dir, "nothing"), to},
		"--games":                {"export", from, to, "--games", "-1"},
		"is missing":             {"export", from},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), args, &out, &out); code == exitOK || !strings.Contains(out.String(), want) {
			t.Errorf("%q exits with %d: %s", args, code, &out)
		}
	}
}

func TestAgents(t *testing.T) {
	envtest.NothingToRace(t)
	var out bytes.Buffer
	if code := run(t.Context(), []string{"agents", "new-earth"}, &out, &out); code != exitOK {
		t.Fatal(out.String())
	}
	for _, agent := range []string{"random ", "script:strong ", "level:5 ", "mcts: ", "remote:COMMAND "} {
		if !strings.Contains(out.String(), "\n"+agent) && !strings.HasPrefix(out.String(), agent) {
			t.Errorf("%q is not listed in\n%s", agent, &out)
		}
	}
	for _, strength := range []string{"script:greedy@1 in the benchmark: score ", "random in the benchmark: score 0.00",
		"net against script:strong: return ", " over level:4"} {
		if !strings.Contains(out.String(), strength) {
			t.Errorf("no strength %q in\n%s", strength, &out)
		}
	}
	out.Reset()
	if code := run(t.Context(), []string{"agents", "new-earth", "--json"}, &out, &out); code != exitOK {
		t.Fatal(out.String())
	}
	var list []listedAgent
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list) < 6 || list[0].Agent != "random" {
		t.Errorf("got %v, %v", list, err)
	}
	out.Reset()
	if code := run(t.Context(), []string{"agents", "net:"}, &out, &out); code != exitOK || out.Len() == 0 {
		t.Errorf("exit %d: %s", code, &out)
	}
}
