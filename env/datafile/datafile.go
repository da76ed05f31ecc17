// Package datafile reads TOML files: the component data of games, and what else people write for them. What is wrong
// with a file is said with file and line.
package datafile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/spelling"
)

// A File is a TOML file with the component data of a game. Its first key, game, says whose it is.
type File struct {
	Name  string // for errors
	Bytes []byte
}

// MaxSize is the most bytes of a File, wherever it comes from.
const MaxSize = 4 << 20

// A File is a tree, and what reads it takes time and memory for every path in it. These bounds, far
// beyond what a box of components needs, keep that in proportion to the file.
const (
	maxDataPath   = 200    // bytes of a path such as "buildings.0.cost"
	maxDataKeys   = 1000   // keys of one table
	maxDataValues = 50_000 // keys and list elements in all
)

// Read reads a file and the name of the game that it is for.
func Read(name string) (File, string, error) {
	at, err := disk.Named(name)
	var b []byte
	if err == nil {
		b, err = disk.ReadFile(at, MaxSize)
	}
	if err != nil {
		return File{}, "", fmt.Errorf("data file: %w", err)
	}
	disk.FoundNamed(name, at)
	d := File{name, b}
	game, err := d.Game()
	return d, game, err
}

// text is the file without the byte order mark that some editors put before UTF-8. A file that is too large is refused.
func (d File) text() ([]byte, error) {
	if len(d.Bytes) > MaxSize {
		return nil, fmt.Errorf("%s: component data are at most %d bytes", d.Name, MaxSize)
	}
	return bytes.TrimPrefix(d.Bytes, []byte("\ufeff")), nil
}

// Game is the value of the first key: the name of the game that the data are for.
func (d File) Game() (string, error) {
	text, err := d.text()
	if err != nil {
		return "", err
	}
	p := unstable.Parser{}
	p.Reset(text)
	if p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.KeyValue && e.Value().Kind == unstable.String {
			if key := e.Key(); key.Next() && string(key.Node().Data) == "game" && len(e.Value().Data) <= maxDataPath {
				return string(e.Value().Data), nil
			}
		}
	}
	if p.Error() != nil {
		var all map[string]any
		return "", d.wrap(toml.Unmarshal(text, &all)) // which knows the line
	}
	return "", fmt.Errorf("%s: the first key must say whose data these are: game = \"name\"", d.Name)
}

// Decode reads the file into dst, a pointer to a struct with toml tags. A key that dst does not have,
// a key of dst that the file lacks, a value of the wrong type and a whole number out of its range are errors
// with file and line. The Lines it gives place the errors of the caller's own checks.
//
// Tags low and high have the range of a number, or of all numbers in a list or a table that have none of their
// own; low is 0 if left out. A number without the tag high may be any.
func (d File) Decode(dst any) (*Lines, error) {
	lines, all, err := d.decode(dst)
	if err != nil {
		return nil, err
	}
	if path := missing(reflect.TypeOf(dst).Elem(), all, ""); path != "" {
		return nil, lines.Errorf(parent(path), "%s is missing", path)
	}
	c := Check{lines: lines}
	c.ranges(reflect.ValueOf(dst).Elem(), "", "")
	return lines, c.err
}

// DecodePart is Decode of a file that need not have all keys of dst.
func (d File) DecodePart(dst any) (*Lines, error) {
	lines, _, err := d.decode(dst)
	return lines, err
}

// decode is DecodePart that also gives the file as a tree.
func (d File) decode(dst any) (*Lines, map[string]any, error) {
	text, err := d.text()
	if err != nil {
		return nil, nil, err
	}
	lines := &Lines{file: d.Name, at: map[string]int{}, keys: map[string]int{}}
	if err := lines.scan(text); err != nil {
		return nil, nil, err
	}
	if err := toml.Unmarshal(text, dst); err != nil {
		return nil, nil, d.wrap(err)
	}
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		return nil, nil, d.wrap(err)
	}
	// The library's own search for unknown keys takes time with the square of their number.
	first, known := "", reflect.Type(nil)
	unknown(reflect.TypeOf(dst).Elem(), all, "", func(path string, in reflect.Type) {
		if first == "" || lines.at[path] < lines.at[first] {
			first, known = path, in
		}
	})
	if first != "" {
		key := first[strings.LastIndexByte(first, '.')+1:]
		return nil, nil, lines.Errorf(first, "unknown key %s: %s", first, spelling.Suggest(key, tomlNames(known)))
	}
	return lines, all, nil
}

// Read is Decode with the caller's own checks: the first fault that they note is the error.
func (d File) Read(dst any, check func(*Check)) error {
	lines, err := d.Decode(dst)
	if err != nil {
		return err
	}
	c := Check{lines: lines}
	check(&c)
	return c.err
}

// wrap turns an error of the TOML library into one line.
func (d File) wrap(err error) error {
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := wrong.Position()
		key := ""
		if len(wrong.Key()) > 0 {
			key = strings.Join(wrong.Key(), ".") + ": "
		}
		return fmt.Errorf("%s:%d: %s%s", d.Name, line, key, inWords(wrong))
	}
	return fmt.Errorf("%s: %s", d.Name, strings.TrimPrefix(err.Error(), "toml: "))
}

// inWords is what the TOML library found, without the names of our types.
func inWords(e *toml.DecodeError) string {
	text := strings.TrimPrefix(e.Error(), "toml: ")
	if number, ok := between(text, "unable to parse float: ", "\"", "\""); ok {
		return number + " is too large, or no number at all"
	}
	if number, ok := between(text, "integer value ", "", " cannot be stored in "); ok {
		return number + " is not a whole number that is allowed here"
	}
	if character, ok := strings.CutPrefix(text, "invalid character at start of key: "); ok {
		if character >= "U+0080" { // a byte of a letter, of which the library makes a letter of its own
			return "a key has plain letters, and the file is UTF-8: something else stands here"
		}
		return "a key cannot begin with " + character
	}
	if strings.HasPrefix(text, "cannot store ") {
		return "a table stands where none is allowed"
	}
	found, place, ok := strings.Cut(strings.TrimPrefix(text, "cannot decode TOML "), " into ")
	if !ok {
		return text
	}
	kinds := []struct{ kind, words string }{
		{"[]", "a list"}, {"int", "a whole number"}, {"uint", "a whole number from 0"}, {"float", "a number"},
		{"bool", "true or false"}, {"string", "a text"}, {"map", "a table"},
	}
	_, kind, _ := strings.Cut(place, "of type ")
	for _, k := range kinds {
		if strings.HasPrefix(strings.TrimPrefix(kind, "*"), k.kind) {
			return fmt.Sprintf("%s, where %s is needed", found, k.words)
		}
	}
	return found + " is not what is needed here"
}

// between is what stands in a text from one mark to the next, if it says what it should before them.
func between(text, says, from, to string) (string, bool) {
	_, rest, ok := strings.Cut(text, says)
	if !ok {
		return "", false
	}
	_, rest, _ = strings.Cut(rest, from)
	found, _, ok := strings.Cut(rest, to)
	return found, ok
}

// unknown calls found for each key of the decoded table that t does not have, with the struct that lacks it.
func unknown(t reflect.Type, value any, path string, found func(path string, in reflect.Type)) {
	switch t.Kind() {
	case reflect.Pointer:
		unknown(t.Elem(), value, path, found)
	case reflect.Struct:
		table, _ := value.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(table)) {
			f, ok := fieldOf(t, k)
			if !ok {
				found(decode.Join(path, k), t)
				continue
			}
			unknown(f.Type, table[k], decode.Join(path, k), found)
		}
	case reflect.Slice:
		list, _ := value.([]any)
		for i, v := range list {
			unknown(t.Elem(), v, decode.Join(path, strconv.Itoa(i)), found)
		}
	case reflect.Map:
		table, _ := value.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(table)) {
			unknown(t.Elem(), table[k], decode.Join(path, k), found)
		}
	}
}

// fieldOf is the field of a struct with a toml tag of this name.
func fieldOf(t reflect.Type, key string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); tomlName(f) == key {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// tomlNames are the keys of a struct.
func tomlNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if name := tomlName(t.Field(i)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// tomlName is the key of a field, "" if it has none.
func tomlName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// missing is the path of a field of t that the decoded table lacks, or "".
func missing(t reflect.Type, value any, path string) string {
	switch t.Kind() {
	case reflect.Struct:
		table, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		for f := range t.Fields() {
			name := tomlName(f)
			if name == "" {
				continue
			}
			v, ok := table[name]
			if !ok {
				return decode.Join(path, name)
			}
			if p := missing(f.Type, v, decode.Join(path, name)); p != "" {
				return p
			}
		}
	case reflect.Slice:
		list, _ := value.([]any)
		for i, v := range list {
			if p := missing(t.Elem(), v, decode.Join(path, strconv.Itoa(i))); p != "" {
				return p
			}
		}
	case reflect.Map:
		table, _ := value.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(table)) {
			if p := missing(t.Elem(), table[k], decode.Join(path, k)); p != "" {
				return p
			}
		}
	}
	return ""
}

func parent(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i]
	}
	return ""
}

// A Seed in a TOML file is any number of 64 bits. TOML's own numbers end below 2^63; from there on it is a text.
type Seed uint64

// UnmarshalText reads a seed that is a text.
func (s *Seed) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("a seed cannot be %q: it is a whole number from 0 to %d", text, uint64(math.MaxUint64))
	}
	*s = Seed(n)
	return nil
}

// Hash names component data: 16 hexadecimal digits over the decoded values, so that comments and
// layout do not count.
func Hash(data any) string {
	b, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Sprintf("env: component data that JSON cannot hold: %v", err))
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Lines knows on which line of a data file each value stands.
type Lines struct {
	file   string
	at     map[string]int
	keys   map[string]int // of each table
	values int            // keys and list elements so far
	starts []int          // offset of each line
	err    error          // the first bound that the file does not keep
}

// Errorf makes an error about the value at a path such as "buildings.0.cost": file, line, message. A
// path that the file does not have is placed at its nearest parent.
func (l *Lines) Errorf(path, format string, args ...any) error {
	where := l.file
	for p := path; ; p = parent(p) {
		if line, ok := l.at[p]; ok {
			where = fmt.Sprintf("%s:%d", l.file, line)
			break
		}
		if p == "" {
			break
		}
	}
	return fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...))
}

// A Check checks decoded component data and keeps the first fault, with its file and line.
type Check struct {
	lines *Lines
	err   error
}

// Fail notes a fault of the value at a path such as "buildings.0.cost".
func (c *Check) Fail(path, format string, args ...any) {
	if c.err == nil {
		c.err = c.lines.Errorf(path, format, args...)
	}
}

// Need is Fail unless something holds.
func (c *Check) Need(holds bool, path, format string, args ...any) {
	if !holds {
		c.Fail(path, format, args...)
	}
}

// In demands that the value at a path is from low to high.
func (c *Check) In(path string, value, low, high int) {
	if value < low || value > high {
		c.Fail(path, "%s %d is not in %d to %d", path, value, low, high)
	}
}

// Line demands that the text at a path is one line of so many characters at most, and not empty.
func (c *Check) Line(path, text string, most int) {
	odd := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError })
	c.Need(text != "" && !odd && utf8.RuneCountInString(text) <= most, path,
		"%s: %q is not one line of 1 to %d characters", path, text, most)
}

// ranges demands that whole numbers are in the ranges of their tags. The tag is that of the field that v is, or is in.
func (c *Check) ranges(v reflect.Value, path string, tag reflect.StructTag) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			key, inner := field.Tag.Get("toml"), tag
			if _, own := field.Tag.Lookup("high"); own {
				inner = field.Tag
			}
			c.ranges(v.Field(i), decode.Join(path, key), inner)
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.ranges(v.Index(i), decode.Join(path, strconv.Itoa(i)), tag)
		}
	case reflect.Int:
		high, err := strconv.Atoi(tag.Get("high"))
		if err != nil {
			return
		}
		low, _ := strconv.Atoi(tag.Get("low"))
		c.In(path, int(v.Int()), low, high)
	}
}

// Err is the first fault so far, or nil.
func (c *Check) Err() error { return c.err }

// scan notes the line of every key of a file, up to where it is no TOML. A file beyond the bounds is an
// error.
func (l *Lines) scan(b []byte) error {
	for offset := 0; offset >= 0; {
		l.starts = append(l.starts, offset)
		if end := bytes.IndexByte(b[offset:], '\n'); end >= 0 {
			offset += end + 1
		} else {
			offset = -1
		}
	}
	p := unstable.Parser{}
	p.Reset(b)
	table := ""
	elements := map[string]int{}
	for l.err == nil && p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			table = l.key(e, "", elements)
		case unstable.ArrayTable:
			table = l.key(e, "", elements)
			n := elements[table]
			elements[table] = n + 1
			table = decode.Join(table, strconv.Itoa(n))
			if key := e.Key(); key.Next() {
				l.note(key.Node(), table)
			}
		case unstable.KeyValue:
			l.value(e.Value(), l.key(e, table, elements))
		}
	}
	return l.err
}

// key is the path of an expression below a table, noted with its line; array tables on the way stand at
// their last element.
func (l *Lines) key(e *unstable.Node, path string, elements map[string]int) string {
	it := e.Key()
	for l.err == nil && it.Next() {
		if n := elements[path]; n > 0 {
			path = decode.Join(path, strconv.Itoa(n-1))
		}
		table := path
		path = decode.Join(path, string(it.Node().Data))
		_, old := l.at[path]
		l.note(it.Node(), path)
		switch {
		case len(path) > maxDataPath:
			l.exceed(path, "the key %.40q… is longer than %d bytes with the tables that it is in", path, maxDataPath)
		case !old:
			if l.keys[table]++; l.keys[table] > maxDataKeys {
				l.exceed(path, "more than %d keys in one table", maxDataKeys)
			}
		}
	}
	return path
}

// exceed notes that a bound is not kept at a path.
func (l *Lines) exceed(path, format string, args ...any) {
	if l.err == nil {
		l.err = l.Errorf(path, format, args...)
	}
}

// line is that of a node. (The library counts from the top of the file each time.)
func (l *Lines) line(n *unstable.Node) int {
	return sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > int(n.Raw.Offset) })
}

// note notes the line of a path, where it stands first. (Not every node of a list says where it is.)
func (l *Lines) note(n *unstable.Node, path string) {
	if _, ok := l.at[path]; !ok && n.Raw.Length > 0 {
		l.at[path] = l.line(n)
	}
	if l.values++; l.values > maxDataValues {
		l.exceed(path, "more than %d keys and values", maxDataValues)
	}
}

// value notes what stands inside a value.
func (l *Lines) value(v *unstable.Node, path string) {
	switch v.Kind {
	case unstable.Array:
		it := v.Children()
		for i := 0; l.err == nil && it.Next(); i++ {
			element := decode.Join(path, strconv.Itoa(i))
			if len(element) > maxDataPath {
				l.exceed(path, "the lists in %.40q… are nested too deep", path)
				return
			}
			l.note(it.Node(), element)
			l.value(it.Node(), element)
		}
	case unstable.InlineTable:
		it := v.Children()
		for l.err == nil && it.Next() {
			l.value(it.Node().Value(), l.key(it.Node(), path, nil))
		}
	}
}
