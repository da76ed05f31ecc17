package train

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/neural/safetensors"
	"earthgym/env"
)

const resumeFile = "resume.safetensors"

// resumeState is what a run needs to go on and is small. What grows with the settings (network, optimiser, past
// selves, the state of the lanes, open decisions) are tensors.
type resumeState struct {
	Collector collectorState `json:"collector"`
	Shuffle   env.Stream     `json:"shuffle"`
	Adam      uint64         `json:"adam_steps"`
}

// save writes resume.safetensors.
func (r *Run) save() error {
	lanes, err := r.collector.laneTensors()
	if err != nil {
		return fmt.Errorf("save the run: %w", err)
	}
	adam := r.learner.State()
	text, err := json.Marshal(resumeState{r.collector.state(), r.shuffle, adam.Steps})
	if err != nil {
		return fmt.Errorf("save the run: %w", err)
	}
	c := r.checkpoint()
	c.Texts = map[string]string{"config": r.config.encode(), "resume": string(text)}
	c.Tensors = slices.Concat(lanes, r.collector.rollout.openTensors(), []safetensors.Tensor{
		safetensors.New("adam.m", adam.M, len(adam.M)),
		safetensors.New("adam.v", adam.V, len(adam.V)),
	})
	if adam.Scale != nil {
		c.Tensors = append(c.Tensors, safetensors.New("adam.scale", adam.Scale, len(adam.Scale)))
	}
	for i, self := range r.collector.pool.past {
		c.Tensors = append(c.Tensors, safetensors.New("past."+strconv.Itoa(i), self.params.Flat(), len(self.params.Flat())))
	}
	return checkpoint.Write(filepath.Join(r.dir, resumeFile), c)
}

// checkpoint is the network as it stands.
func (r *Run) checkpoint() *checkpoint.Checkpoint {
	c := checkpoint.New(r.info, r.learner.Params())
	c.Decisions, c.Update, c.Seed, c.CreatedBy = int64(r.decisions), int64(r.update), uint64(r.config.Seed), r.program
	return c
}

// readSaved reads the resume.safetensors of a run and checks that it is of that config and game. The memory that
// there is bounds its size; 0 is unknown.
func readSaved(dir string, c *Config, info *env.Info, memory uint64) (*checkpoint.Checkpoint, error) {
	name, most := filepath.Join(dir, resumeFile), int64(math.MaxInt64)
	if memory > 0 && memory < math.MaxInt64 {
		most = int64(memory)
	}
	saved, err := checkpoint.ReadLarge(name, most)
	if err != nil {
		if _, missing := os.Stat(name); missing != nil {
			return nil, fmt.Errorf("%s holds no run that can be resumed: %w", dir, missing)
		}
		return nil, err
	}
	if err := checkSaved(saved, c, info); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return saved, nil
}

func checkSaved(saved *checkpoint.Checkpoint, c *Config, info *env.Info) error {
	if err := saved.Check(info); err != nil {
		return err
	}
	if saved.Game != info.Text || saved.Data != info.DataHash || saved.Rules != info.Rules {
		return fmt.Errorf("the run is of %s (rules %d, data %s), not of %s (rules %d, data %s)",
			saved.Game, saved.Rules, saved.Data, info.Text, info.Rules, info.DataHash)
	}
	before, err := decodeConfig("its config", []byte(saved.Texts["config"]))
	if err != nil {
		return err
	}
	before.Decisions = c.Decisions // which may be raised
	if before.encode() != c.encode() {
		return fmt.Errorf("it was saved with another %s", ConfigFile)
	}
	return nil
}

// restore makes the run what was saved.
func (r *Run) restore(saved *checkpoint.Checkpoint) error {
	var state resumeState
	if err := json.Unmarshal([]byte(saved.Texts["resume"]), &state); err != nil {
		return fmt.Errorf("resume state: %w", err)
	}
	params := r.learner.Params()
	if len(saved.Network.Flat()) != len(params.Flat()) {
		return fmt.Errorf("its network has %d parameters, not %d", len(saved.Network.Flat()), len(params.Flat()))
	}
	copy(params.Flat(), saved.Network.Flat())
	f := &safetensors.File{Tensors: saved.Tensors}
	adam := AdamState{Steps: state.Adam}
	var err error
	if adam.M, err = values[float32](f, "adam.m"); err != nil {
		return err
	}
	if adam.V, err = values[float32](f, "adam.v"); err != nil {
		return err
	}
	if _, err := f.Lookup("adam.scale"); err == nil {
		if adam.Scale, err = values[float32](f, "adam.scale"); err != nil {
			return err
		}
	}
	if err := r.learner.Restore(adam); err != nil {
		return err
	}
	past, err := readPast(f, state.Collector.Past, params)
	if err != nil {
		return err
	}
	if err := r.collector.restore(state.Collector, past); err != nil {
		return err
	}
	if err := r.collector.readLanes(f); err != nil {
		return err
	}
	if err := r.collector.rollout.readOpen(f); err != nil {
		return err
	}
	r.shuffle, r.update, r.decisions = state.Shuffle, int(saved.Update), int(saved.Decisions)
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

// laneTensors are where every lane stands: its game, its luck and who plays.
func (k *collector) laneTensors() ([]safetensors.Tensor, error) {
	games, err := k.vec.Snapshot()
	if err != nil {
		return nil, err
	}
	n := k.config.NumEnvs
	luck, err := streamBytes(k.luck)
	if err != nil {
		return nil, err
	}
	seating, err := streamBytes(k.seating)
	if err != nil {
		return nil, err
	}
	opponents, learners := make([]int64, n), make([]uint8, n)
	for lane := range n {
		opponents[lane], learners[lane] = int64(k.opponent[lane]), uint8(k.learners[lane])
	}
	return []safetensors.Tensor{
		safetensors.New("lanes.games", games, len(games)),
		safetensors.New("lanes.luck", luck, n, streamLen),
		safetensors.New("lanes.seating", seating, n, streamLen),
		safetensors.New("lanes.opponents", opponents, n),
		safetensors.New("lanes.learners", learners, n),
	}, nil
}

func (k *collector) readLanes(f *safetensors.File) error {
	games, err := values[uint8](f, "lanes.games")
	if err != nil {
		return err
	}
	if err := k.vec.Restore(games); err != nil {
		return err
	}
	if err := readStreams(k.luck, f, "lanes.luck"); err != nil {
		return err
	}
	if err := readStreams(k.seating, f, "lanes.seating"); err != nil {
		return err
	}
	opponents, err := values[int64](f, "lanes.opponents")
	if err != nil {
		return err
	}
	learners, err := values[uint8](f, "lanes.learners")
	if err != nil {
		return err
	}
	if n := k.config.NumEnvs; len(opponents) != n || len(learners) != n {
		return fmt.Errorf("opponents of %d lanes and learners of %d, not of %d", len(opponents), len(learners), n)
	}
	for lane, o := range opponents {
		if o < int64(noOpponent) || o >= int64(k.pool.opponents()) {
			return fmt.Errorf("lane %d: opponent %d of %d", lane, o, k.pool.opponents())
		}
		k.opponent[lane], k.learners[lane] = int32(o), env.Seats(learners[lane])
	}
	return nil
}

// streamLen is the number of bytes of a saved stream.
const streamLen = 16

func streamBytes(streams []env.Stream) ([]uint8, error) {
	b := make([]uint8, 0, len(streams)*streamLen)
	for _, s := range streams {
		text, err := s.MarshalText()
		if err != nil {
			return nil, err
		}
		if b, err = hex.AppendDecode(b, text); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func readStreams(dst []env.Stream, f *safetensors.File, name string) error {
	b, err := values[uint8](f, name)
	if err != nil {
		return err
	}
	if len(b) != len(dst)*streamLen {
		return fmt.Errorf("tensor %q has %d bytes, not %d", name, len(b), len(dst)*streamLen)
	}
	for i := range dst {
		if err := dst[i].UnmarshalText(hex.AppendEncode(nil, b[i*streamLen:][:streamLen])); err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
	}
	return nil
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
		r.open[i] = noDecision
	}
	for i := range n {
		slot := slots[i]
		if slot < 0 || int(slot) >= len(r.open) || r.open[slot] != noDecision {
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
