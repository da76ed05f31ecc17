package env

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A DataFile is a TOML file with the component data of a game. Its first key, game, says whose it is.
type DataFile struct {
	Name  string // for errors
	Bytes []byte
}

// maxDataFile is far beyond what a box of components needs.
const maxDataFile = 4 << 20

// ReadDataFile reads a file and the name of the game that it is for.
func ReadDataFile(name string) (DataFile, string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return DataFile{}, "", fmt.Errorf("data file: %w", err)
	}
	if info.Size() > maxDataFile {
		return DataFile{}, "", fmt.Errorf("data file %s: %d bytes; component data are at most %d", name, info.Size(), maxDataFile)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return DataFile{}, "", fmt.Errorf("data file: %w", err)
	}
	d := DataFile{name, b}
	game, err := d.Game()
	return d, game, err
}

// Game is the value of the first key: the name of the game that the data are for.
func (d DataFile) Game() (string, error) {
	p := unstable.Parser{}
	p.Reset(d.Bytes)
	if p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.KeyValue && e.Value().Kind == unstable.String {
			if key := e.Key(); key.Next() && string(key.Node().Data) == "game" {
				return string(e.Value().Data), nil
			}
		}
	}
	if p.Error() != nil {
		var all map[string]any
		_, err := d.wrap(toml.Unmarshal(d.Bytes, &all)) // which knows the line
		return "", err
	}
	return "", fmt.Errorf("%s: the first key must say whose data these are: game = \"name\"", d.Name)
}

// Decode reads the file into dst, a pointer to a struct with toml tags. A key that dst does not have,
// a key of dst that the file lacks, and a value of the wrong type are errors with file and line. The
// Lines it gives place the errors of the caller's own checks.
func (d DataFile) Decode(dst any) (*Lines, error) {
	dec := toml.NewDecoder(bytes.NewReader(d.Bytes))
	dec.DisallowUnknownFields()
	if err := dec.Decode(dst); err != nil {
		return d.wrap(err)
	}
	var all map[string]any
	if err := toml.Unmarshal(d.Bytes, &all); err != nil {
		return d.wrap(err)
	}
	lines := &Lines{file: d.Name, at: map[string]int{}}
	lines.scan(d.Bytes)
	if path := missing(reflect.TypeOf(dst).Elem(), all, ""); path != "" {
		return nil, lines.Errorf(parent(path), "%s is missing", path)
	}
	return lines, nil
}

// wrap turns an error of the TOML library into one line.
func (d DataFile) wrap(err error) (*Lines, error) {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		e := strict.Errors[0]
		line, _ := e.Position()
		return nil, fmt.Errorf("%s:%d: unknown key %s", d.Name, line, d.pathOf(e.Key(), line))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		key := ""
		if len(wrong.Key()) > 0 {
			key = strings.Join(wrong.Key(), ".") + ": "
		}
		return nil, fmt.Errorf("%s:%d: %s%s", d.Name, line, key, inWords(wrong))
	}
	return nil, fmt.Errorf("%s: %w", d.Name, err)
}

// pathOf is the whole path of a key that stands on a line. The library leaves out the inline tables on
// the way, and the place in a list.
func (d DataFile) pathOf(key []string, line int) string {
	lines := &Lines{at: map[string]int{}}
	lines.scan(d.Bytes)
	last := key[len(key)-1]
	for _, path := range sortedKeys(lines.at) {
		if lines.at[path] == line && (path == last || strings.HasSuffix(path, "."+last)) {
			return path
		}
	}
	return strings.Join(key, ".")
}

// inWords is what the TOML library found, without the names of our types.
func inWords(e *toml.DecodeError) string {
	text := strings.TrimPrefix(e.Error(), "toml: ")
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

// missing is the path of a field of t that the decoded table lacks, or "".
func missing(t reflect.Type, value any, path string) string {
	switch t.Kind() {
	case reflect.Struct:
		table, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			if name == "" || name == "-" {
				continue
			}
			v, ok := table[name]
			if !ok {
				return join(path, name)
			}
			if p := missing(f.Type, v, join(path, name)); p != "" {
				return p
			}
		}
	case reflect.Slice:
		list, _ := value.([]any)
		for i, v := range list {
			if p := missing(t.Elem(), v, join(path, fmt.Sprint(i))); p != "" {
				return p
			}
		}
	case reflect.Map:
		table, _ := value.(map[string]any)
		keys := make([]string, 0, len(table))
		for k := range table {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if p := missing(t.Elem(), table[k], join(path, k)); p != "" {
				return p
			}
		}
	}
	return ""
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func parent(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i]
	}
	return ""
}

// DataHash names component data: 16 hexadecimal digits over the decoded values, so that comments and
// layout do not count.
func DataHash(data any) string {
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
	starts []int // offset of each line
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

// A DataCheck checks decoded component data and keeps the first fault, with its file and line.
type DataCheck struct {
	lines *Lines
	err   error
}

// NewDataCheck begins to check the data that the Lines were decoded with.
func NewDataCheck(lines *Lines) DataCheck { return DataCheck{lines: lines} }

// Fail notes a fault of the value at a path such as "buildings.0.cost".
func (c *DataCheck) Fail(path, format string, args ...any) {
	if c.err == nil {
		c.err = c.lines.Errorf(path, format, args...)
	}
}

// In demands that the value at a path is from low to high.
func (c *DataCheck) In(path string, value, low, high int) {
	if value < low || value > high {
		c.Fail(path, "%s %d is not in %d to %d", path, value, low, high)
	}
}

// Err is the first fault, or nil.
func (c *DataCheck) Err() error { return c.err }

// scan notes the line of every key of a file that has been decoded without error.
func (l *Lines) scan(b []byte) {
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
	for p.NextExpression() {
		e := p.Expression()
		key := l.key(e, elements)
		switch e.Kind {
		case unstable.Table:
			table = key("")
			l.note(e, table)
		case unstable.ArrayTable:
			table = key("")
			n := elements[table]
			elements[table] = n + 1
			table = join(table, fmt.Sprint(n))
			l.note(e, table)
		case unstable.KeyValue:
			path := key(table)
			l.note(e, path)
			l.values(e.Value(), path)
		}
	}
}

// key gives the dotted key of an expression below a table; array tables on the way stand at their last
// element.
func (l *Lines) key(e *unstable.Node, elements map[string]int) func(string) string {
	return func(path string) string {
		it := e.Key()
		for it.Next() {
			if n := elements[path]; n > 0 {
				path = join(path, fmt.Sprint(n-1))
			}
			path = join(path, string(it.Node().Data))
		}
		return path
	}
}

// line is that of a node. (The library counts from the top of the file each time.)
func (l *Lines) line(n *unstable.Node) int {
	return sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > int(n.Raw.Offset) })
}

func (l *Lines) note(e *unstable.Node, path string) {
	it := e.Key()
	if it.Next() {
		if _, ok := l.at[path]; !ok {
			l.at[path] = l.line(it.Node())
		}
	}
}

func (l *Lines) values(v *unstable.Node, path string) {
	switch v.Kind {
	case unstable.Array:
		it := v.Children()
		for i := 0; it.Next(); i++ {
			element := join(path, fmt.Sprint(i))
			if n := it.Node(); n.Raw.Length > 0 {
				l.at[element] = l.line(n)
			}
			l.values(it.Node(), element)
		}
	case unstable.InlineTable:
		it := v.Children()
		for it.Next() {
			n := it.Node()
			inner := l.key(n, nil)(path)
			l.note(n, inner)
			l.values(n.Value(), inner)
		}
	}
}
