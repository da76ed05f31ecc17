package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"earthgym/env/envtest/must"
	"earthgym/train"
	"earthgym/train/figures"
)

// Every seed of every game is trained and measured; the same command takes the runs that are there.
func TestFigures(t *testing.T) {
	o := figuresOptions{
		sharedFlags: sharedFlags{out: t.TempDir(), asJSON: true}, seeds: 2, time: time.Minute, games: 2, seed: 7,
		config: train.DefaultConfig(), changed: pflag.NewFlagSet("train", pflag.ContinueOnError),
	}
	for name, value := range map[string]string{
		"clone": "", "opponents": "random", "opponent_share": "0.2", "pool_share": "0", "num_envs": "4", "num_steps": "8",
		"minibatch": "32", "eval_games": "0", "hidden": "4", "decisions": "100",
	} {
		for _, s := range train.Settings() {
			if s.Name == name {
				must.Do(t, s.Set(&o.config, value))
			}
		}
		o.changed.String(flagName(name), "", "")
		must.Do(t, o.changed.Set(flagName(name), value))
	}
	var first figures.Results
	for range 2 {
		var out, said bytes.Buffer
		must.Do(t, runFigures(t.Context(), &out, &said, []string{"resilience-earth:players=2"}, o))
		var r figures.Results
		must.Do(t, json.Unmarshal(out.Bytes(), &r))
		if len(r.Games) != 1 || len(r.Games[0].Runs) != 2 || r.Games[0].Game != "resilience-earth:players=2" ||
			r.Minutes != 1 {
			t.Fatalf("got %+v", r)
		}
		for i, run := range r.Games[0].Runs {
			if run.Seed != uint64(i)+1 || run.Decisions < 100 || len(run.Strength) != 3 ||
				run.Strength[2].Opponent != "script:strong" || run.Strength[2].Games != 2 {
				t.Errorf("run %d: %+v", i+1, run)
			}
		}
		if first.Games == nil {
			first = r
		} else if a, b := first.Games[0].Runs[1], r.Games[0].Runs[1]; a.Decisions != b.Decisions ||
			a.Strength[0] != b.Strength[0] {
			t.Errorf("the second time: %+v, want %+v", b, a)
		}
	}
	if _, err := train.ReadConfig(filepath.Join(o.out, "resilience-earth-players=2", "seed-2")); err != nil {
		t.Error(err)
	}
	// A run of another time is not taken for one of this.
	o.out, o.seeds, o.changed.Lookup("decisions").Changed = t.TempDir(), 1, false
	for i, want := range []string{"", "holds a run of 1.667e-05 minutes, not of 3.333e-05"} {
		o.time = time.Duration(i+1) * time.Millisecond
		err := runFigures(t.Context(), io.Discard, io.Discard, []string{"resilience-earth:players=2"}, o)
		if text := fmt.Sprint(err); (err != nil) != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%v: got %v, want %q", o.time, err, want)
		}
	}
}

func TestFiguresErrors(t *testing.T) {
	out := t.TempDir()
	for want, args := range map[string][]string{
		"say where the runs go: --out FOLDER": {},
		"--seeds 0: 1 to 1000":                {"--out", out, "--seeds", "0"},
		"--time -1s: above 0":                 {"--out", out, "--time=-1s"},
		"--games 0: at least 1":               {"--out", out, "--games", "0"},
		"one-earth is named twice":            {"one-earth", "one-earth", "--out", out},
		`unknown game "chess"`:                {"one-earth", "chess", "--out", out},
	} {
		var said bytes.Buffer
		if code := run(t.Context(), append([]string{"dev", "figures"}, args...), io.Discard, &said); code != exitUsage ||
			!strings.Contains(said.String(), want) {
			t.Errorf("%q exits with %d: %s, want %s", args, code, &said, want)
		}
	}
}
