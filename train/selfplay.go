package train

import (
	"errors"
	"fmt"

	"earthgym/agents/neural"
	"earthgym/env"
)

// A collector plays the games of a run (ppo.go says how) and fills the rollout with the network's decisions. Learner and
// collector share nothing but the policy that goes in and the rollout that comes out.
type collector struct {
	config  *Config
	vec     *env.Vec
	info    *env.Info
	pool    *pool
	rollout *rollout

	// By lane. Every lane has its own luck, so that nothing depends on who computes what.
	luck     []env.Stream // of the actions
	seating  []env.Stream // of who plays
	opponent []int32      // in the running game
	learners []env.Seats  // the seats of the network

	actions []env.Action
	ours    []int // lanes in which the network decides in this step
	theirs  []int // lanes in which the opponent does
	workers []collectWorker

	stats collectStats
}

type collectWorker struct {
	ws           neural.Workspace
	observations []float32 // gathered for a past self
	lanes        []int
	view         env.View
	err          error
}

func newCollector(c *Config, g env.Game, workers int) (*collector, error) {
	p, err := newPool(c, g, workers)
	if err != nil {
		return nil, err
	}
	vec, err := env.NewVec(g, env.VecOptions{
		Options: env.Options{Shaping: c.Shaping, Gamma: c.Gamma},
		Lanes:   c.NumEnvs, Seed: uint64(c.Seed), Autoreset: env.SameStep, Workers: workers,
	})
	if err != nil {
		p.close()
		return nil, err
	}
	info := g.Info()
	k := &collector{
		config: c, vec: vec, info: info, pool: p,
		rollout:  newRollout(info, c),
		luck:     make([]env.Stream, c.NumEnvs),
		seating:  make([]env.Stream, c.NumEnvs),
		opponent: make([]int32, c.NumEnvs),
		learners: make([]env.Seats, c.NumEnvs),
		actions:  make([]env.Action, c.NumEnvs),
		ours:     make([]int, 0, c.NumEnvs),
		theirs:   make([]int, 0, c.NumEnvs),
		workers:  make([]collectWorker, vec.Workers()),
	}
	for lane := range c.NumEnvs {
		seed := env.Mix(uint64(c.Seed) ^ env.Mix(uint64(lane)))
		k.luck[lane] = env.NewStream(seed, "actions")
		k.seating[lane] = env.NewStream(seed, "seating")
		k.seat(lane)
	}
	k.stats.measures = make([]float64, len(g.Info().Measures))
	k.stats.clear()
	return k, nil
}

func (k *collector) close() {
	k.vec.Close()
	k.pool.close()
}

// seat decides who plays the game that a lane begins.
func (k *collector) seat(lane int) {
	luck, players := &k.seating[lane], k.info.Players
	k.opponent[lane], k.learners[lane] = noOpponent, env.Everybody
	if players == 1 {
		return
	}
	if k.opponent[lane] = k.pool.draw(k.config, luck); k.opponent[lane] == noOpponent {
		return
	}
	// The network gets 1 to players-1 seats, every set of that size alike.
	wanted := 1 + luck.Below(players-1)
	k.learners[lane] = env.Nobody
	for p := range players {
		if luck.Below(players-p) < wanted {
			k.learners[lane] = k.learners[lane].With(env.Player(p))
			wanted--
		}
	}
}

// answer makes a worker's share of the opponents' decisions.
func (k *collector) answer(worker int) {
	from, to := share(len(k.theirs), worker, len(k.workers))
	w := &k.workers[worker]
	w.err = nil
	for opponent := range int32(k.pool.opponents()) {
		w.lanes = w.lanes[:0]
		for _, lane := range k.theirs[from:to] {
			if k.opponent[lane] == opponent {
				w.lanes = append(w.lanes, lane)
			}
		}
		if len(w.lanes) == 0 {
			continue
		}
		if past := int(opponent) - len(k.pool.fixed); past >= 0 {
			k.answerPast(w, k.pool.past[past].policy)
		} else {
			w.err = errors.Join(w.err, k.answerFixed(w, worker, &k.pool.fixed[opponent]))
		}
	}
}

func (k *collector) answerPast(w *collectWorker, policy *neural.Policy) {
	w.observations = w.observations[:0]
	for _, lane := range w.lanes {
		w.observations = append(w.observations, k.vec.Observation(lane)...)
	}
	logits, _ := policy.Forward(&w.ws, w.observations, len(w.lanes))
	n := len(k.info.Actions)
	for i, lane := range w.lanes {
		k.actions[lane] = env.Action(neural.Sample(logits[i*n:(i+1)*n], k.vec.Mask(lane), k.luck[lane].Float64()))
	}
}

// answerFixed resets the agent before each decision, so that a run can be resumed between any two.
func (k *collector) answerFixed(w *collectWorker, worker int, o *fixedOpponent) error {
	agent := o.workers[worker]
	for _, lane := range w.lanes {
		k.vec.View(lane, &w.view)
		agent.Reset(k.luck[lane].Uint64())
		a, err := agent.Act(&w.view)
		if err != nil {
			return fmt.Errorf("opponent %s: %w", o.text, err)
		}
		k.actions[lane] = a
	}
	return nil
}

// collectorState is what is left to say of a collector besides the state of its lanes, the open decisions and
// the past selves, which are tensors.
type collectorState struct {
	Choice env.Stream `json:"choice"`
	Taken  uint64     `json:"taken"`
	Past   []int      `json:"past"` // update of each past self
}

func (k *collector) state() collectorState {
	s := collectorState{Choice: k.pool.choice, Taken: k.pool.taken, Past: []int{}}
	for _, self := range k.pool.past {
		s.Past = append(s.Past, self.update)
	}
	return s
}

func (k *collector) restore(s collectorState, past []pastSelf) error {
	if len(past) > k.pool.size {
		return fmt.Errorf("%d past selves in a pool of %d", len(past), k.pool.size)
	}
	k.pool.choice, k.pool.taken, k.pool.past = s.Choice, s.Taken, past
	return nil
}
