//go:build !js

package agents

import (
	"context"
	"errors"

	"earthgym/agents/llm"
	"earthgym/env"
)

// model is a language model behind a server (package llm).
type model struct {
	name   string
	player *llm.Player
}

func openModel(text, rest string, g env.Game) (*Maker, error) {
	create, spent, err := llm.Open(rest, g.Info())
	if err != nil {
		return nil, &TextError{err}
	}
	return &Maker{Spent: spent, New: func() (Agent, error) { return &model{text, create()}, nil }}, nil
}

func (m *model) Name() string      { return m.name }
func (m *model) Reset(seed uint64) { m.player.Reset(seed) }

// Follow implements Follower.
func (m *model) Follow(ctx context.Context) { m.player.Follow(ctx) }

// Transcript implements Transcriber.
func (m *model) Transcript() []byte { return m.player.Transcript() }

// Act forfeits where the model comes to no decision. A server that can't be asked is no fault of the model's.
func (m *model) Act(v *env.View) (env.Action, error) {
	a, err := m.player.Act(v)
	if fault, ok := errors.AsType[*llm.Fault](err); ok {
		kind := Illegal
		switch {
		case fault.Late:
			kind = Timeout
		case fault.Spent:
			kind = Crash
		}
		return a, &ForfeitError{Agent: m.name, Seat: v.Player(), Kind: kind, Err: fault}
	}
	return a, err
}
