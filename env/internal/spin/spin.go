// Package spin waits for what mostly happens within microseconds. To put a goroutine or a thread to sleep
// and to wake it takes tens of them, on a virtual machine more than a hundred; to look again and again takes
// none, but a core.
package spin

import "time"

// A Waiter looks for up to looking before it sleeps, unless the last wait took longer than long: then there
// is nothing to do, or another program has the core of the one who is waited for. long leaves room for a
// wake, so that a wait which looking would have spared brings the looking back.
const (
	looking = 100 * time.Microsecond
	long    = 3 * looking
)

// between is the number of looks between two at the clock.
const between = 16

// Waiter is one who waits, time and again. The zero value is ready for use.
type Waiter struct {
	hasty bool // sleep at once
}

// Wait returns once ready says so or sleep has returned.
func (w *Waiter) Wait(ready func() bool, sleep func()) {
	start := time.Now()
	for first := true; first || !w.hasty && time.Since(start) < looking; first = false {
		for range between {
			if ready() {
				return
			}
		}
	}
	sleep()
	w.hasty = time.Since(start) > long
}
