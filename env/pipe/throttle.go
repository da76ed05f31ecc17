package pipe

import (
	"net"
	"sync"
	"time"
)

// penalty is what a wrong token costs: its host waits so long until the next one is looked at.
const penalty = time.Second

// throttle makes guessing tokens slow: each wrong one keeps its host away for a penalty, one after the other. The
// zero value knows of none.
type throttle struct {
	mu    sync.Mutex
	until map[string]time.Time // by host
}

// turn says how long a client of a host has to wait until its token is looked at.
func (t *throttle) turn(host string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(0, t.until[host].Sub(now))
}

// wrong notes a wrong token.
func (t *throttle) wrong(host string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for other, until := range t.until {
		if until.Before(now) {
			delete(t.until, other)
		}
	}
	if t.until == nil {
		t.until = map[string]time.Time{}
	}
	from := t.until[host]
	if from.Before(now) {
		from = now
	}
	t.until[host] = from.Add(penalty)
}

// host is the machine at the other end of a connection, as far as it can be known.
func host(c any) string {
	n, ok := c.(net.Conn)
	if !ok {
		return ""
	}
	address := n.RemoteAddr().String()
	if h, _, err := net.SplitHostPort(address); err == nil {
		return h
	}
	return address
}
