package form

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"earthgym/env"
)

// Axes are the words for the indices of features' dimensions, by the name that tags give them.
type Axes map[string][]string

// Features is the observation layout that a struct declares: a feature for each field, in order. A field is a float32
// or an array of arrays of them, one dimension each. A struct among the fields adds its own fields, or, if it has a
// help tag or stands in an array, is one feature whose last dimension is its numbers, each named after its field. Tags
// say the rest:
//
//		Cash  [maxPlayers]float32 `axes:"seat" help:"money / 40"`
//		Clock struct {
//			Round float32 `help:"round / 40"`
//			Final float32
//		} `help:"time"`
//
//	  - name: of the feature or number; the field's in snake case, or in words, if left out;
//	  - help: its meaning in one line; a feature's line goes on with those of its numbers, whose name will do;
//	  - low, high: the least and the greatest value; 0 and 1 if left out. Those of a feature span those of its numbers;
//	  - axes: a name for each dimension, joined by commas; Axes has the words. A dimension without a name has none.
//	    The axis "seat" is the seats, the observer's first, and the axis "count" a number from 0, or more for the last
//	    place: they need no words;
//	  - scope: own, if only the observer knows it or it is made for the observer; else a feature with an axis of
//	    seats is of the seats, and any other public.
//
// A declaration that contradicts itself is an error.
func Features[O any](axes Axes) ([]env.Feature, error) {
	return features(reflect.TypeFor[O](), axes, nil)
}

func features(t reflect.Type, axes Axes, list []env.Feature) ([]env.Feature, error) {
	for field := range t.Fields() {
		if _, ok := field.Tag.Lookup("help"); !ok && field.Type.Kind() == reflect.Struct {
			var err error
			if list, err = features(field.Type, axes, list); err != nil {
				return nil, err
			}
			continue
		}
		f, err := feature(field, axes)
		if err != nil {
			return nil, fmt.Errorf("observation %s.%s: %w", t.Name(), field.Name, err)
		}
		list = append(list, f)
	}
	return list, nil
}

// The axes that need no words.
const (
	seatAxis  = "seat"
	countAxis = "count"
)

func feature(field reflect.StructField, axes Axes) (env.Feature, error) {
	f := env.Feature{Name: field.Tag.Get("name"), Help: field.Tag.Get("help"), Scope: env.Scope(field.Tag.Get("scope"))}
	if f.Name == "" {
		f.Name = separated(field.Name, '_')
	}
	var err error
	if f.Low, f.High, err = bounds(field.Tag); err != nil {
		return f, err
	}
	element := field.Type
	for ; element.Kind() == reflect.Array; element = element.Elem() {
		f.Shape = append(f.Shape, element.Len())
	}
	names, err := axisNames(field.Tag, len(f.Shape))
	if err != nil {
		return f, err
	}
	for d, name := range names {
		words, err := axes.words(name, f.Shape[d])
		if err != nil {
			return f, err
		}
		f.Axes = append(f.Axes, words)
		if name == seatAxis && f.Scope == "" {
			f.Scope = env.OfSeats
		}
	}
	switch f.Scope {
	case "":
		f.Scope = env.Public
	case env.Public, env.Own, env.OfSeats:
	default:
		return f, fmt.Errorf("tag scope %q is none of public, own and seats", f.Scope)
	}
	switch {
	case element.Kind() == reflect.Struct:
		row := numbers{low: f.Low, high: f.High}
		if err := row.addFields("", element, axes); err != nil {
			return f, err
		}
		f.Shape, f.Axes = append(f.Shape, len(row.words)), append(f.Axes, row.words)
		f.Low, f.High = row.low, row.high
		f.Help += ": " + strings.Join(row.help, "; ")
	case element.Kind() != reflect.Float32:
		return f, fmt.Errorf("%s is no array of float32", field.Type)
	case f.Shape == nil:
		f.Shape = []int{1}
	case field.Tag.Get("axes") == "":
		f.Axes = nil
	}
	return f, nil
}

// bounds are the least and the greatest value that the tags give.
func bounds(tag reflect.StructTag) (low, high float32, err error) {
	high = 1
	for key, value := range map[string]*float32{"low": &low, "high": &high} {
		if text, ok := tag.Lookup(key); ok {
			x, err := strconv.ParseFloat(text, 32)
			if err != nil {
				return 0, 0, fmt.Errorf("tag %s %q is no number", key, text)
			}
			*value = float32(x)
		}
	}
	if low >= high {
		return 0, 0, fmt.Errorf("tags: low %v is not below high %v", low, high)
	}
	return low, high, nil
}

// axisNames are the names that the tag axes gives to so many dimensions, with "" for those it does not name.
func axisNames(tag reflect.StructTag, dimensions int) ([]string, error) {
	text := tag.Get("axes")
	names := strings.Split(text, ",")
	if text == "" {
		names = nil
	}
	if len(names) > dimensions {
		return nil, fmt.Errorf("tag axes %q names more than %d dimensions", text, dimensions)
	}
	for len(names) < dimensions {
		names = append(names, "")
	}
	return names, nil
}

// words are those for a dimension of a length.
func (axes Axes) words(name string, length int) ([]string, error) {
	words := axes[name]
	switch {
	case name == "":
		return []string{}, nil
	case name == seatAxis:
		words = seatWords(length)
	case name == countAxis:
		words = countWords(length)
	case words == nil:
		return nil, fmt.Errorf("tag axes names %q, for which there are no words", name)
	}
	return words[:min(len(words), length)], nil
}

// numbers are the last dimension of a feature that a struct declares.
type numbers struct {
	words, help []string
	low, high   float32
}

// addFields adds the numbers of a struct, each with the words of what it is part of. An embedded struct adds no word.
func (n *numbers) addFields(of string, t reflect.Type, axes Axes) error {
	for field := range t.Fields() {
		name := field.Tag.Get("name")
		if name == "" && !field.Anonymous {
			name = separated(field.Name, ' ')
		}
		if err := n.add(strings.TrimSpace(of+" "+name), field, axes); err != nil {
			return fmt.Errorf("%s: %w", field.Name, err)
		}
	}
	return nil
}

func (n *numbers) add(word string, field reflect.StructField, axes Axes) error {
	low, high, err := bounds(field.Tag)
	if err != nil {
		return err
	}
	n.low, n.high = min(n.low, low), max(n.high, high)
	if field.Type.Kind() == reflect.Struct {
		return n.addFields(word, field.Type, axes)
	}
	words := []string{word}
	element := field.Type
	var lengths []int
	for ; element.Kind() == reflect.Array; element = element.Elem() {
		lengths = append(lengths, element.Len())
	}
	if element.Kind() != reflect.Float32 {
		return fmt.Errorf("%s is no array of float32", field.Type)
	}
	names, err := axisNames(field.Tag, len(lengths))
	if err != nil {
		return err
	}
	for d, length := range lengths {
		places, err := axes.words(names[d], length)
		if err != nil {
			return err
		}
		for k := len(places); k < length; k++ {
			places = append(slices.Clip(places), "["+strconv.Itoa(k)+"]")
		}
		var longer []string
		for _, w := range words {
			for _, place := range places {
				longer = append(longer, w+" "+place)
			}
		}
		words = longer
	}
	n.words = append(n.words, words...)
	help := field.Tag.Get("help")
	if help == "" {
		help = word
	}
	n.help = append(n.help, help)
	return nil
}

// seatWords name seats as the observer counts them.
func seatWords(n int) []string {
	words := []string{"own"}
	for i := 1; i < n; i++ {
		words = append(words, "+"+strconv.Itoa(i))
	}
	return words
}

// countWords name numbers from 0.
func countWords(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = strconv.Itoa(i)
	}
	words[n-1] += "+"
	return words
}

// separated writes a Go name in lower case, with a sign between its words.
func separated(name string, sign byte) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
				b.WriteByte(sign)
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Observation is the memory of an observation as the struct that declares it, for State.Observe to fill in. The
// slice must be at least as long as Features says.
func Observation[O any](dst []float32) *O {
	// A struct of float32 alone has their alignment and no gaps.
	_ = dst[unsafe.Sizeof(*new(O))/unsafe.Sizeof(dst[0])-1]
	return (*O)(unsafe.Pointer(unsafe.SliceData(dst)))
}

// Cleared is Observation, with 0 everywhere. It clears piece by piece: what is longer the runtime clears by an
// instruction that takes twice as long as its loop over vectors where memory is at hand. (Where it isn't, as in arrays
// that caches don't hold, that instruction is the faster one, by a tenth of an observation of 14 KB.)
func Cleared[O any](dst []float32) *O {
	o := Observation[O](dst)
	for left := dst[:unsafe.Sizeof(*o)/unsafe.Sizeof(dst[0])]; len(left) > 0; {
		n := min(len(left), clearedAtOnce)
		clear(left[:n])
		left = left[n:]
	}
	return o
}

// clearedAtOnce are just less than 2 KiB.
const clearedAtOnce = 504

// Numerals are the numbers from low to high as words, for axes and lists of actions.
func Numerals(low, high int) []string {
	words := make([]string, 0, high-low+1)
	for n := low; n <= high; n++ {
		words = append(words, strconv.Itoa(n))
	}
	return words
}

// OpenNumerals are Numerals of which the first and the last stand for all beyond them, too.
func OpenNumerals(low, high int) []string {
	words := Numerals(low, high)
	words[0] += " or less"
	words[len(words)-1] += "+"
	return words
}
