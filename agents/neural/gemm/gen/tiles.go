package main

import (
	"fmt"
	"strings"
)

// Shapes of the kernels for rows of A in place: rows × panels of 16 columns. Low tiles take several panels, so that
// enough sums are under way to hide the multipliers' latency.
var (
	narrow = [][2]int{{6, 1}, {5, 1}, {4, 1}, {3, 1}, {2, 1}, {1, 1}, {3, 2}, {2, 2}, {1, 4}}
	wide   = [][2]int{{6, 2}, {5, 2}, {4, 2}, {3, 4}, {2, 4}, {1, 4}, {6, 1}, {5, 1}, {4, 1}, {3, 1}, {2, 1}, {1, 1}}
)

// products writes the kernels of a path for products of matrices.
func (g *generator) products(path string, s set, shapes [][2]int) {
	g.set = s
	for _, shape := range shapes {
		g.rowTile(path, tile{g, shape[0], shape[1]})
	}
	for width := shapes[0][1]; width > 0; width-- {
		g.packedTile(path, tile{g, 6, width})
	}
	for _, width := range []int{4, 2, 1} {
		g.sparseTile(path, tile{g, 1, width})
	}
}

// kernel starts one of several kernels, of which a function of that name picks one.
func (g *generator) kernel(function, path string, t tile, doc, params string) {
	family := path + strings.ToUpper(function[:1]) + function[1:]
	name := fmt.Sprintf("%s%dx%d", family, t.rows, t.width)
	if n := len(g.runs); n > 0 && strings.HasPrefix(g.runs[n-1].kernel, family) {
		doc = ""
	} else {
		doc = fmt.Sprintf("computes %d × %d, those that follow other shapes; "+doc, t.rows, 16*t.width)
	}
	g.start(&g.decl, name, doc, params, "")
	var names []string
	for _, p := range strings.Split(params, ", ") {
		names = append(names, strings.Fields(p)[0])
	}
	g.runs = append(g.runs, run{
		function, "picks the kernel of a path for a tile of so many rows and panels.",
		fmt.Sprintf("int(%s)<<8 | %d<<4 | %d", path, t.rows, t.width),
		"p path, rows, width int, " + params, name + "(" + strings.Join(names, ", ") + ")",
	})
}

// tile is so many rows × panels of sums, which are kept in the first vectors.
type tile struct {
	*generator
	rows, width int
}

func (t tile) sum(row, panel, part int) int { return (row*t.width+panel)*t.perPanel() + part }

// sums is how many vectors they take.
func (t tile) sums() int { return t.rows * t.width * t.perPanel() }

// off is where a part of a panel is in memory.
func (t tile) off(part int) int { return part * 64 / t.perPanel() }

// row calls f for the sums of a row and where they are in memory, as far as they lie together.
func (t tile) row(r int, f func(sum, off int)) {
	for i := range t.width * t.perPanel() {
		f(t.sum(r, 0, i), t.off(i))
	}
}

// start sets the sums from memory: from is where the first row starts, fs the distance of rows (0 repeats one row,
// which is how a bias comes in); with from nil they start at zero.
func (t tile) start() {
	from, fs := t.arg("from"), t.reg()
	t.ifZero(from, t.label("zero"))
	if t.rows > 1 {
		t.fetch(t.places["fs"], fs)
	}
	for r := range t.rows {
		t.row(r, func(sum, off int) { t.load(at(from, off), sum) })
		if r < t.rows-1 {
			t.add(fs, from)
		}
	}
	t.op("JMP", t.label("started"))
	t.mark("zero")
	for i := range t.sums() {
		t.zero(i)
	}
	t.mark("started")
	t.give(from, fs)
}

// finish stores the sums, after ReLU if that is asked for.
func (t tile) finish() {
	if t.places["relu"] != "" {
		relu := t.arg("relu")
		t.ifZero(relu, t.label("store"))
		t.give(relu)
		t.zero(t.vectors() - 1)
		for i := range t.sums() {
			t.rectify(i, t.vectors()-1)
		}
		t.mark("store")
	}
	c, ldc := t.arg("c"), t.reg()
	if t.rows > 1 {
		t.fetch(t.places["ldc"], ldc)
	}
	for r := range t.rows {
		t.row(r, func(sum, off int) { t.store(sum, at(c, off)) })
		if r < t.rows-1 {
			t.add(ldc, c)
		}
	}
	t.leave()
}

// argRows are n rows of a matrix that is an argument, and what moves them on.
func (t tile) argRows(base, stride string, n int) (at func(row, off int) string, advance func(bytes int)) {
	b := t.arg(base)
	var strides []string
	if n > 1 {
		strides = t.strides(t.arg(stride), n)
	}
	at, bases := t.generator.rows(b, strides, n)
	return at, func(bytes int) {
		for _, r := range bases {
			t.add(fmt.Sprintf("$%d", bytes), r)
		}
	}
}

// step adds one term to each sum. The address of row r's factor is a(r), that of a panel's row b(panel, offset).
func (t tile) step(a func(r int) string, b func(panel, off int) string) {
	last := t.vectors() - 1
	if t.rows == 1 { // every piece of B is used once
		t.factor(a(0), last)
		for p := range t.width {
			for i := range t.perPanel() {
				t.productOf(last, b(p, t.off(i)), last-1, t.sum(0, p, i))
			}
		}
		return
	}
	together := t.width // panels, if there are vectors for all of them
	if t.sums()+t.width*t.perPanel()+2 > t.vectors() {
		together = 1
	}
	piece := func(p, i int) int { return t.sums() + p%together*t.perPanel() + i }
	for first := 0; first < t.width; first += together {
		for p := first; p < first+together; p++ {
			for i := range t.perPanel() {
				t.load(b(p, t.off(i)), piece(p, i))
			}
		}
		for r := range t.rows {
			x := last - r%2
			t.factor(a(r), x)
			for p := first; p < first+together; p++ {
				for i := range t.perPanel() {
					t.product(x, piece(p, i), t.sum(r, p, i))
				}
			}
		}
	}
}

// rowTile is C = from + A·B for rows of A in place.
func (g *generator) rowTile(path string, t tile) {
	g.kernel("tile", path, t, "a's rows lie lda bytes apart.",
		"a *float32, lda uintptr, b *float32, bs uintptr, c *float32, ldc uintptr, k int, from *float32, fs uintptr, "+
			"relu int")
	t.start()
	a, advanceA := t.argRows("a", "lda", t.rows)
	b, advanceB := t.argRows("b", "bs", t.width)
	k := g.arg("k")
	g.unrolled(k, func(u int) {
		t.step(func(r int) string { return a(r, 4*u) }, func(p, off int) string { return b(p, 64*u+off) })
	}, func(n int) {
		advanceB(64 * n)
		advanceA(4 * n)
	})
	g.idle = g.pool()
	t.finish()
}

// packedTile is the same for rows of A that are packed step by step.
func (g *generator) packedTile(path string, t tile) {
	g.kernel("packed", path, t, "a holds the values of all rows for each of the k steps.",
		"a *float32, b *float32, bs uintptr, c *float32, ldc uintptr, k int, from *float32, fs uintptr")
	t.start()
	a := g.arg("a")
	b, advance := t.argRows("b", "bs", t.width)
	k := g.arg("k")
	g.unrolled(k, func(u int) {
		t.step(func(r int) string { return at(a, 4*(u*t.rows+r)) }, func(p, off int) string { return b(p, 64*u+off) })
	}, func(n int) {
		advance(64 * n)
		g.add(fmt.Sprintf("$%d", 4*t.rows*n), a)
	})
	g.idle = g.pool()
	t.finish()
}

// sparseTile adds to count rows of C the products of a part of each row of A: what a piece says. The same part of all
// rows goes by together, so that the rows of B that it meets stay in the first-level cache.
func (g *generator) sparseTile(path string, t tile) {
	g.kernel("sparse", path, t, "pieces, step bytes apart, say where values of a's rows begin in the lists, in bytes, "+
		"and how many they are; off holds their rows of b in bytes. What c holds is where the sums start.",
		"pieces *piece, step uintptr, count int, off *int32, val *float32, b *float32, bs uintptr, c *float32, "+
			"ldc uintptr, relu int")
	pieces, count, b, c := g.arg("pieces"), g.arg("count"), g.arg("b"), g.arg("c")
	var strides []string
	if t.width > 1 {
		strides = g.strides(g.arg("bs"), t.width)
	}
	n, off, val, row := g.reg(), g.reg(), g.reg(), g.reg()
	g.mark("row")
	g.word32(at(pieces, 4), n)
	g.ifZero(n, g.label("empty"))
	g.mark("start")
	t.row(0, func(sum, off int) { g.load(at(c, off), sum) })
	g.ifZero(n, g.label("summed"))
	for _, list := range []struct{ name, r string }{{"off", off}, {"val", val}} {
		g.fetch(g.places[list.name], row)
		g.offset(at(pieces, 0), row, list.r)
	}
	g.loop(n, func() {
		g.offset(at(off, 0), b, row)
		place, _ := g.rows(row, strides, t.width)
		t.step(func(int) string { return at(val, 0) }, place)
	}, 4, off, val)
	g.mark("summed")
	g.fetch(g.places["relu"], row)
	g.ifZero(row, g.label("store"))
	g.zero(g.vectors() - 1)
	for i := range t.sums() {
		g.rectify(i, g.vectors()-1)
	}
	g.mark("store")
	t.row(0, func(sum, off int) { g.store(sum, at(c, off)) })
	g.mark("stored")
	for _, move := range []struct{ by, r string }{{"ldc", c}, {"step", pieces}} {
		g.fetch(g.places[move.by], row)
		g.add(row, move.r)
	}
	g.countDown(count, g.label("row"))
	g.leave()
	g.mark("empty")
	g.fetch(g.places["relu"], row)
	g.ifZero(row, g.label("stored"))
	g.op("JMP", g.label("start"))
}

// packSixes copies rows of 48 columns so that each six columns come together.
func (g *generator) packSixes() {
	g.fn("packEightSixes", "copies k rows of 48 values, ld bytes apart, six by six to places ds bytes apart; the next "+
		"row goes 24 bytes on.",
		"dst *float32, ds uintptr, src *float32, ld uintptr, k int", "")
	dst, ds, src, ld, k := g.arg("dst"), g.arg("ds"), g.arg("src"), g.arg("ld"), g.arg("k")
	place := g.reg()
	g.loop(k, func() {
		g.move(dst, place)
		for i := range 8 {
			g.copySix(src, 24*i, place)
			if i < 7 {
				g.add(ds, place)
			}
		}
		g.add(ld, src)
	}, 24, dst)
	g.leave()
}
