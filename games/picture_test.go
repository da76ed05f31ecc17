package games

import (
	"bytes"
	"testing"
)

func TestPicture(t *testing.T) {
	for _, name := range All().Names() {
		if svg, err := Picture(name); err != nil || !bytes.HasPrefix(svg, []byte("<svg ")) {
			t.Errorf("%s: %v, %.20q", name, err, svg)
		}
	}
	if _, err := Picture("chess"); err == nil {
		t.Error("there is a picture of chess")
	}
}
