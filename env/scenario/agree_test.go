package scenario

import (
	"strings"
	"testing"

	"earthgym/env/decode"
	"earthgym/env/envtest/must"
)

func decodeJSON(t *testing.T, text string) map[string]any {
	t.Helper()
	var m map[string]any
	must.Do(t, decode.Numbers([]byte(text), &m))
	return m
}

const position = `{"round":3,"board":{"stones":[1,2],"tower":"tall","empty":{}},"over":false,"seats":[{"cash":5},{"cash":7.5}]}`

func TestLookUp(t *testing.T) {
	for _, tt := range []struct{ path, want, err string }{
		{"round", "3", ""},
		{"board.stones.1", "2", ""},
		{"seats.1.cash", "7.5", ""},
		{"board.empty", "{}", ""},
		{"boord", "", `there is no boord: did you mean "board"?`},
		{"board.height", "", "there is no board.height: there are: empty, stones, tower"},
		{"seats.2", "", "there is no seats.2: the list has 2 elements"},
		{"seats.-1", "", "there is no seats.-1"},
		{"seats.first", "", "there is no seats.first"},
		{"round.x", "", "there is no round.x: round is 3"},
	} {
		got, err := lookUp(decodeJSON(t, position), tt.path)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: got %v, want %q", tt.path, err, tt.err)
			}
		} else if err != nil || decode.Compact(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.path, decode.Compact(got), err, tt.want)
		}
	}
}

func TestAgree(t *testing.T) {
	for _, tt := range []struct {
		got  string
		want any // as TOML gives it
		err  string
	}{
		{`3`, int64(3), ""},
		{`3`, 3.0009, ""},
		{`3`, 3.002, "x: got 3, want 3.002"},
		{`-0.5`, int64(-1), "x: got -0.5, want -1"},
		{`"3"`, int64(3), `x: got "3", want 3`},
		{`3`, "3", `x: got 3, want "3"`},
		{`"a"`, "a", ""},
		{`"a"`, "b", `x: got "a", want "b"`},
		{`true`, true, ""},
		{`true`, false, "x: got true, want false"},
		{`null`, false, "x: got null, want false"},
		{`[1,"a"]`, []any{int64(1), "a"}, ""},
		{`[1,2]`, []any{int64(1)}, "x: got [1,2], want [1]"},
		{`[1,2]`, []any{int64(1), int64(3)}, "x: got [1,2], want [1,3]"},
		{`[]`, []any{}, ""},
		{`3`, []any{}, "x: got 3, want []"},
		{`[1]`, "a", `x: got [1], want "a"`},
		{`{"a":1}`, map[string]any{"a": int64(1)}, ""},
		{`{"a":1,"b":0,"c":"","d":[0,false],"e":{"f":null}}`, map[string]any{"a": int64(1)}, ""},
		{`{"a":1,"b":2}`, map[string]any{"a": int64(1)}, "x.b: got 2, want it empty"},
		{`{"a":1,"b":[0,1]}`, map[string]any{"a": int64(1)}, "x.b: got [0,1], want it empty"},
		{`{"a":{"b":2}}`, map[string]any{"a": map[string]any{"b": int64(3)}}, "x.a.b: got 2, want 3"},
		{`{"ab":1}`, map[string]any{"aa": int64(1)}, `there is no x.aa: did you mean "ab"?`},
		{`4`, map[string]any{}, "x: got 4, want {}"},
	} {
		var got any
		must.Do(t, decode.Numbers([]byte(tt.got), &got))
		if d := agree(got, tt.want, "x"); (d == "") != (tt.err == "") || !strings.Contains(d, tt.err) {
			t.Errorf("%s against %v: got %q, want %q", tt.got, tt.want, d, tt.err)
		}
	}
}
