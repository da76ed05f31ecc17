package gemm

import (
	"math/bits"
	"slices"
)

// Sparse is the left-hand matrix of a product as the list of its values that aren't 0, row after row. The zero value is
// empty.
//
// It is made by [Sparse.Gather], or from [Sparse.Begin] on row by row: by [Sparse.Add], or by [Sparse.Room] for all rows
// and then [Sparse.Put] for each of them, which may be done at the same time. Whoever has several workers takes the
// steps that [Sparse.Transpose] consists of, of which some are done in parts, at the same time, with the same result.
type Sparse struct {
	Rows, Cols int
	start      []int32 // Rows+1 places in the lists
	off        []int32 // column of each value, as the distance of its row of a panel in bytes
	val        []float32
	marks      []uint64 // of the row that was added last
	at         []int32  // of a matrix to transpose, by part and column: how many values, then where the next one goes
}

// Begin makes s a matrix of so many columns without rows.
func (s *Sparse) Begin(cols int) {
	s.Rows, s.Cols = 0, cols
	s.start, s.off, s.val = append(s.start[:0], 0), s.off[:0], s.val[:0]
	s.marks = grow(s.marks, (cols+63)/64)
}

// Room appends a row of n values that aren't 0, which are to be Put.
func (s *Sparse) Room(n int) {
	end := len(s.val) + n
	s.off, s.val = slices.Grow(s.off, n)[:end], slices.Grow(s.val, n)[:end]
	s.start = append(s.start, int32(end))
	s.Rows++
}

// Put makes row r what there is room for: its values that aren't 0, and the bits of the columns where they stand.
func (s *Sparse) Put(r int, marks []uint64, values []float32) {
	off, at := s.off[s.start[r]:s.start[r+1]], 0
	copy(s.val[s.start[r]:s.start[r+1]], values)
	for i, w := range marks {
		for ; w != 0; w &= w - 1 {
			off[at] = int32((i*64 + bits.TrailingZeros64(w)) * panel * 4)
			at++
		}
	}
}

// Add appends a row. It returns its values that aren't 0 and the bits of where they stand, until the next one is added.
func (s *Sparse) Add(k Kernels, row []float32) (marks []uint64, values []float32) {
	k.NonZero(s.marks, row)
	n := 0
	for _, w := range s.marks {
		n += bits.OnesCount64(w)
	}
	s.Room(n)
	off, val, at := s.off[len(s.off)-n:], s.val[len(s.val)-n:], 0
	for i, w := range s.marks {
		for ; w != 0; w &= w - 1 {
			c := i*64 + bits.TrailingZeros64(w)
			off[at], val[at] = int32(c*panel*4), row[c]
			at++
		}
	}
	return s.marks, val
}

// Gather makes s the matrix x [rows, cols] and returns true. If more than limit of its values aren't 0, it gives up
// and returns false; s is then of no use.
func (s *Sparse) Gather(k Kernels, x []float32, ld, rows, cols, limit int) bool {
	s.Begin(cols)
	for r := 0; r < rows && len(s.val) <= limit; r++ {
		s.Add(k, x[r*ld:][:cols])
	}
	return len(s.val) <= limit
}

// Write writes the values of row r that aren't 0 where they stand in it.
func (s *Sparse) Write(dst []float32, r int) {
	off, val := s.row(r)
	for i, o := range off {
		dst[uint32(o)/(panel*4)] = val[i]
	}
}

// Erase sets to 0 what Write has written.
func (s *Sparse) Erase(dst []float32, r int) {
	off, _ := s.row(r)
	for _, o := range off {
		dst[uint32(o)/(panel*4)] = 0
	}
}

// row is the list of the values of a row.
func (s *Sparse) row(r int) (off []int32, val []float32) {
	from, to := s.start[r], s.start[r+1]
	return s.off[from:to], s.val[from:to]
}

// Transpose makes s the transpose of t.
func (s *Sparse) Transpose(t *Sparse) {
	s.ResizeTransposed(t, 1)
	s.CountColumns(t, 0)
	s.PlaceColumns()
	s.FillColumns(t, 0)
}

// ResizeTransposed begins to make s the transpose of t, in so many parts of the rows of t. Then come CountColumns for
// all parts, PlaceColumns, and FillColumns for all parts.
func (s *Sparse) ResizeTransposed(t *Sparse, parts int) {
	s.Rows, s.Cols = t.Cols, t.Rows
	s.start = grow(s.start, s.Rows+1)
	s.off, s.val = grow(s.off, len(t.val)), grow(s.val, len(t.val))
	s.at = grow(s.at, parts*s.Rows)
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
		columns, values := t.row(r)
		for i, v := range values {
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

// MulSparse computes C = A·B + bias for the rows [from, to) of A as [Kernels.Mul] does, in time that grows with their
// values that aren't 0.
func (k Kernels) MulSparse(c []float32, ldc int, a *Sparse, from, to int, b *Panels, bias []float32, relu bool) {
	for j := 0; j < b.Count(); {
		w := 4
		for w > 1 && (j+w)*panel > b.N {
			w /= 2
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
			off, val := a.row(r)
			dst := c[(r-from)*ldc+j*panel:][:n]
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
