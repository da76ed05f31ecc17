package agents

import (
	"context"
	"slices"

	"earthgym/agents/mcts"
	"earthgym/env"
)

// search is an Agent that searches (package mcts).
type search struct {
	name   string
	search *mcts.Search
	ctx    context.Context // of the game
}

func openSearch(text, options string, g env.Game) (*Maker, error) {
	if _, err := mcts.Parse(options, g); err != nil {
		return nil, &TextError{err}
	}
	create, memory, err := mcts.Open(options, g)
	if err != nil {
		return nil, missing(err)
	}
	return &Maker{Text: text, Deaf: true, Memory: memory, New: func() (Agent, error) {
		return &search{text, create(), context.Background()}, nil
	}}, nil
}

func (s *search) Name() string      { return s.name }
func (s *search) Reset(seed uint64) { s.search.Reset(seed) }

// Follow implements Follower.
func (s *search) Follow(ctx context.Context) { s.ctx = ctx }

func (s *search) Act(v *env.View) (env.Action, error) { return s.search.Act(s.ctx, v) }

// lineLength is how many decisions an explanation looks ahead.
const lineLength = 6

// Explain implements Explainer.
func (s *search) Explain(v *env.View) (Explanation, error) {
	r, err := s.search.Search(s.ctx, v)
	if err != nil {
		return Explanation{}, err
	}
	e := Explanation{
		Probabilities: make([]float32, len(r.Visits)), Value: r.Value,
		Visits: slices.Clone(r.Visits), Values: slices.Clone(r.Values),
	}
	e.Probabilities[r.Action] = 1
	e.Line = s.search.Line(v, lineLength)
	return e, nil
}
