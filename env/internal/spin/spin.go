// Package spin waits for what mostly happens within microseconds. To put a goroutine or a thread to sleep
// and to wake it takes tens of them, on a virtual machine more than a hundred; to look again and again takes
// none, but a core.
package spin

import "time"

// A Waiter looks for up to mostLooking before it sleeps. After a sleep longer than long it has half the
// patience: there is nothing to do, or another program has the core of the one who is waited for. After a
// shorter one it has all of it, as looking on would have been quicker; long leaves room for the wake.
const (
	mostLooking = 200 * time.Microsecond
	long        = 500 * time.Microsecond
)

// between is the number of looks between two at the clock.
const between = 16

// Waiter is one who waits, time and again. The zero value is ready for use.
type Waiter struct {
	Crowded bool // sleep at once: there are more who wait for each other than cores to run on

	halved uint8 // how often the patience has been halved
}

// Wait returns once ready says so or sleep has returned.
func (w *Waiter) Wait(ready func() bool, sleep func()) {
	start := time.Now()
	patience := mostLooking >> w.halved
	if w.Crowded {
		patience = 0
	}
	for {
		for range between {
			if ready() {
				return
			}
		}
		if time.Since(start) >= patience {
			break
		}
	}
	start = time.Now()
	sleep()
	if time.Since(start) <= long {
		w.halved = 0
	} else if w.halved < 20 {
		w.halved++
	}
}
