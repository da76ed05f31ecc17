package half

import (
	"math"
	"testing"
)

func TestFrom(t *testing.T) {
	for _, tt := range []struct {
		x    float32
		want uint16
	}{
		{0, 0}, {float32(math.Copysign(0, -1)), 0x8000}, {1, 0x3c00}, {-2, 0xc000}, {0.1, 0x2e66}, {1. / 3, 0x3555},
		{65504, 0x7bff}, {65519, 0x7bff}, {65520, 0x7c00}, {1e9, 0x7c00}, {float32(math.Inf(-1)), 0xfc00},
		{6.103515625e-05, 0x0400}, {6.097555e-05, 0x03ff}, {5.9604645e-08, 1}, {2.9802322e-08, 0}, {3e-08, 1}, {1e-12, 0},
		{2049, 0x6800}, {2051, 0x6802}, {float32(math.NaN()), 0x7e00},
	} {
		if got := From(tt.x); got != tt.want {
			t.Errorf("From(%g) = %#04x, want %#04x", tt.x, got, tt.want)
		}
	}
}

// Every float16 stands for a number that comes back as it.
func TestTo(t *testing.T) {
	for h := range uint32(1 << 16) {
		x := To(uint16(h))
		if nan := h&0x7c00 == 0x7c00 && h&0x3ff != 0; nan != math.IsNaN(float64(x)) {
			t.Fatalf("To(%#04x) = %g", h, x)
		} else if got := From(x); !nan && got != uint16(h) {
			t.Fatalf("%#04x is %g and comes back as %#04x", h, x, got)
		}
	}
	if To(0x3c00) != 1 || To(0xc500) != -5 || To(1) != 0x1p-24 {
		t.Errorf("1, -5 and 2^-24 are %g, %g, %g", To(0x3c00), To(0xc500), To(1))
	}
}
