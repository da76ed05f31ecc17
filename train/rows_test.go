package train

import (
	"slices"
	"testing"

	"earthgym/env"
)

// Rows come out as they were put in, by several workers, over many pages, and when some of them are kept.
func TestRows(t *testing.T) {
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
			r.put(luck.Below(workers), n, rows[n])
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
