package agents

import (
	"context"

	"earthgym/agents/mcts"
	"earthgym/env"
)

// search is an Agent that searches (package mcts).
type search struct {
	name string
	*mcts.Search
	ctx context.Context // of the game
}

func openSearch(text, options string, g env.Game) (func() (Agent, error), error) {
	create, err := mcts.Open(options, g)
	if err != nil {
		return nil, err
	}
	return func() (Agent, error) { return &search{text, create(), context.Background()}, nil }, nil
}

func (s *search) Name() string { return s.name }

// Follow implements Follower.
func (s *search) Follow(ctx context.Context) { s.ctx = ctx }

func (s *search) Act(v *env.View) (env.Action, error) { return s.Search.Act(s.ctx, v) }
