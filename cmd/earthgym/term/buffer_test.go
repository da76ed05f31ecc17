package term

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// lockedBuffer is an output that a test can wait for.
type lockedBuffer struct {
	mu      sync.Mutex
	b       bytes.Buffer
	changed chan struct{}
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.changed <- struct{}{}:
	default:
	}
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// await waits until the output has a text.
func (l *lockedBuffer) await(t *testing.T, text string) {
	t.Helper()
	late := time.After(10 * time.Minute)
	for !strings.Contains(l.String(), text) {
		select {
		case <-l.changed:
		case <-late:
			t.Fatalf("%q does not come: %s", text, l)
		}
	}
}
