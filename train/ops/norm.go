package ops

import (
	"errors"

	"github.com/chewxy/hm"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// A Norm is a layer normalisation that [Normalise] has added to a graph.
type Norm struct {
	op
	exec    Exec
	x       []float32 // what was normalised
	factors []float32 // by row
	y, dx   buffer
	skip    []float32 // gradient of x where it goes on beside y, of the running pass; nil if it doesn't
}

// Normalise adds x [rows, columns] with each row shifted and scaled to mean 0 and variance 1 to the graph.
func Normalise(e Exec, x *G.Node) (*Norm, *G.Node, error) {
	o := &Norm{op: op{"normalise"}, exec: e}
	n, err := G.ApplyOp(o, x)
	return o, n, err
}

// Arity is 1: what is normalised.
func (o *Norm) Arity() int { return 1 }

// Type is from matrix to matrix.
func (o *Norm) Type() hm.Type { return hm.NewFnType(matrix, matrix) }

// InferShape is the shape of what is normalised.
func (o *Norm) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, err := dims(in, 2)
	if err != nil {
		return nil, err
	}
	return s[0].Clone(), nil
}

// Do normalises.
func (o *Norm) Do(in ...G.Value) (G.Value, error) {
	x, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	rows, cols := in[0].Shape()[0], in[0].Shape()[1]
	y := o.y.matrix(rows, cols)
	if cap(o.factors) < rows {
		o.factors = make([]float32, rows)
	}
	o.x, o.factors, o.skip = x, o.factors[:rows], nil
	o.exec.split(rows, 24, func(_, from, to int) {
		for r := from; r < to; r++ {
			o.factors[r] = o.exec.Kernels.Normalise(o.y.data[r*cols:][:cols], x[r*cols:][:cols])
		}
	})
	return y, nil
}

// DiffWRT says that there is a gradient with respect to what is normalised.
func (o *Norm) DiffWRT(int) []bool { return []bool{true} }

// SymDiff adds the gradient to the graph.
func (o *Norm) SymDiff(_ G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	n, err := G.ApplyOp(&gradNorm{op{"normalise gradient"}, o}, out, grad)
	return G.Nodes{n}, err
}

// gradNorm is the gradient of what was normalised, from the result and its gradient, with what came back along a skip.
type gradNorm struct {
	op
	n *Norm
}

func (o *gradNorm) Arity() int    { return 2 }
func (o *gradNorm) Type() hm.Type { return hm.NewFnType(matrix, matrix, matrix) }

func (o *gradNorm) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, err := dims(in, 2, 2)
	if err != nil {
		return nil, err
	}
	return s[0].Clone(), nil
}

func (o *gradNorm) Do(in ...G.Value) (G.Value, error) {
	y, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	dy, err := floats(in[1])
	if err != nil {
		return nil, err
	}
	n, rows, cols := o.n, in[0].Shape()[0], in[0].Shape()[1]
	dx := n.dx.matrix(rows, cols)
	n.exec.split(rows, 24, func(_, from, to int) {
		for r := from; r < to; r++ {
			row := func(x []float32) []float32 { return x[r*cols:][:cols] }
			var skip []float32
			if n.skip != nil {
				skip = row(n.skip)
			}
			n.exec.Kernels.NormaliseBack(row(n.dx.data), row(dy), row(y), skip, n.factors[r])
		}
	})
	return dx, nil
}

// Skip adds to the graph what a layer makes of the result of a Norm, plus what the Norm was given: a residual
// connection (He, Zhang, Ren and Sun, Deep Residual Learning for Image Recognition, 2016). The layer has to be computed
// from the Norm's result, so that its gradient is there before the Norm's.
func Skip(n *Norm, layer *G.Node) (*G.Node, error) {
	return G.ApplyOp(&skip{op: op{"skip"}, n: n}, layer)
}

type skip struct {
	op
	n *Norm
	y buffer
}

func (o *skip) Arity() int    { return 1 }
func (o *skip) Type() hm.Type { return hm.NewFnType(matrix, matrix) }

func (o *skip) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, err := dims(in, 2)
	if err != nil {
		return nil, err
	}
	return s[0].Clone(), nil
}

func (o *skip) Do(in ...G.Value) (G.Value, error) {
	x, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	if len(x) != len(o.n.x) {
		return nil, errors.New("a residual connection joins layers of one width")
	}
	rows, cols := in[0].Shape()[0], in[0].Shape()[1]
	y := o.y.matrix(rows, cols)
	o.n.exec.split(rows, 24, func(_, from, to int) {
		part := o.y.data[from*cols : to*cols]
		copy(part, x[from*cols:])
		o.n.exec.Kernels.Add(part, o.n.x[from*cols:to*cols])
	})
	return y, nil
}

func (o *skip) DiffWRT(int) []bool { return []bool{true} }

func (o *skip) SymDiff(_ G.Nodes, _, grad *G.Node) (G.Nodes, error) {
	n, err := G.ApplyOp(&gradSkip{op{"skip gradient"}, o}, grad)
	return G.Nodes{n}, err
}

// gradSkip hands the gradient on to the layer, and leaves it for the Norm.
type gradSkip struct {
	op
	s *skip
}

func (o *gradSkip) Arity() int    { return 1 }
func (o *gradSkip) Type() hm.Type { return hm.NewFnType(matrix, matrix) }

func (o *gradSkip) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, err := dims(in, 2)
	if err != nil {
		return nil, err
	}
	return s[0].Clone(), nil
}

func (o *gradSkip) Do(in ...G.Value) (G.Value, error) {
	grad, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	o.s.n.skip = grad
	return in[0], nil
}
