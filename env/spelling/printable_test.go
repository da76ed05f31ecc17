package spelling_test

import (
	"strings"
	"testing"
	"unicode"

	"earthgym/env/spelling"
)

func TestPrintable(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"net:runs/ä b,argmax", "net:runs/ä b,argmax"},
		{`C:\new "x" 地球 🌍`, `C:\new "x" 地球 🌍`},               // Backslashes and quotes are none of its business.
		{"👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"}, // U+200D and U+200C join and part in names.
		{"red \x1b[31m", `red \x1b[31m`},
		{"a\rb\nc\td\x00\x7f", `a\rb\nc\td\x00\x7f`},
		{"csi \u009b31m", `csi \u009b31m`},
		{"turned \u202e back", `turned \u202e back`},
		{"no UTF-8 \xff.", `no UTF-8 \xff.`},
		{"replaced \ufffd.", "replaced \ufffd."},
		{"a\u2028b\u00a0c", `a\u2028b` + "\u00a0c"},
	} {
		if got := spelling.Printable(tt.text); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b[2J\xff\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		once := spelling.Printable(text)
		for _, r := range once {
			if !unicode.IsGraphic(r) {
				t.Errorf("%q: %q is left", text, r)
			}
		}
		if again := spelling.Printable(once); again != once {
			t.Errorf("%q: %q becomes %q", text, once, again)
		}
	})
}

func TestCounted(t *testing.T) {
	for want, got := range map[string]string{"1 decision": spelling.Counted(1, "decision"), "0 seats": spelling.Counted(0,
		"seat"), "2 COLLAPSES": spelling.Counted(2, "COLLAPSE")} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// Texts that differ are shown whole, or from the item on in which they do.
func TestApart(t *testing.T) {
	long := func(last string) string { return `"` + strings.Repeat(`a=1,b=2","`, 100) + last + `"` }
	for _, tt := range [][4]string{
		{"a", "b", "a", "b"},
		{long("c=3"), long("c=4"), `…c=3"`, `…c=4"`},
		{long("c=3"), long(`c=3","d`), `…c=3"`, `…c=3","d"`},
		{"x " + strings.Repeat("é", 300), "y", "x " + strings.Repeat("é", 119) + "…", "y"},
	} {
		if a, b := spelling.Apart(tt[0], tt[1]); a != tt[2] || b != tt[3] {
			t.Errorf("%.20q and %.20q: %q and %q, want %q and %q", tt[0], tt[1], a, b, tt[2], tt[3])
		}
	}
}
