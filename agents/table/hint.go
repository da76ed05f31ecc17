package table

import (
	"context"
	"fmt"

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

	agent, err := agents.OpenExplainer(ctx, m)
	if err != nil {
		return nil, err
	}
	defer agents.Close(agent)
	agent.Reset(seed)
	view := env.ViewOf(s)
	e, err := agent.Explain(view)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Text, err)
	}
	h := &Hint{Agent: m.Text, Step: step, Value: agents.Known(e.Value), Choices: HintChoices(view, &e), Line: []string{}}
	speaker := t.Speaker()
	for _, told := range e.Told {
		h.Line = append(h.Line, speaker.Spoken(told, p))
	}
	return h, nil
}

// HintChoices are what an agent thinks of the legal actions of a view.
func HintChoices(view *env.View, e *agents.Explanation) []HintChoice {
	list := []HintChoice{}
	for _, a := range view.Mask().Append(nil) {
		c := HintChoice{Action: a, Probability: float64(e.Probabilities[a])}
		if e.Values != nil {
			c.Value = agents.Known(e.Values[a])
		}
		if e.Scores != nil {
			c.Score = agents.Known(e.Scores[a])
		}
		list = append(list, c)
	}
	return list
}
