package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	G "gorgonia.org/gorgonia"

	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
)

// The constants of Adam. Epsilon is larger than usual, as is the custom for PPO (Huang et al., The 37 Implementation
// Details of Proximal Policy Optimization, 2022): it keeps parameters whose gradient is nearly always 0 from jumping.
const (
	adamBeta1   = 0.9
	adamBeta2   = 0.999
	adamEpsilon = 1e-5
)

// adam is Gorgonia's Solver for Adam (Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015) with clipping of
// the gradients' common norm (Pascanu, Mikolov and Bengio, On the Difficulty of Training Recurrent Neural Networks,
// 2013), which Gorgonia's own solvers don't do (they clip each number). Step t with the gradient g is
//
//	g = g · min(1, maxNorm / |g|)
//	m = β1·m + (1-β1)·g
//	v = β2·v + (1-β2)·g²
//	w = w - rate · m/(1-β1^t) / (√(v/(1-β2^t)) + ε)
//
// Where inputs have a factor s (neural.Spec.InputScale), w/s is what is learnt, with the gradient s·g: the same steps
// as with inputs multiplied by s. It makes two passes over the parameters and allocates nothing.
type adam struct {
	kernels gemm.Kernels
	rate    float64 // learning rate
	maxNorm float64 // what the norm of all gradients together is cut down to; 0 for no limit

	step uint64
	m, v []float32 // the moments, in the order of the model

	scale     []float32        // factors of inputs; nil for none
	stretches []neural.Stretch // what they make of the parameters
	norm      float64          // of the last gradients, before they were clipped
}

var _ G.Solver = (*adam)(nil)

func newAdam(k gemm.Kernels, params int) *adam {
	return &adam{kernels: k, m: make([]float32, params), v: make([]float32, params)}
}

// errNotFinite says that a step was refused and nothing has changed.
var errNotFinite = errors.New("isn't finite; the parameters are as before the step. A lower learning rate or " +
	"gradient norm may help")

// Step moves the parameters of the model along their gradients. If a gradient isn't finite, nothing changes.
func (a *adam) Step(model []G.ValueGrad) error {
	var squares float64
	size := 0
	for _, p := range model {
		w, g, err := weightAndGrad(p)
		if err != nil {
			return err
		}
		a.each(size, len(w), func(from, to int, factor float64) {
			squares += float64(factor * factor * a.kernels.SumSquares(g[from:to]))
		})
		size += len(w)
	}
	if size != len(a.m) {
		return fmt.Errorf("adam: the model has %d parameters, want %d", size, len(a.m))
	}
	a.norm = math.Sqrt(squares)
	if math.IsNaN(squares) || math.IsInf(squares, 0) {
		return fmt.Errorf("the gradient's norm is %v, which %w", a.norm, errNotFinite)
	}
	scale := 1.0
	if a.maxNorm > 0 && a.norm > a.maxNorm {
		scale = a.maxNorm / a.norm
	}
	a.step++
	rate := a.rate / (1 - math.Pow(adamBeta1, float64(a.step)))
	s := gemm.AdamStep{
		Beta1:   adamBeta1,
		Beta2:   adamBeta2,
		Root:    float32(1 / math.Sqrt(1-math.Pow(adamBeta2, float64(a.step)))),
		Epsilon: adamEpsilon,
	}
	at := 0
	for _, p := range model {
		w, g, err := weightAndGrad(p)
		if err != nil {
			return err
		}
		m, v := a.m[at:][:len(w)], a.v[at:][:len(w)]
		a.each(at, len(w), func(from, to int, factor float64) {
			part := s
			part.Scale, part.Rate = float32(scale*factor), float32(rate*factor)
			a.kernels.Adam(w[from:to], g[from:to], m[from:to], v[from:to], part)
		})
		at += len(w)
	}
	return nil
}

// each goes through n parameters from one on, in parts with one factor; parts are counted from the first of them.
func (a *adam) each(first, n int, f func(from, to int, factor float64)) {
	done := 0
	i, _ := slices.BinarySearchFunc(a.stretches, first, func(s neural.Stretch, at int) int { return s.From - at })
	for ; i < len(a.stretches) && a.stretches[i].From < first+n; i++ {
		s := a.stretches[i]
		if from := s.From - first; from > done {
			f(done, from, 1)
		}
		done = s.To - first
		f(s.From-first, done, float64(s.Factor))
	}
	if done < n {
		f(done, n, 1)
	}
}

func weightAndGrad(p G.ValueGrad) (w, g []float32, err error) {
	grad, err := p.Grad()
	if err != nil {
		return nil, nil, fmt.Errorf("adam: %w", err)
	}
	w, ok := p.Value().Data().([]float32)
	g, ok2 := grad.Data().([]float32)
	if !ok || !ok2 || len(w) != len(g) {
		return nil, nil, errors.New("adam: weights and gradients must be float32 tensors of one size")
	}
	return w, g, nil
}

// AdamState is what Adam remembers from step to step.
type AdamState struct {
	Steps uint64
	M, V  []float32 // the moments, laid out as the parameters are
	Scale []float32 // factors of the inputs (Learner.ScaleInputs); nil for none
}

// fresh is the state of an optimiser that has not taken a step yet, of the same network.
func (s AdamState) fresh() AdamState {
	return AdamState{M: make([]float32, len(s.M)), V: make([]float32, len(s.V)), Scale: s.Scale}
}

func (a *adam) state() AdamState {
	return AdamState{Steps: a.step, M: slices.Clone(a.m), V: slices.Clone(a.v), Scale: slices.Clone(a.scale)}
}

func (a *adam) restore(s AdamState) error {
	if len(s.M) != len(a.m) || len(s.V) != len(a.v) {
		return fmt.Errorf("the state is of %d and %d parameters, the network has %d", len(s.M), len(s.V), len(a.m))
	}
	for i, v := range s.V {
		if m := float64(s.M[i]); math.IsNaN(m) || math.IsInf(m, 0) || !(v >= 0) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("the moments of parameter %d are %v and %v; they must be finite, the second not negative", i, m, v)
		}
	}
	a.step = s.Steps
	copy(a.m, s.M)
	copy(a.v, s.V)
	return nil
}
