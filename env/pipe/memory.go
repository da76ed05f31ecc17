package pipe

import "sync"

// defaultMemory is that of a Server that doesn't say.
const defaultMemory = 8 << 30

// memory counts what the clients of a server take of its memory together.
type memory struct {
	mu   sync.Mutex
	used int64
}

// share is what one client has of it. It may be used from many goroutines; once it is closed, nothing more can
// be taken. A nil share has no limit.
type share struct {
	of     *memory
	limit  int64 // of all shares together
	held   int64
	closed bool
}

// take takes n bytes. If there are not so many left, nothing is taken.
func (s *share) take(n int64) error {
	if s == nil {
		return nil
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if left := s.limit - s.of.used; s.closed || n > left {
		return errorf(Limit, "this takes %d bytes; %d are left of the server's %d for all its clients", n, max(left, 0),
			s.limit)
	}
	s.of.used += n
	s.held += n
	return nil
}

// give gives n bytes back.
func (s *share) give(n int64) {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if !s.closed {
		s.of.used -= n
		s.held -= n
	}
}

// close gives everything back.
func (s *share) close() {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.used -= s.held
	s.held, s.closed = 0, true
}
