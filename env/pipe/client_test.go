package pipe

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/registry"
)

// first always takes the lowest legal action; stuck never decides.
type first struct{}

func (first) Name() string { return "first" }
func (first) Reset(uint64) {}
func (first) Act(v *env.View) (env.Action, error) {
	return v.Mask().Nth(0), nil
}

type stuck struct{}

func (stuck) Name() string                      { return "stuck" }
func (stuck) Reset(uint64)                      {}
func (stuck) Act(*env.View) (env.Action, error) { return -1, errors.New("no idea") }

// lucky draws its actions; choir does the same, for all who are asked together.
type lucky struct{ luck env.Stream }

func (l *lucky) Name() string      { return "lucky" }
func (l *lucky) Reset(seed uint64) { l.luck = env.NewStream(seed, "lucky") }

func (l *lucky) Act(v *env.View) (env.Action, error) {
	return v.Mask().Nth(l.luck.Below(v.Mask().Count())), nil
}

type choir struct {
	lucky
	most   *atomic.Int64 // asked at once
	hoarse bool          // it never sings together
}

func (c *choir) ActFor(agents []env.Agent, views []*env.View, out []env.Action) error {
	if n := int64(len(views)); n > c.most.Load() {
		c.most.Store(n)
	}
	if c.hoarse {
		return errors.New("hoarse")
	}
	for i, a := range agents {
		out[i], _ = a.Act(views[i])
	}
	return nil
}

// late panics once it has to decide.
type late struct{}

func (late) Name() string                      { return "late" }
func (late) Reset(uint64)                      {}
func (late) Act(*env.View) (env.Action, error) { panic("out of wine") }

func openTestAgent(text string, _ env.Game) (Maker, error) {
	switch text {
	case "first":
		return Maker{New: func() (env.Agent, error) { return first{}, nil }}, nil
	case "stuck":
		return Maker{New: func() (env.Agent, error) { return stuck{}, nil }}, nil
	case "lucky":
		return Maker{New: func() (env.Agent, error) { return &lucky{}, nil }}, nil
	case "late":
		return Maker{New: func() (env.Agent, error) { return late{}, nil }}, nil
	case "panics":
		return Maker{New: func() (env.Agent, error) { panic("out of cheese") }}, nil
	}
	return Maker{}, errors.New("unknown agent " + text)
}

func testServer() *Server {
	return &Server{Registry: registry.Registry{kuhn.Rulebook()}, Agents: openTestAgent, Program: "test", Workers: 2}
}

// preamble is what a client sends first.
func preamble(token string) []byte {
	b := append([]byte(magic), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(token)))
	return append(b, token...)
}

// client is a client of a server in the same process.
type client struct {
	t    testing.TB
	conn net.Conn
	id   uint64
	buf  []byte
}

// dial connects to a server, without a word.
func dial(t testing.TB, s *Server, local bool) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.ServeConn(t.Context(), theirs, local)
	}()
	t.Cleanup(func() { ours.Close(); <-done })
	return &client{t: t, conn: ours}
}

// A request is the head of any frame that a test asks with: the fields of all operations, in the order in which golden
// frames have them.
type request struct {
	ID uint64 `msgpack:"id"`
	Op string `msgpack:"op"`

	// hello
	Protocol    []int  `msgpack:"protocol,omitempty"`
	Role        string `msgpack:"role,omitempty"`
	Client      string `msgpack:"client,omitempty"`
	Observation string `msgpack:"observation,omitempty"`
	Mask        string `msgpack:"mask,omitempty"`
	Tables      int64  `msgpack:"tables,omitempty"` // of a seat: how many it sits at at a time

	// info, make
	Game         string   `msgpack:"game,omitempty"`
	Lanes        int64    `msgpack:"lanes,omitempty"`
	FirstLane    int64    `msgpack:"first_lane,omitempty"`
	Seed         uint64   `msgpack:"seed,omitempty"`
	Autoreset    string   `msgpack:"autoreset,omitempty"`
	Illegal      string   `msgpack:"illegal,omitempty"`
	Seat         *int64   `msgpack:"seat,omitempty"`
	Opponents    []string `msgpack:"opponents,omitempty"`
	Shaping      float64  `msgpack:"shaping,omitempty"`
	Gamma        float64  `msgpack:"gamma,omitempty"`
	MaxDecisions int64    `msgpack:"max_decisions,omitempty"`
	Record       bool     `msgpack:"record,omitempty"`
	Share        bool     `msgpack:"share,omitempty"`

	More []variantRequest `msgpack:"more,omitempty"`

	// everything about a batch
	Env    uint64   `msgpack:"env,omitempty"`
	Lane   int64    `msgpack:"lane,omitempty"`
	Which  []int64  `msgpack:"which,omitempty"`
	Seeds  []uint64 `msgpack:"seeds,omitempty"`
	Player *int64   `msgpack:"player,omitempty"`
	To     []int64  `msgpack:"to,omitempty"`
	ToEnv  uint64   `msgpack:"to_env,omitempty"`
	Key    uint64   `msgpack:"key,omitempty"`
	Texts  []string `msgpack:"texts,omitempty"`

	Finished bool  `msgpack:"finished,omitempty"` // record, story: the last finished game
	Since    int64 `msgpack:"since,omitempty"`    // story: from this step on; 0 is the set-up

	// of a seat
	View  int64 `msgpack:"view,omitempty"`
	Count int64 `msgpack:"count,omitempty"`
	Saved bool  `msgpack:"saved,omitempty"` // sample: whole states
}

// greet connects as an owner.
func greet(t testing.TB, s *Server, hello request) *client {
	t.Helper()
	c := dial(t, s, true)
	c.send(preamble(string(s.Token)))
	hello.Op, hello.Role, hello.Protocol = "hello", RoleOwner, []int{1, 0}
	c.must(hello, nil, nil)
	return c
}

func (c *client) send(b []byte) {
	c.t.Helper()
	if _, err := c.conn.Write(b); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a request and gives the answer's payload; the head is decoded into dst. An error frame is an
// *Error.
func (c *client) ask(r request, payload []byte, dst any) ([]byte, error) {
	c.t.Helper()
	c.id++
	r.ID = c.id
	b, err := appendFrame(nil, &r, payload)
	if err != nil {
		c.t.Fatal(err)
	}
	go c.conn.Write(b) // net.Pipe has no buffer, and the server may answer before it has read all
	return c.answer(dst)
}

func (c *client) answer(dst any) ([]byte, error) {
	c.t.Helper()
	f, buf, err := readFrame(c.conn, c.buf, 1<<30, nil)
	if err != nil {
		return nil, err
	}
	c.buf = buf
	var e struct {
		ID    uint64 `msgpack:"id"`
		Error *Error `msgpack:"error"`
	}
	if err := msgpack.Unmarshal(f.head, &e); err != nil {
		c.t.Fatal(err)
	}
	if e.Error != nil {
		return nil, e.Error
	}
	if e.ID != c.id {
		c.t.Fatalf("answer to %d, not to %d", e.ID, c.id)
	}
	if dst != nil {
		if err := decodeHead(f.head, dst); err != nil {
			c.t.Fatal(err)
		}
	}
	return bytes.Clone(f.payload), nil
}

func (c *client) must(r request, payload []byte, dst any) []byte {
	c.t.Helper()
	b, err := c.ask(r, payload, dst)
	if err != nil {
		c.t.Fatalf("%s: %v", r.Op, err)
	}
	return b
}

// code demands an error.
func (c *client) code(r request, payload []byte, want Code) *Error {
	c.t.Helper()
	_, err := c.ask(r, payload, nil)
	var e *Error
	if !errors.As(err, &e) || e.Code != want {
		c.t.Errorf("%s: got %v, want %s", r.Op, err, want)
		return &Error{}
	}
	return e
}

// gone demands that the server has hung up.
func (c *client) gone() {
	c.t.Helper()
	if _, err := c.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		c.t.Errorf("the connection is still open: %v", err)
	}
}

func actions(list ...int32) []byte {
	var b []byte
	for _, a := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(a))
	}
	return b
}

// table is the arrays of a batch.
type table struct {
	made
	payload []byte
}

func (m table) block(name string) []byte {
	for _, b := range m.Blocks {
		if b.Name == name {
			n := map[string]int{typeFloat32: 4, typeFloat16: 2, typeUint8: 1, typeInt32: 4}[b.Type]
			for _, d := range b.Shape {
				n *= d
			}
			return m.payload[b.Offset : b.Offset+n]
		}
	}
	return nil
}

func (m table) actors() []int32 {
	b := m.block("actor")
	var list []int32
	for i := 0; i < len(b); i += 4 {
		list = append(list, int32(binary.LittleEndian.Uint32(b[i:])))
	}
	return list
}

func (m table) floats(name string) []float32 {
	b := newArray(len(m.block(name)))
	copy(b, m.block(name))
	return floats(b)
}

func contextOf(t testing.TB) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}
