package train

// One update of a run, from top to bottom: proximal policy optimisation (PPO: Schulman, Wolski, Dhariwal,
// Radford and Klimov, Proximal Policy Optimization Algorithms, 2017), in the form that is common practice
// (Huang et al., The 37 Implementation Details of Proximal Policy Optimization, 2022).
//
//	collect             the network as it is, π_old, plays NumSteps steps of NumEnvs games (selfplay.go says
//	                    against whom), and every decision is kept: s_t, a_t, log π_old(a_t|s_t), V(s_t)
//	computeAdvantages   how much better than expected each turned out: A_t, and R_t = A_t + V(s_t)
//	learn               Epochs times over the decisions, in minibatches: a step of Adam each, down the
//	                    gradient of
//
//	                      L = -mean(min(ratio_t·A_t, clip(ratio_t, 1-ε, 1+ε)·A_t))   the clipped surrogate
//	                          + ValueCoef · mean((V(s_t) - R_t)²/2)
//	                          - EntropyCoef · mean(H(π(·|s_t)))
//
//	                    with ratio_t = π(a_t|s_t) / π_old(a_t|s_t) and ε = ClipCoef
//
// L and its gradient are one operation of package ops; learner.go puts it behind the network's layers, and
// adam.go moves the weights. Where they start is [neural.Params.Init].

import (
	"fmt"
	"math"
	"slices"
	"time"

	"earthgym/agents/neural"
	"earthgym/env"
)

// iterate is one update.
func (r *Run) iterate() (Update, error) {
	start := time.Now()
	policy, err := neural.NewPolicy(r.learner.Params())
	if err != nil {
		return Update{}, err
	}
	k := r.collector
	if err := k.collect(policy); err != nil {
		return Update{}, err
	}
	collected := time.Now()
	u := Update{Update: r.update + 1, LearningRate: r.learningRate()}
	r.order = k.rollout.computeAdvantages(r.config.Gamma, r.config.GAELambda, r.order[:0])
	if len(r.order) > 0 {
		u.Explained = k.rollout.explained(r.order)
		k.rollout.normalise(r.order)
		if err := r.learn(&u); err != nil {
			return Update{}, err
		}
	}
	r.update++
	r.decisions += len(r.order)
	if r.update%r.config.PoolEvery == 0 {
		if err := k.pool.take(r.update, r.learner.Params()); err != nil {
			return Update{}, err
		}
	}
	r.describe(&u)
	u.CollectSeconds = collected.Sub(start).Seconds()
	u.LearnSeconds = time.Since(collected).Seconds()
	return u, nil
}

// learningRate falls in a line to a tenth over the budget.
func (r *Run) learningRate() float64 {
	done := min(1, float64(r.decisions)/float64(r.config.Decisions))
	return r.config.LearningRate * (1 - 0.9*done)
}

// collect plays NumSteps steps in every lane.
func (k *collector) collect(policy *neural.Policy) error {
	k.rollout.carry()
	for range k.config.NumSteps {
		if err := k.step(policy); err != nil {
			return err
		}
	}
	return nil
}

// step plays one decision in every lane: the network's and its opponents'.
func (k *collector) step(policy *neural.Policy) error {
	r, first := k.rollout, k.rollout.n
	k.ours, k.theirs = k.ours[:0], k.theirs[:0]
	for lane, actor := range k.vec.Actors {
		if k.learners[lane].Has(env.Player(actor)) {
			r.add(lane, int(actor), k.vec.Observation(lane), k.vec.Mask(lane))
			k.ours = append(k.ours, lane)
		} else {
			k.theirs = append(k.theirs, lane)
		}
	}
	k.vec.Parallel(func(worker int) {
		k.decide(worker, policy, first)
		k.answer(worker)
	})
	for w := range k.workers {
		if err := k.workers[w].err; err != nil {
			return err
		}
	}
	if err := k.vec.Step(k.actions); err != nil {
		return fmt.Errorf("collecting: %w", err)
	}
	for lane := range k.actions {
		over := k.vec.Terminated[lane]
		r.reward(lane, k.vec.Rewards[lane*k.info.Players:(lane+1)*k.info.Players], over)
		if over {
			k.count(lane)
			k.seat(lane)
		}
	}
	return nil
}

// decide makes a worker's share of the network's decisions, those of the rollout from first on: each is
// drawn from the policy, with the luck of its lane.
func (k *collector) decide(worker int, policy *neural.Policy, first int) {
	from, to := share(len(k.ours), worker, len(k.workers))
	if from == to {
		return
	}
	r, w := k.rollout, &k.workers[worker]
	in := r.inputs
	logits, values := policy.Forward(&w.ws, r.observations[(first+from)*in:(first+to)*in], to-from)
	n := len(k.info.Actions)
	for row := from; row < to; row++ {
		i, lane := first+row, k.ours[row]
		a, logProb := neural.SampleLogProb(logits[(row-from)*n:(row-from+1)*n], r.mask(i), k.luck[lane].Float64())
		r.actions[i], r.logProbs[i], r.values[i] = int32(a), float32(logProb), values[row-from]
		k.actions[lane] = env.Action(a)
	}
}

// computeAdvantages is generalised advantage estimation (Schulman, Moritz, Levine, Jordan and Abbeel,
// High-Dimensional Continuous Control Using Generalized Advantage Estimation, 2016). With t+1 the same
// seat's next decision and r_t all that the seat got until then,
//
//	δ_t = r_t + γ·V(s_{t+1}) - V(s_t)
//	A_t = δ_t + γλ·A_{t+1}
//	R_t = A_t + V(s_t)
//
// V and A after a game's last decision are 0. A decision whose next one is still open (stillOpen) is not
// learnt from yet: its value stands for all that it will bring, and its advantage is 0. The decisions that can
// be learnt from are appended to dst and returned.
func (r *rollout) computeAdvantages(gamma, lambda float64, dst []int32) []int32 {
	for i := r.n - 1; i >= 0; i-- {
		next := r.next[i]
		delta, after := float64(r.rewards[i]-r.values[i]), 0.0
		switch {
		case next == stillOpen:
			r.advantages[i] = 0
			continue
		case next >= 0:
			delta += gamma * float64(r.values[next])
			after = float64(r.advantages[next])
		}
		r.advantages[i] = float32(delta + gamma*lambda*after)
		r.returns[i] = r.advantages[i] + r.values[i]
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
		squares += d * d
	}
	scale := 1 / (math.Sqrt(squares/float64(len(decisions))) + 1e-8)
	for _, i := range decisions {
		r.advantages[i] = float32((float64(r.advantages[i]) - mean) * scale)
	}
}

// learn goes through the decisions Epochs times, in another order each time, in minibatches of nearly equal
// size.
func (r *Run) learn(u *Update) error {
	batches := max(1, (len(r.order)+r.config.Minibatch/2)/r.config.Minibatch)
	var sum StepStats
	for range r.config.Epochs {
		for i := len(r.order) - 1; i > 0; i-- { // Fisher and Yates
			j := r.shuffle.Below(i + 1)
			r.order[i], r.order[j] = r.order[j], r.order[i]
		}
		for b := range batches {
			from, to := share(len(r.order), b, batches)
			r.gather(r.order[from:to])
			s, err := r.learner.Step(r.batch, StepOptions{
				LearningRate: u.LearningRate, ClipCoef: r.config.ClipCoef, ValueCoef: r.config.ValueCoef,
				EntropyCoef: r.config.EntropyCoef, MaxGradNorm: r.config.MaxGradNorm,
			})
			if err != nil {
				return err
			}
			sum.add(s)
		}
	}
	u.describeSteps(sum, r.config.Epochs*batches)
	return nil
}

// gather copies decisions into the minibatch.
func (r *Run) gather(decisions []int32) {
	k, b := r.collector.rollout, &r.batch
	b.Rows = len(decisions)
	b.Obs, b.Mask = slices.Grow(b.Obs[:0], b.Rows*k.inputs), b.Mask[:0]
	b.Action, b.LogProb, b.Advantage, b.Return = b.Action[:0], b.LogProb[:0], b.Advantage[:0], b.Return[:0]
	for _, i := range decisions {
		b.Obs = append(b.Obs, k.observation(int(i))...)
		b.Mask = append(b.Mask, k.mask(int(i))...)
		b.Action = append(b.Action, k.actions[i])
		b.LogProb = append(b.LogProb, k.logProbs[i])
		b.Advantage = append(b.Advantage, k.advantages[i])
		b.Return = append(b.Return, k.returns[i])
	}
}

// share is the part of n things that falls to one of several workers, or to one of several batches.
func share(n, one, of int) (from, to int) { return n * one / of, n * (one + 1) / of }
