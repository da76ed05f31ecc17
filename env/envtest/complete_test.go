package envtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// Complete finds what observations leave out, and tells it from what nobody may know.
func TestComplete(t *testing.T) {
	blank := func(s *faulty, dst []float32, from, to int) {
		for i := from; i < to; i++ {
			dst[i] = 0
		}
	}
	for _, tt := range []struct {
		name    string
		observe func(s *faulty, dst []float32, p env.Player)
		listed  string
		all     bool
		want    string
	}{
		{name: "honest", all: true},
		{name: "history left out", want: "no observation shows that history changes: kuhn",
			observe: func(s *faulty, dst []float32, p env.Player) { s.State.Observe(dst, p); blank(s, dst, 9, len(dst)) }},
		{name: "cards left out", want: "no observation shows that cards changes: kuhn",
			observe: func(s *faulty, dst []float32, p env.Player) { s.State.Observe(dst, p); blank(s, dst, 0, 4) }},
		{name: "listed", listed: "history", all: true,
			observe: func(s *faulty, dst []float32, p env.Player) { s.State.Observe(dst, p); blank(s, dst, 9, len(dst)) }},
		{name: "listed for nothing", listed: "history", all: true, want: "RULES.md says that observations leave out " +
			"history, but no position bears it out"},
		{name: "no such field", listed: "pot", all: true, want: "RULES.md says that observations leave out pot, but no " +
			"position bears it out"},
	} {
		f := must.Have(newFacts((&fault{observe: tt.observe}).Rulebook(), Config{}, nil))(t)
		f.changeAll(20)
		listed := map[string]string{}
		if tt.listed != "" {
			listed[tt.listed] = "why"
		}
		faults := f.faults(listed, tt.all)
		if tt.want == "" && len(faults) > 0 || tt.want != "" &&
			(len(faults) != 1 || !strings.HasPrefix(faults[0].Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q\n%s", tt.name, faults, tt.want, f)
		}
	}
}

func TestLeftOut(t *testing.T) {
	dir := t.TempDir()
	book := "## 8. Information\n\n| `a` | no |\n\n### 8.2 What observations leave out\n\n| field | why |\n|---|---|\n| " +
		"`b.*.c` | above 9 |\n\n## 9. End\n\n| `d` | no |\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "RULES.md"), []byte(book), 0o644))
	if got, err := leftOut(dir); err != nil || len(got) != 1 || got["b.*.c"] != "above 9" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := leftOut(filepath.Join(dir, "missing")); err == nil {
		t.Error("a folder without rules has none left out")
	}
}
