// Package must ends a test where something goes wrong that the test isn't about.
package must

import (
	"testing"
	"time"
)

// Do ends the test if there is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Have takes what a function returns and hands the value over, or ends the test if there is an error:
//
//	g := must.Have(games.Open("one-earth"))(t)
func Have[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Come waits until ok says yes, and ends the test, which says what is wrong, if that takes ten minutes.
func Come(t testing.TB, wrong string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Since(start) > 10*time.Minute {
			t.Fatal(wrong)
		}
	}
}
