package env

import (
	"fmt"
	"runtime"
	"sync"

	"earthgym/env/internal/team"
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
//
// Observations are written when they are asked for (Observe), into memory that is at hand: rows of all lanes together
// are more than caches hold, and to write and read them there would take longer than all else.
type Vec struct {
	// One row per lane, of the position that the lane shows now:

	Masks      []uint64  // [Lanes][Info.MaskWords()]; empty once over
	Actors     []int32   // [Lanes], Over once over
	Rewards    []float32 // [Lanes][Info.Players], of the last step, for every player
	Terminated []bool    // [Lanes]: the last step ended the game by its rules
	Truncated  []bool    // [Lanes]: the last step met the caller's limit

	info    *Info
	options VecOptions
	lanes   []Lane

	team    *team.Team
	each    func(lane int)   // of the running Each
	work    func(worker int) // workOn
	step    func(lane int)   // stepLane
	actions []Action         // of the running Step

	mu     sync.Mutex
	failed int // the first lane that could not be stepped, and why
	err    error
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
	lanes, masks, err := NewLanes(g, LaneOptions{o.Options, o.Autoreset, o.Seed, 0}, o.Lanes)
	if err != nil {
		return nil, err
	}
	v := &Vec{
		Masks:      masks,
		Actors:     make([]int32, o.Lanes),
		Rewards:    make([]float32, o.Lanes*info.Players),
		Terminated: make([]bool, o.Lanes),
		Truncated:  make([]bool, o.Lanes),
		info:       info,
		options:    o,
		lanes:      lanes,
	}
	v.step, v.work = v.stepLane, v.workOn
	for i := range v.lanes {
		v.ResetLane(i)
	}
	v.team = team.New(o.Workers)
	return v, nil
}

// Close ends the workers.
func (v *Vec) Close() { v.team.Close() }

// Info is the Info of the game.
func (v *Vec) Info() *Info { return v.info }

// Lanes is the number of environments.
func (v *Vec) Lanes() int { return len(v.lanes) }

// Seed is the seed of the k-th game (from 1) of a lane.
func (v *Vec) Seed(lane int, k uint64) uint64 {
	return seeds{root: v.options.Seed, lane: uint64(lane)}.of(k)
}

// ResetLane starts a new game in one lane.
func (v *Vec) ResetLane(lane int) {
	v.lanes[lane].Begin()
	clear(v.rewards(lane))
	v.Terminated[lane], v.Truncated[lane] = false, false
	v.show(lane)
}

// Rest ends the game of one lane, in which nobody plays on, without an Episode. Until it is reset the lane does
// nothing, unless the Vec resets lanes by itself.
func (v *Vec) Rest(lane int) { v.lanes[lane].Abandon() }

// Observe writes what the acting player of a lane sees (Info.Observation numbers), or once the game is over the last
// one to act. Several lanes may be observed at once, also from Each and Parallel.
func (v *Vec) Observe(lane int, dst []float32) {
	l := &v.lanes[lane]
	p := l.env.actor
	if p == Over {
		p = l.last
	}
	l.env.state.Observe(dst, p)
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
func (v *Vec) Episode(lane int) *Episode { return v.lanes[lane].Episode() }

// ObserveFinal writes what p saw at the end of the lane's last finished game.
func (v *Vec) ObserveFinal(lane int, p Player, dst []float32) { v.lanes[lane].final.Observe(dst, p) }

// State is the true State that a lane shows, for the owner of the Vec. It must not be changed.
func (v *Vec) State(lane int) State { return v.lanes[lane].env.state }

// View points view at the decision that the lane shows. It is valid until the next step.
func (v *Vec) View(lane int, view *View) {
	view.set(v.lanes[lane].env.state, v.info, v.Mask(lane), Player(v.Actors[lane]), nil)
}

// Each calls f for every lane, spread over the workers: f may run for several lanes at once.
func (v *Vec) Each(f func(lane int)) {
	v.each = f
	v.team.Run(v.work)
	v.each = nil
}

// Workers is the number of goroutines that step.
func (v *Vec) Workers() int { return v.options.Workers }

// Parallel calls f for every worker, from 0 to Workers-1, at once, and returns when all are done.
func (v *Vec) Parallel(f func(worker int)) { v.team.Run(f) }

// workOn does the running Each for the lanes of one worker.
func (v *Vec) workOn(worker int) {
	n, workers, f := len(v.lanes), v.options.Workers, v.each
	for lane := n * worker / workers; lane < n*(worker+1)/workers; lane++ {
		f(lane)
	}
}

// Step plays one action in each lane. An illegal action is an error that names the lane, the first of
// several; such a lane is unchanged, the others have been stepped.
func (v *Vec) Step(actions []Action) error {
	if len(actions) != len(v.lanes) {
		return fmt.Errorf("%d actions for %d lanes", len(actions), len(v.lanes))
	}
	v.actions, v.err = actions, nil
	v.Each(v.step)
	v.actions = nil
	return v.err
}

func (v *Vec) stepLane(lane int) {
	l := &v.lanes[lane]
	switch l.Enter() {
	case Begins:
		v.ResetLane(lane)
		return
	case Rests:
		clear(v.rewards(lane))
		return
	}
	if err := l.Play(v.actions[lane]); err != nil {
		v.fail(lane, err)
		return
	}
	end := l.Settle()
	v.Terminated[lane], v.Truncated[lane] = end == Terminated, end == Truncated
	for p, r := range l.rewards {
		v.Rewards[lane*len(l.rewards)+p] = float32(r)
	}
	if l.Renews() {
		l.Begin()
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

// show writes the lane's rows; that of the mask is its Env's own.
func (v *Vec) show(lane int) { v.Actors[lane] = int32(v.lanes[lane].env.actor) }
