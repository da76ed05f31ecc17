package env

import (
	"fmt"
	"runtime"
	"sync"
)

// Autoreset says what becomes of a lane whose game is over.
type Autoreset uint8

const (
	// NextStep shows the end of the game; the next step ignores the lane's action and shows the start
	// of a new game, without rewards.
	NextStep Autoreset = iota
	// SameStep shows the start of the new game at once, beside the rewards of the old one.
	SameStep
	// NoReset leaves the lane as it is until ResetLane; its action is ignored.
	NoReset
)

// VecOptions say how a Vec is made.
type VecOptions struct {
	Options
	Lanes     int // environments
	Seed      uint64
	Autoreset Autoreset
	Workers   int // goroutines that step; 0 = as many as there are cores to run on
}

// Vec steps many environments together into contiguous arrays. Lane i's k-th game has a seed made of
// Seed, i and k, so that nothing depends on the number of workers. After New it allocates nothing. It
// belongs to one goroutine, which runs the workers; Close ends them.
type Vec struct {
	// One row per lane, of the position that the lane shows now:

	Observations []float32 // [Lanes][Info.Observation()], of the acting player; of the last one to act once over
	Masks        []uint64  // [Lanes][Info.MaskWords()]; empty once over
	Actors       []int32   // [Lanes], Over once over
	Rewards      []float32 // [Lanes][Info.Players], of the last step, for every player
	Terminated   []bool    // [Lanes]: the last step ended the game by its rules
	Truncated    []bool    // [Lanes]: the last step met the caller's limit

	info     *Info
	options  VecOptions
	envs     []*Env
	finals   []State // of each lane's last finished game
	episodes []Episode
	games    []uint64 // games started, by lane
	last     []Player // who acted last, by lane

	team    *team
	each    func(lane int)   // of the running Each
	work    func(worker int) // workOn
	step    func(lane int)   // stepLane
	actions []Action         // of the running Step

	mu     sync.Mutex
	failed int // the first lane that could not be stepped, and why
	err    error
}

// An Episode is how a lane's last finished game went.
type Episode struct {
	Number    uint64 // of the game in its lane, from 1; 0 = none has finished yet
	Seed      uint64
	Returns   []float64 // the rules' own, without shaping; zeros if truncated
	Scores    []float64
	Measures  []float64 // in the order of Info.Measures
	Winners   Seats
	Reason    string // "truncated" if the caller's limit ended it
	Decisions int
}

// NewVec makes a Vec and resets every lane.
func NewVec(g Game, o VecOptions) (*Vec, error) {
	if o.Lanes < 1 {
		return nil, fmt.Errorf("a Vec needs at least one lane, not %d", o.Lanes)
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = min(o.Workers, o.Lanes)
	info := g.Info()
	v := &Vec{
		Observations: make([]float32, o.Lanes*info.Observation()),
		Masks:        make([]uint64, o.Lanes*info.MaskWords()),
		Actors:       make([]int32, o.Lanes),
		Rewards:      make([]float32, o.Lanes*info.Players),
		Terminated:   make([]bool, o.Lanes),
		Truncated:    make([]bool, o.Lanes),
		info:         info,
		options:      o,
		envs:         make([]*Env, o.Lanes),
		finals:       make([]State, o.Lanes),
		episodes:     make([]Episode, o.Lanes),
		games:        make([]uint64, o.Lanes),
		last:         make([]Player, o.Lanes),
	}
	v.step, v.work = v.stepLane, v.workOn
	for i := range v.envs {
		e, err := newEnv(g, o.Options, v.Mask(i))
		if err != nil {
			return nil, err
		}
		v.envs[i], v.finals[i] = e, g.New()
		v.episodes[i].Returns = make([]float64, info.Players)
		v.episodes[i].Scores = make([]float64, info.Players)
		v.episodes[i].Measures = make([]float64, len(info.Measures))
		v.ResetLane(i)
	}
	v.team = newTeam(o.Workers)
	return v, nil
}

// Close ends the workers.
func (v *Vec) Close() { v.team.close() }

// Info is that of the game.
func (v *Vec) Info() *Info { return v.info }

// Lanes is the number of environments.
func (v *Vec) Lanes() int { return len(v.envs) }

// Seed is that of the k-th game (from 1) of a lane.
func (v *Vec) Seed(lane int, k uint64) uint64 {
	return Mix(v.options.Seed ^ Mix(uint64(lane)<<32^k))
}

// ResetLane starts a new game in one lane.
func (v *Vec) ResetLane(lane int) {
	v.games[lane]++
	v.envs[lane].Reset(v.Seed(lane, v.games[lane]))
	clear(v.rewards(lane))
	v.Terminated[lane], v.Truncated[lane] = false, false
	v.show(lane)
}

// Observation is one lane's row of Observations.
func (v *Vec) Observation(lane int) []float32 {
	n := v.info.observation
	return v.Observations[lane*n : (lane+1)*n]
}

// Mask is one lane's row of Masks.
func (v *Vec) Mask(lane int) Mask {
	n := v.info.MaskWords()
	return Mask(v.Masks[lane*n : (lane+1)*n])
}

func (v *Vec) rewards(lane int) []float32 {
	n := v.info.Players
	return v.Rewards[lane*n : (lane+1)*n]
}

// Episode is how the lane's last finished game went. It is valid until the lane finishes another.
func (v *Vec) Episode(lane int) *Episode { return &v.episodes[lane] }

// ObserveFinal writes what p saw at the end of the lane's last finished game.
func (v *Vec) ObserveFinal(lane int, p Player, dst []float32) { v.finals[lane].Observe(dst, p) }

// State is the true State that a lane shows, for the owner of the Vec. It must not be changed.
func (v *Vec) State(lane int) State { return v.envs[lane].state }

// View points view at the decision that the lane shows. It is valid until the next step.
func (v *Vec) View(lane int, view *View) {
	view.set(v.envs[lane].state, v.info, v.Mask(lane), Player(v.Actors[lane]), nil)
}

// Each calls f for every lane, spread over the workers: f may run for several lanes at once.
func (v *Vec) Each(f func(lane int)) {
	v.each = f
	v.team.run(v.work)
	v.each = nil
}

// Workers is the number of goroutines that step.
func (v *Vec) Workers() int { return v.options.Workers }

// Parallel calls f for every worker, from 0 to Workers-1, at once, and returns when all are done.
func (v *Vec) Parallel(f func(worker int)) { v.team.run(f) }

// workOn does the running Each for the lanes of one worker.
func (v *Vec) workOn(worker int) {
	n, workers, f := len(v.envs), v.options.Workers, v.each
	for lane := n * worker / workers; lane < n*(worker+1)/workers; lane++ {
		f(lane)
	}
}

// Step plays one action in each lane. An illegal action is an error that names the lane, the first of
// several; such a lane is unchanged, the others have been stepped.
func (v *Vec) Step(actions []Action) error {
	if len(actions) != len(v.envs) {
		return fmt.Errorf("%d actions for %d lanes", len(actions), len(v.envs))
	}
	v.actions, v.err = actions, nil
	v.Each(v.step)
	v.actions = nil
	return v.err
}

func (v *Vec) stepLane(lane int) {
	e := v.envs[lane]
	if v.Terminated[lane] || v.Truncated[lane] {
		switch v.options.Autoreset {
		case NextStep:
			v.ResetLane(lane)
			return
		case NoReset:
			clear(v.rewards(lane))
			return
		}
	}
	actor := e.actor
	if err := e.Step(v.actions[lane]); err != nil {
		v.fail(lane, err)
		return
	}
	v.last[lane] = actor
	rewards := v.rewards(lane)
	for p := range rewards {
		rewards[p] = float32(e.rewards[p])
	}
	over := e.actor == Over
	v.Terminated[lane], v.Truncated[lane] = over, e.truncated
	if over || e.truncated {
		v.finish(lane)
	}
	v.show(lane)
}

func (v *Vec) fail(lane int, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err == nil || lane < v.failed {
		v.failed, v.err = lane, fmt.Errorf("lane %d: %w", lane, err)
	}
}

// finish keeps all that there is to know of the game that has just ended.
func (v *Vec) finish(lane int) {
	e, ep := v.envs[lane], &v.episodes[lane]
	ep.Number, ep.Seed, ep.Decisions = v.games[lane], v.Seed(lane, v.games[lane]), e.decisions
	e.state.Returns(ep.Returns)
	e.state.Scores(ep.Scores)
	MeasuresOf(e.state, ep.Measures)
	ep.Winners, ep.Reason = e.state.Winners(), e.state.Reason()
	if e.truncated {
		ep.Reason = "truncated"
	}
	v.finals[lane].CopyFrom(e.state)
	if v.options.Autoreset == SameStep {
		v.games[lane]++
		e.Reset(v.Seed(lane, v.games[lane]))
	}
}

// show writes the lane's rows; that of the mask is its Env's own.
func (v *Vec) show(lane int) {
	e := v.envs[lane]
	v.Actors[lane] = int32(e.actor)
	p := e.actor
	if p == Over {
		p = v.last[lane]
	}
	e.state.Observe(v.Observation(lane), p)
}
