package eval

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is that of every interval.
const confidence = 0.95

// An Interval is a 95 % confidence interval, from its lower to its upper end. A side on which nothing is
// known is infinite; in JSON it is null then.
type Interval [2]float64

// MarshalJSON writes [low, high].
func (i Interval) MarshalJSON() ([]byte, error) {
	ends := [2]*float64{}
	for k := range i {
		if !math.IsInf(i[k], 0) {
			ends[k] = &i[k]
		}
	}
	return json.Marshal(ends)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (i *Interval) UnmarshalJSON(text []byte) error {
	var ends [2]*float64
	if err := json.Unmarshal(text, &ends); err != nil {
		return err
	}
	*i = Interval{math.Inf(-1), math.Inf(1)}
	for k, end := range ends {
		if end != nil {
			i[k] = *end
		}
	}
	return nil
}

// Above says whether the whole interval is above x.
func (i Interval) Above(x float64) bool { return i[0] > x }

// Below says whether the whole interval is below x.
func (i Interval) Below(x float64) bool { return i[1] < x }

// Holds says whether x is in the interval.
func (i Interval) Holds(x float64) bool { return !i.Above(x) && !i.Below(x) }

// rounding is by how much sums of the same numbers in another order may differ.
const rounding = 1e-12

// Estimate gives the mean of independent samples and the interval in which the mean of what they are drawn from lies,
// by Student's t. Samples that are NaN are left out. All others are in [low, high], which may be infinite, and so is
// the interval.
//
// Samples that are all equal have no variance to go by. Where low and high are finite, a bound takes its
// place that holds for any distribution: the first of n samples names a value, and if n-1 others were the
// same, no more than 1 - 0.05^(1/(n-1)) of all can differ from it (for large n, 3/n); these may be
// anything from low to high. Where they are not finite nothing is known.
func Estimate(samples []float64, low, high float64) (mean float64, ci Interval) {
	samples = slices.DeleteFunc(slices.Clone(samples), math.IsNaN)
	n := float64(len(samples))
	if len(samples) == 0 {
		return 0, Interval{low, high}
	}
	mean = stat.Mean(samples, nil) + 0 // never -0
	least, most := slices.Min(samples), slices.Max(samples)
	switch equal := most-least <= rounding; {
	case equal && !math.IsInf(low, 0) && !math.IsInf(high, 0):
		other := 1 - math.Pow(1-confidence, 1/(n-1)) // one sample: 1
		return mean, Interval{mean - other*(mean-low), mean + other*(high-mean)}
	case equal:
		return mean, Interval{low, high}
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - (1-confidence)/2)
	margin := t * stat.StdErr(stat.StdDev(samples, nil), n)
	return mean, Interval{max(low, mean-margin), min(high, mean+margin)}
}

// EstimateShare gives the mean of independent samples from 0 to 1 that are shares of games, such as blocks' shares of
// games won or lost, and its interval. Near 0 and 1, where Student's t holds too rarely, and not at all until the event
// is seen once, that is the exact one of counts (Clopper and Pearson 1934) with as many trials as have the variance of
// the samples (Korn and Graubard 1998), less what is unknown of that. Samples that are all 0 or all 1 count as a trial
// each. Those that are NaN are left out.
func EstimateShare(samples []float64) (mean float64, ci Interval) {
	samples = slices.DeleteFunc(slices.Clone(samples), math.IsNaN)
	if len(samples) < 2 {
		return Estimate(samples, 0, 1)
	}
	n := float64(len(samples))
	mean = stat.Mean(samples, nil)
	trials := n
	if least, most := slices.Min(samples), slices.Max(samples); most-least > rounding {
		t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - (1-confidence)/2)
		z := distuv.UnitNormal.Quantile(1 - (1-confidence)/2)
		trials = mean * (1 - mean) / (stat.Variance(samples, nil) / n) * (z * z) / (t * t)
	} else if least > rounding && most < 1-rounding {
		return Estimate(samples, 0, 1)
	}
	ci, events := Interval{0, 1}, mean*trials
	if mean > rounding {
		ci[0] = distuv.Beta{Alpha: events, Beta: trials - events + 1}.Quantile((1 - confidence) / 2)
	}
	if mean < 1-rounding {
		ci[1] = distuv.Beta{Alpha: events + 1, Beta: trials - events}.Quantile(1 - (1-confidence)/2)
	}
	return mean, ci
}

// InterquartileMean is the mean of the middle half of samples, of which there is at least one: the mean without the
// luckiest and the unluckiest quarter, samples on the edges in part.
func InterquartileMean(samples []float64) float64 {
	samples = slices.Sorted(slices.Values(samples))
	n := float64(len(samples))
	sum, weight := 0.0, 0.0
	for i, x := range samples {
		w := max(0, min(float64(i+1), 0.75*n)-max(float64(i), 0.25*n))
		sum, weight = sum+w*x, weight+w
	}
	return sum / weight
}

// holm says which of several differences from 0 are clear when all of them together shall be wrong at most once in
// twenty (Holm 1979): by Student's t of the blocks of each, the smallest chance of error first. Blocks lie in [-most,
// most]; those that are NaN are left out.
func holm(blocks [][]float64, most float64) (clear []bool) {
	clear = make([]bool, len(blocks))
	chances := make([]float64, len(blocks)) // of so great a difference where there is none
	order := make([]int, len(blocks))
	for i, samples := range blocks {
		order[i], chances[i] = i, 1
		samples = slices.DeleteFunc(slices.Clone(samples), math.IsNaN)
		n := float64(len(samples))
		if n < 2 {
			continue
		}
		if slices.Max(samples)-slices.Min(samples) <= rounding {
			// As Estimate has it: the first block names the value, the others repeat it. Were the mean 0, no greater a share of
			// all could be so, with the others at the far end.
			if x := math.Abs(samples[0]); x > rounding {
				chances[i] = math.Pow(most/(most+x), n-1)
			}
			continue
		}
		t := math.Abs(stat.Mean(samples, nil)) / stat.StdErr(stat.StdDev(samples, nil), n)
		chances[i] = 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.Survival(t)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(chances[a], chances[b]) })
	for k, i := range order {
		if chances[i] > (1-confidence)/float64(len(order)-k) {
			break
		}
		clear[i] = true
	}
	return clear
}
