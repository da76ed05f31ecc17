package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/train/ops"
)

// Minibatch is what one step learns from, row by row. Each slice holds exactly Rows rows.
type Minibatch struct {
	Rows int
	Obs  *gemm.Sparse // observations [Rows, Inputs]
	ops.Decisions
}

// StepOptions are the numbers of one step that a schedule may change.
type StepOptions struct {
	LearningRate float64 // above 0
	ClipCoef     float64 // how far the ratio of probabilities may go from 1 before it pays no more; above 0
	ValueCoef    float64 // factor of the value's loss
	EntropyCoef  float64 // factor of the entropy
	KLCoef       float64 // factor of the divergence from the reference, if there is one
	MaxGradNorm  float64 // what the norm of the gradient is cut down to; 0 for no limit
}

// StepStats are the loss and its parts before the step, and the gradient's norm before it was cut down.
type StepStats struct {
	ops.Stats
	GradNorm float64
}

// notFinite names the terms of the loss that are not finite.
func (s *StepStats) notFinite() string {
	var terms []string
	for _, term := range []struct {
		name  string
		value float64
	}{
		{"policy term", s.PolicyLoss}, {"value term", s.ValueLoss}, {"value term of the others", s.OthersLoss},
		{"entropy", s.Entropy}, {"divergence from the reference", s.ReferenceKL},
	} {
		if math.IsNaN(term.value) || math.IsInf(term.value, 0) {
			terms = append(terms, fmt.Sprintf("%s %v", term.name, term.value))
		}
	}
	return strings.Join(terms, ", ")
}

// Learner trains one network by PPO, or clones a teacher: a Gorgonia graph of fused operations with its gradients,
// compiled once for any number of rows, and Adam. It belongs to one goroutine.
//
// The same steps give the same parameters, bit for bit, whatever the number of workers and the processor, as long as
// its kernels are fused or, in both places, portable (see package gemm).
type Learner struct {
	params  *neural.Params
	grads   []float32 // laid out as the parameters are
	machine G.VM
	input   *ops.Input
	objects []*ops.Input // by kind
	point   ops.Pointing
	output  *G.Node // [rows, Outputs]
	batch   ops.Batch
	stats   ops.Stats
	solver  *adam
	model   []G.ValueGrad
}

// parameter is one tensor of the network, for the solver. Gradients are read from the nodes that [gorgonia.Grad] made.
type parameter struct{ value, grad *G.Node }

// Value is the tensor.
func (p parameter) Value() G.Value { return p.value.Value() }

// Grad is the gradient that the last run computed.
func (p parameter) Grad() (G.Value, error) {
	if v := p.grad.Value(); v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("%s has no gradient yet", p.value.Name())
}

// NewLearner returns a learner for p, which it changes in place from then on. The work of a step is shared by so many
// goroutines. It is an error if the environment asks for kernels that this machine can't run (see [gemm.Select]).
func NewLearner(p *neural.Params, workers int) (*Learner, error) {
	k, err := gemm.Select()
	if err != nil {
		return nil, fmt.Errorf("make learner: %w", err)
	}
	l, err := newLearner(p, workers, k)
	if err != nil {
		return nil, fmt.Errorf("make learner: %w", err)
	}
	return l, nil
}

func newLearner(p *neural.Params, workers int, k gemm.Kernels) (*Learner, error) {
	if workers < 1 {
		return nil, fmt.Errorf("%d workers can't do anything; at least 1 is needed", workers)
	}
	l := &Learner{params: p, grads: make([]float32, len(p.Flat())), solver: newAdam(k, len(p.Flat()))}
	exec := ops.Exec{Kernels: k, Workers: workers}
	graph := G.NewGraph()
	var x *G.Node
	l.input, x = ops.NewInput(graph, p.Spec().Inputs)

	layers, grads := p.Layers(), p.Split(l.grads)
	var nodes G.Nodes
	linear := func(i int, x *G.Node, relu bool, input *ops.Input) (*G.Node, error) {
		layer := layers[i]
		w := constant(graph, layer.Name+".weight", layer.Weight, layer.In, layer.Out)
		b := constant(graph, layer.Name+".bias", layer.Bias, layer.Out)
		nodes = append(nodes, w, b)
		params := ops.Parameters{Weight: w, Bias: b, GradWeight: grads[i].Weight, GradBias: grads[i].Bias}
		return ops.Linear(exec, x, params, relu, input)
	}
	spec, err := p.Spec(), error(nil)
	head := len(spec.Hidden)
	for i, seen := 0, l.input; i <= head; i, seen = i+1, nil {
		var norm *ops.Norm
		if spec.Residual && i > 0 {
			if norm, x, err = ops.Normalise(exec, x); err != nil {
				return nil, err
			}
		}
		if x, err = linear(i, x, i < head, seen); err != nil {
			return nil, err
		}
		if spec.Skips(i) {
			if x, err = ops.Skip(norm, x); err != nil {
				return nil, err
			}
		}
	}
	l.point = ops.Pointing{Pointers: neural.NewPointers(spec), Outputs: spec.Outputs()}
	var embedded G.Nodes
	for i := head + 1; i < len(layers); i++ {
		in, features := ops.NewInput(graph, layers[i].In)
		e, err := linear(i, features, true, in)
		if err != nil {
			return nil, err
		}
		l.objects, embedded = append(l.objects, in), append(embedded, e)
	}
	if len(embedded) > 0 {
		if x, err = ops.Point(exec, x, embedded, &l.point); err != nil {
			return nil, err
		}
	}
	l.output = x
	loss, err := ops.PPO(exec, x, &l.batch, &l.stats)
	if err != nil {
		return nil, err
	}
	gradients, err := G.Grad(loss, nodes...)
	if err != nil {
		return nil, err
	}
	for i, n := range nodes {
		l.model = append(l.model, parameter{n, gradients[i]})
	}
	l.machine = G.NewTapeMachine(graph)
	return l, nil
}

// constant adds part of the flat parameters to the graph, without copying it.
func constant(g *G.ExprGraph, name string, data []float32, shape ...int) *G.Node {
	t := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
	return G.NewTensor(g, G.Float32, len(shape), G.WithShape(shape...), G.WithName(name), G.WithValue(t))
}

// Params are the parameters that the learner changes. Copy them, or make a policy of them, to keep them as they are.
func (l *Learner) Params() *neural.Params { return l.params }

// Step does one step of training on b. If the loss or the gradient isn't finite, or b isn't what it should be, it
// returns an error and leaves the parameters and the state as they were.
func (l *Learner) Step(b Minibatch, o StepOptions) (StepStats, error) {
	stats, err := l.step(b, o)
	if err != nil {
		return stats, fmt.Errorf("training step: %w", err)
	}
	return stats, nil
}

func (l *Learner) step(b Minibatch, o StepOptions) (StepStats, error) {
	if err := l.check(b); err != nil {
		return StepStats{}, err
	}
	if err := o.check(); err != nil {
		return StepStats{}, err
	}
	l.batch = ops.Batch{
		Decisions: b.Decisions, Values: l.params.Spec().Values,
		ClipCoef: float32(o.ClipCoef), ValueCoef: float32(o.ValueCoef), EntropyCoef: float32(o.EntropyCoef),
		KLCoef: float32(o.KLCoef),
	}
	if err := l.run(b.Obs); err != nil {
		return StepStats{}, err
	}
	stats := StepStats{Stats: l.stats}
	if math.IsNaN(stats.Loss) || math.IsInf(stats.Loss, 0) {
		return stats, fmt.Errorf("the loss is %v, its %s, which %w", stats.Loss, stats.notFinite(), errNotFinite)
	}
	l.solver.rate, l.solver.maxNorm = o.LearningRate, o.MaxGradNorm
	err := l.solver.Step(l.model)
	stats.GradNorm = l.solver.norm
	return stats, err
}

// run computes the loss of l.batch and all gradients.
func (l *Learner) run(obs *gemm.Sparse) error {
	l.input.SetSparse(obs)
	if l.point.Pointers != nil {
		l.point.PointSparse(l.point.Pointers, obs, 0, obs.Rows, l.batch.Mask)
	}
	for kind, in := range l.objects {
		features := l.point.Objects(kind)
		if len(features) == 0 {
			features = make([]float32, in.Columns()) // a matrix needs a row; nobody points at this one
		}
		in.Set(features)
	}
	defer l.machine.Reset() // without it the next run would do nothing
	return l.machine.RunAll()
}

// check refuses a minibatch whose slices don't go together, or whose actions aren't legal.
func (l *Learner) check(b Minibatch) error {
	spec := l.params.Spec()
	words := (spec.Actions + 63) / 64
	if b.Rows < 1 {
		return fmt.Errorf("a minibatch of %d rows; at least 1 is needed", b.Rows)
	}
	if b.Obs == nil || b.Obs.Rows != b.Rows || b.Obs.Cols != spec.Inputs {
		return fmt.Errorf("a minibatch of %d rows, but not as many observations of %d numbers in Obs", b.Rows, spec.Inputs)
	}
	played, reference, returns := 1, 0, 1
	if len(b.Return) != b.Rows {
		returns = spec.Values
	}
	if b.Clone {
		played = 0
	}
	if b.Reference != nil {
		reference = spec.Actions
	}
	for _, s := range []struct {
		name      string
		got, each int
	}{
		{"Mask", len(b.Mask), words}, {"Action", len(b.Action), 1}, {"LogProb", len(b.LogProb), played},
		{"Advantage", len(b.Advantage), played}, {"Return", len(b.Return), returns},
		{"Reference", len(b.Reference), reference},
	} {
		if s.got != b.Rows*s.each {
			return fmt.Errorf("a minibatch of %d rows has %d elements in %s, want %d", b.Rows, s.got, s.name, b.Rows*s.each)
		}
	}
	for r, a := range b.Action {
		if a < 0 || int(a) >= spec.Actions || b.Mask[r*words+int(a)/64]>>(a%64)&1 == 0 {
			return fmt.Errorf("row %d of the minibatch: action %d isn't legal", r, a)
		}
	}
	return nil
}

// check refuses options that make no sense.
func (o StepOptions) check() error {
	for _, v := range []struct {
		name  string
		value float64
		ok    bool
		want  string
	}{
		{"LearningRate", o.LearningRate, o.LearningRate > 0, "above 0"},
		{"ClipCoef", o.ClipCoef, o.ClipCoef > 0, "above 0"},
		{"ValueCoef", o.ValueCoef, o.ValueCoef >= 0, "0 or more"},
		{"EntropyCoef", o.EntropyCoef, o.EntropyCoef >= 0, "0 or more"},
		{"KLCoef", o.KLCoef, o.KLCoef >= 0, "0 or more"},
		{"MaxGradNorm", o.MaxGradNorm, o.MaxGradNorm >= 0, "0 or more"},
	} {
		if !v.ok || math.IsInf(v.value, 0) {
			return fmt.Errorf("%s is %v; it must be a number %s", v.name, v.value, v.want)
		}
	}
	return nil
}

// Steps is the number of steps that the optimiser has taken.
func (l *Learner) Steps() uint64 { return l.solver.step }

// State returns a copy of what the optimiser remembers. With the parameters it is all that a learner needs to go on
// exactly where this one is.
func (l *Learner) State() AdamState { return l.solver.state() }

// ScaleInputs makes the learner learn as it would from inputs multiplied by the factors of neural.Spec.InputScale.
// A network that is still as Params.Init left it is to be scaled too (neural.Params.ScaleInputs); one that has learnt
// something keeps its answers.
func (l *Learner) ScaleInputs(scale []float32) {
	l.solver.scale, l.solver.stretches = slices.Clone(scale), l.params.Stretches(scale)
}

// Restore makes the optimiser go on from s, which is copied. An error leaves it as it was.
func (l *Learner) Restore(s AdamState) error {
	spec := l.params.Spec()
	if want := len(spec.InputScale(nil)); s.Scale != nil && len(s.Scale) != want {
		return fmt.Errorf("restore optimiser: the state has factors of %d inputs, the network has %d", len(s.Scale), want)
	}
	for i, factor := range s.Scale {
		if f := float64(factor); !(f > 0) || math.IsInf(f, 0) {
			return fmt.Errorf("restore optimiser: the factor of input %d is %v; it must be above 0 and finite", i, factor)
		}
	}
	if err := l.solver.restore(s); err != nil {
		return fmt.Errorf("restore optimiser: %w", err)
	}
	l.solver.scale, l.solver.stretches = nil, nil
	if s.Scale != nil {
		l.ScaleInputs(s.Scale)
	}
	return nil
}
