package eval

import (
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/spelling"
)

// A Commons is how a table fared with what its seats share, where motives are mixed: some outcomes are better or worse
// for all, and each would rather have the others take care of that.
type Commons struct {
	Lost    Share `json:"lost"`    // games in which what is shared was lost (env.Commons)
	Welfare Share `json:"welfare"` // mean return of all seats, in [-1, 1]
	// Gini coefficient of the seats' scores in a game, from 0, all alike; scores below 0 count as 0
	Gini Share `json:"gini"`

	Agents []CommonsAgent `json:"agents"` // in the order of MatchResult.Agents
}

// CommonsAgent is what one agent did to it.
type CommonsAgent struct {
	Agent string `json:"agent"`
	// Pushed is the share of the games in which it was among the seats that have pushed it over, for one seat of it.
	Pushed Share `json:"pushed"`
	// Depleted is how much of what is shared its decisions have used up in a game, each with all that followed until the
	// next one, for one seat of it; below 0 if it has restored some.
	Depleted Share `json:"depleted"`
}

// A Share is a mean with its interval.
type Share struct {
	Mean float64  `json:"mean"`
	CI   Interval `json:"ci"`
}

func newShare(blocks []float64, low, high float64) (s Share) {
	s.Mean, s.CI = Estimate(blocks, low, high)
	return s
}

func shareOfGames(blocks []float64) (s Share) {
	s.Mean, s.CI = EstimateShare(blocks)
	return s
}

// A depletion is the Study of what each seat's decisions do to what is shared.
type depletion struct {
	commons env.Commons
	bySeat  []float64
	last    float64
	actor   env.Player
}

// Begin looks at what there is to share.
func (d *depletion) Begin(o *Outcome, s env.State) {
	if d.commons, _ = s.(env.Commons); d.commons != nil {
		d.bySeat, d.last, d.actor = make([]float64, len(o.Seating)), d.commons.Depletion(), env.Over
	}
}

// Decide puts down to the seat that has decided before what has changed since it began to.
func (d *depletion) Decide(by Decision) {
	if d.commons != nil && by.Seat != d.actor {
		d.charge()
		d.actor = by.Seat
	}
}

// End leaves what has come together in the outcome.
func (d *depletion) End(o *Outcome, _ env.State) {
	if d.commons != nil {
		d.charge()
		o.Depleted = d.bySeat
	}
}

func (d *depletion) charge() {
	now := d.commons.Depletion()
	if d.actor != env.Over {
		d.bySeat[d.actor] += now - d.last
	}
	d.last = now
}

// newCommons sums up the games of a match; nil where motives are not mixed.
func newCommons(info *env.Info, names []string, outcomes []Outcome) *Commons {
	if !info.Has(env.Mixed) {
		return nil
	}
	seats := float64(info.Players)
	c := &Commons{
		Lost: shareOfGames(blockMeans(outcomes, func(o *Outcome) (float64, float64) { return number(o.Lost), 1 })),
		Welfare: newShare(blockMeans(outcomes, func(o *Outcome) (float64, float64) {
			sum := 0.0
			for _, x := range o.Returns {
				sum += x
			}
			return sum / seats, 1
		}), minReturn, maxReturn),
		Gini: newShare(blockMeans(outcomes, func(o *Outcome) (float64, float64) { return gini(o.Scores), 1 }), 0, 1),
	}
	for i, name := range names {
		ofSeats := func(what func(o *Outcome, seat int) float64) []float64 {
			return blockMeans(outcomes, func(o *Outcome) (sum, n float64) {
				for seat, agent := range o.Seating {
					if agent == i && !o.forfeited(seat) {
						sum, n = sum+what(o, seat), n+1
					}
				}
				return sum, n
			})
		}
		c.Agents = append(c.Agents, CommonsAgent{
			Agent: name,
			Pushed: shareOfGames(ofSeats(func(o *Outcome, seat int) float64 {
				return number(o.Culprits.Has(env.Player(seat)))
			})),
			Depleted: newShare(ofSeats(func(o *Outcome, seat int) float64 {
				if o.Depleted == nil {
					return 0
				}
				return o.Depleted[seat]
			}), minReturn, maxReturn),
		})
	}
	return c
}

// number is 1 for true and 0 for false.
func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// blockMeans are means over the games of each block: what gives the sum of a game and how many numbers it is of. Blocks
// with a void game, and those without a number, are NaN.
func blockMeans(outcomes []Outcome, what func(o *Outcome) (sum, n float64)) []float64 {
	blocks := outcomes[len(outcomes)-1].Block + 1
	means, counts := make([]float64, blocks), make([]float64, blocks)
	void := make([]bool, blocks)
	for i := range outcomes {
		o := &outcomes[i]
		if o.Void {
			void[o.Block] = true
			continue
		}
		sum, n := what(o)
		means[o.Block] += sum
		counts[o.Block] += n
	}
	for b := range means {
		if void[b] {
			counts[b] = 0
			means[b] = 0
		}
		means[b] /= counts[b]
	}
	return means
}

// gini is the Gini coefficient of shares: 0 if all have the same, towards 1 if one has all. Less than nothing counts as
// nothing; where nobody has anything it is 0.
func gini(shares []float64) float64 {
	sorted := make([]float64, len(shares))
	for i, x := range shares {
		sorted[i] = max(0, x)
	}
	slices.Sort(sorted)
	weighted, sum := 0.0, 0.0
	for i, x := range sorted {
		weighted += float64(2*i+1-len(sorted)) * x
		sum += x
	}
	if sum == 0 {
		return 0
	}
	return weighted / (float64(len(sorted)) * sum)
}

// rows are the Commons as rows of a table of measures.
func (c *Commons) rows() []measureRow {
	rows := []measureRow{
		{"return of all seats", signed(c.Welfare.Mean, c.Welfare.CI)},
		{"Gini coefficient of the scores", plain(c.Gini.Mean, c.Gini.CI)},
		{"lost what all share", percent(c.Lost.Mean, c.Lost.CI)},
	}
	for _, a := range c.Agents {
		rows = append(rows,
			measureRow{"a seat of " + spelling.Printable(a.Agent) + " used up of it", percent(a.Depleted.Mean, a.Depleted.CI)},
			measureRow{"a seat of " + spelling.Printable(a.Agent) + " pushed it over", percent(a.Pushed.Mean, a.Pushed.CI)})
	}
	return rows
}

func (c *Commons) lines(b *strings.Builder) {
	writeList(b, "together", []string{"return " + signed(c.Welfare.Mean, c.Welfare.CI),
		"Gini of scores " + plain(c.Gini.Mean, c.Gini.CI), "lost " + percent(c.Lost.Mean, c.Lost.CI)})
	if len(c.Agents) == 1 {
		return
	}
	name := "a seat of"
	for _, a := range c.Agents {
		writeList(b, name, []string{
			fmt.Sprintf("%s used up %s", spelling.Printable(a.Agent), percent(a.Depleted.Mean, a.Depleted.CI)),
			"pushed it over in " + percent(a.Pushed.Mean, a.Pushed.CI)})
		name = ""
	}
}
