package train

// A run from top to bottom: Train makes updates until the budget is used up, each of the phase that the run is at, says
// how each went, and keeps what was learnt. An update of the first two phases is clone (clone.go tells how teachers
// are asked), one of the league is improve: proximal policy optimisation (PPO: Schulman, Wolski, Dhariwal,
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
	"context"
	"fmt"
	"math"
	"time"

	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/disk"
)

// A Run is one training run. It belongs to one goroutine, which starts others.
type Run struct {
	dir     string
	config  Config
	program string
	info    *env.Info // of the first variant

	collector *collector
	evaluator *evaluator
	library   *library // recorded games to clone, nil without any
	learner   *Learner
	reference *reference // what the policy stays near in the league, nil for nothing
	shuffle   env.Stream

	phase        phase
	cloned       int     // decisions of teachers learnt from
	decisions    int     // of the network, in the league
	update       int     // made so far
	rounds       int     // of them in the league
	spent        float64 // seconds, in a run with a budget of time
	clonedIn     float64 // of them for cloning
	collected    moment  // when the decisions of the running update were there
	best         best
	eventSeconds float64 // that the updates in EventsFile have taken
	parent       string  // hash of the network that it began as, if another run made that

	folder    *disk.Folder // dir, which is held
	saveEvery time.Duration

	order []int32 // decisions that an update learns from
	batch Minibatch
}

// usualSaveEvery is how long a run goes on without being saved: of large networks a save takes a good part of an
// update.
const usualSaveEvery = 5 * time.Second

// saveShare is how many times as long as a save takes a run goes on before the next: the games of many variants are a
// hundred megabytes, which a busy disk takes as long for as an update does.
const saveShare = 20

// Train goes on until the config's budget is used up or the context is done, which is then the error. After the first
// update, and then every few seconds, the run is saved, so that no more can be lost, and it is after the last one and
// when the context is done. After each update report, if not nil, is called. After the last one, and every
// CheckpointEvery updates, the network is left as a checkpoint. Then come the matches that choose the run's answer.
func (r *Run) Train(ctx context.Context, report func(Update)) error {
	var saved time.Time
	var took time.Duration // by the last save, so many times that it stays a small share of all
	for !r.done() {
		if ctx.Err() != nil {
			if err := r.writeCheckpoint(); err != nil {
				return err
			}
			return ctx.Err()
		}
		u, err := r.iterate()
		if err != nil {
			return fmt.Errorf("update %d: %w", r.update+1, err)
		}
		if r.update%r.config.CheckpointEvery == 0 || r.done() {
			if err := r.writeCheckpoint(); err != nil {
				return err
			}
		}
		if err := r.appendMetrics(u); err != nil {
			return err
		}
		if err := r.addEvents(u); err != nil {
			return err
		}
		if report != nil {
			report(u)
		}
		if time.Since(saved) >= max(r.saveEvery, took) || r.done() || ctx.Err() != nil {
			begun := time.Now()
			if err := r.save(); err != nil {
				return err
			}
			saved = time.Now()
			if r.saveEvery > 0 {
				took = saveShare * saved.Sub(begun)
			}
		}
	}
	return r.conclude(ctx)
}

// iterate is one update, of whatever phase the run is at.
func (r *Run) iterate() (Update, error) {
	start := now()
	policy, err := neural.NewPolicy(r.learner.Params())
	if err != nil {
		return Update{}, err
	}
	u := Update{Update: r.update + 1, Phase: r.phase.String()}
	if r.phase == leaguePlay {
		err = r.improve(policy, &u)
	} else {
		err = r.clone(policy, &u)
	}
	if err != nil {
		return Update{}, err
	}
	learnt := now()
	u.CollectSeconds, u.CollectCPUSeconds = r.collected.since(start)
	u.LearnSeconds, u.LearnCPUSeconds = learnt.since(r.collected)
	r.pass(u.CollectSeconds + u.LearnSeconds)
	r.update++
	r.describe(&u)
	measured := r.judges() && r.phase == leaguePlay && (r.rounds%r.config.EvalEvery == 0 || r.done())
	if next := r.due(); next != r.phase {
		r.phase = next
		r.collector.enter(next)
		if next == leaguePlay {
			measured = r.judges()
			if err := r.beginLeague(); err != nil {
				return Update{}, err
			}
		}
	}
	if measured {
		evaluating := time.Now()
		if err := r.evaluate(&u); err != nil {
			return Update{}, err
		}
		u.EvaluateSeconds = time.Since(evaluating).Seconds()
		r.pass(u.EvaluateSeconds)
	}
	_, u.CPUSeconds = now().since(start)
	return u, nil
}

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
	b.Mask = resized(b.Mask, n*k.words)
	b.Action, b.Return = resized(b.Action, n), resized(b.Return, n*k.seats)
	b.LogProb, b.Advantage = b.LogProb[:0], b.Advantage[:0]
	if !l.clone {
		b.LogProb, b.Advantage = resized(b.LogProb, n), resized(b.Advantage, n)
	}
	if b.Obs == nil {
		b.Obs = new(gemm.Sparse)
	}
	b.Obs.Begin(k.inputs)
	for _, i := range decisions {
		b.Obs.Room(len(k.observations.numbers[i]))
	}
	r.collector.tables[0].Parallel(func(worker int) {
		from, to := share(n, worker, len(r.collector.workers))
		for row := from; row < to; row++ {
			i := int(decisions[row])
			b.Obs.Put(row, k.observations.marksOf(i), k.observations.numbers[i])
			copy(b.Mask[row*k.words:], k.mask(i))
			copy(b.Return[row*k.seats:], k.of(k.returns, i))
			b.Action[row] = k.actions[i]
			if !l.clone {
				b.LogProb[row], b.Advantage[row] = k.logProbs[i], k.advantages[i]
			}
		}
	})
	if l.options.KLCoef > 0 && r.reference != nil {
		b.Reference = r.reference.logits(r.collector, b.Obs, b.Mask)
	}
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

func (r *Run) clone(policy *neural.Policy, u *Update) error {
	c, k := &r.config, r.collector
	// What is left of the bound: the last update plays no longer than that takes.
	left := c.CloneDecisions - r.cloned
	steps := min(c.NumSteps, (left+c.NumEnvs-1)/c.NumEnvs)
	var err error
	if fromRecords := len(c.records()) > 0; fromRecords && (len(c.teachers()) == 0 || r.update%2 == 1) {
		err = r.library.collect(k, policy, steps*c.NumEnvs)
	} else {
		err = k.collect(policy, steps)
	}
	if err != nil {
		return err
	}
	r.collected = now()
	u.LearningRate = cloneLearningRate * (1 - float64(0.95*r.cloneProgress()))
	r.order = k.rollout.computeAdvantages(c.Gamma, 1, r.order[:0])
	r.order = r.order[:min(len(r.order), left)]
	if len(r.order) == 0 {
		return nil
	}
	u.Explained = k.rollout.explained(r.order)
	u.CrossEntropy, u.Accuracy = k.rollout.agreement(r.order)
	if err := r.learn(u, lesson{
		epochs: 1, minibatch: c.cloneMinibatch(), clone: true,
		options: StepOptions{LearningRate: u.LearningRate, ClipCoef: c.ClipCoef, ValueCoef: valueCoef,
			MaxGradNorm: maxGradNorm},
	}); err != nil {
		return err
	}
	r.cloned += len(r.order)
	return nil
}

// due is the phase that the next update belongs to. There is no way back.
func (r *Run) due() phase {
	c, done := &r.config, r.cloneProgress()
	switch {
	case done >= 1:
		return leaguePlay
	case len(c.teachers()) == 0 || done < 0.5:
		return max(r.phase, cloning)
	}
	return dagger
}

// cloneProgress is how much of the cloning is done, from 0 to 1: of the decisions or of the time, whichever is further.
func (r *Run) cloneProgress() float64 {
	c := &r.config
	if r.phase == leaguePlay || len(c.Clone) == 0 || r.cloned >= c.CloneDecisions {
		return 1
	}
	done := float64(r.cloned) / float64(c.CloneDecisions)
	if limit := c.CloneShare * c.Minutes * 60; limit > 0 {
		done = max(done, min(1, r.spent/limit))
	}
	return done
}

// beginLeague makes the clone what the league begins with: the first reference, and the first past self. What the
// optimiser remembers of another loss is forgotten.
func (r *Run) beginLeague() error {
	r.clonedIn = r.spent
	params := r.learner.Params()
	if err := r.learner.Restore(r.learner.State().fresh()); err != nil {
		return err
	}
	if err := r.writeCheckpoint(); err != nil { // The run's answer may be it.
		return err
	}
	if err := r.collector.pool.take(r.update, params); err != nil {
		return err
	}
	return r.refer(params)
}

// refer makes a network the reference, if there is to be one.
func (r *Run) refer(params *neural.Params) error {
	if r.config.KLCoef == 0 {
		return nil
	}
	var err error
	r.reference, err = newReference(params, len(r.collector.workers))
	return err
}

// progress is how much of the league is done, from 0 to 1: of the decisions or of the time, whichever is further.
func (r *Run) progress() float64 {
	c, done := &r.config, 0.0
	switch {
	case c.Decisions > 0:
		done = float64(r.decisions) / float64(c.Decisions)
	case c.Decisions == 0:
		return 1
	}
	if c.Minutes > 0 {
		done = max(done, (r.spent-r.clonedIn)/max(float64(c.Minutes*60)-r.clonedIn, 1e-9))
	}
	return min(1, done)
}

// done says whether the budget is used up.
func (r *Run) done() bool { return r.phase == leaguePlay && r.progress() >= 1 }

// pass lets time pass in a run that has a budget of it.
func (r *Run) pass(seconds float64) {
	if r.config.Minutes > 0 {
		r.spent += seconds
	}
}

// A moment is a time, also by the processor time that the process has taken until then.
type moment struct {
	at  time.Time
	cpu float64 // seconds
}

func now() moment { return moment{time.Now(), cpuSeconds()} }

// since is the time from another moment to this one, and the processor time, in seconds.
func (m moment) since(before moment) (seconds, cpu float64) {
	return m.at.Sub(before.at).Seconds(), m.cpu - before.cpu
}
