// Package calibrate fits the levels of opponents for people (agents.Levels) to the network that comes with the program,
// by matches on common seeds.
//
// The highest level is search, if its match against the network's likeliest action shows that it is better, or else
// that action. The levels below are the network drawn from more and more softly, without the actions that it finds
// worse than its best by more than a cap: they misjudge, but never throw dice over the legal actions. The first level
// is the softest, within bounds, that still holds its own among naive bots; those in between are placed so that the
// smallest lead of a level over the one below is as large as it can be.
package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"

	"earthgym/agents"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/eval"
)

// Options say how levels are fitted.
type Options struct {
	Games       int    // of each match by which levels are placed, at least
	Judge       int    // of each match by which neighbours are compared in the end, at least
	Search      string // agent to be tried as the highest level; "" for none
	Measured    string // agent that plays in its place, for time's sake; "" for Search itself
	SearchGames int    // of that match, at least
	Seed        uint64 // of all chance
	Workers     int    // games at a time, on which the result doesn't depend; 0 = one on each core

	// Progress, if not nil, is called after each game of a match, never twice at once.
	Progress func(match string, done, total int)
}

// best is the network's likeliest action.
const best = "net:,argmax"

// rungs are how many softer agents than best there are to choose from.
const rungs = 37

// rung is a softer agent than best, the softer the higher k: temperatures from 0.5 to 256 in steps of 19 %, and a cap
// of as many nats: the worst that it may choose is exp(-1) times as likely as the best.
func rung(k int) string {
	if k < 0 {
		return best
	}
	x := math.Pow(2, float64(k)/4-1)
	temperature := strconv.FormatFloat(x, 'g', 2, 64)
	if x >= 100 { // no exponents
		temperature = strconv.FormatFloat(math.Round(x/10)*10, 'f', -1, 64)
	}
	return fmt.Sprintf("net:,temperature=%[1]s,loss=%[1]s", temperature)
}

// ErrCrowded says that there are no five levels that are clearly apart.
var ErrCrowded = errors.New("the network has no five levels that are clearly apart at this table")

// Fit fits the levels of a table. The error is ErrCrowded where they come out too near to one another, and
// shipped.ErrNone where there is no network.
func Fit(ctx context.Context, g env.Game, o Options) (*agents.Ladder, error) {
	info := g.Info()
	c, err := shipped.Network(info.Name)
	if err != nil {
		return nil, err
	}
	f := &fitter{ctx: ctx, game: g, options: o, seed: o.Seed + 1, makers: map[string]*agents.Maker{}}
	highest := []agents.Grade{{Agent: best}}
	if o.Search != "" {
		lead, err := f.search()
		if err != nil {
			return nil, err
		}
		if lead != nil {
			highest = append(highest, agents.Grade{Agent: o.Search, Lead: lead})
		}
	}
	l := &agents.Ladder{Game: info.Text, Data: info.DataHash, Network: c.Hash}
	softer := agents.NumLevels - len(highest)
	copy(l.Levels[softer:], highest)
	// Few games may place levels by luck. What comes of that is judged on other seeds, and if need be it is tried anew
	// with others and more of them.
	for range attempts {
		if err = f.fit(l, softer); !errors.Is(err, ErrCrowded) {
			break
		}
		f.options.Games *= 2
		f.seed++
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// attempts are how often levels are placed at most, each time with twice as many games.
const attempts = 3

// fit fits so many levels below best.
func (f *fitter) fit(l *agents.Ladder, softer int) error {
	f.leads = map[[2]string]float64{}
	floor, err := f.floor()
	if err != nil {
		return err
	}
	chosen, err := f.spread(softer, floor)
	if err != nil {
		return err
	}
	for i, k := range chosen {
		l.Levels[softer-1-i].Agent = rung(k)
	}
	for i := 1; i <= softer; i++ {
		lead, err := f.judge(l.Levels[i].Agent, l.Levels[i-1].Agent, f.options.Judge)
		if err != nil {
			return err
		}
		if !(lead.ReturnCI[0] > 0) {
			return fmt.Errorf("%w: level:%d returns %+.2f [%+.2f, %+.2f] more than level:%d", ErrCrowded, i+1, lead.Return,
				lead.ReturnCI[0], lead.ReturnCI[1], i)
		}
		l.Levels[i].Lead = lead
	}
	return nil
}

// A fitter plays the matches of one table.
type fitter struct {
	ctx     context.Context
	game    env.Game
	options Options
	seed    uint64 // of the matches to place levels; judgements have that of the options
	makers  map[string]*agents.Maker
	leads   map[[2]string]float64 // of matches that have been played to place levels
}

func (f *fitter) maker(text string) (*agents.Maker, error) {
	if m := f.makers[text]; m != nil {
		return m, nil
	}
	m, err := agents.Open(text, f.game)
	if err != nil {
		return nil, err
	}
	f.makers[text] = m
	return m, nil
}

// match is how much more one agent returns than another.
func (f *fitter) match(one, other string, games int, seed uint64) (*eval.Difference, error) {
	a, err := f.maker(one)
	if err != nil {
		return nil, err
	}
	b, err := f.maker(other)
	if err != nil {
		return nil, err
	}
	o := eval.Options{Games: games, Seed: seed, Workers: f.options.Workers}
	if f.options.Progress != nil {
		o.Progress = func(done, total int) { f.options.Progress(one+" against "+other, done, total) }
	}
	return eval.Lead(f.ctx, f.game, a, b, o)
}

// lead is that of a match to place levels, all of which have the same seeds.
func (f *fitter) lead(one, other string) (float64, error) {
	key := [2]string{one, other}
	if lead, ok := f.leads[key]; ok {
		return lead, nil
	}
	d, err := f.match(one, other, f.options.Games, f.seed)
	if err != nil {
		return 0, err
	}
	f.leads[key] = d.MeanReturn
	return d.MeanReturn, nil
}

// judge compares neighbours, on seeds that no level was placed by.
func (f *fitter) judge(one, other string, games int) (*agents.Lead, error) {
	d, err := f.match(one, other, games, f.options.Seed)
	if err != nil {
		return nil, err
	}
	return &agents.Lead{Games: games, Seed: f.options.Seed, Return: d.MeanReturn, ReturnCI: d.ReturnCI}, nil
}

// search is the lead of search over the network's likeliest action, nil if it is not clearly ahead.
func (f *fitter) search() (*agents.Lead, error) {
	played := f.options.Search
	if f.options.Measured != "" {
		played = f.options.Measured
	}
	lead, err := f.judge(played, best, f.options.SearchGames)
	if err != nil || !(lead.ReturnCI[0] > 0) {
		return nil, err
	}
	if played != f.options.Search {
		lead.Played = played
	}
	return lead, nil
}

// first is the lowest of the rungs from low on, below high, for which ok holds; high if there is none. It takes ok to
// hold for all rungs above the first.
func first(low, high int, ok func(k int) (bool, error)) (int, error) {
	var failed error
	k := low + sort.Search(high-low, func(i int) bool {
		if failed != nil {
			return true
		}
		held, err := ok(low + i)
		failed = err
		return held
	})
	return k, failed
}

// floor is the softest rung that returns no less than naive bots among which it sits.
func (f *fitter) floor() (int, error) {
	weaker, err := first(0, rungs, func(k int) (bool, error) {
		lead, err := f.lead(rung(k), "script:naive")
		return lead < 0, err
	})
	return weaker - 1, err
}

// spread places n levels below best, the strongest first and the last at the floor, so that the smallest lead of one
// over the next, that of best over the first included, is as large as it can be.
func (f *fitter) spread(n, floor int) ([]int, error) {
	var widest []int
	low, high := 0.0, 2.0
	for range 6 {
		least := (low + high) / 2
		levels, err := f.descend(n, floor, least)
		if err != nil {
			return nil, err
		}
		if levels == nil {
			high = least
		} else {
			low, widest = least, levels
		}
	}
	if widest == nil {
		return nil, ErrCrowded
	}
	return widest, nil
}

// descend places each level at the strongest rung that the level above leads by least; nil if that leads below the
// floor.
func (f *fitter) descend(n, floor int, least float64) ([]int, error) {
	var levels []int
	above := -1
	led := func(k int) (bool, error) {
		lead, err := f.lead(rung(above), rung(k))
		return lead >= least, err
	}
	for len(levels) < n-1 {
		k, err := first(above+1, floor, led)
		if err != nil || k >= floor {
			return nil, err
		}
		levels, above = append(levels, k), k
	}
	if floor <= above {
		return nil, nil
	}
	if ok, err := led(floor); err != nil || !ok {
		return nil, err
	}
	return append(levels, floor), nil
}
