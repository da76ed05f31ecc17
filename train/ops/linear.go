package ops

import (
	"errors"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"earthgym/agents/neural/gemm"
)

// Parameters are those of one linear layer: the nodes of its weight [in, out] and bias [out], and where their
// gradients go, as parts of one flat vector, say.
type Parameters struct {
	Weight, Bias         *G.Node
	GradWeight, GradBias []float32
}

// Linear adds x·Weight + Bias to the graph, with every element below 0 set to 0 if relu is true. If x is an input,
// which is then given too, no gradient with respect to x is ever computed.
func Linear(e Exec, x *G.Node, p Parameters, relu bool, input *Input) (*G.Node, error) {
	l := &linear{exec: e, relu: relu, input: input, scratch: make([][]float32, max(1, e.Workers))}
	for i := range l.scratch {
		l.scratch[i] = make([]float32, gemm.ScratchLen)
	}
	if w := p.Weight.Shape(); len(w) != 2 || len(p.GradWeight) != w.TotalSize() || len(p.GradBias) != w[1] {
		return nil, errors.New("linear layer: the gradients don't have the shapes of the weight and the bias")
	}
	l.dw = tensor.New(tensor.WithShape(p.Weight.Shape()...), tensor.WithBacking(p.GradWeight))
	l.db = tensor.New(tensor.WithShape(p.Bias.Shape()...), tensor.WithBacking(p.GradBias))
	o := differentiable{op: &op{name: "linear", dims: []int{2, 2, 1}, result: 2, run: l.forward,
		shape: func(in []tensor.Shape) tensor.Shape { return tensor.Shape{in[0][0], in[1][1]} }}, diff: l.diff}
	if input != nil {
		o.without = 1
	}
	return G.ApplyOp(o, x, p.Weight, p.Bias)
}

type linear struct {
	exec  Exec
	relu  bool
	input *Input // x, or nil if it is computed

	weight, transposed, gradient gemm.Panels // gradient: of the output
	cols                         gemm.Sparse // the transpose of x, if that is sparse
	scratch                      [][]float32
	y, dz, dx                    buffer
	dw, db                       *tensor.Dense
}

func (l *linear) forward(in []G.Value, args [][]float32) (G.Value, error) {
	x, w, bias := args[0], args[1], args[2]
	rows, inputs, outputs := in[0].Shape()[0], in[1].Shape()[0], in[1].Shape()[1]
	sparse := l.sparse()
	if sparse != nil {
		rows = sparse.Rows
	}
	result := l.y.matrix(rows, outputs)
	y, k := l.y.data, l.exec.Kernels

	l.weight.Resize(inputs, outputs)
	l.exec.split(inputs, 64, func(_, from, to int) { l.weight.Pack(w, outputs, from, to) })
	l.exec.split(rows, 24, func(_, from, to int) {
		if sparse != nil {
			k.MulSparse(y[from*outputs:], outputs, sparse, from, to, &l.weight, bias, l.relu)
		} else {
			k.Mul(y[from*outputs:], outputs, x[from*inputs:], inputs, to-from, &l.weight, bias, l.relu)
		}
	})
	return result, nil
}

// sparse is x if that came in as a sparse matrix.
func (l *linear) sparse() *gemm.Sparse {
	if l.input == nil {
		return nil
	}
	return l.input.rows
}

func (l *linear) diff(in G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	var err error
	if l.relu {
		gate := &op{name: "linear gate", dims: []int{2, 2}, result: 2, shape: likeFirst, run: l.gate}
		if grad, err = G.ApplyOp(gate, grad, out); err != nil {
			return nil, err
		}
	}
	weight := &op{name: "linear weight gradient", dims: []int{2, 2}, result: 2, run: l.gradWeight,
		shape: func([]tensor.Shape) tensor.Shape { return l.dw.Shape().Clone() }}
	dw, err := G.ApplyOp(weight, in[0], grad)
	if err != nil {
		return nil, err
	}
	// The tape runs what hands out the bias's gradient later than what computes it, because it takes that one's result.
	bias := &op{name: "linear bias gradient", dims: []int{2}, result: 1,
		shape: func([]tensor.Shape) tensor.Shape { return l.db.Shape().Clone() },
		run:   func([]G.Value, [][]float32) (G.Value, error) { return l.db, nil }}
	db, err := G.ApplyOp(bias, dw)
	if err != nil {
		return nil, err
	}
	var dx *G.Node
	if l.input == nil {
		input := &op{name: "linear input gradient", dims: []int{2, 2}, result: 2, run: l.gradInput,
			shape: func(in []tensor.Shape) tensor.Shape { return tensor.Shape{in[0][0], in[1][0]} }}
		if dx, err = G.ApplyOp(input, grad, in[1]); err != nil {
			return nil, err
		}
	}
	return G.Nodes{dx, dw, db}, nil
}

// gate is the gradient through the ReLU, from the gradient of the output and that output.
func (l *linear) gate(in []G.Value, x [][]float32) (G.Value, error) {
	rows, cols := in[0].Shape()[0], in[0].Shape()[1]
	dz := l.dz.matrix(rows, cols)
	l.exec.split(rows, 24, func(_, from, to int) {
		from, to = from*cols, to*cols
		l.exec.Kernels.Gate(l.dz.data[from:to], x[0][from:to], x[1][from:to])
	})
	return dz, nil
}

// gradWeight is the gradient of the weight, from the input and the gradient of the output. It also computes that of
// the bias.
func (l *linear) gradWeight(in []G.Value, args [][]float32) (G.Value, error) {
	x, dz := args[0], args[1]
	dw, db := l.dw.Data().([]float32), l.db.Data().([]float32)
	rows, inputs, outputs := in[1].Shape()[0], l.dw.Shape()[0], l.dw.Shape()[1]
	k := l.exec.Kernels

	l.gradient.Resize(rows, outputs)
	l.exec.split(rows, 64, func(_, from, to int) { l.gradient.Pack(dz, outputs, from, to) })
	sparse := l.sparse()
	if sparse != nil {
		blocks := l.cols.BeginTranspose(sparse)
		l.exec.split(blocks, 1, func(_, from, to int) { l.cols.TransposeBlocks(sparse, from, to) })
	}
	l.exec.split(inputs, 48, func(worker, from, to int) {
		if worker == 0 {
			k.ColumnSums(db, &l.gradient)
		}
		if sparse != nil {
			k.MulSparse(dw[from*outputs:], outputs, &l.cols, from, to, &l.gradient, nil, false)
		} else {
			k.MulTransposed(dw[from*outputs:], outputs, x[from:], inputs, to-from, &l.gradient, l.scratch[worker])
		}
	})
	return l.dw, nil
}

// gradInput is the gradient of the input, from the gradient of the output and the weight.
func (l *linear) gradInput(in []G.Value, x [][]float32) (G.Value, error) {
	dz, w := x[0], x[1]
	rows, inputs, outputs := in[0].Shape()[0], in[1].Shape()[0], in[1].Shape()[1]
	dx := l.dx.matrix(rows, inputs)
	l.transposed.Resize(outputs, inputs)
	l.exec.split(l.transposed.Count(), 1, func(_, from, to int) { l.transposed.PackTransposed(w, outputs, from, to) })
	l.exec.split(rows, 24, func(_, from, to int) {
		l.exec.Kernels.Mul(l.dx.data[from*inputs:], inputs, dz[from*outputs:], outputs, to-from, &l.transposed, nil, false)
	})
	return dx, nil
}
