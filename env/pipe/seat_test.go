package pipe

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
)

// agentSide is what an agent does with its end of the connection, after the hello.
type agentSide func(c *client) error

// seated starts an agent and seats it at a game.
func seated(t *testing.T, g env.Game, hello request, agent agentSide) (*Seat, *tap) {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	hello.Op, hello.Role, hello.Protocol = "hello", RoleSeat, []int{1, 0}
	go func() {
		c := &client{t: t, conn: theirs}
		c.send(preamble(""))
		if _, err := c.ask(hello, nil, nil); err == nil {
			_ = agent(c) // It ends with the connection.
		}
		theirs.Close()
	}()
	wire := &tap{ReadWriter: ours}
	s := must.Have(NewSeat(wire, g.Info(), "test", time.Second))(t)
	return s, wire
}

// tap keeps what the table writes.
type tap struct {
	io.ReadWriter
	sent bytes.Buffer
}

func (t *tap) Write(b []byte) (int, error) {
	t.sent.Write(b)
	return t.ReadWriter.Write(b)
}

// heard reads one request of the table.
func (c *client) heard() (ask, frame, error) {
	f, buf, err := readFrame(c.conn, c.buf, 1<<30, nil)
	c.buf = buf
	var a ask
	if err == nil {
		err = decodeHead(f.head, &a)
	}
	return a, f, err
}

func (c *client) reply(id uint64, payload []byte) error {
	b, err := appendFrame(nil, answer{id}, payload)
	if err == nil {
		_, err = c.conn.Write(b)
	}
	return err
}

// obliging answers every request, and every act with the actions that choose gives.
func obliging(choose func(c *client, a ask, f frame) []byte) agentSide {
	return func(c *client) error {
		for {
			a, f, err := c.heard()
			if err != nil {
				return err
			}
			var payload []byte
			if a.Op == "act" {
				payload = choose(c, a, frame{f.head, bytes.Clone(f.payload)})
			}
			if err := c.reply(a.ID, payload); err != nil {
				return err
			}
		}
	}
}

func viewOf(t *testing.T, s env.State) *env.View {
	t.Helper()
	return env.ViewOf(s)
}

func TestSeatPlays(t *testing.T) {
	g := kuhn.Open(3)
	var heard []string
	seat, _ := seated(t, g, request{Client: "me"}, obliging(func(c *client, a ask, f frame) []byte {
		for _, e := range a.Seen[0] {
			heard = append(heard, e.Kind+" "+e.Text)
		}
		if a.Count != 1 || len(a.Blocks) != 2 || len(f.payload) != a.Blocks[1].Offset+2 ||
			f.payload[a.Blocks[1].Offset] != 1 {
			t.Errorf("got %+v with %d bytes", a, len(f.payload))
		}
		return actions(1)
	}))
	if seat.Client() != "me" {
		t.Errorf("the agent is called %q", seat.Client())
	}
	ref := must.Have(referee.New(g, 77))(t)
	must.Do(t, seat.Reset(5))
	for ref.Actor() != env.Over {
		out := make([]env.Action, 1)
		must.Do(t, seat.Act([]*env.View{ref.View()}, out))
		must.Do(t, ref.Play(out[0]))
	}
	if len(heard) == 0 || !slices.ContainsFunc(heard,
		func(s string) bool { return strings.HasPrefix(s, "chance card") }) || !slices.Contains(heard, "action bet") {
		t.Errorf("the agent has heard %q", heard)
	}
}

func TestSeatBatch(t *testing.T) {
	g := kuhn.Open(2)
	seat, _ := seated(t, g, request{Observation: typeUint8, Mask: maskBits},
		obliging(func(c *client, a ask, f frame) []byte {
			list := make([]int32, a.Count)
			for i := range list {
				list[i] = int32(i % 2)
			}
			return actions(list...)
		}))
	var views []*env.View
	for seed := range uint64(7) {
		s := g.New()
		s.Reset(seed, nil)
		views = append(views, viewOf(t, s))
	}
	out := make([]env.Action, 7)
	if err := seat.Act(views, out); err != nil || !slices.Equal(out, []env.Action{0, 1, 0, 1, 0, 1, 0}) {
		t.Errorf("got %v, %v", out, err)
	}
}

// asking is an agent that asks before it answers.
func asking(questions []request, answers *[]string) agentSide {
	return obliging(func(c *client, a ask, f frame) []byte {
		for _, q := range questions {
			payload, err := c.ask(q, nil, nil)
			if err != nil {
				*answers = append(*answers, asError(err).Error())
				continue
			}
			*answers = append(*answers, string(payload))
		}
		return actions(make([]int32, a.Count)...)
	})
}

// A seat is refused everything that belongs to an owner.
func TestSeatIsNoOwner(t *testing.T) {
	var answers []string
	var questions []request
	owners := []string{"info", "make", "step", "reset", "show", "close", "observe", "episodes", "seeds", "position",
		"set_position", "save", "restore", "copy", "redeal", "record", "picture"}
	for _, op := range owners {
		questions = append(questions, request{Op: op, Game: "kuhn", Lanes: 1, Env: 1, Player: new(int64(1))})
	}
	questions = append(questions, request{Op: "dance"}, request{Op: "hello"}, request{Op: "text", View: 1},
		request{Op: "sample"},
		request{Op: "sample", Saved: true}, request{Op: "sample", Saved: true, Count: maxStates + 1})
	g := kuhn.Open(2)
	seat, _ := seated(t, g, request{}, asking(questions, &answers))
	s := g.New()
	s.Reset(1, nil)
	must.Do(t, seat.Act([]*env.View{viewOf(t, s)}, make([]env.Action, 1)))
	for i, op := range owners {
		if !strings.HasPrefix(answers[i], string(Forbidden)) {
			t.Errorf("%s: %q", op, answers[i])
		}
	}
	const has = "unknown_op: there is no operation \"dance\": there are: hello, view, story, text, legal, parse, sample"
	for i, want := range []Code{has, BadHandshake, BadLane, BadRequest, BadRequest, Limit} {
		if got := answers[len(owners)+i]; !strings.HasPrefix(got, string(want)) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}

// A seat is told what has happened in sentences, where a referee tells them.
func TestSeatHearsTheStory(t *testing.T) {
	g := kuhn.Open(2)
	ref := must.Have(referee.New(g, 3))(t)
	must.Do(t, ref.Play(0))
	s := g.New()
	s.Reset(1, nil)
	for _, tt := range []struct {
		view *env.View
		want string
	}{
		{ref.View(), strings.Join(ref.View().Story(), "\n")},
		{viewOf(t, s), "not_supported: nobody tells the story of kuhn here"},
	} {
		var answers []string
		seat, _ := seated(t, g, request{}, asking([]request{{Op: "story"}}, &answers))
		must.Do(t, seat.Act([]*env.View{tt.view}, make([]env.Action, 1)))
		if answers[0] != tt.want || tt.want == "" {
			t.Errorf("got %q, want %q", answers[0], tt.want)
		}
	}
}

// Whatever a seat may ask for is the same, to the byte, in every state that the seat can't tell from the
// true one: other hidden cards, other luck, another seed.
func TestSeatSeesNoSecrets(t *testing.T) {
	g := kuhn.Open(3)
	questions := []request{
		{Op: "text"}, {Op: "legal"}, {Op: "sample", Key: 12, Count: 3}, {Op: "parse", Texts: []string{"bet"}},
		{Op: "sample", Key: 12, Count: 2, Saved: true},
	}
	sent := func(s env.State) ([]byte, []string) {
		var answers []string
		seat, wire := seated(t, g, request{}, asking(questions, &answers))
		must.Do(t, seat.Reset(5))
		must.Do(t, seat.Act([]*env.View{viewOf(t, s)}, make([]env.Action, 1)))
		return wire.sent.Bytes(), answers
	}
	for seed := range uint64(5) {
		s, other := g.New(), g.New()
		s.Reset(seed, nil)
		s.Apply(0, nil)
		want, answers := sent(s)
		if len(answers[2]) != 3*3*4*g.Info().Observation() {
			t.Errorf("samples of %d bytes", len(answers[2]))
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(answers[4], "{"), "}{")
		if err := env.Restore(other, []byte("{"+first+"}")); err != nil {
			t.Fatalf("a sampled state: %v", err)
		}
		seen, fits := make([]float32, g.Info().Observation()), make([]float32, g.Info().Observation())
		s.Observe(seen, s.Actor())
		if other.Observe(fits, s.Actor()); !slices.Equal(seen, fits) || other.Actor() != s.Actor() {
			t.Errorf("seed %d: the seat sees something else in the first of the states that it was given", seed)
		}
		for key := range uint64(5) {
			other.CopyFrom(s)
			other.Redeal(s.Actor(), key)
			if got, _ := sent(other); !bytes.Equal(got, want) {
				t.Fatalf("seed %d, key %d: the seat is told something else of a state that looks the same", seed, key)
			}
		}
	}
}

func TestSeatFaults(t *testing.T) {
	g := kuhn.Open(2)
	answering := func(b func(a ask) []byte) agentSide {
		return func(c *client) error {
			a, _, err := c.heard()
			if err != nil {
				return err
			}
			_, err = c.conn.Write(b(a))
			return err
		}
	}
	framed := func(head any, payload []byte) []byte {
		return must.Have(appendFrame(nil, head, payload))(t)
	}
	for _, tt := range []struct {
		what  string
		agent agentSide
		want  string
	}{
		{"goes away", func(*client) error { return nil }, "pipe"},
		{"half a frame", answering(func(ask) []byte { return []byte{9, 0, 0, 0, 1} }), "inside a frame"},
		{"no msgpack", answering(func(ask) []byte { return []byte{5, 0, 0, 0, 1, 0, 0, 0, 0xff} }), "bad_request"},
		{"another id", answering(func(a ask) []byte { return framed(answer{a.ID + 1}, actions(0)) }), "an answer to request"},
		{"two actions", answering(func(a ask) []byte { return framed(answer{a.ID}, actions(0, 1)) }), "wrong_length"},
		{"illegal", answering(func(a ask) []byte { return framed(answer{a.ID}, actions(7)) }), "illegal action"},
		{"an error", answering(func(a ask) []byte {
			return framed(errorAnswer{a.ID, &Error{Code: "agent_failed", Message: "out of memory"}}, nil)
		}), "out of memory"},
		{"text to stdout", answering(func(ask) []byte { return []byte("Hello, world! How are you?") }),
			`it begins with "Hello, w": was something printed to standard output?`},
		{"an error without a word", answering(func(a ask) []byte { return framed(errorAnswer{a.ID, &Error{}}, nil) }),
			"agent_failed: it has given up"},
	} {
		seat, _ := seated(t, g, request{}, tt.agent)
		s := g.New()
		s.Reset(1, nil)
		err := seat.Act([]*env.View{viewOf(t, s)}, make([]env.Action, 1))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
}

func TestSeatHandshake(t *testing.T) {
	for _, tt := range []struct {
		preamble []byte
		hello    request
		want     Code
	}{
		{[]byte("Traceback (most"), request{}, BadHandshake},
		{[]byte(magic + "\x02\x00\x00\x00"), request{}, BadVersion},
		{preamble(""), request{Op: "make"}, BadHandshake},
		{preamble(""), request{Op: "hello", Role: RoleSeat}, BadVersion},
		{preamble(""), request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, BadRole},
		{preamble(""), request{Op: "hello", Role: RoleSeat, Protocol: []int{1, 0}, Mask: "none"}, BadRequest},
	} {
		hello := must.Have(appendFrame(tt.preamble, &tt.hello, nil))(t)
		conn := struct {
			io.Reader
			io.Writer
		}{bytes.NewReader(hello), &bytes.Buffer{}}
		_, err := NewSeat(conn, kuhn.Open(2).Info(), "test", time.Second)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != tt.want {
			t.Errorf("%q: got %v, want %s", hello, err, tt.want)
		}
		f, _, err := readFrame(conn.Writer.(*bytes.Buffer), nil, 1<<20, nil)
		var told errorAnswer
		if err != nil || msgpack.Unmarshal(f.head, &told) != nil || told.Error.Code != tt.want || !told.Error.Fatal {
			t.Errorf("%q: the agent is told %+v, %v", hello, told.Error, err)
		}
	}
}
