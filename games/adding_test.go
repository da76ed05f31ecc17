package games_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

// The places that ADDING.md names are there: functions by file.
func TestAdding(t *testing.T) {
	text := must.Have(os.ReadFile("ADDING.md"))(t)
	places := regexp.MustCompile("`([a-z/_]+\\.go): (\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(places) < 20 {
		t.Fatalf("ADDING.md names %d functions by file", len(places))
	}
	for _, place := range places {
		code, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(place[1])))
		if err != nil {
			t.Error(err)
		} else if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + place[2] + `\(`).Match(code) {
			t.Errorf("%s has no function %s", place[1], place[2])
		}
	}
}

// A game in this repository is its folder and one line of the registry: the program is built with Kuhn poker on that
// line, of which nobody has declared bots, levels, networks, tunings, populations or texts, and does with it what it
// does with the others. What isn't there is left out, or missed in a sentence.
func TestOneMoreGame(t *testing.T) {
	envtest.NothingToRace(t)
	registry := must.Have(filepath.Abs("games.go"))(t)
	code := must.Have(os.ReadFile(registry))(t)
	more := strings.NewReplacer(
		"\t\"earthgym/env/registry\"\n", "\t\"earthgym/env/envtest/kuhn\"\n\t\"earthgym/env/registry\"\n",
		"\t{oneearth.Rulebook, \"oneearth\"},\n", "\t{oneearth.Rulebook, \"oneearth\"},\n\t{kuhn.Rulebook, \"kuhn\"},\n",
	).Replace(string(code))
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	overlay := must.Have(json.Marshal(map[string]any{"Replace": map[string]string{registry: path("games.go")}}))(t)
	for name, text := range map[string][]byte{"games.go": []byte(more), "overlay.json": overlay} {
		must.Do(t, os.WriteFile(path(name), text, 0o644))
	}
	build := exec.Command("go", "build", "-overlay", path("overlay.json"), "-o", path("earthgym"), "../cmd/earthgym")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, test := range []struct{ words, typed, want string }{
		{"games", "", "kuhn: Kuhn poker (competitive, hidden-information)\n"},
		{"games kuhn", "", "  players  2  number of seats"},
		{"version", "", "\nkuhn: rules 1, data "},
		{"agents kuhn", "", "random              every legal action alike\nmcts: "},
		{"rules kuhn", "", "earthgym: kuhn has no RULES.md\n"},
		{"lesson kuhn", "", "earthgym: kuhn has no lesson.toml\n"},
		{"match kuhn level:1 random --games 2", "", "kuhn has no levels"},
		{"match kuhn script:strong random --games 2", "", "kuhn has no scripted bots"},
		{"match kuhn net: random --games 2", "", "no network comes with the program for kuhn"},
		{"match kuhn random mcts:sims=2 --games 4", "", "\nends       "},
		{"record kuhn random mcts:sims=2 --out " + path("records"), "", "kuhn-1.jsonl: "},
		{"replay " + path("records/kuhn-1.jsonl"), "", "kuhn"},
		{"train kuhn --decisions 500 --num-envs 4 --num-steps 16 --hidden 4 --out " + path("run"), "", "over random "},
		{"match kuhn net:" + path("run") + " random --games 4", "", "\nends       "},
		{"bench kuhn --time 10ms", "", "\nkuhn "},
		{"play kuhn --plain --seed 1 --out " + path("played.jsonl"), "hint\npass\npass\nbet\n", "player 2 (random): score "},
	} {
		cmd := exec.Command(path("earthgym"), strings.Fields(test.words)...)
		cmd.Stdin = strings.NewReader(test.typed)
		out, _ := cmd.CombinedOutput() // An error is what some of them are to say.
		if !strings.Contains(string(out), test.want) {
			t.Errorf("earthgym %s says %q, without %q", test.words, out, test.want)
		}
	}
}
