//go:build !amd64 && !arm64

package gemm

// Without kernels no path is fused, and what follows is never called.

func has(p path) bool { return p == portable }

const noKernels = "gemm: there are no kernels for this architecture"

func runFused(p path, rows, width int, a []float32, lda int, b []float32, bs int, c []float32, ldc, terms int,
	from []float32, fs int, relu bool) {
	panic(noKernels)
}

func runPackedFused(p path, width int, a, b []float32, bs int, c []float32, ldc, terms int, from []float32) {
	panic(noKernels)
}

func packSixesFused(dst []float32, stride int, src []float32, ld, terms int) { panic(noKernels) }

func runSparseFused(p path, width int, pieces []piece, step, count int, off []int32, val, b []float32, bs int,
	c []float32, ldc int, relu bool) {
	panic(noKernels)
}

func nonZeroFused(dst []uint64, x []float32) int { panic(noKernels) }

func gateFused(dst, dy, y []float32) int { panic(noKernels) }

func maskedMaxFused(z []float32, mask []uint64) float32 { panic(noKernels) }

func maskedExpFused(e, z []float32, mask []uint64, top float32) (sum, dot float64) { panic(noKernels) }

func softGradFused(dst, e, z []float32, inv, c, add float32) int { panic(noKernels) }

func sumSquaresFused(x []float32) (float64, int) { panic(noKernels) }

func adamFused(w, g, m, v []float32, p *[8]float32) int { panic(noKernels) }

func shiftFused(y, x []float32, mean, factor float32) int { panic(noKernels) }

func shiftBackFused(dx, dy, y []float32, mean, along, factor float32) int { panic(noKernels) }

func addFused(y, x []float32) int { panic(noKernels) }
