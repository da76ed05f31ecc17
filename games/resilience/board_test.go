package resilience

import (
	"strings"
	"testing"
)

// The table of RULES.md 2.2 (RE-091: sector die and field die name a field).
const neighbourTable = `
11: 12 13 21 61 63
12: 11 13 14 15 63 66
13: 11 12 15 16 21 22
14: 12 15 66
15: 12 13 14 16
16: 13 15 22 24
21: 11 13 22 23 31
22: 13 16 21 23 24 25
23: 21 22 25 26 31 32
24: 16 22 25
25: 22 23 24 26
26: 23 25 32 34
31: 21 23 32 33 41
32: 23 26 31 33 34 35
33: 31 32 35 36 41 42
34: 26 32 35
35: 32 33 34 36
36: 33 35 42 44
41: 31 33 42 43 51
42: 33 36 41 43 44 45
43: 41 42 45 46 51 52
44: 36 42 45
45: 42 43 44 46
46: 43 45 52 54
51: 41 43 52 53 61
52: 43 46 51 53 54 55
53: 51 52 55 56 61 62
54: 46 52 55
55: 52 53 54 56
56: 53 55 62 64
61: 11 51 53 62 63
62: 53 56 61 63 64 65
63: 11 12 61 62 65 66
64: 56 62 65
65: 62 63 64 66
66: 12 14 63 65`

func TestNeighbours(t *testing.T) {
	b := newPlanet()
	pairs := 0
	for f, line := range strings.Split(strings.TrimSpace(neighbourTable), "\n") {
		got := Field(f).String() + ":"
		for r := b.neighbours[f]; r != 0; r = r.Rest() {
			got += " " + r.First().String()
			pairs++
		}
		if got != line {
			t.Errorf("got %q, want %q", got, line)
		}
	}
	if pairs != 2*84 {
		t.Errorf("%d adjacencies, want 84", pairs/2)
	}
}

func TestBeside(t *testing.T) {
	b := newPlanet()
	for set := Fields(1); set < 1<<NumFields; set = set*5 + 3 {
		var want Fields
		for f := range Field(NumFields) {
			if set.Has(f) {
				want |= b.neighbours[f]
			}
		}
		if got := b.beside(set); got != want {
			t.Errorf("beside(%b): got %b, want %b", set, got, want)
		}
	}
}
