package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"earthgym/env/decode"
	"earthgym/env/spelling"
)

// lookUp follows a dotted path into decoded JSON; arrays go by index.
func lookUp(value any, path string) (any, error) {
	for done, rest := "", path; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, ".")
		switch v := value.(type) {
		case map[string]any:
			inner, ok := v[name]
			if !ok {
				return nil, fmt.Errorf("there is no %s: %s", decode.Join(done, name),
					spelling.Suggest(name, slices.Sorted(maps.Keys(v))))
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil, fmt.Errorf("there is no %s: the list has %d elements", decode.Join(done, name), len(v))
			}
			value = v[i]
		default:
			return nil, fmt.Errorf("there is no %s: %s is %s", decode.Join(done, name), done, decode.Compact(v))
		}
		done = decode.Join(done, name)
	}
	return value, nil
}

// agree says where a value differs from the one that is wanted, or "". Numbers agree within 0.001; in
// an object a key that is not wanted must be empty.
func agree(got, want any, path string) string {
	differ := func() string {
		return fmt.Sprintf("%s: got %s, want %s", path, decode.Compact(got), decode.Compact(want))
	}
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
		for _, k := range slices.Sorted(maps.Keys(w)) {
			inner, ok := g[k]
			if !ok {
				return fmt.Sprintf("there is no %s: %s", decode.Join(path, k), spelling.Suggest(k, slices.Sorted(maps.Keys(g))))
			}
			if d := agree(inner, w[k], decode.Join(path, k)); d != "" {
				return d
			}
		}
		for _, k := range slices.Sorted(maps.Keys(g)) {
			if _, ok := w[k]; !ok && !empty(g[k]) {
				return fmt.Sprintf("%s: got %s, want it empty", decode.Join(path, k), decode.Compact(g[k]))
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
		return !slices.ContainsFunc(v, func(e any) bool { return !empty(e) })
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
