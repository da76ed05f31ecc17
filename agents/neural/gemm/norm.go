package gemm

import "math"

// normEpsilon keeps rows without any spread from being blown up.
const normEpsilon = 1e-5

// Normalise sets y to x, shifted and scaled to mean 0 and variance 1: layer normalisation without further weights (Ba,
// Kiros and Hinton, Layer Normalization, 2016). It returns the factor. The two have one length and may be the same. All
// paths give the same bits.
func (k Kernels) Normalise(y, x []float32) (factor float32) {
	y = y[:len(x)]
	n, fours := float32(len(x)), len(x)&^3
	var s0, s1, s2, s3 float32
	for i := 0; i < fours; i += 4 {
		v := (*[4]float32)(x[i:])
		s0, s1, s2, s3 = s0+v[0], s1+v[1], s2+v[2], s3+v[3]
	}
	for _, v := range x[fours:] {
		s0 += v
	}
	mean := (s0 + s1 + (s2 + s3)) / n
	s0, s1, s2, s3 = 0, 0, 0, 0
	for i := 0; i < fours; i += 4 {
		v := (*[4]float32)(x[i:])
		a, b, c, d := v[0]-mean, v[1]-mean, v[2]-mean, v[3]-mean
		s0, s1, s2, s3 = s0+float32(a*a), s1+float32(b*b), s2+float32(c*c), s3+float32(d*d)
	}
	for _, v := range x[fours:] {
		a := v - mean
		s0 += float32(a * a)
	}
	variance := (s0 + s1 + (s2 + s3)) / n
	factor = float32(1 / math.Sqrt(float64(variance)+normEpsilon))
	i := 0
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
	n, fours := float32(len(dx)), len(dx)&^3
	var s0, s1, s2, s3, p0, p1, p2, p3 float32
	for i := 0; i < fours; i += 4 {
		d, v := (*[4]float32)(dy[i:]), (*[4]float32)(y[i:])
		s0, s1, s2, s3 = s0+d[0], s1+d[1], s2+d[2], s3+d[3]
		p0, p1 = p0+float32(d[0]*v[0]), p1+float32(d[1]*v[1])
		p2, p3 = p2+float32(d[2]*v[2]), p3+float32(d[3]*v[3])
	}
	for i := fours; i < len(dx); i++ {
		s0 += dy[i]
		p0 += float32(dy[i] * y[i])
	}
	mean, along := (s0+s1+(s2+s3))/n, (p0+p1+(p2+p3))/n
	i := 0
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
