package table

import (
	"context"
	"fmt"
	"math"

	"earthgym/agents"
	"earthgym/env"
)

// A Hint is what an agent thinks of a decision.
type Hint struct {
	Agent   string       `json:"agent"`
	Step    int          `json:"step"`  // of the table that it is for
	Value   *float64     `json:"value"` // the return that the seat may expect, in [-1, 1]; nil if the agent doesn't know
	Choices []HintChoice `json:"choices"`
	Line    []string     `json:"line"` // how the game may go on
}

// A HintChoice is what an agent thinks of a legal action.
type HintChoice struct {
	Action      env.Action `json:"action"`
	Probability float64    `json:"probability"` // that the agent would choose it
	Value       *float64   `json:"value"`       // the return that may come of it; nil if the agent doesn't know
	Score       *float64   `json:"score"`       // what a bot gives for it, in units of its own; nil of others
}

// Hint asks an agent about the decision of the person in seat p, by what that seat may know.
func (t *Table) Hint(ctx context.Context, p env.Player, step int, m *agents.Maker) (*Hint, error) {
	t.mu.Lock()
	if err := t.check(p, step); err != nil {
		t.mu.Unlock()
		return nil, err
	}
	s := t.game.New()
	s.CopyFrom(t.shown)
	seed := t.seed(p)
	t.mu.Unlock()

	agent, err := m.New()
	if err != nil {
		return nil, err
	}
	defer agents.Close(agent)
	explainer, ok := agent.(agents.Explainer)
	if !ok {
		return nil, fmt.Errorf("%s can't say what it thinks; bots, search and networks can", m.Text)
	}
	if f, ok := agent.(agents.Follower); ok {
		f.Follow(ctx)
	}
	agent.Reset(seed)
	view := env.ViewOf(s)
	e, err := explainer.Explain(view)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Text, err)
	}
	h := &Hint{Agent: m.Text, Step: step, Value: known(e.Value), Choices: []HintChoice{}, Line: []string{}}
	speaker := t.Speaker()
	for _, told := range e.Told {
		h.Line = append(h.Line, speaker.Spoken(told, p))
	}
	for _, a := range view.Mask().Append(nil) {
		c := HintChoice{Action: a, Probability: float64(e.Probabilities[a])}
		if e.Values != nil {
			c.Value = known(e.Values[a])
		}
		if e.Scores != nil {
			c.Score = known(e.Scores[a])
		}
		h.Choices = append(h.Choices, c)
	}
	return h, nil
}

// known is a number, nil if it is none.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
