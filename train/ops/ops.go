// Package ops adds fused float32 operations to Gorgonia graphs: a linear layer with ReLU, pointers from actions to
// objects, and the whole PPO loss with its masked soft-max. Gorgonia's own operations would make dozens of passes and
// tensors out of each.
//
// The operations are differentiated symbolically, by [gorgonia.Grad], like any other; their gradients are analytic
// and fused too. They own the tensors that they return and use them again in the next run, so a training step
// allocates next to nothing. The number of rows may change from run to run: it comes in through an [Input].
//
// Work is spread over the workers of an [Exec] by rows of the result, and every element is summed in a fixed order:
// the results have the same bits for any number of workers.
package ops

import (
	"fmt"
	"hash"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/chewxy/hm"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"earthgym/agents/neural/gemm"
)

// Exec says how operations run.
type Exec struct {
	Kernels gemm.Kernels
	Workers int // goroutines that share the work; below 2 is 1
}

// split calls f for parts of 0 to n, at the same time on all workers, and returns when all are done. Parts start at
// multiples of unit.
func (e Exec) split(n, unit int, f func(worker, from, to int)) {
	units := (n + unit - 1) / unit
	workers := max(1, min(e.Workers, units))
	edge := func(w int) int { return min(n, units*w/workers*unit) }
	var wg sync.WaitGroup
	for w := 1; w < workers; w++ {
		wg.Go(func() { f(w, edge(w), edge(w+1)) })
	}
	f(0, 0, edge(1))
	wg.Wait()
}

// An op is one operation, as Gorgonia asks for it. The pointer to it makes two operations that look alike different:
// Gorgonia merges nodes whose operations have one hash and the same children.
type op struct {
	name   string
	dims   []int // dimensions of each argument; 0 is a number
	result int   // those of the result
	shape  func(in []tensor.Shape) tensor.Shape
	run    func(in []G.Value, x [][]float32) (G.Value, error) // x: what arguments with dimensions hold

	x [][]float32 // of the running pass
}

func (o *op) ReturnsPtr() bool      { return true }
func (o *op) CallsExtern() bool     { return false }
func (o *op) OverwritesInput() int  { return -1 }
func (o *op) WriteHash(h hash.Hash) { fmt.Fprintf(h, "%s %p", o.name, o) }
func (o *op) String() string        { return o.name }
func (o *op) Arity() int            { return len(o.dims) }

func (o *op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// Type has one type variable, so that arguments and result are of one number type.
func (o *op) Type() hm.Type {
	var types []hm.Type
	for _, dims := range append(slices.Clone(o.dims), o.result) {
		if number := hm.TypeVariable('a'); dims > 0 {
			types = append(types, G.TensorType{Dims: dims, Of: number})
		} else {
			types = append(types, number)
		}
	}
	return hm.NewFnType(types...)
}

// InferShape is the shape of the result; those of the arguments have to be known.
func (o *op) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	shapes := make([]tensor.Shape, len(in))
	for i, d := range in {
		s, ok := d.(tensor.Shape)
		if !ok || len(s) != o.dims[i] {
			return nil, fmt.Errorf("%s: argument %d has shape %v, want %d dimensions", o.name, i, d, o.dims[i])
		}
		shapes[i] = s
	}
	return o.shape(shapes), nil
}

// Do computes the result.
func (o *op) Do(in ...G.Value) (G.Value, error) {
	o.x = o.x[:0]
	for i, v := range in {
		x, ok := v.Data().([]float32)
		if !ok && o.dims[i] > 0 {
			return nil, fmt.Errorf("%s: an operation of float32 got %T", o.name, v.Data())
		}
		o.x = append(o.x, x)
	}
	return o.run(in, o.x)
}

// likeFirst is the shape of what looks like its first argument.
func likeFirst(in []tensor.Shape) tensor.Shape { return in[0].Clone() }

// A differentiable operation has gradients with respect to all arguments but those without.
type differentiable struct {
	*op
	without int // how many of the first arguments
	diff    func(in G.Nodes, out, grad *G.Node) (G.Nodes, error)
}

func (o differentiable) DiffWRT(inputs int) []bool {
	return append(make([]bool, o.without), slices.Repeat([]bool{true}, inputs-o.without)...)
}

func (o differentiable) SymDiff(in G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	return o.diff(in, out, grad)
}

// buffer is a matrix that an operation returns, made anew only when it has to grow.
type buffer struct {
	t    *tensor.Dense
	data []float32
}

// matrix returns the buffer as a matrix of that shape with whatever it held.
func (b *buffer) matrix(rows, cols int) *tensor.Dense {
	if b.t != nil && b.t.Shape()[0] == rows && b.t.Shape()[1] == cols {
		return b.t
	}
	if cap(b.data) < rows*cols {
		b.data = make([]float32, rows*cols)
	}
	b.data = b.data[:rows*cols]
	b.t = tensor.New(tensor.WithShape(rows, cols), tensor.WithBacking(b.data))
	return b.t
}

// Input is a matrix that comes into a graph from outside, with any number of rows.
type Input struct {
	op
	cols int
	t    *tensor.Dense
	rows *gemm.Sparse // if it is sparse: t is then of no use
}

// NewInput adds a matrix of so many columns to g.
func NewInput(g *G.ExprGraph, cols int) (*Input, *G.Node) {
	in := &Input{op: op{name: "input"}, cols: cols}
	in.Set(make([]float32, cols))
	n := G.NewUniqueNode(G.In(g), G.WithOp(in), G.WithType(G.TensorType{Dims: 2, Of: G.Float32}), G.WithShape(1, cols),
		G.WithChildren(G.Nodes{}))
	return in, n
}

// Columns is the number of columns.
func (in *Input) Columns() int { return in.cols }

// Set makes data, a whole number of rows, what the next run sees. The slice isn't copied.
func (in *Input) Set(data []float32) {
	in.t = tensor.New(tensor.WithShape(len(data)/in.cols, in.cols), tensor.WithBacking(data))
}

// SetSparse makes rows what the next runs see, of which only a [Linear] that was told of the input may take anything.
func (in *Input) SetSparse(rows *gemm.Sparse) { in.rows = rows }

// Arity is 0: an input has no children.
func (in *Input) Arity() int { return 0 }

// Type is a float32 matrix.
func (in *Input) Type() hm.Type { return G.TensorType{Dims: 2, Of: G.Float32} }

// InferShape is the shape of what was set last.
func (in *Input) InferShape(...G.DimSizer) (tensor.Shape, error) { return in.t.Shape(), nil }

// Do returns what was set last.
func (in *Input) Do(...G.Value) (G.Value, error) { return in.t, nil }
