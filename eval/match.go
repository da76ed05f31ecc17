// Package eval measures agents against each other: matches and tournaments with confidence intervals, guests at
// each other's tables; as tables for the terminal, as JSON, and as reports (a page, Markdown).
//
// It reads from top to bottom: match.go tells the whole story, and each file stands above those that it calls.
//
//	match.go                           what is played, block by block, and what comes of it
//	tournament.go                      a field of agents, whose games are kept in a folder
//	play.go                            the engine: many games at once
//	shared.go                          games that other machines play
//	tables.go, floor.go                forms of reports; differences where there are none
//	crosstable.go, report.go           guests as a table; reports as pages
//	thinking.go                        time taken
//	deviation.go                       guests that were trained against the table
//	chart.go                           curves in reports
//	sequential.go, study.go, usage.go  when a match may stop; who watches one; what was chosen
//	table.go                           results as text
//	standings.go, commons.go           ratings; how a table fared together
//	gameline.go                        a game as a line of a file
//	errors.go                          what went wrong
//	compare.go, aivat.go               two tables; returns without luck
//	result.go, interval.go             averages of outcomes, and their intervals
//
// # How a match is made
//
// The unit is the block: one game seed, played once in every distinct cyclic rotation of the agents over
// the seats. Each agent so meets the same luck in the same seats, and what the seed and the seats give is
// the same for all. The games of a block are not independent, but blocks are: every interval is computed
// from the means of blocks ([Estimate]), and the difference of two agents from the differences within
// blocks.
//
// # What else is measured
//
// Where motives are mixed, results say how a table fared together ([Commons]): what it lost, who pushed that over, how
// unequal the scores are. [PlayCrossPlay] seats agents as guests at each other's tables, and [Deviate] measures what
// a guest that was trained to exploit an agent gains. Package benchmark puts them together in a fixed protocol. Whoever
// wants to know something else of a match watches it as a [Study].
//
// # What results depend on
//
// What chance has given each seat can be taken from its return ([Options.Value], AIVAT), which leaves the mean as it is
// and makes intervals narrower where the values foretell returns; [NoiseFloor] shows how large differences look where
// there are none; [Tournament] keeps the games of a field of agents in a folder and rates them.
//
// # What it costs
//
// Beside rules and agents, seating, counting and results take some 30 to 60 ns a decision: a tenth to a sixth of a
// match between the fastest bots (script:greedy of One Earth and Resilience Earth, 300 to 450 ns a decision in all), 5
// % in the other games, and nothing to speak of beside agents that think for microseconds. To time the agents, as
// tournaments do, takes as much again. BenchmarkMatch tells.
//
// # What stays the same
//
// All seeds are drawn before the first game, an agent's chance depends on the game's seed and its own
// seat alone, and outcomes are kept by number: a result doesn't depend on how many workers played.
package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/farm"
	"earthgym/env/spelling"
)

// Options say how a match is played.
type Options struct {
	Games    int                   // at least 1; rounded up to whole blocks
	Seed     uint64                // of all chance of the match
	Workers  int                   // games with programs at a time; 0 = as many as there are cores to run on
	Progress func(done, total int) // if not nil, called after each game, never twice at once

	// Substitute takes over the seat of an agent that has forfeited and plays the game to its end, so that what the
	// others get is what they have earned. Without one the game is void, and so is its block for all other agents.
	Substitute *agents.Maker

	// Fresh has agents that are programs (agents.IsForeign) start anew for the games of each block, so that nothing that
	// they remember reaches from one block to another. Those that play many games at once (agents.Companion) start anew
	// when each of their tables has played a block.
	Fresh bool

	// Program is what plays, for the headers of records.
	Program string

	// Times has each game played to its end before the next, and its record say when it began and how long decisions took.
	Times bool

	// Records are how many games, from the first on, have their record kept (Outcome.Record).
	Records int

	// Value, if not nil, says what returns the seats may expect, so that what chance has given them can be taken from
	// what they have got (MatchResult.Aivat).
	Value *agents.Value

	// Thinking, if not nil, is told how long agents think.
	Thinking *Thinking

	// Share, if not nil, has games played that are this shard's, or none, and the others taken from what was played
	// elsewhere. Of a shard (farm.Share.Partial) the games of others are void, and no result says anything.
	Share *farm.Share

	// Study, if not nil, makes a Study for each table to watch its games.
	Study func() Study
}

// Match seats the agents from seat 0 on, the last one in all seats that are left, and plays blocks of all rotations of
// that seating until there are o.Games games. A forfeit loses the game for its seat, and pays nobody: see
// Options.Substitute. An agent that fails otherwise or breaks the rules ends the match with an error, and the end of
// ctx with an InterruptedError, which tells what was played.
func Match(ctx context.Context, g env.Game, makers []*agents.Maker, o Options) (*MatchResult, error) {
	m, err := newSeries(g, makers, o)
	if err != nil {
		return nil, err
	}
	if err := m.play(ctx, m.blocks); err != nil {
		m.interrupted(err)
		return nil, err
	}
	return m.result(), nil
}

// Games plays one game on each seed from o.Seed on, with the agents seated as Match seats them first, and gives what
// they have chosen. It tells ended of each with its number when it ends, never of two at once, and last of those that
// have failed after something was kept of them, which have no record.
func Games(ctx context.Context, g env.Game, makers []*agents.Maker, o Options,
	ended func(i int, o *Outcome) error) (Usage, error) {
	distinct, seats, err := seat(g.Info(), makers)
	if err != nil {
		return nil, err
	}
	m := newSchedule(g, distinct, env.Stream{}, o)
	m.total = o.Games
	for i := range o.Games {
		m.outcomes = append(m.outcomes, Outcome{Block: i, Seed: o.Seed + uint64(i), Seating: seats, kept: i < o.Records})
	}
	m.log = func(i int, o *Outcome, _ []thought) error { return ended(i, o) }
	err = m.playAll(ctx, 0)
	for i := range m.outcomes {
		if o := &m.outcomes[i]; !o.played && o.Transcripts != nil {
			err = errors.Join(err, ended(i, o))
		}
	}
	return m.usage.Usage(), err
}

// interrupted gives an error that tells of an interruption the result of the whole blocks that were played before it;
// nil if it tells of something else, or if there are none.
func (m *series) interrupted(err error) *InterruptedError {
	interrupted := new(InterruptedError)
	if !errors.As(err, &interrupted) {
		return nil
	}
	whole := slices.IndexFunc(m.outcomes, func(o Outcome) bool { return !o.played }) / len(m.seatings)
	if whole == 0 {
		return nil
	}
	interrupted.Result = m.shown(m.outcomes[:whole*len(m.seatings)])
	return interrupted
}

// A series is a match while it is played.
type series struct {
	game     env.Game
	makers   []*agents.Maker // the distinct ones
	options  Options
	seatings [][]int
	blocks   int // to be played at the most
	outcomes []Outcome
	usage    *UsageCounter
	seeds    env.Stream
	total    int // games, as far as is known
	others   int // of them, those that other shards play
	// if not nil, told of each game when it ends, never twice at once
	log    func(i int, o *Outcome, thought []thought) error
	named  *namedPiece // the last block that was shared
	ground farm.Ground // of what is shared; nil before it is asked for
	// fits, where there is a ground
	judge func(block int, games []farm.Result) error
	left  func(game int) string // if not nil, where the record of a game is kept, seen from the folder of the share
}

func newSeries(g env.Game, makers []*agents.Maker, o Options) (*series, error) {
	if o.Games < 1 {
		return nil, fmt.Errorf("a match has at least 1 game, not %d", o.Games)
	}
	distinct, seats, err := seat(g.Info(), makers)
	if err != nil {
		return nil, err
	}
	m := &series{game: g, makers: distinct, options: o, seatings: rotations(seats), seeds: env.NewStream(o.Seed, "match")}
	m.blocks = (o.Games + len(m.seatings) - 1) / len(m.seatings)
	m.total = m.blocks * len(m.seatings)
	m.usage = NewUsageCounter(g.Info(), m.names())
	return m, nil
}

func (m *series) names() []string {
	names := make([]string, len(m.makers))
	for i, maker := range m.makers {
		names[i] = maker.Text
	}
	return names
}

// play plays on until there are so many blocks.
func (m *series) play(ctx context.Context, blocks int) error {
	from := len(m.outcomes)
	if share := m.options.Share; share != nil {
		g, err := m.sharedGround()
		if err != nil {
			return err
		}
		blocks = max(share.Reach(g, blocks), from/len(m.seatings))
	}
	m.outcomes = slices.Grow(m.outcomes, blocks*len(m.seatings)-from)
	for block := from / len(m.seatings); block < blocks; block++ {
		seed := m.seeds.Uint64()
		for _, seating := range m.seatings {
			m.outcomes = append(m.outcomes,
				Outcome{Block: block, Seed: seed, Seating: seating, kept: len(m.outcomes) < m.options.Records})
		}
	}
	return m.playAll(ctx, from)
}

func (m *series) result() *MatchResult {
	r := m.shown(m.outcomes)
	r.Usage = m.usage.Usage()
	return r
}

// shown is what the games of whole blocks show.
func (m *series) shown(outcomes []Outcome) *MatchResult {
	r := summarise(m.game.Info(), m.options.Seed, m.names(), outcomes)
	if m.options.Value != nil {
		r.Aivat = newAivat(m.options.Value.Text, m.names(), outcomes)
	}
	if m.options.Substitute != nil {
		r.noteSubstitute(m.options.Substitute.Text)
	}
	return r
}

// seat gives the distinct agents in order of first appearance, and which of them sits in each seat.
func seat(info *env.Info, makers []*agents.Maker) (distinct []*agents.Maker, seats []int, err error) {
	switch {
	case len(makers) == 0:
		return nil, nil, requestf("a match needs at least one agent")
	case len(makers) > info.Players:
		return nil, nil, requestf("%d agents for the %s of %s", len(makers), spelling.Counted(info.Players, "seat"),
			info.Short)
	}
	for p := range info.Players {
		m := makers[min(p, len(makers)-1)]
		i := slices.IndexFunc(distinct, func(d *agents.Maker) bool { return d.Text == m.Text })
		if i < 0 {
			i = len(distinct)
			distinct = append(distinct, m)
		}
		seats = append(seats, i)
	}
	return distinct, seats, nil
}

// rotations are the distinct cyclic rotations of seats, itself first: as many as its period.
func rotations(seats []int) [][]int {
	var all [][]int
	turned := slices.Clone(seats)
	for {
		all = append(all, slices.Clone(turned))
		turned = append(turned[len(turned)-1:], turned[:len(turned)-1]...)
		if slices.Equal(turned, seats) {
			return all
		}
	}
}
