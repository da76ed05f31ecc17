package spin

import (
	"testing"
	"time"
)

func TestWaiterThatNeedNotSleep(t *testing.T) {
	var w Waiter
	looks := 0
	w.Wait(func() bool { looks++; return looks == 3 }, func() { t.Error("it slept") })
	if looks != 3 {
		t.Errorf("%d looks, want 3", looks)
	}
}

func TestWaiterLearns(t *testing.T) {
	var w Waiter
	wait := func(sleep time.Duration) (looks int) {
		w.Wait(func() bool { looks++; return false }, func() { time.Sleep(sleep) })
		return looks
	}
	// Another program may have the core at any moment: what is short here may take long once, but not always.
	patient := func(when string) {
		for range 1000 {
			if wait(0) > between {
				return
			}
		}
		t.Errorf("%s: it never looks for longer before it sleeps", when)
	}
	patient("at first")
	for range 20 {
		wait(2 * long)
	}
	if looks := wait(0); looks != between {
		t.Errorf("after long waits: %d looks, want %d", looks, between)
	}
	patient("after a short one")
	w.Crowded = true
	if looks := wait(0); looks != between {
		t.Errorf("in a crowd: %d looks, want %d", looks, between)
	}
}
