package env_test

import (
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

func newVec(t *testing.T, o env.VecOptions) *env.Vec {
	t.Helper()
	g := must.Have(kuhn.Rulebook().Open("", datafile.File{}))(t)
	v := must.Have(env.NewVec(g, o))(t)
	t.Cleanup(v.Close)
	return v
}

func TestVecEachMeetsEveryLaneOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 9} {
		v := newVec(t, env.VecOptions{Lanes: 7, Workers: workers})
		met := make([]int, v.Lanes())
		v.Each(func(lane int) { met[lane]++ })
		for lane, n := range met {
			if n != 1 {
				t.Errorf("%d workers: lane %d met %d times", workers, lane, n)
			}
		}
	}
}

// An error does not depend on the number of workers, and the other lanes play on.
func TestVecStepNamesTheFirstWrongLane(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		v := newVec(t, env.VecOptions{Lanes: 6, Workers: workers})
		actions := make([]env.Action, v.Lanes())
		for lane := range actions {
			actions[lane] = v.Mask(lane).Nth(0)
		}
		actions[2], actions[5] = -1, 99
		acted := append([]int32{}, v.Actors...)
		err := v.Step(actions)
		if err == nil || !strings.HasPrefix(err.Error(), "lane 2: ") || strings.Contains(err.Error(), "lane 5") {
			t.Errorf("%d workers: error %v", workers, err)
		}
		for lane, p := range acted {
			if stayed := v.Actors[lane] == p; stayed != (lane == 2 || lane == 5) {
				t.Errorf("%d workers: lane %d: player %d acted, then %d", workers, lane, p, v.Actors[lane])
			}
		}
		for lane := range actions {
			actions[lane] = v.Mask(lane).Nth(0)
		}
		if err := v.Step(actions); err != nil {
			t.Errorf("%d workers: the step after: %v", workers, err)
		}
	}
}

// The seeds of a Vec's games are what they were, and what Python's are: env/pipe/python/tests/test_vec.py has the
// same numbers.
func TestSeedsOfSeven(t *testing.T) {
	v := newVec(t, env.VecOptions{Lanes: 2, Seed: 7})
	for i, want := range []uint64{8581286081765471666, 6652036383885763666, 1988111358474182198, 10852044936925069029} {
		lane, k := i%2, uint64(1+i/2)
		if got := v.Seed(lane, k); got != want {
			t.Errorf("game %d of lane %d has seed %d, not %d", k, lane, got, want)
		}
	}
}

// Parallel calls each worker once, whatever their number.
func TestVecParallel(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		v := must.Have(env.NewVec(kuhn.Open(2), env.VecOptions{Lanes: 4, Workers: workers}))(t)
		calls := make([]int, v.Workers())
		for range 100 {
			v.Parallel(func(worker int) { calls[worker]++ })
		}
		v.Close()
		if want := slices.Repeat([]int{100}, min(workers, 4)); !slices.Equal(calls, want) {
			t.Errorf("%d workers: calls %v, want %v", workers, calls, want)
		}
	}
}
