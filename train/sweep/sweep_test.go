package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/train"
)

// smallPlan sweeps Kuhn poker in about a second.
const smallPlan = `
candidates = 4
decisions = 600
games = 40
against = ["random"]
seed = 3

[settings]
clone = []
opponents = ["random"]
opponent_share = 0.2
pool_share = 0.0
num_envs = 8
num_steps = 8
minibatch = 32
eval_games = 0
hidden = [8]

[space]
learning_rate = { from = 0.0001, to = 0.01, scale = "log" }
epochs = [1, 2]
`

func plan(t *testing.T, text string) *Plan {
	t.Helper()
	return must.Have(decodePlan("plan.toml", []byte(text)))(t)
}

var kuhns = []env.Game{kuhn.Open(3), kuhn.Open(2)}

// swept runs the plan in dir to its end, interrupted each time that stop says so.
func swept(t *testing.T, dir string, p *Plan, workers int, stop func(s State) bool) *Results {
	t.Helper()
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		s := must.Have(Open(dir, p, kuhns, Options{Train: train.Options{Workers: workers, Program: "test"},
			Progress: func(s State) {
				if stop != nil && stop(s) {
					cancel()
				}
			}}))(t)
		r, err := s.Run(ctx)
		if closing := s.Close(); closing != nil {
			t.Fatal(closing)
		}
		cancel()
		if err == nil {
			return r
		}
		if ctx.Err() == nil {
			t.Fatal(err)
		}
	}
	t.Fatal("it comes to no end")
	return nil
}

// timeless are results without what a clock has told, and the table that they make.
func timeless(t *testing.T, r *Results) string {
	t.Helper()
	for i := range r.Judged {
		r.Judged[i].CPUSeconds = 0
	}
	text := must.Have(json.Marshal(r))(t)
	var table bytes.Buffer
	must.Do(t, r.Write(&table))
	return string(text) + table.String()
}

// Matches are on seeds of their own: those against two names of one network are not the same games twice, which would
// make the interval of the strength too narrow.
func TestMatchesAreIndependent(t *testing.T) {
	alone := strings.Replace(smallPlan, "candidates = 4", "candidates = 1", 1)
	dir := t.TempDir()
	swept(t, dir, plan(t, alone), 1, nil)
	net := "net:" + filepath.Join(dir, "candidate-1")
	p := plan(t, alone)
	p.Against = []string{net + ",temperature=0.01", net + ",temperature=0.010"}
	leads := swept(t, t.TempDir(), p, 1, nil).Judged[0].Leads
	if len(leads) != 2 || leads[p.Against[0]] == leads[p.Against[1]] {
		t.Errorf("leads %v", leads)
	}
}

// A sweep halves its candidates, and comes to the same end when it is interrupted before and after every judgement, by
// any number of workers.
func TestSweep(t *testing.T) {
	p := plan(t, smallPlan)
	whole := swept(t, t.TempDir(), p, 1, nil)
	if !whole.Done || len(whole.Judged) != 4+2 {
		t.Fatalf("got %+v", whole)
	}
	last := whole.Judged[4:]
	best := slices.MaxFunc(last, func(a, b Judgement) int {
		if a.Strength < b.Strength {
			return -1
		}
		return 1
	})
	if whole.Best != best.Candidate {
		t.Errorf("candidate %d is left; the last round was %+v", whole.Best, last)
	}
	for i, j := range whole.Judged {
		if want := 600 * j.Round; j.Decisions < want || j.Decisions > want+200 || j.Round != 1+i/4 {
			t.Errorf("judgement %d came after %d decisions in round %d, want about %d", i+1, j.Decisions, j.Round, want)
		}
		if j.CI.Above(j.Strength) || j.CI[0] >= j.CI[1] {
			t.Errorf("judgement %d: %+v", i+1, j)
		}
	}
	told := map[State]bool{}
	again := swept(t, t.TempDir(), p, 3, func(s State) bool {
		s.Judgement, s.Candidate = nil, nil
		first := !told[s]
		told[s] = true
		return first
	})
	if a, b := timeless(t, whole), timeless(t, again); a != b {
		t.Errorf("interrupted:\n%s\nwant\n%s", b, a)
	}
}

// The candidates are points of the space, the first the settings as they stand, and none comes twice.
func TestCandidates(t *testing.T) {
	p := plan(t, smallPlan)
	list, err := p.candidates(kuhns)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 4 || len(list[0].Choices) != 0 || list[0].Text() != "as it stands" {
		t.Fatalf("got %+v", list)
	}
	for _, c := range list[1:] {
		if rate := c.config.LearningRate; rate < 0.0001 || rate > 0.01 {
			t.Errorf("candidate %d has the learning rate %v", c.Number, rate)
		}
		if c.config.Epochs != 1 && c.config.Epochs != 2 {
			t.Errorf("candidate %d has %d epochs", c.Number, c.config.Epochs)
		}
	}
	p.Candidates, p.Space = 8, map[string]any{"hidden": []any{[]any{int64(4), int64(4)}, []any{int64(8)}},
		"epochs": []any{int64(1), int64(2)}}
	if list, err = p.candidates(kuhns); err != nil || len(list) != 4 {
		t.Errorf("a space of four points, one of them the settings as they stand, gives %+v, %v", list, err)
	}
	p.Space = map[string]any{"num_steps": map[string]any{"from": int64(2), "to": int64(5)}}
	if list, err = p.candidates(kuhns); err != nil || len(list) != 5 {
		t.Errorf("from 2 to 5, beside 8, gives %+v, %v", list, err)
	}
}

// A candidate goes on with the larger budget of time that a round gives it.
func TestMinutes(t *testing.T) {
	p := plan(t, strings.Replace(smallPlan, "decisions = 600", "minutes = 0.002", 1))
	p.Candidates = 3
	dir := t.TempDir()
	r := swept(t, dir, p, 1, nil)
	c := must.Have(train.ReadConfig(filepath.Join(dir, "candidate-1")))(t)
	if !r.Done || c.Minutes < 0.002 {
		t.Errorf("got %+v after %v minutes", r, c.Minutes)
	}
}

func TestRounds(t *testing.T) {
	for _, tt := range []struct {
		eta, candidates int
		want            []int
	}{{2, 8, []int{8, 4, 2}}, {3, 10, []int{10, 4, 2}}, {2, 1, []int{1}}, {4, 4, []int{4}}} {
		if got := (&Plan{Eta: tt.eta}).rounds(tt.candidates); !slices.Equal(got, tt.want) {
			t.Errorf("%d candidates, one in %d: %v, want %v", tt.candidates, tt.eta, got, tt.want)
		}
	}
}

// What is wrong with a plan is said in a sentence, before anything is trained.
func TestPlanErrors(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(smallPlan, old, new, 1) }
	for _, tt := range []struct{ text, want string }{
		{change("candidates = 4", "candidates = 0"), "candidates = 0: 1 to 1000"},
		{change("candidates = 4", `candidates = "4"`), "plan.toml:2: candidates: "},
		{change("candidates = 4", "candidates = "), "plan.toml:2: "},
		{change("candidates = 4", "candidate = 4"), `plan.toml:2: unknown key candidate: did you mean "candidates"?`},
		{change("decisions = 600", ""), "give the budget of the first round, either decisions or minutes"},
		{change("decisions = 600", "decisions = 6\nminutes = 1.0"), "either decisions or minutes"},
		{change("decisions = 600", "decisions = -6"), "decisions or minutes: above 0"},
		{change("games = 40", "games = 0"), "games = 0: 1 to 1000000"},
		{change("games = 40", "eta = 1"), "eta = 1: 2 to 1000"},
		{change("seed = 3", "seed = -3"), "seed = -3: at least 0"},
		{change(`["random"]`, `[]`), "against names no agent"},
		{change(`["random"]`, `["remote:x"]`), "programs and models at servers judge no sweep"},
		{change(`["random"]`, `["random", "random"]`), `against: "random" stands there twice`},
		{change(`["random"]`, `["rndom"]`), `unknown agent "rndom"`},
		{change("epochs = [1, 2]", "epoch = [1, 2]"), `space: unknown setting "epoch": did you mean "epochs"?`},
		{change("epochs = [1, 2]", "epochs = 2"), `space: epochs: a list of values, or {`},
		{change("epochs = [1, 2]", "epochs = []"), "space: epochs has no values"},
		{change("epochs = [1, 2]", "epochs = [0]"), `space: epochs cannot be "0": it is a whole number from 1 to 1000`},
		{change("epochs = [1, 2]", "hidden = [[4]]"), "hidden stands in settings and in space"},
		{change("epochs = [1, 2]", "seed = [1, 2]"), "space: seed belongs to the plan itself"},
		{change("epochs = [1, 2]", "exploit = { from = 0, to = 1 }"), "space: exploit is no number: give a list of values"},
		{change("from = 0.0001,", "from = 0.1,"), "space: learning_rate: from 0.1 to 0.01 is no range on a " +
			"logarithmic scale"},
		{change("from = 0.0001,", "from = 2.0,"), `space: learning_rate cannot be "2"`},
		{change("from = 0.0001,", ""), "space: learning_rate: from is a number"},
		{change(`scale = "log"`, `scale = "lag"`), `space: learning_rate: scale is "linear" or "log"`},
		{change(`scale = "log"`, `step = 1`), `space: learning_rate: unknown key "step": there are: from, to, scale`},
		{change("hidden = [8]", "hiden = [8]"), `settings: unknown setting "hiden": did you mean "hidden"?`},
		{change("hidden = [8]", "hidden = [0]"), `settings: hidden cannot be "0"`},
		{change("clone = []", `clone = ["random"]`), "settings: clone: random has nothing to teach"},
		{change(`opponents = ["random"]`, `opponents = ["remote:x"]`), "settings: programs and models at servers take no " +
			"part in a sweep"},
		{smallPlan[:strings.Index(smallPlan, "[space]")], "space is empty"},
	} {
		p, err := decodePlan("plan.toml", []byte(tt.text))
		if err == nil {
			_, err = Open(t.TempDir(), p, kuhns, Options{})
		}
		if err == nil || !strings.HasPrefix(err.Error(), "plan.toml:") || !strings.Contains(err.Error(), tt.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want plan.toml: %s", err, tt.want)
		}
	}
	if _, err := ReadPlan(filepath.Join(t.TempDir(), "none.toml")); err == nil ||
		!strings.HasPrefix(err.Error(), "plan: ") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// Whatever stands in results.json, it is the sweep's own or refused in a sentence: what was changed by its checksum,
// and what has the right one, but can't be.
func TestDamagedResults(t *testing.T) {
	dir, p := t.TempDir(), plan(t, smallPlan)
	swept(t, dir, p, 1, nil)
	name := filepath.Join(dir, ResultsFile)
	before := must.Have(os.ReadFile(name))(t)
	planned := must.Have(os.ReadFile(filepath.Join(dir, PlanFile)))(t)
	last := strings.LastIndex(string(before), "\t\t\t\"candidate\": ")
	line := string(before)[last:][:strings.Index(string(before)[last:], "\n")+1]
	for _, tt := range []struct{ old, new, want string }{
		{line, "", "a judgement of candidate 0 in round 1: there are 4 candidates and 2 rounds"},
		{line, "\t\t\t\"candidate\": 5,\n", "a judgement of candidate 5 in round 1"},
		{`"round": 2`, `"round": 3`, "in round 3: there are 4 candidates and 2 rounds"},
		{`"round": 2`, `"round": 1`, "is judged twice in round 1"},
		{`"strength_ci": `, `"strength": 9, "strength_ci": `, "a strength of 9"},
		{`"decisions": `, `"decisions": -`, "decisions in"},
		{`"random": `, `"rndom": `, "over random"},
		{`"random": `, `"script:strong": 1, "random": `, "is judged by 2 agents, not by 1"},
	} {
		changed := strings.Replace(string(before), tt.old, tt.new, 1)
		if changed == string(before) {
			t.Fatalf("there is no %s", tt.old)
		}
		for text, want := range map[string]string{changed: "its checksum is another one",
			envtest.Reseal(changed, string(planned)): tt.want} {
			must.Do(t, os.WriteFile(name, []byte(text), 0o666))
			if _, err := Open(dir, p, kuhns, Options{}); err == nil || !strings.Contains(err.Error(), want) ||
				!strings.HasPrefix(err.Error(), name+": ") {
				t.Errorf("%q for %q: %v, want %s", tt.new, tt.old, err, want)
			}
		}
	}
	must.Do(t, os.WriteFile(name, before, 0o666))
	s := must.Have(Open(dir, p, kuhns, Options{}))(t)
	defer s.Close()
	if r := s.Results(); len(r.Judged) != 6 {
		t.Errorf("%d judgements", len(r.Judged))
	}
}

// A folder belongs to one sweep, and to one process at a time.
func TestFolders(t *testing.T) {
	dir, p := t.TempDir(), plan(t, smallPlan)
	s := must.Have(Open(dir, p, kuhns, Options{}))(t)
	if _, err := Open(dir, p, kuhns, Options{}); err == nil || !strings.Contains(err.Error(), "is in use by process ") {
		t.Errorf("a second process: %v", err)
	}
	must.Do(t, s.save())
	must.Do(t, s.Close())
	for _, tt := range []struct {
		want, text, results string
		games               []env.Game
	}{
		{"by another plan, with seed = 3, not seed = 4", strings.Replace(smallPlan, "seed = 3", "seed = 4", 1), "", kuhns},
		{"of other games", smallPlan, "", kuhns[:1]},
		{"results.json: ", smallPlan, "{", kuhns},
	} {
		if tt.results != "" {
			must.Do(t, os.WriteFile(filepath.Join(dir, ResultsFile), []byte(tt.results), 0o666))
		}
		if _, err := Open(dir, plan(t, tt.text), tt.games, Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
