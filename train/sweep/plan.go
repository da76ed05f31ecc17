// Package sweep looks for better settings of training by successive halving (Jamieson, Talwalkar, Non-stochastic Best
// Arm Identification and Hyperparameter Optimization, 2016): candidates from a declared space train for a short while,
// are judged by matches, and the better ones go on with a larger budget, until one is left.
//
// A sweep is a folder: plan.toml, the training runs of its candidates, and results.json, which is written anew after
// each judgement. Whoever opens the folder again goes on where it was left, however that came. Decisions as the budget
// make a sweep repeatable to the bit; minutes make candidates equal in time, whatever a decision of theirs costs.
package sweep

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/alike"
	"earthgym/env/datafile"
	"earthgym/env/disk"
	"earthgym/env/spelling"
	"earthgym/train"
)

// A Plan is a file that declares a sweep.
type Plan struct {
	Candidates int `toml:"candidates"` // to begin with; the first has the settings as they stand
	// one in so many goes on to the next round, with a budget so many times as large
	Eta       int      `toml:"eta"`
	Decisions int      `toml:"decisions"` // budget of the first round: decisions in the league
	Minutes   float64  `toml:"minutes"`   // or of time, cloning included
	Against   []string `toml:"against"`   // agents that candidates are judged by
	Games     int      `toml:"games"`     // of the match against each of them, at each table
	Seed      int      `toml:"seed"`      // of the draw of candidates, their training and the matches

	Settings map[string]any `toml:"settings"` // what all candidates have in common, where it is not the default
	Space    map[string]any `toml:"space"`    // what they differ in: a list of values, or from, to and scale

	name string // of its file
}

// What a plan may be: bytes of its file, and candidates that it asks for.
const (
	mostPlan      = 1 << 20
	maxCandidates = 1000
)

// defaultPlan has the values of all that a plan leaves out.
func defaultPlan() Plan {
	return Plan{Candidates: 8, Eta: 2, Games: 200, Seed: 1,
		Against: []string{"script:naive", "script:greedy", "script:strong"}}
}

// ReadPlan reads the file of a plan.
func ReadPlan(name string) (*Plan, error) {
	at, err := disk.Named(name)
	var text []byte
	if err == nil {
		text, err = disk.ReadFile(at, mostPlan)
	}
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	disk.FoundNamed(name, at)
	return decodePlan(name, text)
}

func decodePlan(name string, text []byte) (*Plan, error) {
	p := defaultPlan()
	p.name = name
	if _, err := (datafile.File{Name: name, Bytes: text}).DecodePart(&p); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &p, nil
}

func (p *Plan) check() error {
	switch {
	case p.Candidates < 1 || p.Candidates > maxCandidates:
		return fmt.Errorf("candidates = %d: 1 to %d", p.Candidates, maxCandidates)
	case p.Eta < 2 || p.Eta > maxCandidates:
		return fmt.Errorf("eta = %d: 2 to %d", p.Eta, maxCandidates)
	case p.Games < 1 || p.Games > 1e6:
		return fmt.Errorf("games = %d: 1 to 1000000", p.Games)
	case p.Seed < 0:
		return fmt.Errorf("seed = %d: at least 0", p.Seed)
	case (p.Decisions == 0) == (p.Minutes == 0):
		return errors.New("give the budget of the first round, either decisions or minutes")
	case p.Decisions < 0 || p.Minutes < 0 || math.IsNaN(p.Minutes):
		return errors.New("decisions or minutes: above 0")
	case len(p.Against) == 0:
		return errors.New("against names no agent to judge candidates by, such as script:strong")
	case len(p.Space) == 0:
		return errors.New("space is empty: it says what candidates differ in, such as learning_rate = [0.0002, 0.0004]")
	}
	for i, text := range p.Against {
		if slices.Contains(p.Against[:i], text) {
			return fmt.Errorf("against: %q stands there twice", text)
		}
		if agents.IsForeign(text) {
			return fmt.Errorf("against: %q: programs and models at servers judge no sweep", text)
		}
	}
	for name := range p.Space {
		if _, both := p.Settings[name]; both {
			return fmt.Errorf("%s stands in settings and in space", name)
		}
	}
	return nil
}

// budgets are settings that belong to the plan and not to a candidate.
func budgets() []string { return []string{"decisions", "minutes", "seed"} }

func setting(name string) (train.Setting, error) {
	if slices.Contains(budgets(), name) {
		return train.Setting{}, fmt.Errorf("%s belongs to the plan itself, above its tables", name)
	}
	all := train.Settings()
	i := slices.IndexFunc(all, func(s train.Setting) bool { return s.Name == name })
	if i < 0 {
		var names []string
		for _, s := range all {
			if !slices.Contains(budgets(), s.Name) {
				names = append(names, s.Name)
			}
		}
		return train.Setting{}, fmt.Errorf("unknown setting %q: %s", name, spelling.Suggest(name, names))
	}
	return all[i], nil
}

// A Candidate is a point of the space.
type Candidate struct {
	Number  int               `json:"number"`            // from 1
	Choices map[string]string `json:"choices,omitempty"` // by setting; none of the first, whose settings are as they stand

	config train.Config
}

// candidates draws those of the plan, for variants of a game.
func (p *Plan) candidates(games []env.Game) ([]Candidate, error) {
	base := train.DefaultFor(games...)
	base.Decisions, base.Minutes = p.Decisions, p.Minutes
	if p.Minutes > 0 {
		base.Decisions = -1
	}
	base.Seed = datafile.Seed(p.Seed)
	for _, name := range slices.Sorted(maps.Keys(p.Settings)) {
		s, err := setting(name)
		if err != nil {
			return nil, fmt.Errorf("settings: %w", err)
		}
		if err := s.Set(&base, textOf(p.Settings[name])); err != nil {
			return nil, fmt.Errorf("settings: %w", err)
		}
	}
	axes, err := p.axes()
	if err != nil {
		return nil, fmt.Errorf("space: %w", err)
	}
	list := []Candidate{{Number: 1, config: base}}
	if err := base.Check(); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	luck, seen := env.NewStream(uint64(p.Seed), "sweep"), map[string]bool{base.Text(): true}
	// A small space has fewer points than are drawn: what comes a second time is drawn anew, but not for ever.
	for tries := 0; len(list) < p.Candidates && tries < 100*p.Candidates; tries++ {
		c := Candidate{Number: len(list) + 1, Choices: map[string]string{}, config: base}
		for _, a := range axes {
			value := a.draw(luck.Float64())
			c.Choices[a.setting.Name] = value
			if err := a.setting.Set(&c.config, value); err != nil {
				return nil, fmt.Errorf("space: %w", err)
			}
		}
		// Choices that were drawn before need no comparison of all settings, which takes a hundred times as long.
		drawn := c.Text()
		if seen[drawn] || seen[c.config.Text()] {
			continue
		}
		seen[drawn], seen[c.config.Text()] = true, true
		if err := c.config.Check(); err != nil {
			return nil, fmt.Errorf("space: with %s: %w", c.Text(), err)
		}
		list = append(list, c)
	}
	if foreign := slices.IndexFunc(slices.Concat(base.Opponents, base.Clone), agents.IsForeign); foreign >= 0 {
		return nil, errors.New("settings: programs and models at servers take no part in a sweep")
	}
	return list, nil
}

// Text says what is special about a candidate.
func (c *Candidate) Text() string {
	if len(c.Choices) == 0 {
		return "as it stands"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.Choices)) {
		parts = append(parts, name+"="+c.Choices[name])
	}
	return strings.Join(parts, " ")
}

// An axis is a setting that candidates differ in.
type axis struct {
	setting  train.Setting
	values   []string // or, without any:
	from, to float64
	log      bool
	whole    bool
}

// draw is a value of the setting, as Setting.Set takes it.
func (a *axis) draw(u float64) string {
	if a.values != nil {
		return a.values[int(u*float64(len(a.values)))]
	}
	x := a.from + float64(u*(a.to-a.from))
	if a.log {
		x = alike.Exp(alike.Log(a.from) + float64(u*(alike.Log(a.to)-alike.Log(a.from))))
	}
	if a.whole {
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func (p *Plan) axes() ([]axis, error) {
	var list []axis
	for _, name := range slices.Sorted(maps.Keys(p.Space)) {
		s, err := setting(name)
		if err != nil {
			return nil, err
		}
		a := axis{setting: s}
		switch v := p.Space[name].(type) {
		case []any:
			for _, value := range v {
				a.values = append(a.values, textOf(value))
			}
			if len(v) == 0 {
				err = fmt.Errorf("%s has no values", name)
			}
			for _, value := range a.values {
				c := train.DefaultConfig()
				if err == nil {
					err = s.Set(&c, value)
				}
			}
		case map[string]any:
			err = a.span(v)
		default:
			err = fmt.Errorf("%s: a list of values, or { from = …, to = …, scale = \"log\" }", name)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

func (a *axis) span(v map[string]any) error {
	name := a.setting.Name
	if t := a.setting.Type(); t != "int" && t != "float" {
		return fmt.Errorf("%s is no number: give a list of values", name)
	}
	a.whole = a.setting.Type() == "int"
	for key := range v {
		if key != "from" && key != "to" && key != "scale" {
			return fmt.Errorf("%s: unknown key %q: %s", name, key, spelling.Suggest(key, []string{"from", "to", "scale"}))
		}
	}
	for key, x := range map[string]*float64{"from": &a.from, "to": &a.to} {
		switch n := v[key].(type) {
		case int64:
			*x = float64(n)
		case float64:
			*x = n
		default:
			return fmt.Errorf("%s: %s is a number", name, key)
		}
		c := train.DefaultConfig()
		if err := a.setting.Set(&c, textOf(v[key])); err != nil {
			return err
		}
	}
	switch v["scale"] {
	case nil, "linear":
	case "log":
		a.log = true
	default:
		return fmt.Errorf("%s: scale is \"linear\" or \"log\"", name)
	}
	if !(a.from < a.to) || a.log && !(a.from > 0) {
		return fmt.Errorf("%s: from %v to %v is no range%s", name, a.from, a.to,
			map[bool]string{true: " on a logarithmic scale"}[a.log])
	}
	return nil
}

// textOf is a TOML value as Setting.Set takes it.
func textOf(v any) string {
	switch v := v.(type) {
	case []any:
		words := make([]string, len(v))
		for i, x := range v {
			words[i] = textOf(x)
		}
		return train.JoinList(words)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case map[string]any:
		return "a table"
	}
	return fmt.Sprint(v)
}
