package ops

import (
	"errors"
	"math/bits"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"earthgym/env/alike"
)

// Decisions are what is learnt from, row by row.
type Decisions struct {
	Mask      []uint64  // legal actions: for each row a word for every started 64 actions, no bits behind the last
	Action    []int32   // what was done, a legal action
	LogProb   []float32 // logarithm of its probability when it was done
	Advantage []float32
	Return    []float32 // what the values should be: [rows], of the first one alone, or [rows, Values]
	Reference []float32 // logits of a policy to stay near [rows, actions]; nil for none

	// Clone says that the actions are a teacher's, whose probability is to grow: LogProb and Advantage are left out.
	Clone bool
}

// Batch is what the loss needs besides the network's output. It may change between runs.
type Batch struct {
	Decisions
	Values      int     // columns of the network's output behind the logits; 0 stands for 1
	KLCoef      float32 // factor of the divergence from the reference
	ClipCoef    float32 // how far the ratio of probabilities may go from 1 before it pays no more
	ValueCoef   float32 // factor of the value's loss
	EntropyCoef float32 // factor of the entropy, which is to be high
}

// Stats are the parts of the loss, averages over the rows.
type Stats struct {
	Loss         float64 // PolicyLoss + ValueCoef·(ValueLoss + OthersLoss) - EntropyCoef·Entropy + KLCoef·ReferenceKL
	PolicyLoss   float64 // -min(ratio·advantage, clipped ratio·advantage); of clones the cross-entropy -log p(a)
	ValueLoss    float64 // (value - return)²/2 of the first value
	OthersLoss   float64 // a quarter of the same of the other values, their mean; 0 without returns for them
	Entropy      float64 // of the legal actions, in nats
	KL           float64 // how far the policy has moved, estimated by ratio - 1 - log ratio
	ClipFraction float64 // share of rows whose ratio is clipped
	ReferenceKL  float64 // of the policy from the reference, KL(reference ‖ policy)
}

// PPO adds the loss to the graph: a number computed from z [rows, actions+values], the logits and, in the last columns,
// the values of the seats, the own one first. Each run takes in and fills out. The gradient of illegal logits is
// exactly 0.
//
// With p the soft-max of the legal logits, a the action done, and p_old(a) its probability when it was done,
//
//	ratio   = p(a) / p_old(a)
//	L_pi    = -min(ratio·A, clip(ratio, 1-ClipCoef, 1+ClipCoef)·A)      the clipped surrogate
//	L_v     = (value - Return)²/2 of the own value + a quarter of their mean over the others
//	H       = -Σ p log p                                                the entropy, which is to be high
//	D       = Σ q log(q / p)                                            from the reference q
//	L       = mean(L_pi) + ValueCoef·mean(L_v) - EntropyCoef·mean(H) + KLCoef·mean(D)
//
// (Schulman et al., Proximal Policy Optimization Algorithms, 2017, equations 7 and 9). Where the batch is to be cloned,
// L_pi is the cross-entropy -log p(a) instead. D keeps the policy near another one, as in Jacob et al., Modeling Strong
// and Human-Like Gameplay with KL-Regularized Search, 2022, but with the reference first: a policy so pays for what it
// never does and the reference would, and not for doing what the reference would not. The value is not clipped: it
// does not help (Andrychowicz et al., What Matters in On-Policy Reinforcement Learning?, 2021). KL is the estimator of
// KL(p_old ‖ p) from actions drawn by p_old that is without bias, never negative and of little variance: ratio - 1 -
// log ratio (Schulman, Approximating KL Divergence, 2020).
func PPO(e Exec, z *G.Node, in *Batch, out *Stats) (*G.Node, error) {
	o := &ppo{exec: e, in: in, out: out}
	return G.ApplyOp(differentiable{op: &op{name: "ppo", dims: []int{2}, result: 0, run: o.forward,
		shape: func([]tensor.Shape) tensor.Shape { return tensor.ScalarShape() }}, diff: o.diff}, z)
}

type ppo struct {
	exec Exec
	in   *Batch
	out  *Stats
	rows []Stats
	refs []float32 // exp(logit - highest) of the reference [workers, actions]
	dz   buffer
	loss G.F32
}

func (o *ppo) forward(in []G.Value, x [][]float32) (G.Value, error) {
	z := x[0]
	rows, cols := in[0].Shape()[0], in[0].Shape()[1]
	o.dz.matrix(rows, cols)
	if cap(o.rows) < rows {
		o.rows = make([]Stats, rows)
	}
	o.rows = o.rows[:rows]
	actions := cols - max(1, o.in.Values)
	if n := max(1, o.exec.Workers) * actions; o.in.Reference != nil && len(o.refs) < n {
		o.refs = make([]float32, n)
	}
	share := 1 / float64(rows)
	o.exec.split(rows, 8, func(worker, from, to int) {
		var ref []float32
		if o.in.Reference != nil {
			ref = o.refs[worker*actions:][:actions]
		}
		for r := from; r < to; r++ {
			y, dy := z[r*cols:][:cols], o.dz.data[r*cols:][:cols]
			o.rows[r] = o.row(r, y[:actions], dy[:actions], ref, share)
			o.rows[r].ValueLoss, o.rows[r].OthersLoss = o.values(r, y[actions:], dy[actions:], share)
		}
	})
	var s Stats
	for i := range o.rows { // in order: the sum doesn't depend on who computed the rows
		r := &o.rows[i]
		s.PolicyLoss += r.PolicyLoss
		s.ValueLoss += r.ValueLoss
		s.OthersLoss += r.OthersLoss
		s.Entropy += r.Entropy
		s.KL += r.KL
		s.ClipFraction += r.ClipFraction
		s.ReferenceKL += r.ReferenceKL
	}
	s.Loss = s.PolicyLoss + float64(float64(o.in.ValueCoef)*(s.ValueLoss+s.OthersLoss)) -
		float64(float64(o.in.EntropyCoef)*s.Entropy) + float64(float64(o.in.KLCoef)*s.ReferenceKL)
	*o.out = s
	o.loss = G.F32(s.Loss)
	return &o.loss, nil
}

// othersShare is how much the values of all other seats together count beside the own one. Cloning learns as well with
// a quarter as with nothing (Resilience Earth, 4 seats, 119 k decisions of script:strong, 256-256: its action named
// right in 87.7 % and 88.0 %, 0.077 and 0.073 of the variance of returns explained; with as much as the own, 87.5 %),
// and small networks less with more (Kuhn poker, 32 wide: a best response gains 0.10 with a quarter, 0.15 with a half,
// 0.08 with nothing).
const othersShare = 0.25

// values computes one row's parts of the values' loss and the gradient dz of its values z.
func (o *ppo) values(r int, z, dz []float32, share float64) (own, others float64) {
	clear(dz)
	n := 1
	if len(o.in.Return) > len(o.in.Action) {
		n = len(z)
	}
	factor := 1.0
	for i, want := range o.in.Return[r*n : (r+1)*n] {
		miss := float64(z[i]) - float64(want)
		dz[i] = float32(float64(o.in.ValueCoef) * miss * factor * share)
		if i == 0 {
			own, factor = miss*miss/2*share, othersShare/float64(max(1, n-1))
		} else {
			others += float64(miss * miss / 2 * factor * share)
		}
	}
	return own, others
}

// row computes one row's part of the policy's loss and the gradient dz of its logits z. ref is memory for the
// reference, if there is one.
func (o *ppo) row(r int, z, dz, ref []float32, share float64) Stats {
	b, k, n := o.in, o.exec.Kernels, len(z)
	words := (n + 63) / 64
	mask := b.Mask[r*words : (r+1)*words]
	top, sum, dot := k.MaskedExp(dz, z, mask)
	logSum := alike.Log(sum)
	norm := float64(top) + logSum // log p = z - norm
	entropy := logSum - dot/sum   // -Σ p log p
	action := int(b.Action[r])
	lp := float64(z[action]) - norm
	s := Stats{Entropy: entropy * share}
	slope := -1.0 // of the loss by log p of the action
	if b.Clone {
		s.PolicyLoss = -lp * share
	} else {
		slope = o.surrogate(r, lp, share, &s)
	}

	// By z[j], log p of the action has the slope [j = action] - p[j], the entropy -p[j]·(log p[j] + entropy), and the
	// divergence p[j] - q[j]. dz holds exp(z - top) here, which is p·sum.
	slope = float64(slope * share)
	add := -slope
	if ref != nil {
		add += float64(float64(b.KLCoef) * share)
	}
	c := float64(b.EntropyCoef) * share
	k.SoftGrad(dz, dz, z, float32(1/sum), float32(c), float32(float64(c*(entropy-norm))+add))
	dz[action] += float32(slope)
	if ref != nil {
		rz := b.Reference[r*n : (r+1)*n]
		rtop, rsum, rdot := k.MaskedExp(ref, rz, mask)
		shift := float64(rtop) + alike.Log(rsum) - norm // Σ q log(q/p) = Σ q·(rz - z) - shift
		cross, factor := 0.0, float64(b.KLCoef)*share/rsum
		for i, word := range mask {
			for ; word != 0; word &= word - 1 {
				j := i*64 + bits.TrailingZeros64(word)
				cross += float64(float64(ref[j]) * (float64(rtop) - float64(z[j])))
				dz[j] -= float32(float64(ref[j]) * factor)
			}
		}
		s.ReferenceKL = max(0, (rdot+cross)/rsum-shift) * share
	}
	return s
}

// surrogate adds a row's part of the clipped surrogate to s, and returns its slope by the logarithm lp of the action's
// probability.
func (o *ppo) surrogate(r int, lp, share float64, s *Stats) (slope float64) {
	b := o.in
	move := lp - float64(b.LogProb[r])
	ratio, adv, clip := alike.Exp(move), float64(b.Advantage[r]), float64(b.ClipCoef)
	clipped := min(max(ratio, 1-clip), 1+clip)
	gain := clipped * adv
	if ratio*adv <= gain {
		gain = ratio * adv
		slope = -gain
	}
	s.PolicyLoss = -gain * share
	s.KL = (ratio - 1 - move) * share
	if clipped != ratio {
		s.ClipFraction = share
	}
	return slope
}

func (o *ppo) diff(in G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	back := &op{name: "ppo gradient", dims: []int{2, 0, 0}, result: 2, shape: likeFirst, run: o.back}
	n, err := G.ApplyOp(back, in[0], out, grad)
	return G.Nodes{n}, err
}

// back hands out the gradient that the loss has computed, times the gradient of the loss itself. It takes the loss so
// that the tape runs it later.
func (o *ppo) back(in []G.Value, _ [][]float32) (G.Value, error) {
	factor, ok := in[2].Data().(float32)
	if !ok {
		return nil, errors.New("PPO gradient: the gradient of the loss isn't one float32")
	}
	if factor != 1 {
		for i := range o.dz.data {
			o.dz.data[i] *= factor
		}
	}
	return o.dz.t, nil
}
