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

// net plays by a trained network: it draws its action from the policy, made softer or sharper, or takes the most
// probable one.
type net struct {
	name   string
	policy *neural.Policy // shared by all instances
	choice netChoice

	luck  env.Stream
	work  neural.Workspace
	batch []float32 // observations [views, inputs]
	legal env.Mask  // their masks, one after the other
}

func openNet(text, rest string, g env.Game) (*Maker, error) {
	path, options, more := strings.Cut(rest, ",")
	choice := netChoice{softness: drawn}
	if more {
		var err error
		if choice, err = readNetChoice(options); err != nil {
			return nil, &TextError{err}
		}
	}
	if path == "" && shipped.Stray(g.Info()) {
		return open(text, shipped.StandIn, g)
	}
	policy, memory, hash, err := shipped.Policy(path, g.Info())
	if err != nil {
		return nil, missing(err)
	}
	create := func() (Agent, error) { return &net{name: text, policy: policy, choice: choice}, nil }
	return &Maker{New: create, Memory: memory, Hash: hash, Made: "net:" + rest, Steady: choice.argmax}, nil
}

// A netChoice is how an action is chosen from a network's logits.
type netChoice struct {
	argmax   bool // the highest; otherwise by the softness
	softness      // in nats: logits are scores
}

// drawn takes a network's probabilities as they are.
var drawn = softness{temperature: 1, loss: math.Inf(1)}

// readNetChoice reads "argmax", or "temperature=T,loss=L" of which one may be missing.
func readNetChoice(options string) (netChoice, error) {
	if options == "argmax" {
		return netChoice{argmax: true}, nil
	}
	soft, err := readSoftness("net", options, drawn, "argmax")
	return netChoice{softness: soft}, err
}

// soften makes the logits those by which an action is drawn.
func (c netChoice) soften(logits []float32, mask env.Mask) {
	if c.softness != drawn {
		neural.Soften(logits, mask, c.temperature, c.loss)
	}
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
	if n.choice.argmax {
		return env.Action(neural.Argmax(logits, mask))
	}
	n.choice.soften(logits, mask)
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

// Explain implements Explainer: the probabilities that it draws by, or, if it takes the highest, those of the policy.
func (n *net) Explain(v *env.View) (Explanation, error) {
	logits, values := n.policy.Evaluate(&n.work, v.Observation(), v.Mask(), 1)
	if err := finite(values[:1]); err != nil {
		return Explanation{}, err
	}
	if !n.choice.argmax {
		n.choice.soften(logits, v.Mask())
	}
	e := Explanation{Probabilities: make([]float32, len(logits)), Value: max(-1, min(1, float64(values[0])))}
	neural.Probabilities(e.Probabilities, logits, v.Mask())
	return e, nil
}
