package gemm

import "math/bits"

// Sparse is the left-hand matrix of a product as the list of its values that aren't 0. The zero value is empty.
//
// [Sparse.Gather] and [Sparse.Transpose] make one at once. Whoever has several workers takes the steps that they
// consist of, of which some are done in parts, at the same time, with the same result.
type Sparse struct {
	Rows  int
	start []int32 // Rows+1 places in the lists
	off   []int32 // column of each value, as the distance of its row of a panel in bytes
	val   []float32
	bits  []uint64 // of a matrix to gather, by row: values that aren't 0
	cols  int      // of that matrix
	at    []int32  // of a matrix to transpose, by part and column: how many values, then where the next one goes
}

// Gather makes s the matrix x [rows, cols] and returns true. If more than limit of its values aren't 0, it gives up
// and returns false; s is then of no use.
func (s *Sparse) Gather(k Kernels, x []float32, ld, rows, cols, limit int) bool {
	s.Resize(rows, cols)
	s.Mark(k, x, ld, 0, rows)
	if !s.Place(limit) {
		return false
	}
	s.Fill(x, ld, 0, rows)
	return true
}

// Resize begins to make s a matrix [rows, cols]. Then come Mark for all rows, Place, and Fill for all rows.
func (s *Sparse) Resize(rows, cols int) {
	s.Rows, s.cols = rows, cols
	s.start = grow(s.start, rows+1)
	s.bits = grow(s.bits, rows*s.words())
}

// words is how many words of bits a row has.
func (s *Sparse) words() int { return (s.cols + 63) / 64 }

// Mark finds the values that aren't 0 in the rows [from, to) of the matrix x.
func (s *Sparse) Mark(k Kernels, x []float32, ld, from, to int) {
	for r := from; r < to; r++ {
		marks := s.bits[r*s.words():][:s.words()]
		k.NonZero(marks, x[r*ld:][:s.cols])
		n := 0
		for _, w := range marks {
			n += bits.OnesCount64(w)
		}
		s.start[r+1] = int32(n)
	}
}

// Place makes room for what Mark has found and returns true, or false if that is more than limit; s is then of no use.
func (s *Sparse) Place(limit int) bool {
	s.start[0] = 0
	for r := range s.Rows {
		s.start[r+1] += s.start[r]
	}
	n := int(s.start[s.Rows])
	if n > limit {
		return false
	}
	s.off, s.val = grow(s.off, n), grow(s.val, n)
	return true
}

// Fill takes what Mark has found over from the rows [from, to) of the matrix x.
func (s *Sparse) Fill(x []float32, ld, from, to int) {
	for r := from; r < to; r++ {
		row, off, val, at := x[r*ld:][:s.cols], s.off[s.start[r]:s.start[r+1]], s.val[s.start[r]:s.start[r+1]], 0
		for i, w := range s.bits[r*s.words():][:s.words()] {
			for ; w != 0; w &= w - 1 {
				c := i*64 + bits.TrailingZeros64(w)
				off[at], val[at] = int32(c*panel*4), row[c]
				at++
			}
		}
	}
}

// Transpose makes s the transpose of t, whose rows have cols values.
func (s *Sparse) Transpose(t *Sparse, cols int) {
	s.ResizeTransposed(t, cols, 1)
	s.CountColumns(t, 0)
	s.PlaceColumns()
	s.FillColumns(t, 0)
}

// ResizeTransposed begins to make s the transpose of t, whose rows have cols values, in so many parts of the rows of t.
// Then come CountColumns for all parts, PlaceColumns, and FillColumns for all parts.
func (s *Sparse) ResizeTransposed(t *Sparse, cols, parts int) {
	s.Rows = cols
	s.start = grow(s.start, cols+1)
	s.off, s.val = grow(s.off, len(t.val)), grow(s.val, len(t.val))
	s.at = grow(s.at, parts*cols)
}

// part is from where to where a part of the rows of t goes, and its places in the columns.
func (s *Sparse) part(t *Sparse, i int) (from, to int, at []int32) {
	parts := max(1, len(s.at)/max(1, s.Rows))
	return t.Rows * i / parts, t.Rows * (i + 1) / parts, s.at[i*s.Rows:][:s.Rows]
}

// CountColumns counts the values that a part of t has in each column.
func (s *Sparse) CountColumns(t *Sparse, part int) {
	from, to, at := s.part(t, part)
	clear(at)
	for _, o := range t.off[t.start[from]:t.start[to]] {
		at[uint32(o)/(panel*4)]++
	}
}

// PlaceColumns makes room for what has been counted.
func (s *Sparse) PlaceColumns() {
	next := int32(0)
	for c := range s.Rows {
		s.start[c] = next
		for i := c; i < len(s.at); i += s.Rows {
			n := s.at[i]
			s.at[i] = next
			next += n
		}
	}
	s.start[s.Rows] = next
}

// FillColumns takes the values of a part of t over.
func (s *Sparse) FillColumns(t *Sparse, part int) {
	from, to, at := s.part(t, part)
	off, val := s.off, s.val[:len(s.off)]
	for r := from; r < to; r++ {
		row, columns := t.val[t.start[r]:t.start[r+1]], t.off[t.start[r]:t.start[r+1]]
		for i, v := range row {
			place := &at[uint32(columns[i])/(panel*4)]
			k := *place
			*place = k + 1
			off[k], val[k] = int32(r*panel*4), v
		}
	}
}

func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// NonZero sets bit i of dst, which has a word for every started 64 values, if x[i] isn't 0, and clears the others.
func (k Kernels) NonZero(dst []uint64, x []float32) {
	clear(dst)
	i := 0
	if k.fused() {
		i = nonZeroFused(dst, x)
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
	if k.fused() {
		runSparseFused(k.path, width, off, val, b, bs, c, from, relu)
	} else {
		runSparsePortable(width, off, val, b, bs, c, from, relu)
	}
}
