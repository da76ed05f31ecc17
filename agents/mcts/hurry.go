package mcts

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// ErrNow is the cause of a context that ends so that a search chooses by what it has found so far
// (context.WithCancelCause): by the rounds that it has finished, or else as its network or its bot would.
var ErrNow = errors.New("it is to move now")

// hurried says whether a search is to choose now.
func hurried(ctx context.Context) bool { return context.Cause(ctx) == ErrNow }

type progressKey struct{}

// WithProgress has searches tell how far they have come, in thousandths of their simulations.
func WithProgress(ctx context.Context, p *atomic.Int32) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// advance tells that so many of n tasks of a round are done.
func (s *Search) advance(ctx context.Context, done, n int) {
	if p, ok := ctx.Value(progressKey{}).(*atomic.Int32); ok && n > 0 {
		p.Store(int32(1000 * (float64(s.round) + float64(done)/float64(n)) / float64(s.rounds)))
	}
}

// alone says that all share one thread.
const alone = runtime.GOARCH == "wasm"

// breathe lets others have that thread: a page that asks for a move now, and its clock.
func (m *simulator) breathe() {
	const often = 25 * time.Millisecond
	if alone && time.Since(m.breath) > often {
		time.Sleep(time.Microsecond)
		m.breath = time.Now()
	}
}
