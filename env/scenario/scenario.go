// Package scenario plays small tests of the rules: the worked examples of a rulebook, and lessons.
package scenario

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/decode"
	"earthgym/env/disk"
)

// A Scenario is a small test of the rules: a position, actions with their chance, and what must hold
// after each. Worked examples of a rulebook are scenarios.
type Scenario struct {
	Title    string         `toml:"title"` // of a lesson
	Game     string         `toml:"game"`
	Seed     datafile.Seed  `toml:"seed"`
	Data     string         `toml:"data"`     // a data file, beside the scenario's own
	Chance   []string       `toml:"chance"`   // of the set-up, forced in order
	Position map[string]any `toml:"position"` // a patch on the written set-up position
	Step     []Step         `toml:"step"`

	file string
}

// Step is one play, and what must hold before and after it. Without a play it checks the
// position as it stands.
type Step struct {
	// Of a lesson: what the one who learns is told before the play, and after it.
	Say  string `toml:"say"`
	Then string `toml:"then"`

	Play   string   `toml:"play"`
	Player *int     `toml:"player"` // who must be the one to act
	Chance []string `toml:"chance"` // the first events of the play, in order; those after are drawn

	// Before the play:
	Legal     []string  `toml:"legal"`
	Illegal   []string  `toml:"illegal"`
	LegalOnly *[]string `toml:"legal_only"` // the exact set

	// After the play:
	Want    map[string]any `toml:"want"` // dotted paths into the position
	Over    *bool          `toml:"over"`
	Reason  *string        `toml:"reason"`
	Returns *[]float64     `toml:"returns"`
	Winners *[]int         `toml:"winners"`
	Scores  *[]float64     `toml:"scores"`
}

// Read reads a scenario file. An unknown key or a wrong type is an error with file and line.
func Read(file string) (*Scenario, error) {
	b, err := disk.ReadFile(file, datafile.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return Parse(file, b)
}

// Parse is Read on the bytes of the file.
func Parse(file string, b []byte) (*Scenario, error) {
	sc := &Scenario{file: file}
	if _, err := (datafile.File{Name: file, Bytes: b}).DecodePart(sc); err != nil {
		return nil, err
	}
	if sc.Game == "" {
		return nil, fmt.Errorf("%s: a scenario must say its game = \"name:option=value,…\"", file)
	}
	return sc, nil
}

// Run plays the scenario. Open opens its game, with its data file if it names one. The first failure
// is the error: file, step, what was got and what was wanted.
func (sc *Scenario) Run(open func(game string, data []datafile.File) (env.Game, error)) error {
	return sc.Follow(open, nil)
}

// Follow is Run that shows each step that plays something, once it is checked. The step is valid during the call; an
// error of visit, which may be nil, ends the run.
func (sc *Scenario) Follow(open func(game string, data []datafile.File) (env.Game, error),
	visit func(step *env.Step) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", sc.file, err)
		}
	}()
	g, err := sc.Open(open)
	if err != nil {
		return err
	}
	e, err := env.New(g, env.Options{})
	if err != nil {
		return err
	}
	var tape env.Tape
	tape.Force(sc.Chance...)
	e.ResetOn(uint64(sc.Seed), &tape)
	if err := tape.Err(); err != nil {
		return fmt.Errorf("set-up: %w", err)
	}
	if len(sc.Position) > 0 {
		start := g.New()
		start.CopyFrom(e.State())
		if err := env.PatchPosition(start, sc.Position); err != nil {
			return fmt.Errorf("position: %w", err)
		}
		e.ResetTo(start)
	}
	followed := env.Step{Before: g.New(), After: e.State()}
	if visit != nil {
		tape.Count(e.State())
	}
	for i := range sc.Step {
		step := &sc.Step[i]
		followed.Before.CopyFrom(e.State())
		err := step.run(e, &tape)
		if err == nil && step.Play != "" && visit != nil {
			followed.Events = tape.Marked()
			if followed.Action, err = e.Info().Parse(step.Play); err == nil {
				err = visit(&followed)
			}
		}
		if err != nil {
			name := fmt.Sprintf("step %d", i+1)
			if step.Play != "" {
				name += fmt.Sprintf(" (%s)", step.Play)
			}
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Open opens the scenario's game, with its component data where it names a file of them.
func (sc *Scenario) Open(open func(string, []datafile.File) (env.Game, error)) (env.Game, error) {
	var data []datafile.File
	if sc.Data != "" {
		d, _, err := datafile.Read(filepath.Join(filepath.Dir(sc.file), sc.Data))
		if err != nil {
			return nil, err
		}
		data = append(data, d)
	}
	return open(sc.Game, data)
}

func (step *Step) run(e *env.Env, tape *env.Tape) error {
	if step.Player != nil && env.Player(*step.Player) != e.Actor() {
		return fmt.Errorf("player: got %d, want %d", e.Actor(), *step.Player)
	}
	if err := step.checkLegal(e); err != nil {
		return err
	}
	if step.Play != "" {
		a, err := e.Info().Parse(step.Play)
		if err != nil {
			return err
		}
		tape.Rewind()
		tape.Force(step.Chance...)
		if err := e.StepOn(a, tape); err != nil {
			return err
		}
		if err := tape.Err(); err != nil {
			return err
		}
	} else if len(step.Chance) > 0 {
		return errors.New("chance needs a play")
	}
	return step.checkAfter(e)
}

func (step *Step) checkLegal(e *env.Env) error {
	for _, text := range step.Legal {
		a, err := e.Info().Parse(text)
		if err != nil {
			return err
		}
		if !e.Mask().Has(a) {
			return fmt.Errorf("legal: %q is not: %s", text, e.Step(a).(*env.IllegalActionError).Reason)
		}
	}
	for _, text := range step.Illegal {
		a, err := e.Info().Parse(text)
		if err != nil {
			return err
		}
		if e.Mask().Has(a) {
			return fmt.Errorf("illegal: %q is legal", text)
		}
	}
	if step.LegalOnly == nil {
		return nil
	}
	want := make(env.Mask, len(e.Mask()))
	for _, text := range *step.LegalOnly {
		a, err := e.Info().Parse(text)
		if err != nil {
			return err
		}
		want.Set(a)
	}
	if !slices.Equal(want, e.Mask()) {
		return fmt.Errorf("legal_only: got %s, want %s", decode.Compact(env.LegalTexts(e.State())),
			decode.Compact(*step.LegalOnly))
	}
	return nil
}

func (step *Step) checkAfter(e *env.Env) error {
	if len(step.Want) > 0 {
		var position map[string]any
		if err := decode.Numbers(e.State().AppendPosition(nil), &position); err != nil {
			return err
		}
		for _, path := range slices.Sorted(maps.Keys(step.Want)) {
			got, err := lookUp(position, path)
			if err != nil {
				return err
			}
			if d := agree(got, step.Want[path], path); d != "" {
				return errors.New(d)
			}
		}
	}
	r := env.ResultOf(e.State(), e.Decisions())
	switch {
	case step.Over != nil && *step.Over != e.Terminated():
		return fmt.Errorf("over: got %v, want %v", e.Terminated(), *step.Over)
	case step.Reason != nil && *step.Reason != r.Reason:
		return fmt.Errorf("reason: got %q, want %q", r.Reason, *step.Reason)
	case step.Winners != nil && !slices.Equal(*step.Winners, r.Winners.List()):
		return fmt.Errorf("winners: got %v, want %v", r.Winners.List(), *step.Winners)
	case step.Returns != nil && !within(r.Returns, *step.Returns):
		return fmt.Errorf("returns: got %v, want %v", r.Returns, *step.Returns)
	case step.Scores != nil && !within(r.Scores, *step.Scores):
		return fmt.Errorf("scores: got %v, want %v", r.Scores, *step.Scores)
	}
	return nil
}

func within(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 0.001 })
}
