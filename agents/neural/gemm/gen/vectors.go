package main

import "math"

// others writes the kernels of an architecture for everything else, which all its paths share: they take blocks of 8
// values, and what they add up they add in the lanes of such blocks.
func (g *generator) others(s set) {
	g.set = s
	g.packSixes()
	g.gate()
	g.nonZero()
	g.maskedMax()
	g.maskedExp()
	g.softGrad()
	g.sumSquares()
	g.adam()
	g.shift()
	g.shiftBack()
	g.sum()
}

func (g *generator) shift() {
	g.fn("shiftBlocks", "sets y to (x-mean)·factor, n blocks of 8.",
		"y *float32, x *float32, n int, mean float32, factor float32", "")
	y, x, n := g.arg("y"), g.arg("x"), g.arg("n")
	g.spread(g.places["mean"], 4)
	g.spread(g.places["factor"], 5)
	g.loop(n, func() {
		g.load(at(x, 0), 0)
		g.do("sub", 0, 4, 0)
		g.do("mul", 0, 5, 0)
		g.store(0, at(y, 0))
	}, 32, y, x)
	g.leave()
}

func (g *generator) shiftBack() {
	g.fn("shiftBackBlocks", "sets dx to (dy-mean-y·along)·factor, n blocks of 8.",
		"dx *float32, dy *float32, y *float32, n int, mean float32, along float32, factor float32", "")
	dx, dy, y, n := g.arg("dx"), g.arg("dy"), g.arg("y"), g.arg("n")
	g.spread(g.places["mean"], 4)
	g.spread(g.places["along"], 5)
	g.spread(g.places["factor"], 6)
	g.loop(n, func() {
		g.load(at(dy, 0), 0)
		g.do("sub", 0, 4, 0)
		g.load(at(y, 0), 1)
		g.do("mul", 1, 5, 1)
		g.do("sub", 0, 1, 0)
		g.do("mul", 0, 6, 0)
		g.store(0, at(dx, 0))
	}, 32, dx, dy, y)
	g.leave()
}

func (g *generator) sum() {
	g.fn("addBlocks", "adds x to y, n blocks of 8.", "y *float32, x *float32, n int", "")
	y, x, n := g.arg("y"), g.arg("x"), g.arg("n")
	g.loop(n, func() {
		g.load(at(y, 0), 0)
		g.load(at(x, 0), 1)
		g.do("add", 0, 1, 0)
		g.store(0, at(y, 0))
	}, 32, y, x)
	g.leave()
}

func (g *generator) gate() {
	g.fn("gateBlocks", "sets dst to dy where y is above 0 and to 0 elsewhere, in n blocks of 8.",
		"dst *float32, dy *float32, y *float32, n int", "")
	dst, dy, y, n := g.arg("dst"), g.arg("dy"), g.arg("y"), g.arg("n")
	g.zero(2)
	g.loop(n, func() {
		g.load(at(y, 0), 0)
		g.do("less", 2, 0, 0)
		g.load(at(dy, 0), 1)
		g.do("and", 0, 1, 0)
		g.store(0, at(dst, 0))
	}, 32, dst, dy, y)
	g.leave()
}

func (g *generator) nonZero() {
	g.fn("nonZeroBlocks", "writes for each of n blocks of 8 values one byte: bit i is set if value i isn't 0.",
		"dst *byte, x *float32, n int", "")
	dst, x, n := g.arg("dst"), g.arg("x"), g.arg("n")
	g.bits(14)
	g.zero(2)
	g.loop(n, func() {
		g.load(at(x, 0), 0)
		g.marks(0, 2, 14, at(dst, 0))
		g.add("$1", dst)
	}, 32, x)
	g.leave()
}

// bits makes v the bits of the lanes.
func (g *generator) bits(v int) {
	r := g.reg()
	g.address("lanebit", r)
	g.load(at(r, 0), v)
	g.give(r)
}

// numbers are constants of the kernels: -∞, and what exp takes. The range of its argument is cut down to half of ln 2
// on either side of 0, where the terms of e^x up to x^7 are within 1e-8. ln 2 is in two parts, so that the difference
// is exact (Cody and Waite, Software Manual for the Elementary Functions, 1980); they are those of expf in the Cephes
// Mathematical Library (Moshier).
var numbers = []float32{
	float32(math.Inf(-1)),
	-87,                       // below, 2^n is no longer a normal number
	float32(1 / math.Ln2),     //
	0.693359375,               // ln 2, the part with few bits
	float32(-2.1219444005e-4), // ln 2, the rest
	1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1,
}

func (g *generator) maskedMax() {
	g.fn("maskedMaxBlocks", "returns the largest z whose bit is set, in n blocks of 8.", "z *float32, mask *byte, n int",
		"top float32")
	z, mask, n, c := g.arg("z"), g.arg("mask"), g.arg("n"), g.reg()
	g.bits(14)
	g.address("numbers", c)
	g.spread(at(c, 0), 0)
	g.do("copy", 0, 1)
	g.loop(n, func() {
		g.lanes(at(mask, 0), 14, 3)
		g.load(at(z, 0), 2)
		g.choose(3, 1, 2)
		g.do("larger", 0, 2, 0)
		g.add("$1", mask)
	}, 32, z)
	g.highest(0, g.places["top"])
	g.leave()
}

func (g *generator) maskedExp() {
	g.fn("maskedExpBlocks", "sets e to exp(z-top) where the mask has a bit and to 0 elsewhere, n blocks of 8; returns "+
		"the sum of e and of e·(z-top).",
		"e *float32, z *float32, mask *byte, n int, top float32", "sum float64, dot float64")
	e, z, mask, n, c := g.arg("e"), g.arg("z"), g.arg("mask"), g.arg("n"), g.reg()
	number := func(i, v int) { g.spread(at(c, 4*i), v) }
	g.address("numbers", c)
	g.spread(g.places["top"], 13)
	g.bits(14)
	for i := 8; i < 12; i++ { // 8, 9: sums of e; 10, 11: sums of e·x
		g.zero(i)
	}
	g.loop(n, func() {
		g.lanes(at(mask, 0), 14, 3)
		g.load(at(z, 0), 0)
		g.do("sub", 0, 13, 0)
		g.do("and", 3, 0, 0)
		g.do("copy", 0, 12) // x before the lower bound: what the second sum wants
		number(1, 1)
		g.do("larger", 1, 0, 0) // in this order a NaN stays one
		number(2, 1)
		g.do("mul", 0, 1, 1)
		g.do("round", 1, 1) // n
		number(3, 2)
		g.do("minus", 1, 2, 0)
		number(4, 2)
		g.do("minus", 1, 2, 0) // r = x - n ln 2
		number(5, 2)
		p, q := 2, 4
		for i := 6; i < 13; i++ {
			number(i, q)
			g.do("plus", 0, p, q)
			p, q = q, p
		}
		g.exponent(1, p)
		g.do("and", 3, p, 2)
		g.store(2, at(e, 0))
		for h := range 2 {
			g.widen(2, h, 4)
			g.widen(12, h, 5)
			g.do("add64", 4, 8+h, 8+h)
			g.do("plus64", 4, 5, 10+h)
		}
		g.add("$1", mask)
	}, 32, z, e)
	g.do("add64", 8, 9, 0)
	g.do("add64", 10, 11, 2)
	g.sum4(0, g.places["sum"])
	g.sum4(2, g.places["dot"])
	g.leave()
}

func (g *generator) softGrad() {
	g.fn("softGradBlocks", "sets dst to e·inv·(z·c + k), n blocks of 8.",
		"dst *float32, e *float32, z *float32, n int, inv float32, c float32, k float32", "")
	dst, e, z, n := g.arg("dst"), g.arg("e"), g.arg("z"), g.arg("n")
	g.spread(g.places["inv"], 4)
	g.spread(g.places["c"], 5)
	g.spread(g.places["k"], 6)
	g.loop(n, func() {
		g.load(at(z, 0), 0)
		g.do("copy", 6, 2)
		g.do("plus", 0, 5, 2)
		g.load(at(e, 0), 1)
		g.do("mul", 1, 4, 1)
		g.do("mul", 1, 2, 1)
		g.store(1, at(dst, 0))
	}, 32, dst, e, z)
	g.leave()
}

func (g *generator) sumSquares() {
	g.fn("sumSquaresBlocks", "returns the sum of squares of n blocks of 16 values.", "x *float32, n int", "sum float64")
	x, n := g.arg("x"), g.arg("n")
	for i := range 4 {
		g.zero(i)
	}
	g.loop(n, func() {
		for i := range 4 {
			g.load(at(x, 32*(i/2)), 8+i/2)
			g.widen(8+i/2, i%2, 4+i)
			g.do("plus64", 4+i, 4+i, i)
		}
	}, 64, x)
	g.do("add64", 0, 1, 0)
	g.do("add64", 2, 3, 2)
	g.do("add64", 0, 2, 0)
	g.sum4(0, g.places["sum"])
	g.leave()
}

func (g *generator) adam() {
	g.fn("adamBlocks", "does one step of Adam on n blocks of 8; p holds scale, β1, 1-β1, β2, 1-β2, rate, root, ε.",
		"w *float32, dw *float32, m *float32, v *float32, n int, p *[8]float32", "")
	w, dw, m, v, n, p := g.arg("w"), g.arg("dw"), g.arg("m"), g.arg("v"), g.arg("n"), g.arg("p")
	const scale, beta1, rest1, beta2, rest2, rate, root, epsilon = 8, 9, 10, 11, 12, 13, 14, 15
	for i := range 8 {
		g.spread(at(p, 4*i), scale+i)
	}
	g.loop(n, func() {
		g.load(at(dw, 0), 0)
		g.do("mul", 0, scale, 0) // g
		g.do("mul", 0, 0, 1)     // g²
		g.load(at(m, 0), 2)
		g.do("mul", 2, beta1, 2)
		g.do("mul", 0, rest1, 0)
		g.do("add", 2, 0, 2) // m
		g.store(2, at(m, 0))
		g.load(at(v, 0), 3)
		g.do("mul", 3, beta2, 3)
		g.do("mul", 1, rest2, 1)
		g.do("add", 3, 1, 3) // v
		g.store(3, at(v, 0))
		g.do("sqrt", 3, 3)
		g.do("mul", 3, root, 3)
		g.do("add", 3, epsilon, 3) // √v·root + ε
		g.do("mul", 2, rate, 2)
		g.do("div", 2, 3, 2)
		g.load(at(w, 0), 4)
		g.do("sub", 4, 2, 4)
		g.store(4, at(w, 0))
	}, 32, w, dw, m, v)
	g.leave()
}
