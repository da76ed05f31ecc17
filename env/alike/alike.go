// Package alike has functions that package math and math/rand/v2 have too, with the same bits on every processor.
//
// Those of the standard library have code of their own for some processors, and where it is plain Go, products are
// fused with sums on some and not on others. What a game pays, what a bot chooses and what a network learns would then
// differ in the last place from machine to machine, and a choice in time. On amd64 with FMA the functions here have the
// bits of the standard library.
package alike

import (
	"math"
	"math/rand/v2"
)

// Exp returns e**x. Where it says FMA, products are fused with sums on every processor, and nowhere else. (Shibata,
// Efficient Evaluation Methods of Elementary Functions Suitable for SIMD Computation, 2010.)
func Exp(x float64) float64 {
	const (
		log2e = 1.4426950408889634073599246810018920
		high  = 0.69314718055966295651160180568695068359375           // ln 2, upper half
		low   = 0.28235290563031577122588448175013436025525412068e-12 // lower half
		whole = 3 << 51                                               // adding and subtracting it rounds to even
	)
	switch {
	case math.IsNaN(x):
		return x
	case x > 7.09782712893384e+02:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	n := float64(log2e*x) + whole - whole
	r := math.FMA(-n, low, math.FMA(-n, high, x)) / 16 // e**x = 2**n · (e**r)**16
	y := math.FMA(r, 2.4801587301587301587e-5, 1.9841269841269841270e-4)
	y = math.FMA(r, y, 1.3888888888888888889e-3)
	y = math.FMA(r, y, 8.3333333333333333333e-3)
	y = math.FMA(r, y, 4.1666666666666666667e-2)
	y = math.FMA(r, y, 1.6666666666666666667e-1)
	y = math.FMA(r, y, 0.5)
	y = float64(r * math.FMA(r, y, 1)) // e**r - 1, which is squared four times
	y = float64(y * (y + 2))
	y = float64(y * (y + 2))
	y = float64(y * (y + 2))
	y = math.FMA(y+2, y, 1)
	if n < -1021 || n > 1023 {
		return math.Ldexp(y, int(n))
	}
	return y * math.Float64frombits(uint64(1023+int(n))<<52)
}

// Log returns the natural logarithm of x.
//
// It follows e_log.c of FreeBSD: "Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at
// SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is freely
// granted, provided that this notice is preserved."
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	f, exponent := math.Frexp(x)
	if f <= math.Sqrt2/2 {
		f *= 2
		exponent--
	}
	f--
	k := float64(exponent)
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	chain := func(c ...float64) float64 {
		sum := c[0]
		for _, next := range c[1:] {
			sum = float64(sum*s4) + next
		}
		return sum
	}
	r := float64(s2*chain(1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01,
		6.666666666666735130e-01)) +
		float64(s4*chain(1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01))
	half := float64(0.5 * f * f)
	const high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10 // of ln 2
	return float64(k*high) - ((half - (float64(s*(half+r)) + float64(k*low))) - f)
}

// Normal returns a normally distributed number, with mean 0 and standard deviation 1: what rng.NormFloat64 returns.
// (Marsaglia and Tsang, The Ziggurat Method for Generating Random Variables, 2000.)
func Normal(rng *rand.Rand) float64 {
	for {
		u := rng.Uint64()
		j, i := int32(u), u>>32&0x7f
		x := float64(j) * float64(ziggurat.width[i])
		if uint32(max(j, -j)) < ziggurat.inside[i] {
			return x
		}
		if i == 0 { // the tail
			for {
				x = float64(-Log(rng.Float64()) * (1.0 / tail))
				if y := -Log(rng.Float64()); y+y >= float64(x*x) {
					return math.Copysign(tail+x, float64(j))
				}
			}
		}
		low, high := ziggurat.height[i], ziggurat.height[i-1]
		if low+float32(float32(rng.Float64())*(high-low)) < float32(Exp(-.5*x*x)) {
			return x
		}
	}
}

// ziggurat is 128 layers of one area below the bell curve: how wide each is by 2^31, which numbers lie in the next too,
// and how high the curve is at its end.
var ziggurat = layers()

const tail = 3.442619855899 // where the lowest layer but the tail ends

func layers() (z struct {
	inside        [128]uint32
	width, height [128]float32
}) {
	const area, most = 9.91256303526217e-3, 1 << 31
	bell := func(x float64) float64 { return Exp(-.5 * x * x) }
	x := tail
	base := area / bell(x)
	z.inside[0] = uint32(x / base * most)
	z.width[0], z.width[127] = float32(base/most), float32(x/most)
	z.height[0], z.height[127] = 1, float32(bell(x))
	for i := 126; i > 0; i-- {
		last := x
		x = math.Sqrt(-2 * Log(area/last+bell(last)))
		z.inside[i+1] = uint32(x / last * most)
		z.width[i], z.height[i] = float32(x/most), float32(bell(x))
	}
	return z
}
