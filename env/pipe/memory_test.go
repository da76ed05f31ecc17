package pipe

import (
	"bytes"
	"net"
	"runtime"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// greedyServer gives each client more than there is for all.
func greedyServer() *Server {
	s := testServer()
	s.Memory = 1 << 20
	return s
}

func (s *Server) memoryUsed() int64 {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	return s.memory.used
}

// All clients together take no more than the server's memory, and what one has given back another gets.
func TestMemoryOfAllClients(t *testing.T) {
	s := greedyServer()
	lanes := func(c *client) int64 { // that it gets
		most := int64(0)
		for n := int64(64); n > 0; {
			if _, err := c.ask(request{Op: "make", Game: "kuhn", Lanes: n}, nil, nil); err == nil {
				most += n
			} else if asError(err).Code == Limit {
				n /= 2
			} else {
				t.Fatal(err)
			}
		}
		return most
	}
	one, two := greet(t, s, request{}), greet(t, s, request{})
	alone := lanes(one)
	if rest := lanes(two); alone < 100 || rest > 0 {
		t.Errorf("one client has %d lanes and another %d", alone, rest)
	}
	if e := two.code(request{Op: "make", Game: "kuhn", Lanes: 1}, nil, Limit); !strings.Contains(e.Message,
		"all its clients") || e.Fatal {
		t.Errorf("got %+v", e)
	}
	if used := s.memoryUsed(); used > s.Memory {
		t.Errorf("%d bytes are in use", used)
	}
	one.must(request{Op: "close", Env: 1}, nil, nil)
	if lanes(two) < 64 {
		t.Error("what a closed batch took is gone")
	}
	one.conn.Close()
	two.conn.Close()
	must.Come(t, "memory is kept for clients that have gone", func() bool { return s.memoryUsed() == 0 })
}

// Frames that are sent and answers that are asked for count too, while they last; so do networks that opponents
// have, and batches that were not made after all.
func TestMemoryOfFramesAnswersAndAgents(t *testing.T) {
	s := greedyServer()
	s.Agents = func(text string, g env.Game) (Maker, error) {
		if text == "large" {
			m, err := openTestAgent("first", g)
			m.Memory = 1 << 20
			return m, err
		}
		return openTestAgent(text, g)
	}
	c, other := greet(t, s, request{}), greet(t, s, request{})
	idle := s.memoryUsed()
	versus := func(name string) request {
		return request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(0)), Opponents: []string{name}}
	}
	c.code(versus("large"), nil, Limit)
	c.must(versus("first"), nil, nil)
	c.must(request{Op: "close", Env: 1}, nil, nil)
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(1)), Opponents: []string{"stuck"}}, nil,
		AgentFailed)
	if used := s.memoryUsed(); used > idle+1000 { // but for buffers of frames
		t.Errorf("%d bytes are in use, %d before", used, idle)
	}

	ours, theirs := net.Pipe() // a client in the middle of a large frame
	defer ours.Close()
	go s.ServeConn(t.Context(), theirs, false)
	half := &client{t: t, conn: ours}
	half.send(preamble(""))
	half.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
	half.send(append([]byte{0, 0, 0x0f, 0, 4, 0, 0, 0}, bytes.Repeat([]byte{0}, 900<<10)...))
	m := c.make(request{Game: "kuhn", Lanes: 10}, "")
	c.code(request{Op: "make", Game: "kuhn", Lanes: 64}, nil, Limit)
	go func() {
		_, _ = ours.Write(bytes.Repeat([]byte{0}, 0xf0000)) // cut off by the end of the connection
	}()
	ours.Close()
	must.Come(t, "half a frame is kept though its client has gone", func() bool {
		_, err := other.ask(request{Op: "make", Game: "kuhn", Lanes: 64}, nil, nil)
		return err == nil
	})
	fat := &share{of: &s.memory, limit: s.Memory}
	must.Do(t, fat.take(s.Memory-s.memoryUsed()-1000))
	if e := c.code(request{Op: "observe", Env: m.Env}, nil, Limit); e.Fatal {
		t.Error("an answer that is too large ends the connection")
	}
	if got := c.must(request{Op: "observe", Env: m.Env, Which: []int64{0}, Player: new(int64(0))}, nil,
		nil); len(got) == 0 {
		t.Error("no answer")
	}
	fat.close()
	c.must(request{Op: "observe", Env: m.Env}, nil, nil)
	c.conn.Close()
	other.conn.Close()
	must.Come(t, "memory is kept for clients that have gone", func() bool { return s.memoryUsed() == 0 })
}

// What a batch is charged is no less than what it takes.
func TestMemoryIsCountedInFull(t *testing.T) {
	for _, r := range []makeRequest{
		{Lanes: 4000}, {Lanes: 4000, Record: true, Shaping: 1},
		{Lanes: 4000, Seat: new(int64(1)), Opponents: []string{"lucky"}},
	} {
		counted := int64(0)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		b := must.Have(newBatch(kuhnLanes(3, r.Lanes), &r, encoding{typeFloat32, maskBytes}, openTestAgent, nil, 1,
			func(n int64) error { counted = n; return nil }))(t)
		b.place(nil)
		for range 10 {
			must.Do(t, b.reset(nil, nil))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if taken := int64(after.HeapAlloc) - int64(before.HeapAlloc); taken > counted || taken < counted/5 {
			t.Errorf("a batch of %d lanes (record %v, agents %v) takes %d bytes and is charged %d", len(b.lanes), r.Record,
				r.Opponents, taken, counted)
		}
	}
}
