package envtest

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

func openSubject(t *testing.T, rb *registry.Rulebook) *subject {
	t.Helper()
	g := must.Have(registry.Registry{rb}.Open(rb.Name))(t)
	return &subject{rb: rb, game: g, info: g.Info()}
}

func TestPicker(t *testing.T) {
	info := &env.Info{Actions: []env.ActionInfo{{Family: "pass"}, {Family: "bet"}, {Family: "bet"}, {Family: "fold"}}}
	for _, tt := range []struct {
		weights map[string]float64
		legal   []env.Action
		want    [4]float64
	}{
		{nil, []env.Action{0, 1, 2, 3}, [4]float64{0.25, 0.25, 0.25, 0.25}},
		{map[string]float64{"bet": 2}, []env.Action{0, 1, 2, 3}, [4]float64{0.25, 0.25, 0.25, 0.25}},
		{map[string]float64{"bet": 2}, []env.Action{0, 2}, [4]float64{1. / 3, 0, 2. / 3, 0}},
		{map[string]float64{"fold": 0}, []env.Action{0, 3}, [4]float64{1, 0, 0, 0}},
		{map[string]float64{"fold": 0, "bet": 0}, []env.Action{1, 3}, [4]float64{0, 0.5, 0, 0.5}},
		{map[string]float64{}, []env.Action{0, 1, 2}, [4]float64{0.5, 0.25, 0.25, 0}},
	} {
		pick := newPicker(info, tt.weights, 1)
		mask := make(env.Mask, 1)
		for _, a := range tt.legal {
			mask.Set(a)
		}
		const n = 20000
		var drawn [4]float64
		for range n {
			drawn[pick.action(mask)] += 1. / n
		}
		for a, x := range drawn {
			if math.Abs(x-tt.want[a]) > 0.02 || x > 0 && tt.want[a] == 0 {
				t.Errorf("weights %v, legal %v: drawn %v, want %v", tt.weights, tt.legal, drawn, tt.want)
			}
		}
	}
	for _, weights := range []map[string]float64{{"raise": 1}, {"bet": -1}} {
		if err := checkWeights(info, weights); err == nil {
			t.Errorf("weights %v are accepted", weights)
		}
	}
}

func TestCombinations(t *testing.T) {
	rb := kuhn.Rulebook()
	var texts []string
	for range 2 {
		games := must.Have(combine(rb, 12))(t)
		for _, g := range games {
			texts = append(texts, g.Info().Text)
		}
	}
	if !slices.Equal(texts[:12], texts[12:]) {
		t.Errorf("combinations are not the same each time: %v", texts)
	}
	slices.Sort(texts)
	if got := slices.Compact(texts); len(got) != 2 {
		t.Errorf("12 combinations of 2 player counts give %v", got)
	}
	rb.New = func(registry.Values, datafile.File) (env.Game, error) { return nil, errors.New("not for sale") }
	if _, err := combine(rb, 12); err == nil || !strings.Contains(err.Error(), "not for sale") {
		t.Errorf("a rulebook that opens nothing: %v", err)
	}
}

func TestOptionValues(t *testing.T) {
	rng := env.NewStream(1, "test")
	for _, tt := range []struct {
		option registry.Option
		want   []string
	}{
		{registry.Option{Kind: registry.Bool, Default: "on"}, []string{"on", "off"}},
		{registry.Option{Kind: registry.Choice, Values: []string{"a", "b"}, Default: "a"}, []string{"a", "b"}},
		{registry.Option{Kind: registry.Int, Values: []string{"random"}, Min: 2, Max: 4, Default: "random"},
			[]string{"random", "2", "4"}},
		{registry.Option{Kind: registry.Number, Min: 0.5, Max: 2, Default: "1"}, []string{"0.5", "2", "1"}},
		{registry.Option{Kind: registry.List, Values: []string{"x", "y"}, Default: "x"}, []string{"x", "y"}},
	} {
		got := optionValues(tt.option, &rng)
		for _, v := range tt.want {
			if !slices.Contains(got, v) {
				t.Errorf("values of %+v are %v, without %s", tt.option, got, v)
			}
		}
		rb := &registry.Rulebook{Name: "x", Options: []registry.Option{tt.option}}
		for _, v := range got {
			if _, err := rb.ParseValues("=" + v); err != nil {
				t.Errorf("a drawn value is not one of the option: %v", err)
			}
		}
	}
}

func TestOptionFaults(t *testing.T) {
	for _, tt := range []struct {
		want   string
		change func(rb *registry.Rulebook)
	}{
		{"", func(*registry.Rulebook) {}},
		{"traits", func(rb *registry.Rulebook) { rb.Traits = nil }},
		{"help line", func(rb *registry.Rulebook) { rb.Options[0].Help = "" }},
		{"the default of option stakes", func(rb *registry.Rulebook) {
			rb.Options = append(rb.Options, registry.Option{Name: "stakes", Kind: registry.Bool, Default: "yes",
				Help: "for money"})
		}},
		{"kuhn:players=5: panic", func(rb *registry.Rulebook) { rb.Options[0].Max = 5 }},
		{"no value of option stakes opens", func(rb *registry.Rulebook) {
			rb.Options = append(rb.Options, registry.Option{Name: "stakes", Kind: registry.Bool, Help: "for money"})
			honest := rb.New
			rb.New = func(v registry.Values, d datafile.File) (env.Game, error) {
				if v.Text("stakes") != "" {
					return nil, errors.New("not here")
				}
				return honest(v, d)
			}
		}},
	} {
		rb := kuhn.Rulebook()
		tt.change(rb)
		if err := checkOptions(rb, Config{}); (err == nil) != (tt.want == "") || err != nil &&
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

func TestCompareGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "golden", "a.jsonl")
	if err := compareGolden(file, []byte("one\ntwo\n"), false); err == nil ||
		!strings.Contains(err.Error(), "-update writes it") {
		t.Errorf("a missing golden file: %v", err)
	}
	must.Do(t, compareGolden(file, []byte("one\ntwo\n"), true))
	for _, tt := range []struct{ got, want string }{
		{"one\ntwo\n", ""},
		{"one\ntoo\n", "a.jsonl:2: got\n\ttoo"},
		{"one\ntwo\nthree\n", `a.jsonl:3: got`},
		{"one\ntwo", "a.jsonl:3: it goes on where nothing more comes"},
		{"one\ntwo\n\n", "it ends at line 3"},
	} {
		err := compareGolden(file, []byte(tt.got), false)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.got, err, tt.want)
		}
	}
}

func TestGoldenName(t *testing.T) {
	if got :=
		GoldenName("one-earth:players=4,leaders=tycoon+general"); got != "one-earth_players=4_leaders=tycoon_general.jsonl" {
		t.Error(got)
	}
}

func TestSoakOfFaults(t *testing.T) {
	s := openSubject(t, kuhn.Rulebook())
	summary, err := s.soak(300)
	if err != nil || !strings.Contains(summary, "300 games: checked ") || !strings.Contains(summary, "decisions 2 to 3") {
		t.Errorf("%q, %v", summary, err)
	}
	for _, f := range faults() {
		if f.checks != "invariants" {
			continue
		}
		if _, err := openSubject(t, f.Rulebook()).soak(300); err == nil || !strings.Contains(err.Error(), f.says) {
			t.Errorf("%s: got %v, want %q", f.name, err, f.says)
		}
	}
}

// The fuzz targets' own checks find what they are made for.
func TestFuzzOfFaults(t *testing.T) {
	bytes := []byte{1, 1, 0, 1, 0, 1}
	for _, f := range faults() {
		s := openSubject(t, f.Rulebook())
		var err error
		for seed := range uint64(8) {
			err = errors.Join(err, guard(func() error { return s.playBytes(seed, bytes[seed%3:]) }))
		}
		switch f.name {
		case "none":
			if err != nil {
				t.Error(err)
			}
		case "broken invariant", "bound too low", "empty mask", "panic", "position that loses a field",
			"copy that forgets the luck":
			if err == nil {
				t.Errorf("%s: not found by playing bytes", f.name)
			}
		}
	}
}

func TestFuzzPositionOfFaults(t *testing.T) {
	accept := func(s *faulty, b []byte) error { return nil }
	for _, tt := range []struct {
		name, position, want string
		fault                fault
	}{
		{"honest", `{"cards":["jack","king"],"history":["pass"]}`, "", fault{}},
		{"honest refusal", `{"cards":["jack","jack"],"history":[]}`, "", fault{}},
		{"changed and refused", `{"cards":["jack","king"],"history":["pass"]}`, "has changed the State", fault{
			read: func(s *faulty, b []byte) error {
				if err := s.State.ReadPosition(b); err != nil {
					return err
				}
				return errors.New("no")
			}}},
		{"impossible and accepted", `x`, "two kings",
			fault{read: accept, check: func(*faulty) error { return errors.New("two kings") }}},
		{"lost on the way", `{"cards":["jack","king"],"history":["pass"]}`, "is another when it is written", fault{
			write: func(s *faulty, dst []byte) []byte { return append(dst, `{"cards":["jack","king"],"history":[]}`...) }}},
		{"written and refused", `{"cards":["jack","king"],"history":["pass"]}`, "refused when it is written again", fault{
			write: func(s *faulty, dst []byte) []byte { return append(dst, `{}`...) }}},
	} {
		err := openSubject(t, tt.fault.Rulebook()).readBytes([]byte(tt.position))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestRuleCoverage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(content), 0o644))
	}
	write("RULES.md", "Rules, see KU-009.\n\n| id | rule |\n|---|---|\n| KU-001 | Ante. |\n| **KU-002** | Deal. As "+
		"KU-001. |\n|KU-2.4.2|Bet.|\n")
	write("a.go", "// KU-002\n")
	write("a_test.go", "// KU-001, KU-001; UTF-8, KU-003\nfunc a() {} // KU-2.4.2\n")
	write("testdata/scenarios/deal.toml", "# x\n# KU-001\n")
	c := must.Have(RuleCoverage(dir))(t)
	want := "KU-001 a_test.go:1 deal.toml:2\nKU-002 no test\nKU-2.4.2 a_test.go:2\n"
	if c.String() != want || !slices.Equal(c.Untested(), []string{"KU-002"}) ||
		!slices.Equal(c.Unknown, []string{"a_test.go:1 names KU-003"}) {
		t.Errorf("got\n%s untested %v, unknown %v", c, c.Untested(), c.Unknown)
	}
	write("RULES.md", "| KU-001 | Ante. |\n| KU-001 | Deal. |\n")
	if _, err := RuleCoverage(dir); err == nil || !strings.Contains(err.Error(), "KU-001 is defined twice") {
		t.Errorf("a rule twice: %v", err)
	}
	write("RULES.md", "No rules.\n")
	if _, err := RuleCoverage(dir); err == nil || !strings.Contains(err.Error(), "defines no rule") {
		t.Errorf("no rules: %v", err)
	}
}

func TestFailureSaysHowToReplay(t *testing.T) {
	s := openSubject(t, kuhn.Rulebook())
	p := &play{seed: 7, actions: slices.Repeat([]env.Action{kuhn.Pass, kuhn.Bet}, 30)}
	got := s.at(p, 50, errors.New("lost")).Error()
	for _, want := range []string{"seed 7", "even play", "decision 50: lost", "(10 before) … pass; bet;"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

// Each row and each line of an episode is compared.
func TestVecFaults(t *testing.T) {
	s := openSubject(t, kuhn.Rulebook())
	for _, tt := range []struct {
		want   string
		change func(v *env.Vec)
	}{
		{"", func(*env.Vec) {}},
		{"observation", func(v *env.Vec) { v.State(0).Apply(kuhn.Pass, nil) }},
		{"mask", func(v *env.Vec) { v.Masks[0] = 1 }},
		{"actor", func(v *env.Vec) { v.Actors[0] = 1 }},
		{"reward of player 1", func(v *env.Vec) { v.Rewards[1] += 0.1 }},
		{"terminated", func(v *env.Vec) { v.Terminated[0] = false }},
		{"truncated", func(v *env.Vec) { v.Truncated[0] = true }},
		{"State", func(v *env.Vec) { v.State(0).Luck()[0].Uint64() }},
		{"episode is number", func(v *env.Vec) { v.Episode(0).Number++ }},
		{"last episode is", func(v *env.Vec) { v.Episode(0).Seed++ }},
		{"last episode is", func(v *env.Vec) { v.Episode(0).Reason = "" }},
		{"last episode is", func(v *env.Vec) { v.Episode(0).Decisions++ }},
		{"last episode is", func(v *env.Vec) { v.Episode(0).Winners = 0 }},
		{"last episode is", func(v *env.Vec) { v.Episode(0).Returns[0] = 0 }},
		{"last episode is", func(v *env.Vec) { v.Episode(0).Scores[1] = 0 }},
	} {
		v := must.Have(env.NewVec(s.game, env.VecOptions{Lanes: 1, Autoreset: env.SameStep}))(t)
		e := must.Have(env.New(s.game, env.Options{}))(t)
		l := s.lane(e)
		l.begin(v, 0, s.info.Players)
		for range 2 {
			must.Do(t, v.Step([]env.Action{kuhn.Pass}))
			must.Do(t, l.step(v, 0, env.SameStep, kuhn.Pass, s.info.Players))
		}
		tt.change(v)
		if err := s.sameLane(v, 0, l); (err == nil) != (tt.want == "") || err != nil &&
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
		v.Close()
	}
}
