package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"earthgym/env/decode"
	"earthgym/env/spelling"
)

// maxDepth is beyond what any position needs.
const maxDepth = 16

// parse decodes one JSON value; no object in it has a name twice. Numbers are json.Numbers.
func parse(data []byte) (any, error) {
	if !json.Valid(data) {
		return nil, decode.Syntax(data)
	}
	s := scanner{data: data}
	return s.value()
}

// A scanner walks a valid JSON text, so that it need not ask what comes where only one thing can: the tokens of
// encoding/json cost several times as much.
type scanner struct {
	data []byte   // what is left
	path []string // of the value; the elements of a list go by ""
}

func (s *scanner) value() (any, error) {
	switch s.peek() {
	case '{':
		return s.object()
	case '[':
		return s.list()
	case '"':
		return s.text(), nil
	}
	n := bytes.IndexAny(s.data, ",]} \t\r\n")
	if n < 0 {
		n = len(s.data)
	}
	word := string(s.take(n))
	switch word {
	case "null":
		return nil, nil
	case "true", "false":
		return word == "true", nil
	}
	return json.Number(word), nil
}

// enter steps into a list or an object.
func (s *scanner) enter() error {
	if len(s.path) == maxDepth {
		return fmt.Errorf("%s: more than %d lists and objects in each other", s.where(), maxDepth)
	}
	s.take(1)
	s.path = append(s.path, Element)
	return nil
}

// more says whether another element or field comes before the end, which it takes.
func (s *scanner) more(end byte) bool {
	c := s.peek()
	if c == ',' {
		s.take(1)
		return true
	}
	if c != end {
		return true
	}
	s.take(1)
	s.path = s.path[:len(s.path)-1]
	return false
}

func (s *scanner) list() (any, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	list := []any{}
	for s.more(']') {
		value, err := s.value()
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

func (s *scanner) object() (any, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	fields := map[string]any{}
	for s.more('}') {
		s.peek()
		name := s.text()
		s.path[len(s.path)-1] = name
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("%s is there twice", s.where())
		}
		s.peek()
		s.take(1) // the colon
		value, err := s.value()
		if err != nil {
			return nil, err
		}
		fields[name] = value
	}
	return fields, nil
}

func (s *scanner) text() string {
	for i := 1; ; i++ {
		switch s.data[i] {
		case '"':
			return string(s.take(i + 1)[1:i])
		case '\\':
			return s.escaped()
		}
		if s.data[i] >= utf8.RuneSelf {
			return s.escaped()
		}
	}
}

// escaped takes a string in which something may stand for something else: an escape, or bytes that are no UTF-8.
func (s *scanner) escaped() string {
	end := 1
	for ; s.data[end] != '"'; end++ {
		if s.data[end] == '\\' {
			end++
		}
	}
	var text string
	_ = json.Unmarshal(s.take(end+1), &text) // which a valid text cannot fail
	return text
}

// peek is the next byte that is not white space.
func (s *scanner) peek() byte {
	for {
		switch c := s.data[0]; c {
		case ' ', '\t', '\r', '\n':
			s.data = s.data[1:]
		default:
			return c
		}
	}
}

func (s *scanner) take(n int) []byte {
	taken := s.data[:n]
	s.data = s.data[n:]
	return taken
}

// where is the path of the value, in which lists are one step.
func (s *scanner) where() string {
	path := ""
	for _, step := range s.path {
		path = decode.Join(path, legible(step))
	}
	return path
}

// unknown notes the first of the fields that nobody has asked for.
func (f *Position) unknown() {
	name := slices.Min(slices.Collect(maps.Keys(f.in.fields)))
	f.err = fmt.Errorf("unknown field %s: %s", f.at(legible(name)), spelling.Suggest(shorten(name), f.in.asked))
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
