package ops

import (
	"errors"

	G "gorgonia.org/gorgonia"
)

// A Norm is a layer normalisation that [Normalise] has added to a graph.
type Norm struct {
	exec    Exec
	x       []float32 // what was normalised
	factors []float32 // by row
	y, dx   buffer
	skip    []float32 // gradient of x where it goes on beside y, of the running pass; nil if it doesn't
}

// Normalise adds x [rows, columns] with each row shifted and scaled to mean 0 and variance 1 to the graph.
func Normalise(e Exec, x *G.Node) (*Norm, *G.Node, error) {
	n := &Norm{exec: e}
	node, err := G.ApplyOp(differentiable{
		op: &op{name: "normalise", dims: []int{2}, result: 2, shape: likeFirst, run: n.forward},
		diff: func(_ G.Nodes, out, grad *G.Node) (G.Nodes, error) {
			back := &op{name: "normalise gradient", dims: []int{2, 2}, result: 2, shape: likeFirst, run: n.back}
			d, err := G.ApplyOp(back, out, grad)
			return G.Nodes{d}, err
		},
	}, x)
	return n, node, err
}

func (n *Norm) forward(in []G.Value, args [][]float32) (G.Value, error) {
	x, rows, cols := args[0], in[0].Shape()[0], in[0].Shape()[1]
	y := n.y.matrix(rows, cols)
	if cap(n.factors) < rows {
		n.factors = make([]float32, rows)
	}
	n.x, n.factors, n.skip = x, n.factors[:rows], nil
	n.exec.split(rows, 24, func(_, from, to int) {
		for r := from; r < to; r++ {
			n.factors[r] = n.exec.Kernels.Normalise(n.y.data[r*cols:][:cols], x[r*cols:][:cols])
		}
	})
	return y, nil
}

// back is the gradient of what was normalised, from the result and its gradient, with what came back along a skip.
func (n *Norm) back(in []G.Value, x [][]float32) (G.Value, error) {
	y, dy, rows, cols := x[0], x[1], in[0].Shape()[0], in[0].Shape()[1]
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
	var y buffer
	forward := func(in []G.Value, x [][]float32) (G.Value, error) {
		if len(x[0]) != len(n.x) {
			return nil, errors.New("a residual connection joins layers of one width")
		}
		rows, cols := in[0].Shape()[0], in[0].Shape()[1]
		result := y.matrix(rows, cols)
		n.exec.split(rows, 24, func(_, from, to int) {
			part := y.data[from*cols : to*cols]
			copy(part, x[0][from*cols:])
			n.exec.Kernels.Add(part, n.x[from*cols:to*cols])
		})
		return result, nil
	}
	// The gradient is handed on to the layer, and left for the Norm.
	back := func(in []G.Value, x [][]float32) (G.Value, error) {
		n.skip = x[0]
		return in[0], nil
	}
	return G.ApplyOp(differentiable{
		op: &op{name: "skip", dims: []int{2}, result: 2, shape: likeFirst, run: forward},
		diff: func(_ G.Nodes, _, grad *G.Node) (G.Nodes, error) {
			d, err := G.ApplyOp(&op{name: "skip gradient", dims: []int{2}, result: 2, shape: likeFirst, run: back}, grad)
			return G.Nodes{d}, err
		},
	}, layer)
}
