package raster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

// svg is a document of 40 × 30 units.
func svg(inside string) []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30">` + inside + `</svg>`)
}

func TestDraw(t *testing.T) {
	const white = "ffffff"
	for _, tt := range []struct {
		inside string
		want   map[[2]int]string // colour at x, y
	}{
		{``, map[[2]int]string{{0, 0}: white, {39, 29}: white}},
		{`<rect x="10" y="5" width="10" height="10"/>`, map[[2]int]string{{15, 10}: "000000", {9, 10}: white,
			{15, 15}: white}},
		{`<rect x="10" y="5" width="20" height="20" rx="9" fill="#f00"/>`,
			map[[2]int]string{{20, 15}: "ff0000", {10, 5}: white, {20, 5}: "ff0000"}},
		{`<rect width="40" height="30" fill="#0000ff" fill-opacity="0.5"/>`, map[[2]int]string{{3, 3}: "7f7fff"}},
		{`<rect width="40" height="30" fill="#0000ff" opacity="0"/>`, map[[2]int]string{{3, 3}: white}},
		{`<g fill="#112233"><circle cx="20" cy="15" r="5"/></g>`, map[[2]int]string{{20, 15}: "112233", {20, 21}: white}},
		{`<circle cx="20" cy="15" r="8" fill="none" stroke="#00ff00" stroke-width="4"/>`,
			map[[2]int]string{{20, 15}: white, {12, 15}: "00ff00"}},
		{`<polygon points="0,0 40,0 0,30"/>`, map[[2]int]string{{2, 2}: "000000", {38, 28}: white}},
		{`<line x1="0" y1="15" x2="40" y2="15" stroke="#123456" stroke-width="4" stroke-dasharray="10 10"/>`,
			map[[2]int]string{{5, 15}: "123456", {15, 15}: white, {25, 15}: "123456"}},
		{`<path d="M5,5h10v10h-10z"/>`, map[[2]int]string{{10, 10}: "000000", {16, 10}: white}},
		{`<path d="m5 5 10 0 0 10-10 0Z"/>`, map[[2]int]string{{10, 10}: "000000", {16, 10}: white}},
		{`<path d="M5 15 A 10 10 0 0 1 25 15 Z"/>`, map[[2]int]string{{15, 8}: "000000", {15, 20}: white}},
		{`<path d="M5 15 a10 10 0 0025 15z" transform="translate(0 0)"/>`, map[[2]int]string{{39, 0}: white}},
		{`<path d="M5 15 A 10 10 0 0 0 25 15 Z"/>`, map[[2]int]string{{15, 8}: white, {15, 20}: "000000"}},
		{`<path d="M15 5 A 10 10 0 1 1 5 15 H15 Z"/>`, map[[2]int]string{{20, 20}: "000000", {8, 8}: white}},
		{`<path d="M0 30 Q20 -30 40 30Z"/>`, map[[2]int]string{{20, 10}: "000000", {5, 5}: white}},
		{`<g transform="translate(20 15) rotate(90)"><rect width="10" height="4"/></g>`,
			map[[2]int]string{{18, 20}: "000000", {25, 17}: white}},
		{`<defs><rect id="x" width="4" height="4"/></defs><use href="#x" x="8" transform="translate(2 20)" fill="#ff0000"/>`,
			map[[2]int]string{{12, 22}: "ff0000", {2, 2}: white}},
		{
			`<defs><pattern id="p" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#ff0000"/><rect width="3" height="6" fill="#0000ff"/></pattern></defs><rect width="40" height="30" fill="url(#p)"/>`,
			map[[2]int]string{{1, 1}: "0000ff", {4, 1}: "ff0000", {7, 20}: "0000ff"}},
		{
			`<defs><linearGradient id="g"><stop stop-color="#f00"/><stop offset=".5" stop-color="#f00"/>` +
				`<stop offset=".5" stop-color="#00f"/></linearGradient></defs><rect width="40" height="30" fill="url(#g)"/>`,
			map[[2]int]string{{5, 5}: "ff0000", {30, 5}: "0000ff"}},
		{
			`<defs><radialGradient id="g"><stop stop-color="#000"/><stop offset="1" stop-color="#000" stop-opacity="0"/>` +
				`</radialGradient></defs><g transform="translate(40 0) rotate(90)"><rect width="30" height="40" fill="url(#g)"/></g>`,
			map[[2]int]string{{0, 0}: white, {39, 29}: white}},
		{`<title>nothing</title>`, map[[2]int]string{{20, 15}: white}},
	} {
		pixels, shape, err := Draw(svg(tt.inside))
		if err != nil || fmt.Sprint(shape) != "[30 40 3]" || len(pixels) != 3600 {
			t.Errorf("%s: %v, %d bytes, %v", tt.inside, shape, len(pixels), err)
			continue
		}
		for at, want := range tt.want {
			i := 3 * (at[1]*40 + at[0])
			if got := fmt.Sprintf("%x", pixels[i:i+3]); got != want {
				t.Errorf("%s: %s at %v, want %s", tt.inside, got, at, want)
			}
		}
	}
}

// Text stands where its anchor says.
func TestDrawText(t *testing.T) {
	dark := func(inside string) (left, right, top, bottom int) {
		t.Helper()
		pixels, _, err := Draw(svg(inside))
		if err != nil {
			t.Fatal(err)
		}
		left, top = 40, 30
		for i := 0; i < len(pixels); i += 3 {
			if pixels[i] < 128 {
				x, y := i/3%40, i/3/40
				left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
			}
		}
		return left, right, top, bottom
	}
	for _, tt := range []struct {
		attributes               string
		left, right, top, bottom int // at most so, at least so
	}{
		{`x="2" y="20" font-size="16"`, 4, 11, 9, 19},
		{`x="20" y="20" font-size="16" text-anchor="middle"`, 18, 22, 9, 19},
		{`x="38" y="20" font-size="16" text-anchor="end" font-weight="bold"`, 36, 30, 9, 19},
		{`x="20" y="15" font-size="16" text-anchor="middle" dominant-baseline="middle"`, 18, 22, 10, 18},
	} {
		left, right, top, bottom := dark(`<text ` + tt.attributes + `>H</text>`)
		if left > tt.left || right < tt.right || top > tt.top || bottom < tt.bottom || bottom > tt.bottom+2 {
			t.Errorf("%s: from %d,%d to %d,%d", tt.attributes, left, top, right, bottom)
		}
	}
}

func TestDrawErrors(t *testing.T) {
	for inside, want := range map[string]string{
		`<blink/>`:                     "the element blink",
		`<rect width="2" skew="1"/>`:   "the attribute skew",
		`<rect width="2" fill="red"/>`: `the colour "red"`,
		`<rect fill="url(#no)"/>`:      `no pattern "no"`,
		`<use href="#no"/>`:            `use of "#no"`,
		`<g transform="scale(2 2)"/>`:  `transform "scale(2 2)"`,
		`<g transform="rotate"/>`:      "name(numbers)",
		`<path d="M1 1 S2 2 3 3"/>`:    "path command 'S'",
		`<path d="M1"/>`:               "lacks a number",
		`<path d="M1 1Z3"/>`:           "path command",
		`<rect stroke-width="wide"/>`:  "stroke-width",
		`<rect>`:                       "svg",
	} {
		if _, _, err := Draw(svg(inside)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", inside, err, want)
		}
	}
	for _, doc := range []string{"", "<svg/>", `<svg viewBox="0 0 0 1"/>`, `<svg viewBox="0 0 1e9 1e9"/>`,
		`<g viewBox="0 0 1 1"/>`} {
		if _, _, err := Draw([]byte(doc)); err == nil {
			t.Errorf("%q is drawn", doc)
		}
	}
}

// Whatever the games draw can be drawn here.
func TestDrawGames(t *testing.T) {
	files, err := filepath.Glob("../../../games/*/testdata/golden/*.svg")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d drawings, %v", len(files), err)
	}
	for _, file := range files {
		doc := must.Have(os.ReadFile(file))(t)
		if _, _, err := Draw(doc); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
