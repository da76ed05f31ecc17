// Package decode reads JSON that others have written: what is wrong with it is said in words, with where it stands,
// what was found there and what is allowed.
package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"earthgym/env/spelling"
)

// JSON decodes data, which is one JSON value in UTF-8, into dst, a pointer. A field that dst does not have is an error.
func JSON(data []byte, dst any) error {
	if at := invalidUTF8(data); at >= 0 {
		return fmt.Errorf("%s%q is no UTF-8", place(data, at), data[at:at+1])
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(dst)
	if err == nil && len(bytes.TrimSpace(data[d.InputOffset():])) > 0 {
		err = errors.New("more follows") // Words says where.
	}
	return Words(data, dst, err)
}

// Words says what is wrong with data, which somebody has tried to decode into dst, by the error that came of it. An
// error that is not of encoding/json stays as it is.
func Words(data []byte, dst any, err error) error {
	if err == nil {
		return nil
	}
	if broken := Syntax(data); broken != nil {
		return broken
	}
	var wrong *json.UnmarshalTypeError
	var number *strconv.NumError
	name, unknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.As(err, &wrong):
		where := line(data, int(wrong.Offset))
		if wrong.Field != "" {
			where += wrong.Field + ": "
		}
		return fmt.Errorf("%s%s stands where %s is needed", where, found(wrong.Value), needed(wrong.Type))
	case unknown:
		if text, err := strconv.Unquote(name); err == nil {
			name = text
		}
		return fmt.Errorf("unknown field %q: %s", name, spelling.Suggest(name, fields(reflect.TypeOf(dst))))
	case errors.As(err, &number):
		return fmt.Errorf("%q stands where a number is needed", number.Num)
	case strings.HasPrefix(err.Error(), "json: "):
		return errors.New("it is not what is needed here")
	}
	return err
}

// Syntax says why data are not one JSON value; nil if they are.
func Syntax(data []byte) error {
	var value json.RawMessage
	err := json.Unmarshal(data, &value)
	var broken *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("it is not JSON: it is empty")
	case !errors.As(err, &broken), broken.Offset < 1, broken.Offset > int64(len(data)),
		strings.Contains(err.Error(), "unexpected end"):
		return errors.New("it is not JSON: it ends too early")
	case strings.Contains(err.Error(), "exceeded max depth"):
		return errors.New("it is not JSON that is read here: too many lists and objects in each other")
	}
	at := int(broken.Offset) - 1
	character, _ := utf8.DecodeRune(data[at:])
	// What it takes the end for.
	if at == len(data)-1 && character != ' ' && strings.HasPrefix(err.Error(), "invalid character ' '") {
		return errors.New("it is not JSON: it ends too early")
	}
	return fmt.Errorf("it is not JSON: %s%q stands %s", place(data, at), character, due(err.Error()))
}

// due says where a character stands that cannot be there, by the library's error.
func due(text string) string {
	for _, c := range []struct{ theirs, ours string }{
		{"beginning of value", "where a value is due"},
		{"beginning of object key", "where a name in quotation marks is due"},
		{"after object key:value pair", "where a comma or } is due"},
		{"after object key", "where a colon is due"},
		{"after array element", "where a comma or ] is due"},
		{"after top-level value", "after the end"},
		{"escape", "in a text after a \\"},
		{"in string", "in a text, which cannot hold it as it is"},
		{"numeric literal", "in a number"},
		{"in literal", "in what is neither true, false nor null"},
	} {
		if strings.Contains(text, c.theirs) {
			return c.ours
		}
	}
	return "where it cannot"
}

// found names a value by what the library calls it.
func found(value string) string {
	if number, ok := strings.CutPrefix(value, "number "); ok {
		return number
	}
	switch value {
	case "string":
		return "a text"
	case "number":
		return "a number"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return "something else"
}

// needed names what a type holds.
func needed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return needed(t.Elem())
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return fmt.Sprintf("a whole number from %d to %d", -(1 << (t.Bits() - 1)), 1<<(t.Bits()-1)-1)
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return fmt.Sprintf("a whole number from 0 to %d", ^uint64(0)>>(64-t.Bits()))
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		return "a list"
	}
	return "an object"
}

// fields are the names of all fields that a value of this type may have as JSON, at any depth.
func fields(t reflect.Type) []string {
	names, seen := map[string]bool{}, map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			visit(t.Elem())
		case reflect.Struct:
			if seen[t] {
				return
			}
			seen[t] = true
			for f := range t.Fields() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" || !f.IsExported() && !f.Anonymous {
					continue
				}
				if name != "" {
					names[name] = true
				} else if !f.Anonymous {
					names[f.Name] = true
				}
				visit(f.Type)
			}
		}
	}
	visit(t)
	return slices.Sorted(maps.Keys(names))
}

// invalidUTF8 is the first byte that is no UTF-8, -1 if there is none.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// line is the line of a byte, where there are several.
func line(data []byte, at int) string {
	if !bytes.Contains(bytes.TrimSpace(data), []byte("\n")) {
		return ""
	}
	return fmt.Sprintf("line %d: ", 1+bytes.Count(data[:min(at, len(data))], []byte("\n")))
}

// place is the line of a byte, and which one it is there, from 1.
func place(data []byte, at int) string {
	return fmt.Sprintf("%sbyte %d: ", line(data, at), at-bytes.LastIndexByte(data[:at], '\n'))
}
