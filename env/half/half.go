// Package half converts between float32 and float16, the half-precision numbers of IEEE 754.
package half

import "math"

// From is the float16 nearest to x, ties to even.
func From(x float32) uint16 {
	if x == 0 {
		return uint16(math.Float32bits(x) >> 16)
	}
	b := math.Float32bits(x)
	sign, magnitude := uint16(b>>16&0x8000), b&0x7fffffff
	switch {
	case magnitude > 0x7f800000: // NaN
		return sign | 0x7e00
	case magnitude >= 0x477ff000: // rounds to 65536 or more
		return sign | 0x7c00
	case magnitude >= 0x38800000: // normal
		rounded := magnitude + 0xfff + magnitude>>13&1
		return sign | uint16(rounded>>13-112<<10)
	case magnitude < 0x33000000: // less than half of the smallest
		return sign
	}
	shift := 126 - magnitude>>23
	mantissa := magnitude&0x7fffff | 0x800000
	down, rest := mantissa>>shift, mantissa&(1<<shift-1)
	if tie := uint32(1) << (shift - 1); rest > tie || rest == tie && down&1 == 1 {
		down++
	}
	return sign | uint16(down)
}

// To is the number that a float16 stands for.
func To(h uint16) float32 {
	sign, exponent, mantissa := uint32(h&0x8000)<<16, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch {
	case exponent == 0x1f: // infinite, or NaN
		return math.Float32frombits(sign | 0x7f800000 | mantissa<<13)
	case exponent == 0: // 0, or smaller than normal: a multiple of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(mantissa)*0x1p-24))
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | mantissa<<13)
}
