package train

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/neural/safetensors"
	"earthgym/env"
)

const resumeFile = "resume.safetensors"

// resumeState is what a run needs to go on besides network, optimiser, past selves and open decisions,
// which are tensors.
type resumeState struct {
	Collector collectorState `json:"collector"`
	Shuffle   env.Stream     `json:"shuffle"`
	Adam      uint64         `json:"adam_steps"`
}

// save writes resume.safetensors.
func (r *Run) save() error {
	state, err := r.collector.state()
	if err != nil {
		return fmt.Errorf("save the run: %w", err)
	}
	adam := r.learner.State()
	text, err := json.Marshal(resumeState{state, r.shuffle, adam.Steps})
	if err != nil {
		return fmt.Errorf("save the run: %w", err)
	}
	c := r.checkpoint()
	c.Texts = map[string]string{"config": r.config.encode(), "resume": string(text)}
	c.Tensors = append(r.collector.rollout.openTensors(),
		safetensors.New("adam.m", adam.M, len(adam.M)),
		safetensors.New("adam.v", adam.V, len(adam.V)))
	for i, self := range r.collector.pool.past {
		c.Tensors = append(c.Tensors, safetensors.New("past."+strconv.Itoa(i), self.params.Flat(), len(self.params.Flat())))
	}
	return checkpoint.Write(filepath.Join(r.dir, resumeFile), c)
}

// checkpoint is the network as it stands.
func (r *Run) checkpoint() *checkpoint.Checkpoint {
	c := checkpoint.New(r.info, r.learner.Params())
	c.Decisions, c.Update, c.Seed, c.CreatedBy = int64(r.decisions), int64(r.update), r.config.Seed, r.program
	return c
}

// load goes on from resume.safetensors.
func (r *Run) load() error {
	name := filepath.Join(r.dir, resumeFile)
	c, err := checkpoint.Read(name)
	if err != nil {
		if _, missing := os.Stat(name); missing != nil {
			return fmt.Errorf("%s holds no run that can be resumed: %w", r.dir, missing)
		}
		return err
	}
	if err := r.restore(c); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (r *Run) restore(c *checkpoint.Checkpoint) error {
	if err := c.Check(r.info); err != nil {
		return err
	}
	if c.Game != r.info.Text || c.Data != r.info.DataHash || c.Rules != r.info.Rules {
		return fmt.Errorf("the run is of %s (rules %d, data %s), not of %s (rules %d, data %s)",
			c.Game, c.Rules, c.Data, r.info.Text, r.info.Rules, r.info.DataHash)
	}
	if c.Texts["config"] != r.config.encode() {
		return fmt.Errorf("it was saved with another %s", ConfigFile)
	}
	var state resumeState
	if err := json.Unmarshal([]byte(c.Texts["resume"]), &state); err != nil {
		return fmt.Errorf("resume state: %w", err)
	}
	params := r.learner.Params()
	if len(c.Network.Flat()) != len(params.Flat()) {
		return fmt.Errorf("its network has %d parameters, not %d", len(c.Network.Flat()), len(params.Flat()))
	}
	copy(params.Flat(), c.Network.Flat())
	f := &safetensors.File{Tensors: c.Tensors}
	adam := AdamState{Steps: state.Adam}
	var err error
	if adam.M, err = values[float32](f, "adam.m"); err != nil {
		return err
	}
	if adam.V, err = values[float32](f, "adam.v"); err != nil {
		return err
	}
	if err := r.learner.Restore(adam); err != nil {
		return err
	}
	past, err := readPast(f, state.Collector.Past, params)
	if err != nil {
		return err
	}
	if err := r.collector.restore(state.Collector); err != nil {
		return err
	}
	r.collector.pool.past = past
	if err := r.collector.rollout.readOpen(f); err != nil {
		return err
	}
	r.shuffle, r.update, r.decisions = state.Shuffle, int(c.Update), int(c.Decisions)
	return nil
}

// readPast reads the past selves, taken after the given updates.
func readPast(f *safetensors.File, updates []int, like *neural.Params) ([]pastSelf, error) {
	var past []pastSelf
	for i, update := range updates {
		flat, err := values[float32](f, "past."+strconv.Itoa(i))
		if err != nil {
			return nil, err
		}
		params := like.Clone()
		if len(flat) != len(params.Flat()) {
			return nil, fmt.Errorf("past self %d has %d parameters, not %d", i, len(flat), len(params.Flat()))
		}
		copy(params.Flat(), flat)
		policy, err := neural.NewPolicy(params)
		if err != nil {
			return nil, err
		}
		past = append(past, pastSelf{update, params, policy})
	}
	return past, nil
}

func values[E safetensors.Number](f *safetensors.File, name string) ([]E, error) {
	t, err := f.Lookup(name)
	if err != nil {
		return nil, err
	}
	return safetensors.Values[E](t)
}

// openTensors are the open decisions, in the order in which they were made.
func (r *rollout) openTensors() []safetensors.Tensor {
	r.carry()
	n := r.n
	actions, slots := make([]int64, n), make([]int64, n)
	for i := range n {
		actions[i], slots[i] = int64(r.actions[i]), int64(r.slot[i])
	}
	return []safetensors.Tensor{
		safetensors.New("open.observations", r.observations[:n*r.inputs], n, r.inputs),
		safetensors.New("open.masks", r.masks[:n*r.words], n, r.words),
		safetensors.New("open.actions", actions, n),
		safetensors.New("open.slots", slots, n),
		safetensors.New("open.log_probs", r.logProbs[:n], n),
		safetensors.New("open.values", r.values[:n], n),
		safetensors.New("open.rewards", r.rewards[:n], n),
	}
}

func (r *rollout) readOpen(f *safetensors.File) error {
	actions, err := values[int64](f, "open.actions")
	if err != nil {
		return err
	}
	n := len(actions)
	if n > len(r.open) {
		return fmt.Errorf("%d open decisions of %d seats", n, len(r.open))
	}
	slots, err := values[int64](f, "open.slots")
	if err != nil {
		return err
	}
	masks, err := values[uint64](f, "open.masks")
	if err != nil {
		return err
	}
	if len(slots) != n || len(masks) != n*r.words {
		return fmt.Errorf("%d open decisions with %d slots and %d words of masks", n, len(slots), len(masks))
	}
	for _, t := range []struct {
		name string
		dst  []float32
	}{
		{"open.observations", r.observations[:n*r.inputs]},
		{"open.log_probs", r.logProbs[:n]},
		{"open.values", r.values[:n]},
		{"open.rewards", r.rewards[:n]},
	} {
		v, err := values[float32](f, t.name)
		if err != nil {
			return err
		}
		if len(v) != len(t.dst) {
			return fmt.Errorf("tensor %q has %d numbers, not %d", t.name, len(v), len(t.dst))
		}
		copy(t.dst, v)
	}
	copy(r.masks, masks)
	for i := range r.open {
		r.open[i] = stillOpen
	}
	for i := range n {
		slot := slots[i]
		if slot < 0 || int(slot) >= len(r.open) || r.open[slot] != stillOpen {
			return fmt.Errorf("open decision %d is of seat slot %d", i, slot)
		}
		if !r.mask(i).Has(env.Action(actions[i])) {
			return fmt.Errorf("open decision %d is action %d, which was not legal", i, actions[i])
		}
		r.actions[i], r.slot[i], r.next[i] = int32(actions[i]), int32(slot), stillOpen
		r.open[slot] = int32(i)
	}
	r.n = n
	return nil
}
