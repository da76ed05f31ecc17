package eval_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/eval"
)

// sleep is the additional sleep of ten patients by a second drug over a first. (Cushny and Peebles, The
// action of optical isomers, 1905; Student, The probable error of a mean, 1908.)
var sleep = []float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4}

func TestEstimate(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name      string
		samples   []float64
		low, high float64
		mean      float64
		ci        eval.Interval
	}{
		{"Student's sleep data, as R's t.test gives it", sleep, -inf, inf, 1.58, eval.Interval{0.7001142, 2.4598858}},
		{"cut off at the range", sleep, 1, 2, 1.58, eval.Interval{1, 2}},
		// t(0.975, 1 degree) = 12.7062047
		{"two samples", []float64{1, 2}, -inf, inf, 1.5, eval.Interval{1.5 - 6.3531024, 1.5 + 6.3531024}},
		{"one sample says nothing", []float64{0.5}, -1, 1, 0.5, eval.Interval{-1, 1}},
		{"one sample without a range", []float64{0.5}, -inf, inf, 0.5, eval.Interval{-inf, inf}},
		{"no sample", nil, -1, 1, 0, eval.Interval{-1, 1}},
		// 1 - 0.05^(1/4) = 0.52712917
		{"five wins", []float64{1, 1, 1, 1, 1}, 0, 1, 1, eval.Interval{0.47287083, 1}},
		{"five losses", []float64{-1, -1, -1, -1, -1}, -1, 1, -1, eval.Interval{-1, -1 + 2*0.52712917}},
		{"five ties", []float64{0, 0, 0, 0, 0}, -1, 1, 0, eval.Interval{-0.52712917, 0.52712917}},
		{"equal but for rounding", []float64{0.3, 0.1 + 0.2}, 0, 1, 0.3, eval.Interval{0.3 - 0.95*0.3, 0.3 + 0.95*0.7}},
		{"equal scores say nothing of others", []float64{7, 7, 7}, -inf, inf, 7, eval.Interval{-inf, inf}},
	} {
		mean, ci := eval.Estimate(test.samples, test.low, test.high)
		if !close(mean, test.mean) || !close(ci[0], test.ci[0]) || !close(ci[1], test.ci[1]) {
			t.Errorf("%s: %v in %v, want %v in %v", test.name, mean, ci, test.mean, test.ci)
		}
	}
}

func close(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-7 }

// The interval holds the truth as often as it promises.
func TestEstimateCovers(t *testing.T) {
	envtest.NothingToRace(t)
	rng := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	for _, n := range []int{2, 5, 40} {
		covered := 0
		for range trials {
			x := make([]float64, n)
			for i := range x {
				x[i] = 3 + 2*rng.NormFloat64()
			}
			if _, ci := eval.Estimate(x, math.Inf(-1), math.Inf(1)); ci[0] <= 3 && 3 <= ci[1] {
				covered++
			}
		}
		if share := float64(covered) / trials; math.Abs(share-0.95) > 0.017 { // 5 standard deviations
			t.Errorf("%d samples: %v of the intervals hold the mean", n, share)
		}
	}
}

func TestIntervalJSON(t *testing.T) {
	for _, test := range []struct {
		ci   eval.Interval
		want string
	}{
		{eval.Interval{-0.5, 1}, "[-0.5,1]"},
		{eval.Interval{math.Inf(-1), math.Inf(1)}, "[null,null]"},
	} {
		if got, err := json.Marshal(test.ci); err != nil || string(got) != test.want {
			t.Errorf("%v: %s (%v), want %s", test.ci, got, err, test.want)
		}
	}
}

func TestInterquartileMean(t *testing.T) {
	for _, test := range []struct {
		samples []float64
		want    float64
	}{
		{[]float64{3}, 3},
		{[]float64{5, 1}, 3},
		{[]float64{100, 1, 2, -50}, 1.5},
		{[]float64{9, 1, 2, 3, 0}, (0.75*1 + 2 + 0.75*3) / 2.5},
	} {
		if got := eval.InterquartileMean(test.samples); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("of %v it is %v, want %v", test.samples, got, test.want)
		}
	}
}

// An interval is read as it was written, open ends too.
func TestIntervalReadsBack(t *testing.T) {
	for _, i := range []eval.Interval{{-0.5, 0.25}, {math.Inf(-1), 3}, {0, math.Inf(1)}} {
		text := must.Have(json.Marshal(i))(t)
		var got eval.Interval
		if err := json.Unmarshal(text, &got); err != nil || got != i {
			t.Errorf("%v is read back as %v, %v", i, got, err)
		}
	}
}
