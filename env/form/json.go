package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"earthgym/env"
)

// maxDepth is beyond what any position needs.
const maxDepth = 16

// decode decodes one JSON value; no object in it has a name twice.
func decode(data []byte) (any, error) {
	d := decoder{Decoder: json.NewDecoder(bytes.NewReader(data))}
	d.UseNumber()
	value, err := d.value()
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	return value, nil
}

type decoder struct {
	*json.Decoder
	path []string // of the value; the elements of a list go by ""
}

func (d *decoder) value() (any, error) {
	token, err := d.token()
	if err != nil {
		return nil, err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if len(d.path) == maxDepth {
		return nil, fmt.Errorf("%s: more than %d lists and objects in each other", d.where(), maxDepth)
	}
	if open == '[' {
		return d.list()
	}
	return d.object()
}

func (d *decoder) list() ([]any, error) {
	list := []any{}
	d.path = append(d.path, Element)
	for d.More() {
		value, err := d.value()
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	d.path = d.path[:len(d.path)-1]
	_, err := d.token() // the bracket that closes it
	return list, err
}

func (d *decoder) object() (map[string]any, error) {
	fields := map[string]any{}
	for d.More() {
		token, err := d.token()
		if err != nil {
			return nil, err
		}
		name := token.(string)
		d.path = append(d.path, name)
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("%s is there twice", d.where())
		}
		if fields[name], err = d.value(); err != nil {
			return nil, err
		}
		d.path = d.path[:len(d.path)-1]
	}
	_, err := d.token()
	return fields, err
}

func (d *decoder) token() (json.Token, error) {
	token, err := d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		err = fmt.Errorf("it is not JSON: %w", err)
	}
	return token, err
}

// where is the path of the value, in which lists are one step.
func (d *decoder) where() string {
	path := ""
	for _, step := range d.path {
		path = join(path, legible(step))
	}
	return path
}

// unknown notes the first of the fields that nobody has asked for.
func (f *Position) unknown() {
	name := slices.Min(slices.Collect(maps.Keys(f.in.fields)))
	f.err = fmt.Errorf("unknown field %s: %s", f.at(legible(name)), env.Suggest(shorten(name), f.in.asked))
}

// compact is a value as JSON, short enough for an error.
func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return shorten(string(b))
}

// maxEcho is how many bytes of what came an error repeats.
const maxEcho = 60

func shorten(text string) string {
	if len(text) <= maxEcho {
		return text
	}
	n := maxEcho
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// legible is a name as a part of a path, whatever it is made of.
func legible(name string) string {
	for _, r := range name {
		if r <= ' ' || r > '~' {
			return strconv.Quote(shorten(name))
		}
	}
	return shorten(name)
}

// key begins a value: the comma before it, and in an object its name, in which nothing needs an escape.
func (f *Position) key(name string) {
	dst := f.dst
	if last := dst[len(dst)-1]; last != '{' && last != '[' {
		dst = append(dst, ',')
	}
	if name != Element {
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, '"', ':')
	}
	f.dst = dst
}

// quote appends a text.
func (f *Position) quote(text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			b, _ := json.Marshal(text) // which a text cannot fail
			f.dst = append(f.dst, b...)
			return
		}
	}
	f.dst = append(f.dst, '"')
	f.dst = append(f.dst, text...)
	f.dst = append(f.dst, '"')
}
