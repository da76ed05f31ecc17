//go:build unix

package pipe

import (
	"bufio"
	"io"
	"syscall"

	"golang.org/x/sys/unix"

	"earthgym/env/internal/spin"
)

// A looker waits for a client's next frame. Most come within microseconds of the last answer, so it looks
// for a while before it lets the system put it to sleep (see package spin).
type looker struct {
	spin  spin.Waiter
	polls [1]unix.PollFd
	found bool
	ready func() bool // nil if c cannot be looked at
}

func newLooker(c io.Reader) *looker {
	l := &looker{}
	s, ok := c.(syscall.Conn)
	if !ok {
		return l
	}
	conn, err := s.SyscallConn()
	if err != nil {
		return l
	}
	look := func(fd uintptr) {
		l.polls[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
		n, err := unix.Poll(l.polls[:], 0)
		l.found = n > 0 || err != nil && err != unix.EINTR
	}
	l.ready = func() bool { return conn.Control(look) != nil || l.found }
	return l
}

// wait returns when r, which reads from what the looker looks at, has something to give, or an error.
func (l *looker) wait(r *bufio.Reader) {
	if l.ready != nil && r.Buffered() == 0 {
		l.spin.Wait(l.ready, func() { _, _ = r.Peek(1) }) // An error comes again at the next read.
	}
}
