package eval

import (
	"errors"
	"fmt"

	"earthgym/agents"
	"earthgym/env"
)

// maxNodes is how many positions, counted once for each way that leads to them, are worked through for a best response.
const maxNodes = 1_000_000

// ErrTooLarge is that of a game that has too many positions to be worked out.
var ErrTooLarge = errors.New("the game is too large to be worked out: more than 1000000 positions")

// A Response is what the best response to an agent gets in one seat.
type Response struct {
	Best float64 // mean return of the best response, with the agent in all other seats
	Own  float64 // mean return of the agent itself there
}

// BestResponse works out for each seat what it can get at best while the agent sits in all others, going through every
// way that a game may go. The agent's choice must depend on nothing but what it is shown (agents.Mixer). Twice the
// exploitability of a two-player agent is the sum of what its seats would gain.
func BestResponse(g env.Game, m *agents.Maker) ([]Response, error) {
	return bestResponse(g, m, maxNodes)
}

func bestResponse(g env.Game, m *agents.Maker, nodes int) ([]Response, error) {
	responses := make([]Response, g.Info().Players)
	for seat := range responses {
		agent, err := m.New()
		if err != nil {
			return nil, err
		}
		mixer, ok := agent.(agents.Mixer)
		if !ok {
			return nil, fmt.Errorf("%s can't say how likely it makes each choice, which an exact best response needs", m.Text)
		}
		t := &responseTree{most: nodes, mixer: mixer, seat: env.Player(seat), weights: make([]float64, len(g.Info().Actions)),
			sets: map[string]*infoSet{}}
		var root lottery
		err = branches(g, func(b *branch, p float64) error { return root.add(t, b, p) })
		if err != nil {
			return nil, fmt.Errorf("%s: best response to %s: %w", g.Info().Short, m.Text, err)
		}
		responses[seat] = Response{Best: root.best(), Own: root.own()}
	}
	return responses, nil
}

// A responseTree is a game seen from one seat, whose opponents are part of chance.
type responseTree struct {
	mixer   agents.Mixer
	seat    env.Player
	weights []float64 // of the actions of one decision
	nodes   int
	most    int
	sets    map[string]*infoSet // by what the seat knows
}

// An infoSet is the decisions of the seat that look alike to it, where it must choose alike.
type infoSet struct {
	choices []lottery // by legal action: all that comes of it, weighted by how likely chance and others bring one there
	own     []float64 // how likely the agent itself makes each choice
}

// A lottery is what may come, each with its weight.
type lottery struct {
	ends float64    // returns that are certain, weighted
	sets []*infoSet // next decisions of the seat: each set once
}

// add follows a branch. reach is how likely chance and the others bring the game there.
func (l *lottery) add(t *responseTree, b *branch, reach float64) error {
	if t.nodes++; t.nodes > t.most {
		return ErrTooLarge
	}
	s := b.state
	switch actor := s.Actor(); actor {
	case env.Over:
		returns := make([]float64, s.Game().Info().Players)
		s.Returns(returns)
		l.ends += reach * returns[t.seat]
		return nil
	case t.seat:
		return l.decide(t, b, reach)
	}
	view := b.view()
	if err := t.mixer.Mix(view, t.weights); err != nil {
		return err
	}
	actions := view.Mask().Append(nil)
	chances := make([]float64, len(actions))
	for i, a := range actions {
		chances[i] = t.weights[a]
	}
	for i, a := range actions {
		if chances[i] == 0 {
			continue
		}
		err := b.play(a, func(next *branch, q float64) error { return l.add(t, next, reach*chances[i]*q) })
		if err != nil {
			return err
		}
	}
	return nil
}

// decide follows every choice that the seat has.
func (l *lottery) decide(t *responseTree, b *branch, reach float64) error {
	view, known := b.view(), b.known[t.seat]
	actions := view.Mask().Append(nil)
	set, ok := t.sets[known]
	if !ok {
		set = &infoSet{choices: make([]lottery, len(actions)), own: make([]float64, len(actions))}
		if err := t.mixer.Mix(view, t.weights); err != nil {
			return err
		}
		for i, a := range actions {
			set.own[i] = t.weights[a]
		}
		t.sets[known] = set
		l.sets = append(l.sets, set)
	}
	if len(actions) != len(set.choices) {
		return fmt.Errorf("seat %d has other choices at decisions that look alike to it", t.seat)
	}
	for i, a := range actions {
		err := b.play(a, func(next *branch, q float64) error { return set.choices[i].add(t, next, reach*q) })
		if err != nil {
			return err
		}
	}
	return nil
}

// best is what it brings, by the best choices. What the seat knows tells it all that it has done and seen before, so
// that each set of decisions is reached from one choice alone, and is asked here once.
func (l *lottery) best() float64 {
	value := l.ends
	for _, set := range l.sets {
		most := set.choices[0].best()
		for i := range set.choices[1:] {
			most = max(most, set.choices[i+1].best())
		}
		value += most
	}
	return value
}

// own is what it brings, by the agent's own choices.
func (l *lottery) own() float64 {
	value := l.ends
	for _, set := range l.sets {
		for i := range set.choices {
			if set.own[i] > 0 {
				value += set.own[i] * set.choices[i].own()
			}
		}
	}
	return value
}
