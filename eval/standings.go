package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"earthgym/env"
	"earthgym/env/farm"
	"earthgym/env/spelling"
	"earthgym/eval/rating"
)

// A TournamentResult is what a tournament has shown. The standings are Agents; all lists are in their order.
type TournamentResult struct {
	*MatchResult
	Anchor  string      `json:"anchor"` // whose rating is 0
	Ratings []RatingRow `json:"ratings"`
	// Against is what each agent has made against each other one: half of its return minus the other's, in the games
	// that both sat in, in [-1, 1].
	Against [][]AgainstRow `json:"against"`
	// Misfits are pairs whose results against each other one number for each does not explain, the worst first.
	Misfits []Misfit `json:"misfits"`
	// Disagreements are pairs that another method puts in the other order than clearly different ratings do.
	Disagreements []Disagreement `json:"disagreements"`
	// Records is the folder of the games' records, seen from the tournament's; "" if none are kept.
	Records string `json:"records,omitempty"`
}

// RatingRow is one agent's rating.
type RatingRow struct {
	Agent     string   `json:"agent"`
	Rating    float64  `json:"rating"`
	CI        Interval `json:"rating_ci"`
	Deviation float64  `json:"deviation"`      // deviation rating, in returns
	Condorcet float64  `json:"soft_condorcet"` // soft Condorcet score
	// WithoutForfeits is the rating by the games that nobody has forfeited; nil if that is all, or if those games don't
	// connect all agents.
	WithoutForfeits *PlainRating `json:"without_forfeits,omitempty"`
}

// PlainRating is a rating with its interval.
type PlainRating struct {
	Rating float64  `json:"rating"`
	CI     Interval `json:"rating_ci"`
}

// AgainstRow is what one agent has made against another.
type AgainstRow struct {
	Mean  float64  `json:"mean"`
	CI    Interval `json:"ci"`
	Games int      `json:"games"`
	Clear bool     `json:"clear"` // it is not 0, with an error of 5 % for all pairs together (Holm 1979)
}

// Misfit is a pair whose results a rating does not explain: the share of their meetings in which Agent ended above
// Other, ties half.
type Misfit struct {
	Agent     string  `json:"agent"`
	Other     string  `json:"other"`
	Share     float64 `json:"share"`
	Predicted float64 `json:"predicted"`
	Z         float64 `json:"z"` // the difference in standard errors
}

// A Disagreement is a pair of which By puts Other first, and the ratings, clearly, Agent.
type Disagreement struct {
	By    string `json:"by"`
	Agent string `json:"agent"`
	Other string `json:"other"`
}

// clearMisfit is from how many standard errors on a pair is told as a misfit.
const clearMisfit = 3

// Result is that of the whole blocks that have been played. The anchor is an agent's text, "" for the first one's.
func (t *Tournament) Result(anchor string) (*TournamentResult, error) {
	outcomes := slices.Clone(t.whole()) // sort renumbers their agents
	if len(outcomes) == 0 {
		return nil, errors.New("no game has been played yet")
	}
	names := t.series.names()
	a := 0
	if anchor != "" {
		if a = slices.Index(names, anchor); a < 0 {
			return nil, requestf("the anchor %q is none of the agents %v", anchor, names)
		}
	}
	info := t.series.game.Info()
	r := &TournamentResult{MatchResult: summarise(info, t.header.Seed, names, outcomes), Anchor: names[a],
		Misfits: []Misfit{}, Disagreements: []Disagreement{}}
	if t.header.Records {
		r.Records = recordsFolder
	}
	r.noteSubstitute(t.header.Substitute)
	r.Floor = t.noise(outcomes)
	err := r.rate(info, names, a)
	if apart := new(rating.ApartError); errors.As(err, &apart) {
		played := spelling.Counted(len(outcomes), "game")
		if r.Void > 0 {
			played += fmt.Sprintf(", %d of them void,", r.Void)
		}
		return nil, fmt.Errorf("after %s %s and %s have not met, nor have others between them, so that there is no scale "+
			"for both: play at least %s", played, names[0], names[apart.Player], spelling.Counted(t.Passes(), "game"))
	} else if err != nil {
		return nil, err
	}
	r.disagree()
	r.sort()
	return r, nil
}

// rate sets ratings, pairs and misfits, in the order of the names.
func (r *TournamentResult) rate(info *env.Info, names []string, anchor int) error {
	n, outcomes := len(names), r.Outcomes
	fit, err := rating.PlackettLuce(ranked(outcomes, info.Shared()), n, anchor, r.Seed)
	if err != nil {
		return fmt.Errorf("after %s: %w", spelling.Counted(len(outcomes), "game"), err)
	}
	gains := r.setAgainst(n, info.Shared())
	if info.Has(env.Mixed) {
		gains = meetings(outcomes, n)
	}
	deviation, err := rating.Deviation(gains)
	if err != nil {
		return err
	}
	condorcet, err := rating.SoftCondorcet(above(outcomes, n, info.Shared()))
	if err != nil {
		return err
	}
	without := ratingsWithoutForfeits(outcomes, info.Shared(), n, anchor, r.Seed)
	for i, x := range fit.Ratings {
		row := RatingRow{
			Agent: names[i], Rating: x.Points, CI: Interval{x.Low, x.High},
			Deviation: deviation[i], Condorcet: condorcet[i],
		}
		if without != nil {
			row.WithoutForfeits = &PlainRating{without[i].Points, Interval{without[i].Low, without[i].High}}
		}
		r.Ratings = append(r.Ratings, row)
	}
	for _, x := range fit.Residuals {
		if math.Abs(x.Z) >= clearMisfit {
			r.Misfits = append(r.Misfits, Misfit{names[x.Player], names[x.Other], x.Score, x.Predicted, x.Z})
		}
	}
	return nil
}

// setAgainst sets what each agent has made against each other one, and gives the means.
func (r *TournamentResult) setAgainst(n int, together bool) [][]float64 {
	payoff := grid[float64](n, n)
	r.Against = grid[AgainstRow](n, n)
	var tests []*AgainstRow
	var blocks [][]float64
	for i, row := range pairings(r.Outcomes, n, together) {
		for j, pair := range row {
			against := &r.Against[i][j]
			against.Games = pair.games
			against.Mean, against.CI = Estimate(pair.samples, minReturn, maxReturn)
			payoff[i][j], payoff[j][i] = against.Mean, -against.Mean
			tests, blocks = append(tests, against), append(blocks, pair.samples)
		}
	}
	for k, clear := range holm(blocks, maxReturn) {
		tests[k].Clear = clear && !tests[k].CI.Holds(0)
	}
	for i := range n {
		for j := range i {
			row := r.Against[i][j]
			row.Mean, row.CI = -row.Mean+0, Interval{-row.CI[1], -row.CI[0]}
			r.Against[j][i] = row
		}
	}
	return payoff
}

// ratingsWithoutForfeits are those by the games that nobody has forfeited; nil if these are all, or if they don't
// connect the agents.
func ratingsWithoutForfeits(outcomes []Outcome, together bool, n, anchor int, seed uint64) []rating.Rating {
	played := slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool { return o.Forfeits != nil })
	if len(played) == len(outcomes) {
		return nil
	}
	fit, err := rating.PlackettLuce(ranked(played, together), n, anchor, seed)
	if err != nil {
		return nil
	}
	return fit.Ratings
}

// disagree finds what other methods say against ratings that are clearly different.
func (r *TournamentResult) disagree() {
	for _, method := range []struct {
		name  string
		of    func(RatingRow) float64
		small float64 // a difference that says nothing
	}{
		{"deviation ratings", func(x RatingRow) float64 { return x.Deviation }, 0.05},
		{"soft Condorcet", func(x RatingRow) float64 { return x.Condorcet }, 0.25},
	} {
		for _, a := range r.Ratings {
			for _, b := range r.Ratings {
				if a.Agent != b.Agent && a.CI[0] > b.CI[1] && method.of(b) > method.of(a)+method.small {
					r.Disagreements = append(r.Disagreements, Disagreement{method.name, a.Agent, b.Agent})
				}
			}
		}
	}
}

// sort puts the agents in the order of their ratings.
func (r *TournamentResult) sort() {
	order, place := make([]int, len(r.Ratings)), make([]int, len(r.Ratings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.Ratings[j].Rating, r.Ratings[i].Rating) })
	for to, from := range order {
		place[from] = to
	}
	r.Agents, r.Ratings, r.Against = inOrder(r.Agents, order), inOrder(r.Ratings, order), inOrder(r.Against, order)
	for i, row := range r.Against {
		r.Against[i] = inOrder(row, order)
	}
	if r.Commons != nil {
		r.Commons.Agents = inOrder(r.Commons.Agents, order)
	}
	for i := range r.Outcomes {
		seating := slices.Clone(r.Outcomes[i].Seating)
		for p := range seating {
			seating[p] = place[seating[p]]
		}
		r.Outcomes[i].Seating = seating
	}
	var names []string
	var byAgent []averages
	for i, row := range r.Agents {
		a, _ := average(r.Outcomes, func(o *Outcome, seat int) bool { return o.Seating[seat] == i })
		names, byAgent = append(names, row.Agent), append(byAgent, a)
	}
	r.Differences = differences(byAgent, names)
}

func inOrder[T any](list []T, order []int) []T {
	sorted := make([]T, len(order))
	for to, from := range order {
		sorted[to] = list[from]
	}
	return sorted
}

// ranked are games as rankings; where all seats win and lose together, pairs of the games of a block. Void games are
// left out.
//
// Each game is ranked by its own returns alone, so that no game changes what another one says. Those who share a place
// without having won are not ranked, nor is whoever is below them: mostly their returns say only that they have lost,
// and as ties they would make ties of winners look as frequent as losers are. Nor is whoever is last alone, of whom the
// others say it.
func ranked(outcomes []Outcome, together bool) []rating.Game {
	if together {
		return rankedTogether(outcomes)
	}
	games := make([]rating.Game, 0, len(outcomes))
	for _, o := range outcomes {
		if o.Void {
			continue
		}
		g := rating.Game{Players: o.Seating, Ranks: make([]int, len(o.Seating)), Block: o.Block}
		last := len(o.Returns) - 1 // or the first place that several share without having won
		for p, x := range o.Returns {
			sharing := 0
			for _, y := range o.Returns {
				switch {
				case y > x:
					g.Ranks[p]++
				case y == x:
					sharing++
				}
			}
			if sharing > 1 && g.Ranks[p] > 0 {
				last = min(last, g.Ranks[p])
			}
		}
		for p, rank := range g.Ranks {
			if rank > 0 && rank >= last {
				g.Ranks[p] = -1
			}
		}
		games = append(games, g)
	}
	return games
}

// rankedTogether ranks the games of each block, in which each agent holds a table of its own, by their returns, in
// pairs.
func rankedTogether(outcomes []Outcome) []rating.Game {
	var games []rating.Game
	for i, a := range outcomes {
		for _, b := range outcomes[i+1:] {
			if b.Block != a.Block {
				break
			}
			if a.Void || b.Void {
				continue
			}
			g := rating.Game{Players: []int{a.Seating[0], b.Seating[0]}, Ranks: []int{0, 0}, Block: a.Block}
			switch x, y := tableReturn(&a), tableReturn(&b); {
			case x > y:
				g.Ranks[1] = 1
			case x < y:
				g.Ranks[0] = 1
			}
			games = append(games, g)
		}
	}
	return games
}

func grid[T any](rows, columns int) [][]T {
	all := make([][]T, rows)
	for i := range all {
		all[i] = make([]T, columns)
	}
	return all
}

func tableReturn(o *Outcome) float64 {
	sum := 0.0
	for _, x := range o.Returns {
		sum += x
	}
	return sum / float64(len(o.Returns))
}

// above counts how often each agent has ended above each other one, by returns, for one seat of each.
func above(outcomes []Outcome, n int, together bool) [][]float64 {
	counts := grid[float64](n, n)
	if together {
		for _, g := range rankedTogether(outcomes) {
			if g.Ranks[0] != g.Ranks[1] {
				counts[g.Players[g.Ranks[0]]][g.Players[g.Ranks[1]]]++
			}
		}
		return counts
	}
	for i := range outcomes {
		o := &outcomes[i]
		if o.Void {
			continue
		}
		for p, a := range o.Seating {
			for q, b := range o.Seating {
				if a != b && o.Returns[p] > o.Returns[q] {
					counts[a][b]++
				}
			}
		}
	}
	return counts
}

// meetings are the mean returns of each agent in games in which each other one sat, too, or in those of its own alone;
// 0 where there are none.
func meetings(outcomes []Outcome, n int) [][]float64 {
	sums, counts := grid[float64](n, n), grid[float64](n, n)
	for k := range outcomes {
		o := &outcomes[k]
		if o.Void {
			continue
		}
		alone := !slices.ContainsFunc(o.Seating, func(a int) bool { return a != o.Seating[0] })
		for p, a := range o.Seating {
			if alone {
				sums[a][a] += o.Returns[p]
				counts[a][a]++
				continue
			}
			for q, b := range o.Seating {
				if a != b && !slices.Contains(o.Seating[:q], b) {
					sums[a][b] += o.Returns[p]
					counts[a][b]++
				}
			}
		}
	}
	for i := range n {
		for j := range n {
			sums[i][j] /= max(1, counts[i][j])
		}
	}
	return sums
}

// A pairing is what one agent has made against another: block means of half of its return minus the other's, over the
// games that both sat in, and how many games these are.
type pairing struct {
	samples []float64
	games   int

	block int     // of the last sample
	n     float64 // games in it
}

func (p *pairing) add(block int, half float64) {
	if len(p.samples) == 0 || p.block != block {
		p.samples, p.block, p.n = append(p.samples, 0), block, 0
	}
	p.games++
	p.n++
	last := &p.samples[len(p.samples)-1]
	*last += (half - *last) / p.n
}

// pairings are those of each of n agents with each earlier one. With together agents are compared over whole blocks, in
// which each has held tables of its own.
func pairings(outcomes []Outcome, n int, together bool) [][]pairing {
	pairs := make([][]pairing, n)
	for i := range pairs {
		pairs[i] = make([]pairing, i)
	}
	sum, seats := make([]float64, n), make([]float64, n)
	var present []int
	for k := range outcomes {
		o := &outcomes[k]
		for seat, a := range o.Seating {
			if o.Void {
				break
			}
			if seats[a] == 0 {
				present = append(present, a)
			}
			sum[a] += o.Returns[seat]
			seats[a]++
		}
		if together && k+1 < len(outcomes) && outcomes[k+1].Block == o.Block {
			continue
		}
		for _, i := range present {
			for _, j := range present {
				if j < i {
					pairs[i][j].add(o.Block, (sum[i]/seats[i]-sum[j]/seats[j])/2)
				}
			}
		}
		for _, a := range present {
			sum[a], seats[a] = 0, 0
		}
		present = present[:0]
	}
	return pairs
}

// LiveStandings are those of what others have played of a tournament so far, games with their blocks (farm.Job.Stand),
// the best first. The first of its agents has the rating 0.
func LiveStandings(names []string, games iter.Seq2[int, farm.Result]) []farm.Standing {
	list := make([]farm.Standing, len(names))
	var outcomes []Outcome
	together := true
	for block, r := range games {
		var line sharedGame
		if g, ok := r.Read.(*readGame); ok {
			line.Seats, line.Returns, line.Void = g.seats, g.Returns, g.Void
		} else if json.Unmarshal(r.Is, &line) != nil {
			continue
		}
		if line.Void || len(line.Returns) != len(line.Seats) {
			continue
		}
		o := Outcome{Block: block, Result: env.Result{Returns: line.Returns}}
		for p, name := range line.Seats {
			k := slices.Index(names, name)
			if k < 0 {
				return nil
			}
			o.Seating = append(o.Seating, k)
			together = together && k == o.Seating[0]
			list[k].Games++
			list[k].Return += (line.Returns[p] - list[k].Return) / float64(list[k].Games)
		}
		outcomes = append(outcomes, o)
	}
	if outcomes == nil {
		return nil
	}
	fit, rated := &rating.Fit{Ratings: make([]rating.Rating, len(names))}, false
	if found, err := rating.PlackettLuce(ranked(outcomes, together), len(names), 0, 1); err == nil {
		fit, rated = found, true
	}
	for k, r := range fit.Ratings {
		list[k].Agent, list[k].Rated, list[k].Rating, list[k].Low, list[k].High = names[k], rated, r.Points, r.Low, r.High
	}
	slices.SortStableFunc(list, func(a, b farm.Standing) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(b.Return, a.Return))
	})
	return list
}
