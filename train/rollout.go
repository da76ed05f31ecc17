package train

import (
	"math"

	"earthgym/env"
)

// A rollout holds the decisions of the learning network, in the order in which they were made. Each
// points at the same seat's next decision; the last of a running game stays open until that is known,
// and is carried over into the next rollout.
type rollout struct {
	inputs, words, players int

	n            int
	observations []float32 // [n][inputs]
	masks        []uint64  // [n][words]
	actions      []int32
	logProbs     []float32
	values       []float32 // the network's, when it decided
	rewards      []float32 // of the seat, up to its next decision
	next         []int32   // the seat's next decision, or one of the below
	slot         []int32   // lane*players + seat

	open []int32 // by slot: its open decision, or -1

	advantages []float32
	returns    []float32
}

const (
	stillOpen int32 = -1
	lastOne   int32 = -2 // the game is over
)

// rolloutCapacity is the number of decisions that a rollout may hold: one for each step of each lane, and the
// open ones of every seat.
func rolloutCapacity(info *env.Info, c *Config) int { return c.NumEnvs * (c.NumSteps + info.Players) }

func newRollout(info *env.Info, c *Config) *rollout {
	capacity, lanes := rolloutCapacity(info, c), c.NumEnvs
	r := &rollout{
		inputs: info.Observation(), words: info.MaskWords(), players: info.Players,
		observations: make([]float32, capacity*info.Observation()),
		masks:        make([]uint64, capacity*info.MaskWords()),
		actions:      make([]int32, capacity),
		logProbs:     make([]float32, capacity),
		values:       make([]float32, capacity),
		rewards:      make([]float32, capacity),
		next:         make([]int32, capacity),
		slot:         make([]int32, capacity),
		open:         make([]int32, lanes*info.Players),
		advantages:   make([]float32, capacity),
		returns:      make([]float32, capacity),
	}
	for i := range r.open {
		r.open[i] = stillOpen
	}
	return r
}

// observation is the row of decision i.
func (r *rollout) observation(i int) []float32 {
	return r.observations[i*r.inputs : (i+1)*r.inputs]
}

func (r *rollout) mask(i int) env.Mask { return r.masks[i*r.words : (i+1)*r.words] }

// add appends a decision of a lane's seat and gives its place. The caller fills in the rest.
func (r *rollout) add(lane, seat int, observation []float32, mask env.Mask) int {
	i := r.n
	r.n++
	copy(r.observation(i), observation)
	copy(r.mask(i), mask)
	slot := lane*r.players + seat
	if before := r.open[slot]; before >= 0 {
		r.next[before] = int32(i)
	}
	r.open[slot], r.slot[i], r.next[i], r.rewards[i] = int32(i), int32(slot), stillOpen, 0
	return i
}

// reward adds what every seat of a lane got in one step.
func (r *rollout) reward(lane int, rewards []float32, over bool) {
	for seat, x := range rewards {
		slot := lane*r.players + seat
		i := r.open[slot]
		if i < 0 {
			continue
		}
		r.rewards[i] += x
		if over {
			r.next[i], r.open[slot] = lastOne, stillOpen
		}
	}
}

// finish computes advantages and returns by generalised advantage estimation over each seat's own
// decisions. It gives the decisions that can be learnt from: all but the open ones.
func (r *rollout) finish(gamma, lambda float64, dst []int32) []int32 {
	for i := r.n - 1; i >= 0; i-- {
		next := r.next[i]
		delta, after := float64(r.rewards[i]-r.values[i]), 0.0
		switch {
		case next == stillOpen:
			// Its value stands for what it will bring.
			r.advantages[i] = 0
			continue
		case next >= 0:
			delta += gamma * float64(r.values[next])
			after = float64(r.advantages[next])
		}
		r.advantages[i] = float32(delta + gamma*lambda*after)
		r.returns[i] = r.advantages[i] + r.values[i]
	}
	for i := range r.n {
		if r.next[i] != stillOpen {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// normalise shifts and scales the advantages of the given decisions to mean 0 and deviation 1.
func (r *rollout) normalise(decisions []int32) {
	var sum, squares float64
	for _, i := range decisions {
		sum += float64(r.advantages[i])
	}
	mean := sum / float64(len(decisions))
	for _, i := range decisions {
		d := float64(r.advantages[i]) - mean
		squares += d * d
	}
	scale := 1 / (math.Sqrt(squares/float64(len(decisions))) + 1e-8)
	for _, i := range decisions {
		r.advantages[i] = float32((float64(r.advantages[i]) - mean) * scale)
	}
}

// explained is the share of the variance of the returns that the values explain.
func (r *rollout) explained(decisions []int32) float64 {
	var n, sum, squares, left float64
	for _, i := range decisions {
		x, e := float64(r.returns[i]), float64(r.returns[i]-r.values[i])
		n++
		sum += x
		squares += x * x
		left += e * e
	}
	variance := squares/n - sum*sum/n/n
	if variance <= 0 {
		return 0
	}
	return 1 - left/n/variance
}

// carry drops all but the open decisions, which move to the front.
func (r *rollout) carry() {
	kept := 0
	for i := range r.n {
		if r.next[i] != stillOpen {
			continue
		}
		if kept != i {
			copy(r.observation(kept), r.observation(i))
			copy(r.mask(kept), r.mask(i))
			r.actions[kept], r.logProbs[kept], r.values[kept] = r.actions[i], r.logProbs[i], r.values[i]
			r.rewards[kept], r.slot[kept], r.next[kept] = r.rewards[i], r.slot[i], stillOpen
		}
		r.open[r.slot[kept]] = int32(kept)
		kept++
	}
	r.n = kept
}
