package spin

import "testing"

func TestWaiterThatNeedNotSleep(t *testing.T) {
	var w Waiter
	looks := 0
	w.Wait(func() bool { looks++; return looks == 3 }, func() { t.Error("it slept") })
	if looks != 3 {
		t.Errorf("%d looks, want 3", looks)
	}
}

// waits lets w wait n times for what comes after some looks, or never, and counts the waits that looked for it
// beyond the first few looks.
func waits(w *Waiter, n, comesAfter int) (patient int) {
	for range n {
		looks := 0
		w.Wait(func() bool { looks++; return looks == comesAfter }, func() {})
		if looks > between {
			patient++
		}
	}
	return patient
}

func TestWaiterLearns(t *testing.T) {
	const never, soon = -1, between + 1
	var w Waiter
	if got := waits(&w, 1, never); got != 1 {
		t.Error("at first it does not look")
	}
	if got := waits(&w, 2000, never); got > 15 {
		t.Errorf("in 2000 waits in vain it looked %d times; with waits doubled it is about 11", got)
	}
	// Another program may have the core for the whole of a look: what would have paid fails now and then.
	waits(&w, 5000, soon)
	if got := waits(&w, 1000, soon); got < 900 {
		t.Errorf("where looking pays it looked in %d waits of 1000", got)
	}
	w.Crowded = true
	if got := waits(&w, 10, soon); got != 0 {
		t.Errorf("in a crowd it looked in %d waits of 10", got)
	}
}

// Where every second look is in vain, most waits go without.
func TestWaiterWeighs(t *testing.T) {
	var w Waiter
	patient := 0
	for range 1000 {
		patient += waits(&w, 1, between+1) + waits(&w, 1, -1)
	}
	if patient > 600 {
		t.Errorf("it looked in %d waits of 2000, half of them in vain", patient)
	}
}
