package form

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzDecode holds what is decoded against encoding/json: the same values, unless a name is twice or they are too deep.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		` { "a" : [ 1 , -2.5e3 , true , false , null ] , "b\n\u00e9" : { "" : "x\\\"y" } } `,
		"[]", "{}", "[[],{}]", `"\ud800"`, "\"\xff\"", "7 8", "[1,]", "", `{"a":1,"a":2}`, "\"\u2028\"",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		valid := d.Decode(&want) == nil && json.Valid(data)
		got, err := parse(data)
		switch {
		case err != nil && valid && !strings.HasSuffix(err.Error(), " is there twice") &&
			!strings.Contains(err.Error(), ": more than 16 lists"):
			t.Errorf("%q is refused: %v", data, err)
		case err == nil && !valid:
			t.Errorf("%q is taken as %v", data, got)
		case err == nil && !reflect.DeepEqual(got, want):
			t.Errorf("%q is %#v; want %#v", data, got, want)
		}
	})
}
