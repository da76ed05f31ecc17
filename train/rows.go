package train

import "math/bits"

// rows holds observations as their numbers that are not 0 and marks that say where these stand. They are one in six to
// one in fourteen, so that a row takes a fifth to a tenth of what it is as it is written.
type rows struct {
	inputs  int
	words   int         // of marks
	marks   []uint64    // [capacity][words]: bit k of a row is set if its number k is not 0
	numbers [][]float32 // by row: those numbers, in a page
	pages   []pages     // of new rows, by worker
	carried pages       // of rows that were kept
	spare   pages
}

// newRows makes room for so many rows of inputs numbers, which so many workers put in.
func newRows(capacity, inputs, workers int) rows {
	words := (inputs + 63) / 64
	return rows{
		inputs: inputs, words: words,
		marks: make([]uint64, capacity*words), numbers: make([][]float32, capacity), pages: make([]pages, workers),
	}
}

func (r *rows) marksOf(i int) []uint64 { return r.marks[i*r.words : (i+1)*r.words] }

// put makes row i one with these numbers that are not 0, at these marks. Workers may put rows in at once.
func (r *rows) put(worker, i int, marks []uint64, numbers []float32) {
	copy(r.marksOf(i), marks)
	r.numbers[i] = r.pages[worker].take(len(numbers))
	copy(r.numbers[i], numbers)
}

// write writes row i as it was put in.
func (r *rows) write(dst []float32, i int) {
	clear(dst)
	numbers, at := r.numbers[i], 0
	for k, w := range r.marksOf(i) {
		for ; w != 0; w &= w - 1 {
			dst[k*64+bits.TrailingZeros64(w)] = numbers[at]
			at++
		}
	}
}

// writeAll writes the first n rows one after the other.
func (r *rows) writeAll(dst []float32, n int) {
	for i := range n {
		r.write(dst[i*r.inputs:][:r.inputs], i)
	}
}

// forget makes room for other rows.
func (r *rows) forget() {
	for w := range r.pages {
		r.pages[w].used, r.pages[w].page = 0, 0
	}
	r.carried.used, r.carried.page = 0, 0
}

// keep begins to drop all rows but some, or goes on with it: row from, which is not before to, becomes row to. After
// the last one comes kept.
func (r *rows) keep(to, from int) {
	copy(r.marksOf(to), r.marksOf(from))
	numbers := r.spare.take(len(r.numbers[from]))
	copy(numbers, r.numbers[from])
	r.numbers[to] = numbers
}

func (r *rows) kept() {
	r.forget()
	r.carried, r.spare = r.spare, r.carried
}

// pages are memory that is given away piece by piece and taken back as a whole.
type pages struct {
	all        [][]float32
	page, used int // the piece that is given away next begins there
}

// pageSize is the length of a page: that of many rows.
const pageSize = 1 << 18

// take gives n numbers, of any value.
func (p *pages) take(n int) []float32 {
	if p.page < len(p.all) && p.used+n > len(p.all[p.page]) {
		p.page, p.used = p.page+1, 0
	}
	if p.page == len(p.all) {
		p.all = append(p.all, make([]float32, max(n, pageSize)))
	}
	piece := p.all[p.page][p.used:][:n:n]
	p.used += n
	return piece
}
