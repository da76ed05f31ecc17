package agents

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"earthgym/agents/neural"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/spelling"
)

// A Value says what returns the seats of a position may expect.
type Value struct {
	Text string           // the text that it was opened with
	Hash string           // of the network; "" without
	New  func() Evaluator // may be called from many goroutines
}

// An Evaluator values positions. It belongs to one goroutine.
type Evaluator interface {
	// Add takes a position in which somebody decides. It may look at all of it, hidden parts included, and keeps nothing.
	Add(s env.State)
	// Values are those of the positions since the last call, in about [-1, 1], every seat's of the first, then of the
	// second and so on. They are valid until the next call.
	Values() ([]float64, error)
}

// OpenValue opens the value function of a text:
//
//	net:PATH   what a network expects; net: is the one that comes with the program
//	potential  the game's own potential, as rewards are shaped with
func OpenValue(text string, g env.Game) (*Value, error) {
	if path, ok := strings.CutPrefix(text, "net:"); ok {
		policy, _, hash, err := shipped.Policy(path, g.Info())
		if err != nil {
			return nil, fmt.Errorf("value %q: %w", text, missing(err))
		}
		info := g.Info()
		return &Value{Text: text, Hash: hash, New: func() Evaluator {
			return &netValue{policy: policy, players: info.Players, zeroSum: info.Has(env.Competitive)}
		}}, nil
	}
	if text != "potential" {
		return nil, &TextError{fmt.Errorf("unknown value %q: %s", text,
			spelling.Suggest(text, []string{"net:", "net:PATH", "potential"}))}
	}
	if _, ok := g.New().(env.Potential); !ok {
		return nil, &TextError{fmt.Errorf("%s offers no potential", g.Info().Name)}
	}
	return &Value{Text: text, New: func() Evaluator { return &potentialValue{players: g.Info().Players} }}, nil
}

// netValue is what a network expects for each seat by what that seat sees.
type netValue struct {
	policy  *neural.Policy
	players int
	zeroSum bool // what all seats expect adds up to 0
	work    neural.Workspace
	seen    []float32 // observations [positions, seats, inputs]
	none    []uint64  // masks of no action: the logits are not asked for
	values  []float64
}

func (n *netValue) Add(s env.State) {
	inputs := n.policy.Spec().Inputs
	for p := range env.Player(n.players) {
		end := len(n.seen)
		if cap(n.seen) < end+inputs {
			n.seen = append(n.seen, make([]float32, inputs)...)
		}
		n.seen = n.seen[:end+inputs]
		s.Observe(n.seen[end:], p)
	}
}

func (n *netValue) Values() ([]float64, error) {
	spec := n.policy.Spec()
	rows := len(n.seen) / spec.Inputs
	if words := rows * ((spec.Actions + 63) / 64); len(n.none) < words {
		n.none = make([]uint64, words)
	}
	_, values := n.policy.Evaluate(&n.work, n.seen, n.none[:rows*((spec.Actions+63)/64)], rows)
	n.seen, n.values = n.seen[:0], n.values[:0]
	if err := finite(values); err != nil {
		return nil, err
	}
	for r := range rows {
		n.values = append(n.values, max(-1, min(1, float64(values[r*spec.Values]))))
	}
	if n.zeroSum {
		for seats := range slices.Chunk(n.values, n.players) {
			mean := floats.Sum(seats) / float64(n.players)
			floats.AddConst(-mean, seats)
		}
	}
	return n.values, nil
}

// potentialValue is the game's potential.
type potentialValue struct {
	players int
	added   []float64
	values  []float64
}

func (v *potentialValue) Add(s env.State) {
	for p := range env.Player(v.players) {
		x := s.(env.Potential).Potential(p)
		v.added = append(v.added, math.Max(-1, math.Min(1, x)))
	}
}

func (v *potentialValue) Values() ([]float64, error) {
	v.values, v.added = v.added, v.values[:0]
	return v.values, nil
}
