package eval

import (
	"context"
	"fmt"
	"math"
	"strings"

	"earthgym/agents"
	"earthgym/env"
)

// A Comparison is one table of agents minus another on the same game seeds: what there is to compare where
// all seats win and lose together.
type Comparison struct {
	Game   string `json:"game"` // the full game text
	Short  string `json:"-"`    // the game text for people
	A      string `json:"a"`    // the agents of the first table, joined by ", "
	B      string `json:"b"`
	Blocks int    `json:"blocks"` // pairs of game seeds

	MeanReturn float64  `json:"mean_return"`
	ReturnCI   Interval `json:"return_ci"`
	WinShare   float64  `json:"win_share"`
	WinCI      Interval `json:"win_ci"`
	MeanScore  float64  `json:"mean_score"`
	ScoreCI    Interval `json:"score_ci"`

	Aivat    *AivatDifference `json:"aivat,omitempty"` // the return without what chance has given
	Measures []MeasureResult  `json:"measures,omitempty"`
}

// Compare pairs two matches by their game seeds: the mean over all seats and games of a block of a, minus
// that of b. They must be matches of one game with one seed; of different lengths, the blocks that both
// have are compared.
func Compare(a, b *MatchResult) (*Comparison, error) {
	if a.Game != b.Game || a.Rules != b.Rules || a.Data != b.Data {
		return nil, fmt.Errorf("matches are compared within one game; these are of %s (rules %d, data %s) and %s (rules "+
			"%d, data %s)",
			a.Short, a.Rules, a.Data, b.Short, b.Rules, b.Data)
	}
	if a.Seed != b.Seed {
		return nil, fmt.Errorf("matches are compared on the same game seeds; these were played with seed %d and seed %d",
			a.Seed, b.Seed)
	}
	blocks := min(a.Blocks, b.Blocks)
	all := func(*Outcome, int) bool { return true }
	minuend, subtrahend := a.Outcomes[:blocks*a.Seatings], b.Outcomes[:blocks*b.Seatings]
	of, _ := average(minuend, all)
	from, _ := average(subtrahend, all)
	c := &Comparison{Game: a.Game, Short: a.Short, A: a.names(), B: b.names(), Blocks: blocks}
	c.MeanReturn, c.ReturnCI = Estimate(minus(of.returns, from.returns), minReturn-maxReturn, maxReturn-minReturn)
	c.WinShare, c.WinCI = Estimate(minus(of.wins, from.wins), minWin-maxWin, maxWin-minWin)
	c.MeanScore, c.ScoreCI = Estimate(minus(of.scores, from.scores), math.Inf(-1), math.Inf(1))
	if a.Aivat != nil && b.Aivat != nil && a.Aivat.Value == b.Aivat.Value {
		d := AivatDifference{Agent: c.A, Other: c.B}
		d.MeanReturn, d.ReturnCI, d.Factor = withoutLuck(minus(of.returns, from.returns), minus(of.luck, from.luck),
			minReturn-maxReturn, maxReturn-minReturn)
		c.Aivat = &d
	}
	for i, m := range a.Measures {
		c.Measures = append(c.Measures, newMeasureResult(m.Name, minus(measured(minuend, i), measured(subtrahend, i))))
	}
	return c, nil
}

func (r *MatchResult) names() string {
	names := make([]string, len(r.Agents))
	for i, a := range r.Agents {
		names[i] = a.Agent
	}
	return strings.Join(names, ", ")
}

// Lead is how much more one agent returns than another: one seat of it among seats of the other, or, where all seats
// win together or there is but one, a table of its own less a table of the other's on the same seeds. An agent is not
// ahead of itself, and nothing is played to show it.
func Lead(ctx context.Context, g env.Game, one, other *agents.Maker, o Options) (*Difference, error) {
	if one.Text == other.Text {
		return &Difference{Agent: one.Text, Other: other.Text}, nil
	}
	if info := g.Info(); !info.Shared() && info.Players > 1 {
		r, err := Match(ctx, g, []*agents.Maker{one, other}, o)
		if err != nil {
			return nil, err
		}
		return &r.Differences[0], nil
	}
	ours, err := Match(ctx, g, []*agents.Maker{one}, o)
	if err != nil {
		return nil, err
	}
	theirs, err := Match(ctx, g, []*agents.Maker{other}, o)
	if err != nil {
		return nil, err
	}
	c, err := Compare(ours, theirs)
	if err != nil {
		return nil, err
	}
	return c.difference(), nil
}

func (c *Comparison) difference() *Difference {
	return &Difference{Agent: c.A, Other: c.B, MeanReturn: c.MeanReturn, ReturnCI: c.ReturnCI, Clear: !c.ReturnCI.Holds(0)}
}
