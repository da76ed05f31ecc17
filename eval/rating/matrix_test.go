package rating

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func newSquare(n int) *mat.Dense { return mat.NewDense(n, n, nil) }

func near(got, want []float64, within float64) bool {
	for i := range want {
		if math.Abs(got[i]-want[i]) > within {
			return false
		}
	}
	return len(got) == len(want)
}

// Equilibria that are known (Balduzzi et al. 2018, section 3, have the first two).
func TestNashAverage(t *testing.T) {
	for _, tt := range []struct {
		name   string
		payoff [][]float64
		want   []float64
	}{
		{"rock, paper, scissors", [][]float64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}, []float64{1. / 3, 1. / 3, 1. / 3}},
		{"a transitive field", [][]float64{{0, 1, 2}, {-1, 0, 1}, {-2, -1, 0}}, []float64{1, 0, 0}},
		{"a copy shares its part", [][]float64{{0, 0, -1, 1}, {0, 0, -1, 1}, {1, 1, 0, -1}, {-1, -1, 1, 0}},
			[]float64{1. / 6, 1. / 6, 1. / 3, 1. / 3}},
		{"unequal circle", [][]float64{{0, -1, 2}, {1, 0, -3}, {-2, 3, 0}}, []float64{3. / 6, 2. / 6, 1. / 6}},
		{"circle above the rest", [][]float64{{0, -.2, .3, .5}, {.2, 0, -.4, .5}, {-.3, .4, 0, .6}, {-.5, -.5, -.6, 0}},
			[]float64{4. / 9, 3. / 9, 2. / 9, 0}},
		{"all alike", [][]float64{{0, 0}, {0, 0}}, []float64{0.5, 0.5}},
		{"one", [][]float64{{0}}, []float64{1}},
	} {
		share, gain, err := NashAverage(tt.payoff)
		if err != nil || !near(share, tt.want, 0.02) {
			t.Errorf("%s: %.4f, %v; want %.4f", tt.name, share, err, tt.want)
		}
		for i, g := range gain {
			if g > 0.0011*3 || -g*share[i] > 0.0011*3 {
				t.Errorf("%s: %d gains %v", tt.name, i, g)
			}
		}
	}
}

// Against the average of any field nobody gains anything.
func TestNashAverageOfFields(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 2; n <= 20; n += 3 {
		payoff := make([][]float64, n)
		for i := range payoff {
			payoff[i] = make([]float64, n)
			for j := range i {
				payoff[i][j] = math.Tanh(rng.NormFloat64() + 0.1*float64(i-j))
				payoff[j][i] = -payoff[i][j]
			}
		}
		share, gain, err := NashAverage(payoff)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, s := range share {
			sum += s
			if gain[i] > 0.0011 || -gain[i]*s > 0.0011 {
				t.Errorf("%d players: %d has a share of %.3f and gains %.4f", n, i, s, gain[i])
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("shares add up to %v", sum)
		}
	}
}

// The figures are those of OpenSpiel 2.0.2 (open_spiel.python.egt.alpharank.compute, one population).
func TestAlphaRank(t *testing.T) {
	circle := [][]float64{{0, -.5, 1}, {.5, 0, -.1}, {-1, .1, 0}}
	four := [][]float64{{0, .3, -.2, .1}, {-.3, 0, .4, .2}, {.2, -.4, 0, .05}, {-.1, -.2, -.05, 0}}
	for _, tt := range []struct {
		payoff [][]float64
		m      int
		alpha  float64
		want   []float64
	}{
		{circle, 50, 0.1, []float64{0.2129555278, 0.6771471685, 0.1098973037}},
		{circle, 50, 1, []float64{0.191639453, 0.6682608809, 0.1400996661}},
		{circle, 20, 5, []float64{0.2805344509, 0.4408086735, 0.2786568756}},
		{four, 50, 0.1, []float64{0.3880609754, 0.3120291375, 0.2045383165, 0.09537157056}},
		{four, 50, 1, []float64{0.4293350149, 0.3135972862, 0.2567586854, 0.0003090135641}},
		{four, 20, 5, []float64{0.3583265917, 0.3260629728, 0.3156055173, 4.918271493e-06}},
	} {
		got, err := AlphaRank(tt.payoff, tt.alpha, tt.m)
		if err != nil || !near(got, tt.want, 1e-8) {
			t.Errorf("m %d, alpha %v: %.10f, %v; want %.10f", tt.m, tt.alpha, got, err, tt.want)
		}
	}
	if got, err := AlphaRank(circle, 100, 50); err != nil || math.Abs(got[0]+got[1]+got[2]-1) > 1e-6 {
		t.Errorf("alpha 100: %v, %v", got, err)
	}
}

func TestPayoffErrors(t *testing.T) {
	for _, tt := range []struct {
		payoff [][]float64
		want   string
	}{
		{nil, "no players"},
		{[][]float64{{0, 1}}, "row 0 has 2 numbers; there must be 1"},
		{[][]float64{{0, 1}, {1, 0}}, "0 against 1 gains 1, and the other way round 1: they must add up to 0"},
		{[][]float64{{0, math.NaN()}, {1, 0}}, "0 against 1: NaN is no number"},
	} {
		if _, _, err := NashAverage(tt.payoff); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
	if _, err := AlphaRank([][]float64{{0}}, 0, 50); err == nil {
		t.Error("alpha 0 is taken")
	}
}

// A matrix with rows of other lengths is refused, whichever row it is.
func TestNotSquare(t *testing.T) {
	for _, rows := range [][][]float64{{{0, 1}, {}}, {{0}, {0, 0}}} {
		_, _, nash := NashAverage(rows)
		_, alpha := AlphaRank(rows, 1, 10)
		_, soft := SoftCondorcet(rows)
		_, deviation := Deviation(rows)
		for _, err := range []error{nash, alpha, soft, deviation} {
			if err == nil || !strings.Contains(err.Error(), "there must be 2") {
				t.Errorf("%v: %v", rows, err)
			}
		}
	}
}
