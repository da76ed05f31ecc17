package form

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"earthgym/env/decode"
	"earthgym/env/spelling"
)

// An Integer is any type of whole numbers that positions are made of.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~uint8 | ~uint16 | ~uint32
}

// Int is a whole number from low to high.
func Int[T Integer](f *Position, name string, v *T, low, high int) {
	if f.mode == writing {
		f.key(name)
		f.int(int(*v))
		return
	}
	n := int(*v)
	switch value, from := f.take(name); from {
	case nowhere:
		return
	case zero:
		*v = 0
		return
	case given:
		number, ok := value.(json.Number)
		var err error
		if n, err = strconv.Atoi(string(number)); !ok || err != nil {
			f.wrong(name, "%s is not a whole number from %d to %d", shorten(decode.Compact(value)), low, high)
			return
		}
		if f.mode == idling {
			return
		}
	}
	if n < low || n > high {
		f.wrong(name, "%d is not in %d to %d", n, low, high)
		return
	}
	*v = T(n)
}

// int appends a number.
func (f *Position) int(n int) {
	if n >= 0 && n < 10 {
		f.dst = append(f.dst, '0'+byte(n))
	} else {
		f.dst = strconv.AppendInt(f.dst, int64(n), 10)
	}
}

// Bool is true or false.
func Bool(f *Position, name string, v *bool) {
	if f.mode == writing {
		f.key(name)
		f.dst = strconv.AppendBool(f.dst, *v)
		return
	}
	switch value, from := f.take(name); from {
	case zero:
		*v = false
	case given:
		on, ok := value.(bool)
		if !ok {
			f.wrong(name, "%s is not true or false", shorten(decode.Compact(value)))
			return
		}
		*v = on
	}
}

// Flag is 1 or 0, for true and false.
func Flag(f *Position, name string, v *bool) {
	n := 0
	if *v {
		n = 1
	}
	if Int(f, name, &n, 0, 1); f.mode != writing {
		*v = n == 1
	}
}

// Word is one of some words, kept as its place among them. A place without a word, "", is no value, but the first
// may have "" for its word.
func Word[T Integer](f *Position, name string, v *T, words []string) {
	if f.mode == writing {
		f.key(name)
		f.quote(words[*v])
		return
	}
	none := noNone
	if len(words) > 0 && words[0] == "" {
		none = 0
	}
	if i, ok := f.word(name, int(*v), none, words); ok {
		*v = T(i)
	}
}

// WordOrNone is Word where -1 stands for none, which is written "".
func WordOrNone[T Integer](f *Position, name string, v *T, words []string) {
	n := int(*v)
	if f.mode == writing {
		f.key(name)
		if n < 0 {
			f.quote("")
		} else {
			f.quote(words[n])
		}
		return
	}
	if i, ok := f.word(name, n, -1, words); ok {
		*v = T(i)
	}
}

// noNone says that "" is no word.
const noNone = -2

// word reads a word that is kept as its place among words, now n; none is the place of "".
func (f *Position) word(name string, n, none int, words []string) (int, bool) {
	value, from := f.take(name)
	text := ""
	switch from {
	case nowhere:
		return 0, false
	case zero:
		if none == noNone {
			none = 0
		}
		return none, true
	case given:
		var ok bool
		if text, ok = value.(string); !ok {
			f.wrong(name, "%s is not a text", shorten(decode.Compact(value)))
			return 0, false
		}
		if f.mode == idling {
			return 0, false
		}
		if n = none; text != "" {
			if n = slices.Index(words, text); n < 0 {
				n = noNone
			}
		}
	}
	if n != noNone && n == none || n >= 0 && n < len(words) && words[n] != "" {
		return n, true
	}
	known := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
	if from == kept {
		f.wrong(name, "what a patch leaves here is no longer possible: %s", spelling.Suggest("", known))
	} else {
		f.wrong(name, "unknown word %q: %s", shorten(text), spelling.Suggest(shorten(text), known))
	}
	return 0, false
}

// Text is any text.
func Text(f *Position, name string, v *string) {
	if f.mode == writing {
		f.key(name)
		f.quote(*v)
		return
	}
	switch value, from := f.take(name); from {
	case zero:
		*v = ""
	case given:
		text, ok := value.(string)
		if !ok {
			f.wrong(name, "%s is not a text", shorten(decode.Compact(value)))
			return
		}
		*v = text
	}
}

// Parsed is a value that has a text of its own, such as an action.
func Parsed[T any](f *Position, name string, v *T, text func(T) string, parse func(string) (T, error)) {
	if f.mode == zeroing {
		*v = *new(T)
		return
	}
	before := text(*v)
	now := before
	if Text(f, name, &now); now == before || f.mode == idling || f.err != nil {
		return
	}
	x, err := parse(now)
	if err != nil {
		f.wrong(name, "%v", err)
		return
	}
	*v = x
}

// Shorthand says whether a patch has a word of the game's for a field, which then keeps its value until the game has
// seen to it.
func Shorthand(f *Position, name, word string) bool {
	if f.mode != patching || f.in.fields[name] != word {
		return false
	}
	delete(f.in.fields, name)
	return true
}

// Derived follows from the rest: it is written for readers and tests unless it is nil, and left aside when it is read.
func Derived(f *Position, name string, value func() any) {
	if f.mode != writing {
		delete(f.in.fields, name)
		return
	}
	v := value()
	if v == nil {
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("form: %s cannot be written: %v", name, err)) // a fault of the game's
	}
	f.key(name)
	f.dst = append(f.dst, b...)
}
