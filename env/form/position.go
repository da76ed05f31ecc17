package form

import (
	"fmt"
	"strconv"

	"earthgym/env"
	"earthgym/env/decode"
)

// Element is the name of a value in a list.
const Element = ""

// A Position is a position on its way to JSON or from it, as a game declares it.
type Position struct {
	mode mode
	dst  []byte    // what has been written
	in   container // what is being read
	path []string  // of the container
	err  error     // the first fault

	viewer env.Player // for whom it is written
	partly bool       // it is, with what that seat may know; otherwise whole
}

// A mode is what is done with the fields that are declared.
type mode uint8

const (
	writing  mode = iota
	reading       // each field must be there
	patching      // a field that isn't there keeps its value, which is checked as if it were
	keeping       // all do: nothing in here is patched
	zeroing       // all become zero: an object may leave this out, and does
	idling        // all are of their type, which is all that counts
)

// A container is the object or list that is being read.
type container struct {
	fields map[string]any // of an object, but those taken
	asked  []string       // names of its fields so far
	list   bool
	items  []any
	next   int // index of the next item
}

// AppendPosition appends the JSON object that body declares.
func AppendPosition(dst []byte, body func(*Position)) []byte {
	f := &Position{dst: append(dst, '{')}
	body(f)
	return append(f.dst, '}')
}

// ReadPosition reads the JSON object that body declares, all of its fields and no other, into a State that is empty at
// first, and then asks check, which looks at rules that span fields. *s becomes what has been read, or, after an error,
// stays what it was.
func ReadPosition[S any](data []byte, s *S, empty S, body func(*S, *Position), check func(*S) error) error {
	return readInto(data, reading, s, empty, body, check)
}

// PatchPosition is ReadPosition where fields may be left out: they keep the value that the State has. Objects are
// patched field by field; a list is replaced, so that all must be there in the objects in it.
func PatchPosition[S any](data []byte, s *S, body func(*S, *Position), check func(*S) error) error {
	return readInto(data, patching, s, *s, body, check)
}

func readInto[S any](data []byte, m mode, s *S, from S, body func(*S, *Position), check func(*S) error) error {
	next := &from
	err := read(data, m, func(f *Position) { body(next, f) })
	if err == nil {
		err = check(next)
	}
	if err == nil {
		*s = *next
	}
	return err
}

func read(data []byte, m mode, body func(*Position)) error {
	top, err := parse(data)
	if err != nil {
		return err
	}
	fields, ok := top.(map[string]any)
	if !ok {
		return fmt.Errorf("a position is an object, not %s", shorten(decode.Compact(top)))
	}
	f := &Position{mode: m}
	f.enter(m, container{fields: fields}, func() { body(f) })
	return f.err
}

// Reads says whether the position is read or patched, not written, and without a fault so far.
func (f *Position) Reads() bool { return f.mode != writing && f.err == nil }

// Gives says whether a patch has a field.
func (f *Position) Gives(name string) bool {
	_, comes := f.in.fields[name]
	return comes && f.mode == patching
}

// Fail notes a fault of a field of the object in hand, or with no name of the object itself.
func (f *Position) Fail(name, format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %s", f.at(name), fmt.Sprintf(format, args...))
	}
}

// at is the path of a field of the container in hand.
func (f *Position) at(name string) string {
	path := ""
	for _, step := range f.path {
		path = decode.Join(path, step)
	}
	return decode.Join(path, name)
}

// A source is where the value of a field comes from.
type source uint8

const (
	nowhere source = iota // there is a fault
	given                 // the JSON
	kept                  // the State
	zero
)

// take finds the value of the next item, or of a field.
func (f *Position) take(name string) (any, source) {
	in := &f.in
	if in.list {
		in.next++
	}
	switch {
	case f.err != nil:
		return nil, nowhere
	case f.mode == zeroing:
		return nil, zero
	case f.mode == keeping:
		return nil, kept
	case in.list:
		return in.items[in.next-1], given
	}
	in.asked = append(in.asked, name)
	value, ok := in.fields[name]
	switch {
	case ok:
		delete(in.fields, name)
		return value, given
	case f.mode == patching:
		return nil, kept
	}
	f.err = fmt.Errorf("%s is missing", f.at(name))
	return nil, nowhere
}

// wrong notes a fault of the value that has just been taken.
func (f *Position) wrong(name, format string, args ...any) {
	f.Fail(f.name(name), format, args...)
}

// name is the name of the field that has just been taken: in a list, its index.
func (f *Position) name(name string) string {
	if f.in.list {
		return strconv.Itoa(f.in.next - 1)
	}
	return name
}

// enter reads a container in a mode and leaves it again.
func (f *Position) enter(m mode, in container, body func()) {
	outerMode, outer := f.mode, f.in
	f.mode, f.in = m, in
	body()
	if len(f.in.fields) > 0 && f.err == nil {
		f.unknown()
	}
	f.mode, f.in = outerMode, outer
}

// inside is enter for the container that name has.
func (f *Position) inside(name string, m mode, in container, body func()) {
	f.path = append(f.path, f.name(name))
	f.enter(m, in, body)
	f.path = f.path[:len(f.path)-1]
}
