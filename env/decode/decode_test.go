package decode_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"earthgym/env/decode"
)

type thing struct {
	Seed   uint64             `json:"seed"`
	Small  int8               `json:"small"`
	Name   string             `json:"name"`
	Share  *float64           `json:"share"`
	Open   bool               `json:"open"`
	Seats  []int              `json:"seats"`
	Inner  struct{ Deep int } `json:"inner"`
	Inside []struct {
		At map[string]int `json:"at"`
	} `json:"inside"`
	Word  word        `json:"word"`
	Count json.Number `json:"count"`
}

type word string

func (w *word) UnmarshalText(text []byte) error {
	if *w = word(text); *w != "yes" {
		return errors.New("the word is yes")
	}
	return nil
}

// What is wrong is said in words: where it is, what was found there, and what is allowed.
func TestJSON(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"seed": 18446744073709551615, "name": "x", "inside": [{"at": {"a": 1}}], "word": "yes"}` + "\n", ""},
		{``, "it is not JSON: it is empty"},
		{` `, "it is not JSON: it is empty"},
		{`{`, "it is not JSON: it ends too early"},
		{`{"seed": 1`, "it is not JSON: it ends too early"},
		{`{"name": "`, "it is not JSON: it ends too early"},
		{`tru`, "it is not JSON: it ends too early"},
		{`{"seed": }`, "it is not JSON: byte 10: '}' stands where a value is due"},
		{`{seed: 1}`, "it is not JSON: byte 2: 's' stands where a name in quotation marks is due"},
		{`{"seed" 1}`, "it is not JSON: byte 9: '1' stands where a colon is due"},
		{`{"seed": 1 "name"}`, "it is not JSON: byte 12: '\"' stands where a comma or } is due"},
		{`{"seats": [1 2]}`, "it is not JSON: byte 14: '2' stands where a comma or ] is due"},
		{`{"seed": 1} {}`, "it is not JSON: byte 13: '{' stands after the end"},
		{"{\"name\": \"a\tb\"}", `it is not JSON: byte 12: '\t' stands in a text, which cannot hold it as it is`},
		{`{"name": "\x"}`, `it is not JSON: byte 12: 'x' stands in a text after a \`},
		{`{"name": "\u00g0"}`, `it is not JSON: byte 15: 'g' stands in a text after a \`},
		{`{"seed": 1.}`, "it is not JSON: byte 12: '}' stands in a number"},
		{`{"open": trux}`, "it is not JSON: byte 13: 'x' stands in what is neither true, false nor null"},
		{`{"name": é}`, "it is not JSON: byte 10: 'é' stands where a value is due"},
		{"{\n  \"seed\": 1,\n  \"name\": x\n}", "it is not JSON: line 3: byte 11: 'x' stands where a value is due"},
		{"{\"name\": \"a\xff\"}", `byte 12: "\xff" is no UTF-8`},
		{"{\n\"name\": \"a\xff\"}", `line 2: byte 11: "\xff" is no UTF-8`},
		{strings.Repeat("[", 20_000), "it is not JSON that is read here: too many lists and objects in each other"},
		{`{"seed": -1}`, "seed: -1 stands where a whole number from 0 to 18446744073709551615 is needed"},
		{`{"seed": 1e30}`, "seed: 1e30 stands where a whole number from 0 to 18446744073709551615 is needed"},
		{`{"seed": "1"}`, "seed: a text stands where a whole number from 0 to 18446744073709551615 is needed"},
		{`{"small": 128}`, "small: 128 stands where a whole number from -128 to 127 is needed"},
		{`{"name": 7}`, "name: a number stands where a text is needed"},
		{`{"share": [1]}`, "share: a list stands where a number is needed"},
		{`{"share": 1e999}`, "share: 1e999 stands where a number is needed"},
		{`{"open": {}}`, "open: an object stands where true or false is needed"},
		{`{"seats": true}`, "seats: true or false stands where a list is needed"},
		{`{"inner": {"Deep": 0.5}}`, "inner.Deep: 0.5 stands where a whole number is needed"},
		{"{\"inner\":\n3}", "line 2: inner: a number stands where an object is needed"},
		{`{"inside": [{"at": {"a": "b"}}]}`, "inside.at: a text stands where a whole number is needed"},
		{`[]`, "a list stands where an object is needed"},
		{
			`{"nam": 1}`,
			`unknown field "nam": did you mean "name"? there are: Deep, at, count, inner, inside, name, open, seats, seed, share, small, word`},
		{`{"word": "no"}`, "the word is yes"},
		{`{"count": "x"}`, "it is not what is needed here"},
	} {
		err := decode.JSON([]byte(tt.text), new(thing))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%.60q: got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// Words is for those who decode in another way: whatever comes of it, it is said in words.
func TestWords(t *testing.T) {
	var tree map[string]int
	text := []byte(`{"a": "b", "c": 1}`)
	if err := decode.Words(text, &tree, json.Unmarshal(text, &tree)); err == nil ||
		err.Error() != "a: a text stands where a whole number is needed" && err.Error() != "a text stands where a whole "+
			"number is needed" {
		t.Errorf("got %v", err)
	}
	if err := decode.Words(nil, nil, nil); err != nil {
		t.Error(err)
	}
	if err := decode.Syntax([]byte(`[1, {"a": null}]`)); err != nil {
		t.Error(err)
	}
}
