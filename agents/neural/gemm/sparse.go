package gemm

import (
	"math/bits"
	"slices"
)

// Sparse is the left-hand matrix of a product as the list of its values that aren't 0, row after row. The zero value is
// empty.
//
// It is made by [Sparse.Gather], or from [Sparse.Begin] on row by row: by [Sparse.Add], or by [Sparse.Room] for all
// rows and then [Sparse.Put] for each of them, which may be done at the same time, as the blocks of a transpose may.
type Sparse struct {
	Rows, Cols int
	start      []int32 // Rows+1 places in the lists; none of a transpose, whose lists are block after block
	off        []int32 // column of each value, as the distance of its row of a panel in bytes
	val        []float32
	pieces     []piece  // of each row, one for every started block of columns
	step, next int      // from a piece to that of the next row, and of the next block
	marks      []uint64 // of the row that was added last
}

// piece is some values of a row, one after the other in the lists.
type piece struct{ at, n uint32 } // where they begin, in bytes, and how many they are

// Columns of a block: the rows of a panel that they meet are to stay in the first-level cache, as far as they are met
// often. Those of a transpose, rows of a batch, all are.
const (
	blockWords      = 4 // of marks
	blockTransposed = 128
)

// Begin makes s a matrix of so many columns without rows.
func (s *Sparse) Begin(cols int) {
	s.Rows, s.Cols = 0, cols
	s.step, s.next, s.pieces = (cols+64*blockWords-1)/(64*blockWords), 1, s.pieces[:0]
	s.start, s.off, s.val = append(s.start[:0], 0), s.off[:0], s.val[:0]
	s.marks = grow(s.marks, (cols+63)/64)
}

// Room appends a row of n values that aren't 0, which are to be Put.
func (s *Sparse) Room(n int) {
	end := len(s.val) + n
	s.off, s.val = slices.Grow(s.off, n)[:end], slices.Grow(s.val, n)[:end]
	s.start = append(s.start, int32(end))
	s.pieces = slices.Grow(s.pieces, s.step)[:len(s.pieces)+s.step]
	s.Rows++
}

// Put makes row r what there is room for: its values that aren't 0, and the bits of the columns where they stand.
func (s *Sparse) Put(r int, marks []uint64, values []float32) {
	copy(s.val[s.start[r]:s.start[r+1]], values)
	s.place(r, marks, nil)
}

// place notes where the values of row r stand, and the values themselves if the row is there.
func (s *Sparse) place(r int, marks []uint64, row []float32) {
	off, val, at := s.off[:s.start[r+1]], s.val[:s.start[r+1]], int(s.start[r])
	pieces := s.pieces[r*s.step:][:s.step]
	for i := range pieces {
		first := at
		for k, w := range marks[i*blockWords : min(len(marks), (i+1)*blockWords)] {
			for ; w != 0; w &= w - 1 {
				c := (i*blockWords+k)*64 + bits.TrailingZeros64(w)
				off[at] = int32(c * panel * 4)
				if row != nil {
					val[at] = row[c]
				}
				at++
			}
		}
		pieces[i] = piece{uint32(first) * 4, uint32(at - first)}
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
	s.place(s.Rows-1, s.marks, row)
	return s.marks, s.val[len(s.val)-n:]
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

// BeginTranspose begins to make s the transpose of t and returns in how many blocks that is to be done.
func (s *Sparse) BeginTranspose(t *Sparse) int {
	s.Rows, s.Cols, s.start = t.Cols, t.Rows, s.start[:0]
	s.off, s.val = grow(s.off, len(t.val)), grow(s.val, len(t.val))
	blocks := (t.Rows + blockTransposed - 1) / blockTransposed
	s.step, s.next, s.pieces = 1, s.Rows, grow(s.pieces, blocks*s.Rows)
	return blocks
}

// TransposeBlocks takes the values of the blocks [from, to) over. Those of a block, which is some rows of t, keep
// together in the lists, where they are written so near to each other that they stay in the second-level cache.
func (s *Sparse) TransposeBlocks(t *Sparse, from, to int) {
	for ; from < to; from++ {
		pieces, top := s.pieces[from*s.Rows:][:s.Rows], from*blockTransposed
		end := min(t.Rows, top+blockTransposed)
		clear(pieces)
		for _, o := range t.off[t.start[top]:t.start[end]] {
			pieces[uint32(o)/(panel*4)].n++
		}
		next := uint32(t.start[top])
		for c := range pieces {
			pieces[c].at = next
			next += pieces[c].n
		}
		off, val := s.off, s.val[:len(s.off)]
		for r := top; r < end; r++ {
			columns, values := t.row(r)
			for i, v := range values {
				place := &pieces[uint32(columns[i])/(panel*4)].at
				k := *place
				*place = k + 1
				off[k], val[k] = int32(r*panel*4), v
			}
		}
		for c := range pieces {
			pieces[c].at = (pieces[c].at - pieces[c].n) * 4
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

// rowsOfBlocks is how many rows of C go through all blocks together: they stay in the second-level cache. Of a
// transpose it is all of them, as more comes of each row of B there.
const rowsOfBlocks = 256

// fewRows take all values of a row together: blocks that so few meet are not met again.
const fewRows = 8

// MulSparse computes C = A·B + bias for the rows [from, to) of A as [Kernels.Mul] does, in time that grows with their
// values that aren't 0.
func (k Kernels) MulSparse(c []float32, ldc int, a *Sparse, from, to int, b *Panels, bias []float32, relu bool) {
	for j := 0; j < b.Count(); {
		w := 4
		for w > 1 && (j+w)*panel > b.N {
			w /= 2
		}
		var first []float32
		if bias != nil {
			first = bias[j*panel : min(b.N, (j+w)*panel)]
		}
		edge, together := b.N < (j+w)*panel, rowsOfBlocks
		if len(a.start) == 0 && !edge {
			together = to - from
		}
		for r := from; r < to; r += together {
			count, place := min(together, to-r), c[(r-from)*ldc+j*panel:]
			if edge {
				k.mulEdge(a, r, count, b, j, place, ldc, first, relu)
				continue
			}
			begin(place, ldc, count, w*panel, first)
			k.mulBlocks(w, a, r, count, b, j, place, ldc, relu)
		}
		j += w
	}
}

// mulEdge computes the columns of C that are less than a panel, through whole ones on the stack.
func (k Kernels) mulEdge(a *Sparse, r, count int, b *Panels, j int, c []float32, ldc int, bias []float32, relu bool) {
	var whole [rowsOfBlocks * panel]float32
	n := b.N - j*panel
	begin(whole[:], panel, count, n, bias)
	k.mulBlocks(1, a, r, count, b, j, whole[:], panel, relu)
	for i := range count {
		copy(c[i*ldc:][:n], whole[i*panel:])
	}
}

// begin makes rows of n numbers the bias, or 0 without one.
func begin(c []float32, ldc, rows, n int, bias []float32) {
	for i := range rows {
		if dst := c[i*ldc:][:n]; bias != nil {
			copy(dst, bias)
		} else {
			clear(dst)
		}
	}
}

// mulBlocks adds to w panels of C from panel j of B on what comes of count rows of A from row r on.
func (k Kernels) mulBlocks(w int, a *Sparse, r, count int, b *Panels, j int, c []float32, ldc int, relu bool) {
	bp := b.data[j*b.stride:][:(w-1)*b.stride+b.K*panel]
	if count < fewRows && len(a.start) > 0 {
		for i := range count {
			first, end := a.start[r+i], a.start[r+i+1]
			k.runSparse(w, []piece{{uint32(first) * 4, uint32(end - first)}}, 0, 1, a, bp, b.stride, c[i*ldc:], ldc, relu)
		}
		return
	}
	blocks := len(a.pieces) / a.Rows
	for i := range blocks {
		pieces := a.pieces[r*a.step+i*a.next:]
		k.runSparse(w, pieces, a.step, count, a, bp, b.stride, c, ldc, relu && i == blocks-1)
	}
}

func (k Kernels) runSparse(width int, pieces []piece, step, count int, a *Sparse, b []float32, bs int, c []float32,
	ldc int, relu bool) {
	_, _ = pieces[(count-1)*step], c[(count-1)*ldc+width*panel-1] // The kernels don't check.
	if k.fused() {
		runSparseFused(k.path, width, pieces, step, count, a.off, a.val, b, bs, c, ldc, relu)
	} else {
		runSparsePortable(width, pieces, step, count, a.off, a.val, b, bs, c, ldc, relu)
	}
}
