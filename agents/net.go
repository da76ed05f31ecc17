package agents

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"earthgym/agents/neural"
	"earthgym/agents/shipped"
	"earthgym/env"
)

// net plays by a trained network: it draws its action from the policy, or takes the most probable one.
type net struct {
	name   string
	policy *neural.Policy // shared by all instances
	argmax bool

	luck  env.Stream
	work  neural.Workspace
	batch []float32 // observations [views, inputs]
	legal env.Mask  // their masks, one after the other
}

func openNet(text, rest string, g env.Game) (*Maker, error) {
	path, option, more := strings.Cut(rest, ",")
	if more && option != "argmax" {
		return nil, &TextError{fmt.Errorf("unknown option %q of net: %s", option, env.Suggest(option, []string{"argmax"}))}
	}
	policy, memory, hash, err := shipped.Hashed(path, g.Info())
	if err != nil {
		return nil, missing(err)
	}
	create := func() (Agent, error) { return &net{name: text, policy: policy, argmax: more}, nil }
	return &Maker{Text: text, New: create, Deaf: true, Memory: memory, Hash: hash}, nil
}

// missing makes a TextError of the error that no network comes with the program.
func missing(err error) error {
	if errors.Is(err, shipped.ErrNone) {
		return &TextError{err}
	}
	return err
}

func (n *net) Name() string      { return n.name }
func (n *net) Reset(seed uint64) { n.luck = env.NewStream(seed, "net") }

func (n *net) Act(v *env.View) (env.Action, error) {
	logits, values := n.policy.Evaluate(&n.work, v.Observation(), v.Mask(), 1)
	if err := finite(values[:1]); err != nil {
		return -1, err
	}
	return n.choose(logits, v.Mask()), nil
}

func (n *net) choose(logits []float32, mask env.Mask) env.Action {
	if n.argmax {
		return env.Action(neural.Argmax(logits, mask))
	}
	return env.Action(neural.Sample(logits, mask, n.luck.Float64()))
}

// finite reports a network whose weights are finite but so large that its answers are not.
func finite(values []float32) error {
	for _, value := range values {
		if x := float64(value); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("the network's value is %v: its training has diverged", value)
		}
	}
	return nil
}

// ActFor implements env.Deputy. The values of all must be finite before any of them chooses.
func (n *net) ActFor(agents []Agent, views []*env.View, out []env.Action) error {
	n.batch, n.legal = n.batch[:0], n.legal[:0]
	for _, v := range views {
		n.batch, n.legal = append(n.batch, v.Observation()...), append(n.legal, v.Mask()...)
	}
	logits, values := n.policy.Evaluate(&n.work, n.batch, n.legal, len(views))
	if err := finite(values); err != nil {
		return err
	}
	actions := n.policy.Spec().Actions
	for i, v := range views {
		out[i] = agents[i].(*net).choose(logits[i*actions:(i+1)*actions], v.Mask())
	}
	return nil
}

// Explain implements Explainer: the policy's probabilities, from which argmax takes the highest.
func (n *net) Explain(v *env.View) (Explanation, error) {
	logits, values := n.policy.Evaluate(&n.work, v.Observation(), v.Mask(), 1)
	if err := finite(values[:1]); err != nil {
		return Explanation{}, err
	}
	e := Explanation{Probabilities: make([]float32, len(logits)), Value: max(-1, min(1, float64(values[0])))}
	neural.Probabilities(e.Probabilities, logits, v.Mask())
	return e, nil
}

// Mix implements Mixer.
func (n *net) Mix(v *env.View, dst []float64) error {
	logits, values := n.policy.Evaluate(&n.work, v.Observation(), v.Mask(), 1)
	if err := finite(values[:1]); err != nil {
		return err
	}
	clear(dst)
	if n.argmax {
		dst[neural.Argmax(logits, v.Mask())] = 1
		return nil
	}
	probabilities := make([]float32, len(logits))
	neural.Probabilities(probabilities, logits, v.Mask())
	for a, x := range probabilities {
		dst[a] = float64(x)
	}
	return nil
}
