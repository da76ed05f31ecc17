package ops

import (
	"errors"

	"github.com/chewxy/hm"
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
	l := &linear{op: op{"linear"}, exec: e, relu: relu, input: input, scratch: make([][]float32, max(1, e.Workers))}
	for i := range l.scratch {
		l.scratch[i] = make([]float32, gemm.ScratchLen)
	}
	if w := p.Weight.Shape(); len(w) != 2 || len(p.GradWeight) != w.TotalSize() || len(p.GradBias) != w[1] {
		return nil, errors.New("linear layer: the gradients don't have the shapes of the weight and the bias")
	}
	l.dw = tensor.New(tensor.WithShape(p.Weight.Shape()...), tensor.WithBacking(p.GradWeight))
	l.db = tensor.New(tensor.WithShape(p.Bias.Shape()...), tensor.WithBacking(p.GradBias))
	return G.ApplyOp(l, x, p.Weight, p.Bias)
}

type linear struct {
	op
	exec  Exec
	relu  bool
	input *Input // x, or nil if it is computed

	weight, transposed, gradient gemm.Panels // gradient: of the output
	cols                         gemm.Sparse // the transpose of x, if that is sparse
	scratch                      [][]float32
	y, dz, dx                    buffer
	dw, db                       *tensor.Dense
}

func (l *linear) Arity() int    { return 3 }
func (l *linear) Type() hm.Type { return hm.NewFnType(matrix, matrix, vector, matrix) }

func (l *linear) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, err := dims(in, 2, 2, 1)
	if err != nil {
		return nil, err
	}
	return tensor.Shape{s[0][0], s[1][1]}, nil
}

func (l *linear) Do(in ...G.Value) (G.Value, error) {
	x, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	w, err := floats(in[1])
	if err != nil {
		return nil, err
	}
	bias, err := floats(in[2])
	if err != nil {
		return nil, err
	}
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

// DiffWRT says that there are gradients with respect to x, unless it is an input, the weight and the bias.
func (l *linear) DiffWRT(int) []bool { return []bool{l.input == nil, true, true} }

func (l *linear) SymDiff(in G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	var err error
	if l.relu {
		if grad, err = G.ApplyOp(&gate{op{"linear gate"}, l}, grad, out); err != nil {
			return nil, err
		}
	}
	dw, err := G.ApplyOp(&gradWeight{op{"linear weight gradient"}, l}, in[0], grad)
	if err != nil {
		return nil, err
	}
	db, err := G.ApplyOp(&gradBias{op{"linear bias gradient"}, l}, dw)
	if err != nil {
		return nil, err
	}
	var dx *G.Node
	if l.input == nil {
		if dx, err = G.ApplyOp(&gradInput{op{"linear input gradient"}, l}, grad, in[1]); err != nil {
			return nil, err
		}
	}
	return G.Nodes{dx, dw, db}, nil
}

// gate is the gradient through the ReLU of l, from the gradient of its output and that output.
type gate struct {
	op
	l *linear
}

func (o *gate) Arity() int    { return 2 }
func (o *gate) Type() hm.Type { return hm.NewFnType(matrix, matrix, matrix) }

func (o *gate) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, err := dims(in, 2, 2)
	if err != nil {
		return nil, err
	}
	return s[0].Clone(), nil
}

func (o *gate) Do(in ...G.Value) (G.Value, error) {
	dy, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	y, err := floats(in[1])
	if err != nil {
		return nil, err
	}
	rows, cols := in[0].Shape()[0], in[0].Shape()[1]
	dz := o.l.dz.matrix(rows, cols)
	o.l.exec.split(rows, 24, func(_, from, to int) {
		from, to = from*cols, to*cols
		o.l.exec.Kernels.Gate(o.l.dz.data[from:to], dy[from:to], y[from:to])
	})
	return dz, nil
}

// gradWeight is the gradient of the weight, from the input and the gradient of the output. It also computes that of
// the bias, which gradBias hands out: the tape runs that one later, because it takes this one's result.
type gradWeight struct {
	op
	l *linear
}

func (o *gradWeight) Arity() int    { return 2 }
func (o *gradWeight) Type() hm.Type { return hm.NewFnType(matrix, matrix, matrix) }

func (o *gradWeight) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	if _, err := dims(in, 2, 2); err != nil {
		return nil, err
	}
	return o.l.dw.Shape().Clone(), nil
}

func (o *gradWeight) Do(in ...G.Value) (G.Value, error) {
	l := o.l
	x, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	dz, err := floats(in[1])
	if err != nil {
		return nil, err
	}
	dw, err := floats(l.dw)
	if err != nil {
		return nil, err
	}
	db, err := floats(l.db)
	if err != nil {
		return nil, err
	}
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

// gradBias hands out the gradient of the bias, which gradWeight has computed.
type gradBias struct {
	op
	l *linear
}

func (o *gradBias) Arity() int    { return 1 }
func (o *gradBias) Type() hm.Type { return hm.NewFnType(matrix, vector) }

func (o *gradBias) InferShape(...G.DimSizer) (tensor.Shape, error) {
	return o.l.db.Shape().Clone(), nil
}

func (o *gradBias) Do(...G.Value) (G.Value, error) { return o.l.db, nil }

// gradInput is the gradient of the input, from the gradient of the output and the weight.
type gradInput struct {
	op
	l *linear
}

func (o *gradInput) Arity() int    { return 2 }
func (o *gradInput) Type() hm.Type { return hm.NewFnType(matrix, matrix, matrix) }

func (o *gradInput) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, err := dims(in, 2, 2)
	if err != nil {
		return nil, err
	}
	return tensor.Shape{s[0][0], s[1][0]}, nil
}

func (o *gradInput) Do(in ...G.Value) (G.Value, error) {
	l := o.l
	dz, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	w, err := floats(in[1])
	if err != nil {
		return nil, err
	}
	rows, inputs, outputs := in[0].Shape()[0], in[1].Shape()[0], in[1].Shape()[1]
	dx := l.dx.matrix(rows, inputs)
	l.transposed.Resize(outputs, inputs)
	l.exec.split(l.transposed.Count(), 1, func(_, from, to int) { l.transposed.PackTransposed(w, outputs, from, to) })
	l.exec.split(rows, 24, func(_, from, to int) {
		l.exec.Kernels.Mul(l.dx.data[from*inputs:], inputs, dz[from*outputs:], outputs, to-from, &l.transposed, nil, false)
	})
	return dx, nil
}
