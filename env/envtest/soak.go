package envtest

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// Soak plays many weighted games of each variant, -soak=N of them, on all cores, with all invariants
// after every decision, and logs how they ended. Without the flag it is skipped.
func Soak(t *testing.T, rb *registry.Rulebook, c Config) {
	t.Helper()
	if *soak <= 0 {
		t.Skip("-soak=N plays N games of each variant")
	}
	for _, text := range rb.Variants {
		t.Run(text, func(t *testing.T) {
			g := must.Have(registry.Registry{rb}.Open(text))(t)
			s := &subject{rb: rb, config: c, game: g, info: g.Info()}
			summary := must.Have(s.soak(*soak))(t)
			t.Log(summary)
		})
	}
}

// soak plays n games and gives the counts of their ends and decisions.
func (s *subject) soak(n int) (string, error) {
	var (
		next    atomic.Int64
		workers sync.WaitGroup
		mu      sync.Mutex
		failed  error
	)
	reasons := map[string]int{}
	decisions := []int{}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			st := s.game.New()
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				p := &play{seed: 1<<40 + uint64(k), weights: s.config.Weights}
				err := guard(func() error { return s.performOn(st, p) })
				mu.Lock()
				if err != nil && failed == nil {
					failed = s.at(p, len(p.actions), err)
				}
				reasons[st.Reason()]++
				decisions = append(decisions, len(p.actions))
				stop := failed != nil
				mu.Unlock()
				if stop {
					return
				}
			}
		})
	}
	workers.Wait()
	if failed != nil {
		return "", failed
	}
	slices.Sort(decisions)
	var ends []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		ends = append(ends, fmt.Sprintf("%s %d", reason, reasons[reason]))
	}
	return fmt.Sprintf("%d games: %s; decisions %d to %d, median %d, bound %d", n, strings.Join(ends, ", "),
		decisions[0], decisions[n-1], decisions[n/2], s.info.MaxDecisions), nil
}
