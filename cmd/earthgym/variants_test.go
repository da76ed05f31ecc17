package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// variantsOf are the short texts of all variants of a game.
func variantsOf(t *testing.T, text string, seed datafile.Seed) []string {
	t.Helper()
	g := must.Have(games.Open(text))(t)
	var o trainOptions
	o.config.Seed = seed
	list := must.Have(o.allVariants(text, g))(t)
	var texts []string
	for _, v := range list {
		texts = append(texts, v.Info().Short)
	}
	return texts
}

// --all-variants is all of a rulebook: every variant that it names, every value of an option alone, and combinations,
// another lot of them with another seed.
func TestAllVariants(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		texts := variantsOf(t, rb.Name, 1)
		for _, variant := range rb.Variants {
			g := must.Have(games.Open(variant))(t)
			if !slices.Contains(texts, g.Info().Short) {
				t.Errorf("%s: %s is left out", rb.Name, variant)
			}
		}
		for _, o := range rb.Options {
			for _, value := range choices(o) {
				g, err := games.Open(rb.Name + ":" + o.Name + "=" + value)
				if err == nil && !slices.Contains(texts, g.Info().Short) {
					t.Errorf("%s: %s=%s is left out", rb.Name, o.Name, value)
				}
			}
		}
		drawn := texts[len(texts)-drawnVariants:]
		combined := 0
		for _, text := range drawn {
			combined += min(strings.Count(text, "=")/2, 1)
		}
		if combined < drawnVariants/2 {
			t.Errorf("%s: of the combinations drawn, only %d have two options", rb.Name, combined)
		}
		again, other := variantsOf(t, rb.Name, 1), variantsOf(t, rb.Name, 2)
		if slices.Equal(texts, other) || !slices.Equal(texts, again) {
			t.Errorf("%s: the combinations do not follow from the seed", rb.Name)
		}
	}
	texts := variantsOf(t, "one-earth:aid=off", 1)
	for _, want := range []string{
		"one-earth:players=2,aid=off", "one-earth:players=5,mode=advanced,aid=off",
		"one-earth:players=1,difficulty=hard,aid=off",
	} {
		if !slices.Contains(texts, want) {
			t.Errorf("with aid=off, %s is left out of %q", want, texts)
		}
	}
}

// One network learns to play alone, where who plays wins or loses by itself, beside games that several play against
// each other.
func TestTrainAllVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("training is raced in train")
	}
	dir := filepath.Join(t.TempDir(), "run")
	var out bytes.Buffer
	args := strings.Fields("train one-earth --all-variants --clone-decisions 400 --decisions 400 " +
		"--num-envs 16 --num-steps 16 --hidden 8 --opponents random,script:naive --eval-games 48 --workers 2 --out " + dir)
	if code := run(t.Context(), args, &out, &out); code != exitOK {
		t.Fatalf("it exits with %d: %s", code, &out)
	}
	c := must.Have(checkpoint.Read(filepath.Join(dir, checkpoint.Best)))(t)
	for _, text := range variantsOf(t, "one-earth", 1) {
		g := must.Have(games.Open(text))(t)
		if !slices.Contains(c.Trained(), g.Info().Text) {
			t.Errorf("the network was not trained at %s", text)
		}
	}
}

// Where the network is not at home, as with other component data, every command that seats it says who plays in its
// place.
func TestStandInIsTold(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data.toml")
	rb := must.Have(games.Find("resilience-earth"))(t)
	other := bytes.Replace(rb.Data, []byte("rounds = 3"), []byte("rounds = 4"), 1)
	must.Do(t, os.WriteFile(data, other, 0o644))
	const table, guided = "resilience-earth:players=2", "mcts:sims=2,net="
	records := filepath.Join(dir, "records")
	record := ""
	for _, words := range [][]string{
		{"match", table, "net:", "random", "--games", "2"},
		{"match", table, "random", "--against", "net:", "--games", "2"},
		{"record", table, guided, "random", "--out", records},
		{"tournament", table, "net:", "random", "--games", "2", "--out", filepath.Join(dir, "tournament")},
		{"crossplay", table, "net:", "random", "--games", "2"},
		{"explain", "RECORD", "net:", "--at", "0"},
		{"explain", "RECORD", guided},
		{"agents", table},
		{"train", table, "--clone-decisions", "100", "--decisions", "0", "--hidden", "8", "--eval-games", "2",
			"--out", filepath.Join(dir, "run")},
	} {
		if words[1] == "RECORD" {
			words[1] = record
		}
		var out, stderr bytes.Buffer
		if code := run(t.Context(), append(words, "--data", data), &out, &stderr); code != exitOK {
			t.Fatalf("%q exits with %d: %s", words, code, &stderr)
		}
		told := out.String() + stderr.String()
		if want := "net: is script:strong there"; strings.Count(told, want) == 0 {
			t.Errorf("%q does not say %q: %s", words, want, told)
		}
		if files, err := filepath.Glob(filepath.Join(records, "*.jsonl")); err == nil && len(files) > 0 {
			record = files[0]
		}
	}
}
