package web

import (
	"fmt"
	"strings"
	"testing"

	"earthgym/env/board"
	"earthgym/env/envtest/must"
)

// The page has a shade for each colour of the boards that needs one in the dark.
func TestShades(t *testing.T) {
	style := must.Have(page.ReadFile("page/style.css"))(t)
	for light, dark := range board.Night {
		for _, paint := range []string{"fill", "stroke"} {
			rule := fmt.Sprintf(`.board svg [%[1]s="%[2]s"] { %[1]s: light-dark(%[2]s, %[3]s); }`, paint, light, dark)
			if !strings.Contains(string(style), rule) {
				t.Errorf("style.css lacks %s", rule)
			}
		}
	}
}
