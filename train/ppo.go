package train

// One update of the league, from top to bottom: proximal policy optimisation (PPO: Schulman, Wolski, Dhariwal,
// Radford and Klimov, Proximal Policy Optimization Algorithms, 2017), in the form that is common practice
// (Huang et al., The 37 Implementation Details of Proximal Policy Optimization, 2022), held near a reference.
//
//	collect             the network as it is, π_old, plays NumSteps steps of NumEnvs games (league.go says
//	                    against whom), and every decision is kept: s_t, a_t, log π_old(a_t|s_t), V(s_t)
//	computeAdvantages   how much better than expected each turned out: A_t, and R_t = A_t + V(s_t)
//	learn               Epochs times over the decisions, in minibatches: a step of Adam each, down the
//	                    gradient of
//
//	                      L = -mean(min(ratio_t·A_t, clip(ratio_t, 1-ε, 1+ε)·A_t))   the clipped surrogate
//	                          + valueCoef · mean((V(s_t) - R_t)²/2)                 and a quarter of the others'
//	                          - EntropyCoef · mean(H(π(·|s_t)))
//	                          + κ · mean(KL(π_ref(·|s_t) ‖ π(·|s_t)))
//
//	                    with ratio_t = π(a_t|s_t) / π_old(a_t|s_t) and ε = ClipCoef
//
// The reference π_ref is the clone at first, and every ReferenceEvery updates the network as it then is: what play of
// people or bots teaches is not unlearnt for what a few games suggest (Jacob et al., Modeling Strong and Human-Like
// Gameplay with KL-Regularized Search, 2022, where the policy that is stayed near is one of people; Sokota et al., A
// Unified Approach to Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games, 2023, whose
// magnet moves along). κ falls in a line from KLCoef to a fifth of it.
//
// L and its gradient are one operation of package ops; learner.go puts it behind the network's layers, and
// adam.go moves the weights. Where they start is [neural.Params.Init].

import (
	"math"
	"slices"

	"earthgym/agents/neural"
)

const (
	valueCoef   = 0.5 // weight of the value loss
	maxGradNorm = 1   // gradients are scaled down to this global norm
)

// klCoefEnd is the weight of the divergence at the end of the league. Who exploits is to leave what it begins as.
func (c *Config) klCoefEnd() float64 {
	if c.Exploit {
		return 0
	}
	return c.KLCoef / 5
}

// improve is one update of the league.
func (r *Run) improve(policy *neural.Policy, u *Update) error {
	c, k := &r.config, r.collector
	if err := k.collect(policy, c.NumSteps); err != nil {
		return err
	}
	r.collected = now()
	left := 1 - r.progress()
	u.LearningRate = c.LearningRate * (0.1 + float64(0.9*left))
	options := StepOptions{
		LearningRate: u.LearningRate, ClipCoef: c.ClipCoef, ValueCoef: valueCoef, EntropyCoef: c.EntropyCoef,
		MaxGradNorm: maxGradNorm,
	}
	if r.reference != nil {
		end := c.klCoefEnd()
		u.KLCoef = end + float64((c.KLCoef-end)*left)
		options.KLCoef = u.KLCoef
	}
	r.order = k.rollout.computeAdvantages(c.Gamma, c.GAELambda, r.order[:0])
	r.decisions += len(r.order)
	if len(r.order) > 0 {
		u.Explained = k.rollout.explained(r.order)
		k.rollout.normalise(r.order)
		if err := r.learn(u, lesson{epochs: c.Epochs, minibatch: c.Minibatch, options: options}); err != nil {
			return err
		}
	}
	r.rounds++
	if n := c.ReferenceEvery; n > 0 && r.rounds%n == 0 {
		if r.reference != nil {
			if err := r.refer(r.learner.Params()); err != nil {
				return err
			}
		}
		if err := k.pool.take(r.update+1, r.learner.Params()); err != nil {
			return err
		}
	}
	return nil
}

// A reference is a network that the learning one stays near.
type reference struct {
	params *neural.Params
	policy *neural.Policy
	work   []neural.Workspace // by worker
	z      []float32          // logits of a minibatch
}

func newReference(params *neural.Params, workers int) (*reference, error) {
	params = params.Clone()
	policy, err := neural.NewPolicy(params)
	if err != nil {
		return nil, err
	}
	return &reference{params: params, policy: policy, work: make([]neural.Workspace, workers)}, nil
}

// logits are what the reference says of the legal actions to rows of observations. They hold until the next call.
func (f *reference) logits(k *collector, observations []float32, masks []uint64, rows int) []float32 {
	n, in, words := len(k.info.Actions), k.info.Observation(), k.info.MaskWords()
	f.z = resized(f.z, rows*n)
	k.tables[0].Parallel(func(worker int) {
		if from, to := share(rows, worker, len(f.work)); from < to {
			logits, _ := f.policy.Evaluate(&f.work[worker], observations[from*in:to*in], masks[from*words:to*words], to-from)
			copy(f.z[from*n:to*n], logits)
		}
	})
	return f.z
}

// collect plays so many steps in every lane.
func (k *collector) collect(policy *neural.Policy, steps int) error {
	k.rollout.carry()
	for range steps {
		if err := k.step(policy); err != nil {
			return err
		}
	}
	return nil
}

// computeAdvantages is generalised advantage estimation (Schulman, Moritz, Levine, Jordan and Abbeel,
// High-Dimensional Continuous Control Using Generalized Advantage Estimation, 2016). With t+1 the same
// seat's next decision, where all win together any seat's, and r_t all that the seat got until then,
//
//	δ_t = r_t + γ·V(s_{t+1}) - V(s_t)
//	A_t = δ_t + γλ·A_{t+1}
//	R_t = A_t + V(s_t)
//
// V has a value for each seat, and R a return; A is that of the seat that decides. V and A after a game's last decision
// are 0. A decision whose next one is still open (stillOpen) is not
// learnt from yet: its value stands for all that it will bring, and its advantage is 0. The decisions that can
// be learnt from are appended to dst and returned.
func (r *rollout) computeAdvantages(gamma, lambda float64, dst []int32) []int32 {
	for k := r.seats - 1; k >= 0; k-- { // the deciding seat last: its advantages are the ones that stay
		for i := r.n - 1; i >= 0; i-- {
			at, next := i*r.seats+k, r.next[i]
			delta, after := float64(r.rewards[at]-r.values[at]), 0.0
			switch {
			case next == stillOpen:
				r.advantages[i] = 0
				continue
			case next >= 0:
				delta += float64(gamma * float64(r.values[int(next)*r.seats+k]))
				after = float64(r.advantages[next])
			}
			r.advantages[i] = float32(delta + float64(gamma*lambda*after))
			r.returns[at] = r.advantages[i] + r.values[at]
		}
	}
	for i := range r.n {
		if r.next[i] != stillOpen {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// normalise shifts and scales the advantages of an update's decisions to mean 0 and deviation 1, all
// together: minibatches so keep what one has on another.
func (r *rollout) normalise(decisions []int32) {
	var sum, squares float64
	for _, i := range decisions {
		sum += float64(r.advantages[i])
	}
	mean := sum / float64(len(decisions))
	for _, i := range decisions {
		d := float64(r.advantages[i]) - mean
		squares += float64(d * d)
	}
	scale := 1 / (math.Sqrt(squares/float64(len(decisions))) + 1e-8)
	for _, i := range decisions {
		r.advantages[i] = float32((float64(r.advantages[i]) - mean) * scale)
	}
}

// A lesson is how an update learns from its decisions.
type lesson struct {
	epochs, minibatch int
	clone             bool // the decisions are teachers'
	options           StepOptions
}

// warmUp is the number of Adam's first steps in which the learning rate rises to what it is to be. What Adam divides by
// is then known from a few gradients alone, and all weights would go as far as they can, the same way at once (Ma and
// Yarats, On the Adequacy of Untuned Warmup for Adaptive Optimization, 2021). A network that knows nothing yet has
// nothing to lose by that, and goes on at once.
const warmUp = 50

// warmth is the share of the learning rate that the next step takes.
func (r *Run) warmth() float64 {
	if r.parent == "" && (r.cloned == 0 || r.phase != leaguePlay) {
		return 1
	}
	return min(1, float64(r.learner.Steps()+1)/warmUp)
}

// learn goes through the decisions so many times, in another order each time, in minibatches of nearly equal size.
func (r *Run) learn(u *Update, l lesson) error {
	batches := max(1, (len(r.order)+l.minibatch/2)/l.minibatch)
	var sum StepStats
	for range l.epochs {
		for i := len(r.order) - 1; i > 0; i-- { // Fisher and Yates
			j := r.shuffle.Below(i + 1)
			r.order[i], r.order[j] = r.order[j], r.order[i]
		}
		for b := range batches {
			from, to := share(len(r.order), b, batches)
			r.gather(r.order[from:to], l)
			options := l.options
			options.LearningRate *= r.warmth()
			s, err := r.learner.Step(r.batch, options)
			if err != nil {
				return err
			}
			sum.add(s)
		}
	}
	u.describeSteps(sum, l.epochs*batches)
	return nil
}

// gather copies decisions into the minibatch.
func (r *Run) gather(decisions []int32, l lesson) {
	k, b, n := r.collector.rollout, &r.batch, len(decisions)
	b.Rows, b.Clone, b.Reference = n, l.clone, nil
	b.Obs, b.Mask = resized(b.Obs, n*k.inputs), resized(b.Mask, n*k.words)
	b.Action, b.Return = resized(b.Action, n), resized(b.Return, n*k.seats)
	b.LogProb, b.Advantage = b.LogProb[:0], b.Advantage[:0]
	if !l.clone {
		b.LogProb, b.Advantage = resized(b.LogProb, n), resized(b.Advantage, n)
	}
	r.collector.tables[0].Parallel(func(worker int) {
		from, to := share(n, worker, len(r.collector.workers))
		for row := from; row < to; row++ {
			i := int(decisions[row])
			k.observations.write(b.Obs[row*k.inputs:][:k.inputs], i)
			copy(b.Mask[row*k.words:], k.mask(i))
			copy(b.Return[row*k.seats:], k.of(k.returns, i))
			b.Action[row] = k.actions[i]
			if !l.clone {
				b.LogProb[row], b.Advantage[row] = k.logProbs[i], k.advantages[i]
			}
		}
	})
	if l.options.KLCoef > 0 && r.reference != nil {
		b.Reference = r.reference.logits(r.collector, b.Obs, b.Mask, b.Rows)
	}
}

// resized is a slice of n elements, in the memory of s if that is enough. What they are doesn't matter.
func resized[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

// share is the part of n things that falls to one of several workers, or to one of several batches.
func share(n, one, of int) (from, to int) { return n * one / of, n * (one + 1) / of }
