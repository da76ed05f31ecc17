package ops

import (
	"errors"
	"slices"

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
	p := &point{exec: e, in: in, kinds: len(embedded), dEmbedded: make([]buffer, len(embedded)),
		work: make([]neural.Products, max(1, e.Workers))}
	return G.ApplyOp(differentiable{op: &op{name: "point", dims: slices.Repeat([]int{2}, 1+p.kinds), result: 2,
		shape: func(s []tensor.Shape) tensor.Shape { return tensor.Shape{s[0][0], in.Outputs} }, run: p.forward},
		diff: p.diff}, append(G.Nodes{z}, embedded...)...)
}

type point struct {
	exec      Exec
	in        *Pointing
	kinds     int
	work      []neural.Products // by worker
	y, dz     buffer
	dEmbedded []buffer
}

func (p *point) forward(in []G.Value, x [][]float32) (G.Value, error) {
	z, embedded := x[0], x[1:]
	rows, columns, outputs := in[0].Shape()[0], in[0].Shape()[1], p.in.Outputs
	result := p.y.matrix(rows, outputs)
	p.exec.split(rows, 8, func(worker, from, to int) {
		for r := from; r < to; r++ {
			row, y := z[r*columns:][:columns], p.y.data[r*outputs:][:outputs]
			copy(y, row)
			for kind, e := range embedded {
				p.in.Add(p.in.Pointers, kind, r, &p.work[worker], p.exec.Kernels, y, row, e)
			}
		}
	})
	return result, nil
}

func (p *point) diff(in G.Nodes, _, grad *G.Node) (G.Nodes, error) {
	back := &op{name: "point gradient", dims: slices.Repeat([]int{2}, 2+p.kinds), result: 2, shape: likeFirst, run: p.back}
	dz, err := G.ApplyOp(back, append(append(G.Nodes{}, in...), grad)...)
	if err != nil {
		return nil, err
	}
	nodes := G.Nodes{dz}
	for kind, e := range in[1:] {
		// The tape runs what hands out a gradient that back has computed after that, because it takes its result.
		d, err := G.ApplyOp(&op{name: "point gradient of embeddings", dims: []int{2, 2}, result: 2,
			shape: func(in []tensor.Shape) tensor.Shape { return in[1].Clone() },
			run:   func([]G.Value, [][]float32) (G.Value, error) { return p.dEmbedded[kind].t, nil }}, dz, e)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, d)
	}
	return nodes, nil
}

// back is the gradient of the head, from the arguments of p and the gradient of its result. It also computes those of
// the embeddings.
func (p *point) back(in []G.Value, x [][]float32) (G.Value, error) {
	z, embedded, dy := x[0], x[1:1+p.kinds], x[1+p.kinds]
	rows, columns, outputs := in[0].Shape()[0], in[0].Shape()[1], p.in.Outputs
	dz := p.dz.matrix(rows, columns)
	for kind := range embedded {
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
