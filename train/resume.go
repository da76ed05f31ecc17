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
	"strings"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/agents/neural/safetensors"
	"earthgym/env"
	"earthgym/env/decode"
)

const resumeFile = "resume.safetensors"

// resumeState is what a run needs to go on and is small. What grows with the settings (network, optimiser, past
// selves, the state of the lanes, open decisions) are tensors.
type resumeState struct {
	Collector collectorState `json:"collector"`
	Shuffle   env.Stream     `json:"shuffle"`
	Adam      uint64         `json:"adam_steps"`
	Phase     phase          `json:"phase"`
	Parent    string         `json:"parent,omitempty"`
	Cloned    int            `json:"cloned"`
	Rounds    int            `json:"rounds"`
	Spent     float64        `json:"spent"`
	ClonedIn  float64        `json:"cloned_in"`
	Best      best           `json:"best"`
	Library   *libraryState  `json:"library,omitempty"`
}

// save writes resume.safetensors.
func (r *Run) save() error {
	state, tensors, err := r.saved()
	if err != nil {
		return fmt.Errorf("save the run: %w", err)
	}
	text, err := json.Marshal(state)
	if err != nil {
		return fmt.Errorf("save the run: %w", err)
	}
	c := r.checkpoint()
	c.Texts = map[string]string{"config": r.config.Text(), "resume": string(text)}
	c.Tensors = tensors
	return checkpoint.Write(filepath.Join(r.dir, resumeFile), c)
}

// saved is all that the run needs to go on but its network and how far it has come: what is small, and tensors.
func (r *Run) saved() (resumeState, []safetensors.Tensor, error) {
	tensors, err := r.collector.laneTensors()
	if err != nil {
		return resumeState{}, nil, err
	}
	adam := r.learner.State()
	tensors = slices.Concat(tensors, r.collector.rollout.openTensors(), adam.tensors("adam"))
	state := resumeState{
		Collector: r.collector.state(), Shuffle: r.shuffle, Adam: adam.Steps,
		Phase: r.phase, Parent: r.parent, Cloned: r.cloned, Rounds: r.rounds, Spent: r.spent, ClonedIn: r.clonedIn,
		Best: r.best,
	}
	if r.library != nil {
		state.Library = &r.library.libraryState
	}
	if f := r.reference; f != nil {
		tensors = append(tensors, safetensors.New("reference", f.params.Flat(), len(f.params.Flat())))
	}
	for i, self := range r.collector.pool.past {
		tensors = append(tensors, safetensors.New("past."+strconv.Itoa(i), self.params.Flat(), len(self.params.Flat())))
	}
	return state, tensors, nil
}

// checkpoint is the network as it stands. Its card leaves out what differs when a run is repeated.
func (r *Run) checkpoint() *checkpoint.Checkpoint {
	c := checkpoint.New(r.info, r.learner.Params())
	c.Decisions, c.Update, c.Seed, c.CreatedBy = int64(r.cloned+r.decisions), int64(r.update), uint64(r.config.Seed),
		r.program
	config := r.config
	if config.From != "" {
		// A card goes where its maker's folders mean nothing; the parent's hash says which it was.
		config.From = filepath.Base(config.From)
	}
	c.Card = &checkpoint.Card{Config: config.Text(), Parent: r.parent}
	if r.cloned > 0 {
		c.Card.Teachers = r.config.Clone
	}
	if r.phase == leaguePlay {
		c.Card.Opponents = r.config.Opponents
	}
	return c
}

// readSaved reads the resume.safetensors of a run and checks that it is of that config and game. The memory that
// there is bounds its size; 0 is unknown.
func readSaved(dir string, c *Config, games []env.Game, memory uint64) (*checkpoint.Checkpoint, error) {
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
	if err := checkSaved(saved, c, games); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return saved, nil
}

func checkSaved(saved *checkpoint.Checkpoint, c *Config, games []env.Game) error {
	info := games[0].Info()
	if err := saved.Check(info); err != nil {
		return err
	}
	if saved.Game != info.Text || saved.Rules != info.Rules {
		return fmt.Errorf("the run is of %s (rules %d), not of %s (rules %d)", saved.Game, saved.Rules, info.Text, info.Rules)
	}
	if err := saved.CheckData(info); err != nil {
		return err
	}
	for i, g := range games {
		if i >= len(c.Games) || c.Games[i] != g.Info().Text {
			return fmt.Errorf("the run is of %s, not of %s", strings.Join(c.Games, " and "), g.Info().Text)
		}
	}
	before, err := decodeConfig("its config", []byte(saved.Texts["config"]))
	if err != nil {
		return err
	}
	before.Decisions, before.Minutes = c.Decisions, c.Minutes // which may be raised
	if before.Text() != c.Text() {
		return fmt.Errorf("it was saved with another %s", ConfigFile)
	}
	return nil
}

// restore makes the run what was saved.
func (r *Run) restore(saved *checkpoint.Checkpoint) error {
	var state resumeState
	if err := decode.JSON([]byte(saved.Texts["resume"]), &state); err != nil {
		return fmt.Errorf("resume state: %w", err)
	}
	if err := fill(r.learner.Params(), saved.Network.Flat(), "its network"); err != nil {
		return err
	}
	f := &safetensors.File{Tensors: saved.Tensors}
	if err := restoreAdam(r.learner, f, "adam", state.Adam); err != nil {
		return err
	}
	past, err := readPast(f, state.Collector.Past, r.learner.Params())
	if err != nil {
		return err
	}
	if err := r.collector.restore(state.Collector, past); err != nil {
		return err
	}
	if _, err := f.Lookup("reference"); err == nil {
		if err := r.readReference(f); err != nil {
			return err
		}
	}
	if r.library != nil {
		if err := r.library.restore(state.Library); err != nil {
			return err
		}
	}
	if state.Phase > leaguePlay {
		return fmt.Errorf("there is no phase %d", state.Phase)
	}
	r.update, r.decisions = int(saved.Update), int(saved.Decisions)-state.Cloned
	r.phase, r.collector.phase, r.parent = state.Phase, state.Phase, state.Parent
	r.cloned, r.rounds, r.spent, r.clonedIn, r.best = state.Cloned, state.Rounds, state.Spent, state.ClonedIn, state.Best
	if r.best.Update > 0 { // The end of the run would need it.
		if _, err := checkpoint.Read(filepath.Join(r.dir, checkpoint.Best)); err != nil {
			return fmt.Errorf("its best network: %w", err)
		}
	}
	if err := r.collector.readLanes(f); err != nil {
		return err
	}
	if err := r.collector.rollout.readOpen(f); err != nil {
		return err
	}
	r.shuffle = state.Shuffle
	return nil
}

// tensors are what there is to save of an optimiser but its number of steps.
func (s AdamState) tensors(name string) []safetensors.Tensor {
	tensors := []safetensors.Tensor{safetensors.New(name+".m", s.M, len(s.M)), safetensors.New(name+".v", s.V, len(s.V))}
	if s.Scale != nil {
		tensors = append(tensors, safetensors.New(name+".scale", s.Scale, len(s.Scale)))
	}
	return tensors
}

// restoreAdam makes a learner's optimiser what was saved of it.
func restoreAdam(l *Learner, f *safetensors.File, name string, steps uint64) error {
	s := AdamState{Steps: steps}
	var err error
	if s.M, err = values[float32](f, name+".m"); err != nil {
		return err
	}
	if s.V, err = values[float32](f, name+".v"); err != nil {
		return err
	}
	if _, err := f.Lookup(name + ".scale"); err == nil {
		if s.Scale, err = values[float32](f, name+".scale"); err != nil {
			return err
		}
	}
	return l.Restore(s)
}

// readReference reads what the policy stays near.
func (r *Run) readReference(f *safetensors.File) error {
	flat, err := values[float32](f, "reference")
	if err != nil {
		return err
	}
	params := r.learner.Params().Clone()
	if err := fill(params, flat, "its reference"); err != nil {
		return err
	}
	r.reference, err = newReference(params, len(r.collector.workers))
	return err
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
		if err := fill(params, flat, fmt.Sprintf("past self %d", i)); err != nil {
			return nil, err
		}
		policy, err := neural.NewPolicy(params)
		if err != nil {
			return nil, err
		}
		past = append(past, pastSelf{update, params, policy})
	}
	return past, nil
}

// fill sets the parameters of what, which are to be as many.
func fill(params *neural.Params, flat []float32, what string) error {
	if len(flat) != len(params.Flat()) {
		return fmt.Errorf("%s has %d parameters, not %d", what, len(flat), len(params.Flat()))
	}
	copy(params.Flat(), flat)
	return nil
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
	var tensors []safetensors.Tensor
	for i, t := range k.tables {
		games, err := t.Snapshot()
		if err != nil {
			return nil, err
		}
		tensors = append(tensors, safetensors.New("lanes.games."+strconv.Itoa(i), games, len(games)))
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
	tensors = append(tensors,
		safetensors.New("lanes.luck", luck, n, streamLen),
		safetensors.New("lanes.seating", seating, n, streamLen))
	for _, t := range k.places() {
		wide := make([]int64, len(t.places))
		for i, x := range t.places {
			wide[i] = int64(x)
		}
		tensors = append(tensors, safetensors.New(t.name, wide, len(wide)))
	}
	return tensors, nil
}

// A placeTensor is who or what is where, as a number from low to below high.
type placeTensor struct {
	name      string
	places    []int32
	low, high int
}

func (k *collector) places() []placeTensor {
	members := k.pool.members()
	return []placeTensor{
		{"lanes.variants", k.variant, 0, len(k.tables)},
		{"lanes.opponents", k.opponent, int(mixed), members},
		{"lanes.teachers", k.teacher, 0, max(1, len(k.pool.fixed))},
		{"lanes.drivers", k.driver, int(network), members},
	}
}

func (k *collector) readLanes(f *safetensors.File) error {
	for i, t := range k.tables {
		games, err := values[uint8](f, "lanes.games."+strconv.Itoa(i))
		if err != nil {
			return err
		}
		if err := t.Restore(games); err != nil {
			return err
		}
	}
	if err := readStreams(k.luck, f, "lanes.luck"); err != nil {
		return err
	}
	if err := readStreams(k.seating, f, "lanes.seating"); err != nil {
		return err
	}
	for _, t := range k.places() {
		wide, err := values[int64](f, t.name)
		if err != nil {
			return err
		}
		if len(wide) != len(t.places) {
			return fmt.Errorf("tensor %q has %d places, not %d", t.name, len(wide), len(t.places))
		}
		for i, x := range wide {
			if x < int64(t.low) || x >= int64(t.high) {
				return fmt.Errorf("tensor %q: %d at place %d, not %d to %d", t.name, x, i, t.low, t.high-1)
			}
			t.places[i] = int32(x)
		}
	}
	for lane, v := range k.variant {
		for i, t := range k.tables {
			if i != int(v) {
				t.Rest(lane)
			}
		}
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
	actions, slots, agrees := make([]int64, n), make([]int64, n), make([]uint8, n)
	observations := make([]float32, n*r.inputs)
	r.observations.writeAll(observations, 0, n)
	for i := range n {
		actions[i], slots[i] = int64(r.actions[i]), int64(r.slot[i])
		if r.agrees[i] {
			agrees[i] = 1
		}
	}
	return []safetensors.Tensor{
		safetensors.New("open.observations", observations, n, r.inputs),
		safetensors.New("open.masks", r.masks[:n*r.words], n, r.words),
		safetensors.New("open.actions", actions, n),
		safetensors.New("open.slots", slots, n),
		safetensors.New("open.agrees", agrees, n),
		safetensors.New("open.log_probs", r.logProbs[:n], n),
		safetensors.New("open.values", r.values[:n*r.seats], n, r.seats),
		safetensors.New("open.rewards", r.rewards[:n*r.seats], n, r.seats),
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
	agrees, err := values[uint8](f, "open.agrees")
	if err != nil {
		return err
	}
	if len(slots) != n || len(agrees) != n || len(masks) != n*r.words {
		return fmt.Errorf("%d open decisions with %d slots, %d words of masks and %d said to agree", n, len(slots),
			len(masks), len(agrees))
	}
	observations := make([]float32, n*r.inputs)
	for _, t := range []struct {
		name string
		dst  []float32
	}{
		{"open.observations", observations},
		{"open.log_probs", r.logProbs[:n]},
		{"open.values", r.values[:n*r.seats]},
		{"open.rewards", r.rewards[:n*r.seats]},
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
	r.forget()
	var rows gemm.Sparse
	rows.Begin(r.inputs)
	for i := range n {
		marks, numbers := rows.Add(gemm.Kernels{}, observations[i*r.inputs:][:r.inputs])
		r.observations.put(0, i, marks, numbers)
		slot := slots[i]
		if slot < 0 || int(slot) >= len(r.open) || r.open[slot] != noDecision {
			return fmt.Errorf("open decision %d is of seat slot %d", i, slot)
		}
		if !r.mask(i).Has(env.Action(actions[i])) {
			return fmt.Errorf("open decision %d is action %d, which was not legal", i, actions[i])
		}
		r.actions[i], r.slot[i], r.next[i], r.agrees[i] = int32(actions[i]), int32(slot), stillOpen, agrees[i] != 0
		r.open[slot] = int32(i)
	}
	r.n = n
	return nil
}
