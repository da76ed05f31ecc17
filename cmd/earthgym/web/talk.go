package web

import (
	"slices"
	"sync"
	"time"

	"earthgym/env"
)

const (
	// maxPhrases is how many phrases of a table are kept.
	maxPhrases = 20
	// phrasePause is the least time from one phrase of a seat to the next.
	phrasePause = 2 * time.Second
)

// Phrases are what people at a table of a Room may say.
var Phrases = []string{
	"Hello!", "Good luck!", "Well played!", "Thank you!", "Sorry!", "Oh no!", "One moment, please.", "Your turn.",
	"Shall we help each other?", "We are in danger!", "Another game?", "Goodbye!",
}

// Said is a phrase that somebody has said at a table.
type Said struct {
	Number int        `json:"number"` // of all that were said there
	Player env.Player `json:"player"`
	Phrase string     `json:"phrase"`
}

// A talk is what has been said at a table.
type talk struct {
	mu    sync.Mutex
	said  []Said
	last  map[env.Player]time.Time
	heard chan struct{} // closed when something is said
}

func (s *Server) say(p env.Player, phrase string, now time.Time) error {
	t := &s.talk
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.last[p]) < phrasePause {
		return &fault{tooMany, "that was quick: say one thing after the other"}
	}
	if t.last == nil {
		t.last = map[env.Player]time.Time{}
	}
	t.last[p] = now
	t.said = append(slices.Clone(t.said[max(0, len(t.said)-maxPhrases+1):]), Said{lastSaid(t.said) + 1, p, phrase})
	if t.heard != nil {
		close(t.heard)
		t.heard = nil
	}
	return nil
}

// hear is what has been said, and a channel that is closed when more is.
func (t *talk) hear() ([]Said, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.heard == nil {
		t.heard = make(chan struct{})
	}
	return t.said, t.heard
}

// lastSaid is the number of what was said last.
func lastSaid(said []Said) int {
	if len(said) == 0 {
		return 0
	}
	return said[len(said)-1].Number
}
