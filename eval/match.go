// Package eval measures agents against each other: matches with confidence intervals, as a table for the
// terminal, as JSON, and as a self-contained HTML report.
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
// Where motives are mixed, results say how a table fared together ([Commons]): what it lost, who pushed that over, how unequal the
// scores are. [PlayCrossPlay] seats agents as guests at each other's tables, [BestResponse] works out in small games what an agent
// can be exploited by, and [Deviate] measures what a guest that was trained to exploit it gains. Package benchmark puts them
// together in a fixed protocol. Whoever wants to know something else of a match watches it as a [Study].
//
// # What results depend on
//
// All seeds are drawn before the first game, an agent's chance depends on the game's seed and its own
// seat alone, and outcomes are kept by number: a result doesn't depend on how many workers played.
package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"earthgym/agents"
	"earthgym/env"
)

// Options say how a match is played.
type Options struct {
	Games    int                   // at least 1; rounded up to whole blocks
	Seed     uint64                // of all chance of the match
	Workers  int                   // games at a time; 0 = as many as there are cores to run on
	Progress func(done, total int) // if not nil, called after each game, never twice at once

	// Substitute takes over the seat of an agent that has forfeited and plays the game to its end, so that what the
	// others get is what they have earned. Without one the game is void, and so is its block for all other agents.
	Substitute *agents.Maker

	// Records are how many games, from the first on, have their record kept (Outcome.Record).
	Records int

	// Value, if not nil, says what returns the seats may expect, so that what chance has given them can be taken from
	// what they have got (MatchResult.Aivat).
	Value *agents.Value

	// Study, if not nil, makes a Study for each worker to watch its games.
	Study func() Study
}

// An Outcome is one game of a match.
type Outcome struct {
	Block   int    // from 0
	Seed    uint64 // of the game; all games of a block have the same
	Seating []int  // by seat: the agent, as an index into MatchResult.Agents
	env.Result
	Depleted []float64              // by seat: what its decisions have used up of what is shared (env.Commons); nil where nothing is
	Wins     []float64              // by seat: its share of the win (env.Result.WinShare), none for one that has forfeited
	Luck     []float64              // by seat: what chance has given of the return, by Options.Value; 0 on average
	Forfeits []*agents.ForfeitError // in their order
	Void     bool                   // the last forfeit has ended the game: nothing is known of the seats that didn't forfeit
	Record   *env.Record            // of the first Options.Records games
	Page     string                 // where a report finds the game to be watched; "" is nowhere

	kept   bool // the record
	played bool
}

// forfeited says whether the agent of a seat has forfeited.
func (o *Outcome) forfeited(seat int) bool {
	return slices.ContainsFunc(o.Forfeits, func(f *agents.ForfeitError) bool { return f.Seat == env.Player(seat) })
}

// Match seats the agents from seat 0 on, the last one in all seats that are left, and plays blocks of all
// rotations of that seating until there are o.Games games. A forfeit loses the game for its seat, and pays nobody:
// see Options.Substitute. An agent that fails otherwise or breaks the rules ends the match with an error.
func Match(ctx context.Context, g env.Game, makers []*agents.Maker, o Options) (*MatchResult, error) {
	m, err := newSeries(g, makers, o)
	if err != nil {
		return nil, err
	}
	if err := m.play(ctx, m.blocks); err != nil {
		return nil, err
	}
	return m.result(), nil
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
	total    int                           // games, as far as is known
	log      func(i int, o *Outcome) error // if not nil, told of each game when it ends, never twice at once
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

// names are the texts of the agents.
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
	for block := from / len(m.seatings); block < blocks; block++ {
		seed := m.seeds.Uint64()
		for _, seating := range m.seatings {
			m.outcomes = append(m.outcomes, Outcome{Block: block, Seed: seed, Seating: seating, kept: len(m.outcomes) < m.options.Records})
		}
	}
	return m.playAll(ctx, from)
}

// block is the games of a block that has been played.
func (m *series) block(block int) []Outcome {
	return m.outcomes[block*len(m.seatings):][:len(m.seatings)]
}

// result is that of what has been played.
func (m *series) result() *MatchResult {
	r := summarise(m.game.Info(), m.options.Seed, m.names(), m.outcomes)
	r.Usage = m.usage.Usage()
	if m.options.Value != nil {
		r.Aivat = newAivat(m.options.Value.Text, m.names(), m.outcomes)
	}
	if m.options.Substitute != nil && slices.ContainsFunc(m.outcomes, func(o Outcome) bool { return o.Forfeits != nil }) {
		r.Substitute = m.options.Substitute.Text
	}
	return r
}

// seat gives the distinct agents in order of first appearance, and which of them sits in each seat.
func seat(info *env.Info, makers []*agents.Maker) (distinct []*agents.Maker, seats []int, err error) {
	switch {
	case len(makers) == 0:
		return nil, nil, errors.New("a match needs at least one agent")
	case len(makers) > info.Players:
		return nil, nil, fmt.Errorf("%d agents for the %d seats of %s", len(makers), info.Players, info.Short)
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

// playAll plays the games from the given one on that have not been played, fills in their results, and counts what is chosen. Games are handed
// out in order and those begun are finished, so that of several errors that of the first game is found by any number
// of workers.
func (m *series) playAll(ctx context.Context, from int) error {
	workers, progress := m.options.Workers, m.options.Progress
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		mu       sync.Mutex
		next     = from
		done     = from
		open     = 0
		failed   = len(m.outcomes) // the first game that failed
		failure  error
		finished sync.WaitGroup
	)
	for i := range m.outcomes[from:] {
		if m.outcomes[from+i].played {
			done++
		} else {
			open++
		}
	}
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		for next < len(m.outcomes) && m.outcomes[next].played {
			next++
		}
		if next == len(m.outcomes) || failure != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	finish := func(i int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil && m.log != nil {
			err = m.log(i, &m.outcomes[i])
		}
		switch {
		case err == nil:
			m.outcomes[i].played = true
			done++
			if progress != nil {
				progress(done, m.total)
			}
		case i < failed:
			failed, failure = i, err
		}
	}
	for range min(workers, open) {
		finished.Go(func() {
			usage := NewUsageCounter(m.game.Info(), m.usage.agents)
			t := table{game: m.game, makers: m.makers, instances: map[place]agents.Agent{}, studies: []Study{usage, &depletion{}}, substitute: m.options.Substitute}
			if m.options.Study != nil {
				t.studies = append(t.studies, m.options.Study())
			}
			if m.options.Value != nil {
				t.luck = newLuck(m.game, m.options.Value)
			}
			defer t.close()
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				m.usage.Add(usage)
			}()
			for i, ok := take(); ok; i, ok = take() {
				finish(i, t.play(ctx, &m.outcomes[i]))
			}
		})
	}
	finished.Wait()
	switch {
	case failure == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("the match was stopped after %d of %d games: %w", done, m.total, ctx.Err())
	}
	lost := m.outcomes[failed]
	var names []string
	for _, i := range lost.Seating {
		names = append(names, m.makers[i].Text)
	}
	return fmt.Errorf("game %d (seed %d, seats %s): %w", failed, lost.Seed, strings.Join(names, ", "), failure)
}

// table is where one worker plays its games. Each agent has an instance for each seat that it gets to.
type table struct {
	game      env.Game
	makers    []*agents.Maker
	instances map[place]agents.Agent
	studies   []Study

	substitute *agents.Maker
	luck       *luck // nil if nothing is known of values
}

type place struct{ agent, seat int }

func (t *table) play(ctx context.Context, o *Outcome) error {
	seats := make([]agents.Agent, len(o.Seating))
	for p, i := range o.Seating {
		at := place{i, p}
		agent, ok := t.instances[at]
		if !ok {
			var err error
			if agent, err = t.makers[i].New(); err != nil {
				return fmt.Errorf("%s: %w", t.makers[i].Text, err)
			}
			t.instances[at] = agent
		}
		seats[p] = agent
	}
	ref, err := env.NewReferee(t.game, o.Seed)
	if err != nil {
		return err
	}
	if t.luck != nil {
		t.luck.begin(o.Seed)
		ref.Follow(t.luck.step)
	}
	for _, study := range t.studies {
		study.Begin(o, ref.State())
	}
	play := agents.Play
	for {
		err := play(ctx, ref, seats, func(p env.Player, legal env.Mask, a env.Action) {
			d := Decision{Seat: p, Agent: o.Seating[p], State: ref.State(), Legal: legal, Action: a}
			if o.forfeited(int(p)) {
				d.Agent = -1
			}
			for _, study := range t.studies {
				study.Decide(d)
			}
		})
		var forfeit *agents.ForfeitError
		switch {
		case err == nil:
			return t.finish(o, ref)
		case !errors.As(err, &forfeit) || o.forfeited(int(forfeit.Seat)):
			return err
		}
		o.Forfeits = append(o.Forfeits, forfeit)
		if t.substitute == nil {
			o.Void = true
			return t.finish(o, ref)
		}
		substitute, err := t.substitute.New()
		if err != nil {
			return fmt.Errorf("%s: %w", t.substitute.Text, err)
		}
		substitute.Reset(env.SeatSeed(o.Seed, forfeit.Seat))
		seats[forfeit.Seat], play = substitute, agents.Continue
	}
}

// finish takes what has come out of a game, and its record if that is kept.
func (t *table) finish(o *Outcome, ref *env.Referee) error {
	o.finish(ref)
	if t.luck != nil {
		o.Luck = t.luck.total
		if t.luck.err != nil {
			return fmt.Errorf("the luck of the game, by the values that were given: %w", t.luck.err)
		}
	}
	for _, study := range t.studies {
		study.End(o, ref.State())
	}
	if o.kept {
		var names []string
		for _, i := range o.Seating {
			names = append(names, t.makers[i].Text)
		}
		o.Record = ref.Record(names)
	}
	return nil
}

// finish takes what has come out of the game.
func (o *Outcome) finish(ref *env.Referee) {
	o.Result = ref.Result()
	if o.Void {
		o.Reason = "forfeit"
	}
	o.Wins = make([]float64, len(o.Returns))
	for p := range o.Wins {
		if !o.Void {
			o.Wins[p] = o.WinShare(env.Player(p), ref.Info())
		}
	}
	for _, f := range o.Forfeits {
		o.Returns[f.Seat], o.Wins[f.Seat] = minReturn, 0
	}
}

// close ends what agents have running.
func (t *table) close() {
	for _, agent := range t.instances {
		if c, ok := agent.(io.Closer); ok {
			_ = c.Close() // The games are played.
		}
	}
}
