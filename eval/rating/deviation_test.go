package rating

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

// Ratings of small games: some can be seen, the numbers of others were computed by other linear programs, over all
// pairs of roles and with a program for each bound, in SciPy.
func TestDeviation(t *testing.T) {
	for _, tt := range []struct {
		name   string
		payoff [][]float64
		want   []float64
	}{
		{"rock, paper, scissors", [][]float64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}, []float64{0, 0, 0}},
		{"a copy of rock", [][]float64{{0, 0, -1, 1}, {0, 0, -1, 1}, {1, 1, 0, -1}, {-1, -1, 1, 0}}, []float64{0, 0, 0, 0}},
		{"prisoner's dilemma", [][]float64{{3, 0}, {5, 1}}, []float64{-1, 0}},
		{"chicken", [][]float64{{4, 1}, {5, 0}}, []float64{-0.5, -0.5}},
		{"coordination", [][]float64{{2, 0}, {0, 1}}, []float64{-2. / 3, -2. / 3}},
		{"three", [][]float64{{0.4, 0.8, 0.7}, {0, 0.8, 0.9}, {0.9, -0.8, -0.1}}, []float64{-0.25, -0.35, -0.4}},
		{"four", [][]float64{{0.2, -0.4, -0.2, 0.2}, {0.6, 0.2, -0.6, 0.3}, {0.7, -0.5, 0.1, -0.3}, {0.8, -0.8, 0, 0.8}},
			[]float64{-0.453093, -0.414948, -0.414948, -0.414948}},
		{"five", [][]float64{{-0.1, -0.7, 0.5, 0.9, 0.9}, {0.8, -0.2, 0.4, 0.9, 0.1}, {0.8, 0.2, -0.6, -0.1, 0.2},
			{-0.4, 0.4, -0.2, 0.8, -0.6}, {0.3, -0.8, -0.7, 0, 0}},
			[]float64{-0.477083, -0.26875, -0.495833, -0.26875, -0.925}},
		{"all alike", [][]float64{{2, 2}, {2, 2}}, []float64{0, 0}},
		{"one", [][]float64{{5}}, []float64{0}},
	} {
		got, err := Deviation(tt.payoff)
		if err != nil || !near(got, tt.want, 2e-6) {
			t.Errorf("%s: %.6f, %v; want %.6f", tt.name, got, err, tt.want)
		}
	}
	for _, tt := range []struct {
		payoff [][]float64
		want   string
	}{
		{nil, "no players"},
		{[][]float64{{0, 1}, {1}}, "row 1 has 1 numbers; there must be 2"},
		{[][]float64{{0, math.NaN()}, {1, 0}}, "0 against 1: NaN is no number"},
	} {
		if _, err := Deviation(tt.payoff); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want %s", tt.payoff, err, tt.want)
		}
	}
}

// What the paper proves: copies, mixtures, and what an opponent gives to all alike, move nobody.
func TestDeviationIsInvariant(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := 2; n <= 20; n += 3 {
		payoff := make([][]float64, n)
		for i := range payoff {
			payoff[i] = make([]float64, n)
			for j := range payoff[i] {
				payoff[i][j] = rng.NormFloat64()
			}
		}
		want := must.Have(Deviation(payoff))(t)
		mixed := func(weights []float64) [][]float64 { // with one more player, a mixture
			more := make([][]float64, n+1)
			for i := range n {
				x := 0.0
				for j, w := range weights {
					x += w * payoff[i][j]
				}
				more[i] = append(append([]float64{}, payoff[i]...), x)
			}
			for j := range n + 1 {
				x := 0.0
				for i, w := range weights {
					x += w * more[i][j]
				}
				more[n] = append(more[n], x)
			}
			return more
		}
		copied, mixture := make([]float64, n), make([]float64, n)
		copied[n/2] = 1
		mixture[0], mixture[n-1] = 0.3, 0.7
		for _, weights := range [][]float64{copied, mixture} {
			rating := 0.0
			for i, w := range weights {
				rating += w * want[i]
			}
			got, err := Deviation(mixed(weights))
			if err != nil || !near(got, append(append([]float64{}, want...), rating), 1e-5) {
				t.Errorf("%d players and %.1f of them: %.5f, %v; want %.5f and %.5f", n, weights, got, err, want, rating)
			}
		}
		moved := make([][]float64, n)
		for i := range moved {
			for j, x := range payoff[i] {
				moved[i] = append(moved[i], x+float64(j))
			}
		}
		if got, err := Deviation(moved); err != nil || !near(got, want, 1e-5) {
			t.Errorf("%d players: %.5f when opponents give something to all, %v; want %.5f", n, got, err, want)
		}
	}
}

// The example of Lanctot et al. in which ratings like Elo's put A first, and C beats both others; and fields with one
// that beats all others.
func TestSoftCondorcet(t *testing.T) {
	votes := [][]int{{0, 1, 2}, {0, 2, 1}, {2, 0, 1}, {2, 0, 1}, {1, 2, 0}}
	above := make([][]float64, 3)
	for i := range above {
		above[i] = make([]float64, 3)
	}
	for _, vote := range votes {
		for k, a := range vote {
			for _, b := range vote[k+1:] {
				above[a][b]++
			}
		}
	}
	score, err := SoftCondorcet(above)
	if err != nil || !(score[2] > score[0] && score[0] > score[1]) || math.Abs(score[0]+score[1]+score[2]) > 1e-6 {
		t.Errorf("scores %.3f, %v; the order is C, A, B", score, err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 2; n <= 20; n += 2 {
		above := make([][]float64, n)
		for i := range above {
			above[i] = make([]float64, n)
			for j := range i {
				above[i][j] = float64(30 + rng.IntN(41))
				above[j][i] = 100 - above[i][j]
			}
		}
		for i := 1; i < n; i++ { // player 0 beats all others, most of them barely
			above[0][i], above[i][0] = 52, 48
		}
		score := must.Have(SoftCondorcet(above))(t)
		for i := 1; i < n; i++ {
			if score[i] >= score[0] {
				t.Errorf("%d players: %d has %.3f, the one who beats all has %.3f", n, i, score[i], score[0])
			}
		}
	}
	if score, err := SoftCondorcet([][]float64{{0, 10}, {0, 0}}); err != nil || !(score[0] > score[1]) || score[0] > 100 {
		t.Errorf("%v, %v", score, err)
	}
	if score, err := SoftCondorcet([][]float64{{0, 4}, {4, 0}}); err != nil || score[0] != 0 || score[1] != 0 {
		t.Errorf("%v, %v", score, err)
	}
	if _, err := SoftCondorcet([][]float64{{0, -1}, {0, 0}}); err == nil ||
		!strings.Contains(err.Error(), "0 above 1: -1") {
		t.Errorf("error %v", err)
	}
}

// A matrix with rows of other lengths is refused, whichever row it is.
func TestNotSquare(t *testing.T) {
	for _, rows := range [][][]float64{{{0, 1}, {}}, {{0}, {0, 0}}} {
		_, soft := SoftCondorcet(rows)
		_, deviation := Deviation(rows)
		for _, err := range []error{soft, deviation} {
			if err == nil || !strings.Contains(err.Error(), "there must be 2") {
				t.Errorf("%v: %v", rows, err)
			}
		}
	}
}

func near(got, want []float64, within float64) bool {
	for i := range want {
		if math.Abs(got[i]-want[i]) > within {
			return false
		}
	}
	return len(got) == len(want)
}
