package seal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
	"earthgym/env/seal"
)

// lines are some, sealed one after the other.
func lines(n int) (plain, sealed [][]byte) {
	c := seal.Begin("a header")
	for i := range n {
		line := fmt.Appendf(nil, `{"game":%d,"texts":["a \"sum\":","}"]}`+"\n", i)
		plain, sealed = append(plain, line), append(sealed, c.Seal(line))
	}
	return plain, sealed
}

// What is opened is what was sealed, a line after the other, and the lines stay JSON.
func TestOpen(t *testing.T) {
	plain, sealed := lines(5)
	c := seal.Begin("a header")
	for i, line := range sealed {
		if !json.Valid(line) || !strings.HasPrefix(string(line), fmt.Sprintf(`{"game":%d,`, i)) ||
			!bytes.HasSuffix(line, []byte("\"}\n")) {
			t.Errorf("line %d is %s", i, line)
		}
		if got, err := c.Open(line); err != nil || !bytes.Equal(got, plain[i]) {
			t.Errorf("line %d: %s, %v", i, got, err)
		}
	}
	for _, indent := range []string{"", "  ", "\t"} {
		text := must.Have(json.MarshalIndent(map[string]any{"a": 1, "b": []int{2, 3}}, "", indent))(t)
		var c, d seal.Chain
		sealed := c.Seal(append(text, '\n'))
		if !json.Valid(sealed) || strings.Count(string(sealed), "\n") != strings.Count(string(text), "\n")+2 && indent != "" {
			t.Errorf("%s", sealed)
		}
		if got, err := d.Open(sealed); err != nil || string(got) != string(text)+"\n" {
			t.Errorf("%q: %s, %v", indent, got, err)
		}
	}
}

// Any change of a byte is found, in its line at the latest, and so are lines that are left out, doubled or exchanged,
// and another beginning. A refused line leaves the chain as it was.
func TestChanged(t *testing.T) {
	_, sealed := lines(4)
	open := func(list ...[]byte) error {
		c := seal.Begin("a header")
		for _, line := range list {
			if _, err := c.Open(line); err != nil {
				return err
			}
		}
		return nil
	}
	for at := range sealed[1] {
		for _, to := range []byte{sealed[1][at] ^ 1, ' ', '"', '}', '0'} {
			changed := bytes.Clone(sealed[1])
			changed[at] = to
			if to != sealed[1][at] && open(sealed[0], changed) == nil {
				t.Errorf("it opens with another byte %d: %s", at, changed)
			}
		}
		if open(sealed[0], sealed[1][:at]) == nil || open(sealed[0], sealed[1][at+1:]) == nil {
			t.Errorf("a part of it opens, cut at %d", at)
		}
	}
	for what, list := range map[string][][]byte{
		"left out": {sealed[0], sealed[2]}, "doubled": {sealed[0], sealed[0]}, "exchanged": {sealed[1], sealed[0]},
		"begun later": {sealed[1]},
	} {
		if err := open(list...); !errors.Is(err, seal.ErrChanged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	c := seal.Begin("another header")
	if _, err := c.Open(sealed[0]); !errors.Is(err, seal.ErrChanged) || c != seal.Begin("another header") {
		t.Errorf("under another header: %v", err)
	}
	for _, text := range []string{"", "{}", "[]", "null", "x", `{"a":1}`, "}", `"`} {
		if _, err := c.Open([]byte(text)); !errors.Is(err, seal.ErrNone) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{`"sum":`, `,"sum":"`, `{,"sum":""}`, `{"sum":"0"}`, `{"a":1,"sum":}`, `}{,"sum":"1"}`,
		`,"sum":"}`, `{"a":1},"sum":"0"`} {
		if _, err := c.Open([]byte(text)); !errors.Is(err, seal.ErrChanged) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
