package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// random returns n values in [-1, 1), of which about the given share isn't 0.
func random(rng *rand.Rand, n int, share float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		if rng.Float64() < share {
			x[i] = 2*rng.Float32() - 1
		}
	}
	return x
}

func transpose(x []float32, rows, cols int) []float32 {
	t := make([]float32, len(x))
	for r := range rows {
		for c := range cols {
			t[c*rows+r] = x[r*cols+c]
		}
	}
	return t
}

// product is a·b + bias in float64.
func product(a, b, bias []float32, m, k, n int, relu bool) []float64 {
	c := make([]float64, m*n)
	for i := range m {
		for j := range n {
			var s float64
			if bias != nil {
				s = float64(bias[j])
			}
			for q := range k {
				s += float64(a[i*k+q]) * float64(b[q*n+j])
			}
			if relu {
				s = max(s, 0)
			}
			c[i*n+j] = s
		}
	}
	return c
}

func near(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	for i, w := range want {
		if d := math.Abs(float64(got[i]) - w); !(d <= tolerance) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], w)
		}
	}
}

func same(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i, w := range want {
		if got[i] != w {
			t.Fatalf("%s: element %d is %v, want exactly %v", what, i, got[i], w)
		}
	}
}

// onEachPath runs f for every path that this machine has.
func onEachPath(t *testing.T, f func(t *testing.T, k Kernels)) {
	for _, k := range All() {
		t.Run(k.Name(), func(t *testing.T) { f(t, k) })
	}
}

func shapes() [][3]int { // rows, terms, columns
	var s [][3]int
	for rows := 1; rows <= 20; rows++ {
		for _, n := range []int{1, 7, 15, 16, 17, 31, 64, 65, 83} {
			s = append(s, [3]int{rows, 1 + 2*rows, n})
		}
	}
	return append(s, [][3]int{{1, 1, 1}, {6, 4, 16}, {13, 383, 48}, {13, 384, 49}, {13, 385, 50}, {97, 900, 33},
		{101, 31, 301}, {102, 33, 64}, {192, 17, 40}, {300, 5, 20}}...)
}

func TestMul(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(1, 2))
		for i, s := range shapes() {
			m, terms, n := s[0], s[1], s[2]
			relu := i%2 == 0
			a, b, bias := random(rng, m*terms, 0.3), random(rng, terms*n, 1), random(rng, n, 1)
			if i%3 == 0 {
				bias = nil
			}
			what := fmt.Sprintf("%d × %d × %d", m, terms, n)
			want := product(a, b, bias, m, terms, n, relu)
			tolerance := 1e-6 * math.Sqrt(float64(terms)) * 4
			var p Panels
			p.Resize(terms, n)
			p.Pack(b, n, 0, terms)
			c := make([]float32, m*n+1)
			c[m*n] = 77
			k.Mul(c, n, a, terms, m, &p, bias, relu)
			near(t, what, c, want, tolerance)
			if c[m*n] != 77 {
				t.Fatalf("%s: wrote behind the result", what)
			}

			p.PackTransposed(transpose(b, terms, n), terms, 0, p.Count())
			again := make([]float32, m*n)
			k.Mul(again, n, a, terms, m, &p, bias, relu)
			same(t, what+" packed from the transpose", again, c[:m*n])

			var sp Sparse
			sp.Gather(k, a, terms, m, terms, len(a))
			clear(again)
			k.MulSparse(again, n, &sp, 0, m, &p, bias, relu)
			same(t, what+" sparse", again, c[:m*n])
		}
	})
}

func TestRowsDoNotDependOnTheirBatch(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(3, 4))
		const rows, terms, n = 211, 517, 301
		a, b, bias := random(rng, rows*terms, 1), random(rng, terms*n, 1), random(rng, n, 1)
		var p Panels
		p.Resize(terms, n)
		p.Pack(b, n, 0, terms)
		want := make([]float32, rows*n)
		k.Mul(want, n, a, terms, rows, &p, bias, true)
		for size := 1; size < rows; size += 1 + size/3 {
			got := make([]float32, rows*n)
			for r := 0; r < rows; r += size {
				k.Mul(got[r*n:], n, a[r*terms:], terms, min(size, rows-r), &p, bias, true)
			}
			same(t, fmt.Sprintf("%d rows at a time", size), got, want)
		}
	})
}

func TestMulTransposed(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(5, 6))
		scratch := make([]float32, ScratchLen)
		for _, s := range append(shapes(), [3]int{50, 255, 17}, [3]int{47, 256, 32}, [3]int{49, 257, 33},
			[3]int{100, 700, 70}) {
			m, terms, n := s[0], s[1], s[2]
			a, b := random(rng, m*terms, 0.4), random(rng, terms*n, 1)
			what := fmt.Sprintf("%d × %d × %d", m, terms, n)
			at := transpose(a, m, terms) // [terms, m]: the matrix whose transpose is the left-hand side
			tolerance := 1e-6 * math.Sqrt(float64(terms)) * 4
			var p Panels
			p.Resize(terms, n)
			p.Pack(b, n, 0, terms)
			c := make([]float32, m*n)
			k.MulTransposed(c, n, at, m, m, &p, scratch)
			near(t, what, c, product(a, b, nil, m, terms, n, false), tolerance)

			split := make([]float32, m*n)
			k.MulTransposed(split, n, at, m, m/3, &p, scratch)
			k.MulTransposed(split[m/3*n:], n, at[m/3:], m, m-m/3, &p, scratch)
			same(t, what+" in two parts", split, c)

			var rows, cols Sparse
			rows.Gather(k, at, m, terms, m, len(at))
			transposeSparse(&cols, &rows)
			clear(split)
			k.MulSparse(split, n, &cols, 0, m/2, &p, nil, false)
			k.MulSparse(split[m/2*n:], n, &cols, m/2, m, &p, nil, false)
			same(t, what+" sparse", split, c)

			ones := make([]float32, terms)
			for i := range ones {
				ones[i] = 1
			}
			sums := make([]float32, n)
			k.ColumnSums(sums, &p)
			near(t, what+" column sums", sums, product(ones, b, nil, 1, terms, n, false), tolerance)
		}
	})
}

// transposeSparse makes s the transpose of t.
func transposeSparse(s, t *Sparse) { s.TransposeBlocks(t, 0, s.BeginTranspose(t)) }

// In parts, gathering and transposing come to the same, and rows are written as they were gathered.
func TestSparseInParts(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(9, 10))
		const rows, cols = 1000, 131
		x := make([]float32, rows*cols)
		for i := range x {
			if rng.IntN(5) == 0 {
				x[i] = rng.Float32()
			}
		}
		var whole, across Sparse
		whole.Gather(k, x, cols, rows, cols, len(x))
		transposeSparse(&across, &whole)
		row := make([]float32, cols)
		for r := range rows {
			if whole.Write(row, r); !slices.Equal(row, x[r*cols:][:cols]) {
				t.Fatalf("row %d is written as another", r)
			}
			if whole.Erase(row, r); slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
				t.Fatalf("something of row %d is left", r)
			}
		}
		for _, parts := range []int{2, 3, 9} {
			var gathered, transposed Sparse
			gathered.Begin(cols)
			var marks [rows][]uint64
			var values [rows][]float32
			for r := range rows {
				var row Sparse
				row.Begin(cols)
				marks[r], values[r] = row.Add(k, x[r*cols:][:cols])
				gathered.Room(len(values[r]))
			}
			for r := rows - 1; r >= 0; r-- {
				gathered.Put(r, marks[r], values[r])
			}
			blocks := transposed.BeginTranspose(&gathered)
			for i := parts - 1; i >= 0; i-- {
				transposed.TransposeBlocks(&gathered, blocks*i/parts, blocks*(i+1)/parts)
			}
			for _, m := range []struct {
				what      string
				got, want *Sparse
			}{{"gathered", &gathered, &whole}, {"transposed", &transposed, &across}} {
				if !slices.Equal(m.got.pieces, m.want.pieces) || !slices.Equal(m.got.off, m.want.off) ||
					!slices.Equal(m.got.val, m.want.val) {
					t.Errorf("%s in %d parts: another matrix", m.what, parts)
				}
			}
		}
	})
}

func TestGatherStopsAtItsLimit(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		x := []float32{0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 1, 0}
		var s Sparse
		for limit, want := range []bool{false, false, false, false, true, true} {
			if got := s.Gather(k, x, 4, 3, 4, limit); got != want {
				t.Errorf("limit %d: %v, want %v", limit, got, want)
			}
		}
	})
}

func TestMulDoesNotAllocate(t *testing.T) {
	onEachPath(t, func(t *testing.T, k Kernels) {
		rng := rand.New(rand.NewPCG(7, 8))
		const rows, terms, n = 9, 33, 37
		a, b, bias := random(rng, rows*terms, 0.2), random(rng, terms*n, 1), random(rng, n, 1)
		c, scratch, e := make([]float32, terms*n), make([]float32, ScratchLen), make([]float32, n)
		var p, q Panels
		var s, st Sparse
		if n := testing.AllocsPerRun(100, func() {
			p.Resize(terms, n)
			p.Pack(b, n, 0, terms)
			k.Mul(c, n, a, terms, rows, &p, bias, true)
			s.Gather(k, a, terms, rows, terms, len(a))
			transposeSparse(&st, &s)
			k.MulSparse(c, n, &s, 0, rows, &p, bias, true)
			q.Resize(rows, n)
			q.Pack(b, n, 0, rows)
			k.MulTransposed(c, n, a, terms, terms, &q, scratch)
			k.ColumnSums(c, &q)
			k.MaskedExp(e, b[:n], []uint64{0xff00ff})
			k.Adam(c[:n], b[:n], a[:n], bias, AdamStep{Epsilon: 1})
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestChoose(t *testing.T) {
	type row struct{ name, want, err string }
	list := []row{
		{"", All()[0].Name(), ""},
		{"sse", "", "environment variable EARTHGYM_KERNELS: there are no kernels \"sse\", but portable, neon, avx2, " +
			"avx512; this machine can run "},
		{"AVX2", "", "there are no kernels"},
	}
	for p := range paths {
		name := paths[p].name
		if has(path(p)) {
			list = append(list, row{name, name, ""})
		} else {
			list = append(list, row{name, "", fmt.Sprintf("kernels %q: this machine %s; it can run ", name, paths[p].needs)})
		}
	}
	for _, c := range list {
		k, err := choose(c.name)
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%q: %v", c.name, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: error %v, want %q", c.name, err, c.err)
		case c.err == "" && k.Name() != c.want:
			t.Errorf("%q: got %s, want %s", c.name, k.Name(), c.want)
		}
	}
	if runtime.GOARCH == "arm64" && list[0].want != "neon" {
		t.Errorf("arm64 takes the kernels %s", list[0].want)
	}
}

var benchShapes = [][2]int{{512, 256}, {256, 256}, {256, 301}}

func BenchmarkMul(b *testing.B) {
	for _, k := range All() {
		for _, s := range benchShapes {
			for _, rows := range []int{1, 8, 32, 256, 1024, 4096} {
				if !k.fused() && rows != 32 {
					continue
				}
				b.Run(fmt.Sprintf("%s/%dx%dx%d", k.Name(), rows, s[0], s[1]), func(b *testing.B) {
					rng := rand.New(rand.NewPCG(1, 1))
					a, w, c := random(rng, rows*s[0], 1), random(rng, s[0]*s[1], 1), make([]float32, rows*s[1])
					var p Panels
					p.Resize(s[0], s[1])
					p.Pack(w, s[1], 0, s[0])
					b.ReportAllocs()
					for b.Loop() {
						k.Mul(c, s[1], a, s[0], rows, &p, w, true)
					}
					flops(b, 2*rows*s[0]*s[1])
				})
			}
		}
	}
}

func BenchmarkMulTransposed(b *testing.B) {
	for _, k := range All() {
		for _, s := range benchShapes {
			for _, rows := range []int{32, 256, 1024, 4096} {
				if !k.fused() && rows != 32 {
					continue
				}
				b.Run(fmt.Sprintf("%s/%dx%dx%d", k.Name(), rows, s[0], s[1]), func(b *testing.B) {
					rng := rand.New(rand.NewPCG(1, 1))
					a, dz, c := random(rng, rows*s[0], 1), random(rng, rows*s[1], 1), make([]float32, s[0]*s[1])
					scratch := make([]float32, ScratchLen)
					var p Panels
					b.ReportAllocs()
					for b.Loop() {
						p.Resize(rows, s[1])
						p.Pack(dz, s[1], 0, rows)
						k.MulTransposed(c, s[1], a, s[0], s[0], &p, scratch)
					}
					flops(b, 2*rows*s[0]*s[1])
				})
			}
		}
	}
}

func BenchmarkMulSparse(b *testing.B) { // one value in ten; flops counted as if dense
	for _, k := range All() {
		for _, rows := range []int{1, 32, 1024} {
			b.Run(fmt.Sprintf("%s/%dx512x256", k.Name(), rows), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				a, w, c := random(rng, rows*512, 0.1), random(rng, 512*256, 1), make([]float32, rows*256)
				var p Panels
				var s Sparse
				p.Resize(512, 256)
				p.Pack(w, 256, 0, 512)
				b.ReportAllocs()
				for b.Loop() {
					s.Gather(k, a, 512, rows, 512, len(a))
					k.MulSparse(c, 256, &s, 0, rows, &p, w, true)
				}
				flops(b, 2*rows*512*256)
			})
		}
	}
}

func BenchmarkPack(b *testing.B) {
	for _, s := range benchShapes {
		w := make([]float32, s[0]*s[1])
		var p Panels
		b.Run(fmt.Sprintf("plain/%dx%d", s[0], s[1]), func(b *testing.B) {
			b.SetBytes(int64(4 * len(w)))
			b.ReportAllocs()
			for b.Loop() {
				p.Resize(s[0], s[1])
				p.Pack(w, s[1], 0, s[0])
			}
		})
		b.Run(fmt.Sprintf("transposed/%dx%d", s[0], s[1]), func(b *testing.B) {
			b.SetBytes(int64(4 * len(w)))
			b.ReportAllocs()
			for b.Loop() {
				p.Resize(s[1], s[0])
				p.PackTransposed(w, s[1], 0, p.Count())
			}
		})
	}
}

func flops(b *testing.B, perCall int) {
	b.ReportMetric(float64(perCall)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
