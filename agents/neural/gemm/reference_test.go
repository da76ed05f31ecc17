package gemm

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// The functions here say in plain Go what every path computes, to the bit.

// fma32 is x·y + z, rounded once. A float64 holds the product whole; the sum is rounded to odd there, so that rounding
// it again does no harm (Boldo and Melquiond, Emulation of FMA and Correctly Rounded Sums, 2008).
func fma32(x, y, z float32) float32 {
	p, q := float64(x)*float64(y), float64(z)
	s := p + q
	if math.IsInf(s, 0) || math.IsNaN(s) {
		return float32(s)
	}
	back := s - p
	lost := float64(p-float64(s-back)) + float64(q-back)
	if b := math.Float64bits(s); lost != 0 && b&1 == 0 {
		if (lost > 0) == (s > 0) {
			b++
		} else {
			b--
		}
		s = math.Float64frombits(b)
	}
	return float32(s)
}

// plus is one term of a sum.
func (k Kernels) plus(x, y, z float32) float32 {
	if k.fused() {
		return fma32(x, y, z)
	}
	return float32(x*y) + z
}

// chain is the sum of n terms of which f gives the factors, from one value on.
func (k Kernels) chain(from float32, n int, relu bool, f func(i int) (x, y float32)) float32 {
	for i := range n {
		x, y := f(i)
		from = k.plus(x, y, from)
	}
	if relu && from < 0 {
		return 0
	}
	return from
}

// wantExp is MaskedExp of a fused path: lanes of eight, of which those of whole blocks are added up before the rest.
func wantExp(e, z []float32, mask []uint64) (top float32, sum, dot float64) {
	legal := func(i int) bool { return mask[i/64]>>(i%64)&1 != 0 }
	top = float32(math.Inf(-1))
	for i, v := range z {
		if legal(i) {
			top = max(top, v)
		}
	}
	clear(e)
	if math.IsInf(float64(top), -1) {
		return top, 0, 0
	}
	part := func(from, to int) {
		var sums, dots [8]float64
		for i := from; i < to; i++ {
			if !legal(i) {
				continue
			}
			x := z[i] - top
			r := x
			if r < -87 {
				r = -87
			}
			n := float32(math.RoundToEven(float64(float32(r * float32(1/math.Ln2)))))
			r = fma32(-n, 0.693359375, r)
			r = fma32(-n, -2.1219444005e-4, r)
			p := float32(1.0 / 5040)
			for _, c := range []float32{1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1} {
				p = fma32(r, p, c)
			}
			e[i] = float32(math.Ldexp(float64(p), int(n)))
			if r != r {
				e[i] = r
			}
			sums[i%8] += float64(e[i])
			dots[i%8] = math.FMA(float64(e[i]), float64(x), dots[i%8])
		}
		sum += across(sums)
		dot += across(dots)
	}
	whole := len(z) &^ 7
	part(0, whole)
	if whole < len(z) {
		part(whole, len(z))
	}
	return top, sum, dot
}

// across adds up the lanes of a block.
func across(s [8]float64) float64 {
	return (s[0] + s[4] + (s[2] + s[6])) + (s[1] + s[5] + (s[3] + s[7]))
}

func wantSquares(x []float32) float64 {
	var s [16]float64
	whole := len(x) &^ 15
	for i, v := range x[:whole] {
		s[i%16] = math.FMA(float64(v), float64(v), s[i%16])
	}
	var half [8]float64 // as across wants it: lanes 0 to 3 of the first two quarters, then of the last two
	for i := range 4 {
		half[i], half[4+i] = s[i]+s[4+i], s[8+i]+s[12+i]
	}
	sum := across(half)
	for _, v := range x[whole:] {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}

func bitsDiffer(a, b float32) bool {
	return math.Float32bits(a) != math.Float32bits(b) && (a == a || b == b)
}

// specials are what kernels might take for something else.
var specials = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	math.SmallestNonzeroFloat32, -1e-39, math.MaxFloat32, -math.MaxFloat32, 1e-20, 3e19,
}

// wild returns values among which are so many special ones, at a place in memory that is a multiple of 4 bytes and no
// more.
func wild(rng *rand.Rand, n int, share float64) []float32 {
	x := random(rng, n+8, 0.7)[rng.IntN(8):][:n]
	for i := range x {
		if rng.Float64() < share {
			x[i] = specials[rng.IntN(len(specials))]
		}
	}
	return x
}

// Every product on every path is the chain of its terms in order, for any shape and place in memory, and writes nothing
// else.
func TestProductsAreChains(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(11, 12))
		scratch := make([]float32, ScratchLen)
		for round := range 60 {
			m, terms, n := rng.IntN(30), 1+rng.IntN(40), 1+rng.IntN(120)
			switch round % 10 {
			case 0:
				terms = 250 + rng.IntN(300)
			case 1:
				m = 90 + rng.IntN(30)
			}
			share := []float64{0, 0, 0.002, 0.05}[round%4]
			lda, ldc := terms+rng.IntN(3), n+rng.IntN(3)
			a, b, bias, old := wild(rng, m*lda+1, share), wild(rng, terms*n, share), wild(rng, n, share),
				wild(rng, m*ldc+1, share)
			relu := rng.IntN(2) == 0
			if rng.IntN(3) == 0 {
				bias = nil
			}
			from := func(j int) float32 {
				if bias == nil {
					return 0
				}
				return bias[j]
			}
			var p Panels
			p.Resize(terms, n)
			p.Pack(b, n, 0, terms)
			check := func(what string, f func(c []float32), want func(i, j int) float32) {
				t.Helper()
				c := append(make([]float32, 1, len(old)+1), old...)[1:]
				f(c)
				for at, got := range c {
					w := old[at]
					if i, j := at/ldc, at%ldc; i < m && j < n {
						w = want(i, j)
					}
					if bitsDiffer(got, w) {
						t.Fatalf("%s %d × %d × %d: element %d, %d is %v, want %v", what, m, terms, n, at/ldc, at%ldc, got, w)
					}
				}
			}
			check("product", func(c []float32) { k.Mul(c, ldc, a, lda, m, &p, bias, relu) }, func(i, j int) float32 {
				return k.chain(from(j), terms, relu, func(q int) (float32, float32) { return a[i*lda+q], b[q*n+j] })
			})
			var s Sparse
			s.Gather(k, a, lda, m, terms, len(a))
			check("sparse product", func(c []float32) { k.MulSparse(c, ldc, &s, 0, m, &p, bias, relu) }, func(i, j int) float32 {
				sum := from(j)
				for q := range terms {
					if x := a[i*lda+q]; x != 0 {
						sum = k.plus(x, b[q*n+j], sum)
					}
				}
				if relu && sum < 0 {
					return 0
				}
				return sum
			})
			at := wild(rng, terms*(m+2), share)
			check("product of a transpose", func(c []float32) { k.MulTransposed(c, ldc, at, m+2, m, &p, scratch) },
				func(i, j int) float32 {
					return k.chain(0, terms, false, func(q int) (float32, float32) { return at[q*(m+2)+i], b[q*n+j] })
				})
			sums := make([]float32, n)
			k.ColumnSums(sums, &p)
			for j, got := range sums {
				if w := k.chain(0, terms, false, func(q int) (float32, float32) { return 1, b[q*n+j] }); bitsDiffer(got, w) {
					t.Fatalf("sum of column %d of %d × %d is %v, want %v", j, terms, n, got, w)
				}
			}
		}
	})
}

// On every fused path vectors are dealt with in blocks of eight, in one order.
func TestVectorsHaveOneOrder(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(13, 14))
		for round := range 300 {
			n := rng.IntN(70)
			if round%10 == 0 {
				n = 300 + rng.IntN(60)
			}
			share := []float64{0, 0.05}[round%2]
			x, y, z := wild(rng, n, share), wild(rng, n, share), wild(rng, n, 0)
			for i := range z {
				z[i] *= []float32{1, 10, 100}[round%3]
			}
			mask := make([]uint64, (n+63)/64)
			for i := range mask {
				mask[i] = rng.Uint64()
				if round%5 == 0 {
					mask[i] &= rng.Uint64() & rng.Uint64()
				}
			}
			got, want := make([]float32, n), make([]float32, n)
			same := func(what string) {
				t.Helper()
				for i := range got {
					if bitsDiffer(got[i], want[i]) {
						t.Fatalf("%s, %d values: number %d is %v, want %v", what, n, i, got[i], want[i])
					}
				}
			}
			k.Gate(got, x, y)
			for i := range want {
				want[i] = 0
				if y[i] > 0 {
					want[i] = x[i]
				}
			}
			same("gate")
			k.SoftGrad(got, x, y, 0.3, 0.7, -0.2)
			for i := range want {
				if inner := float32(y[i]*0.7) + -0.2; k.fused() && i < n&^7 {
					want[i] = float32(x[i]*0.3) * fma32(y[i], 0.7, -0.2)
				} else {
					want[i] = float32(x[i]*0.3) * inner
				}
			}
			same("soft-max gradient")
			if k.fused() {
				if a, b := k.SumSquares(x), wantSquares(x); a != b && (a == a || b == b) {
					t.Fatalf("sum of %d squares is %v, want %v", n, a, b)
				}
				top, sum, dot := k.MaskedExp(got, z, mask)
				wantTop, wantSum, wantDot := wantExp(want, z, mask)
				same("exponentials")
				if top != wantTop || sum != wantSum || dot != wantDot {
					t.Fatalf("exponentials of %d values: %v, %v, %v, want %v, %v, %v", n, top, sum, dot, wantTop, wantSum, wantDot)
				}
			}
			if n > 0 { // what isn't a number is not lost, wherever it is
				z[rng.IntN(n)] = float32(math.NaN())
				for i := range mask {
					mask[i] = ^uint64(0)
				}
				if _, sum, _ := k.MaskedExp(got, z, mask); sum == sum {
					t.Fatalf("exponentials of %d values: the sum is %v where one isn't a number", n, sum)
				}
			}
		}
	})
}

// What the kernels make of the same numbers is stored: one value for the fused paths, one for the portable one, for
// every processor.
func TestBits(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(15, 16))
		h := fnv.New64a()
		scratch := make([]float32, ScratchLen)
		for _, s := range [][3]int{{1, 300, 256}, {2, 50, 83}, {3, 70, 64}, {4, 513, 48}, {7, 33, 301}, {100, 120, 83},
			{13, 400, 31}} {
			m, terms, n := s[0], s[1], s[2]
			a, b, bias := random(rng, m*terms, 0.5), random(rng, terms*n, 1), random(rng, n, 1)
			var p Panels
			var sparse Sparse
			p.Resize(terms, n)
			p.Pack(b, n, 0, terms)
			c := make([]float32, m*n)
			mask := make([]uint64, (n+63)/64)
			for i := range mask {
				mask[i] = rng.Uint64()
			}
			note := func(list ...float64) {
				for _, v := range c {
					list = append(list, float64(v))
				}
				fmt.Fprintf(h, "%x\n", list)
			}
			k.Mul(c, n, a, terms, m, &p, bias, true)
			note()
			sparse.Gather(k, a, terms, m, terms, len(a))
			k.MulSparse(c, n, &sparse, 0, m, &p, bias, false)
			note()
			k.MulTransposed(c, n, transpose(a, m, terms), m, m, &p, scratch)
			note()
			k.ColumnSums(c[:n], &p)
			note(k.SumSquares(b))
			top, sum, dot := k.MaskedExp(c[:n], b[:n], mask)
			note(float64(top), sum, dot)
			k.SoftGrad(c[:n], c[:n], b[:n], float32(1/sum), 0.01, -0.02)
			k.Adam(bias, c[:n], c[:n], b[:n:n], AdamStep{Scale: 0.7, Beta1: 0.9, Beta2: 0.999, Rate: 3e-3, Root: 2, Epsilon: 2})
			note(k.SumSquares(bias))
		}
		want := "dd8e8cd503fb8075"
		if !k.fused() {
			want = "c884dfa45094c5b4"
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != want {
			t.Errorf("%s: %s, want %s", k.Name(), got, want)
		}
	})
}
