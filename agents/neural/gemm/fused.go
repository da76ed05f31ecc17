//go:build amd64 || arm64

package gemm

import (
	"math"
	"unsafe"
)

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The functions here turn slices, whose lengths the callers have checked, into what the kernels take. The kernels
// are called by name, never through a variable: only then does the compiler know that the arguments don't escape.

func runFused(p path, rows, width int, a []float32, lda int, b []float32, bs int, c []float32, ldc, terms int,
	from []float32, fs int, relu bool) {
	tile(p, rows, width, &a[0], uintptr(lda)*4, &b[0], uintptr(bs)*4, &c[0], uintptr(ldc)*4, terms, unsafe.SliceData(from),
		uintptr(fs)*4, flag(relu))
}

func runPackedFused(p path, width int, a, b []float32, bs int, c []float32, ldc, terms int, from []float32) {
	packed(p, tileRows, width, &a[0], &b[0], uintptr(bs)*4, &c[0], uintptr(ldc)*4, terms, unsafe.SliceData(from),
		uintptr(ldc)*4)
}

func packSixesFused(dst []float32, stride int, src []float32, ld, terms int) {
	_, _ = dst[(packM/tileRows-1)*stride+terms*tileRows-1], src[(terms-1)*ld+packM-1]
	packEightSixes(&dst[0], uintptr(stride)*4, &src[0], uintptr(ld)*4, terms)
}

func runSparseFused(p path, width int, pieces []piece, step, count int, off []int32, val, b []float32, bs int,
	c []float32, ldc int, relu bool) {
	sparse(p, 1, width, &pieces[0], uintptr(step)*8, count, unsafe.SliceData(off), unsafe.SliceData(val), &b[0],
		uintptr(bs)*4, &c[0], uintptr(ldc)*4, flag(relu))
}

// maskBytes is the mask, a byte for each block, and the bits of the rest behind n whole blocks.
func maskBytes(mask []uint64, n, rest int) (blocks *byte, last byte) {
	bytes := unsafe.Pointer(unsafe.SliceData(mask))
	if rest > 0 {
		last = *(*byte)(unsafe.Add(bytes, n)) & (1<<rest - 1)
	}
	return (*byte)(bytes), last
}

// The last few values are taken as a whole block, of which only their bits are set.

func maskedMaxFused(z []float32, mask []uint64) float32 {
	n, rest := len(z)/8, len(z)%8
	blocks, bits := maskBytes(mask, n, rest)
	top := float32(math.Inf(-1))
	if n > 0 {
		top = maskedMaxBlocks(&z[0], blocks, n)
	}
	if rest > 0 {
		var last [8]float32
		copy(last[:], z[n*8:])
		top = max(top, maskedMaxBlocks(&last[0], &bits, 1))
	}
	return top
}

func maskedExpFused(e, z []float32, mask []uint64, top float32) (sum, dot float64) {
	n, rest := len(z)/8, len(z)%8
	blocks, bits := maskBytes(mask, n, rest)
	if n > 0 {
		sum, dot = maskedExpBlocks(&e[0], &z[0], blocks, n, top)
	}
	if rest > 0 {
		var last [8]float32
		copy(last[:], z[n*8:])
		s, d := maskedExpBlocks(&last[0], &last[0], &bits, 1, top)
		sum, dot = sum+s, dot+d
		copy(e[n*8:], last[:rest])
	}
	return sum, dot
}

// The functions below return how many values they have dealt with: all but the last few.

func nonZeroFused(dst []uint64, x []float32) int {
	n := len(x) / 8
	if n > 0 {
		nonZeroBlocks((*byte)(unsafe.Pointer(&dst[0])), &x[0], n)
	}
	return n * 8
}

func gateFused(dst, dy, y []float32) int {
	n := len(dst) / 8
	if n > 0 {
		gateBlocks(&dst[0], &dy[0], &y[0], n)
	}
	return n * 8
}

func softGradFused(dst, e, z []float32, inv, c, add float32) int {
	n := len(dst) / 8
	if n > 0 {
		softGradBlocks(&dst[0], &e[0], &z[0], n, inv, c, add)
	}
	return n * 8
}

func sumSquaresFused(x []float32) (float64, int) {
	n := len(x) / 16
	if n == 0 {
		return 0, 0
	}
	return sumSquaresBlocks(&x[0], n), n * 16
}

func adamFused(w, g, m, v []float32, p *[8]float32) int {
	n := len(w) / 8
	if n > 0 {
		adamBlocks(&w[0], &g[0], &m[0], &v[0], n, p)
	}
	return n * 8
}

func shiftFused(y, x []float32, mean, factor float32) int {
	n := len(y) / 8
	if n > 0 {
		shiftBlocks(&y[0], &x[0], n, mean, factor)
	}
	return n * 8
}

func shiftBackFused(dx, dy, y []float32, mean, along, factor float32) int {
	n := len(dx) / 8
	if n > 0 {
		shiftBackBlocks(&dx[0], &dy[0], &y[0], n, mean, along, factor)
	}
	return n * 8
}

func addFused(y, x []float32) int {
	n := len(y) / 8
	if n > 0 {
		addBlocks(&y[0], &x[0], n)
	}
	return n * 8
}
