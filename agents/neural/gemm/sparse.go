package gemm

import (
	"math/bits"
	"slices"
)

// Sparse is the left-hand matrix of a product as the list of its values that aren't 0. The zero value is empty.
type Sparse struct {
	Rows  int
	start []int32 // Rows+1 places in the lists
	off   []int32 // column of each value, as the distance of its row of a panel in bytes
	val   []float32
	bits  []uint64
}

// Gather makes s the matrix x [rows, cols] and returns true. If more than limit of its values aren't 0, it gives up
// and returns false; s is then of no use.
func (s *Sparse) Gather(k Kernels, x []float32, ld, rows, cols, limit int) bool {
	s.Rows = rows
	s.start = grow(s.start, rows+1)
	s.start[0] = 0
	s.off, s.val = s.off[:0], s.val[:0]
	s.bits = grow(s.bits, (cols+63)/64)
	for r := range rows {
		row := x[r*ld:][:cols]
		k.nonZero(s.bits, row)
		n := len(s.val)
		for _, w := range s.bits {
			n += bits.OnesCount64(w)
		}
		if n > limit {
			return false
		}
		s.off, s.val = slices.Grow(s.off, n-len(s.off)), slices.Grow(s.val, n-len(s.val))
		for i, w := range s.bits {
			for ; w != 0; w &= w - 1 {
				c := i*64 + bits.TrailingZeros64(w)
				s.off = append(s.off, int32(c*panel*4))
				s.val = append(s.val, row[c])
			}
		}
		s.start[r+1] = int32(n)
	}
	return true
}

// Transpose makes s the transpose of t, whose rows have cols values.
func (s *Sparse) Transpose(t *Sparse, cols int) {
	s.Rows = cols
	s.start = grow(s.start, cols+1)
	s.off = grow(s.off, len(t.val))
	s.val = grow(s.val, len(t.val))
	clear(s.start)
	for _, o := range t.off { // count
		s.start[o/(panel*4)+1]++
	}
	for c := range cols { // where each column starts
		s.start[c+1] += s.start[c]
	}
	for r := range t.Rows { // s.start[c] runs to the end of its column
		for i := t.start[r]; i < t.start[r+1]; i++ {
			c := t.off[i] / (panel * 4)
			at := s.start[c]
			s.off[at], s.val[at] = int32(r*panel*4), t.val[i]
			s.start[c]++
		}
	}
	copy(s.start[1:], s.start[:cols])
	s.start[0] = 0
}

func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// nonZero sets bit i of dst if x[i] isn't 0.
func (k Kernels) nonZero(dst []uint64, x []float32) {
	clear(dst)
	i := 0
	if k.avx2 {
		i = nonZeroAVX2(dst, x)
	}
	for ; i < len(x); i++ {
		if x[i] != 0 {
			dst[i/64] |= 1 << (i % 64)
		}
	}
}

// MulSparse computes the rows [from, to) of C = A·B + bias as [Kernels.Mul] does, in time that grows with the values
// of A that aren't 0.
func (k Kernels) MulSparse(c []float32, ldc int, a *Sparse, from, to int, b *Panels, bias []float32, relu bool) {
	for j := 0; j < b.Count(); {
		w := 4
		if (j+w)*panel > b.N {
			w = 1
		}
		n := min(w*panel, b.N-j*panel)
		bp := b.data[j*b.stride:][:(w-1)*b.stride+b.K*panel]
		var edge, whole [panel]float32
		var begin []float32
		if bias != nil {
			begin = bias[j*panel:]
			if n < panel {
				copy(edge[:n], begin)
				begin = edge[:]
			}
		}
		for r := from; r < to; r++ {
			off, val := a.off[a.start[r]:a.start[r+1]], a.val[a.start[r]:a.start[r+1]]
			dst := c[r*ldc+j*panel:][:n]
			if n < panel {
				k.runSparse(1, off, val, bp, b.stride, whole[:], begin, relu)
				copy(dst, whole[:n])
			} else {
				k.runSparse(w, off, val, bp, b.stride, dst, begin, relu)
			}
		}
		j += w
	}
}

func (k Kernels) runSparse(width int, off []int32, val, b []float32, bs int, c, from []float32, relu bool) {
	if k.avx2 {
		runSparseAVX2(width, off, val, b, bs, c, from, relu)
	} else {
		runSparsePortable(width, off, val, b, bs, c, from, relu)
	}
}
