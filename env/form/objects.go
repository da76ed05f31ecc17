package form

import (
	"slices"
	"strconv"
	"strings"

	"earthgym/env/decode"
)

// Object is an object; body declares its fields.
func Object(f *Position, name string, body func()) {
	if f.mode == writing {
		f.key(name)
		f.dst = append(f.dst, '{')
		body()
		f.dst = append(f.dst, '}')
		return
	}
	if fields, m := f.object(name); m != writing {
		f.inside(name, m, container{fields: fields}, body)
	}
}

// Maybe is an object that has its fields if *there; an empty one stands for none. A patch may give a part of what
// isn't there: the rest are then the values that the State has.
func Maybe(f *Position, name string, there *bool, body func()) {
	if f.mode == writing {
		Object(f, name, func() {
			if *there {
				body()
			}
		})
		return
	}
	fields, m := f.object(name)
	switch {
	case m == writing || m == keeping && !*there:
		return
	case m == reading:
		*there = len(fields) > 0
	case m == patching:
		*there = *there || len(fields) > 0
	}
	if m == zeroing || *there {
		f.inside(name, m, container{fields: fields}, body)
	}
}

// object takes an object, and gives the mode in which its fields are read: writing after a fault.
func (f *Position) object(name string) (map[string]any, mode) {
	value, from := f.take(name)
	switch from {
	case kept:
		return nil, keeping
	case zero:
		return nil, zeroing
	case given:
		if fields, ok := value.(map[string]any); ok {
			return fields, f.mode
		}
		f.wrong(name, "%s is not an object", shorten(decode.Compact(value)))
	}
	return nil, writing
}

// A Key is a name in an object, and the place in a list that it stands for.
type Key struct {
	Name  string
	Index int
}

// Keys are the names of those places that are there, in their order; of all, if there is nil.
func Keys(names []string, there func(i int) bool) []Key {
	var keys []Key
	for i, name := range names {
		if there == nil || there(i) {
			keys = append(keys, Key{name, i})
		}
	}
	return keys
}

// Counted are the names "low" to "high" of the places from 0 on.
func Counted(low, high int) []Key {
	var keys []Key
	for n := low; n <= high; n++ {
		keys = append(keys, Key{strconv.Itoa(n), n - low})
	}
	return keys
}

// Sorted is a list of keys in the order of their names.
func Sorted(keys []Key) []Key {
	return slices.SortedFunc(slices.Values(keys), func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
}

// By is an object with all of the keys; value declares the field of one of them.
func By(f *Position, name string, keys []Key, value func(k Key)) {
	Object(f, name, func() {
		for _, k := range keys {
			value(k)
		}
	})
}

// IntsBy is an object with a whole number for each key.
func IntsBy[T Integer](f *Position, name string, keys []Key, v []T, low, high int) {
	By(f, name, keys, func(k Key) { Int(f, k.Name, &v[k.Index], low, high) })
}

// WordsBy is an object with a word for each key.
func WordsBy[T Integer](f *Position, name string, keys []Key, v []T, words []string) {
	By(f, name, keys, func(k Key) { Word(f, k.Name, &v[k.Index], words) })
}

// Optional declares a field that may be left out, which makes it zero.
func Optional(f *Position, name string, field func()) {
	if _, comes := f.in.fields[name]; comes || f.mode != reading {
		field()
		return
	}
	f.in.asked = append(f.in.asked, name)
	f.mode = zeroing
	field()
	f.mode = reading
}

// Sparse is By where keys may be left out, which makes their values zero. What is not there is not written; nil says
// that all are.
func Sparse(f *Position, name string, keys []Key, there func(i int) bool, value func(k Key)) {
	By(f, name, keys, func(k Key) {
		_, comes := f.in.fields[k.Name]
		if comes || there == nil || there(k.Index) {
			Optional(f, k.Name, func() { value(k) })
		} else {
			f.in.asked = append(f.in.asked, k.Name)
		}
	})
}

// If declares a field that means something only if on. Otherwise it is zero, whatever is written, but of its type.
func If(f *Position, on bool, name string, field func()) {
	m := f.mode
	if m == writing || on {
		field()
		return
	}
	if _, comes := f.in.fields[name]; comes {
		f.mode = idling
		field()
	}
	f.mode = zeroing
	field()
	f.mode = m
}
