// Package rating puts agents on scales by the games that they have played against each other: the strengths of the
// Plackett-Luce model with ties, for tables of any number of seats; and, for fields in which one number can't say who
// beats whom, of the matrix of their results: deviation ratings and soft Condorcet scores.
package rating

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// A Game is one game as a ranking.
type Game struct {
	Players []int // by place at the table, at most 8; one player may hold several
	// Ranks are by place: lower is better, equal is a tie, and only their order counts. Those below 0 are not ranked:
	// all that is said of them is that the ranked ones are better, as of the losers of a game with one winner.
	Ranks []int
	Block int // games of one block are not independent
}

// Scale is how many points of rating a factor e of strength is: 400 points are odds of 10 to 1, as in Elo's scale.
const Scale = 400 / math.Ln10

// prior is the standard deviation of strengths beforehand, in natural units: odds of 10,000 to 1 are 1.5 of it away.
// It keeps those who have only won or only lost finite.
const prior = 6.0

// A Rating is the strength of one player.
type Rating struct {
	Points float64 // on Elo's scale, the anchor at 0
	Low    float64 // 95 % interval of the difference to the anchor, by a bootstrap over blocks
	High   float64 // (or the posterior, where games alone don't bound it)
}

// A Fit is the most likely Plackett-Luce model of games.
type Fit struct {
	Ratings []Rating  // by player
	Ties    []float64 // how often ties of 2, 3, … places happen: the weight of a tie beside that of one place alone
	// Residuals say where one number doesn't fit: pairs of players whose results against each other are off from
	// what their ratings say, the worst first.
	Residuals []Residual
}

// A Residual is what one player has made against another beyond what their ratings say.
type Residual struct {
	Player, Other    int
	Score, Predicted float64 // share of their meetings in which Player was ranked above Other, ties half
	Z                float64 // the difference in standard errors over blocks
}

// An ApartError says that games don't connect all players: the first one and this one have not met, nor have others
// between them.
type ApartError struct{ Player int }

func (e *ApartError) Error() string {
	return fmt.Sprintf("players 0 and %d have not met, nor have others between them: there is no scale for both",
		e.Player)
}

// PlackettLuce fits the model to games: a ranking comes about from the first place on, each time among those that are
// left, a player with a chance that is proportional to its strength. Ties follow Turner, van Etten, Firth and Kosmidis
// (2020, "Modelling rankings in R: the PlackettLuce package"): a set T of places is next with a weight of
// ties[|T|] times the geometric mean of their strengths. Strengths have a weak normal prior.
//
// All players are in the games, and the games connect them, or it is an ApartError: the graph of who has met whom is in
// one piece. The anchor's rating is 0. The bootstrap resamples blocks and takes one Newton step from the fit for each
// sample (the score bootstrap), which for this concave likelihood is as good as fitting anew.
func PlackettLuce(games []Game, players, anchor int, seed uint64) (*Fit, error) {
	m, err := newModel(games, players)
	if err != nil {
		return nil, err
	}
	if anchor < 0 || anchor >= players {
		return nil, fmt.Errorf("the anchor %d is not one of %d players", anchor, players)
	}
	x, inverse, err := m.solve()
	if err != nil {
		return nil, err
	}
	fit := &Fit{Ratings: make([]Rating, players)}
	for i := range fit.Ratings {
		fit.Ratings[i].Points = Scale * (x[i] - x[anchor])
	}
	for _, eta := range x[players:] {
		fit.Ties = append(fit.Ties, math.Exp(eta))
	}
	m.bootstrap(fit.Ratings, x, inverse, anchor, seed)
	fit.Residuals = m.residuals(x)
	return fit, nil
}

// model is the likelihood of games, those that are alike together.
type model struct {
	players  int
	ties     int // parameters of ties: of 2 to 1+ties places
	patterns []pattern
	games    []Game
	of       []int // pattern of each game
	blocks   int
}

// pattern is a game as stages: at each, a set of the places that are left is taken.
type pattern struct {
	players []int
	taken   []uint8 // by stage, sets of places
	count   float64
}

// stages are at which stage each of its players is taken; after all others those who are not ranked.
func (p *pattern) stages() (at [maxPlaces]int) {
	for k := range p.players {
		at[k] = len(p.taken)
	}
	for stage, set := range p.taken {
		for s := set; s > 0; s &= s - 1 {
			at[bits.TrailingZeros8(s)] = stage
		}
	}
	return at
}

// maxPlaces is the most places of a game.
const maxPlaces = 8

func newModel(games []Game, players int) (*model, error) {
	m := &model{players: players, games: games}
	index := map[string]int{}
	group := make([]int, players) // by whom a player is connected to others
	for i := range group {
		group[i] = i
	}
	blocks := map[int]int{}
	var key []byte
	for i, g := range games {
		if !slices.ContainsFunc(g.Ranks, func(r int) bool { return r >= 0 }) {
			return nil, fmt.Errorf("game %d: nobody is ranked", i)
		}
		if len(g.Players) < 2 || len(g.Players) > maxPlaces || len(g.Ranks) != len(g.Players) {
			return nil, fmt.Errorf("game %d: %d players and %d ranks; there must be as many, 2 to %d", i, len(g.Players),
				len(g.Ranks), maxPlaces)
		}
		for _, p := range g.Players {
			if p < 0 || p >= players {
				return nil, fmt.Errorf("game %d: player %d is not one of %d", i, p, players)
			}
			old, new := group[p], group[g.Players[0]]
			for k := 0; k < players && old != new; k++ {
				if group[k] == old {
					group[k] = new
				}
			}
		}
		if _, ok := blocks[g.Block]; !ok {
			blocks[g.Block] = len(blocks)
		}
		p := newPattern(g)
		key = append(appendKey(key[:0], p.players), p.taken...)
		k, ok := index[string(key)]
		if !ok {
			k = len(m.patterns)
			index[string(key)] = k
			m.patterns = append(m.patterns, p)
			for _, set := range p.taken {
				m.ties = max(m.ties, bits.OnesCount8(set)-1)
			}
		}
		m.patterns[k].count++
		m.of = append(m.of, k)
	}
	for p := range group {
		if group[p] != group[0] {
			return nil, &ApartError{p}
		}
	}
	m.blocks = len(blocks)
	renumbered := slices.Clone(games)
	for i := range renumbered {
		renumbered[i].Block = blocks[renumbered[i].Block]
	}
	m.games = renumbered
	return m, nil
}

// newPattern sorts the places of a game so that like games have one pattern.
func newPattern(g Game) pattern {
	order := make([]int, len(g.Players))
	for i := range order {
		order[i] = i
	}
	rank := func(i int) uint { return uint(g.Ranks[i]) } // the unranked last
	slices.SortFunc(order, func(a, b int) int {
		if rank(a) != rank(b) {
			return cmp.Compare(rank(a), rank(b))
		}
		return g.Players[a] - g.Players[b]
	})
	var p pattern
	for k, i := range order {
		p.players = append(p.players, g.Players[i])
		switch {
		case g.Ranks[i] < 0:
			continue
		case k == 0 || rank(i) != rank(order[k-1]):
			p.taken = append(p.taken, 0)
		}
		p.taken[len(p.taken)-1] |= 1 << k
	}
	return p
}

// size is the number of parameters: strengths and ties, as logarithms.
func (m *model) size() int { return m.players + m.ties }

// places are derivatives by what one pattern depends on: the strength of each of its places, then the weight of each
// size of tie.
type places [2*maxPlaces - 1]float64

// roots are those of the strengths, of which the weights of sets are made: of[n-1] has the n-th root of each player's.
// Their common scale is that of the strongest, so that none is too great.
type roots struct {
	of   [][]float64
	ties []float64
	most float64 // logarithm of the strongest
}

func (m *model) roots(x []float64) *roots {
	r := &roots{of: make([][]float64, m.ties+1), most: slices.Max(x[:m.players])}
	for n := range r.of {
		r.of[n] = make([]float64, m.players)
		for i, v := range x[:m.players] {
			r.of[n][i] = math.Exp((v - r.most) / float64(n+1))
		}
	}
	for _, eta := range x[m.players:] {
		r.ties = append(r.ties, math.Exp(eta))
	}
	return r
}

// add adds the gradient of the log-likelihood of a pattern to gradient, and if hessian is not nil its second
// derivatives, all times weight; it returns the log-likelihood times weight.
func (m *model) add(p *pattern, x []float64, r *roots, gradient []float64, hessian *mat.Dense, weight float64) float64 {
	var (
		total float64
		left  = uint8(1<<len(p.players) - 1)
		index [2*maxPlaces - 1]int // of the parameters
		used  [2*maxPlaces - 1]int // of places
		local places               // the parameters
		n     int
	)
	for i, player := range p.players {
		index[i], used[n], local[i] = player, i, x[player]
		n++
	}
	for t := range m.ties {
		i := maxPlaces + t
		index[i], used[n], local[i] = m.players+t, i, x[m.players+t]
		n++
	}
	for _, taken := range p.taken {
		var (
			sets    [1 << maxPlaces]uint8
			weights [1 << maxPlaces]float64
			k       int
		)
		for set := left; set > 0; set = (set - 1) & left {
			size := bits.OnesCount8(set)
			if size-1 > m.ties {
				continue
			}
			w := 1.0
			if size > 1 {
				w = r.ties[size-2]
			}
			for s := set; s > 0; s &= s - 1 {
				w *= r.of[size-1][p.players[bits.TrailingZeros8(s)]]
			}
			sets[k], weights[k] = set, w
			k++
		}
		var mean places
		var square [2*maxPlaces - 1]places
		sum := 0.0
		for c, set := range sets[:k] {
			w := weights[c]
			sum += w
			at, d, count := derivatives(set)
			for i := range count {
				mean[at[i]] += w * d[i]
				if hessian != nil {
					for j := range count {
						square[at[i]][at[j]] += w * d[i] * d[j]
					}
				}
			}
		}
		total += logWeight(&local, taken) - r.most - math.Log(sum)
		at, d, count := derivatives(taken)
		for i := range count {
			gradient[index[at[i]]] += weight * d[i]
		}
		for _, i := range used[:n] {
			gradient[index[i]] -= weight * mean[i] / sum
			if hessian == nil {
				continue
			}
			for _, j := range used[:n] {
				h := square[i][j]/sum - mean[i]*mean[j]/sum/sum
				hessian.Set(index[i], index[j], hessian.At(index[i], index[j])-weight*h)
			}
		}
		left &^= taken
	}
	return weight * total
}

// logWeight is the logarithm of the weight with which a set of places is next.
func logWeight(local *places, set uint8) float64 {
	n, sum := bits.OnesCount8(set), 0.0
	for s := set; s > 0; s &= s - 1 {
		sum += local[bits.TrailingZeros8(s)]
	}
	sum /= float64(n)
	if n > 1 {
		sum += local[maxPlaces+n-2]
	}
	return sum
}

// derivatives are those of logWeight that are not 0, each with the parameter that it is by.
func derivatives(set uint8) (at [maxPlaces + 1]int, d [maxPlaces + 1]float64, count int) {
	n := bits.OnesCount8(set)
	for s := set; s > 0; s &= s - 1 {
		at[count], d[count] = bits.TrailingZeros8(s), 1/float64(n)
		count++
	}
	if n > 1 {
		at[count], d[count] = maxPlaces+n-2, 1
		count++
	}
	return at, d, count
}

// penalty adds the prior.
func (m *model) penalty(x, gradient []float64, hessian *mat.Dense) float64 {
	total := 0.0
	for i, v := range x {
		total -= v * v / (2 * prior * prior)
		gradient[i] -= v / (prior * prior)
		if hessian != nil {
			hessian.Set(i, i, hessian.At(i, i)-1/(prior*prior))
		}
	}
	return total
}

// solve finds the most likely parameters by Newton's method with halved steps, and the inverse of the information
// there.
func (m *model) solve() (x []float64, inverse *mat.Dense, err error) {
	n := m.size()
	at := func(x []float64) *slope {
		s := &slope{gradient: make([]float64, n), hessian: mat.NewDense(n, n, nil)}
		r := m.roots(x)
		s.value = m.penalty(x, s.gradient, s.hessian)
		for i := range m.patterns {
			p := &m.patterns[i]
			s.value += m.add(p, x, r, s.gradient, s.hessian, p.count)
		}
		return s
	}
	x = make([]float64, n)
	here := at(x)
	for range 100 {
		var information mat.Dense
		information.Scale(-1, here.hessian)
		var step mat.VecDense
		if err := step.SolveVec(&information, mat.NewVecDense(n, here.gradient)); err != nil {
			return nil, nil, fmt.Errorf("the ratings can't be solved for: %w", err)
		}
		if mat.Norm(&step, math.Inf(1)) < 1e-9 {
			inverse = new(mat.Dense)
			if err := inverse.Inverse(&information); err != nil {
				return nil, nil, fmt.Errorf("the ratings can't be solved for: %w", err)
			}
			return x, inverse, nil
		}
		next := make([]float64, n)
		for size := 1.0; ; size /= 2 {
			for i := range next {
				next[i] = x[i] + size*step.AtVec(i)
			}
			there := at(next)
			if there.value >= here.value-1e-12*math.Abs(here.value) || size < 1e-6 {
				x, here = next, there
				break
			}
		}
	}
	return nil, nil, errors.New("the ratings don't settle")
}

// A slope is the log-likelihood at a place with its derivatives.
type slope struct {
	value    float64
	gradient []float64
	hessian  *mat.Dense
}

// resamples is how many samples the bootstrap draws.
const resamples = 1000

// bootstrap sets the intervals.
func (m *model) bootstrap(ratings []Rating, x []float64, inverse *mat.Dense, anchor int, seed uint64) {
	n := m.size()
	scores := make([][]float64, len(m.patterns)) // gradient of one game of each pattern
	r := m.roots(x)
	for i := range m.patterns {
		scores[i] = make([]float64, n)
		m.add(&m.patterns[i], x, r, scores[i], nil, 1)
	}
	// What a block moves: the Newton step of its gradient, relative to the anchor.
	// Beyond some number they are drawn in groups made at random.
	rng := rand.New(rand.NewPCG(seed, 0))
	group := rng.Perm(m.blocks)
	moves := make([][]float64, min(m.blocks, resamples))
	for b := range moves {
		moves[b] = make([]float64, m.players)
	}
	for i, g := range m.games {
		score := scores[m.of[i]]
		for p := range m.players {
			for k, s := range score {
				if s != 0 {
					moves[group[g.Block]%len(moves)][p] += (inverse.At(p, k) - inverse.At(anchor, k)) * s
				}
			}
		}
	}
	drawn := make([][]float64, m.players)
	for range resamples {
		sum := make([]float64, m.players)
		for range moves {
			for p, d := range moves[rng.IntN(len(moves))] {
				sum[p] += d
			}
		}
		for p := range sum {
			drawn[p] = append(drawn[p], sum[p])
		}
	}
	for p := range ratings {
		// The gradients of all blocks add up to that of the prior, which is not resampled.
		centre := 0.0
		for _, move := range moves {
			centre += move[p]
		}
		slices.Sort(drawn[p])
		ratings[p].Low = ratings[p].Points + Scale*(stat.Quantile(0.025, stat.LinInterp, drawn[p], nil)-centre)
		ratings[p].High = ratings[p].Points + Scale*(stat.Quantile(0.975, stat.LinInterp, drawn[p], nil)-centre)
	}
	// Of games that somebody has all won each sample is all won, and of one block each sample is that block: how little
	// they say shows in how flat the posterior is.
	for p, bounded := range m.bounded(anchor) {
		if bounded && m.blocks > 1 {
			continue
		}
		half := 1.96 * Scale * math.Sqrt(inverse.At(p, p)+inverse.At(anchor, anchor)-inverse.At(p, anchor)-inverse.At(anchor,
			p))
		ratings[p].Low = min(ratings[p].Low, ratings[p].Points-half)
		ratings[p].High = max(ratings[p].High, ratings[p].Points+half)
	}
}

// bounded says of each player whether games alone keep its difference to the anchor finite: it has ended above or level
// with the anchor, or with one that has, and so on, and the anchor in the same way with it (Ford 1957).
func (m *model) bounded(anchor int) []bool {
	above := make([][]bool, m.players)
	for i := range above {
		above[i] = make([]bool, m.players)
		above[i][i] = true
	}
	for i := range m.patterns {
		p := &m.patterns[i]
		stage := p.stages()
		for a, player := range p.players {
			for b, other := range p.players {
				if stage[a] <= stage[b] && stage[a] < len(p.taken) {
					above[player][other] = true
				}
			}
		}
	}
	for over := range m.players {
		for i := range m.players {
			for j := range m.players {
				above[i][j] = above[i][j] || above[i][over] && above[over][j]
			}
		}
	}
	bounded := make([]bool, m.players)
	for p := range bounded {
		bounded[p] = above[p][anchor] && above[anchor][p]
	}
	return bounded
}

// A meeting is what a pair has made against each other in a block.
type meeting struct {
	block               int
	score, predicted, n float64 // of the first of the two: points, what the model says of them, games
}

// meetings are the meetings of each pair, players·first + second, by block.
func (m *model) meetings(x []float64) [][]meeting {
	meetings := make([][]meeting, m.players*m.players)
	tables := map[string]*chances{}
	byBlock := make([]int, len(m.games))
	for i := range byBlock {
		byBlock[i] = i
	}
	slices.SortStableFunc(byBlock, func(i, j int) int { return cmp.Compare(m.games[i].Block, m.games[j].Block) })
	var key []byte
	for _, i := range byBlock {
		g := &m.games[i]
		p := &m.patterns[m.of[i]]
		rank := p.stages()
		var sorted [maxPlaces]int
		order := sorted[:copy(sorted[:], p.players)]
		slices.Sort(order)
		partial := rank[len(p.players)-1] == len(p.taken)
		key = appendKey(key[:0], order)
		if partial {
			key = append(key, 1)
		}
		table := tables[string(key)]
		if table == nil {
			table = m.above(x, order, partial)
			tables[string(key)] = table
		}
		for a, player := range p.players {
			for b, other := range p.players {
				if player >= other {
					continue
				}
				if rank[a] == len(p.taken) && rank[b] == len(p.taken) {
					continue // of whom nothing is said
				}
				met := &meetings[player*m.players+other]
				if n := len(*met); n == 0 || (*met)[n-1].block != g.Block {
					*met = append(*met, meeting{block: g.Block})
				}
				s := &(*met)[len(*met)-1]
				switch {
				case rank[a] < rank[b]:
					s.score++
				case rank[a] == rank[b]:
					s.score += 0.5
				}
				s.predicted += table[slices.Index(order, player)][slices.Index(order, other)]
				s.n++
			}
		}
	}
	return meetings
}

// residuals compares what each pair has made against each other with what the model says, pairs that met in fewer
// than 10 blocks left out, the largest misfit first.
func (m *model) residuals(x []float64) []Residual {
	var all []Residual
	for pair, blocks := range m.meetings(x) {
		if len(blocks) < 10 {
			continue
		}
		r := Residual{Player: pair / m.players, Other: pair % m.players}
		var differences []float64
		var total float64
		for _, s := range blocks {
			r.Score += s.score
			r.Predicted += s.predicted
			total += s.n
			differences = append(differences, s.score-s.predicted)
		}
		deviation := stat.StdDev(differences, nil)
		r.Z = (r.Score - r.Predicted) / math.Sqrt(float64(len(differences))*(deviation*deviation+1/float64(len(differences))))
		r.Score /= total
		r.Predicted /= total
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Residual) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Z), math.Abs(a.Z)), a.Player-b.Player, a.Other-b.Other)
	})
	return all
}

// appendKey appends what tells players at a table apart from others.
func appendKey(key []byte, players []int) []byte {
	for _, p := range players {
		key = binary.LittleEndian.AppendUint32(key, uint32(p))
	}
	return append(key, 0)
}

// chances are those, at one table, that the one of two players is ranked above the other, ties half.
type chances [maxPlaces][maxPlaces]float64

// above works out the chances of places of a table with the given players. At partial tables, where only a first
// stage is ranked, they are those of pairs of whom one or both are.
func (m *model) above(x []float64, players []int, partial bool) *chances {
	var local places
	for i, player := range players {
		local[i] = x[player]
	}
	for t := range m.ties {
		local[maxPlaces+t] = x[m.players+t]
	}
	n := len(players)
	all := uint8(1<<n - 1)
	left := make([]chances, 1<<n) // by the set of places that are left
	first := uint8(1)
	if partial {
		first = all
	}
	for set := int(first); set <= int(all); set++ {
		var told chances // that the pair is told apart or tied, and not left for later
		sum := 0.0
		here := &left[set]
		for taken := uint8(set); taken > 0; taken = (taken - 1) & uint8(set) {
			if bits.OnesCount8(taken)-1 > m.ties {
				continue
			}
			w := math.Exp(logWeight(&local, taken))
			sum += w
			for a := range n {
				for b := range n {
					switch inA, inB := taken>>a&1 == 1, taken>>b&1 == 1; {
					case inA && inB:
						here[a][b] += w / 2
					case inA:
						here[a][b] += w
					case !inB && !partial:
						here[a][b] += w * left[uint8(set)&^taken][a][b]
						continue
					case !inB:
						continue
					}
					told[a][b] += w
				}
			}
		}
		for a := range n {
			for b := range n {
				if partial {
					here[a][b] /= told[a][b]
				} else {
					here[a][b] /= sum
				}
			}
		}
	}
	return &left[all]
}
