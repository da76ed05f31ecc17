package farm

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A worker whose results lie further from those of most others than chance takes them is not believed: who plays what
// can't be repeated on a machine that is too slow for it, or forges. It is the residual test of fishtest.
const (
	mostErrors  = 6  // standard errors: one worker in a billion by chance
	leastPieces = 30 // of each
)

// Values are what Result.Read may say of a part, to be compared between workers: as many numbers in each of a series.
type Values interface{ Values() []float64 }

// A tally sums the values of pieces.
type tally struct{ n, sum, squares float64 }

func (t *tally) mean() float64     { return t.sum / t.n }
func (t *tally) variance() float64 { return max(0, t.squares/t.n-t.mean()*t.mean()) / t.n }

// weigh takes the results of a worker for pieces of one series, and looks closer at it if they differ from those of
// most others: some of its pieces are done again. Where they can't be it is set aside, if there are enough others to
// say whose fault it is. What was found is not found again before there are twice as many.
func (j *Job) weigh(worker string, pieces []Piece, results map[string][]line) error {
	t, series := j.known(worker), pieces[0].series
	mine := t.tallies[series]
	for _, p := range pieces {
		var sums []float64
		for _, l := range results[p.Name] {
			v, ok := l.Read.(Values)
			if !ok {
				return nil
			}
			values := v.Values()
			if sums == nil {
				sums = make([]float64, len(values))
			}
			for i, x := range values {
				sums[i] += x
			}
		}
		if mine == nil {
			mine = make([]tally, len(sums))
			t.tallies[series] = mine
		}
		for i, x := range sums {
			mine[i].n, mine[i].sum, mine[i].squares = mine[i].n+1, mine[i].sum+x, mine[i].squares+x*x
		}
	}
	for i := range mine {
		if mine[i].n < max(leastPieces, 2*t.weighed) {
			return nil
		}
		others, unlike, why := 0, 0, ""
		for name, o := range j.trust {
			if name == worker || o.aside != "" || len(o.tallies[series]) == 0 || o.tallies[series][i].n < leastPieces {
				continue
			}
			others++
			theirs := &o.tallies[series][i]
			off := math.Abs(mine[i].mean()-theirs.mean()) / math.Sqrt(mine[i].variance()+theirs.variance())
			if off > mostErrors {
				unlike++
				why = fmt.Sprintf("value %d of a block is %.3g, elsewhere %.3g, %.1f standard errors", i, mine[i].mean(),
					theirs.mean(), off)
			}
		}
		switch {
		case 2*unlike <= others:
		case !j.Once:
			t.weighed = mine[i].n
			for _, k := range rand.Perm(len(pieces))[:min(len(pieces), mostChecked)] {
				t.doubted = append(t.doubted, pieces[k])
			}
			return nil
		case others > 1:
			return j.setAside(worker, "its results are unlike those of the rest: "+why)
		}
	}
	return nil
}
