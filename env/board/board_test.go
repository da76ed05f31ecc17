package board

import (
	"math"
	"slices"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"earthgym/env/envtest/must"
)

// The widths are those of the font with which pictures become pixels.
func TestWidth(t *testing.T) {
	for _, tt := range []struct {
		bold bool
		ttf  []byte
	}{{false, liberationsansregular.TTF}, {true, liberationsansbold.TTF}} {
		font := must.Have(sfnt.Parse(tt.ttf))(t)
		var b sfnt.Buffer
		signs := []rune("–—‘’“”…−→←↑↓≤≥∞×·")
		for r := rune(0x20); r < 0x180; r++ {
			signs = append(signs, r)
		}
		for _, r := range signs {
			glyph := must.Have(font.GlyphIndex(&b, r))(t)
			want := must.Have(font.GlyphAdvance(&b, glyph, fixed.I(2048), 0))(t)
			if got := Width(string(r), 2048, tt.bold); got != float64(want.Round()) {
				t.Errorf("%q, bold %v: %v, want %v", r, tt.bold, got, want.Round())
			}
		}
	}
	if got, want := Width("Farm", 10, false), 10*(1251+1139+682+1706)/2048.0; math.Abs(got-want) > 1e-9 {
		t.Errorf("Farm is %v wide, want %v", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width float64
		want  []string
	}{
		{"", 100, nil},
		{"one", 100, []string{"one"}},
		{"one two  three", 50, []string{"one two", "three"}},
		{"on: seat 0, seat 1", 62, []string{"on: seat 0,", "seat 1"}},
		{"a (Player 1)", 60, []string{"a", "(Player 1)"}},
		{"one two three", 1, strings.Split("onetwothree", "")},
		{"Überseehandel", 40, []string{"Überse", "ehand", "el"}},
	} {
		got := Wrap(tt.text, tt.width, 12, false)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q in %v: %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

func TestWrapList(t *testing.T) {
	for _, tt := range []struct {
		items []string
		want  []string
	}{
		{nil, nil},
		{[]string{"farm 2"}, []string{"farm 2"}},
		{[]string{"farm 2", "coal 1", "gas 3"}, []string{"farm 2, coal 1", "gas 3"}},
		{[]string{"oil", "", "a very long item of the list", "gas"}, []string{"oil", "a very long item", "of the list, gas"}},
	} {
		if got := WrapList(tt.items, ", ", 90, 12, false); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.items, got, tt.want)
		}
	}
}

func TestShorten(t *testing.T) {
	for width, want := range map[float64]string{1000: "one, two", 40: "one…", 45: "one, t…", 0: "…"} {
		if got := Shorten("one, two", width, 12, false); got != want {
			t.Errorf("in %v: %q, want %q", width, got, want)
		}
	}
}

func TestPage(t *testing.T) {
	long := strings.Repeat("word ", 24) + "end"
	for _, tt := range []struct {
		name  string
		write func(p *Page)
		want  string
	}{
		{"short", func(p *Page) { p.Line("  %d of %d", 1, 2) }, "  1 of 2\n"},
		{"long", func(p *Page) { p.Line("  %s", long) },
			"  " + strings.TrimSpace(strings.Repeat("word ", 19)) + "\n      " + strings.Repeat("word ", 5) + "end\n"},
		{"exactly full", func(p *Page) { p.Line("%s", strings.Repeat("ä", 100)) }, strings.Repeat("ä", 100) + "\n"},
		{"one word", func(p *Page) { p.Line("%s", strings.Repeat("ä", 101)) }, strings.Repeat("ä", 100) + "\n    ä\n"},
		{"no list", func(p *Page) { p.List("deck: ", ", ", nil) }, ""},
		{"list", func(p *Page) { p.List("deck: ", ", ", slices.Repeat([]string{"solar farm 2"}, 8)) },
			"deck: " + strings.Repeat("solar farm 2, ", 5) + "solar farm 2,\n      solar farm 2, solar farm 2\n"},
		{"list without commas", func(p *Page) { p.List("  a ", "   ", []string{"b", "c"}) }, "  a b   c\n"},
		{"list with a long head", func(p *Page) {
			p.List("  "+strings.Repeat("h", 60)+": ", ", ", slices.Repeat([]string{"0123456789"}, 5))
		},
			"  " + strings.Repeat("h", 60) + ": 0123456789, 0123456789, 0123456789,\n      0123456789, 0123456789\n"},
		{"list below a head that leaves no room", func(p *Page) {
			p.List(strings.Repeat("h", 80)+": ", ", ", []string{"a", "b"})
		}, strings.Repeat("h", 80) + ":\n    a, b\n"},
	} {
		p := NewPage([]byte("before\n"))
		tt.write(p)
		if got := string(p.Bytes()); got != "before\n"+tt.want {
			t.Errorf("%s:\n%swant\n%s", tt.name, got, "before\n"+tt.want)
		}
	}
}

func TestGroup(t *testing.T) {
	got := Group([]string{"pass", "ask 1", "ask 2", "ask 3", "ask 5", "offer +1 gift", "offer +1 hire", "offer +2 gift",
		"say 07", "say 08", "say 09"})
	want := []string{"pass", "ask 1-3, 5", "offer +1 gift, hire", "offer +2 gift", "say 07, 08, 09"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestInkOn(t *testing.T) {
	for fill, want := range map[string]string{"#ffffff": "#000000", "#7c5bb5": White, "#4f9d3a": "#000000",
		"#000000": White, "#777777": "#000000", "#707070": White, "green": Ink} {
		if got := InkOn(fill); got != want {
			t.Errorf("on %s: %s, want %s", fill, got, want)
		}
	}
}

func TestDrawing(t *testing.T) {
	d := NewDrawing([]byte("before "), "One & All", 200, 100)
	d.Rect(1, 2.25, 30, 10, 3, Paint{Fill: White, Stroke: Edge, Width: 1.5, Opacity: 0.5, Dash: "4 3"})
	d.Rect(1, 2, 3, 4, 0, Paint{})
	d.At(50, 50)
	d.Disc(0, -0.04, 10, 1, "B")
	d.End()
	d.Fit(5, 50, 40, Font{Size: 14, Fill: Ink}, `<A name that is "too" long>`)
	d.Turned(9, 9, -90, Font{Size: 12, Fill: Pale}.End(), "up")
	if y := d.Lines(5, 20, 40, 2, Font{Size: 12, Fill: Ink}, "one two three four five six seven"); y != 52 {
		t.Errorf("the next line is at %v", y)
	}
	d.Polygon([]Point{{0, 0}, {1.5, 0}, {1, 1}}, Paint{Fill: Ink})
	d.Path(3, 4, "M0,0 h5", Paint{Stroke: Ink})
	d.Line(0, 0, 1, 1, Paint{Stroke: Ink})
	want :=
		`before <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" role="img" fill="none" font-family="Helvetica, Arial, sans-serif">
<title>One &amp; All</title>
` + kit + `<rect x="0" y="0" width="200" height="100" fill="#e9e4d6"/>
<rect x="0" y="0" width="200" height="100" fill="url(#weave)" fill-opacity="0.025"/>
<rect x="0" y="0" width="200" height="100" fill="url(#lamp)"/>
<rect x="1" y="2.3" width="30" height="10" rx="3" fill="#ffffff" fill-opacity="0.5" stroke="#cbc3ae" stroke-width="1.5" stroke-dasharray="4 3"/>
<rect x="1" y="2" width="3" height="4"/>
<g transform="translate(50 50)">
<g data-seat="B">
<circle cx="0" cy="0" r="10" fill="#1f4ed8" stroke="#ffffff" stroke-width="1.5"/>
<circle cx="0" cy="0" r="10" fill="url(#ball)"/>
<text x="0" y="5.4" font-size="15" text-anchor="middle" fill="#ffffff" font-weight="bold">B</text>
</g>
</g>
<text x="5" y="50" font-size="14" fill="#22303a">&lt;A…</text>
<text x="0" y="0" font-size="12" text-anchor="end" fill="#4b5660" transform="translate(9.0 9.0) rotate(-90.0)">up</text>
<text x="5" y="20" font-size="12" fill="#22303a">one</text>
<text x="5" y="36" font-size="12" fill="#22303a">two …</text>
<polygon points="0,0 1.5,0 1,1" fill="#22303a"/>
<path d="M0,0 h5" transform="translate(3 4)" stroke="#22303a"/>
<line x1="0" y1="0" x2="1" y2="1" stroke="#22303a"/>
</svg>
`
	if got := string(d.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What names a seat says how much room there is for the name of who sits there.
func TestRoom(t *testing.T) {
	d := NewDrawing(nil, "", 200, 100)
	d.Fit(5, 20, 80.7, Font{Size: 16, Fill: Ink}, "First: player 2")
	d.Lines(5, 50, 120, 0, Font{Size: 16, Fill: Ink}, "Seat 0 decides what becomes of all")
	for _, want := range []string{
		`<text x="5" y="20" font-size="15" fill="#22303a" data-room="80">First: play…</text>`,
		`<text x="5" y="50" font-size="16" fill="#22303a" data-room="120">Seat 0 decides</text>`,
		`<text x="5" y="71" font-size="16" fill="#22303a">what becomes</text>`,
	} {
		if got := string(d.Bytes()); !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	for text, want := range map[string]bool{"player 2": true, "Player 0 (you)": true, "seat 5's": true, "seats 2": false,
		"the player": false, "player to play 3": false} {
		if NamesSeat(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
