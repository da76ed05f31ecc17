package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var lengths = []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 100, 301, 1500}

func TestMaskedExp(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, n := range lengths {
			for _, scale := range []float32{0.1, 3, 50, 1000} {
				z := random(rng, n, 1)
				mask := make([]uint64, (n+63)/64)
				for i := range mask {
					mask[i] = rng.Uint64() | 1 // bits behind n are set too: they must not count
				}
				top, legal := math.Inf(-1), func(i int) bool { return mask[i/64]>>(i%64)&1 != 0 }
				for i := range z {
					z[i] *= scale
					if legal(i) {
						top = max(top, float64(z[i]))
					}
				}
				e := make([]float32, n)
				gotTop, gotSum, gotDot := k.MaskedExp(e, z, mask)
				var sum, dot float64
				for i, v := range z {
					want := 0.0
					if x := float64(v - float32(top)); legal(i) {
						want = math.Exp(max(x, -87))
						sum += want
						dot += want * x
					}
					if d := math.Abs(float64(e[i]) - want); d > 2e-7*want {
						t.Fatalf("%d values × %v: e[%d] is %v, want %v", n, scale, i, e[i], want)
					}
				}
				if float64(gotTop) != top || math.Abs(gotSum-sum) > 1e-6*sum || math.Abs(gotDot-dot) > 1e-6*(1-dot) {
					t.Fatalf("%d values × %v: %v, %v, %v, want %v, %v, %v", n, scale, gotTop, gotSum, gotDot, top, sum, dot)
				}
			}
		}
		e := []float32{9, 9}
		if top, sum, dot := k.MaskedExp(e, []float32{1, 2}, []uint64{0}); !math.IsInf(float64(top), -1) || sum != 0 ||
			dot != 0 || e[0] != 0 || e[1] != 0 {
			t.Errorf("empty mask: %v, %v, %v, %v", top, sum, dot, e)
		}
		for i := range 10 { // a NaN must not go unseen
			z := make([]float32, 10)
			z[i] = float32(math.NaN())
			if _, sum, _ := k.MaskedExp(make([]float32, 10), z, []uint64{0x3ff}); !math.IsNaN(sum) {
				t.Errorf("NaN at %d: the sum is %v", i, sum)
			}
		}
	})
}

func TestVectors(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, n := range lengths {
			x, y, z := random(rng, n, 1), random(rng, n, 0.7), random(rng, n, 1)
			got, want := make([]float32, n), make([]float64, n)
			k.Gate(got, x, y)
			for i := range want {
				want[i] = 0
				if y[i] > 0 {
					want[i] = float64(x[i])
				}
			}
			near(t, fmt.Sprint("gate ", n), got, want, 0)

			k.SoftGrad(got, x, z, 0.5, 0.25, -0.125)
			for i := range want {
				want[i] = float64(x[i]) * 0.5 * (float64(z[i])*0.25 - 0.125)
			}
			near(t, fmt.Sprint("soft-max gradient ", n), got, want, 1e-7)

			var sum float64
			for _, v := range x {
				sum += float64(v) * float64(v)
			}
			if s := k.SumSquares(x); math.Abs(s-sum) > 1e-12*sum {
				t.Fatalf("sum of %d squares is %v, want %v", n, s, sum)
			}
			x[n/2] = float32(math.Inf(1))
			if s := k.SumSquares(x); !math.IsInf(s, 1) {
				t.Fatalf("sum of %d squares with an infinite one is %v", n, s)
			}

			bits := make([]uint64, (n+63)/64)
			for i := range bits {
				bits[i] = rng.Uint64()
			}
			k.NonZero(bits, y)
			for i := range len(bits) * 64 {
				if set := bits[i/64]>>(i%64)&1 != 0; set != (i < n && y[i] != 0) {
					t.Fatalf("%d values: bit %d is %v", n, i, set)
				}
			}
		}
	})
}

func TestAdamIsTheSameOnEveryPath(t *testing.T) {
	step := AdamStep{Scale: 0.7, Beta1: 0.9, Beta2: 0.999, Rate: 3e-3, Root: 2, Epsilon: 1e-5}
	for _, n := range lengths {
		var first [3][]float32
		for _, k := range All() {
			rng := rand.New(rand.NewPCG(5, uint64(n)))
			w, m, v := random(rng, n, 1), random(rng, n, 1), random(rng, n, 1)
			for i := range v {
				v[i] *= v[i]
			}
			want := make([]float64, n)
			g := random(rng, n, 0.9)
			for i := range w {
				x := float64(g[i]) * 0.7
				m1, v1 := 0.9*float64(m[i])+0.1*x, 0.999*float64(v[i])+0.001*x*x
				want[i] = float64(w[i]) - 3e-3*m1/(2*math.Sqrt(v1)+1e-5)
			}
			k.Adam(w, g, m, v, step)
			near(t, fmt.Sprint(k.Name(), n), w, want, 1e-6)
			if first[0] == nil {
				first = [3][]float32{w, m, v}
			}
			for i, x := range [3][]float32{w, m, v} {
				same(t, fmt.Sprint(k.Name(), n, i), x, first[i])
			}
		}
	}
}

func BenchmarkVectors(b *testing.B) {
	const n = 274_000
	for _, k := range All() {
		x := make([][]float32, 4)
		for i := range x {
			x[i] = random(rand.New(rand.NewPCG(1, uint64(i))), n, 1)
		}
		b.Run(k.Name()+"/adam", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.Adam(x[0], x[1], x[2], x[3], AdamStep{Scale: 1, Beta1: 0.9, Beta2: 0.999, Rate: 1e-4, Root: 1, Epsilon: 1e-5})
			}
		})
		b.Run(k.Name()+"/sum-of-squares", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.SumSquares(x[1])
			}
		})
		b.Run(k.Name()+"/masked-exp-300", func(b *testing.B) {
			e, mask := make([]float32, 300), []uint64{1 << 60, 77777, 88888, 99999999, 77}
			b.ReportAllocs()
			for b.Loop() {
				k.MaskedExp(e, x[1][:300], mask)
			}
		})
	}
}
