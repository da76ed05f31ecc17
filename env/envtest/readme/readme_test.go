package readme

import (
	"os"
	"path/filepath"
	"testing"

	"earthgym/env/envtest/must"
)

// What is stored is written between the two lines and nowhere else, and then found there.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	must.Do(t, os.WriteFile(file, []byte("before\n<!-- x: make x -->\nold\n<!-- end of x -->\nafter\n"),
		0o666))
	Check(t, file, "x", "make x", "old\n", false)
	Check(t, file, "x", "make x", "new\n", true)
	Check(t, file, "x", "make x", "new\n", false)
	got, err := os.ReadFile(file)
	if want := "before\n<!-- x: make x -->\nnew\n<!-- end of x -->\nafter\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
