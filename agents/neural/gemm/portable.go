package gemm

import (
	"math"

	"earthgym/env/alike"
)

// The products are rounded before they are added (the conversions say so): no compiler may fuse them, and every
// architecture gives the same bits.

// runPortable computes a tile of rows × 16·width. Term k of row r of A is at r·lda + k·step.
func runPortable(rows, width int, a []float32, lda, step int, b []float32, bs int, c []float32, ldc, terms int,
	from []float32, fs int, relu bool) {
	for p := range width {
		bp := b[p*bs:][:terms*panel]
		for r := range rows {
			ar, dst := a[r*lda:], c[r*ldc+p*panel:][:panel]
			if from == nil {
				clear(dst)
			} else {
				copy(dst, from[r*fs+p*panel:][:panel])
			}
			for q := 0; q < panel; q += 8 {
				d := (*[8]float32)(dst[q:])
				s0, s1, s2, s3, s4, s5, s6, s7 := d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
				for k := range terms {
					x, w := ar[k*step], (*[8]float32)(bp[k*panel+q:])
					s0 += float32(x * w[0])
					s1 += float32(x * w[1])
					s2 += float32(x * w[2])
					s3 += float32(x * w[3])
					s4 += float32(x * w[4])
					s5 += float32(x * w[5])
					s6 += float32(x * w[6])
					s7 += float32(x * w[7])
				}
				*d = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
			}
			if relu {
				rectify(dst)
			}
		}
	}
}

func runSparsePortable(width int, pieces []piece, step, count int, offs []int32, vals, b []float32, bs int,
	c []float32, ldc int, relu bool) {
	for r := range count {
		piece := pieces[r*step]
		off, val := offs[piece.at/4:][:piece.n], vals[piece.at/4:][:piece.n]
		for p := range width {
			bp, dst := b[p*bs:], c[r*ldc+p*panel:][:panel]
			for q := 0; q < panel; q += 8 {
				d := (*[8]float32)(dst[q:])
				s0, s1, s2, s3, s4, s5, s6, s7 := d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
				for i, x := range val {
					w := (*[8]float32)(bp[int(off[i]/4)+q:])
					s0 += float32(x * w[0])
					s1 += float32(x * w[1])
					s2 += float32(x * w[2])
					s3 += float32(x * w[3])
					s4 += float32(x * w[4])
					s5 += float32(x * w[5])
					s6 += float32(x * w[6])
					s7 += float32(x * w[7])
				}
				*d = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
			}
			if relu {
				rectify(dst)
			}
		}
	}
}

func rectify(x []float32) {
	for i, v := range x {
		if v < 0 {
			x[i] = 0
		}
	}
}

func maskedMaxPortable(z []float32, mask []uint64) float32 {
	top := float32(math.Inf(-1))
	for i, v := range z {
		if mask[i/64]>>(i%64)&1 != 0 && v > top {
			top = v
		}
	}
	return top
}

func maskedExpPortable(e, z []float32, mask []uint64, top float32) (sum, dot float64) {
	for i, v := range z {
		e[i] = 0
		if mask[i/64]>>(i%64)&1 != 0 {
			x := v - top
			e[i] = float32(alike.Exp(float64(max(x, -87))))
			sum += float64(e[i])
			dot += float64(float64(e[i]) * float64(x))
		}
	}
	return sum, dot
}
