package rating

import (
	"errors"
	"fmt"
	"math"
)

// SoftCondorcet gives each player a score by which the order of the players goes against as few results as can be
// (Lanctot et al. 2024, "Soft Condorcet Optimization for Ranking of General Agents", arXiv 2411.00119): of each pair
// the sigmoid of the one's score minus the other's, for each time that the other was ranked above, summed over all
// pairs, is made least. Who beats every other player more often than not so comes first, which the strengths of
// PlackettLuce do not promise. above[i][j] is how often i was ranked above j.
//
// Only differences of scores count; their mean is 0. A weak pull towards 0 keeps those finite who always win. The sum
// has several minima where results go in circles; the search begins where all are nearly equal, and follows the slope.
func SoftCondorcet(above [][]float64) ([]float64, error) {
	n := len(above)
	if n == 0 {
		return nil, errors.New("no players")
	}
	if err := checkSquare(above); err != nil {
		return nil, err
	}
	greatest := 0.0
	margin := make([][]float64, n)
	for i, row := range above {
		margin[i] = make([]float64, n)
		for j, x := range row {
			if !(x >= 0) || math.IsInf(x, 1) {
				return nil, fmt.Errorf("%d above %d: %v is no number of times", i, j, x)
			}
			if total := x + above[j][i]; i != j && total > 0 {
				margin[i][j] = x - above[j][i]
				greatest = max(greatest, total)
			}
		}
	}
	score := make([]float64, n)
	if greatest == 0 {
		return score, nil
	}
	const (
		pull  = 1e-4
		steps = 20_000
		still = 1e-9
	)
	// The slope changes by no more than a tenth of the margins for each unit of two scores.
	rate := 4 / float64(n)
	slope, speed, strength := make([]float64, n), make([]float64, n), make([]float64, n)
	for range steps {
		moved := 0.0
		for i, x := range score {
			slope[i], strength[i] = pull*x, math.Exp(x)
		}
		for i := range n {
			for j := range i {
				total := strength[i] + strength[j]
				d := margin[i][j] / greatest * strength[i] / total * strength[j] / total
				slope[i] -= d
				slope[j] += d
			}
		}
		for i := range n {
			speed[i] = 0.9*speed[i] - 0.1*rate*slope[i]
			score[i] += speed[i]
			moved = max(moved, math.Abs(speed[i]))
		}
		if moved < still {
			break
		}
	}
	return score, nil
}
