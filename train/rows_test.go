package train

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// put makes row i an observation.
func put(r *rows, worker, i int, row []float32) {
	var s gemm.Sparse
	s.Begin(r.inputs)
	marks, numbers := s.Add(gemm.All()[0], row)
	r.put(worker, i, marks, numbers)
}

// Rows come out as they were put in, by several workers, over many pages, and when some of them are kept.
func TestRows(t *testing.T) {
	envtest.NothingToRace(t)
	const inputs, workers, capacity = 1_131, 2, 3_000
	r, luck := newRows(capacity, inputs, workers), env.NewStream(1, "rows")
	draw := func() []float32 {
		row := make([]float32, inputs)
		for range luck.Below(inputs) {
			row[luck.Below(inputs)] = float32(luck.Below(5)-2) / 3
		}
		return row
	}
	rows := make([][]float32, capacity)
	got := make([]float32, inputs)
	same := func(what string, n int) {
		t.Helper()
		for i := range n {
			if r.write(got, i); !slices.Equal(got, rows[i]) {
				t.Fatalf("%s: row %d is another", what, i)
			}
		}
	}
	n := 0
	for update := range 4 {
		for ; n < capacity; n++ {
			rows[n] = draw()
			put(&r, luck.Below(workers), n, rows[n])
		}
		same("put in", n)
		n = 0
		for i := range rows {
			if luck.Below(3) == 0 {
				r.keep(n, i)
				rows[n] = rows[i]
				n++
			}
		}
		r.kept()
		same("kept", n)
		pages := len(r.carried.all) + len(r.spare.all)
		for _, p := range r.pages {
			pages += len(p.all)
		}
		if most := 2 * (capacity*inputs/pageSize + 2); update > 1 && pages > most {
			t.Fatalf("%d pages of memory, want %d at most", pages, most)
		}
	}
}

// What every feature of every game can be, from its least to its greatest number, comes out as it was written, to the
// bit; and what random games show takes a quarter of the memory at most.
func TestRowsOfGames(t *testing.T) {
	for _, rb := range games.All() {
		g := must.Have(games.Open(rb.Name))(t)
		info := g.Info()
		n := info.Observation()
		r, row, got := newRows(1, n, 1), make([]float32, n), make([]float32, n)
		for _, f := range info.Features {
			for _, x := range []float32{f.Low, f.High, f.High / 3, (f.Low + f.High) / 2, math.SmallestNonzeroFloat32} {
				clear(row)
				for k := range f.Size() {
					row[f.Offset+k] = x
				}
				r.forget()
				put(&r, 0, 0, row)
				for k := range got {
					got[k] = float32(math.NaN())
				}
				if r.write(got, 0); !slices.Equal(got, row) {
					t.Fatalf("%s: %s at %v is another", rb.Name, f.Name, x)
				}
			}
		}
		s, mask, luck, numbers, looks := g.New(), make(env.Mask, info.MaskWords()), env.NewStream(1, "rows"), 0, 0
		for s.Reset(1, nil); s.Actor() != env.Over; looks++ {
			s.Observe(row, s.Actor())
			r.forget()
			put(&r, 0, 0, row)
			numbers += len(r.numbers[0])
			s.Legal(mask)
			s.Apply(mask.Nth(luck.Below(mask.Count())), nil)
		}
		bytes := 4*numbers/looks + 8*r.words + int(unsafe.Sizeof(r.numbers[0]))
		if bytes > n {
			t.Errorf("%s: a row takes %d bytes, %d as it is written", rb.Name, bytes, 4*n)
		}
	}
}
