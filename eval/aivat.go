package eval

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"earthgym/agents"
	"earthgym/env"
)

// luck measures what chance has given each seat of a game: at every draw of which the weights of all outcomes are
// known, the value of the position that it has led to, minus the mean over what it might have led to. Its mean over
// games is 0 whatever the value function is, and so it can be taken from the returns without moving their mean (the
// part of AIVAT that is about chance: Burch, Schmid, Moravčík, Morrill and Bowling 2018, "AIVAT: a new variance
// reduction technique for agent evaluation in imperfect information games"). The better the values, the less of the
// spread of returns is left.
//
// The events of one step are weighed together as far as they don't have too many outcomes, in groups that follow each
// other. What comes after a group in the same step is drawn as it was: it comes from the streams, which forced outcomes
// move on as free ones do. Shuffles are left as they are, for they are too many to sum up.
//
// The draws of agents that say how they choose (agents.Explainer) could be taken away alike. Of networks that was
// tried: it takes 1.8 times as long, and the factor that it saves falls from 1.95 to 1.57 (Resilience Earth, 2 seats,
// 300 games) and from 1.31 to 1.23 (New Earth), for the difference of what a network expects after two of its actions
// is mostly the network's error.
type luck struct {
	value   agents.Evaluator
	game    env.Game
	seed    uint64
	scratch env.State
	tape    env.Tape
	results []float64 // returns of finished positions
	over    []bool    // by position of the step: its game is over
	weights []float64 // by position of the step
	total   []float64 // by seat
	err     error
}

// together is how many outcomes the events of a group have at most, all combinations counted, if it is more than one
// event.
const together = 64

func newLuck(g env.Game, value *agents.Value) *luck {
	return &luck{value: value.New(), game: g, scratch: g.New()}
}

// begin forgets the games before.
func (l *luck) begin(seed uint64) {
	l.seed, l.total, l.err = seed, make([]float64, l.game.Info().Players), nil
}

// step adds what the events of a step have given.
func (l *luck) step(step *env.Step) {
	if l.err != nil {
		return
	}
	l.results, l.over, l.weights = l.results[:0], l.over[:0], l.weights[:0]
	groups := 0
	events := draws(step.Events)
	for from := 0; from < len(events); {
		// Whether an event belongs to the group depends on those before it, and never on its own outcome.
		depth, outcomes, to := 0, 1, from
		for ; to < len(events) && (depth == 0 || outcomes*max(1, len(events[to].outcomes)) <= together); to++ {
			if n := len(events[to].outcomes); n > 0 {
				depth, outcomes = depth+1, outcomes*n
			}
		}
		if depth > 0 {
			groups++
			if l.err = l.expand(step, texts(events[:from]), depth, -1); l.err != nil {
				return
			}
		}
		from = to
	}
	if groups == 0 {
		return
	}
	l.add(step.After, float64(groups))
	values, err := l.value.Values()
	if err != nil {
		l.err = err
		return
	}
	results := l.results
	for i, w := range l.weights {
		from := &values
		if l.over[i] {
			from = &results
		}
		for p := range l.total {
			l.total[p] += w * (*from)[p]
		}
		*from = (*from)[len(l.total):]
	}
}

// A drawn is an event of chance, with its outcomes if they can be weighed.
type drawn struct {
	name, text string
	outcomes   []env.Outcome
}

// draws are the events that are draws of chance.
func draws(events []env.Event) []drawn {
	var list []drawn
	for _, e := range events {
		if e.Kind != env.Chance {
			continue
		}
		d := drawn{name: e.Name, text: e.String()}
		if len(e.Outcomes) > 1 {
			d.outcomes = e.Outcomes
		}
		list = append(list, d)
	}
	return list
}

func texts(draws []drawn) []string {
	var list []string
	for _, d := range draws {
		list = append(list, d.text)
	}
	return list
}

// expand adds the positions after the step with these first events and all outcomes of so many draws after them, weight
// shared among them.
func (l *luck) expand(step *env.Step, first []string, depth int, weight float64) error {
	l.tape.Rewind()
	l.tape.Force(first...)
	if step.Before == nil {
		l.scratch.Reset(l.seed, &l.tape)
	} else {
		l.scratch.CopyFrom(step.Before)
		l.scratch.Apply(step.Action, &l.tape)
	}
	if err := l.tape.Err(); err != nil {
		return fmt.Errorf("what chance might have done can't be weighed: %w", err)
	}
	events := draws(l.tape.Events())
	next := len(first)
	for next < len(events) && events[next].outcomes == nil {
		next++
	}
	if depth == 0 || next == len(events) {
		l.add(l.scratch, weight)
		return nil
	}
	e, sum := events[next], 0
	for _, o := range e.outcomes {
		sum += o.Weight
	}
	for _, o := range e.outcomes {
		forced := append(texts(events[:next]), e.name+" = "+o.Text)
		if err := l.expand(step, forced, depth-1, weight*float64(o.Weight)/float64(sum)); err != nil {
			return err
		}
	}
	return nil
}

// add takes a position with its weight.
func (l *luck) add(s env.State, weight float64) {
	over := s.Actor() == env.Over
	l.weights, l.over = append(l.weights, weight), append(l.over, over)
	if !over {
		l.value.Add(s)
		return
	}
	n := len(l.results)
	l.results = append(l.results, l.total...)
	s.Returns(l.results[n:])
}

// fewBlocks is from how many blocks on they say how much of the luck to take away; of fewer nothing is taken.
const fewBlocks = 8

// control is what is known of blocks of returns with their luck, which is a control variate: how much of it to take
// away is the regression of returns on luck, drawn towards nothing the less of the returns it clearly explains, so that
// values that are worth little cost little. What is taken from a block is weighed by other blocks alone, so that its
// mean stays 0.
type control struct{ n, x, y, xx, xy, yy float64 }

// add counts a block in, or with weight -1 out again.
func (c *control) add(value, luck, weight float64) {
	c.n += weight
	c.x += weight * luck
	c.y += weight * value
	c.xx += weight * luck * luck
	c.xy += weight * luck * value
	c.yy += weight * value * value
}

// without is the return of a block that is not counted in, without its luck.
func (c *control) without(value, luck float64) float64 {
	spread := c.xx - c.x*c.x/c.n
	if c.n < fewBlocks || spread < 1e-12 {
		return value
	}
	slope := (c.xy - c.x*c.y/c.n) / spread
	explained := slope * slope * spread
	left := max(0, c.yy-c.y*c.y/c.n-explained)
	// Luck that explains nothing seems to explain as much as one of the n-2 degrees of freedom that are left.
	if noise := 2 * left / (c.n - 2); noise > 0 {
		slope *= max(0, 1-noise/explained)
	}
	return value - slope*luck
}

// An Aivat is what a match shows without what chance has given, as far as a value function tells that (AIVAT): means
// of the same as the plain ones, mostly with narrower intervals.
type Aivat struct {
	Value       string            `json:"value"`       // the text of the value function
	Agents      []AivatAgent      `json:"agents"`      // in the order of the agents
	Differences []AivatDifference `json:"differences"` // in the order of the differences
}

// AivatAgent is the return of an agent without luck.
type AivatAgent struct {
	Agent      string   `json:"agent"`
	MeanReturn float64  `json:"mean_return"`
	ReturnCI   Interval `json:"return_ci"`
	Factor     float64  `json:"factor"` // how many times as many games it would take without, the variances by each other
}

// AivatDifference is the return of Agent minus that of Other, paired by block, without luck.
type AivatDifference struct {
	Agent      string   `json:"agent"`
	Other      string   `json:"other"`
	MeanReturn float64  `json:"mean_return"`
	ReturnCI   Interval `json:"return_ci"`
	Factor     float64  `json:"factor"`
}

// withoutLuck is the estimate of blocks of returns with their luck, and the factor that it saves.
func withoutLuck(returns, luck []float64, low, high float64) (mean float64, ci Interval, factor float64) {
	var c control
	for b, x := range returns {
		if !math.IsNaN(x) {
			c.add(x, luck[b], 1)
		}
	}
	var plain, rest []float64
	for b, x := range returns {
		if math.IsNaN(x) {
			continue
		}
		c.add(x, luck[b], -1)
		plain, rest = append(plain, x), append(rest, c.without(x, luck[b]))
		c.add(x, luck[b], 1)
	}
	// Without luck a mean may lie beyond the ends of what is measured, and so may its interval: what is known of the
	// ends says nothing of it.
	mean, ci = Estimate(rest, math.Inf(-1), math.Inf(1))
	if math.IsInf(ci[1], 1) { // But where all are alike nothing else bounds it.
		mean, ci = Estimate(rest, low, high)
	}
	factor = 1
	if len(rest) > 1 {
		if left := stat.Variance(rest, nil); left > 0 {
			factor = stat.Variance(plain, nil) / left
		}
	}
	if ci.Above(high) || ci.Below(low) { // Cut off there, nothing of it would be left.
		return mean, ci, factor
	}
	return mean, Interval{max(low, ci[0]), min(high, ci[1])}, factor
}

// newAivat makes the result without luck of the games of a match.
func newAivat(value string, names []string, outcomes []Outcome) *Aivat {
	a := &Aivat{Value: value, Differences: []AivatDifference{}}
	byAgent := make([]averages, len(names))
	for i, name := range names {
		byAgent[i], _ = average(outcomes, func(o *Outcome, seat int) bool { return o.Seating[seat] == i })
		row := AivatAgent{Agent: name}
		row.MeanReturn, row.ReturnCI, row.Factor = withoutLuck(byAgent[i].returns, byAgent[i].luck, minReturn, maxReturn)
		a.Agents = append(a.Agents, row)
	}
	for i := range names {
		for j := i + 1; j < len(names); j++ {
			d := AivatDifference{Agent: names[i], Other: names[j]}
			d.MeanReturn, d.ReturnCI, d.Factor = withoutLuck(minus(byAgent[i].returns, byAgent[j].returns),
				minus(byAgent[i].luck, byAgent[j].luck), minReturn-maxReturn, maxReturn-minReturn)
			a.Differences = append(a.Differences, d)
		}
	}
	return a
}
