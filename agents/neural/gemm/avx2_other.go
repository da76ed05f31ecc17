//go:build !amd64

package gemm

// Without AVX2 no Kernels has avx2 set, and what follows is never called.

func hasAVX2() bool { return false }

const noAVX2 = "gemm: AVX2 kernels called on another architecture"

func runAVX2(rows, width int, a []float32, lda int, b []float32, bs int, c []float32, ldc, terms int, from []float32, fs int, relu bool) {
	panic(noAVX2)
}

func runPackedAVX2(a, b, c []float32, ldc, terms int, from []float32) { panic(noAVX2) }

func packSixesAVX2(dst []float32, stride int, src []float32, ld, terms int) { panic(noAVX2) }

func runSparseAVX2(width int, off []int32, val, b []float32, bs int, c, from []float32, relu bool) {
	panic(noAVX2)
}

func nonZeroAVX2(dst []uint64, x []float32) int { panic(noAVX2) }

func gateAVX2(dst, dy, y []float32) int { panic(noAVX2) }

func maskedExpAVX2(e, z []float32, mask []uint64) (top float32, sum, dot float64) { panic(noAVX2) }

func softGradAVX2(dst, e, z []float32, inv, c, add float32) int { panic(noAVX2) }

func sumSquaresAVX2(x []float32) (float64, int) { panic(noAVX2) }

func adamAVX2(w, g, m, v []float32, p *[8]float32) int { panic(noAVX2) }
