// Package registry opens games by their text, "name:option=value,…": a [Rulebook] is a game with its options and its
// component data before any is chosen, and a [Registry] is a list of rulebooks.
package registry

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/spelling"
)

// A Rulebook is one game as it stands in a registry: what it is called, what can be chosen, and how to
// open it.
type Rulebook struct {
	Name     string   // "resilience-earth"
	Title    string   // "Resilience Earth"
	Traits   []string // of the default configuration
	Options  []Option // in table order
	Variants []string // game texts that tests, benchmarks and golden records go through
	Data     []byte   // the built-in component data

	// New makes the Game. It is called through Open, with checked values and never with empty data.
	New func(v Values, d datafile.File) (env.Game, error)
}

// An Option is one choice of a rulebook.
type Option struct {
	Name    string
	Kind    OptionKind
	Values  []string // of a choice: all; of a list: its elements; of a number: words it may be instead
	Min     float64  // of a number
	Max     float64
	Default string // "" = follows from other options, as Help says
	Help    string // one line
}

// OptionKind is the form of an option's values.
type OptionKind string

const (
	Choice OptionKind = "choice" // one of Values
	Int    OptionKind = "int"    // a whole number from Min to Max, or one of Values
	Number OptionKind = "number" // a number from Min to Max
	List   OptionKind = "list"   // elements joined by "+", or one of the default's words
	Bool   OptionKind = "bool"   // on or off
)

// Allowed says what values there are, for errors and help.
func (o Option) Allowed() string {
	switch o.Kind {
	case Bool:
		return "on, off"
	case Int, Number:
		r := "a number from " + formatNumber(o.Min) + " to " + formatNumber(o.Max)
		if o.Kind == Int {
			r = "a whole" + r[1:]
		}
		return strings.Join(append([]string{r}, o.Values...), " or ")
	case List:
		return strings.Join(o.Values, ", ") + ", several joined by +"
	}
	return strings.Join(o.Values, ", ")
}

// check gives the value in its one canonical form.
func (o Option) check(value string) (string, error) {
	wrong := func() (string, error) {
		there := "it is " + o.Allowed()
		if o.Kind == Choice {
			there = spelling.Suggest(value, o.Values)
		}
		return "", fmt.Errorf("option %s cannot be %q: %s", o.Name, value, there)
	}
	if value == "" && o.Default == "" || slices.Contains(o.Values, value) {
		return value, nil
	}
	switch o.Kind {
	case Bool:
		if value == "on" || value == "off" {
			return value, nil
		}
	case Int:
		n, err := strconv.Atoi(value)
		if err == nil && float64(n) >= o.Min && float64(n) <= o.Max {
			return strconv.Itoa(n), nil
		}
	case Number:
		x, err := strconv.ParseFloat(value, 64)
		if err == nil && !math.IsNaN(x) && x >= o.Min && x <= o.Max {
			return formatNumber(x), nil
		}
	case List:
		for _, word := range strings.Split(value, "+") {
			if !slices.Contains(o.Values, word) {
				return "", fmt.Errorf("option %s cannot contain %q: %s", o.Name, word, spelling.Suggest(word, o.Values))
			}
		}
		return value, nil
	}
	return wrong()
}

func formatNumber(x float64) string { return strconv.FormatFloat(x+0, 'f', -1, 64) }

// Values are the options of one Game: every option of the rulebook, with its value.
type Values struct {
	options  []Option
	values   []string
	defaults []string // those of the options, and what With and WithDefault have made of them
}

// DefaultValues are all options at their defaults.
func (r *Rulebook) DefaultValues() Values {
	v := Values{options: r.Options}
	for _, o := range r.Options {
		v.defaults = append(v.defaults, o.Default)
	}
	v.values = slices.Clone(v.defaults)
	return v
}

// ParseValues reads "option=value,…" over the defaults. An unknown or repeated option and a value
// outside its range are errors that say what there is.
func (r *Rulebook) ParseValues(text string) (Values, error) {
	v := r.DefaultValues()
	if text == "" {
		return v, nil
	}
	given := map[string]bool{}
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return v, fmt.Errorf("%s: %q is not of the form option=value", r.Name, part)
		}
		i := v.index(name)
		if i < 0 {
			return v, fmt.Errorf("%s: unknown option %q: %s", r.Name, name, spelling.Suggest(name, r.optionNames()))
		}
		if given[name] {
			return v, fmt.Errorf("%s: option %s is given twice", r.Name, name)
		}
		given[name] = true
		canonical, err := v.options[i].check(value)
		if err != nil {
			return v, fmt.Errorf("%s: %w", r.Name, err)
		}
		v.values[i] = canonical
	}
	return v, nil
}

func (r *Rulebook) optionNames() []string {
	names := make([]string, len(r.Options))
	for i, o := range r.Options {
		names[i] = o.Name
	}
	return names
}

func (v Values) index(name string) int {
	return slices.IndexFunc(v.options, func(o Option) bool { return o.Name == name })
}

// Text is the value of an option, in its canonical form.
func (v Values) Text(name string) string { return v.values[v.index(name)] }

// Int is the value of a whole-number option; a word instead of a number is -1.
func (v Values) Int(name string) int {
	n, err := strconv.Atoi(v.Text(name))
	if err != nil {
		return -1
	}
	return n
}

// Number is the value of a number option.
func (v Values) Number(name string) float64 {
	x, _ := strconv.ParseFloat(v.Text(name), 64)
	return x
}

// Bool is the value of an on-off option.
func (v Values) Bool(name string) bool { return v.Text(name) == "on" }

// With sets one option to the only value that the others leave it, which the caller knows to be right.
func (v Values) With(name, value string) Values {
	v = v.WithDefault(name, value)
	v.values[v.index(name)] = value
	return v
}

// WithDefault says what the default of an option is, where it follows from others. It becomes the value
// of an option that has none.
func (v Values) WithDefault(name, value string) Values {
	i := v.index(name)
	v.values, v.defaults = slices.Clone(v.values), slices.Clone(v.defaults)
	v.defaults[i] = value
	if v.values[i] == "" {
		v.values[i] = value
	}
	return v
}

// GameText is the game's full text: its name and every option, in table order.
func (r *Rulebook) GameText(v Values) string {
	parts := make([]string, len(v.options))
	for i, o := range v.options {
		parts[i] = o.Name + "=" + v.values[i]
	}
	return r.Name + ":" + strings.Join(parts, ",")
}

// ShortText is the game's text for people: its name and the options that differ from their defaults, in
// table order. Opening it gives the game of the full text.
func (r *Rulebook) ShortText(v Values) string {
	var parts []string
	for i, o := range v.options {
		if v.values[i] != v.defaults[i] {
			parts = append(parts, o.Name+"="+v.values[i])
		}
	}
	if parts == nil {
		return r.Name
	}
	return r.Name + ":" + strings.Join(parts, ",")
}

// Open makes the Game of the given options, "option=value,…"; empty data stands for the built-in.
func (r *Rulebook) Open(options string, d datafile.File) (env.Game, error) {
	v, err := r.ParseValues(options)
	if err != nil {
		return nil, err
	}
	if d.Bytes == nil {
		d = datafile.File{Name: "built-in " + r.Name + " data.toml", Bytes: r.Data}
	}
	return r.New(v, d)
}

// MarshalJSON writes what a program needs to know to open the game: names, options and variants.
func (r *Rulebook) MarshalJSON() ([]byte, error) {
	type option struct {
		Name    string     `json:"name"`
		Kind    OptionKind `json:"kind"`
		Values  []string   `json:"values"`
		Min     *float64   `json:"min"` // of numbers; null for the others
		Max     *float64   `json:"max"`
		Default string     `json:"default"`
		Help    string     `json:"help"`
	}
	options := make([]option, len(r.Options))
	for i, o := range r.Options {
		options[i] = option{o.Name, o.Kind, append([]string{}, o.Values...), nil, nil, o.Default, o.Help}
		if o.Kind == Int || o.Kind == Number {
			options[i].Min, options[i].Max = &o.Min, &o.Max
		}
	}
	return json.Marshal(struct {
		Name     string   `json:"name"`
		Title    string   `json:"title"`
		Options  []option `json:"options"`
		Variants []string `json:"variants"`
		Traits   []string `json:"traits"`
	}{r.Name, r.Title, options, append([]string{}, r.Variants...), append([]string{}, r.Traits...)})
}
