// Package gemm multiplies float32 matrices, and does the few vector operations that a policy network needs besides.
//
// There are four paths with the same functions: generated kernels with fused multiply-add for AVX-512, AVX2 and NEON,
// and plain Go for every other machine. [Select] picks one; [Named] asks for a certain one.
//
// The scheme is that of Goto and van de Geijn (Anatomy of High-Performance Matrix Multiplication, 2008) and of BLIS
// (Van Zee and van de Geijn, 2015): one matrix is packed in panels as wide as a tile of registers, blocks of the other
// stay in the second-level cache while the panels go by, and a kernel keeps a tile of the result in registers. The tile
// of 6 rows and 16 columns is BLIS's for AVX2: 12 of 16 registers hold sums, 2 the panel, 2 the rows. NEON's is the
// same, as two of its 32 registers make one of AVX2's; that of AVX-512 has 32 columns.
//
// # Order of arithmetic
//
// Every element of a product is one sum that starts at its bias (or 0) and takes the terms k = 0, 1, 2, … one after
// the other, whatever the number of rows, the tile it falls in or the part of the matrix that a call computes. So on
// one path the same row gives the same bits in a batch of 1 and in a batch of 4096, and work may be split by rows
// of the result among any number of goroutines. [Kernels.MulSparse] leaves out terms that are 0, which changes no
// sum (but for the sign of a 0) as long as the other matrix is finite.
//
// So there are two classes of numbers. On the three fused paths everything has the same bits, on every processor: a
// wider vector only takes more sums at once, and where values of one sum are added in lanes ([Kernels.MaskedExp],
// [Kernels.SumSquares]), all have the lanes and the order of AVX2. The portable path has the same bits on every
// processor too, but others than the fused ones in the last places, because it rounds each product of two numbers.
// Which NaN a NaN is may differ.
//
// Slices that are too short for the shapes in a call panic. Matrices are row-major; ld is the distance of two rows.
package gemm

import (
	"fmt"
	"os"
	"strings"
)

//go:generate go run ./gen

// Env is the environment variable that makes [Select] take a certain path: "avx512", "avx2", "neon" or "portable".
const Env = "EARTHGYM_KERNELS"

// Kernels is one path. Its zero value is the portable one. It is a value without state: copy it, use it anywhere.
type Kernels struct{ path path }

type path uint8

const (
	portable path = iota
	neon
	avx2
	avx512
)

// paths are their names, and what a machine needs for them.
var paths = [...]struct{ name, needs string }{
	portable: {name: "portable"},
	neon:     {"neon", "is not an arm64"},
	avx2:     {"avx2", "has no AVX2 with FMA"},
	avx512:   {"avx512", "has no AVX-512"},
}

// Name says which path k is: "avx512", "avx2", "neon" or "portable".
func (k Kernels) Name() string { return paths[k.path].name }

// All returns the paths that this machine can run, the fastest first.
func All() []Kernels {
	var all []Kernels
	for p := avx512; p > portable; p-- {
		if has(p) {
			all = append(all, Kernels{p})
		}
	}
	return append(all, Kernels{})
}

// Class says which class of numbers k gives: "fused" or "portable".
func (k Kernels) Class() string {
	if k.fused() {
		return "fused"
	}
	return "portable"
}

// fused says whether products are fused with sums.
func (k Kernels) fused() bool { return k.path != portable }

// Named returns the path of that name. It is an error if there is none, or if this machine can't run it.
func Named(name string) (Kernels, error) {
	var here, exist []string
	for _, k := range All() {
		if k.Name() == name {
			return k, nil
		}
		here = append(here, k.Name())
	}
	for _, p := range paths {
		if p.name == name {
			return Kernels{}, fmt.Errorf("kernels %q: this machine %s; it can run %s", name, p.needs, strings.Join(here, ", "))
		}
		exist = append(exist, p.name)
	}
	return Kernels{}, fmt.Errorf("there are no kernels %q, but %s; this machine can run %s", name,
		strings.Join(exist, ", "), strings.Join(here, ", "))
}

// Select returns the path that [Env] names, or else the fastest that this machine can run.
func Select() (Kernels, error) { return choose(os.Getenv(Env)) }

// choose is Select for one value of the variable.
func choose(name string) (Kernels, error) {
	if name == "" {
		return All()[0], nil
	}
	k, err := Named(name)
	if err != nil {
		return Kernels{}, fmt.Errorf("environment variable %s: %w", Env, err)
	}
	return k, nil
}

const (
	tileRows = 6   // rows of a whole tile
	panel    = 16  // columns of a panel
	blockK   = 384 // terms of the sums per pass of Mul: a panel of them stays in the first-level cache
	blockKT  = 256 // the same for MulTransposed
	blockM   = 96  // rows per pass of Mul: they stay in the second-level cache while the panels go by
	packM    = 48  // columns of A that MulTransposed packs at once: three cache lines
)

// Panels is the right-hand matrix B [K, N] of a product, packed in panels of 16 columns. The zero value is empty;
// [Panels.Resize] gives it a shape and the Pack methods fill it. After that it may be read from many goroutines.
type Panels struct {
	K, N   int
	stride int // floats from panel to panel; not a power of two, so that panels don't fall on the same cache lines
	data   []float32
}

// Resize gives p the shape [k, n]. What it held is lost; memory is kept if there is enough.
func (p *Panels) Resize(k, n int) {
	p.K, p.N, p.stride = k, n, k*panel+panel
	size := p.Count() * p.stride
	if cap(p.data) < size {
		p.data = make([]float32, size)
	}
	p.data = p.data[:size]
}

// Columns is n made up to a whole number of panels.
func Columns(n int) int { return (n + panel - 1) / panel * panel }

// Widen makes the last panel a whole one, with columns of 0 behind those that were packed: a product so needs no edge.
func (p *Panels) Widen() { p.N = Columns(p.N) }

// Count is the number of panels.
func (p *Panels) Count() int { return (p.N + panel - 1) / panel }

// Pack fills the rows [from, to) of B from src, where row k starts at k·ld. Different rows may be packed at once.
func (p *Panels) Pack(src []float32, ld, from, to int) {
	whole := p.N / panel
	rest := p.N - whole*panel
	for k := from; k < to; k++ {
		row, at := src[k*ld:k*ld+p.N], k*panel
		for j := range whole {
			v := *(*[panel]float32)(row[j*panel:]) // in between, as the compiler can't know that they don't overlap
			*(*[panel]float32)(p.data[at:]) = v
			at += p.stride
		}
		if rest > 0 {
			last := p.data[at : at+panel]
			clear(last[copy(last, row[whole*panel:]):])
		}
	}
}

// PackTransposed fills the panels [from, to) of B from its transpose: column n of B starts at n·ld of src.
// Different panels may be packed at once.
func (p *Panels) PackTransposed(src []float32, ld, from, to int) {
	for j := from; j < to; j++ {
		dst := p.data[j*p.stride:][:p.K*panel]
		cols := min(panel, p.N-j*panel)
		if cols < panel {
			clear(dst)
		}
		c := 0
		for ; c+4 <= cols; c += 4 {
			at := (j*panel + c) * ld
			s0, s1, s2, s3 := src[at:][:p.K], src[at+ld:][:p.K], src[at+2*ld:][:p.K], src[at+3*ld:][:p.K]
			for k := range s0 {
				d := (*[4]float32)(dst[k*panel+c:])
				d[0], d[1], d[2], d[3] = s0[k], s1[k], s2[k], s3[k]
			}
		}
		for ; c < cols; c++ {
			for k, v := range src[(j*panel+c)*ld:][:p.K] {
				dst[k*panel+c] = v
			}
		}
	}
}

// rowsOfTile says how many of the rows that are left the next tile takes: 6, or what shares the rest evenly.
func rowsOfTile(left int) int {
	switch {
	case left >= 2*tileRows || left == tileRows:
		return tileRows
	case left > tileRows:
		return (left + 1) / 2
	}
	return left
}

// panelsOfTile is how many panels a tile of so many rows takes at once, where there are so many. See the generator.
var panelsOfTile = [...][tileRows + 1]int{
	portable: {0, 4, 2, 2, 1, 1, 1},
	neon:     {0, 4, 2, 2, 1, 1, 1},
	avx2:     {0, 4, 2, 2, 1, 1, 1},
	avx512:   {0, 4, 4, 4, 2, 2, 2},
}

// Mul computes C = A·B + bias for the rows of A [rows, b.K], with every element below 0 set to 0 if relu is true.
// bias has b.N values or is nil for none. C has rows × b.N elements and must not overlap A.
func (k Kernels) Mul(c []float32, ldc int, a []float32, lda, rows int, b *Panels, bias []float32, relu bool) {
	for top := 0; top < rows; top += blockM {
		n := min(blockM, rows-top)
		if rows-top < blockM+tileRows { // no tiny block at the end
			n = rows - top
		}
		for k0 := 0; k0 < b.K; k0 += blockK {
			s := span{k0: k0, k: min(blockK, b.K-k0), bias: bias, relu: relu && k0+blockK >= b.K}
			k.mulBlock(c[top*ldc:], ldc, a[top*lda+k0:], lda, n, b, s)
		}
		if n != blockM {
			break
		}
	}
}

// span is one pass over some terms of the sums.
type span struct {
	k0, k int       // terms k0 to k0+k
	bias  []float32 // where the sums start; nil for 0. Passes after the first go on with what C holds.
	relu  bool
}

// mulBlock is Mul for few rows and the terms of s.
func (k Kernels) mulBlock(c []float32, ldc int, a []float32, lda, rows int, b *Panels, s span) {
	low := 0 // the last tile, if it has at most 3 rows, takes several panels at once
	for i := 0; i < rows; {
		low = rowsOfTile(rows - i)
		i += low
	}
	high := rows
	if low <= 3 {
		high = rows - low
	}
	k.tiles(c, ldc, a, lda, high, panelsOfTile[k.path][tileRows], b, s)
	if high < rows {
		k.tiles(c[high*ldc:], ldc, a[high*lda:], lda, rows-high, panelsOfTile[k.path][low], b, s)
	}
}

// tiles is mulBlock by tiles of so many panels.
func (k Kernels) tiles(c []float32, ldc int, a []float32, lda, rows, width int, b *Panels, s span) {
	for j := 0; j < b.Count() && rows > 0; j += width {
		if (j+width)*panel > b.N {
			width = 1
		}
		for i := 0; i < rows; {
			m := rowsOfTile(rows - i)
			k.tile(m, width, a[i*lda:], lda, b, j, c[i*ldc:], ldc, s)
			i += m
		}
	}
}

// tile computes one tile of C at panel j; a tile at the right edge goes through a whole one on the stack.
func (k Kernels) tile(rows, width int, a []float32, lda int, b *Panels, j int, c []float32, ldc int, s span) {
	bp := b.data[j*b.stride+s.k0*panel:]
	n := b.N - j*panel
	c = c[j*panel:]
	if n >= panel {
		from, fs := start(c, ldc, j, s)
		k.run(rows, width, a, lda, bp, b.stride, c, ldc, s.k, from, fs, s.relu)
		return
	}
	var whole [tileRows * panel]float32
	var edge [panel]float32
	from, fs := whole[:], panel
	if s.k0 > 0 {
		for r := range rows {
			copy(whole[r*panel:][:n], c[r*ldc:])
		}
	} else if s.bias != nil {
		copy(edge[:n], s.bias[j*panel:])
		from, fs = edge[:], 0
	}
	k.run(rows, width, a, lda, bp, b.stride, whole[:], panel, s.k, from, fs, s.relu)
	for r := range rows {
		copy(c[r*ldc:][:n], whole[r*panel:])
	}
}

// start says where the sums of a tile start: a slice with the distance of its rows; nil for 0.
func start(c []float32, ldc, j int, s span) ([]float32, int) {
	switch {
	case s.k0 > 0:
		return c, ldc
	case s.bias != nil:
		return s.bias[j*panel:], 0
	}
	return nil, 0
}

// run computes one whole tile.
func (k Kernels) run(rows, width int, a []float32, lda int, b []float32, bs int, c []float32, ldc, terms int,
	from []float32, fs int, relu bool) {
	// The kernels don't check: the last elements that they touch are looked at here.
	_, _, _ = a[(rows-1)*lda+terms-1], b[(width-1)*bs+terms*panel-1], c[(rows-1)*ldc+width*panel-1]
	if from != nil {
		_ = from[(rows-1)*fs+width*panel-1]
	}
	if k.fused() {
		runFused(k.path, rows, width, a, lda, b, bs, c, ldc, terms, from, fs, relu)
	} else {
		runPortable(rows, width, a, lda, 1, b, bs, c, ldc, terms, from, fs, relu)
	}
}

// MulTransposed computes C = Aᵀ·B, where A has b.K rows and as many columns as C has rows: a weight gradient, with A
// the inputs of a layer and B the gradient of its outputs. scratch is for packing A; see [ScratchLen].
func (k Kernels) MulTransposed(c []float32, ldc int, a []float32, lda, rows int, b *Panels, scratch []float32) {
	for k0 := 0; k0 < b.K; k0 += blockKT {
		terms := min(blockKT, b.K-k0)
		for m := 0; m < rows; m += packM {
			cols := min(packM, rows-m)
			k.packSixes(scratch, a[k0*lda+m:], lda, terms, cols)
			width := panelsOfTile[k.path][tileRows]
			for j := 0; j < b.Count(); j += width {
				if (j+width)*panel > b.N {
					width = 1
				}
				for i := 0; i < cols; i += tileRows { // the panels stay in the first-level cache
					pa := scratch[i/tileRows*(terms*tileRows+panel):][:tileRows*terms]
					k.tilePacked(min(tileRows, cols-i), width, pa, b, j, c[(m+i)*ldc:], ldc, k0, terms)
				}
			}
		}
	}
}

// ScratchLen is how many float32 of scratch [Kernels.MulTransposed] wants.
const ScratchLen = packM / tileRows * (blockKT*tileRows + panel)

// packSixes packs terms rows of cols values: six columns after the other, row by row, 0 where there are none. It goes
// by rows of src, which a stride of a power of two would otherwise throw out of the cache between two sixes.
func (k Kernels) packSixes(dst, src []float32, ld, terms, cols int) {
	stride := terms*tileRows + panel // not a power of two, as with panels
	if k.fused() && cols == packM {
		packSixesFused(dst, stride, src, ld, terms)
		return
	}
	for t := range terms {
		row := src[t*ld:][:cols]
		for i := 0; i < cols; i += tileRows {
			six := (*[tileRows]float32)(dst[i/tileRows*stride+t*tileRows:])
			if i+tileRows <= cols {
				*six = [tileRows]float32(row[i:])
				continue
			}
			*six = [tileRows]float32{}
			copy(six[:], row[i:])
		}
	}
}

// tilePacked computes rows × 16·width elements of C from panel j on and from six packed columns of A.
func (k Kernels) tilePacked(rows, width int, a []float32, b *Panels, j int, c []float32, ldc, k0, terms int) {
	bp := b.data[j*b.stride+k0*panel:][:(width-1)*b.stride+terms*panel]
	n := min(width*panel, b.N-j*panel)
	c = c[j*panel:]
	if rows == tileRows && n == width*panel {
		var from []float32
		if k0 > 0 {
			from = c
		}
		k.runPacked(width, a, bp, b.stride, c, ldc, terms, from)
		return
	}
	var whole [tileRows * 2 * panel]float32
	ld := width * panel
	if k0 > 0 {
		for r := range rows {
			copy(whole[r*ld:][:n], c[r*ldc:])
		}
	}
	k.runPacked(width, a, bp, b.stride, whole[:], ld, terms, whole[:])
	for r := range rows {
		copy(c[r*ldc:][:n], whole[r*ld:])
	}
}

func (k Kernels) runPacked(width int, a, b []float32, bs int, c []float32, ldc, terms int, from []float32) {
	_, _, _ = a[tileRows*terms-1], b[(width-1)*bs+terms*panel-1], c[(tileRows-1)*ldc+width*panel-1]
	if k.fused() {
		runPackedFused(k.path, width, a, b, bs, c, ldc, terms, from)
	} else {
		runPortable(tileRows, width, a, 1, tileRows, b, bs, c, ldc, terms, from, ldc, false)
	}
}

// ColumnSums sets dst to the sums of the columns of b, its rows added in order: a bias gradient.
func (k Kernels) ColumnSums(dst []float32, b *Panels) {
	var ones [blockK]float32
	for i := range ones {
		ones[i] = 1
	}
	for k0 := 0; k0 < b.K; k0 += blockK {
		k.mulBlock(dst, b.N, ones[:], 0, 1, b, span{k0: k0, k: min(blockK, b.K-k0)})
	}
}
