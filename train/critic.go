package train

import (
	"fmt"
	"slices"

	"earthgym/agents/neural"
	"earthgym/env"
)

// A critic says what positions are worth, while a run trains, from what all seats see of them: the observations of all
// seats side by side, the deciding one's first and the others clockwise (Yu et al., The Surprising Effectiveness of PPO in
// Cooperative, Multi-Agent Games, 2022; that training may know more than play: Lowe et al., Multi-Agent Actor-Critic for
// Mixed Cooperative-Competitive Environments, 2017). It is a network of its own with one action, of which it learns
// nothing, and the values of the seats. What it says is the V of computeAdvantages; the network that plays never sees it,
// and goes on learning values of its own from the same returns.
type critic struct {
	learner *Learner
	policy  *neural.Policy     // as the running update began
	work    []neural.Workspace // by worker
	batch   Minibatch
}

// untaught is the number of steps before which a critic isn't asked: in a run without cloning the network's own values are
// the better ones at first.
const untaught = 100

func newCritic(c *Config, info *env.Info, players, workers int) (*critic, error) {
	if !info.Has(env.HiddenInfo) {
		return nil, fmt.Errorf("central_critic: nothing is hidden in %s, so that it would see what the network sees", info.Short)
	}
	params, err := neural.NewParams(c.criticNetwork(info, players))
	if err != nil {
		return nil, fmt.Errorf("central_critic: %w", err)
	}
	params.Init(uint64(c.Seed))
	learner, err := NewLearner(params, workers)
	if err != nil {
		return nil, fmt.Errorf("central_critic: %w", err)
	}
	return &critic{learner: learner, work: make([]neural.Workspace, workers)}, nil
}

// criticNetwork is the shape of the critic in games of at most so many players.
func (c *Config) criticNetwork(info *env.Info, players int) neural.Spec {
	s := c.network(info)
	s.Inputs, s.Actions, s.Objects = players*s.Inputs, 1, nil
	return s
}

// scaleInputs makes the critic learn from inputs with these factors, which are those of an observation.
func (c *critic) scaleInputs(scale []float32) {
	scale = slices.Repeat(scale, c.learner.Params().Spec().Inputs/len(scale))
	c.learner.Params().ScaleInputs(scale)
	c.learner.ScaleInputs(scale)
}

// begin makes the critic's values those of the network as it is.
func (c *critic) begin() (err error) {
	c.policy, err = neural.NewPolicy(c.learner.Params())
	return err
}

// values are those of the decisions from one up to another of a rollout, of which the network has said own.
func (c *critic) values(worker int, r *rollout, from, to int, own []float32) []float32 {
	if c.learner.Steps() < untaught {
		return own
	}
	_, values := c.policy.Evaluate(&c.work[worker], r.all[from*r.allInputs():to*r.allInputs()], nil, to-from)
	return values
}

// learn learns from the returns of a minibatch of a rollout.
func (c *critic) learn(r *rollout, decisions []int32, returns []float32, o StepOptions) error {
	b := &c.batch
	b.Rows, b.Clone, b.Return = len(decisions), true, returns
	b.Obs, b.Mask, b.Action = b.Obs[:0], b.Mask[:0], b.Action[:0]
	for _, i := range decisions {
		b.Obs = append(b.Obs, r.seenByAll(int(i))...)
		b.Mask, b.Action = append(b.Mask, 1), append(b.Action, 0)
	}
	if _, err := c.learner.Step(*b, StepOptions{LearningRate: o.LearningRate, ClipCoef: o.ClipCoef, ValueCoef: 1, MaxGradNorm: o.MaxGradNorm}); err != nil {
		return fmt.Errorf("central_critic: %w", err)
	}
	return nil
}

// allInputs is the number of what all seats see of a position; 0 in a run without critic.
func (r *rollout) allInputs() int {
	if r.all == nil {
		return 0
	}
	return r.players * r.inputs
}

// seenByAll is what all seats see at decision i.
func (r *rollout) seenByAll(i int) []float32 { return r.all[i*r.allInputs() : (i+1)*r.allInputs()] }

// observeAll notes what all seats see at decision i, where the actor's observation stands already. Seats that the game
// doesn't have see nothing.
func (r *rollout) observeAll(i int, s env.State, actor env.Player) {
	if r.all == nil {
		return
	}
	row, players := r.seenByAll(i), s.Game().Info().Players
	copy(row, r.observation(i))
	for k := 1; k < players; k++ {
		s.Observe(row[k*r.inputs:(k+1)*r.inputs], (actor+env.Player(k))%env.Player(players))
	}
	clear(row[players*r.inputs:])
}
