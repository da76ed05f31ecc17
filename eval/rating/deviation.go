package rating

import (
	"errors"
	"fmt"
	"math"
)

// Deviation gives the deviation rating of each player (Marris, Liu, Gemp, Piliouras and Lanctot 2025, "Deviation
// Ratings: A General, Clone-Invariant Rating Method", arXiv 2502.11645). payoff says what the row gains when it meets
// the column, in a game that may be any: players may both gain or both lose.
//
// It is what a player gains who is put in the place of one that a mediator has named, who names pairs so that this
// gains as little as can be: first the greatest gain is made least, then the greatest of the others, and so on. No
// rating is above 0, and the best are those whom it is hardest to do without. A copy of a player changes nobody's
// rating, nor does a mixture of players, nor what an opponent gives to all alike.
func Deviation(payoff [][]float64) ([]float64, error) {
	n := len(payoff)
	if n == 0 {
		return nil, errors.New("no players")
	}
	if err := checkSquare(payoff); err != nil {
		return nil, err
	}
	least, most := math.Inf(1), math.Inf(-1)
	for i, row := range payoff {
		for j, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("%d against %d: %v is no number", i, j, x)
			}
			least, most = min(least, x), max(most, x)
		}
	}
	ratings := make([]float64, n)
	scale := most - least
	if scale == 0 {
		return ratings, nil
	}
	// What a player gains in the place of either of a pair, by player and pair. Which of the two is named to whom
	// makes no difference: the game is the same for both.
	gains := make([][]float64, n)
	for k := range gains {
		for i := range n {
			for j := range i + 1 {
				gains[k] = append(gains[k], (payoff[k][j]-payoff[i][j]+payoff[k][i]-payoff[j][i])/2/scale)
			}
		}
	}
	gained, err := leastGreatest(gains)
	for k, x := range gained {
		ratings[k] = x*scale + 0
	}
	return ratings, err
}

// leastGreatest finds the mixture of columns for which the greatest row is least, and of those the one for which the
// greatest of the rows that could still be lower is least, and so on; it gives the rows. No number is below -above.
//
// With all numbers moved above 0, a mixture divided by its greatest row is a point x >= 0 whose rows are at most 1, and
// the greatest row is least where the sum of x is greatest: x = 0 is a point to begin from, and the simplex method with
// Bland's rule, which can't go in circles, does the rest. What has a price then is 0 wherever the greatest row is
// least: such columns and such gaps of rows are left out from there on. The other rows get a gap in common, which is to
// be as great as it can be, in turns until all have a price.
func leastGreatest(rows [][]float64) ([]float64, error) {
	const (
		above = 3
		small = 1e-9
	)
	n, columns := len(rows), len(rows[0])
	right := columns + 2*n // columns, then gaps of rows, then gaps in common, then the right side
	tableau := make([][]float64, n)
	basis := make([]int, n)
	for k := range n {
		tableau[k] = make([]float64, right+1)
		for c, x := range rows[k] {
			tableau[k][c] = x + above
		}
		basis[k] = columns + k
		tableau[k][basis[k]], tableau[k][right] = 1, 1
	}
	prices := make([]float64, right+1)
	for c := range columns {
		prices[c] = -1
	}
	out := make([]bool, right)
	for v := range n {
		out[columns+n+v] = true // until its turn
	}
	values := make([]float64, n)
	settled := make([]bool, n)
	greatest, gap := 0.0, 0.0 // the greatest row of all, and how much below it the others may be, as a part of it
	for turn := 0; ; turn++ {
		if err := optimise(tableau, prices, basis, out, small); err != nil {
			return nil, err
		}
		if turn == 0 {
			greatest = 1 / prices[right]
		} else {
			gap += prices[right]
		}
		left := 0
		for c := range right {
			if out[c] = out[c] || prices[c] > small; !out[c] {
				continue
			}
			if k := c - columns; k >= 0 && k < n && !settled[k] {
				settled[k], values[k] = true, (1-gap)*greatest-above
			}
		}
		clear(prices)
		common := columns + n + turn
		for k := range n {
			if settled[k] {
				continue
			}
			left++
			for _, row := range tableau {
				row[common] += row[columns+k]
			}
		}
		if left == 0 {
			return values, nil
		}
		out[common], prices[common] = false, -1
	}
}

// optimise pivots until no column that isn't out has a price below 0.
func optimise(tableau [][]float64, prices []float64, basis []int, out []bool, small float64) error {
	right := len(prices) - 1
	for range 100_000 {
		enter := 0
		for enter < right && (out[enter] || prices[enter] >= -small) {
			enter++
		}
		if enter == right {
			return nil
		}
		leave, ratio := -1, math.Inf(1)
		for k, row := range tableau {
			if row[enter] <= small {
				continue
			}
			r := row[right] / row[enter]
			if r < ratio-small || r < ratio+small && basis[k] < basis[leave] {
				leave, ratio = k, r
			}
		}
		if leave < 0 {
			return errors.New("the deviation ratings have no bound: this is a defect, please report it")
		}
		basis[leave] = enter
		row := tableau[leave]
		pivot := row[enter]
		for c := range row {
			row[c] /= pivot
		}
		for _, other := range append(tableau[:len(tableau):len(tableau)], prices) {
			if factor := other[enter]; &other[0] != &row[0] && factor != 0 {
				for c, x := range row {
					other[c] -= factor * x
				}
			}
		}
	}
	return errors.New("the deviation ratings don't settle")
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
