package env

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"earthgym/env/spelling"
)

// PatchPosition lays a patch on the position of s ([PositionPatcher]): objects are patched key by key, everything else is
// replaced.
func PatchPosition(s State, patch map[string]any) error {
	p, ok := s.(PositionPatcher)
	if !ok {
		return fmt.Errorf("%s patches no positions: its State is no PositionPatcher", s.Game().Info().Name)
	}
	// Numbers of the patch, which may come from TOML, become those of JSON.
	b, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	return p.PatchPosition(b)
}

// decodeNumbers decodes JSON and keeps numbers as they are written.
func decodeNumbers(b []byte, dst any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode(dst)
}

// lookUp follows a dotted path into decoded JSON; arrays go by index.
func lookUp(value any, path string) (any, error) {
	for done, rest := "", path; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, ".")
		switch v := value.(type) {
		case map[string]any:
			inner, ok := v[name]
			if !ok {
				return nil, fmt.Errorf("there is no %s: %s", join(done, name), spelling.Suggest(name, sortedKeys(v)))
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil, fmt.Errorf("there is no %s: the list has %d elements", join(done, name), len(v))
			}
			value = v[i]
		default:
			return nil, fmt.Errorf("there is no %s: %s is %s", join(done, name), done, compact(v))
		}
		done = join(done, name)
	}
	return value, nil
}

// agree says where a value differs from the one that is wanted, or "". Numbers agree within 0.001; in
// an object a key that is not wanted must be empty.
func agree(got, want any, path string) string {
	differ := func() string { return fmt.Sprintf("%s: got %s, want %s", path, compact(got), compact(want)) }
	if w, ok := number(want); ok {
		if g, ok := number(got); ok && math.Abs(g-w) <= 0.001 {
			return ""
		}
		return differ()
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return differ()
		}
		for _, k := range sortedKeys(w) {
			inner, ok := g[k]
			if !ok {
				return fmt.Sprintf("there is no %s: %s", join(path, k), spelling.Suggest(k, sortedKeys(g)))
			}
			if d := agree(inner, w[k], join(path, k)); d != "" {
				return d
			}
		}
		for _, k := range sortedKeys(g) {
			if _, ok := w[k]; !ok && !empty(g[k]) {
				return fmt.Sprintf("%s: got %s, want it empty", join(path, k), compact(g[k]))
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return differ()
		}
		for i := range w {
			if agree(g[i], w[i], "") != "" {
				return differ()
			}
		}
		return ""
	}
	if got != want {
		return differ()
	}
	return ""
}

// empty says whether a value is one that a wanted object may leave out: 0, "", false, or made of
// nothing else.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case []any:
		for _, e := range v {
			if !empty(e) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, e := range v {
			if !empty(e) {
				return false
			}
		}
		return true
	}
	x, ok := number(v)
	return ok && x == 0
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		x, err := v.Float64()
		return x, err == nil
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
