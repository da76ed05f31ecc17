// Package neural holds policy networks: their parameters, the forward pass that agents and self-play use, and the
// choice of an action from logits.
//
// A [Params] is made by [NewParams] and [Params.Init], or read from a checkpoint by [FromFile]. A [Policy] is its
// immutable, fast form for acting: share it between goroutines and give each its own [Workspace].
//
// # What pays
//
// Share of the actions of the strong bots of 2 seats that a network of 256-256 names right, and cross-entropy, on
// decisions of other games, after it has cloned so many decisions once (steps of 512, inputs scaled); processor time of
// a step with one thread on a busy machine:
//
//	                              The Earthman's Burden (203 k)   New Earth (250 k)
//	one output for each action     90.7 %  0.259  10.4 ms          70.9 %  0.767  13.2 ms
//	pointers to objects            92.6 %  0.199  13.0 ms          77.3 %  0.614  17.4 ms
//	and residual layers            93.2 %  0.192  14.4 ms          78.1 %  0.589  18.3 ms
//	three of them                  93.5 %  0.185  18.2 ms
//	three layers, not residual     92.7 %  0.196  16.9 ms
//
// In Resilience Earth, 4 seats, without pointers, residual layers name 89.5 % instead of 88.4 % right (0.371, 0.413),
// and 256 k decisions of the league after 259 k of cloning, one seed, 43 s and 41 s of processor time, lead to a
// network that returns 0.43 more than the bots greedy and strong on average, 0.36 without them; each against the same
// 200 games, so that one may well be luck. Scaling inputs by folded factors alone does nothing; with the rates that go
// with it a clone of New Earth's strong bot names 71.1 % instead of 69.5 % right (31 k decisions, six times; what
// observations showed then).
package neural

import (
	"fmt"
	"math"

	"earthgym/agents/neural/gemm"
)

// Policy computes logits and values. It is immutable and safe for use by many goroutines.
type Policy struct {
	spec     Spec
	kernels  gemm.Kernels
	layers   []packed // hidden ones and the head
	embed    []packed // objects, by kind
	pointers *Pointers
	widest   int // hidden layer
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
	n := &Policy{spec: p.Spec(), kernels: k, pointers: NewPointers(p.spec)}
	layers := make([]packed, len(p.layers))
	for i, l := range p.layers {
		w := &layers[i].weight
		w.Resize(l.In, l.Out)
		w.Pack(l.Weight, l.Out, 0, l.In)
		layers[i].bias = append([]float32(nil), l.Bias...)
	}
	for _, width := range p.spec.Hidden {
		n.widest = max(n.widest, width)
	}
	hidden := len(p.spec.Hidden)
	n.layers, n.embed = layers[:hidden+1], layers[hidden+1:]
	return n
}

// Spec is the shape of the network.
func (n *Policy) Spec() Spec { return n.spec }

// Workspace is the memory of one goroutine for [Policy.Forward] and [Policy.Evaluate]. Its zero value is ready; it may
// serve any number of policies, one after the other.
type Workspace struct {
	sparse         gemm.Sparse
	hidden         [2][]float32
	norm           []float32 // a hidden layer, normalised
	head           []float32
	logits, values []float32
	own            []float32 // values of the observers

	pointing Pointing
	embedded []float32
	products Products
}

// blockRows is how many rows go through all layers together: what they need stays in the cache.
const blockRows = 96

// sparseShare: with fewer than one in so many inputs set, the first layer only looks at those that are.
const sparseShare = 4

// Forward computes the network for rows observations, obs [rows, Inputs]. It returns logits [rows, Actions], of legal
// and illegal actions alike, and the values of the observers [rows]; both belong to ws and hold until its next use. A
// row's result doesn't depend on the others: it has the same bits in every batch. After the first call of a size
// nothing is allocated.
//
// Forward panics if obs doesn't have rows × Inputs elements.
func (n *Policy) Forward(ws *Workspace, obs []float32, rows int) (logits, values []float32) {
	logits, values = n.Evaluate(ws, obs, nil, rows)
	seats := n.spec.Values
	if seats == 1 {
		return logits, values
	}
	ws.own = resize(ws.own, rows)
	for r := range ws.own {
		ws.own[r] = values[r*seats]
	}
	return logits, ws.own
}

// Evaluate is [Policy.Forward] for the logits of legal actions alone, which have the same bits; those of others say
// nothing. mask has a word for every started 64 actions of each row; nil stands for all actions. Where actions point at
// objects, fewer legal ones take less time. The values [rows, Values] are those of all seats, the observer's first and
// the others clockwise; those of seats that a game doesn't have say nothing.
func (n *Policy) Evaluate(ws *Workspace, obs []float32, mask []uint64, rows int) (logits, values []float32) {
	if len(obs) != rows*n.spec.Inputs {
		panic(fmt.Sprintf("neural: %d numbers aren't %d observations of %d", len(obs), rows, n.spec.Inputs))
	}
	ws.resize(n, rows)
	in := n.spec.Inputs
	for from := 0; from < rows; from += blockRows {
		to := min(rows, from+blockRows)
		seen, sparse := obs[from*in:to*in], &ws.sparse
		if !sparse.Gather(n.kernels, seen, in, to-from, in, len(seen)/sparseShare) {
			sparse = nil
		}
		n.block(ws, seen, sparse, 0, mask, from, to)
	}
	return ws.logits, ws.values
}

// EvaluateSparse is [Policy.Evaluate] for the rows [from, to) of observations that are sparse: with the same bits, and
// with a mask and results for these rows alone.
//
// It panics if observations don't have Inputs columns.
func (n *Policy) EvaluateSparse(ws *Workspace, obs *gemm.Sparse, from, to int, mask []uint64) (logits,
	values []float32) {
	if obs.Cols != n.spec.Inputs {
		panic(fmt.Sprintf("neural: observations of %d numbers for a network of %d inputs", obs.Cols, n.spec.Inputs))
	}
	ws.resize(n, to-from)
	for at := from; at < to; at += blockRows {
		n.block(ws, nil, obs, at, mask, at-from, min(to, at+blockRows)-from)
	}
	return ws.logits, ws.values
}

func (ws *Workspace) resize(n *Policy, rows int) {
	block := min(rows, blockRows)
	for i := range ws.hidden {
		ws.hidden[i] = resize(ws.hidden[i], block*n.widest)
	}
	if n.spec.Residual {
		ws.norm = resize(ws.norm, block*n.widest)
	}
	ws.head = resize(ws.head, block*n.layers[len(n.layers)-1].weight.N)
	ws.logits = resize(ws.logits, rows*n.spec.Actions)
	ws.values = resize(ws.values, rows*n.spec.Values)
	if n.pointers == nil {
		return
	}
	ws.pointing.reserve(n.pointers, block)
	for _, k := range n.pointers.kinds {
		ws.embedded = resize(ws.embedded, max(len(ws.embedded), block*len(k.runs)*k.width))
		ws.products.reserve(&k)
	}
}

func resize[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// block evaluates the rows [from, to) of a batch, whose observations are obs, or the rows from first on of sparse, or
// both; mask is that of the batch.
func (n *Policy) block(ws *Workspace, obs []float32, sparse *gemm.Sparse, first int, mask []uint64, from, to int) {
	rows, in := to-from, n.spec.Inputs
	if mask != nil {
		mask = mask[from*((n.spec.Actions+63)/64):]
	}
	x := obs
	for i := range n.layers {
		last := i == len(n.layers)-1
		y := ws.hidden[i%2]
		if last {
			y = ws.head
		}
		seen := x
		if n.spec.Residual && i > 0 {
			seen = ws.norm[:rows*in]
			for at := 0; at < len(seen); at += in {
				n.kernels.Normalise(seen[at:at+in], x[at:at+in])
			}
		}
		l := &n.layers[i]
		if out := l.weight.N; i == 0 && sparse != nil {
			n.kernels.MulSparse(y, out, sparse, first, first+rows, &l.weight, l.bias, !last)
		} else {
			n.kernels.Mul(y, out, seen, in, rows, &l.weight, l.bias, !last)
		}
		if n.spec.Skips(i) {
			n.kernels.Add(y[:rows*in], x[:rows*in])
		}
		x, in = y, n.layers[i].weight.N
	}
	actions, seats, width := n.spec.Actions, n.spec.Values, in
	for r := range rows {
		row := ws.head[r*width:][:actions+seats]
		copy(ws.logits[(from+r)*actions:], row[:actions])
		copy(ws.values[(from+r)*seats:], row[actions:])
	}
	if n.pointers == nil {
		return
	}
	if obs != nil {
		ws.pointing.Point(n.pointers, obs, mask, rows)
	} else {
		ws.pointing.PointSparse(n.pointers, sparse, first, first+rows, mask)
	}
	for kind := range n.embed {
		count := ws.pointing.kinds[kind].count
		if count == 0 {
			continue
		}
		e := &n.embed[kind]
		n.kernels.Mul(ws.embedded, e.weight.N, ws.pointing.Objects(kind), e.weight.K, count, &e.weight, e.bias, true)
		for r := range rows {
			ws.pointing.Add(n.pointers, kind, r, &ws.products, n.kernels,
				ws.logits[(from+r)*actions:], ws.head[r*width:][:width], ws.embedded)
		}
	}
}
