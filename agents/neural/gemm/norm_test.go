package gemm

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNormalise(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7, 64, 255} {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		x, dy, skip := random(rng, n, 1), random(rng, n, 1), random(rng, n, 1)
		normal := func(x []float64) []float64 {
			var mean, variance float64
			for _, v := range x {
				mean += v / float64(n)
			}
			for _, v := range x {
				variance += (v - mean) * (v - mean) / float64(n)
			}
			y := make([]float64, n)
			for i, v := range x {
				y[i] = (v - mean) / math.Sqrt(variance+normEpsilon)
			}
			return y
		}
		x64 := make([]float64, n)
		for i, v := range x {
			x64[i] = float64(v)
		}
		y := make([]float32, n)
		factor := Normalise(y, x)
		near(t, "normalised", y, normal(x64), 1e-5)
		want, wantSkip := make([]float64, n), make([]float64, n)
		for i, v := range x64 { // by differences
			const h = 1e-6
			x64[i] = v + h
			up := normal(x64)
			x64[i] = v - h
			down := normal(x64)
			x64[i] = v
			for j := range up {
				want[i] += (up[j] - down[j]) / (2 * h) * float64(dy[j])
			}
			wantSkip[i] = want[i] + float64(skip[i])
		}
		dx := make([]float32, n)
		tolerance := 1e-4 * float64(max(1, factor))
		NormaliseBack(dx, dy, y, nil, factor)
		near(t, "gradient", dx, want, tolerance)
		NormaliseBack(dx, dy, y, skip, factor)
		near(t, "gradient with a skip", dx, wantSkip, tolerance)
		same := append([]float32(nil), x...)
		if Normalise(same, same) != factor {
			t.Errorf("%d: in place it is another factor", n)
		}
		Add(same, skip)
		for i := range same {
			if same[i] != y[i]+skip[i] {
				t.Errorf("%d: element %d is %v, want %v", n, i, same[i], y[i]+skip[i])
			}
		}
	}
}
