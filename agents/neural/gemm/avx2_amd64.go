package gemm

import (
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

func hasAVX2() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The functions here turn slices, whose lengths the callers have checked, into what the kernels take. The kernels
// are called by name, never through a variable: only then does the compiler know that the arguments don't escape.

func runAVX2(rows, width int, a []float32, lda int, b []float32, bs int, c []float32, ldc, terms int, from []float32, fs int, relu bool) {
	ap, bp, cp, fp, r := &a[0], &b[0], &c[0], unsafe.SliceData(from), flag(relu)
	la, lb, lc, lf := uintptr(lda)*4, uintptr(bs)*4, uintptr(ldc)*4, uintptr(fs)*4
	switch {
	case rows == 6 && width == 1:
		tile6x1(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 5 && width == 1:
		tile5x1(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 4 && width == 1:
		tile4x1(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 3 && width == 1:
		tile3x1(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 2 && width == 1:
		tile2x1(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 1 && width == 1:
		tile1x1(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 3 && width == 2:
		tile3x2(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 2 && width == 2:
		tile2x2(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	case rows == 1 && width == 4:
		tile1x4(ap, la, bp, lb, cp, lc, terms, fp, lf, r)
	default:
		panic("gemm: there is no kernel for a tile of this shape")
	}
}

func runPackedAVX2(a, b, c []float32, ldc, terms int, from []float32) {
	tilePacked(&a[0], &b[0], &c[0], uintptr(ldc)*4, terms, unsafe.SliceData(from), uintptr(ldc)*4)
}

func packSixesAVX2(dst []float32, stride int, src []float32, ld, terms int) {
	_, _ = dst[(packM/tileRows-1)*stride+terms*tileRows-1], src[(terms-1)*ld+packM-1]
	packEightSixes(&dst[0], uintptr(stride)*4, &src[0], uintptr(ld)*4, terms)
}

func runSparseAVX2(width int, off []int32, val, b []float32, bs int, c, from []float32, relu bool) {
	op, vp, fp := unsafe.SliceData(off), unsafe.SliceData(val), unsafe.SliceData(from)
	if width == 4 {
		sparse4(op, vp, len(off), &b[0], uintptr(bs)*4, &c[0], fp, flag(relu))
	} else {
		sparse1(op, vp, len(off), &b[0], uintptr(bs)*4, &c[0], fp, flag(relu))
	}
}

// The functions below return how many values they have dealt with: all but the last few.

func nonZeroAVX2(dst []uint64, x []float32) int {
	n := len(x) / 8
	if n > 0 {
		nonZeroBlocks((*byte)(unsafe.Pointer(&dst[0])), &x[0], n)
	}
	return n * 8
}

func gateAVX2(dst, dy, y []float32) int {
	n := len(dst) / 8
	if n > 0 {
		gateBlocks(&dst[0], &dy[0], &y[0], n)
	}
	return n * 8
}

func maskedExpAVX2(e, z []float32, mask []uint64) (top float32, sum, dot float64) {
	if len(z) == 0 {
		return float32(math.Inf(-1)), 0, 0
	}
	n, rest := len(z)/8, len(z)%8
	bits := unsafe.Pointer(&mask[0]) // a byte for each block
	tail := 0xff
	if rest > 0 {
		tail = 1<<rest - 1
	}
	if top = maskedMaxBlocks(&z[0], (*byte)(bits), (len(z)+7)/8, tail); math.IsInf(float64(top), -1) {
		clear(e)
		return top, 0, 0
	}
	if n > 0 {
		sum, dot = maskedExpBlocks(&e[0], &z[0], (*byte)(bits), n, 0xff, top)
	}
	if rest > 0 { // the block is whole, but only the values that are there are read
		var last [8]float32
		s, d := maskedExpBlocks(&last[0], &z[n*8], (*byte)(unsafe.Add(bits, n)), 1, tail, top)
		sum, dot = sum+s, dot+d
		copy(e[n*8:], last[:rest])
	}
	return top, sum, dot
}

func softGradAVX2(dst, e, z []float32, inv, c, add float32) int {
	n := len(dst) / 8
	if n > 0 {
		softGradBlocks(&dst[0], &e[0], &z[0], n, inv, c, add)
	}
	return n * 8
}

func sumSquaresAVX2(x []float32) (float64, int) {
	n := len(x) / 16
	if n == 0 {
		return 0, 0
	}
	return sumSquaresBlocks(&x[0], n), n * 16
}

func adamAVX2(w, g, m, v []float32, p *[8]float32) int {
	n := len(w) / 8
	if n > 0 {
		adamBlocks(&w[0], &g[0], &m[0], &v[0], n, p)
	}
	return n * 8
}
