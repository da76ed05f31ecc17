package ops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"earthgym/agents/neural/gemm"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

// network is a network with its batch, as plain numbers: what the fused graph, the reference in float64 and the graph
// of Gorgonia's own operations are all built from.
type network struct {
	widths []int // inputs, hidden layers, actions+1
	params [][]float32
	obs    []float32
	rows   int
	batch  Batch
	skips  bool // hidden layers behind the first are residual; they have one width
}

// newNetwork draws a network and a batch. About the share of observations is set, and most ratios are near the edges of
// the clip.
func newNetwork(seed uint64, rows int, share float64, widths ...int) *network {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := &network{widths: widths, rows: rows, obs: make([]float32, rows*widths[0])}
	for i := range n.obs {
		if rng.Float64() < share {
			n.obs[i] = float32(rng.NormFloat64())
		}
	}
	for i, out := range widths[1:] {
		w, b := make([]float32, widths[i]*out), make([]float32, out)
		for j := range w {
			w[j] = float32(rng.NormFloat64() / math.Sqrt(float64(widths[i])))
		}
		for j := range b {
			b[j] = float32(rng.NormFloat64() / 4)
		}
		n.params = append(n.params, w, b)
	}
	actions := n.actions()
	words := (actions + 63) / 64
	n.batch = Batch{
		Decisions: Decisions{Mask: make([]uint64, rows*words), Action: make([]int32, rows),
			LogProb: make([]float32, rows), Advantage: make([]float32, rows), Return: make([]float32, rows)},
		ClipCoef: 0.2, ValueCoef: 0.7, EntropyCoef: 0.03,
	}
	z := n.forward(nil)
	for r := range rows {
		a := rng.IntN(actions)
		mask := n.batch.Mask[r*words:][:words]
		for i := range actions {
			if i == a || rng.IntN(3) > 0 {
				mask[i/64] |= 1 << (i % 64)
			}
		}
		logp, _ := softmax64(z[r*(actions+1):][:actions], mask)
		n.batch.Action[r] = int32(a)
		n.batch.LogProb[r] = float32(logp[a] + 0.25*rng.NormFloat64())
		n.batch.Advantage[r] = float32(rng.NormFloat64())
		n.batch.Return[r] = float32(rng.NormFloat64())
	}
	return n
}

// near gives the batch a reference that the policy is to stay near.
func (n *network) near(seed uint64) *network {
	rng := rand.New(rand.NewPCG(seed, 2))
	n.batch.KLCoef, n.batch.Reference = 0.4, make([]float32, n.rows*n.actions())
	for i := range n.batch.Reference {
		n.batch.Reference[i] = float32(2 * rng.NormFloat64())
	}
	return n
}

// residual makes the hidden layers residual.
func (n *network) residual() *network {
	n.skips = true
	return n
}

// normalise64 shifts and scales a row to mean 0 and variance 1.
func normalise64(x []float64) {
	var mean, variance float64
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for i := range x {
		x[i] = (x[i] - mean) / math.Sqrt(variance+1e-5)
	}
}

// cloning makes the batch one of a teacher.
func (n *network) cloning() *network {
	n.batch.Clone, n.batch.LogProb, n.batch.Advantage = true, nil, nil
	return n
}

func (n *network) actions() int { return n.widths[len(n.widths)-1] - 1 }

// forward is the network's output in float64, with the parameters moved by some (nil for not at all).
func (n *network) forward(moved [][]float64) []float64 {
	at := func(i, j int) float64 {
		if moved != nil {
			return moved[i][j]
		}
		return float64(n.params[i][j])
	}
	x := make([]float64, len(n.obs))
	for i, v := range n.obs {
		x[i] = float64(v)
	}
	for l, out := range n.widths[1:] {
		in := n.widths[l]
		y, before := make([]float64, n.rows*out), x
		if n.skips && l > 0 {
			x = slices.Clone(x)
			for r := range n.rows {
				normalise64(x[r*in:][:in])
			}
		}
		for r := range n.rows {
			for o := range out {
				s := at(2*l+1, o)
				for j := range in {
					s += x[r*in+j] * at(2*l, j*out+o)
				}
				if l < len(n.widths)-2 {
					s = max(s, 0)
					if n.skips && l > 0 {
						s += before[r*in+o]
					}
				}
				y[r*out+o] = s
			}
		}
		x = y
	}
	return x
}

// softmax64 returns the logarithms of the probabilities of the legal actions and their entropy.
func softmax64(z []float64, mask []uint64) (logp []float64, entropy float64) {
	top, sum := math.Inf(-1), 0.0
	ok := func(a int) bool { return mask[a/64]>>(a%64)&1 != 0 }
	for a, v := range z {
		if ok(a) {
			top = max(top, v)
		}
	}
	for a, v := range z {
		if ok(a) {
			sum += math.Exp(v - top)
		}
	}
	logp = make([]float64, len(z))
	for a, v := range z {
		if ok(a) {
			logp[a] = v - top - math.Log(sum)
			entropy -= math.Exp(logp[a]) * logp[a]
		}
	}
	return logp, entropy
}

// loss is the whole loss in float64 for the network's output z.
func (n *network) loss(z []float64) Stats {
	var s Stats
	actions, b := n.actions(), n.batch
	words := (actions + 63) / 64
	share := 1 / float64(n.rows)
	for r := range n.rows {
		row := z[r*(actions+1):][:actions+1]
		logp, entropy := softmax64(row[:actions], b.Mask[r*words:][:words])
		move, adv := 0.0, 0.0
		if !b.Clone {
			move, adv = logp[b.Action[r]]-float64(b.LogProb[r]), float64(b.Advantage[r])
		}
		ratio, clip := math.Exp(move), float64(b.ClipCoef)
		clipped := ratio
		if ratio < 1-clip {
			clipped = 1 - clip
		} else if ratio > 1+clip {
			clipped = 1 + clip
		}
		if b.Clone {
			s.PolicyLoss -= share * logp[b.Action[r]]
		} else {
			s.PolicyLoss -= share * math.Min(ratio*adv, clipped*adv)
			s.KL += share * (ratio - 1 - move)
			if clipped != ratio {
				s.ClipFraction += share
			}
		}
		if b.Reference != nil {
			reference := make([]float64, actions)
			for a, v := range b.Reference[r*actions:][:actions] {
				reference[a] = float64(v)
			}
			logq, _ := softmax64(reference, b.Mask[r*words:][:words])
			for a, q := range logq {
				if b.Mask[r*words+a/64]>>(a%64)&1 != 0 {
					s.ReferenceKL += share * math.Exp(q) * (q - logp[a])
				}
			}
		}
		s.ValueLoss += share * 0.5 * math.Pow(row[actions]-float64(b.Return[r]), 2)
		s.Entropy += share * entropy
	}
	s.Loss = s.PolicyLoss + float64(b.ValueCoef)*s.ValueLoss - float64(b.EntropyCoef)*s.Entropy +
		float64(b.KLCoef)*s.ReferenceKL
	return s
}

// slopes is the gradient of f by x, from differences in float64: good to about nine digits.
func slopes(x []float64, f func() float64) []float64 {
	const h = 1e-6
	d := make([]float64, len(x))
	for i, v := range x {
		x[i] = v + h
		up := f()
		x[i] = v - h
		d[i] = (up - f()) / (2 * h)
		x[i] = v
	}
	return d
}

// fused runs the fused graph and returns its loss and gradients, one slice for each of n.params.
func (n *network) fused(t *testing.T, e Exec) (Stats, [][]float32) {
	t.Helper()
	g := G.NewGraph()
	in, x := NewInput(g, n.widths[0])
	var nodes G.Nodes
	var grads [][]float32
	seen := in
	for l, out := range n.widths[1:] {
		w := leaf(g, fmt.Sprint("w", l), n.params[2*l], n.widths[l], out)
		b := leaf(g, fmt.Sprint("b", l), n.params[2*l+1], out)
		p := Parameters{w, b, make([]float32, len(n.params[2*l])), make([]float32, out)}
		nodes = append(nodes, w, b)
		grads = append(grads, p.GradWeight, p.GradBias)
		var norm *Norm
		var err error
		if n.skips && l > 0 {
			if norm, x, err = Normalise(e, x); err != nil {
				t.Fatal(err)
			}
		}
		if x, err = Linear(e, x, p, l < len(n.widths)-2, seen); err != nil {
			t.Fatal(err)
		}
		seen = nil
		if norm != nil && l < len(n.widths)-2 {
			if x, err = Skip(norm, x); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stats Stats
	loss := must.Have(PPO(e, x, &n.batch, &stats))(t)
	made := must.Have(G.Grad(loss, nodes...))(t)
	m := G.NewTapeMachine(g)
	defer m.Close()
	var dense [][]float32
	for i, rows := range []int{n.rows, 1, n.rows} { // the number of rows may change
		if obs := n.obs[:rows*n.widths[0]]; i == 0 {
			in.Set(obs)
		} else {
			var sparse gemm.Sparse
			sparse.Gather(e.Kernels, obs, n.widths[0], rows, n.widths[0], len(obs))
			in.SetSparse(&sparse)
		}
		must.Do(t, m.RunAll())
		m.Reset()
		for k := range grads {
			switch i {
			case 0:
				dense = append(dense, slices.Clone(grads[k]))
			case 2:
				if !slices.Equal(grads[k], dense[k]) {
					t.Fatalf("gradient %d is another with sparse rows", k)
				}
			}
		}
	}
	for i, node := range made {
		if v := node.Value().Data().([]float32); &v[0] != &grads[i][0] {
			t.Fatalf("the gradient of %s isn't where it was asked for", nodes[i])
		}
	}
	if v := loss.Value().Data().(float32); v != float32(stats.Loss) {
		t.Fatalf("the loss is %v, the statistics say %v", v, stats.Loss)
	}
	return stats, grads
}

func leaf[E float32 | float64](g *G.ExprGraph, name string, data []E, shape ...int) *G.Node {
	v := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
	return G.NewTensor(g, v.Dtype(), len(shape), G.WithShape(shape...), G.WithName(name), G.WithValue(v))
}

func near(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	top := 1e-3
	for _, w := range want {
		top = max(top, math.Abs(w))
	}
	for i, w := range want {
		if !(math.Abs(float64(got[i])-w) < 1e-5*top) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], w)
		}
	}
}

var networks = []*network{
	newNetwork(1, 20, 0.1, 30, 17, 9, 22),
	newNetwork(2, 20, 1, 9, 16, 12, 8),
	newNetwork(3, 50, 0.4, 11, 7, 71),
	newNetwork(4, 3, 0.1, 20, 2),
	newNetwork(5, 1, 1, 5, 3, 131),
	newNetwork(6, 20, 0.3, 12, 9, 75).near(7),
	newNetwork(8, 20, 0.3, 12, 9, 75).cloning(),
	newNetwork(9, 20, 0.3, 12, 9, 33).near(10).cloning(),
	newNetwork(11, 20, 0.5, 12, 9, 9, 9, 20).residual(),
	newNetwork(12, 30, 0.3, 30, 17, 40).residual(),
}

// TestAgainstFloat64 compares the loss and every gradient with a reference that shares nothing with the operations.
func TestAgainstFloat64(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	for i, n := range networks {
		moved := make([][]float64, len(n.params))
		for i, p := range n.params {
			for _, v := range p {
				moved[i] = append(moved[i], float64(v))
			}
		}
		want := n.loss(n.forward(nil))
		wantGrads := make([][]float64, len(moved))
		for i := range moved {
			wantGrads[i] = slopes(moved[i], func() float64 { return n.loss(n.forward(moved)).Loss })
		}
		for _, k := range gemm.All() {
			t.Run(fmt.Sprintf("%d/%s", i, k.Name()), func(t *testing.T) {
				s, grads := n.fused(t, Exec{Kernels: k, Workers: 1})
				got := []float32{float32(s.Loss), float32(s.PolicyLoss), float32(s.ValueLoss), float32(s.Entropy), float32(s.KL),
					float32(s.ClipFraction), float32(s.ReferenceKL)}
				near(t, "statistics", got, []float64{want.Loss, want.PolicyLoss, want.ValueLoss, want.Entropy, want.KL,
					want.ClipFraction, want.ReferenceKL})
				for i := range grads {
					near(t, fmt.Sprint("gradient ", i), grads[i], wantGrads[i])
				}
			})
		}
	}
}

func TestWorkersDoNotChangeTheResult(t *testing.T) {
	for _, k := range gemm.All() {
		n := newNetwork(6, 300, 0.3, 150, 60, 60, 71).near(1).residual()
		stats, grads := n.fused(t, Exec{Kernels: k, Workers: 1})
		for _, workers := range []int{2, 3, 16} {
			s, g := n.fused(t, Exec{Kernels: k, Workers: workers})
			if s != stats {
				t.Errorf("%s: %d workers have the loss %+v, 1 has %+v", k.Name(), workers, s, stats)
			}
			for i := range g {
				if !slices.Equal(g[i], grads[i]) {
					t.Errorf("%s: %d workers have another gradient %d", k.Name(), workers, i)
				}
			}
		}
	}
}

// TestGradientOfLogits looks at the loss alone: the gradient of its input, times a factor from above.
func TestGradientOfLogits(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	for i, n := range networks {
		z64 := n.forward(nil)
		slope := slopes(z64, func() float64 { return n.loss(z64).Loss })
		for _, k := range gemm.All() {
			for _, factor := range []float64{1, 3} {
				g := G.NewGraph()
				z := make([]float32, len(z64))
				for i, v := range z64 {
					z[i] = float32(v)
				}
				actions := n.actions()
				node := leaf(g, "z", z, n.rows, actions+1)
				var stats Stats
				loss := must.Have(PPO(Exec{Kernels: k}, node, &n.batch, &stats))(t)
				scaled := G.Must(G.Mul(loss, G.NewConstant(float32(factor), G.WithName("factor"))))
				if factor == 1 {
					scaled = loss
				}
				grads := must.Have(G.Grad(scaled, node))(t)
				m := G.NewTapeMachine(g)
				must.Do(t, m.RunAll())
				got := grads[0].Value().Data().([]float32)
				want := make([]float64, len(slope))
				for i, v := range slope {
					want[i] = factor * v
				}
				near(t, fmt.Sprintf("network %d", i), got, want)
				words := (actions + 63) / 64
				for r := range n.rows {
					for a := range actions + 1 {
						off := a < actions && n.batch.Mask[r*words+a/64]>>(a%64)&1 == 0
						if v := got[r*(actions+1)+a]; off && v != 0 {
							t.Fatalf("network %d: row %d column %d has gradient %v, want exactly 0", i, r, a, v)
						}
					}
				}
				must.Do(t, m.Close())
			}
		}
	}
}

// TestAgainstGorgonia compares with the same network and loss made of Gorgonia's own operations, in float64.
func TestAgainstGorgonia(t *testing.T) {
	for i, n := range networks[:3] {
		stats, grads := n.fused(t, Exec{Kernels: gemm.All()[0], Workers: 2})
		loss, want := n.plain(t)
		near(t, fmt.Sprintf("network %d, loss", i), []float32{float32(stats.Loss)}, []float64{loss})
		for j := range want {
			near(t, fmt.Sprintf("network %d, gradient %d", i, j), grads[j], want[j])
		}
	}
}

// plain runs the graph of Gorgonia's own operations. The head is split into logits and value there.
func (n *network) plain(t *testing.T) (loss float64, grads [][]float64) {
	t.Helper()
	g := G.NewGraph()
	rows, actions, b := n.rows, n.actions(), n.batch
	words := (actions + 63) / 64
	matrixOf := func(name string, cols int, f func(r, c int) float64) *G.Node {
		d := make([]float64, 0, rows*cols)
		for r := range rows {
			for c := range cols {
				d = append(d, f(r, c))
			}
		}
		return leaf(g, name, d, rows, cols)
	}
	vectorOf := func(name string, f func(r int) float64) *G.Node {
		d := make([]float64, rows)
		for r := range d {
			d[r] = f(r)
		}
		return leaf(g, name, d, rows)
	}
	var nodes G.Nodes
	linear := func(x *G.Node, name string, l, from, to int) *G.Node { // the columns from to to of layer l
		in, out := n.widths[l], n.widths[l+1]
		var w, bias []float64
		for i := range in {
			for o := from; o < to; o++ {
				w = append(w, float64(n.params[2*l][i*out+o]))
			}
		}
		for o := from; o < to; o++ {
			bias = append(bias, float64(n.params[2*l+1][o]))
		}
		wn, bn := leaf(g, name+" w", w, in, to-from), leaf(g, name+" b", bias, 1, to-from)
		nodes = append(nodes, wn, bn)
		return G.Must(G.BroadcastAdd(G.Must(G.Mul(x, wn)), bn, nil, []byte{0}))
	}
	x := matrixOf("x", n.widths[0], func(r, c int) float64 { return float64(n.obs[r*n.widths[0]+c]) })
	head := len(n.widths) - 2
	for l := range head {
		x = G.Must(G.Rectify(linear(x, fmt.Sprint("trunk ", l), l, 0, n.widths[l+1])))
	}
	logits, value := linear(x, "logits", head, 0, actions),
		G.Must(G.Reshape(linear(x, "value", head, actions, actions+1), tensor.Shape{rows}))
	away := matrixOf("mask", actions, func(r, a int) float64 {
		if b.Mask[r*words+a/64]>>(a%64)&1 == 0 {
			return -1e4
		}
		return 0
	})
	done := matrixOf("action", actions, func(r, a int) float64 {
		if a == int(b.Action[r]) {
			return 1
		}
		return 0
	})
	of := func(x []float32) func(r int) float64 {
		return func(r int) float64 { return float64(x[r]) }
	}
	adv := vectorOf("advantage", of(b.Advantage))
	mean := func(x *G.Node) *G.Node { return G.Must(G.Mean(x)) }
	// Only LogSoftMax, never SoftMax beside it: Gorgonia takes the two for one.
	logp := G.Must(G.LogSoftMax(G.Must(G.Add(logits, away)), 1))
	entropy := G.Must(G.Neg(G.Must(G.Sum(G.Must(G.HadamardProd(G.Must(G.Exp(logp)), logp)), 1))))
	ratio :=
		G.Must(G.Exp(G.Must(G.Sub(G.Must(G.Sum(G.Must(G.HadamardProd(logp, done)), 1)),
			vectorOf("log-probability", of(b.LogProb))))))
	high, low := vectorOf("high", func(int) float64 { return 1 + float64(b.ClipCoef) }),
		vectorOf("low", func(int) float64 { return 1 - float64(b.ClipCoef) })
	clipped := G.Must(G.MaxBetween(G.Must(G.MinBetween(ratio, high)), low))
	gain := G.Must(G.MinBetween(G.Must(G.HadamardProd(ratio, adv)), G.Must(G.HadamardProd(clipped, adv))))
	miss := G.Must(G.Square(G.Must(G.Sub(value, vectorOf("return", of(b.Return))))))
	total := G.Must(G.Neg(mean(gain)))
	total = G.Must(G.Add(total,
		G.Must(G.Mul(G.NewConstant(float64(b.ValueCoef)/2, G.WithName("value factor")), mean(miss)))))
	total = G.Must(G.Sub(total,
		G.Must(G.Mul(G.NewConstant(float64(b.EntropyCoef), G.WithName("entropy factor")), mean(entropy)))))
	made := must.Have(G.Grad(total, nodes...))(t)
	var read G.Value // before the machine uses the memory again
	G.Read(total, &read)
	values := make([]G.Value, len(made))
	for i, m := range made {
		G.Read(m, &values[i])
	}
	m := G.NewTapeMachine(g)
	defer m.Close()
	must.Do(t, m.RunAll())
	for _, v := range values {
		grads = append(grads, v.Data().([]float64))
	}
	k := len(grads) - 4 // join the head again
	var w []float64
	for i := range n.widths[head] {
		w = append(append(w, grads[k][i*actions:][:actions]...), grads[k+2][i])
	}
	bias := append(slices.Clone(grads[k+1]), grads[k+3]...)
	return read.Data().(float64), append(grads[:k:k], w, bias)
}

func TestErrors(t *testing.T) {
	g := G.NewGraph()
	in, x := NewInput(g, 3)
	w, b := leaf(g, "w", make([]float32, 6), 3, 2), leaf(g, "b", make([]float32, 2), 2)
	if _, err := Linear(Exec{}, x, Parameters{w, b, make([]float32, 5), make([]float32, 2)}, true, in); err == nil {
		t.Error("a gradient of the wrong size was taken")
	}
	w64, b64 := leaf(g, "w64", make([]float64, 6), 3, 2), leaf(g, "b64", make([]float64, 2), 2)
	if _, err := Linear(Exec{}, x, Parameters{w64, b64, make([]float32, 6), make([]float32, 2)}, true, in); err == nil {
		t.Error("a float64 weight was taken")
	}
}
