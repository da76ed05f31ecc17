package eval

import (
	"context"
	"fmt"
	"slices"

	"earthgym/agents"
	"earthgym/env"
)

// A Deviation is what comes of it when one seat of a table that is all one agent's is a guest's: what the guest gets
// there, and what that does to the others. All is paired by game seeds: the guest sits in each seat once, and the table
// plays the same seeds without it.
type Deviation struct {
	Agent  string `json:"agent"` // of the table
	Guest  string `json:"guest"`
	Blocks int    `json:"blocks"` // game seeds

	Return     Share `json:"return"`      // the guest's mean return
	Own        Share `json:"own"`         // that of the agent itself in the same seats
	Gain       Share `json:"gain"`        // Return - Own
	Others     Share `json:"others"`      // mean return of the others beside the guest
	OthersGain Share `json:"others_gain"` // the same minus Own

	gains, othersGains []float64 // by block
}

// NewDeviation pairs two matches on the same game seeds: one with a guest in one seat, in all rotations, and one
// without it, on as many seeds as GuestSeeds says.
func NewDeviation(with, without *MatchResult) (*Deviation, error) {
	switch {
	case with.Game != without.Game || with.Seed != without.Seed:
		return nil, fmt.Errorf("what a guest gains is told on the same seeds of one game; these are seed %d of %s and "+
			"seed %d of %s", with.Seed, with.Short, without.Seed, without.Short)
	case len(with.Agents) != 2 || len(without.Agents) != 1 || with.Agents[1].Agent != without.Agents[0].Agent:
		return nil, fmt.Errorf("a guest sits at the table of one agent; these are tables of %s and %s", with.names(),
			without.names())
	}
	d := &Deviation{Guest: with.Agents[0].Agent, Agent: with.Agents[1].Agent, Blocks: min(with.Blocks, without.Blocks)}
	of := func(r *MatchResult, agent int) []float64 {
		a, _ := average(r.Outcomes[:d.Blocks*r.Seatings], func(o *Outcome, seat int) bool { return o.Seating[seat] == agent })
		return a.returns
	}
	guest, others, own := of(with, 0), of(with, 1), of(without, 0)
	const most = maxReturn - minReturn
	d.Return, d.Own = newShare(guest, minReturn, maxReturn), newShare(own, minReturn, maxReturn)
	d.gains, d.othersGains = minus(guest, own), minus(others, own)
	d.Gain, d.OthersGain = newShare(d.gains, -most, most), newShare(d.othersGains, -most, most)
	d.Others = newShare(others, minReturn, maxReturn)
	return d, nil
}

// Deviate plays a guest in one seat of an agent's table, and the table without it on the same seeds, o.Games of the
// first. Where the guest was trained to exploit the agent, its gain is how much the agent can be exploited at the
// least.
func Deviate(ctx context.Context, g env.Game, guest, agent *agents.Maker, o Options) (*Deviation, error) {
	switch {
	case guest.Text == agent.Text:
		return nil, requestf("%s is a guest at its own table", guest.Text)
	case g.Info().Players == 1:
		return nil, requestf("%s has one seat: there is no table to be a guest at", g.Info().Short)
	}
	seats := g.Info().Players
	seeds := GuestSeeds(o.Games, seats)
	play := inTurn(ctx, g, o, seeds*(seats+1))
	without, err := play(seeds, agent)
	if err != nil {
		return nil, err
	}
	with, err := play(o.Games, guest, agent)
	if err != nil {
		return nil, err
	}
	return NewDeviation(with, without)
}

// inTurn plays matches one after the other, which have so many games in all, of which progress and interruptions tell.
func inTurn(ctx context.Context, g env.Game, o Options,
	total int) func(games int, table ...*agents.Maker) (*MatchResult, error) {
	before, progress := 0, o.Progress
	if progress != nil {
		o.Progress = func(done, _ int) { progress(before+done, total) }
	}
	return func(games int, table ...*agents.Maker) (*MatchResult, error) {
		o.Games = games
		r, err := Match(ctx, g, table, o)
		if err != nil {
			return nil, amid(err, before, total)
		}
		before += r.Games
		return r, nil
	}
}

// GuestSeeds is on how many game seeds a guest plays at least so many games, one in each of the seats.
func GuestSeeds(games, seats int) int { return (games + seats - 1) / seats }

// A CrossPlay is what agents make of each other's tables: of agents that were trained apart, whether they get on (Hu et
// al. 2020, "Other-Play"); where motives are mixed, what a focal agent gets among a background population, and what
// that makes of it (Leibo et al. 2021, "Scalable evaluation of multi-agent reinforcement learning with Melting Pot").
type CrossPlay struct {
	Game   string   `json:"game"`
	Short  string   `json:"-"`
	Rules  int      `json:"rules"`
	Data   string   `json:"data"`
	Seed   uint64   `json:"seed"`
	Blocks int      `json:"blocks"` // game seeds
	Agents []string `json:"agents"`
	Shared bool     `json:"shared"`
	// Tables are, by agent, its table with each agent as a guest in one seat; with itself that is its own table.
	Tables [][]Table `json:"tables"`
	// Floor is, by agent, what a copy of it, with luck of its own, gains as a guest at its table: the noise floor. That of
	// one that does nothing by chance is 0, and nothing is played for it: its copy plays the games of the table alone.
	Floor []Share `json:"floor"`

	Self  Share `json:"self"`  // mean return of the tables of one agent alone
	Cross Share `json:"cross"` // of the guests at all others' tables
	Gap   Share `json:"gap"`   // Cross - Self, paired by game seeds

	// Best is, where motives are mixed, the table of the greatest welfare known, and Price what each agent's own table
	// falls short of it: the price of selfishness.
	Best  *Table  `json:"best,omitempty"`
	Price []Share `json:"price,omitempty"` // by agent
}

// A Table is a cell of a CrossPlay.
type Table struct {
	Deviation
	Success  Share           `json:"success"` // share of the win of the guest's seat; where all win together, games won
	Measures []MeasureResult `json:"measures,omitempty"`
	Commons  *Commons        `json:"commons,omitempty"` // the guest first
	Ends     map[string]int  `json:"ends"`

	// Whether the guest makes a difference to its own return, and to that of the others, with an error of 5 % for all
	// guests at all tables together (Holm 1979).
	GainClear   bool `json:"gain_clear"`
	OthersClear bool `json:"others_clear"`

	match *MatchResult
}

// PlayCrossPlay plays every agent, and a copy of it, as a guest at every agent's table, o.Games games with each guest,
// all on the same seeds.
func PlayCrossPlay(ctx context.Context, g env.Game, makers []*agents.Maker, o Options) (*CrossPlay, error) {
	info := g.Info()
	if info.Players == 1 {
		return nil, requestf("%s has one seat: there are no guests", info.Short)
	}
	if len(makers) < 2 {
		return nil, requestf("%d agents; to be guests at each other's tables there must be at least 2", len(makers))
	}
	c := &CrossPlay{Game: info.Text, Short: info.Short, Rules: info.Rules, Data: info.DataHash, Seed: o.Seed,
		Shared: info.Shared()}
	for _, m := range makers {
		if slices.Contains(c.Agents, m.Text) {
			return nil, requestf("agent %s is there twice", m.Text)
		}
		c.Agents = append(c.Agents, m.Text)
	}
	n, seatings := len(makers), info.Players
	blocks := GuestSeeds(o.Games, seatings)
	total := n*blocks + n*n*blocks*seatings
	for _, m := range makers {
		if m.Steady {
			total -= blocks * seatings
		}
	}
	play := inTurn(ctx, g, o, total)
	for i, own := range makers {
		without, err := play(blocks, own)
		if err != nil {
			return nil, err
		}
		row := make([]Table, n)
		for j, guest := range makers {
			if j == i {
				row[j], guest = ownTable(without), own.Copy()
				if own.Steady {
					c.Floor = append(c.Floor, Share{})
					continue
				}
			}
			with, err := play(blocks*seatings, guest, own)
			if err != nil {
				return nil, err
			}
			d, err := NewDeviation(with, without)
			if err != nil {
				return nil, err
			}
			if j == i {
				c.Floor = append(c.Floor, d.Gain)
				continue
			}
			row[j] = newTable(d, with)
		}
		c.Tables = append(c.Tables, row)
	}
	c.Blocks = blocks
	c.mark()
	c.sumUp()
	return c, nil
}

// mark says which guests make a difference.
func (c *CrossPlay) mark() {
	var gains, others [][]float64
	var guests []*Table
	for i, row := range c.Tables {
		for j := range row {
			if i != j {
				guests, gains, others = append(guests, &row[j]), append(gains, row[j].gains), append(others, row[j].othersGains)
			}
		}
	}
	ofGuests, ofOthers := holm(gains, maxReturn-minReturn), holm(others, maxReturn-minReturn)
	for k, t := range guests {
		t.GainClear, t.OthersClear = ofGuests[k] && !t.Gain.CI.Holds(0), ofOthers[k] && !t.OthersGain.CI.Holds(0)
	}
}

func newTable(d *Deviation, r *MatchResult) Table {
	return Table{Deviation: *d, Success: Share{r.Agents[0].WinShare, r.Agents[0].WinCI}, Measures: r.Measures,
		Commons: r.Commons, Ends: r.Ends, match: r}
}

// ownTable is the table of one agent alone.
func ownTable(r *MatchResult) Table {
	own := Share{r.Agents[0].MeanReturn, r.Agents[0].ReturnCI}
	return newTable(&Deviation{Agent: r.Agents[0].Agent, Guest: r.Agents[0].Agent, Blocks: r.Blocks, Return: own, Own: own,
		Others: own}, r)
}

// sumUp works out what all tables say together.
func (c *CrossPlay) sumUp() {
	self, cross := make([]float64, c.Blocks), make([]float64, c.Blocks)
	n := float64(len(c.Agents))
	welfare := make([][][]float64, len(c.Agents)) // block means of the mean return of all seats
	best := 0.0
	for i, row := range c.Tables {
		welfare[i] = make([][]float64, len(row))
		for j := range row {
			r := row[j].match
			all, _ := average(r.Outcomes, func(*Outcome, int) bool { return true })
			welfare[i][j] = all.returns
			guest, _ := average(r.Outcomes, func(o *Outcome, seat int) bool { return o.Seating[seat] == 0 })
			for b, x := range guest.returns {
				if i == j {
					self[b] += x / n
				} else {
					cross[b] += x / (n * (n - 1))
				}
			}
			if t := &c.Tables[i][j]; t.Commons != nil && (c.Best == nil || t.Commons.Welfare.Mean > best) {
				c.Best, best = t, t.Commons.Welfare.Mean
			}
		}
	}
	const most = maxReturn - minReturn
	c.Self, c.Cross = newShare(self, minReturn, maxReturn), newShare(cross, minReturn, maxReturn)
	c.Gap = newShare(minus(cross, self), -most, most)
	if c.Best == nil {
		return
	}
	of := welfare[slices.Index(c.Agents, c.Best.Agent)][slices.Index(c.Agents, c.Best.Guest)]
	for i := range c.Agents {
		c.Price = append(c.Price, newShare(minus(of, welfare[i][i]), -most, most))
	}
}
