// Package spin waits for what mostly happens within microseconds. To put a goroutine or a thread to sleep
// and to wake it takes tens of them, on a virtual machine more than a hundred; to look again and again takes
// none, but a core.
package spin

import "time"

// looking is how long a Waiter looks before it sleeps.
const looking = 200 * time.Microsecond

// between is the number of looks between two at the clock.
const between = 16

// Where other programs want the cores, looking takes them from the one who is waited for. So a Waiter looks the
// less often, the less often that has paid: a look in vain raises its doubt as much as two that saw it happen
// lower it, and after a look in vain 2^doubt - 1 waits go without.
const (
	inVain    = 2
	mostDoubt = 8
)

// Waiter is one who waits, time and again. The zero value is ready for use.
type Waiter struct {
	Crowded bool // sleep at once: there are more who wait for each other than cores to run on

	doubt uint8
	skip  int // waits that still go without a look
}

// Wait returns once ready says so or sleep has returned.
func (w *Waiter) Wait(ready func() bool, sleep func()) {
	for range between {
		if ready() {
			return
		}
	}
	switch {
	case w.Crowded:
	case w.skip > 0:
		w.skip--
	default:
		for start := time.Now(); time.Since(start) < looking; {
			for range between {
				if ready() {
					w.doubt -= min(w.doubt, 1)
					return
				}
			}
		}
		w.doubt = min(w.doubt+inVain, mostDoubt)
		w.skip = 1<<w.doubt - 1
	}
	sleep()
}
