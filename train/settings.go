package train

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// A Setting is a field of Config, with what its tags say of it.
type Setting struct {
	Name    string // in config.toml; as a flag with - for _
	Default string // as Set takes it
	Help    string // what it is, in a line

	field     int // of Config
	low, high float64
	open      bool // low itself is not allowed
}

// Settings are the settings of a Config but for the game, in their order.
func Settings() []Setting { return allSettings()[1:] }

func allSettings() []Setting {
	var all []Setting
	t := reflect.TypeFor[Config]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		s := Setting{Name: tag.Get("toml"), Default: tag.Get("default"), Help: tag.Get("help"), field: i}
		if in := tag.Get("in"); in != "" {
			s.open = in[0] == '('
			if _, err := fmt.Sscanf(in[1:], "%g, %g]", &s.low, &s.high); err != nil {
				panic(fmt.Sprintf("train: setting %s is in %q, which is no interval: %v", s.Name, in, err))
			}
		}
		all = append(all, s)
	}
	return all
}

func (s Setting) value(c *Config) reflect.Value { return reflect.ValueOf(c).Elem().Field(s.field) }

// Set reads the setting from a text. The elements of a list are joined by commas, and those with a comma in
// them stand in double quotes ([JoinList]).
func (s Setting) Set(c *Config, text string) error {
	if err := set(s.value(c), text); err != nil || !s.within(c) {
		return fmt.Errorf("%s cannot be %q: it is %s", s.Name, text, s.Allowed())
	}
	return nil
}

func set(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
		return err
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		v.SetUint(n)
		return err
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		v.SetFloat(x)
		return err
	case reflect.Bool:
		on, err := strconv.ParseBool(text)
		v.SetBool(on)
		return err
	case reflect.String:
		v.SetString(text)
	case reflect.Slice:
		words, err := SplitList(text)
		if err != nil {
			return err
		}
		list := reflect.MakeSlice(v.Type(), len(words), len(words))
		for i, word := range words {
			if err := set(list.Index(i), word); err != nil {
				return err
			}
		}
		v.Set(list)
	}
	return nil
}

// Text is the setting as Set takes it.
func (s Setting) Text(c *Config) string { return text(s.value(c)) }

func text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Slice:
		words := make([]string, v.Len())
		for i := range words {
			words[i] = text(v.Index(i))
		}
		return JoinList(words)
	}
	return fmt.Sprint(v.Interface())
}

// JoinList joins the elements of a list by commas, those with a comma or a quote in them in double quotes.
func JoinList(words []string) string {
	if len(words) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(words)
	w.Flush() // a Builder takes all
	return strings.TrimSuffix(b.String(), "\n")
}

// SplitList gives the elements that [JoinList] has joined, or a person, who may leave blanks around them.
func SplitList(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 1 {
		return nil, errors.Join(err, errors.New("not one line"))
	}
	for i, word := range lines[0] {
		lines[0][i] = strings.TrimSpace(word)
	}
	return lines[0], nil
}

// Type is what the setting takes, in a word: list, int, float, string, or true|false.
func (s Setting) Type() string {
	switch s.typ().Kind() {
	case reflect.Slice:
		return "list"
	case reflect.Int, reflect.Uint64:
		return "int"
	case reflect.Float64:
		return "float"
	case reflect.Bool:
		return "true|false"
	}
	return "string"
}

func (s Setting) typ() reflect.Type { return reflect.TypeFor[Config]().Field(s.field).Type }

func (s Setting) within(c *Config) bool {
	if s.high == 0 {
		return true
	}
	in := func(x float64) bool {
		return x >= s.low && x <= s.high && (x > s.low || !s.open) // false for a NaN
	}
	switch v := s.value(c); v.Kind() {
	case reflect.Int:
		return in(float64(v.Int()))
	case reflect.Float64:
		return in(v.Float())
	case reflect.Slice:
		for i := range v.Len() {
			if !in(float64(v.Index(i).Int())) {
				return false
			}
		}
	}
	return true
}

// Allowed says what the setting can be.
func (s Setting) Allowed() string {
	bounds := fmt.Sprintf("from %s to %s", plain(s.low), plain(s.high))
	if s.open {
		bounds = fmt.Sprintf("above %s and up to %s", plain(s.low), plain(s.high))
	}
	switch t := s.typ(); t.Kind() {
	case reflect.Int:
		return "a whole number " + bounds
	case reflect.Uint64:
		return fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64))
	case reflect.Float64:
		return "a number " + bounds
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Int {
			return "whole numbers " + bounds + ", joined by commas"
		}
		return "texts, joined by commas; one with a comma stands in double quotes"
	}
	return "a text"
}

// plain is a number without exponent.
func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
