package form

import (
	"slices"

	"earthgym/env/decode"
)

// List is a list of exactly n elements, of which element declares one, under the name [Element].
func List(f *Position, name string, n int, element func(i int)) {
	f.list(name, n, n, n, element)
}

// ListUpTo is a list of *n elements, at most most. Elements that a patch takes away are declared once more, to become
// zero.
func ListUpTo[T Integer](f *Position, name string, n *T, most int, element func(i int)) {
	if now := f.list(name, int(*n), 0, most, element); f.mode != writing {
		*n = T(now)
	}
}

// list is a list of n elements, low to high of them; it gives the number that there are now.
func (f *Position) list(name string, n, low, high int, element func(i int)) int {
	if f.mode == writing {
		f.key(name)
		f.dst = append(f.dst, '[')
		for i := range n {
			element(i)
		}
		f.dst = append(f.dst, ']')
		return n
	}
	value, from := f.take(name)
	now := n
	switch from {
	case nowhere:
		return n
	case zero:
		now = low
	case given:
		items, ok := value.([]any)
		if !ok {
			f.wrong(name, "%s is not a list", shorten(decode.Compact(value)))
			return n
		}
		if f.mode == idling {
			f.inside(name, idling, container{list: true, items: items}, func() {
				for range items {
					element(0)
				}
			})
			return n
		}
		now = len(items)
	}
	switch {
	case low == high && now != low:
		f.wrong(name, "%d elements; there must be %d", now, low)
		return n
	case now > high:
		f.wrong(name, "%d elements; there are at most %d", now, high)
		return n
	}
	m, in := keeping, container{list: true}
	switch from {
	case zero:
		m = zeroing
	case given:
		m, in.items = reading, value.([]any)
	}
	f.inside(name, m, in, func() {
		for i := range now {
			element(i)
		}
		f.mode = zeroing
		for i := now; i < n; i++ {
			element(i)
		}
	})
	return now
}

// Ints is a list with one whole number for each place of v.
func Ints[T Integer](f *Position, name string, v []T, low, high int) {
	List(f, name, len(v), func(i int) { Int(f, Element, &v[i], low, high) })
}

// Bools is a list with true or false for each place of v.
func Bools(f *Position, name string, v []bool) {
	List(f, name, len(v), func(i int) { Bool(f, Element, &v[i]) })
}

// Words is a list with one word for each place of v.
func Words[T Integer](f *Position, name string, v []T, words []string) {
	List(f, name, len(v), func(i int) { Word(f, Element, &v[i], words) })
}

// Distinct is a list of different numbers in an order of their own: the first *n places of v. The others are 0.
func Distinct[T Integer](f *Position, name string, v []T, n *T, low, high int) {
	ListUpTo(f, name, n, len(v), func(i int) {
		Int(f, Element, &v[i], low, high)
		if f.mode != zeroing && f.mode != idling && slices.Contains(v[:i], v[i]) {
			f.wrong(Element, "%d is there twice", v[i])
		}
	})
}
