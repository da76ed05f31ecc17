package ops

import (
	"errors"

	"github.com/chewxy/hm"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"earthgym/agents/neural"
)

// Pointing is what [Point] needs besides its arguments. It may change between runs.
type Pointing struct {
	*neural.Pointers
	neural.Pointing
	Outputs int // logits and values of a row
}

// Point adds to the graph the outputs [rows, Outputs] of a network with objects: from its head z [rows, columns], which
// has queries behind the outputs, and the embeddings of the objects that are pointed at, kind by kind. The products of
// queries and embeddings are added to the logits (see [neural.Objects]).
func Point(e Exec, z *G.Node, embedded G.Nodes, in *Pointing) (*G.Node, error) {
	if len(embedded) == 0 {
		return nil, errors.New("pointers need the embeddings of at least one kind of objects")
	}
	o := &point{op: op{"point"}, exec: e, in: in, kinds: len(embedded), dEmbedded: make([]buffer, len(embedded)),
		work: make([]neural.Products, max(1, e.Workers))}
	return G.ApplyOp(o, append(G.Nodes{z}, embedded...)...)
}

type point struct {
	op
	exec      Exec
	in        *Pointing
	kinds     int
	work      []neural.Products // by worker
	y, dz     buffer
	dEmbedded []buffer
}

func (o *point) Arity() int { return 1 + o.kinds }

func (o *point) Type() hm.Type {
	types := make([]hm.Type, o.kinds+2)
	for i := range types {
		types[i] = matrix
	}
	return hm.NewFnType(types...)
}

func (o *point) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, ok := in[0].(tensor.Shape)
	if !ok || len(s) != 2 {
		return nil, errors.New("pointers: the head has no shape")
	}
	return tensor.Shape{s[0], o.in.Outputs}, nil
}

func (o *point) Do(in ...G.Value) (G.Value, error) {
	z, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	rows, columns, outputs := in[0].Shape()[0], in[0].Shape()[1], o.in.Outputs
	result := o.y.matrix(rows, outputs)
	embedded := make([][]float32, o.kinds)
	for kind := range embedded {
		if embedded[kind], err = floats(in[1+kind]); err != nil {
			return nil, err
		}
	}
	o.exec.split(rows, 8, func(worker, from, to int) {
		for r := from; r < to; r++ {
			row, y := z[r*columns:][:columns], o.y.data[r*outputs:][:outputs]
			copy(y, row)
			for kind, e := range embedded {
				o.in.Add(o.in.Pointers, kind, r, &o.work[worker], o.exec.Kernels, y, row, e)
			}
		}
	})
	return result, nil
}

// DiffWRT says that there are gradients with respect to the head and the embeddings.
func (o *point) DiffWRT(inputs int) []bool {
	all := make([]bool, inputs)
	for i := range all {
		all[i] = true
	}
	return all
}

func (o *point) SymDiff(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
	dz, err := G.ApplyOp(&gradPoint{op{"point gradient"}, o}, append(append(G.Nodes{}, in...), grad)...)
	if err != nil {
		return nil, err
	}
	nodes := G.Nodes{dz}
	for kind, e := range in[1:] {
		d, err := G.ApplyOp(&gradEmbedded{op{"point gradient of embeddings"}, o, kind}, dz, e)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, d)
	}
	return nodes, nil
}

// gradPoint is the gradient of the head, from the arguments of p and the gradient of its result. It also computes those
// of the embeddings, which gradEmbedded hands out: the tape runs those later, because they take this one's result.
type gradPoint struct {
	op
	p *point
}

func (o *gradPoint) Arity() int { return 2 + o.p.kinds }

func (o *gradPoint) Type() hm.Type {
	types := make([]hm.Type, o.p.kinds+3)
	for i := range types {
		types[i] = matrix
	}
	return hm.NewFnType(types...)
}

func (o *gradPoint) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, ok := in[0].(tensor.Shape)
	if !ok {
		return nil, errors.New("pointers: the head has no shape")
	}
	return s.Clone(), nil
}

func (o *gradPoint) Do(in ...G.Value) (G.Value, error) {
	p := o.p
	z, err := floats(in[0])
	if err != nil {
		return nil, err
	}
	dy, err := floats(in[len(in)-1])
	if err != nil {
		return nil, err
	}
	rows, columns, outputs := in[0].Shape()[0], in[0].Shape()[1], p.in.Outputs
	dz := p.dz.matrix(rows, columns)
	embedded := make([][]float32, p.kinds)
	for kind := range embedded {
		if embedded[kind], err = floats(in[1+kind]); err != nil {
			return nil, err
		}
		s := in[1+kind].Shape()
		p.dEmbedded[kind].matrix(s[0], s[1])
		if len(p.in.Objects(kind)) == 0 { // the one row stands for none
			clear(p.dEmbedded[kind].data)
		}
	}
	p.exec.split(rows, 8, func(worker, from, to int) {
		for r := from; r < to; r++ {
			row, dRow, dyRow := z[r*columns:][:columns], p.dz.data[r*columns:][:columns], dy[r*outputs:][:outputs]
			copy(dRow, dyRow)
			for kind, e := range embedded {
				p.in.Back(p.in.Pointers, kind, r, &p.work[worker], p.exec.Kernels, dyRow, row, e, dRow, p.dEmbedded[kind].data)
			}
		}
	})
	return dz, nil
}

// gradEmbedded hands out the gradient of the embeddings of a kind, which gradPoint has computed.
type gradEmbedded struct {
	op
	p    *point
	kind int
}

func (o *gradEmbedded) Arity() int    { return 2 }
func (o *gradEmbedded) Type() hm.Type { return hm.NewFnType(matrix, matrix, matrix) }

func (o *gradEmbedded) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	s, ok := in[1].(tensor.Shape)
	if !ok {
		return nil, errors.New("pointers: the embeddings have no shape")
	}
	return s.Clone(), nil
}

func (o *gradEmbedded) Do(...G.Value) (G.Value, error) { return o.p.dEmbedded[o.kind].t, nil }
