package train

import (
	"fmt"
	"io"

	"earthgym/agents"
	"earthgym/agents/neural"
	"earthgym/env"
)

// A pool is who the learning network plays against besides itself: agents given from the start, and past
// selves, drawn alike, which keep it from forgetting what it once beat (Bansal et al., Emergent Complexity via
// Multi-Agent Competition, 2018).
type pool struct {
	fixed  []fixedOpponent
	past   []pastSelf
	size   int    // of past, at most
	taken  uint64 // past selves taken in so far
	choice env.Stream
}

type fixedOpponent struct {
	text    string
	workers []agents.Agent // an instance for each worker
}

type pastSelf struct {
	update int // after which it was taken
	params *neural.Params
	policy *neural.Policy
}

func newPool(c *Config, g env.Game, workers int) (*pool, error) {
	p := &pool{size: c.PoolSize, choice: env.NewStream(uint64(c.Seed), "pool")}
	for _, text := range c.Opponents {
		maker, err := agents.Open(text, g)
		if err != nil {
			p.close()
			return nil, fmt.Errorf("opponents: %w", err)
		}
		p.fixed = append(p.fixed, fixedOpponent{text: text})
		o := &p.fixed[len(p.fixed)-1]
		for range workers {
			a, err := maker.New()
			if err != nil {
				p.close()
				return nil, fmt.Errorf("opponents: %w", err)
			}
			o.workers = append(o.workers, a)
		}
	}
	return p, nil
}

// close ends the opponents that are programs.
func (p *pool) close() {
	for _, o := range p.fixed {
		for _, a := range o.workers {
			if c, ok := a.(io.Closer); ok {
				_ = c.Close() // its games are played
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

// noOpponent stands for a game of the network with itself.
const noOpponent int32 = -1

// opponents is the number of opponents to choose from: first the fixed ones, then the past selves.
func (p *pool) opponents() int { return len(p.fixed) + len(p.past) }

// draw chooses the opponent of a game.
func (p *pool) draw(c *Config, luck *env.Stream) int32 {
	switch u := luck.Float64(); {
	case u < c.OpponentShare:
		return int32(luck.Below(len(p.fixed)))
	case u < c.OpponentShare+c.PoolShare && len(p.past) > 0:
		return int32(len(p.fixed) + luck.Below(len(p.past)))
	}
	return noOpponent
}

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
