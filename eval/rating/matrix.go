package rating

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// check refuses what is no antisymmetric matrix: what row gains on column is what column loses to row.
func check(payoff [][]float64) error {
	if len(payoff) == 0 {
		return errors.New("no players")
	}
	if err := checkSquare(payoff); err != nil {
		return err
	}
	for i, row := range payoff {
		for j, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%d against %d: %v is no number", i, j, x)
			}
			if math.Abs(x+payoff[j][i]) > 1e-9 {
				return fmt.Errorf("%d against %d gains %v, and the other way round %v: they must add up to 0", i, j, x,
					payoff[j][i])
			}
		}
	}
	return nil
}

// checkSquare refuses rows of other lengths than there are rows.
func checkSquare(matrix [][]float64) error {
	for i, row := range matrix {
		if len(row) != len(matrix) {
			return fmt.Errorf("row %d has %d numbers; there must be %d", i, len(row), len(matrix))
		}
	}
	return nil
}

// NashAverage is the Nash equilibrium of greatest entropy of the game in which two meta-players each choose a player
// and gain what the one makes of the other (Balduzzi et al. 2018, "Re-evaluating evaluation"): the share of each
// player in it, and what each player gains against that mixture, 0 for those that are in it. payoff is antisymmetric.
//
// It is found as the mixture of greatest entropy against which nobody gains more than a thousandth of the greatest
// pay-off.
func NashAverage(payoff [][]float64) (share, gain []float64, err error) {
	if err := check(payoff); err != nil {
		return nil, nil, err
	}
	n := len(payoff)
	greatest := 0.0
	for _, row := range payoff {
		for _, x := range row {
			greatest = max(greatest, math.Abs(x))
		}
	}
	share = make([]float64, n)
	gain = make([]float64, n)
	if greatest == 0 {
		for i := range share {
			share[i] = 1 / float64(n)
		}
		return share, gain, nil
	}
	// The dual: with prices l >= 0 on what each player gains beyond the tolerance, the mixture is proportional to
	// exp(-payoffᵀ l), and the logarithm of its sum plus tolerance·l is to be least (convex). Accelerated projected
	// gradient (Nesterov 1983), begun anew where it overshoots; the curvature is at most the greatest square.
	const tolerance = 1e-3
	prices, previous, ahead := make([]float64, n), make([]float64, n), make([]float64, n)
	mix := func(l []float64) float64 {
		most, sum := math.Inf(-1), 0.0
		for j := range share {
			share[j] = 0
			for i := range l {
				share[j] -= l[i] * payoff[i][j] / greatest
			}
			most = max(most, share[j])
		}
		for j := range share {
			share[j] = math.Exp(share[j] - most)
			sum += share[j]
		}
		for j := range share {
			share[j] /= sum
		}
		total := most + math.Log(sum)
		for i := range l {
			total += tolerance * l[i]
			gain[i] = 0
			for j := range share {
				gain[i] += payoff[i][j] / greatest * share[j]
			}
		}
		return total
	}
	rate := 1 / float64(n)
	momentum, least := 1.0, math.Inf(1)
	for range 200_000 {
		mix(ahead)
		copy(previous, prices)
		for i := range prices {
			prices[i] = max(0, ahead[i]+rate*(gain[i]-tolerance))
		}
		value := mix(prices)
		worst, slack := 0.0, 0.0
		for i := range gain {
			worst = max(worst, gain[i])
			slack = max(slack, prices[i]*math.Abs(gain[i]-tolerance))
		}
		if worst < 1.01*tolerance && slack < tolerance {
			break
		}
		if value > least {
			momentum = 1
		}
		least = value
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for i := range ahead {
			ahead[i] = max(0, prices[i]+(momentum-1)/next*(prices[i]-previous[i]))
		}
		momentum = next
	}
	for i := range gain {
		gain[i] *= greatest
	}
	return share, gain, nil
}

// AlphaRank is how often a population that is now and then invaded by single other players is found with each player
// in the long run, with the greater shares for those that keep others out (Omidshafiei et al. 2019, "alpha-Rank:
// multi-agent evaluation by evolution"): the stationary distribution of one population of size m with selection
// intensity alpha. payoff is antisymmetric.
func AlphaRank(payoff [][]float64, alpha float64, m int) ([]float64, error) {
	if err := check(payoff); err != nil {
		return nil, err
	}
	if !(alpha > 0) || m < 2 {
		return nil, fmt.Errorf("alpha %v and population %d: above 0, and at least 2", alpha, m)
	}
	n := len(payoff)
	if n == 1 {
		return []float64{1}, nil
	}
	moves := mat.NewDense(n, n, nil)
	for from := range n {
		stay := 1.0
		for to := range n {
			if to == from {
				continue
			}
			chance := fixation(alpha*(payoff[to][from]-payoff[from][to]), m) / float64(n-1)
			moves.Set(from, to, chance)
			stay -= chance
		}
		moves.Set(from, from, stay)
	}
	// The distribution p with p·moves = p that adds up to 1.
	system, right := mat.NewDense(n+1, n, nil), mat.NewVecDense(n+1, nil)
	for i := range n {
		for j := range n {
			system.Set(i, j, moves.At(j, i))
		}
		system.Set(i, i, system.At(i, i)-1)
		system.Set(n, i, 1)
	}
	right.SetVec(n, 1)
	var p mat.VecDense
	if err := p.SolveVec(system, right); err != nil {
		return nil, fmt.Errorf("alpha %v is too great for these pay-offs: %w", alpha, err)
	}
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = max(0, p.AtVec(i))
	}
	return shares, nil
}

// fixation is the chance that one invader, whose advantage times alpha is x, takes over a population of m.
func fixation(x float64, m int) float64 {
	if math.Abs(x) < 1e-12 {
		return 1 / float64(m)
	}
	// Written so that nothing overflows: for x < 0 both sides are multiplied by exp(m x).
	if x > 0 {
		return -math.Expm1(-x) / -math.Expm1(-float64(m)*x)
	}
	return math.Exp(float64(m-1)*x) * math.Expm1(x) / math.Expm1(float64(m)*x)
}
