//go:build !js

package llm

import "sync"

// A ledger is the Spending of all instances.
type ledger struct {
	mu     sync.Mutex
	s      Spending
	prices *prices
}

// note changes the counts.
func (l *ledger) note(change func(s *Spending)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.s)
}

func (l *ledger) total() Spending {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.s
	if l.prices != nil {
		cost := (float64(s.PromptTokens)*l.prices.in + float64(s.CompletionTokens)*l.prices.out) / 1e6
		s.Cost = &cost
	}
	return s
}
