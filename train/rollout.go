package train

import (
	"slices"

	"earthgym/env"
)

// A rollout holds the decisions of the learning network, in the order in which they were made. Each
// points at the same seat's next decision; the last of a running game stays open until that is known,
// and is carried over into the next rollout. Where all win together, the seats of a game decide as one,
// and the next decision is that of whichever seat is asked next: what others of the network do well or
// badly before the own seat's next turn is so laid to them.
type rollout struct {
	inputs, words, players int
	together               bool // the seats of a game decide as one
	seats                  int  // that the network gives a value for, the deciding one first and the others clockwise

	n            int
	observations rows     // [n][inputs]
	masks        []uint64 // [n][words]
	actions      []int32
	logProbs     []float32
	agrees       []bool    // when cloning: the action is what the network thought likeliest
	values       []float32 // the network's, when it decided [n][seats]
	rewards      []float32 // of each seat, up to the deciding one's next decision [n][seats]
	next         []int32   // the seat's next decision, or stillOpen or lastOne
	slot         []int32   // of who decides

	open []int32 // by slot: the seat's open decision, or noDecision

	advantages []float32
	returns    []float32 // [n][seats]
}

// What stands in next in place of a decision.
const (
	stillOpen int32 = -1 // it is not known yet
	lastOne   int32 = -2 // the game is over
)

// noDecision stands in open for a seat that has decided nothing in its game yet.
const noDecision int32 = -1

// rolloutCapacity is the number of decisions that a rollout may hold: one for each step of each lane, and the
// open ones of every seat.
func rolloutCapacity(players int, c *Config) int { return c.NumEnvs * (c.NumSteps + players) }

// newRollout makes a rollout for games of at most so many players, which so many workers fill.
func newRollout(info *env.Info, together bool, players, workers int, c *Config) *rollout {
	capacity, lanes := rolloutCapacity(players, c), c.NumEnvs
	r := &rollout{
		inputs: info.Observation(), words: info.MaskWords(), players: players, together: together,
		seats:        c.network(info).Values,
		observations: newRows(capacity, info.Observation(), workers),
		masks:        make([]uint64, capacity*info.MaskWords()),
		actions:      make([]int32, capacity),
		logProbs:     make([]float32, capacity),
		agrees:       make([]bool, capacity),
		next:         make([]int32, capacity),
		slot:         make([]int32, capacity),
		open:         make([]int32, lanes*players),
		advantages:   make([]float32, capacity),
	}
	r.values, r.rewards, r.returns = make([]float32, capacity*r.seats), make([]float32, capacity*r.seats),
		make([]float32, capacity*r.seats)
	r.forget()
	return r
}

func (r *rollout) forget() {
	r.n = 0
	r.observations.forget()
	for i := range r.open {
		r.open[i] = noDecision
	}
}

// of is the part of decision i of values, rewards or returns: those of the seats.
func (r *rollout) of(numbers []float32, i int) []float32 { return numbers[i*r.seats : (i+1)*r.seats] }

func (r *rollout) mask(i int) env.Mask { return r.masks[i*r.words : (i+1)*r.words] }

// slotOf is the place in open of a lane's seat.
func (r *rollout) slotOf(lane, seat int) int {
	if r.together {
		seat = 0
	}
	return lane*r.players + seat
}

// add appends a decision of a lane's seat and returns its place. The caller fills in the rest.
func (r *rollout) add(lane, seat int, mask env.Mask) int {
	i := r.n
	r.n++
	copy(r.mask(i), mask)
	slot := r.slotOf(lane, seat)
	if before := r.open[slot]; before != noDecision {
		r.next[before] = int32(i)
	}
	r.open[slot], r.slot[i], r.next[i], r.agrees[i] = int32(i), int32(slot), stillOpen, false
	clear(r.of(r.rewards, i))
	return i
}

// reward adds what every seat of a lane got in one step.
func (r *rollout) reward(lane int, rewards []float32, over bool) {
	seats := len(rewards)
	if r.together {
		seats = 1 // all get the same
	}
	for seat := range seats {
		slot := r.slotOf(lane, seat)
		i := r.open[slot]
		if i == noDecision {
			continue
		}
		for k := range min(r.seats, len(rewards)) {
			r.rewards[int(i)*r.seats+k] += rewards[(seat+k)%len(rewards)]
		}
		if over {
			r.next[i], r.open[slot] = lastOne, noDecision
		}
	}
}

// carry drops all but the open decisions, which move to the front.
func (r *rollout) carry() {
	kept := 0
	for i := range r.n {
		if r.next[i] != stillOpen {
			continue
		}
		r.observations.keep(kept, i)
		if kept != i {
			copy(r.mask(kept), r.mask(i))
			r.actions[kept], r.logProbs[kept], r.agrees[kept] = r.actions[i], r.logProbs[i], r.agrees[i]
			copy(r.of(r.values, kept), r.of(r.values, i))
			copy(r.of(r.rewards, kept), r.of(r.rewards, i))
			r.slot[kept], r.next[kept] = r.slot[i], stillOpen
		}
		r.open[r.slot[kept]] = int32(kept)
		kept++
	}
	r.observations.kept()
	r.n = kept
}

// resized is a slice of n elements, in the memory of s if that is enough. What they are doesn't matter.
func resized[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

// share is the part of n things that falls to one of several workers, or to one of several batches.
func share(n, one, of int) (from, to int) { return n * one / of, n * (one + 1) / of }
