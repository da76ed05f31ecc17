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

func (r *Run) restore(saved *checkpoint.Checkpoint) error {
	var state resumeState
	if err := decode.JSON([]byte(saved.Texts["resume"]), &state); err != nil {
		return fmt.Errorf("resume state: %w", err)
	}
	params := r.learner.Params().Flat()
	if n := len(saved.Network.Flat()); n != len(params) {
		return fmt.Errorf("its network has %d parameters, not %d", n, len(params))
	}
	copy(params, saved.Network.Flat())
	f := &savedTensors{File: safetensors.File{Tensors: saved.Tensors}}
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
	if f.has("reference") {
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
func restoreAdam(l *Learner, f *savedTensors, name string, steps uint64) error {
	s := AdamState{Steps: steps, M: take[float32](f, name+".m", anyNumber), V: take[float32](f, name+".v", anyNumber)}
	if f.has(name + ".scale") {
		s.Scale = take[float32](f, name+".scale", anyNumber)
	}
	if f.err != nil {
		return f.err
	}
	return l.Restore(s)
}

// readReference reads what the policy stays near.
func (r *Run) readReference(f *savedTensors) error {
	params := r.learner.Params().Clone()
	copy(params.Flat(), take[float32](f, "reference", len(params.Flat())))
	if f.err != nil {
		return f.err
	}
	var err error
	r.reference, err = newReference(params, len(r.collector.workers))
	return err
}

// readPast reads the past selves, taken after the given updates.
func readPast(f *savedTensors, updates []int, like *neural.Params) ([]pastSelf, error) {
	var past []pastSelf
	for i, update := range updates {
		params := like.Clone()
		copy(params.Flat(), take[float32](f, "past."+strconv.Itoa(i), len(params.Flat())))
		if f.err != nil {
			return nil, f.err
		}
		policy, err := neural.NewPolicy(params)
		if err != nil {
			return nil, err
		}
		past = append(past, pastSelf{update, params, policy})
	}
	return past, nil
}

// savedTensors are what a run was saved as. After the first error nothing more is taken.
type savedTensors struct {
	safetensors.File
	err error
}

func (f *savedTensors) has(name string) bool {
	_, err := f.Lookup(name)
	return err == nil
}

// anyNumber takes a tensor of any size.
const anyNumber = -1

// take gives the n numbers of a tensor; there are none after an error.
func take[E safetensors.Number](f *savedTensors, name string, n int) []E {
	if f.err != nil {
		return nil
	}
	t, err := f.Lookup(name)
	var numbers []E
	if err == nil {
		numbers, err = safetensors.Values[E](t)
	}
	if err == nil && n != anyNumber && len(numbers) != n {
		err = fmt.Errorf("tensor %q has %d numbers, not %d", name, len(numbers), n)
	}
	if f.err = err; err != nil {
		return nil
	}
	return numbers
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

func (k *collector) readLanes(f *savedTensors) error {
	for i, t := range k.tables {
		if games := take[uint8](f, "lanes.games."+strconv.Itoa(i), anyNumber); f.err == nil {
			f.err = t.Restore(games)
		}
	}
	readStreams(k.luck, f, "lanes.luck")
	readStreams(k.seating, f, "lanes.seating")
	for _, t := range k.places() {
		for i, x := range take[int64](f, t.name, len(t.places)) {
			if x < int64(t.low) || x >= int64(t.high) {
				return fmt.Errorf("tensor %q: %d at place %d, not %d to %d", t.name, x, i, t.low, t.high-1)
			}
			t.places[i] = int32(x)
		}
	}
	if f.err != nil {
		return f.err
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

func readStreams(dst []env.Stream, f *savedTensors, name string) {
	b := take[uint8](f, name, len(dst)*streamLen)
	for i := 0; i < len(dst) && f.err == nil; i++ {
		if err := dst[i].UnmarshalText(hex.AppendEncode(nil, b[i*streamLen:][:streamLen])); err != nil {
			f.err = fmt.Errorf("tensor %q: %w", name, err)
		}
	}
}

// openTensors are the open decisions, in the order in which they were made.
func (r *rollout) openTensors() []safetensors.Tensor {
	r.carry()
	n := r.n
	actions, slots, agrees := make([]int64, n), make([]int64, n), make([]uint8, n)
	observations := make([]float32, n*r.inputs)
	r.observations.writeAll(observations, n)
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

func (r *rollout) readOpen(f *savedTensors) error {
	actions := take[int64](f, "open.actions", anyNumber)
	n := len(actions)
	if n > len(r.open) {
		return fmt.Errorf("%d open decisions of %d seats", n, len(r.open))
	}
	slots, agrees := take[int64](f, "open.slots", n), take[uint8](f, "open.agrees", n)
	observations := take[float32](f, "open.observations", n*r.inputs)
	copy(r.masks, take[uint64](f, "open.masks", n*r.words))
	copy(r.logProbs, take[float32](f, "open.log_probs", n))
	copy(r.values, take[float32](f, "open.values", n*r.seats))
	copy(r.rewards, take[float32](f, "open.rewards", n*r.seats))
	if f.err != nil {
		return f.err
	}
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
