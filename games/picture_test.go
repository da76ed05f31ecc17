package games

import (
	"bytes"
	"regexp"
	"testing"
)

func TestPicture(t *testing.T) {
	zero := regexp.MustCompile(`\b(player |seat |p)0\b|<g data-seat="0">\n(<[^t/].*\n)*<text.*>0</text>`)
	for _, name := range All().Names() {
		svg, err := Picture(name)
		if err != nil || !bytes.HasPrefix(svg, []byte("<svg ")) {
			t.Errorf("%s: %v, %.20q", name, err, svg)
		}
		if at := zero.Find(bytes.ToLower(svg)); at != nil {
			t.Errorf("%s counts seats from 0: %s", name, at)
		}
	}
	if _, err := Picture("chess"); err == nil {
		t.Error("there is a picture of chess")
	}
}
