package train

// Expert iteration (Anthony, Tian and Barber, Thinking Fast and Slow with Deep Learning and Tree Search, 2017; Silver et
// al., A General Reinforcement Learning Algorithm That Masters Chess, Shogi and Go through Self-Play, 2018): in a share of
// the lanes the network's seats decide by search on top of it (package mcts). From these decisions it learns what search
// would do, by the cross-entropy of its policy under that of search, and the returns that followed; from the decisions in
// other lanes it learns by PPO.

import (
	"context"
	"fmt"
	"math"
	"strings"

	"earthgym/agents/mcts"
	"earthgym/agents/neural"
	"earthgym/env"
)

// searches says whether the network's seats in a lane decide by search: spread over all lanes, always the same ones, and one at
// least of any share. What an update says of its games counts them as any other.
func (k *collector) searches(lane int) bool {
	c := k.config
	until := func(lane int) float64 { return math.Ceil(float64(lane) * c.SearchShare) }
	return k.phase == leaguePlay && c.Search != "" && until(lane+1) > until(lane)
}

// openSearches makes a search on top of the policy for each variant and worker.
func (k *collector) openSearches(policy *neural.Policy) error {
	if k.config.Search == "" {
		return nil
	}
	for i, g := range k.games {
		create, err := mcts.OpenGuided(k.config.Search, g, policy)
		if err != nil {
			return fmt.Errorf("search: %w", err)
		}
		for w := range k.workers {
			worker := &k.workers[w]
			if len(worker.searches) <= i {
				worker.searches = append(worker.searches, nil)
			}
			worker.searches[i] = create()
		}
	}
	return nil
}

// tryToSearch reports a search that can't be.
func (r *Run) tryToSearch(params *neural.Params) error {
	policy, err := neural.NewPolicy(params)
	if err != nil {
		return err
	}
	return r.collector.openSearches(policy)
}

// search decides in a lane, where the network has the logits z: an action drawn from what search would do, which is noted
// at decision i.
func (k *collector) search(worker, lane, i int, z []float32) (env.Action, error) {
	r, w, luck := k.rollout, &k.workers[worker], &k.luck[lane]
	if only := r.mask(i); only.Count() == 1 { // There is nothing to search for, nor to learn: the target stays as it is.
		a := only.Nth(0)
		r.actions[i], r.logProbs[i] = int32(a), 0
		return a, nil
	}
	s := w.searches[k.variant[lane]]
	k.table(lane).View(lane, &w.view)
	s.Reset(luck.Uint64())
	if _, err := s.Search(context.Background(), &w.view); err != nil {
		return -1, fmt.Errorf("search: %w", err)
	}
	target := r.target(i)
	s.Policy(target)
	for a := range target {
		target[a] = float32(math.Log(max(float64(target[a]), leastLikely)))
	}
	a := env.Action(neural.Sample(target, r.mask(i), luck.Float64()))
	r.actions[i], r.logProbs[i] = int32(a), float32(neural.LogProb(z, r.mask(i), int(a)))
	return a, nil
}

// leastLikely is the probability that stands for none: its logarithm is finite.
const leastLikely = 1e-9

// target is what search would do at decision i, as logits.
func (r *rollout) target(i int) []float32 { return r.targets[i*r.choices : (i+1)*r.choices] }

// distil learns from the searched ones of the update's decisions, and leaves the others.
func (r *Run) distil(u *Update, o StepOptions) error {
	if r.config.Search == "" {
		return nil
	}
	k, all := r.collector, r.order
	searched, rest := make([]int32, 0, len(all)), all[:0]
	for _, i := range all {
		if k.searches(int(k.rollout.slot[i]) / k.rollout.players) {
			searched = append(searched, i)
		} else {
			rest = append(rest, i)
		}
	}
	r.order = searched
	o.KLCoef = 1
	var err error
	if len(searched) > 0 {
		err = r.learn(u, lesson{epochs: r.config.Epochs, minibatch: r.config.Minibatch, searched: true, options: o})
	}
	r.order = rest
	return err
}

// checkSearch refuses a search that brings a network of its own.
func (c *Config) checkSearch() error {
	for _, option := range strings.Split(c.Search, ",") {
		if strings.HasPrefix(option, "net=") {
			return fmt.Errorf("search cannot be %q: the network that guides it is the run's own", c.Search)
		}
	}
	return nil
}
