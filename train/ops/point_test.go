package ops

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"

	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/env/envtest/must"
)

// gardenSpec has two kinds of objects, one of which is pointed at twice by one action, and three values.
var gardenSpec = neural.Spec{Inputs: 12, Actions: 9, Values: 3, Objects: []neural.Objects{
	{Name: "bed", Features: [][]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 0}}, Width: 5, Pointers: []neural.Pointer{
		{Family: "plant", Actions: []int{1, 2, 3}, Objects: []int{2, 1, 0}},
		{Family: "carry", Actions: []int{6, 7}, Objects: []int{0, 1}},
		{Family: "carry", Actions: []int{6, 7}, Objects: []int{1, 1}},
	}},
	{Name: "shed", Features: [][]int{{8}, {9}}, Width: 2,
		Pointers: []neural.Pointer{{Family: "fetch", Actions: []int{8, 2}, Objects: []int{1, 0}}}},
}}

// pointing is a batch for the graph from the head and the embeddings' weights on: what the fused graph and the
// reference in float64 are built from.
type pointing struct {
	spec            neural.Spec
	rows            int
	obs             []float32
	head            []float64   // [rows, columns]
	weights, biases [][]float64 // of the embeddings
	batch           Batch
}

func newPointing(seed uint64, rows int, legal float64) *pointing {
	rng := rand.New(rand.NewPCG(seed, 5))
	normal := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(float32(rng.NormFloat64()))
		}
		return x
	}
	s := gardenSpec
	p := &pointing{spec: s, rows: rows, head: normal(rows * (s.Outputs() + 3*5 + 1*2))}
	for range rows * s.Inputs {
		p.obs = append(p.obs, float32(rng.NormFloat64()))
	}
	for _, o := range s.Objects {
		p.weights, p.biases = append(p.weights, normal(len(o.Features[0])*o.Width)), append(p.biases, normal(o.Width))
	}
	p.batch = Batch{ClipCoef: 0.2, ValueCoef: 0.7, EntropyCoef: 0.03, Values: s.Values}
	for range rows {
		a := rng.IntN(s.Actions)
		mask := uint64(1) << a
		for i := range s.Actions {
			if rng.Float64() < legal {
				mask |= 1 << i
			}
		}
		p.batch.Mask, p.batch.Action = append(p.batch.Mask, mask), append(p.batch.Action, int32(a))
		p.batch.LogProb, p.batch.Advantage = append(p.batch.LogProb, -1),
			append(p.batch.Advantage, float32(rng.NormFloat64()))
		for range s.Values {
			p.batch.Return = append(p.batch.Return, float32(rng.NormFloat64()))
		}
	}
	return p
}

// loss is the whole loss in float64.
func (p *pointing) loss() float64 {
	s := p.spec
	columns := len(p.head) / p.rows
	out := &network{widths: []int{0, s.Actions + 1}, rows: p.rows, batch: p.batch}
	out.batch.Return = nil
	var z []float64
	others := 0.0
	for r := range p.rows {
		row := slices.Clone(p.head[r*columns:][:columns])
		query := s.Outputs()
		for kind, o := range s.Objects {
			for i, pointer := range o.Pointers {
				for n, a := range pointer.Actions {
					for w := range o.Width {
						e := p.biases[kind][w]
						for f, place := range o.Features[pointer.Objects[n]] {
							e += float64(p.obs[r*s.Inputs+place]) * p.weights[kind][f*o.Width+w]
						}
						row[a] += max(0, e) * row[query+w*len(o.Pointers)+i]
					}
				}
			}
			query += o.Width * len(o.Pointers)
		}
		z = append(z, row[:s.Actions+1]...)
		out.batch.Return = append(out.batch.Return, p.batch.Return[r*s.Values])
		for q := 1; q < s.Values; q++ {
			miss := row[s.Actions+q] - float64(p.batch.Return[r*s.Values+q])
			others += 0.25 * miss * miss / 2 / float64(s.Values-1) / float64(p.rows)
		}
	}
	return out.loss(z).Loss + float64(p.batch.ValueCoef)*others
}

// fused runs the fused graph and returns the loss and the gradients of the head, then of weight and bias by kind.
func (p *pointing) fused(t *testing.T, e Exec) (loss float64, grads [][]float32) {
	t.Helper()
	single := func(x []float64) []float32 {
		y := make([]float32, len(x))
		for i, v := range x {
			y[i] = float32(v)
		}
		return y
	}
	g := G.NewGraph()
	z := leaf(g, "head", single(p.head), p.rows, len(p.head)/p.rows)
	nodes := G.Nodes{z}
	in := Pointing{Pointers: neural.NewPointers(p.spec), Outputs: p.spec.Outputs()}
	in.Point(in.Pointers, p.obs, p.batch.Mask, p.rows)
	var embedded G.Nodes
	for kind, o := range p.spec.Objects {
		features := len(o.Features[0])
		input, x := NewInput(g, features)
		data := in.Objects(kind)
		if len(data) == 0 {
			data = make([]float32, features)
		}
		input.Set(data)
		w, b := leaf(g, fmt.Sprint("w", kind), single(p.weights[kind]), features, o.Width),
			leaf(g, fmt.Sprint("b", kind), single(p.biases[kind]), o.Width)
		nodes = append(nodes, w, b)
		params := Parameters{w, b, make([]float32, features*o.Width), make([]float32, o.Width)}
		embed := must.Have(Linear(e, x, params, true, input))(t)
		embedded = append(embedded, embed)
	}
	out := must.Have(Point(e, z, embedded, &in))(t)
	var stats Stats
	total := must.Have(PPO(e, out, &p.batch, &stats))(t)
	made := must.Have(G.Grad(total, nodes...))(t)
	m := G.NewTapeMachine(g)
	defer m.Close()
	for range 2 {
		must.Do(t, m.RunAll())
		m.Reset()
	}
	for _, n := range made {
		grads = append(grads, slices.Clone(n.Value().Data().([]float32)))
	}
	return stats.Loss, grads
}

// TestPointAgainstFloat64 compares the loss and every gradient with a reference that shares nothing with the
// operations; in the last batch nobody points at a shed.
func TestPointAgainstFloat64(t *testing.T) {
	alone := newPointing(3, 6, 0)
	for r := range alone.rows {
		alone.batch.Mask[r], alone.batch.Action[r] = 1<<0|1<<1, int32(r%2)
	}
	for i, p := range []*pointing{newPointing(1, 11, 0.4), newPointing(2, 5, 1), newPointing(4, 1, 0.5), alone} {
		want := p.loss()
		wants := [][]float64{slopes(p.head, p.loss)}
		for kind := range p.weights {
			wants = append(wants, slopes(p.weights[kind], p.loss), slopes(p.biases[kind], p.loss))
		}
		for _, k := range gemm.All() {
			for _, workers := range []int{1, 3} {
				loss, grads := p.fused(t, Exec{Kernels: k, Workers: workers})
				near(t, fmt.Sprintf("%s: batch %d, loss", k.Name(), i), []float32{float32(loss)}, []float64{want})
				for j := range wants {
					near(t, fmt.Sprintf("%s: batch %d, gradient %d", k.Name(), i, j), grads[j], wants[j])
				}
			}
		}
	}
}

func TestPointNeedsObjects(t *testing.T) {
	_, z := NewInput(G.NewGraph(), 3)
	if _, err := Point(Exec{}, z, nil, &Pointing{}); err == nil {
		t.Error("pointers at nothing were taken")
	}
}
