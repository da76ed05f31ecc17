package gemm

import "math"

// normEpsilon keeps rows without any spread from being blown up.
const normEpsilon = 1e-5

// Normalise sets y to x, shifted and scaled to mean 0 and variance 1: layer normalisation without further weights (Ba,
// Kiros and Hinton, Layer Normalization, 2016). It returns the factor. The two have one length and may be the same. All paths give the
// same bits.
func (k Kernels) Normalise(y, x []float32) (factor float32) {
	y = y[:len(x)]
	n := float32(len(x))
	var s [4]float32
	i := 0
	for ; i+4 <= len(x); i += 4 {
		v := (*[4]float32)(x[i:])
		s[0] += v[0]
		s[1] += v[1]
		s[2] += v[2]
		s[3] += v[3]
	}
	for ; i < len(x); i++ {
		s[0] += x[i]
	}
	mean := (s[0] + s[1] + (s[2] + s[3])) / n
	s = [4]float32{}
	for i = 0; i+4 <= len(x); i += 4 {
		v := (*[4]float32)(x[i:])
		a, b, c, d := v[0]-mean, v[1]-mean, v[2]-mean, v[3]-mean
		s[0] += float32(a * a)
		s[1] += float32(b * b)
		s[2] += float32(c * c)
		s[3] += float32(d * d)
	}
	for ; i < len(x); i++ {
		a := x[i] - mean
		s[0] += float32(a * a)
	}
	variance := (s[0] + s[1] + (s[2] + s[3])) / n
	factor = float32(1 / math.Sqrt(float64(variance)+normEpsilon))
	i = 0
	if k.fused() {
		i = shiftFused(y, x, mean, factor)
	}
	for ; i < len(x); i++ {
		y[i] = (x[i] - mean) * factor
	}
	return factor
}

// NormaliseBack sets dx to the gradient of x in Normalise, from that of y, with the factor that it returned. What
// skip holds, if it is not nil, is added: the gradient of x where it goes on unchanged beside y. All have one length.
// All paths give the same bits.
func (k Kernels) NormaliseBack(dx, dy, y, skip []float32, factor float32) {
	dy, y = dy[:len(dx)], y[:len(dx)]
	var s, p [4]float32
	i := 0
	for ; i+4 <= len(dx); i += 4 {
		d, v := (*[4]float32)(dy[i:]), (*[4]float32)(y[i:])
		s[0] += d[0]
		s[1] += d[1]
		s[2] += d[2]
		s[3] += d[3]
		p[0] += float32(d[0] * v[0])
		p[1] += float32(d[1] * v[1])
		p[2] += float32(d[2] * v[2])
		p[3] += float32(d[3] * v[3])
	}
	for ; i < len(dx); i++ {
		s[0] += dy[i]
		p[0] += float32(dy[i] * y[i])
	}
	n := float32(len(dx))
	mean, along := (s[0]+s[1]+(s[2]+s[3]))/n, (p[0]+p[1]+(p[2]+p[3]))/n
	i = 0
	if k.fused() {
		i = shiftBackFused(dx, dy, y, mean, along, factor)
	}
	for ; i < len(dx); i++ {
		dx[i] = (dy[i] - mean - float32(y[i]*along)) * factor
	}
	if skip != nil {
		k.Add(dx, skip)
	}
}

// Add adds x to y. The two have one length.
func (k Kernels) Add(y, x []float32) {
	x = x[:len(y)]
	i := 0
	if k.fused() {
		i = addFused(y, x)
	}
	for ; i < len(y); i++ {
		y[i] += x[i]
	}
}
