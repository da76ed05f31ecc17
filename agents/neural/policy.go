// Package neural holds policy networks: their parameters, the forward pass that agents and self-play use, and the
// choice of an action from logits.
//
// A [Params] is made by [NewParams] and [Params.Init], or read from a checkpoint by [FromFile]. A [Policy] is its
// immutable, fast form for acting: share it between goroutines and give each its own [Workspace].
package neural

import (
	"fmt"
	"math"

	"earthgym/agents/neural/gemm"
)

// Policy computes logits and values. It is immutable and safe for use by many goroutines.
type Policy struct {
	spec    Spec
	kernels gemm.Kernels
	layers  []packed
	widest  int // hidden layer
}

type packed struct {
	weight gemm.Panels
	bias   []float32
}

// NewPolicy returns the policy of these parameters, which it copies. It is an error if the parameters aren't finite,
// or if the environment asks for kernels that this machine can't run (see [gemm.Select]).
func NewPolicy(p *Params) (*Policy, error) {
	k, err := gemm.Select()
	if err != nil {
		return nil, fmt.Errorf("make policy: %w", err)
	}
	if s := k.SumSquares(p.flat); math.IsNaN(s) || math.IsInf(s, 0) {
		return nil, fmt.Errorf("make policy: the parameters hold a number that isn't finite")
	}
	return newPolicy(p, k), nil
}

func newPolicy(p *Params, k gemm.Kernels) *Policy {
	n := &Policy{spec: p.Spec(), kernels: k, layers: make([]packed, len(p.layers))}
	for i, l := range p.layers {
		w := &n.layers[i].weight
		w.Resize(l.In, l.Out)
		w.Pack(l.Weight, l.Out, 0, l.In)
		n.layers[i].bias = append([]float32(nil), l.Bias...)
		if i < len(p.layers)-1 {
			n.widest = max(n.widest, l.Out)
		}
	}
	return n
}

// Spec is the shape of the network.
func (n *Policy) Spec() Spec { return n.spec }

// Workspace is the memory of one goroutine for [Policy.Forward]. Its zero value is ready; it may serve any number of
// policies, one after the other.
type Workspace struct {
	sparse         gemm.Sparse
	hidden         [2][]float32
	head           []float32
	logits, values []float32
}

// blockRows is how many rows go through all layers together: what they need stays in the cache.
const blockRows = 96

// sparseShare: with fewer than one in so many inputs set, the first layer only looks at those that are.
const sparseShare = 4

// Forward computes the network for rows observations, obs [rows, Inputs]. It returns logits [rows, Actions], of legal
// and illegal actions alike, and values [rows]; both belong to ws and hold until its next use. A row's result doesn't
// depend on the others: it has the same bits in every batch. After the first call of a size nothing is allocated.
//
// Forward panics if obs doesn't have rows × Inputs elements.
func (n *Policy) Forward(ws *Workspace, obs []float32, rows int) (logits, values []float32) {
	if len(obs) != rows*n.spec.Inputs {
		panic(fmt.Sprintf("neural: %d numbers aren't %d observations of %d", len(obs), rows, n.spec.Inputs))
	}
	ws.resize(n, rows)
	for from := 0; from < rows; from += blockRows {
		n.block(ws, obs, from, min(rows, from+blockRows))
	}
	return ws.logits, ws.values
}

func (ws *Workspace) resize(n *Policy, rows int) {
	block := min(rows, blockRows)
	for i := range ws.hidden {
		ws.hidden[i] = resize(ws.hidden[i], block*n.widest)
	}
	ws.head = resize(ws.head, block*(n.spec.Actions+1))
	ws.logits = resize(ws.logits, rows*n.spec.Actions)
	ws.values = resize(ws.values, rows)
}

func resize(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

func (n *Policy) block(ws *Workspace, obs []float32, from, to int) {
	rows, in, k := to-from, n.spec.Inputs, n.kernels
	x := obs[from*in : to*in]
	for i := range n.layers {
		l := &n.layers[i]
		last := i == len(n.layers)-1
		y := ws.hidden[i%2]
		if last {
			y = ws.head
		}
		out := l.weight.N
		if i == 0 && ws.sparse.Gather(k, x, in, rows, in, len(x)/sparseShare) {
			k.MulSparse(y, out, &ws.sparse, 0, rows, &l.weight, l.bias, !last)
		} else {
			k.Mul(y, out, x, in, rows, &l.weight, l.bias, !last)
		}
		x, in = y, out
	}
	actions := n.spec.Actions
	for r := range rows {
		row := ws.head[r*(actions+1):][:actions+1]
		copy(ws.logits[(from+r)*actions:], row[:actions])
		ws.values[from+r] = row[actions]
	}
}
