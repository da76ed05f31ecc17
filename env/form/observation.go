package form

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"earthgym/env"
)

// Axes are the words for the indices of features' dimensions, by the name that tags give them.
type Axes map[string][]string

// Features is the observation layout that a struct declares: a feature for each field, in order. A field is a float32
// or an array of arrays of them, one dimension each. Tags say the rest:
//
//		Cash [maxPlayers]float32 `axes:"seat" help:"money / 40"`
//
//	  - name: of the feature; the field's in snake case if left out;
//	  - help: its meaning in one line;
//	  - low, high: the least and the greatest value; 0 and 1 if left out;
//	  - axes: a name for each dimension, joined by commas; Axes has the words. A dimension without a name has none.
//	    The axis "seat" is the seats, the observer's first, and needs no words;
//	  - scope: own, if only the observer knows it or it is made for the observer; else a feature with an axis of
//	    seats is of the seats, and any other public.
//
// A struct with a help, or an array of such structs, is one feature whose last dimension is its numbers, named by
// its fields; their helps follow that of the feature. A struct without a help adds the features of its own fields.
//
// A declaration that contradicts itself is an error.
func Features[O any](axes Axes) ([]env.Feature, error) {
	return features(reflect.TypeFor[O](), axes, nil)
}

func features(t reflect.Type, axes Axes, list []env.Feature) ([]env.Feature, error) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Type.Kind() == reflect.Struct && field.Tag.Get("help") == "" {
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

const seatAxis = "seat"

func feature(field reflect.StructField, axes Axes) (env.Feature, error) {
	f := env.Feature{Name: fieldName(field), High: 1, Help: field.Tag.Get("help"), Scope: env.Scope(field.Tag.Get("scope"))}
	if err := errors.Join(tagNumber(field, "low", &f.Low), tagNumber(field, "high", &f.High)); err != nil {
		return f, err
	}
	if f.Low >= f.High {
		return f, fmt.Errorf("its numbers are from %v to %v", f.Low, f.High)
	}
	element := field.Type
	for ; element.Kind() == reflect.Array; element = element.Elem() {
		f.Shape = append(f.Shape, element.Len())
	}
	names := strings.Split(field.Tag.Get("axes"), ",")
	if len(names) > max(len(f.Shape), 1) {
		return f, fmt.Errorf("tag axes %q names more dimensions than %v", field.Tag.Get("axes"), f.Shape)
	}
	if field.Tag.Get("axes") != "" {
		f.Axes = make([][]string, len(f.Shape))
	}
	for d := range f.Axes {
		f.Axes[d] = []string{}
	}
	for d, name := range names {
		switch {
		case name == "":
			continue
		case name == seatAxis && f.Scope == "":
			f.Scope = env.OfSeats
		}
		words, err := axes.words(name, f.Shape[d])
		if err != nil {
			return f, err
		}
		f.Axes[d] = words
	}
	if f.Scope == "" {
		f.Scope = env.Public
	}
	switch element.Kind() {
	case reflect.Float32:
		if f.Shape == nil {
			f.Shape = []int{1}
		}
		return f, nil
	case reflect.Struct:
		err := named(&f, element, axes)
		return f, err
	}
	return f, fmt.Errorf("%s is no array of float32", field.Type)
}

// named adds a last dimension, of the numbers of a struct.
func named(f *env.Feature, t reflect.Type, axes Axes) error {
	var words, helps []string
	for i := range t.NumField() {
		field := t.Field(i)
		name := fieldName(field)
		if help := field.Tag.Get("help"); help != "" {
			helps = append(helps, help)
		}
		switch list := field.Type; {
		case list.Kind() == reflect.Float32:
			words = append(words, name)
		case list.Kind() == reflect.Array && list.Elem().Kind() == reflect.Float32:
			each, err := axes.words(field.Tag.Get("axes"), list.Len())
			if err != nil {
				return fmt.Errorf("%s: %w", field.Name, err)
			}
			if len(each) < list.Len() {
				return fmt.Errorf("%s: %d words for its %d numbers", field.Name, len(each), list.Len())
			}
			for _, word := range each {
				words = append(words, name+" "+word)
			}
		default:
			return fmt.Errorf("%s: %s is no list of float32", field.Name, list)
		}
	}
	for len(f.Axes) < len(f.Shape) {
		f.Axes = append(f.Axes, []string{})
	}
	f.Axes, f.Shape = append(f.Axes, words), append(f.Shape, len(words))
	if helps != nil {
		f.Help += ": " + strings.Join(helps, ", ")
	}
	return nil
}

// tagNumber reads a tag, if there is one.
func tagNumber(field reflect.StructField, tag string, x *float32) error {
	text, ok := field.Tag.Lookup(tag)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(text, 32)
	if err != nil {
		return fmt.Errorf("tag %s %q is no number", tag, text)
	}
	*x = float32(n)
	return nil
}

// words are those of the n indices of an axis.
func (a Axes) words(name string, n int) ([]string, error) {
	words := a[name]
	switch {
	case name == seatAxis:
		words = seatWords(n)
	case words == nil:
		return nil, fmt.Errorf("tag axes names %q, for which there are no words", name)
	}
	return words[:min(len(words), n)], nil
}

// fieldName is the name of a feature, or of a number of one.
func fieldName(field reflect.StructField) string {
	if name := field.Tag.Get("name"); name != "" {
		return name
	}
	return snake(field.Name)
}

// seatWords name seats as the observer counts them.
func seatWords(n int) []string {
	words := []string{"own"}
	for i := 1; i < n; i++ {
		words = append(words, "+"+strconv.Itoa(i))
	}
	return words
}

// snake writes a Go name as features are written.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
				b.WriteByte('_')
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
