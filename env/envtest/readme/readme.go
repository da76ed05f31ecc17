// Package readme holds tables in files called README.md to what is stored.
package readme

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

// Check fails unless README.md, at that path, shows want between the lines <!-- name: command --> and <!-- end of name
// -->; with update it writes it there. command is what tells the reader how that is done.
func Check(t *testing.T, path, name, command, want string, update bool) {
	t.Helper()
	begin, end := fmt.Sprintf("<!-- %s: %s -->\n", name, command), fmt.Sprintf("<!-- end of %s -->\n", name)
	readme := must.Have(os.ReadFile(path))(t)
	before, rest, found := strings.Cut(string(readme), begin)
	is, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place between %s and %s", path, begin, end)
	}
	if is == want {
		return
	}
	if !update {
		t.Errorf("README.md shows other %s than those that are stored: %s", name, command)
		return
	}
	must.Do(t, os.WriteFile(path, []byte(before+begin+want+end+after), 0o666))
}
