package eval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/spelling"
)

// A NoiseFloor is what comes of an agent against a copy of itself, under another name and with luck of its own: how
// large a difference looks where there is none. If it is clear of 0, which happens by chance in one of twenty, and
// again with another seed, differences of that size are not to be believed.
type NoiseFloor struct {
	Difference
	Games int `json:"games"` // played for it
	// Steady is that the agents do nothing by chance: a copy plays game by game as the agent does, in the same seats, so
	// that the difference is 0 and no game is needed to show it.
	Steady bool `json:"steady,omitempty"`
}

// DefaultFloor stands for as many games of a noise floor as suit what was played: a quarter of its games at most, and
// no more than that the agent and its copy together take half as many seats as the agent has taken there. Below two
// blocks there is no noise floor.
const DefaultFloor = -1

// floorGames is how many games DefaultFloor stands for.
func floorGames(games, seats, players int) int { return min(games/4, seats/(2*players)) }

// Floor plays the noise floor of a match that has shown r, in so many games at least or DefaultFloor. Where agents sat
// at one table against each other that is the first of them that does anything by chance, in its own seats, and copies
// of it in all others; elsewhere the table, whose games count, and one of copies on the same seeds. It is nil if the
// match is too short.
func Floor(ctx context.Context, g env.Game, makers []*agents.Maker, r *MatchResult, o Options,
	games int) (*NoiseFloor, error) {
	o.Records, o.Value, o.Thinking, o.Study = 0, nil, nil, nil // They are the match's.
	distinct, seats, err := seat(g.Info(), makers)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(distinct, func(m *agents.Maker) bool { return !m.Steady })
	switch {
	case i < 0:
		return steadyFloor(distinct[0]), nil
	case !r.versus():
		return r.tableFloor(ctx, g, makers, o, games)
	}
	one, other := distinct[i], distinct[i].Copy()
	table := make([]*agents.Maker, len(seats))
	for p, of := range seats {
		table[p] = other
		if of == i {
			table[p] = one
		}
	}
	_, seats, err = seat(g.Info(), table)
	if err != nil {
		return nil, err
	}
	if o.Games = r.floorGames(games, r.Agents[i].Seats, len(rotations(seats))); o.Games == 0 {
		return nil, nil
	}
	played, err := Match(ctx, g, table, o)
	if err != nil {
		return nil, err
	}
	d := played.Differences[0]
	if d.Agent != one.Text {
		d = d.reversed()
	}
	return &NoiseFloor{Difference: d, Games: played.Games}, nil
}

// tableFloor is the noise floor of a whole table.
func (r *MatchResult) tableFloor(ctx context.Context, g env.Game, makers []*agents.Maker, o Options,
	games int) (*NoiseFloor, error) {
	if o.Games = min(r.Games, r.floorGames(games, r.Games*len(r.Seats), r.Seatings)); o.Games == 0 {
		return nil, nil
	}
	var copies []*agents.Maker
	for _, m := range makers {
		copies = append(copies, m.Copy())
	}
	played, err := Match(ctx, g, copies, o)
	if err != nil {
		return nil, err
	}
	c, err := Compare(r.First(g.Info(), played.Games), played)
	if err != nil {
		return nil, err
	}
	return &NoiseFloor{Difference: *c.difference(), Games: played.Games}, nil
}

// floorGames is how many games the noise floor of a match has, in whole blocks of so many.
func (r *MatchResult) floorGames(asked, seats, block int) int {
	if asked >= 0 {
		return asked
	}
	games := floorGames(r.Games, seats, len(r.Seats)) / block * block
	if games < 2*block {
		return 0
	}
	return games
}

// DeviationFloor is the noise floor of Deviate in o.Games games: what a copy of the agent, as a guest at its table,
// gains over it, in a quarter as many games.
func DeviationFloor(ctx context.Context, g env.Game, agent *agents.Maker, o Options) (*NoiseFloor, error) {
	if agent.Steady {
		return steadyFloor(agent), nil
	}
	block := g.Info().Players
	if o.Games = o.Games / 4 / block * block; o.Games < 2*block {
		return nil, nil
	}
	d, err := Deviate(ctx, g, agent.Copy(), agent, o)
	if err != nil {
		return nil, err
	}
	gain := Difference{Agent: d.Guest, Other: d.Agent, MeanReturn: d.Gain.Mean, ReturnCI: d.Gain.CI,
		Clear: !d.Gain.CI.Holds(0)}
	return &NoiseFloor{Difference: gain, Games: o.Games}, nil
}

func steadyFloor(m *agents.Maker) *NoiseFloor {
	return &NoiseFloor{Difference: Difference{Agent: m.Text, Other: m.Copy().Text}, Steady: true}
}

// noise is the noise floor beside these games of the field; nil without.
func (t *Tournament) noise(field []Outcome) *NoiseFloor {
	info := t.series.game.Info()
	switch {
	case t.steady:
		return steadyFloor(t.series.makers[0])
	case t.floor == nil:
		return nil
	}
	names, outcomes := t.floor.series.names(), t.floor.whole()
	if len(outcomes) == 0 {
		return nil
	}
	if !info.Shared() {
		return &NoiseFloor{Difference: summarise(info, t.header.Seed, names, outcomes).Differences[0], Games: len(outcomes)}
	}
	own := make([]float64, len(outcomes)) // by block
	for i := range own {
		own[i] = math.NaN()
	}
	for _, o := range field {
		if o.Block < len(own) && o.Seating[0] == t.floorOf && !o.Void {
			own[o.Block] = tableReturn(&o)
		}
	}
	for i := range outcomes {
		if own[i] -= tableReturn(&outcomes[i]); outcomes[i].Void {
			own[i] = math.NaN()
		}
	}
	d := Difference{Agent: names[0], Other: names[1]}
	d.MeanReturn, d.ReturnCI = Estimate(own, minReturn-maxReturn, maxReturn-minReturn)
	d.Clear = !d.ReturnCI.Holds(0)
	return &NoiseFloor{Difference: d, Games: len(outcomes)}
}

// Text says what the noise floor shows, and what that means.
func (f *NoiseFloor) Text() string { return strings.Join(f.parts(), ", ") }

func (f *NoiseFloor) parts() []string {
	agent, other := spelling.Printable(f.Agent), spelling.Printable(f.Other)
	if f.Steady {
		return []string{"none: " + agent + " does nothing by chance", "so that a copy of it plays as it does in every game"}
	}
	shown := fmt.Sprintf("%s minus %s: return %s in %s", agent, other, signed(f.MeanReturn, f.ReturnCI),
		spelling.Counted(f.Games, "game"))
	if f.Clear {
		return []string{shown, "which is clear of 0: so it is in 1 of 20 by chance",
			"but if another seed shows it again, believe no difference of this size"}
	}
	return []string{shown, "not clear of 0, as it should be"}
}
