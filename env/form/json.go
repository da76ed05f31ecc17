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
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	value, err := decodeValue(dec, "", 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	return value, nil
}

func decodeValue(dec *json.Decoder, path string, depth int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, notJSON(err)
	}
	if token != json.Delim('{') && token != json.Delim('[') {
		return token, nil
	}
	if depth == maxDepth {
		return nil, fmt.Errorf("%s: more than %d lists and objects in each other", path, maxDepth)
	}
	var list []any
	fields := map[string]any{}
	for i := 0; dec.More(); i++ {
		name := strconv.Itoa(i)
		if token == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return nil, notJSON(err)
			}
			name = key.(string)
			if _, twice := fields[name]; twice {
				return nil, fmt.Errorf("%s: is there twice", join(path, legible(name)))
			}
		}
		value, err := decodeValue(dec, join(path, legible(name)), depth+1)
		if err != nil {
			return nil, err
		}
		if token == json.Delim('{') {
			fields[name] = value
		} else {
			list = append(list, value)
		}
	}
	if _, err := dec.Token(); err != nil { // the bracket that closes it
		return nil, notJSON(err)
	}
	if token == json.Delim('{') {
		return fields, nil
	}
	return append([]any{}, list...), nil
}

func notJSON(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("it is not JSON: %w", err)
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
	for !utf8.RuneStart(text[n]) {
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

// key begins a value: the comma before it, and in an object its name.
func (f *Position) key(name string) {
	if last := f.dst[len(f.dst)-1]; last != '{' && last != '[' {
		f.dst = append(f.dst, ',')
	}
	if name != Element {
		f.quote(name)
		f.dst = append(f.dst, ':')
	}
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
