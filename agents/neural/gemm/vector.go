package gemm

import "math"

// Gate sets dst to dy where y is above 0 and to 0 elsewhere: the gradient through a ReLU whose output is y.
// The three have one length.
func (k Kernels) Gate(dst, dy, y []float32) {
	dy, y = dy[:len(dst)], y[:len(dst)]
	i := 0
	if k.fused() {
		i = gateFused(dst, dy, y)
	}
	for ; i < len(dst); i++ {
		dst[i] = 0
		if y[i] > 0 {
			dst[i] = dy[i]
		}
	}
}

// MaskedExp is the core of a soft-max over the z whose bit in mask is set (bit i%64 of word i/64): it sets e[i] to
// exp(z[i]-top) for those and to 0 for all others, and returns top, the largest of those z, the sum of e and the sum
// of e·(z-top). Without a set bit top is -Inf and the sums are 0.
//
// e is as long as z. mask has a word for every started 64 of z; bits behind len(z) don't count. Differences below -87
// count as -87 in e, so that whatever is possible keeps a weight.
func (k Kernels) MaskedExp(e, z []float32, mask []uint64) (top float32, sum, dot float64) {
	mask, e = mask[:(len(z)+63)/64], e[:len(z)]
	if k.fused() {
		top = maskedMaxFused(z, mask)
	} else {
		top = maskedMaxPortable(z, mask)
	}
	if math.IsInf(float64(top), -1) {
		if top = onlyNaN(z, mask); top == top {
			clear(e)
			return top, 0, 0
		}
	}
	if k.fused() {
		sum, dot = maskedExpFused(e, z, mask, top)
	} else {
		sum, dot = maskedExpPortable(e, z, mask, top)
	}
	return top, sum, dot
}

// onlyNaN is NaN if one of the z whose bit is set is, else -Inf: among others a NaN comes to light by itself.
func onlyNaN(z []float32, mask []uint64) float32 {
	top := float32(math.Inf(-1))
	for i, v := range z {
		if mask[i/64]>>(i%64)&1 != 0 {
			top = max(top, v)
		}
	}
	return top
}

// SoftGrad sets dst to e·inv·(z·c + add), the gradient of soft-max losses with respect to the logits z. e and z are
// at least as long as dst.
func (k Kernels) SoftGrad(dst, e, z []float32, inv, c, add float32) {
	e, z = e[:len(dst)], z[:len(dst)]
	i := 0
	if k.fused() {
		i = softGradFused(dst, e, z, inv, c, add)
	}
	for ; i < len(dst); i++ {
		dst[i] = e[i] * inv * (float32(z[i]*c) + add)
	}
}

// SumSquares returns the sum of the squares of x, added as float64. It is finite exactly if all of x are.
func (k Kernels) SumSquares(x []float32) float64 {
	var sum float64
	if k.fused() {
		var n int
		sum, n = sumSquaresFused(x)
		x = x[n:]
	}
	for _, v := range x {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}

// AdamStep is what one step of Adam needs to know besides its vectors.
type AdamStep struct {
	Scale        float32 // what gradients are multiplied by first, to clip their norm
	Beta1, Beta2 float32 // how much of the moments is kept
	Rate         float32 // learning rate / (1 - β1^t)
	Root         float32 // 1 / √(1 - β2^t)
	Epsilon      float32
}

// Adam moves the weights w along the gradient g, keeping the moments m and v: m = β1·m + (1-β1)·g,
// v = β2·v + (1-β2)·g², w = w - Rate·m / (Root·√v + ε). All paths give the same bits. The four have one length.
func (k Kernels) Adam(w, g, m, v []float32, s AdamStep) {
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	b1, b2 := 1-s.Beta1, 1-s.Beta2
	i := 0
	if k.fused() {
		i = adamFused(w, g, m, v, &[8]float32{s.Scale, s.Beta1, b1, s.Beta2, b2, s.Rate, s.Root, s.Epsilon})
	}
	for ; i < len(w); i++ {
		x := g[i] * s.Scale
		m[i] = float32(m[i]*s.Beta1) + float32(x*b1)
		v[i] = float32(v[i]*s.Beta2) + float32(float32(x*x)*b2)
		root := float32(math.Sqrt(float64(v[i])))
		w[i] -= float32(m[i]*s.Rate) / (float32(root*s.Root) + s.Epsilon)
	}
}
