package form

import (
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
// or an array of arrays of them, one dimension each; a struct among the fields adds its own. Tags say the rest:
//
//		Cash [maxPlayers]float32 `axes:"seat" help:"money / 40"`
//
//	  - name: of the feature; the field's in snake case if left out;
//	  - help: its meaning in one line;
//	  - low: the least value; 0 if left out. The greatest is always 1.
//	  - axes: a name for each dimension, joined by commas; Axes has the words. A dimension without a name has none.
//	    The axis "seat" is the seats, the observer's first, and needs no words;
//	  - scope: own, if only the observer knows it or it is made for the observer; else a feature with an axis of
//	    seats is of the seats, and any other public.
//
// A declaration that contradicts itself is an error.
func Features[O any](axes Axes) ([]env.Feature, error) {
	return features(reflect.TypeFor[O](), axes, nil)
}

func features(t reflect.Type, axes Axes, list []env.Feature) ([]env.Feature, error) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Type.Kind() == reflect.Struct {
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
	f := env.Feature{Name: field.Tag.Get("name"), High: 1, Help: field.Tag.Get("help"), Scope: env.Scope(field.Tag.Get("scope"))}
	if f.Name == "" {
		f.Name = snake(field.Name)
	}
	if text, ok := field.Tag.Lookup("low"); ok {
		low, err := strconv.ParseFloat(text, 32)
		if err != nil {
			return f, fmt.Errorf("tag low %q is no number", text)
		}
		f.Low = float32(low)
	}
	element := field.Type
	for ; element.Kind() == reflect.Array; element = element.Elem() {
		f.Shape = append(f.Shape, element.Len())
	}
	if element.Kind() != reflect.Float32 {
		return f, fmt.Errorf("%s is no array of float32", field.Type)
	}
	if f.Shape == nil {
		f.Shape = []int{1}
	}
	names := strings.Split(field.Tag.Get("axes"), ",")
	if len(names) > len(f.Shape) {
		return f, fmt.Errorf("tag axes %q names more dimensions than %v", field.Tag.Get("axes"), f.Shape)
	}
	if field.Tag.Get("axes") != "" {
		f.Axes = make([][]string, len(f.Shape))
	}
	for d := range f.Axes {
		f.Axes[d] = []string{}
	}
	for d, name := range names {
		words := axes[name]
		switch {
		case name == "":
			continue
		case name == seatAxis:
			if f.Scope == "" {
				f.Scope = env.OfSeats
			}
			words = seatWords(f.Shape[d])
		case words == nil:
			return f, fmt.Errorf("tag axes names %q, for which there are no words", name)
		}
		f.Axes[d] = words[:min(len(words), f.Shape[d])]
	}
	if f.Scope == "" {
		f.Scope = env.Public
	}
	return f, nil
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
