package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/registry"
	"earthgym/env/seal"
	"earthgym/games/earthrising"
	"earthgym/games/newearth"
	"earthgym/games/oneearth"
	"earthgym/games/resilience"
)

// variants opens games and, in each, the agents to play against.
func variants(t *testing.T, against []string, texts ...string) (opened []env.Game, rivals [][]*agents.Maker) {
	t.Helper()
	all := registry.Registry{oneearth.Rulebook(), earthrising.Rulebook(), newearth.Rulebook(), resilience.Rulebook()}
	for _, text := range texts {
		g, err := all.Open(text)
		if err != nil {
			t.Fatal(err)
		}
		var makers []*agents.Maker
		for _, agent := range against {
			m, err := agents.Open(agent, g)
			if err != nil {
				t.Fatal(err)
			}
			makers = append(makers, m)
		}
		opened, rivals = append(opened, g), append(rivals, makers)
	}
	return opened, rivals
}

// start begins a run that ends with the test.
func start(t *testing.T, dir string, c Config, texts ...string) *Run {
	t.Helper()
	opened, rivals := variants(t, c.Against, texts...)
	r, err := Start(dir, c, opened, rivals)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func read(t testing.TB, parts ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var small = Config{Bot: "strong", Against: []string{"script:naive", "random"}, Steps: 6, Games: 4, Seed: 3}

// A run that was interrupted, in the middle of a line too, goes on as if it had not been, with any number of workers.
func TestResume(t *testing.T) {
	const a, b = "new-earth:players=3,turns=3", "new-earth:players=4,turns=3"
	whole := t.TempDir()
	if err := start(t, whole, small, a, b).Tune(context.Background(), 1, nil); err != nil {
		t.Fatal(err)
	}
	want := read(t, whole, LogFile)

	parts := t.TempDir()
	r := start(t, parts, small, a, b)
	ctx, stop := context.WithCancel(context.Background())
	err := r.Tune(ctx, 3, func(s Step) {
		if s.Step == 2 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || r.Done().Step != 2 {
		t.Fatalf("after %d steps: %v", r.Done().Step, err)
	}
	if _, err := Resume(parts, 0, r.games, r.rivals); err == nil || !strings.Contains(err.Error(), "in use by process ") {
		t.Errorf("resumed while it runs: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	torn := append(read(t, parts, LogFile), `{"step":3,"diff`...)
	if err := os.WriteFile(filepath.Join(parts, LogFile), torn, 0o666); err != nil {
		t.Fatal(err)
	}
	if r, err = Resume(parts, 0, r.games, r.rivals); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Tune(context.Background(), 2, nil); err != nil {
		t.Fatal(err)
	}
	if got := read(t, parts, LogFile); !bytes.Equal(got, want) {
		t.Errorf("interrupted:\n%s\nnot:\n%s", got, want)
	}
}

// Weights go with the better side, stay within their ranges, and the mean follows them.
func TestStep(t *testing.T) {
	c := small
	c.Steps, c.Against = 12, nil
	dir := t.TempDir()
	r := start(t, dir, c, "resilience-earth:players=2")
	before, moved := r.Done(), 0
	err := r.Tune(context.Background(), 0, func(s Step) {
		luck := env.NewStream(c.Seed, "tune "+string(rune('0'+s.Step)))
		for i, w := range r.Weights() {
			if !(s.Weights[i] >= w.Low && s.Weights[i] <= w.High) {
				t.Errorf("step %d: %s is %v", s.Step, w.Name, s.Weights[i])
			}
			if want := before.Mean[i] + forgetting*(s.Weights[i]-before.Mean[i]); math.Abs(s.Mean[i]-want) > 1e-12 {
				t.Errorf("step %d: the mean of %s is %v, not %v", s.Step, w.Name, s.Mean[i], want)
			}
			if s.Step > 9 { // one digit
				continue
			}
			if by, sign := s.Weights[i]-before.Weights[i], float64(2*luck.Below(2)-1); by*sign*s.Difference < 0 {
				t.Errorf("step %d: %s moves by %v, tried by %v, with a difference of %v", s.Step, w.Name, by, sign, s.Difference)
			} else if by != 0 {
				moved++
			}
		}
		before = s
	})
	if err != nil || moved == 0 {
		t.Errorf("%d weights have moved: %v", moved, err)
	}
}

// What is found is judged against what stands, and written down; whole tables are compared where all win together.
func TestJudge(t *testing.T) {
	for _, test := range []struct {
		game    string
		against []string
		lines   []string // agent, among
	}{
		{"resilience-earth:players=2", []string{"script:naive"}, []string{
			"tuned, as it stands", "as it stands, tuned", "tuned, script:naive", "as it stands, script:naive",
		}},
		{"earth-rising:variant=quickplay,players=2", nil,
			[]string{"tuned, ", "as it stands, ", "tuned minus as it stands, "}},
	} {
		c := small
		c.Steps, c.Games, c.Against = 1, 1, test.against
		dir := t.TempDir()
		r := start(t, dir, c, test.game)
		if err := r.Tune(context.Background(), 0, nil); err != nil {
			t.Fatal(err)
		}
		result, err := r.Judge(context.Background(), 0, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, j := range result.Judgement {
			lines = append(lines, j.Agent+", "+j.Among)
			if j.Games < 3 || !(j.ReturnCI[0] <= j.Return && j.Return <= j.ReturnCI[1]) {
				t.Errorf("%s: %+v", test.game, j)
			}
		}
		if got, want := strings.Join(lines, "\n"), strings.Join(test.lines, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.game, got, want)
		}
		var written Result
		if err := json.Unmarshal(read(t, dir, ResultFile), &written); err != nil ||
			len(written.Weights) != len(r.Weights()) || written.Steps != 1 {
			t.Errorf("%s: %s holds %+v: %v", test.game, ResultFile, written, err)
		}
	}
}

// The bot against itself gets what its seats get: nothing.
func TestPlayIsFair(t *testing.T) {
	opened, _ := variants(t, nil, "resilience-earth:players=2")
	g := opened[0]
	bot := standing(g, "strong")
	returns, err := play(context.Background(), 2, g, bot, bot, gameSeeds(1, g, 40))
	if err != nil || len(returns) != 20 {
		t.Fatalf("%d seeds: %v", len(returns), err)
	}
	for i, r := range returns {
		if r != 0 {
			t.Errorf("seed %d: %v", i, r)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		change func(c *Config)
		games  []string
		want   string
	}{
		{func(c *Config) { c.Steps = 0 }, []string{"one-earth"}, "steps 0: from 1 to 1000000"},
		{func(c *Config) { c.Games = 0 }, []string{"one-earth"}, "games 0: from 1 to 1000000"},
		{func(c *Config) { c.Against = []string{"remote:true"} }, []string{"one-earth"},
			"remote:true: tuning plays against agents of this program only"},
		{func(c *Config) { c.Bot = "naive" }, []string{"new-earth"}, "script:naive of new-earth weighs by no declared " +
			"numbers: there is nothing to tune"},
		{func(c *Config) { c.Bot = "stong" }, []string{"new-earth"},
			`unknown level "stong" of scripted bots: did you mean "strong"?`},
		{func(*Config) {}, []string{"one-earth", "new-earth"}, "one-earth and new-earth are two games: tune them one by one"},
		{func(*Config) {}, []string{"one-earth:players=3", "one-earth:players=5"}, "tune these variants one by one"},
		{func(*Config) {}, nil, "no game to tune on"},
	} {
		c := small
		c.Against = nil
		test.change(&c)
		dir := filepath.Join(t.TempDir(), "run")
		opened, _ := variants(t, nil, test.games...)
		r, err := Start(dir, c, opened, make([][]*agents.Maker, len(opened)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("want %q, got %v", test.want, err)
		}
		if r != nil {
			r.Close()
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%q: the folder has been made", test.want)
		}
	}
}

// What a folder holds is checked before it is gone on with.
func TestBrokenFolders(t *testing.T) {
	dir := t.TempDir()
	c := small
	c.Against, c.Steps, c.Games = nil, 2, 1
	r := start(t, dir, c, "resilience-earth:players=2")
	if err := r.Tune(context.Background(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(dir, c, r.games, r.rivals); err == nil || !strings.Contains(err.Error(), "already holds a run") {
		t.Errorf("started twice: %v", err)
	}
	other, rivals := variants(t, nil, "resilience-earth:players=3")
	if _, err := Resume(dir, 0, other, rivals); err == nil ||
		!strings.Contains(err.Error(), "the run is of resilience-earth:players=2") {
		t.Errorf("resumed in another variant: %v", err)
	}
	config, log := read(t, dir, ConfigFile), read(t, dir, LogFile)
	lines := bytes.SplitAfter(log, []byte("\n"))
	resealed := func(log string) string { return envtest.Reseal(log, string(config)) }
	for _, test := range []struct {
		file, text, want string
	}{
		{ConfigFile, strings.Replace(string(config), "steps = 2", "steps = -2", 1), "steps -2: from 1"},
		{ConfigFile, string(config) + "\nhaste = 1\n", "config.toml"},
		{LogFile, resealed(string(lines[1])), "log.jsonl:1: step 2 stands where step 1 is due"},
		{LogFile, resealed(`{"step":0,"sum":"0000000000000000"}` + "\n"), "step 0 stands where step 1 is due"},
		{LogFile, "nonsense\n", "log.jsonl:1: it carries no checksum"},
		{LogFile, resealed(`{"step":1,"weights":[1],"mean":[1],"sum":"0000000000000000"}` + "\n"), "step 1 has 1 weights"},
		{LogFile, resealed(strings.Replace(string(lines[0]), `"weights":[`, `"weights":[-1e9,`, 1)),
			"weights; script:strong has"},
		{LogFile, strings.Replace(string(log), `"difference":`, `"difference":1`, 1),
			"log.jsonl:1: its checksum is another one"},
		{ConfigFile, strings.Replace(string(config), "steps = 2", "steps = 3", 1),
			"log.jsonl:1: its checksum is another one"},
	} {
		whole := map[string][]byte{ConfigFile: config, LogFile: log}
		whole[test.file] = []byte(test.text)
		for name, text := range whole {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Resume(dir, 0, r.games, r.rivals)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("want %q, got %v", test.want, err)
		}
		if r != nil {
			r.Close()
		}
	}
	if _, err := ReadConfig(t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "holds no run: there is no config.toml") {
		t.Errorf("an empty folder: %v", err)
	}
}

// Whatever a log holds, it is refused or gone on with.
func FuzzLog(f *testing.F) {
	g, err := registry.Registry{resilience.Rulebook()}.Open("resilience-earth:players=2")
	if err != nil {
		f.Fatal(err)
	}
	c := Config{Bot: "strong", Steps: 9, Games: 1}
	weights, err := weightsOf([]env.Game{g}, c.Bot)
	if err != nil {
		f.Fatal(err)
	}
	step := Step{Step: 1}
	for _, w := range weights {
		step.Weights, step.Mean = append(step.Weights, w.Value), append(step.Mean, w.Value)
	}
	line, err := json.Marshal(step)
	if err != nil {
		f.Fatal(err)
	}
	line = bytes.TrimSpace(new(seal.Chain).Seal(line))
	for _, text := range []string{"", "\n", "{}\n", string(line), string(line) + "\n", string(line) + "\n{",
		string(line) + "\nnull\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		text = []byte(envtest.Reseal(string(text), ""))
		for name, text := range map[string][]byte{ConfigFile: nil, LogFile: text} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r, err := open(dir, c, []env.Game{g}, make([][]*agents.Maker, 1))
		if err != nil {
			return
		}
		defer r.Close()
		if left := read(t, dir, LogFile); bytes.Count(left, []byte("\n")) != r.Done().Step || !bytes.HasPrefix(text, left) {
			t.Errorf("%q is left of %q, at step %d", left, text, r.Done().Step)
		}
		if err := r.check(r.Done()); err != nil {
			t.Error(err)
		}
	})
}
