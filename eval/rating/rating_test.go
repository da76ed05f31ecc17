package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"earthgym/env/envtest/must"
)

// Two players have as many parameters as results: the model gives each result its share.
func TestTwoPlayers(t *testing.T) {
	var games []Game
	add := func(n int, ranks ...int) {
		for range n {
			games = append(games, Game{Players: []int{0, 1}, Ranks: ranks, Block: len(games)})
		}
	}
	add(5000, 0, 1)
	add(2000, 1, 0)
	add(3000, 7, 7)
	fit := must.Have(PlackettLuce(games, 2, 1, 1))(t)
	strength := math.Exp(fit.Ratings[0].Points / Scale)
	tie := fit.Ties[0] * math.Sqrt(strength)
	sum := strength + 1 + tie
	for i, share := range []float64{strength / sum, 1 / sum, tie / sum} {
		if want := []float64{0.5, 0.2, 0.3}[i]; math.Abs(share-want) > 1e-4 {
			t.Errorf("share %d: %v, want %v", i, share, want)
		}
	}
	if math.Abs(fit.Ratings[0].Points-400*math.Log10(2.5)) > 0.5 || fit.Ratings[1] != (Rating{}) {
		t.Errorf("ratings %+v", fit.Ratings)
	}
	// Wald's interval of the log odds of a multinomial: the variance is 1/5000 + 1/2000.
	half := 1.96 * Scale * math.Sqrt(1.0/5000+1.0/2000)
	if got := (fit.Ratings[0].High - fit.Ratings[0].Low) / 2; math.Abs(got/half-1) > 0.1 {
		t.Errorf("half width %v, want about %v", got, half)
	}
	if len(fit.Residuals) != 1 || math.Abs(fit.Residuals[0].Z) > 0.1 || math.Abs(fit.Residuals[0].Score-0.65) > 1e-9 {
		t.Errorf("residuals %+v", fit.Residuals)
	}
}

// The gradient and the second derivatives are those of the likelihood, which is that of its definition.
func TestDerivatives(t *testing.T) {
	games := []Game{
		{Players: []int{0, 1, 2, 1}, Ranks: []int{2, 1, 1, 3}},
		{Players: []int{2, 3, 0}, Ranks: []int{1, 1, 1}},
		{Players: []int{3, 1, 0, 2, 2}, Ranks: []int{5, 4, 4, 4, 1}},
		{Players: []int{3, 1, 0, 2}, Ranks: []int{-1, 0, -1, -1}},
	}
	m := must.Have(newModel(games, 4))(t)
	if m.ties != 2 { // of two and of three places: all three of the second game, too
		t.Fatalf("%d parameters of ties", m.ties)
	}
	x := []float64{0.3, -0.7, 1.1, 0.2, -0.4, -1.2}
	value := func(x []float64) (total float64) {
		for i := range m.patterns {
			total += m.add(&m.patterns[i], x, m.roots(x), make([]float64, len(x)), nil, 1)
		}
		return total
	}
	want := 0.0
	for _, g := range games {
		want += defined(g, x, 4)
	}
	if got := value(x); math.Abs(got-want) > 1e-12 {
		t.Errorf("log-likelihood %v, by its definition %v", got, want)
	}
	gradient := make([]float64, len(x))
	hessian := mat.NewDense(len(x), len(x), nil)
	for i := range m.patterns {
		m.add(&m.patterns[i], x, m.roots(x), gradient, hessian, 1)
	}
	const h = 1e-4
	moved := func(i int, by float64) []float64 {
		y := slices.Clone(x)
		y[i] += by
		return y
	}
	for i := range x {
		if got, want := gradient[i], (value(moved(i, h))-value(moved(i, -h)))/(2*h); math.Abs(got-want) > 1e-6 {
			t.Errorf("derivative %d: %v, by differences %v", i, got, want)
		}
		up, down := make([]float64, len(x)), make([]float64, len(x))
		for k := range m.patterns {
			m.add(&m.patterns[k], moved(i, h), m.roots(moved(i, h)), up, nil, 1)
			m.add(&m.patterns[k], moved(i, -h), m.roots(moved(i, -h)), down, nil, 1)
		}
		for j := range x {
			if got, want := hessian.At(i, j), (up[j]-down[j])/(2*h); math.Abs(got-want) > 1e-5 {
				t.Errorf("second derivative %d, %d: %v, by differences %v", i, j, got, want)
			}
		}
	}
}

// defined is the log-likelihood of one game, word for word.
func defined(g Game, x []float64, players int) float64 {
	left := []int{}
	for i := range g.Players {
		left = append(left, i)
	}
	weight := func(set []int) float64 {
		product := 1.0
		for _, i := range set {
			product *= math.Exp(x[g.Players[i]])
		}
		w := math.Pow(product, 1/float64(len(set)))
		if len(set) > 1 {
			w *= math.Exp(x[players+len(set)-2])
		}
		return w
	}
	total := 0.0
	for len(left) > 0 {
		best := math.MaxInt
		for _, i := range left {
			if g.Ranks[i] >= 0 {
				best = min(best, g.Ranks[i])
			}
		}
		if best == math.MaxInt {
			break
		}
		var taken, rest []int
		for _, i := range left {
			if g.Ranks[i] == best {
				taken = append(taken, i)
			} else {
				rest = append(rest, i)
			}
		}
		sum := 0.0
		for set := 1; set < 1<<len(left); set++ {
			var members []int
			for k, i := range left {
				if set>>k&1 == 1 {
					members = append(members, i)
				}
			}
			if len(members)-1 <= len(x)-players {
				sum += weight(members)
			}
		}
		total += math.Log(weight(taken) / sum)
		left = rest
	}
	return total
}

// draw draws the ranks of a table from the model, with ties of two.
func draw(rng *rand.Rand, players []int, x []float64, tie float64) []int {
	ranks := make([]int, len(players))
	left := []int{}
	for i := range players {
		left = append(left, i)
	}
	for stage := 0; len(left) > 0; stage++ {
		var sets [][]int
		var weights []float64
		sum := 0.0
		add := func(w float64, set ...int) {
			sets, weights, sum = append(sets, set), append(weights, w), sum+w
		}
		for a, i := range left {
			add(math.Exp(x[players[i]]), i)
			for _, j := range left[:a] {
				add(tie*math.Exp((x[players[i]]+x[players[j]])/2), i, j)
			}
		}
		u := rng.Float64() * sum
		for k, set := range sets {
			if u -= weights[k]; u < 0 {
				for _, i := range set {
					ranks[i] = stage
				}
				left = slices.DeleteFunc(left, func(i int) bool { return slices.Contains(set, i) })
				break
			}
		}
	}
	return ranks
}

// The intervals cover the true strengths as often as they say, at tables of four with repeats, in blocks that are not
// independent games.
func TestCoverage(t *testing.T) {
	x := []float64{0, 0.5, -0.4, 1.2, 0.1}
	covered, total := 0, 0
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 60 {
		var games []Game
		for block := range 150 {
			table := []int{rng.IntN(5), rng.IntN(5), rng.IntN(5), rng.IntN(5)}
			ranks := draw(rng, table, x, 0.3)
			for range 2 { // The same game twice: what it shows, it shows once.
				games = append(games, Game{table, ranks, block})
			}
		}
		fit := must.Have(PlackettLuce(games, 5, 0, uint64(trial)))(t)
		for p, r := range fit.Ratings[1:] {
			total++
			if truth := Scale * x[p+1]; r.Low <= truth && truth <= r.High {
				covered++
			}
		}
	}
	if share := float64(covered) / float64(total); share < 0.9 || share > 0.985 {
		t.Errorf("%.1f %% of the intervals cover the truth", 100*share)
	}
}

// The chances that a residual is held against are those of tables that are drawn.
func TestAbove(t *testing.T) {
	x := []float64{0.2, -0.5, 0.9, math.Log(0.6)}
	m := &model{players: 3, ties: 1}
	table := []int{0, 1, 2, 2}
	whole, partial := m.above(x, table, false), m.above(x, table, true)
	var above, first, told chances
	rng := rand.New(rand.NewPCG(4, 4))
	const draws = 40_000
	for range draws {
		ranks := draw(rng, table, x, 0.6)
		for a := range table {
			for b := range table {
				score := 0.0
				switch {
				case ranks[a] < ranks[b]:
					score = 1
				case ranks[a] == ranks[b]:
					score = 0.5
				}
				above[a][b] += score / draws
				if min(ranks[a], ranks[b]) == 0 {
					told[a][b]++
					first[a][b] += score
				}
			}
		}
	}
	for a := range table {
		for b := range table {
			if a == b {
				continue
			}
			if math.Abs(above[a][b]-whole[a][b]) > 0.01 {
				t.Errorf("%d above %d: %.4f, drawn %.4f", a, b, whole[a][b], above[a][b])
			}
			if drawn := first[a][b] / told[a][b]; math.Abs(drawn-partial[a][b]) > 0.01 {
				t.Errorf("%d above %d where a winner is told: %.4f, drawn %.4f", a, b, partial[a][b], drawn)
			}
		}
	}
}

// Where who beats whom goes in a circle, ratings are level and residuals say so.
func TestResiduals(t *testing.T) {
	var games []Game
	for block := range 90 {
		a := block % 3
		games = append(games, Game{Players: []int{a, (a + 1) % 3}, Ranks: []int{0, 1}, Block: block})
	}
	fit := must.Have(PlackettLuce(games, 3, 0, 1))(t)
	for p, r := range fit.Ratings {
		if math.Abs(r.Points) > 1e-6 {
			t.Errorf("player %d: %v", p, r)
		}
	}
	if r := fit.Residuals[0]; len(fit.Residuals) != 3 || math.Abs(r.Z) < 5 || math.Abs(r.Predicted-0.5) > 1e-9 {
		t.Errorf("residuals %+v", fit.Residuals)
	}
}

// Players who have only lost stay finite, and what can't be rated is refused.
func TestEdges(t *testing.T) {
	game := func(players, ranks []int) Game { return Game{Players: players, Ranks: ranks} }
	fit, err := PlackettLuce([]Game{game([]int{0, 1}, []int{0, 1})}, 2, 0, 1)
	if err != nil || !(fit.Ratings[1].Points < -100) || math.IsInf(fit.Ratings[1].Points, 0) {
		t.Errorf("%+v, %v", fit, err)
	}
	for _, tt := range []struct {
		games  []Game
		n      int
		anchor int
		want   string
	}{
		{nil, 2, 0, "players 0 and 1 have not met"},
		{[]Game{game([]int{0}, []int{0})}, 2, 0, "game 0: 1 players and 1 ranks"},
		{[]Game{game([]int{0, 1}, []int{-1, -1})}, 2, 0, "game 0: nobody is ranked"},
		{[]Game{game([]int{0, 5}, []int{0, 1})}, 2, 0, "game 0: player 5 is not one of 2"},
		{[]Game{game([]int{0, 1}, []int{0, 1})}, 3, 0, "players 0 and 2 have not met"},
		{[]Game{game([]int{0, 1}, []int{0, 1}), game([]int{2, 3}, []int{0, 1})}, 4, 0, "players 0 and 2 have not met"},
		{[]Game{game([]int{0, 1}, []int{0, 1})}, 2, 2, "the anchor 2 is not one of 2 players"},
	} {
		if _, err := PlackettLuce(tt.games, tt.n, tt.anchor, 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
}

// That somebody has won all games tells how strong it is at the least, and little beyond: resampled, they are all won,
// too.
func TestOneSided(t *testing.T) {
	var games []Game
	for block := range 40 {
		games = append(games, Game{[]int{0, 1}, []int{block % 2, 1 - block%2}, block}, Game{[]int{1, 2}, []int{0, 1}, block})
	}
	fit := must.Have(PlackettLuce(games, 3, 0, 1))(t)
	for p, width := range [][2]float64{{0, 0}, {150, 300}, {1000, 4000}} {
		if r := fit.Ratings[p]; r.High-r.Low < width[0] || r.High-r.Low > width[1] || r.Low > r.Points || r.High < r.Points {
			t.Errorf("player %d: %+v, want an interval of %v points", p, r, width)
		}
	}
}

// BenchmarkPlackettLuce rates 20 players from 100,000 games at tables of four.
func BenchmarkPlackettLuce(b *testing.B) {
	x := make([]float64, 20)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	var games []Game
	for i := range 100_000 {
		table := rng.Perm(20)[:4]
		games = append(games, Game{table, draw(rng, table, x, 0.1), i / 4})
	}
	for b.Loop() {
		start := time.Now()
		if _, err := PlackettLuce(games, 20, 0, 1); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "s")
	}
}

// Games of one block have nothing to be told apart from: how little they say is in the interval.
func TestOneBlock(t *testing.T) {
	fit := must.Have(PlackettLuce([]Game{
		{Players: []int{0, 1}, Ranks: []int{0, 1}}, {Players: []int{0, 1}, Ranks: []int{0, 1}},
		{Players: []int{0, 1}, Ranks: []int{1, 0}},
	}, 2, 0, 1))(t)
	if r := fit.Ratings[1]; r.Low > r.Points-Scale || r.High < r.Points+Scale {
		t.Errorf("by 3 games of one block, %+v", r)
	}
}
