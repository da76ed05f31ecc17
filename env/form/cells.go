package form

import (
	"math"
	"math/bits"
)

// What all games do to write a number, a one-hot or a set into an observation.

// Bit is 1 for true and 0 for false.
func Bit(is bool) float32 {
	n := uint32(0)
	if is {
		n = 1
	}
	return math.Float32frombits(-n & 0x3f800000) // no branch, which a processor would guess wrong half of the time
}

// Share is n / most, and 1 for more.
func Share[T Integer](n T, most int) float32 { return float32(min(int(n), most)) / float32(most) }

// Part is Share for a constant, of which it makes a product: that takes less time, and may differ in the last bit.
func Part[T Integer](n T, most int) float32 {
	if int(n) >= most {
		return 1
	}
	return float32(float32(n) * (1 / float32(most)))
}

// Scaled is n / unit for a constant unit, from -most to most.
func Scaled[T Integer](n T, unit, most int) float32 {
	return float32(float32(max(min(int(n), most*unit), -most*unit)) * (1 / float32(unit)))
}

// Count writes a number as one in a feature with the axis "count": at the last place if it is as great or greater, and
// at the first if it is less than nothing.
func Count[T Integer](dst []float32, n T) { dst[max(0, min(int(n), len(dst)-1))] = 1 }

// One writes 1 at a place, and nothing where that is negative.
func One[T Integer](dst []float32, n T) {
	if n >= 0 {
		dst[n] = 1
	}
}

// UpTo writes 1 for each number from 1 on up to n, as far as there are places.
func UpTo[T Integer](dst []float32, n T) {
	for i := range min(int(n), len(dst)) {
		dst[i] = 1
	}
}

// Ones writes 1 for each member of a set.
func Ones[T Bits](dst []float32, set T) {
	for ; set != 0; set &= set - 1 {
		dst[bits.TrailingZeros64(uint64(set))] = 1
	}
}
