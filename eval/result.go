package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/record"
)

// A MatchResult is what a match has shown. Its JSON has the fields in this order.
type MatchResult struct {
	Game      string         `json:"game"` // the full game text
	Short     string         `json:"-"`    // the game text for people
	Games     int            `json:"games"`
	Agents    []AgentResult  `json:"agents"` // the distinct ones, in the order of their first seats
	Ends      map[string]int `json:"ends"`   // games by reason of their end
	Decisions Decisions      `json:"decisions"`

	Differences []Difference `json:"differences"` // of each agent to each later one
	Seats       []SeatResult `json:"seats"`       // seat 0 first, whoever sat there

	Measures []MeasureResult `json:"measures,omitempty"` // means over blocks, in the order of env.Info.Measures
	Aivat    *Aivat          `json:"aivat,omitempty"`    // returns without what chance has given
	Commons  *Commons        `json:"commons,omitempty"`  // where motives are mixed
	Floor    *NoiseFloor     `json:"floor,omitempty"`
	Stop     *Stop           `json:"stop,omitempty"` // how a match that was played until it had shown enough has ended

	// Substitute is the agent that took over from those that forfeited; none if no game was, or if forfeits made
	// games void.
	Substitute string `json:"substitute,omitempty"`
	Void       int    `json:"void,omitempty"`  // games that ended with a forfeit
	Usage      Usage  `json:"usage,omitempty"` // what the agents have chosen, by families of actions

	Seed     uint64 `json:"seed"`
	Blocks   int    `json:"blocks"`   // game seeds
	Seatings int    `json:"seatings"` // games in a block
	Rules    int    `json:"rules"`    // version of the game's rules
	Data     string `json:"data"`     // hash of its component data
	Shared   bool   `json:"shared"`   // all seats win and lose together

	Outcomes []Outcome `json:"-"` // every game, in the order of blocks
}

// AgentResult is one agent's part: means over its seats and games, with 95 % confidence intervals over
// blocks.
type AgentResult struct {
	Agent      string   `json:"agent"`
	Seats      int      `json:"seats"` // taken in all games together
	MeanReturn float64  `json:"mean_return"`
	ReturnCI   Interval `json:"return_ci"`
	WinShare   float64  `json:"win_share"` // 1/k as one of k winners; where all win together, 1 on success
	WinCI      Interval `json:"win_ci"`
	MeanScore  float64  `json:"mean_score"`
	ScoreCI    Interval `json:"score_ci"`
	Forfeits   int      `json:"forfeits,omitempty"` // seats in which it crashed, took too long, or answered nonsense: lost
	Fault      string   `json:"fault,omitempty"`    // of the first of them

	// Faults are the forfeits by kind.
	Faults map[agents.Fault]int `json:"faults,omitempty"`
}

// Decisions are the lengths of the games, in decisions.
type Decisions struct {
	Mean float64 `json:"mean"`
	Max  int     `json:"max"`
}

// A Difference is the return of Agent minus that of Other, paired by block.
type Difference struct {
	Agent      string   `json:"agent"`
	Other      string   `json:"other"`
	MeanReturn float64  `json:"mean_return"`
	ReturnCI   Interval `json:"return_ci"`
	// Clear is that it is not 0, with an error of 5 % for all differences of the match together (Holm 1979).
	Clear bool `json:"clear"`
}

// SeatResult is what a seat is worth, whoever sits there.
type SeatResult struct {
	Seat       int      `json:"seat"`
	MeanReturn float64  `json:"mean_return"`
	ReturnCI   Interval `json:"return_ci"`
}

// MeasureResult is the mean of one of env.Info.Measures.
type MeasureResult struct {
	Name string   `json:"name"`
	Mean float64  `json:"mean"`
	CI   Interval `json:"ci"`
}

// The ranges of what is measured.
const (
	minReturn, maxReturn = -1, 1
	minWin, maxWin       = 0, 1
)

// averages are block means: one number per block, NaN where the block is void.
type averages struct{ returns, wins, scores, luck []float64 }

// average gives the block means over the seats of each game that belong says, and how many seats these are. A void
// game counts for the agents that have forfeited it alone, as lost; for all others its whole block is void.
func average(outcomes []Outcome, belongs func(o *Outcome, seat int) bool) (averages, int) {
	blocks := outcomes[len(outcomes)-1].Block + 1
	a := averages{make([]float64, blocks), make([]float64, blocks), make([]float64, blocks), make([]float64, blocks)}
	counts := make([]float64, blocks)
	total := 0
	for i := range outcomes {
		o := &outcomes[i]
		for seat := range o.Seating {
			if !belongs(o, seat) {
				continue
			}
			total++
			if o.Void && !o.forfeited(seat) {
				if !slices.ContainsFunc(o.Forfeits, func(f *agents.ForfeitError) bool {
					return o.Seating[f.Seat] == o.Seating[seat]
				}) {
					counts[o.Block] = math.NaN()
				}
				continue
			}
			a.returns[o.Block] += o.Returns[seat]
			a.wins[o.Block] += o.Wins[seat]
			a.scores[o.Block] += o.Scores[seat]
			if o.Luck != nil {
				a.luck[o.Block] += o.Luck[seat]
			}
			counts[o.Block]++
		}
	}
	for b, n := range counts {
		a.returns[b] /= n
		a.wins[b] /= n
		a.scores[b] /= n
		a.luck[b] /= n
	}
	return a, total
}

func summarise(info *env.Info, seed uint64, names []string, outcomes []Outcome) *MatchResult {
	blocks := outcomes[len(outcomes)-1].Block + 1
	r := &MatchResult{
		Game: info.Text, Short: info.Short, Games: len(outcomes), Ends: map[string]int{},
		Seed: seed, Blocks: blocks, Seatings: len(outcomes) / blocks,
		Rules: info.Rules, Data: info.DataHash, Shared: info.Shared(), Outcomes: outcomes,
	}
	byAgent := make([]averages, len(names))
	for i, name := range names {
		a, seats := average(outcomes, func(o *Outcome, seat int) bool { return o.Seating[seat] == i })
		row := AgentResult{Agent: name, Seats: seats}
		row.MeanReturn, row.ReturnCI = Estimate(a.returns, minReturn, maxReturn)
		row.WinShare, row.WinCI = EstimateShare(a.wins)
		row.MeanScore, row.ScoreCI = Estimate(a.scores, math.Inf(-1), math.Inf(1))
		row.countForfeits(i, outcomes)
		r.Agents = append(r.Agents, row)
		byAgent[i] = a
	}
	r.Differences = differences(byAgent, names)
	for seat := range info.Players {
		a, _ := average(outcomes, func(_ *Outcome, s int) bool { return s == seat })
		row := SeatResult{Seat: seat}
		row.MeanReturn, row.ReturnCI = Estimate(a.returns, minReturn, maxReturn)
		r.Seats = append(r.Seats, row)
	}
	for i, m := range info.Measures {
		r.Measures = append(r.Measures, newMeasureResult(m.Name, measured(outcomes, i)))
	}
	r.Commons = newCommons(info, names, outcomes)
	lengths := make([]float64, len(outcomes))
	for i, o := range outcomes {
		r.Ends[o.Reason]++
		if o.Void {
			r.Void++
		}
		r.Decisions.Max = max(r.Decisions.Max, o.Decisions)
		lengths[i] = float64(o.Decisions)
	}
	r.Decisions.Mean = stat.Mean(lengths, nil)
	return r
}

// First is what a match of so many games would have shown, rounded up to whole blocks: the first of this one, without
// usage.
func (r *MatchResult) First(info *env.Info, games int) *MatchResult {
	var names []string
	for _, a := range r.Agents {
		names = append(names, a.Agent)
	}
	outcomes := r.Outcomes[:min(len(r.Outcomes), (games+r.Seatings-1)/r.Seatings*r.Seatings)]
	first := summarise(info, r.Seed, names, outcomes)
	first.noteSubstitute(r.Substitute)
	return first
}

// noteSubstitute says who has taken over from those that forfeited, if anybody has.
func (r *MatchResult) noteSubstitute(text string) {
	if slices.ContainsFunc(r.Outcomes, func(o Outcome) bool { return o.Forfeits != nil }) {
		r.Substitute = text
	}
}

func differences(byAgent []averages, names []string) []Difference {
	all := []Difference{}
	var blocks [][]float64
	for i := range names {
		for j := i + 1; j < len(names); j++ {
			d, paired := Difference{Agent: names[i], Other: names[j]}, minus(byAgent[i].returns, byAgent[j].returns)
			d.MeanReturn, d.ReturnCI = Estimate(paired, minReturn-maxReturn, maxReturn-minReturn)
			all, blocks = append(all, d), append(blocks, paired)
		}
	}
	for k, clear := range holm(blocks, maxReturn-minReturn) {
		all[k].Clear = clear && !all[k].ReturnCI.Holds(0)
	}
	return all
}

// countForfeits counts the seats that an agent has forfeited, and says how it did so first.
func (a *AgentResult) countForfeits(agent int, outcomes []Outcome) {
	for _, o := range outcomes {
		for _, f := range o.Forfeits {
			if o.Seating[f.Seat] != agent {
				continue
			}
			if a.Forfeits++; a.Forfeits == 1 {
				a.Fault, a.Faults = f.Err.Error(), map[agents.Fault]int{}
			}
			a.Faults[f.Kind]++
		}
	}
}

// faults writes the forfeits by kind: 2 timeout, 1 crash.
func (a *AgentResult) faults() string {
	var kinds []string
	for _, kind := range agents.Faults() {
		if n := a.Faults[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return strings.Join(kinds, ", ")
}

// measured gives the block means of a measure. Blocks count alike, as they do everywhere: those of a tournament are of
// as many games as their mixes have rotations.
func measured(outcomes []Outcome, measure int) []float64 {
	return blockMeans(outcomes, func(o *Outcome) (float64, float64) { return o.Measures[measure], 1 })
}

func newMeasureResult(name string, blocks []float64) MeasureResult {
	m := MeasureResult{Name: name}
	m.Mean, m.CI = Estimate(blocks, math.Inf(-1), math.Inf(1))
	return m
}

func minus(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// An Outcome is one game of a match.
type Outcome struct {
	Block   int    // from 0
	Seed    uint64 // of the game; all games of a block have the same
	Seating []int  // by seat: the agent, as an index into MatchResult.Agents
	env.Result
	// by seat: what its decisions have used up of what is shared (env.Commons); nil where nothing is
	Depleted []float64
	Wins     []float64              // by seat: its share of the win (env.Result.WinShare), none for one that has forfeited
	Luck     []float64              // by seat: what chance has given of the return, by Options.Value; 0 on average
	Forfeits []*agents.ForfeitError // in their order
	// the last forfeit has ended the game: nothing is known of the seats that didn't forfeit
	Void   bool
	Record *record.Record // of the first Options.Records games
	// Transcripts are, by seat, those of agents that keep one (agents.Transcriber), of games whose record is kept.
	Transcripts [][]byte
	File        string // where a report finds the record of the game; "" is nowhere
	Page        string // where a report finds the game to be watched; "" is nowhere

	kept   bool // the record
	played bool
	usage  []byte // of the game, where work is shared (UsageCounter.counts)
}

func (o *Outcome) forfeited(seat int) bool {
	return slices.ContainsFunc(o.Forfeits, func(f *agents.ForfeitError) bool { return f.Seat == env.Player(seat) })
}
