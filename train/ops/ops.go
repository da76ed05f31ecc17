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

// op has what is the same for all operations here. The pointer to it makes two operations that look alike different:
// Gorgonia merges nodes whose operations have one hash and the same children.
type op struct{ name string }

func (o *op) ReturnsPtr() bool      { return true }
func (o *op) CallsExtern() bool     { return false }
func (o *op) OverwritesInput() int  { return -1 }
func (o *op) WriteHash(h hash.Hash) { fmt.Fprintf(h, "%s %p", o.name, o) }
func (o *op) String() string        { return o.name }

func (o *op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// The types of arguments and results; one type variable, so that all are of one number type.
var (
	number = hm.TypeVariable('a')
	vector = G.TensorType{Dims: 1, Of: number}
	matrix = G.TensorType{Dims: 2, Of: number}
)

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

// floats returns the numbers of a tensor.
func floats(v G.Value) ([]float32, error) {
	f, ok := v.Data().([]float32)
	if !ok {
		return nil, fmt.Errorf("an operation of float32 got %T", v.Data())
	}
	return f, nil
}

// dims returns the shapes of the arguments, which have to be known.
func dims(in []G.DimSizer, want ...int) ([]tensor.Shape, error) {
	shapes := make([]tensor.Shape, len(in))
	for i, d := range in {
		s, ok := d.(tensor.Shape)
		if !ok || len(s) != want[i] {
			return nil, fmt.Errorf("argument %d has shape %v, want %d dimensions", i, d, want[i])
		}
		shapes[i] = s
	}
	return shapes, nil
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
	in := &Input{op: op{"input"}, cols: cols}
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
