package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"earthgym/agents"
	"earthgym/env"
)

// A StopRule says when a match has shown enough: it is asked after groups of blocks, which grow with the match and are
// the same for any number of workers. SPRT and Precision are StopRules.
type StopRule interface {
	check() error
	begin(info *env.Info, plain bool) monitor // plain: what is watched are returns as they are, not without luck
}

// A monitor watches what blocks show, one number a block.
type monitor interface {
	add(x float64)
	stop() Stop // as it stands now
}

// A Stop says how a match that was played until it had shown enough has ended.
type Stop struct {
	Rule    string  `json:"rule"`    // in words
	Of      string  `json:"of"`      // what was watched, in words
	Decided bool    `json:"decided"` // false if the games ran out
	Verdict string  `json:"verdict"` // in words
	LLR     float64 `json:"llr"`     // of an SPRT: the logarithm of the likelihood ratio, Return1 to Return0
	Lower   float64 `json:"lower"`   // where it decides for Return0
	Upper   float64 `json:"upper"`   // where it decides for Return1
}

// nextGroup is how many blocks there are after the group that follows done blocks.
func nextGroup(done int) int { return done + max(16, done/8) }

// SPRT is the sequential probability ratio test (Wald 1945) of the mean difference of return: it ends with a verdict
// for Return0 or Return1, of which at most a share Alpha is wrong where the difference is Return0 or less, and at
// most Beta where it is Return1 or more. It needs far fewer games than a match of a fixed length with those errors
// where the difference is outside of the two.
//
// What is unknown besides the mean takes its likeliest value under either hypothesis (the generalised test). In
// competitive games of two, whose blocks are pairs of games with five results, that is the whole distribution of the
// pairs (the pentanomial model of chess engine testing; Van den Bergh 2020, "A practical introduction to the GSPRT");
// elsewhere, and where Options.Value takes luck away, the variance of the block differences, which are taken as normal.
type SPRT struct {
	Return0, Return1 float64 // Return0 < Return1, both in [-2, 2]
	Alpha, Beta      float64 // in (0, 0.5)
}

func (t SPRT) check() error {
	switch {
	case !(t.Return0 < t.Return1):
		return requestf("return0 = %v is not below return1 = %v", t.Return0, t.Return1)
	case t.Return0 <= minReturn-maxReturn || t.Return1 >= maxReturn-minReturn:
		return requestf("return0 = %v and return1 = %v: differences of return lie between %d and %d", t.Return0, t.Return1,
			minReturn-maxReturn, maxReturn-minReturn)
	case !(t.Alpha > 0 && t.Alpha < 0.5 && t.Beta > 0 && t.Beta < 0.5):
		return requestf("alpha = %v, beta = %v: they lie between 0 and 0.5", t.Alpha, t.Beta)
	}
	return nil
}

func (t SPRT) begin(info *env.Info, plain bool) monitor {
	m := &sprtMonitor{test: t}
	if plain && info.Players == 2 && info.Has(env.Competitive) {
		m.counts = pairs(0, 0, 0, 0, 0)
	}
	return m
}

// A tally counts blocks of one difference of return.
type tally struct{ x, n float64 }

// pairs are the five differences of return that a pair of won, drawn and lost games can show.
func pairs(n ...float64) []tally {
	counts := make([]tally, 5)
	for i := range counts {
		counts[i] = tally{float64(i - 2), n[i]}
	}
	return counts
}

type sprtMonitor struct {
	test   SPRT
	n      float64
	counts []tally // of the pentanomial model
	sum    moments
}

func (m *sprtMonitor) add(x float64) {
	m.n++
	m.sum.add(x)
	if m.counts != nil {
		i := slices.IndexFunc(m.counts, func(c tally) bool { return math.Abs(c.x-x) < 1e-9 })
		if i < 0 { // a forfeit
			i = len(m.counts)
			m.counts = append(m.counts, tally{x: x})
		}
		m.counts[i].n++
	}
}

// llr is the logarithm of the likelihood ratio.
func (m *sprtMonitor) llr() float64 {
	t := m.test
	if m.counts == nil {
		return m.n * (t.Return1 - t.Return0) * (m.sum.mean - (t.Return0+t.Return1)/2) / m.sum.variance()
	}
	// Differences that have not been seen yet get a little weight, so that none is held impossible.
	p := slices.Clone(m.counts)
	n := 0.0
	for i := range p {
		p[i].n = max(p[i].n, 1e-3)
		n += p[i].n
	}
	llr := 0.0
	theta0, theta1 := tilt(p, t.Return0), tilt(p, t.Return1)
	for _, c := range p {
		llr += c.n * (math.Log1p(theta0*(c.x-t.Return0)) - math.Log1p(theta1*(c.x-t.Return1)))
	}
	return llr
}

// tilt gives theta, with which the likeliest distribution of mean s gives x the weight n/(1 + theta (x-s)): the root
// of a function that falls between the poles (Owen 2001, "Empirical likelihood", section 2.9).
func tilt(counts []tally, s float64) float64 {
	least, most := counts[0].x, counts[0].x
	for _, c := range counts {
		least, most = min(least, c.x), max(most, c.x)
	}
	low, high := -1/(most-s), -1/(least-s)
	for range 100 {
		theta := (low + high) / 2
		sum := 0.0
		for _, c := range counts {
			sum += c.n * (c.x - s) / (1 + theta*(c.x-s))
		}
		if sum > 0 {
			low = theta
		} else {
			high = theta
		}
	}
	return (low + high) / 2
}

func (m *sprtMonitor) stop() Stop {
	t := m.test
	s := Stop{Rule: fmt.Sprintf("sequential test of %+g against %+g, errors %g and %g", t.Return1, t.Return0, t.Alpha,
		t.Beta), LLR: m.llr()}
	s.Lower, s.Upper = math.Log(t.Beta/(1-t.Alpha)), math.Log((1-t.Beta)/t.Alpha)
	switch {
	case s.LLR >= s.Upper:
		s.Decided, s.Verdict = true, fmt.Sprintf("%+g or more", t.Return1)
	case s.LLR <= s.Lower:
		s.Decided, s.Verdict = true, fmt.Sprintf("%+g or less", t.Return0)
	default:
		s.Verdict = "open"
	}
	return s
}

// Precision ends a match when the interval is no wider than HalfWidth to either side. Such an interval covers what it
// should as the games grow many (Chow and Robbins 1965).
type Precision struct{ HalfWidth float64 }

func (p Precision) check() error {
	if !(p.HalfWidth > 0) || math.IsInf(p.HalfWidth, 1) {
		return requestf("±%v: it is above 0", p.HalfWidth)
	}
	return nil
}

func (p Precision) begin(*env.Info, bool) monitor { return &precisionMonitor{rule: p} }

type precisionMonitor struct {
	rule Precision
	sum  moments
}

func (m *precisionMonitor) add(x float64) { m.sum.add(x) }

func (m *precisionMonitor) stop() Stop {
	s := Stop{Rule: fmt.Sprintf("until ±%g", m.rule.HalfWidth), Verdict: "not reached"}
	if n := m.sum.n; n > 1 {
		t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - (1-confidence)/2)
		// one sample more, as in variance, and no narrower than Estimate's
		if t*math.Sqrt((m.sum.squares+1)/(n-1)/n) <= m.rule.HalfWidth {
			s.Decided, s.Verdict = true, "reached"
		}
	}
	return s
}

// moments are the mean and the sum of squares about it (Welford 1962).
type moments struct{ n, mean, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += d * (x - m.mean)
}

// variance is that of the samples and one more that is off by 1, so that equal ones are not held to be certain.
func (m *moments) variance() float64 { return (m.squares + 1) / m.n }

// Until plays a match of two agents, or of one, or of two tables where versus is not nil, until the rule has seen
// enough, with o.Games as the most. The rule watches the difference of return between the two agents, or between the
// first table and the other one, or, with one agent, its return. The intervals of the results are those of matches of
// that length: they don't know that the length was not fixed.
func Until(ctx context.Context, g env.Game, makers, versus []*agents.Maker, o Options, rule StopRule) (result,
	other *MatchResult, err error) {
	if err := rule.check(); err != nil {
		return nil, nil, err
	}
	a, err := newSeries(g, makers, o)
	if err != nil {
		return nil, nil, err
	}
	all := []*series{a}
	if versus != nil {
		b, err := newSeries(g, versus, o)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, b)
	}
	watch, of, err := watched(all)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := rule.(SPRT); ok && versus == nil && len(a.makers) == 1 {
		return nil, nil, requestf("a sequential test compares two agents, or two tables; this is one agent")
	}
	m := rule.begin(g.Info(), o.Value == nil)
	var luckless control
	done := 0
	look := func(blocks int) Stop {
		for ; done < blocks; done++ {
			x, luck := watch(done)
			if math.IsNaN(x) {
				continue
			}
			if o.Value != nil {
				rest := luckless.without(x, luck)
				luckless.add(x, luck, 1)
				x = rest
			}
			m.add(x)
		}
		stop := m.stop()
		stop.Of = of
		return stop
	}
	var stop Stop
	for done < a.blocks && !stop.Decided {
		next := min(a.blocks, nextGroup(done))
		if o.Share.Partial() && !o.Share.Asking() { // What others play decides it, when all is put together.
			next = a.blocks
		}
		for _, s := range all {
			if err := s.play(ctx, next); err != nil {
				if interrupted := s.interrupted(err); interrupted != nil && versus == nil {
					stop = look(interrupted.Result.Blocks)
					interrupted.Result.Stop = &stop
				}
				return nil, nil, err
			}
		}
		if o.Share.Partial() && !o.Share.Asking() {
			break
		}
		if o.Share.Asking() && o.Share.Lacking() {
			for ; next < a.blocks && !o.Share.Enough(); next = min(a.blocks, nextGroup(next)) {
				for _, s := range all {
					if err := s.play(ctx, min(a.blocks, nextGroup(next))); err != nil {
						return nil, nil, err
					}
				}
			}
			break
		}
		stop = look(next)
	}
	result = a.result()
	result.Stop = &stop
	if versus != nil {
		other = all[1].result()
	}
	return result, other, nil
}

// watched is what a stop rule watches of a block, with what of it is luck, and its name.
func watched(all []*series) (watch func(block int) (x, luck float64), of string, err error) {
	mean := func(s *series, block int, belongs func(o *Outcome, seat int) bool) (x, luck float64) {
		outcomes := slices.Clone(s.outcomes[block*len(s.seatings):][:len(s.seatings)])
		for i := range outcomes {
			outcomes[i].Block = 0
		}
		a, _ := average(outcomes, belongs)
		return a.returns[0], a.luck[0]
	}
	everywhere := func(*Outcome, int) bool { return true }
	agent := func(i int) func(o *Outcome, seat int) bool {
		return func(o *Outcome, seat int) bool { return o.Seating[seat] == i }
	}
	difference := func(s, other *series, of, from func(o *Outcome, seat int) bool) func(block int) (x, luck float64) {
		return func(block int) (float64, float64) {
			x, luck := mean(s, block, of)
			y, others := mean(other, block, from)
			return x - y, luck - others
		}
	}
	a := all[0]
	switch {
	case len(all) == 2:
		return difference(a, all[1], everywhere, everywhere), "the first table's return minus the other's", nil
	case len(a.makers) == 2:
		return difference(a, a, agent(0), agent(1)), a.makers[0].Text + " minus " + a.makers[1].Text, nil
	case len(a.makers) == 1:
		return func(block int) (float64, float64) { return mean(a, block, everywhere) }, "return of " + a.makers[0].Text, nil
	}
	return nil, "", requestf("%d agents; a match that ends when it has shown enough has two", len(a.makers))
}
