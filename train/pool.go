package train

import (
	"context"
	"fmt"
	"slices"

	"earthgym/agents"
	"earthgym/agents/neural"
	"earthgym/env"
)

// A pool is who sits at the tables besides the learning network: the agents of the field, the teachers, and past
// selves, which keep it from forgetting what it once beat (Bansal et al., Emergent Complexity via Multi-Agent
// Competition, 2018). Who of them is an opponent how often stands in league.go.
type pool struct {
	fixed    []fixedAgent // the field first, then teachers that are not of it
	field    int          // how many of them are the field
	teachers []int32      // which of them teach
	past     []pastSelf
	size     int    // of past, at most
	taken    uint64 // past selves taken in so far
	choice   env.Stream

	form    []form // of the network, against each of the field
	weights []float64
}

// A fixedAgent stays what it is.
type fixedAgent struct {
	text   string
	makers []*agents.Maker  // by variant
	seats  [][]agents.Agent // by variant, an instance for each worker
}

type pastSelf struct {
	update int // after which it was taken
	params *neural.Params
	policy *neural.Policy
}

func newPool(c *Config, games []env.Game, workers int) (*pool, error) {
	p := &pool{size: c.PoolSize, choice: env.NewStream(uint64(c.Seed), "pool")}
	for _, text := range c.Opponents {
		if _, err := p.open("opponents", text, games, workers); err != nil {
			p.close()
			return nil, err
		}
	}
	p.field = len(p.fixed)
	for _, text := range c.teachers() {
		i := int32(slices.IndexFunc(p.fixed, func(a fixedAgent) bool { return a.text == text }))
		if i < 0 {
			var err error
			if i, err = p.open("clone", text, games, workers); err != nil {
				p.close()
				return nil, err
			}
		}
		p.teachers = append(p.teachers, i)
	}
	p.form, p.weights = make([]form, p.field), make([]float64, p.field)
	return p, nil
}

// open adds the agent of a text, for all games and workers, and returns its place.
func (p *pool) open(setting, text string, games []env.Game, workers int) (int32, error) {
	p.fixed = append(p.fixed, fixedAgent{text: text})
	o := &p.fixed[len(p.fixed)-1]
	for _, g := range games {
		maker, err := agents.Open(text, g)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", setting, err)
		}
		o.makers = append(o.makers, maker)
		o.seats = append(o.seats, nil)
		for range workers {
			a, err := maker.New()
			if err != nil {
				return 0, fmt.Errorf("%s: %w", setting, err)
			}
			last := len(o.seats) - 1
			o.seats[last] = append(o.seats[last], a)
		}
	}
	return int32(len(p.fixed) - 1), nil
}

// seat has the agents that are programs say hello, until ctx is done. Later they are waited for whatever happens: an
// update is made whole or not at all.
func (p *pool) seat(ctx context.Context) error {
	for _, o := range p.fixed {
		for _, a := range slices.Concat(o.seats...) {
			switch err := agents.Seat(ctx, a); {
			case err == nil:
			case ctx.Err() != nil:
				return fmt.Errorf("interrupted before the first update: %w", ctx.Err())
			default:
				return fmt.Errorf("%s: %w", o.text, err)
			}
		}
	}
	return nil
}

// close ends the agents that are programs.
func (p *pool) close() {
	for _, o := range p.fixed {
		for _, seats := range o.seats {
			for _, a := range seats {
				_ = agents.Close(a)
			}
		}
	}
}

// take adds a past self. A full pool forgets one at random, so that its members thin out with age.
func (p *pool) take(update int, params *neural.Params) error {
	params = params.Clone()
	policy, err := neural.NewPolicy(params)
	if err != nil {
		return err
	}
	self := pastSelf{update, params, policy}
	p.taken++
	switch {
	case p.size == 0:
	case len(p.past) < p.size:
		p.past = append(p.past, self)
	default:
		p.past[p.choice.Below(p.size)] = self
	}
	return nil
}

// Who else than the agents and past selves of a pool decides for a seat, or is the opponent of a game.
const (
	network    int32 = -1 // the learning network decides
	noOpponent int32 = -1 // the network meets itself
	mixed      int32 = -2 // a table of teachers and others, which says nothing of any of them
)

// members is the number of agents and past selves: first the fixed agents, then the past selves.
func (p *pool) members() int { return len(p.fixed) + len(p.past) }

// name is what metrics call an opponent.
func (p *pool) name(opponent int32) string {
	switch {
	case opponent == noOpponent:
		return Self
	case int(opponent) < len(p.fixed):
		return p.fixed[opponent].text
	}
	return PastSelf
}

// A form is how the network does against one of the field, with the past fading.
type form struct {
	// sum of the network's win share per seat; where all win together, games won with the other
	Ours   float64 `json:"ours"`
	Theirs float64 `json:"theirs"` // and of the opponent's; games lost
}

// fading is what is left of a form after each further game: about the last 200 games count.
const fading = 0.995

func (f *form) add(ours, theirs float64) {
	f.Ours, f.Theirs = float64(fading*f.Ours)+ours, float64(fading*f.Theirs)+theirs
}

// won is how often the network does better, between 0 and 1: as if a game had been won by each before.
func (f form) won() float64 { return (f.Ours + 1) / (f.Ours + f.Theirs + 2) }

// need is the weight of a variant: (1-p)², and something for those that the network has learnt.
func (f form) need() float64 {
	lost := 1 - f.won()
	return float64(lost*lost) + 0.05
}
