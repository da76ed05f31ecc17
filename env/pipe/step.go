package pipe

import (
	"encoding/binary"
	"fmt"
	"runtime/debug"

	"earthgym/env"
)

// each calls f for the lanes from:to of each worker, all at a time, and gives what has become of the first lane
// whose agent has failed.
func (b *batch) each(f func(w *worker, from, to int)) error {
	for i := range b.lanes {
		b.lanes[i].failed = nil
	}
	n := len(b.lanes)
	share := func(k int) {
		if k >= len(b.workers) {
			return // The team is for larger batches too.
		}
		defer func() {
			if what := recover(); what != nil {
				b.workers[k].fault = &fault{what, debug.Stack()}
			}
		}()
		f(&b.workers[k], n*k/len(b.workers), n*(k+1)/len(b.workers))
	}
	if len(b.workers) == 1 {
		share(0)
	} else {
		b.team.Run(share)
	}
	for k := range b.workers {
		if f := b.workers[k].fault; f != nil {
			panic(*f) // where the session can deal with it
		}
	}
	for i := range b.lanes {
		if err := b.lanes[i].failed; err != nil {
			return inLane(i, AgentFailed, err)
		}
	}
	return nil
}

// fault is a panic in a worker's share.
type fault struct {
	what  any
	stack []byte
}

func (f fault) String() string { return fmt.Sprint(f.what) }

// reset starts new games in some lanes, all if which is nil: each lane's next one, or those of the seeds,
// which begin the lanes' sequences anew.
func (b *batch) reset(which []int64, seeds []uint64) error {
	n, err := b.choose(which)
	if err != nil {
		return err
	}
	if seeds != nil && len(seeds) != n {
		return errorf(WrongLength, "%d seeds for %d lanes", len(seeds), n)
	}
	return b.each(func(w *worker, from, to int) {
		w.fresh = w.fresh[:0]
		for i := from; i < to; i++ {
			if b.named[i] == 0 {
				continue
			}
			l := &b.lanes[i]
			if seeds != nil {
				l.Reseed(seeds[b.named[i]-1])
			}
			b.end[i] = running
			clear(b.row(b.reward, i))
			w.fresh = append(w.fresh, i)
		}
		b.begin(w)
		for i := from; i < to; i++ {
			if b.named[i] > 0 {
				b.show(i)
			}
		}
	})
}

// fruitless is how many games may end before the client's seat has decided anything.
const fruitless = 1000

// begin starts the next game in the worker's fresh lanes and plays to the client's first decision in it.
func (b *batch) begin(w *worker) {
	for range fruitless {
		if len(w.fresh) == 0 {
			return
		}
		for _, i := range w.fresh {
			b.deal(&b.lanes[i])
		}
		b.play(w, w.fresh)
		again := w.fresh[:0]
		for _, i := range w.fresh {
			switch l := &b.lanes[i]; {
			case l.failed != nil:
				l.Abandon()
			case l.Env().Terminated() || l.Env().Truncated():
				again = append(again, i)
			}
		}
		w.fresh = again
	}
	for _, i := range w.fresh {
		l := &b.lanes[i]
		l.Abandon()
		l.failed = fmt.Errorf("%d games in a row were over before seat %d had decided anything", fruitless, b.seat)
	}
}

// deal sets up a lane's next game.
func (b *batch) deal(l *lane) {
	l.Begin()
	l.resetAgents()
	l.running = history{whole: true, log: l.running.log[:0]}
}

func (l *lane) resetAgents() {
	for p, a := range l.agents {
		if a != nil {
			a.Reset(env.SeatSeed(l.Seed(), env.Player(p)))
		}
	}
}

func (b *batch) apply(l *lane, a env.Action) error {
	if err := l.Play(a); err != nil {
		return err
	}
	if b.keep {
		l.running.log = append(l.running.log, int32(a))
	}
	return nil
}

// step plays one action in each lane, or in those that which names; the others stay as they are. If one of them
// is illegal, and that does not lose a game here, nothing is stepped.
func (b *batch) step(which []int64, payload []byte) error {
	n, err := b.choose(which)
	if err != nil {
		return err
	}
	if len(payload) != 4*n {
		return errorf(WrongLength, "the actions take %d bytes, not %d: int32, one for each of %d lanes", 4*n, len(payload), n)
	}
	action := func(i int) env.Action {
		return env.Action(int32(binary.LittleEndian.Uint32(payload[4*(b.named[i]-1):])))
	}
	if !b.forfeit {
		for i := range b.lanes {
			if l := &b.lanes[i]; b.named[i] > 0 && !l.Over() && !l.Env().Mask().Has(action(i)) {
				return inLane(i, IllegalAction, l.Play(action(i))) // which says why and changes nothing
			}
		}
	}
	return b.each(func(w *worker, from, to int) {
		w.moved, w.fresh, w.late = w.moved[:0], w.fresh[:0], w.late[:0]
		for i := from; i < to; i++ {
			switch {
			case b.named[i] == 0:
			case b.move(w, i, action(i)):
				b.show(i) // while the lane is at hand
			default:
				w.late = append(w.late, i)
			}
		}
		b.play(w, w.moved)
		for _, i := range w.moved {
			b.settle(w, i)
		}
		b.begin(w)
		for _, i := range w.late {
			b.show(i)
		}
	})
}

// move plays the client's action in a lane and says whether that is all; if not, the lane is among the moved or
// the fresh ones.
func (b *batch) move(w *worker, i int, a env.Action) (done bool) {
	l := &b.lanes[i]
	b.end[i] = running
	entry := l.Enter()
	if entry != env.Plays {
		b.putRewards(i)
		if entry == env.Begins {
			w.fresh = append(w.fresh, i)
		}
		return entry == env.Rests
	}
	l.running.steps++
	if b.forfeit && !l.Env().Mask().Has(a) {
		l.Forfeit()
		return b.settle(w, i)
	}
	l.Decide(a, nil, 0)
	if agent, _ := w.engine.Advance(l); agent != nil {
		w.moved = append(w.moved, i)
		return false
	}
	return b.settle(w, i)
}

// settle writes what has come of a lane's step. If the game is over it is kept, and a new one may begin: then
// the lane is not done but among the fresh ones.
func (b *batch) settle(w *worker, i int) (done bool) {
	l := &b.lanes[i]
	b.putRewards(i)
	var end env.End
	if l.failed != nil {
		end = l.Break("agent failed")
	} else {
		end = l.Settle()
	}
	b.end[i] = byte(end)
	if end == env.Running {
		return true
	}
	l.ended.take(&l.running)
	l.ended.tale, l.running.tale = l.running.tale, nil
	if l.Renews() && l.failed == nil {
		w.fresh = append(w.fresh, i)
		return false
	}
	return true
}

func (b *batch) putRewards(i int) {
	row := floats(b.row(b.reward, i))
	for p, r := range b.lanes[i].Rewards() {
		row[p] = float32(r)
	}
}

// show writes a lane's rows, but its reward and end.
func (b *batch) show(i int) {
	l := &b.lanes[i]
	p, mask := l.Env().Actor(), b.row(b.mask, i)
	if l.Over() {
		p = env.Over
		clear(mask)
	} else {
		b.encoder.putMask(mask, l.Env().Mask())
	}
	binary.LittleEndian.PutUint32(b.actor[4*i:], uint32(int32(p)))
	viewer := b.seat
	if viewer == everySeat {
		viewer = l.Viewer()
	}
	b.encoder.observe(b.row(b.observation, i), l.Env().State(), viewer, l.scratch)
}
