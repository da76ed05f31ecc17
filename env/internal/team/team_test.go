package team

import (
	"sync/atomic"
	"testing"
	"time"
)

// A wake that comes after its cause was seen must not end the next wait.
func TestLateWake(t *testing.T) {
	w := newWaiter(false)
	var ready atomic.Bool
	returned := make(chan struct{})
	go func() {
		w.wait(ready.Load)
		close(returned)
	}()
	for range 3 {
		for !w.asleep.Load() {
			time.Sleep(time.Millisecond)
		}
		w.wake()
	}
	for !w.asleep.Load() {
		select {
		case <-returned:
			t.Fatal("a late wake ended the wait")
		case <-time.After(time.Millisecond):
		}
	}
	ready.Store(true)
	w.wake()
	<-returned
}

// Each run calls the task once for every worker and returns when all are done, however short it is.
func TestTeam(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		team := New(workers)
		calls := make([]int, workers)
		for run := 1; run <= 5000; run++ {
			if run%1000 == 0 {
				time.Sleep(2 * time.Millisecond) // the workers fall asleep
			}
			team.Run(func(worker int) { calls[worker]++ })
			for worker, n := range calls {
				if n != run {
					t.Fatalf("after %d runs worker %d has been called %d times", run, worker, n)
				}
			}
		}
		team.Close()
	}
}
