package gemm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNormalise(t *testing.T) { onEachPath(t, testNormalise) }

func testNormalise(t *testing.T, k Kernels) {
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
		factor := k.Normalise(y, x)
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
		k.NormaliseBack(dx, dy, y, nil, factor)
		near(t, "gradient", dx, want, tolerance)
		k.NormaliseBack(dx, dy, y, skip, factor)
		near(t, "gradient with a skip", dx, wantSkip, tolerance)
		bare := make([]float32, n)
		if (Kernels{}).Normalise(bare, x) != factor || !slices.Equal(bare, y) {
			t.Errorf("%d: normalised, it has other bits than on the portable path", n)
		}
		if (Kernels{}).NormaliseBack(bare, dy, y, skip, factor); !slices.Equal(bare, dx) {
			t.Errorf("%d: the gradient has other bits than on the portable path", n)
		}
		same := append([]float32(nil), x...)
		if k.Normalise(same, same) != factor {
			t.Errorf("%d: in place it is another factor", n)
		}
		k.Add(same, skip)
		for i := range same {
			if same[i] != y[i]+skip[i] {
				t.Errorf("%d: element %d is %v, want %v", n, i, same[i], y[i]+skip[i])
			}
		}
	}
}
