// Package team runs one function on several goroutines side by side, time and again.
package team

import (
	"runtime"
	"sync/atomic"

	"earthgym/env/internal/spin"
)

// A Team is a fixed set of goroutines that run one function side by side, for work so short that putting
// a goroutine to sleep and waking it would take longer (see package spin).
type Team struct {
	task   func(worker int)
	closed bool
	turn   atomic.Uint32 // raised for each run
	_      [64]byte      // what is written by different cores stands apart
	left   atomic.Int32  // workers still at it
	_      [64]byte
	boss   waiter
	others []waiter
}

// New makes a Team of so many workers, the caller of Run among them.
func New(workers int) *Team {
	crowded := workers > runtime.GOMAXPROCS(0)
	t := &Team{boss: newWaiter(crowded), others: make([]waiter, workers-1)}
	for i := range t.others {
		t.others[i] = newWaiter(crowded)
		go t.work(i)
	}
	return t
}

func (t *Team) work(i int) {
	for turn := uint32(1); ; turn++ {
		t.others[i].wait(func() bool { return t.turn.Load() == turn })
		if t.closed {
			return
		}
		t.task(i + 1)
		if t.left.Add(-1) == 0 {
			t.boss.wake()
		}
	}
}

// Run calls task for every worker, 0 in this goroutine, and returns when all are done.
func (t *Team) Run(task func(worker int)) {
	t.task = task
	t.left.Store(int32(len(t.others)))
	t.begin()
	task(0)
	t.boss.wait(func() bool { return t.left.Load() == 0 })
	t.task = nil
}

func (t *Team) begin() {
	t.turn.Add(1)
	for i := range t.others {
		t.others[i].wake()
	}
}

// Close ends the goroutines. Nothing runs after it.
func (t *Team) Close() {
	if !t.closed {
		t.closed = true
		t.begin()
	}
}

// A waiter is a goroutine that may be asleep.
type waiter struct {
	asleep atomic.Bool
	bell   chan struct{}
	spin   spin.Waiter
	_      [64]byte
}

func newWaiter(crowded bool) waiter {
	return waiter{bell: make(chan struct{}, 1), spin: spin.Waiter{Crowded: crowded}}
}

// wait returns once ready, which whoever makes it so follows with wake. A wake may come late, after what it
// told of has been seen and dealt with, and find the waiter asleep for the next: it sleeps on then.
func (w *waiter) wait(ready func() bool) {
	w.spin.Wait(ready, func() {
		for !ready() {
			w.asleep.Store(true)
			if !ready() || !w.asleep.CompareAndSwap(true, false) {
				<-w.bell
			}
		}
	})
}

func (w *waiter) wake() {
	if w.asleep.CompareAndSwap(true, false) {
		w.bell <- struct{}{}
	}
}
