package agents

import (
	"context"
	"slices"

	"earthgym/agents/mcts"
	"earthgym/agents/shipped"
	"earthgym/env"
)

// search is an Agent that searches (package mcts).
type search struct {
	name   string
	create func() *mcts.Search
	search *mcts.Search
	asked  *mcts.Search // explains, by chance of its own; made when it is needed
	seed   uint64
	ctx    context.Context // of the game
}

func openSearch(text, options string, g env.Game) (*Maker, error) {
	c, err := mcts.Parse(options, g)
	if err != nil {
		return nil, &TextError{err}
	}
	if c.Guided && c.Net == "" && shipped.Stray(g.Info()) {
		if c, err = c.Alone(g); err != nil {
			return nil, err
		}
	}
	opened, err := c.Open(g)
	if err != nil {
		return nil, missing(err)
	}
	create := func() (Agent, error) {
		return &search{name: text, create: opened.New, search: opened.New(), ctx: context.Background()}, nil
	}
	return &Maker{Memory: opened.Memory, Hash: opened.Hash, Made: "mcts:" + c.Text(), New: create}, nil
}

func (s *search) Name() string { return s.name }

func (s *search) Reset(seed uint64) {
	s.seed = seed
	s.search.Reset(seed)
}

// Follow implements Follower.
func (s *search) Follow(ctx context.Context) { s.ctx = ctx }

func (s *search) Act(v *env.View) (env.Action, error) { return s.search.Act(s.ctx, v) }

// lineLength is how many decisions an explanation looks ahead.
const lineLength = 6

// Explain implements Explainer.
func (s *search) Explain(v *env.View) (Explanation, error) {
	return s.explain(v, func(asked *mcts.Search) (*mcts.Result, error) { return asked.Search(s.ctx, v) })
}

func (s *search) explain(v *env.View, find func(asked *mcts.Search) (*mcts.Result, error)) (Explanation, error) {
	if s.asked == nil {
		s.asked = s.create()
	}
	s.asked.Reset(s.seed)
	r, err := find(s.asked)
	if err != nil {
		return Explanation{}, err
	}
	e := Explanation{
		Probabilities: make([]float32, len(r.Visits)), Value: r.Value,
		Visits: slices.Clone(r.Visits), Values: slices.Clone(r.Values), Incumbent: r.Incumbent,
	}
	e.Probabilities[r.Action] = 1
	e.Leads, e.Errors = make([]float64, len(r.Visits)), make([]float64, len(r.Visits))
	for a := range r.Visits {
		e.Leads[a], e.Errors[a] = s.asked.Lead(env.Action(a))
	}
	e.Line, e.Told = s.asked.Line(v, lineLength)
	return e, nil
}
