package pipe

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// listening serves at a socket until the test is over.
func listening(t *testing.T, s *Server, network, address string) (connect func() *client, stop func() time.Duration) {
	t.Helper()
	l := must.Have(net.Listen(network, address))(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	stop = func() time.Duration {
		start := time.Now()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		done <- nil
		return time.Since(start)
	}
	t.Cleanup(func() { stop() })
	return func() *client {
		conn := must.Have(net.Dial(network, l.Addr().String()))(t)
		t.Cleanup(func() { conn.Close() })
		return &client{t: t, conn: conn}
	}, stop
}

// A client for whom there is no place always reads why, though it has said something before it reads.
func TestRefusedClientsAreTold(t *testing.T) {
	for _, network := range []string{"unix", "tcp"} {
		s := testServer()
		s.Limits = DefaultLimits()
		s.Limits.Clients = 1
		address := "127.0.0.1:0"
		if network == "unix" {
			address = filepath.Join(t.TempDir(), "socket")
		}
		connect, _ := listening(t, s, network, address)
		one := connect()
		one.send(preamble(""))
		one.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
		for range 50 {
			c := connect()
			b, err := appendFrame(preamble(""), &request{ID: 1, Op: "hello", Role: RoleOwner, Protocol: []int{1, 0},
				Client: strings.Repeat("x", 1<<16)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.conn.Write(b[:100])
			if err == nil {
				time.Sleep(2 * time.Millisecond) // in which the refusal arrives
				_, err = c.conn.Write(b[100:])
			}
			if err != nil {
				t.Fatalf("%s: the server has hung up on a client that speaks: %v", network, err)
			}
			if _, err := c.answer(nil); asError(err).Code != Limit {
				t.Fatalf("%s: got %v, want %s", network, err, Limit)
			}
			c.conn.Close()
		}
	}
}

// Other last words arrive too.
func TestLastWordsArrive(t *testing.T) {
	s := testServer()
	s.Limits = DefaultLimits()
	s.Limits.Frame = 4096
	connect, _ := listening(t, s, "tcp", "127.0.0.1:0")
	c := connect()
	c.send(preamble(""))
	c.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
	b := must.Have(appendFrame(nil, &request{ID: 2, Op: "info", Game: "kuhn"}, make([]byte, 8<<20)))(t)
	c.send(b)
	if _, err := c.answer(nil); asError(err).Code != FrameTooLarge {
		t.Errorf("got %v", err)
	}
}

// Who guesses tokens gets to try one a second; who has erred once gets in.
func TestWrongTokens(t *testing.T) {
	s := testServer()
	s.Token = []byte("secret")
	connect, _ := listening(t, s, "tcp", "127.0.0.1:0")
	try := func(token string) error {
		c := connect()
		c.send(preamble(token))
		_, err := c.ask(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
		c.conn.Close()
		return err
	}
	start := time.Now()
	if err := try("guess"); asError(err).Code != Unauthorized {
		t.Errorf("got %v", err)
	}
	if err := try("secret"); err != nil || time.Since(start) < penalty {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	var waiting []*client
	for range 20 { // all at once
		c := connect()
		c.send(preamble("guess"))
		waiting = append(waiting, c)
	}
	for _, c := range waiting {
		if _, err := c.answer(nil); asError(err).Code != Unauthorized && asError(err).Code != Limit {
			t.Errorf("got %v", err)
		}
	}
	if err := try("secret"); asError(err).Code != Limit {
		t.Errorf("after 20 guesses: %v", err)
	}
}

func TestThrottle(t *testing.T) {
	var th throttle
	now := time.Now()
	th.wrong("a", now)
	th.wrong("a", now)
	th.wrong("b", now)
	for host, want := range map[string]time.Duration{"a": 2 * penalty, "b": penalty, "c": 0} {
		if got := th.turn(host, now); got != want {
			t.Errorf("%s waits %v, not %v", host, got, want)
		}
	}
	th.wrong("c", now.Add(penalty+1))
	if len(th.until) != 2 || th.turn("b", now.Add(penalty+1)) != 0 {
		t.Errorf("it remembers %v", th.until)
	}
}

// A request that takes its time does not keep the server from ending.
func TestServeEndsInTime(t *testing.T) {
	s := testServer()
	release := make(chan struct{})
	defer close(release)
	s.Agents = func(string, env.Game) (Maker, error) {
		return Maker{New: func() (env.Agent, error) { return asleep{release}, nil }}, nil
	}
	connect, stop := listening(t, s, "tcp", "127.0.0.1:0")
	c := connect()
	c.send(preamble(""))
	c.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
	b := must.Have(appendFrame(nil, &request{ID: 2, Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(1)),
		Opponents: []string{"asleep"}}, nil))(t)
	c.send(b)
	time.Sleep(50 * time.Millisecond) // It has begun.
	if took := stop(); took > 10*time.Minute {
		t.Errorf("it took %v", took)
	}
}

// asleep decides once it is woken.
type asleep struct{ release chan struct{} }

func (asleep) Name() string { return "asleep" }
func (asleep) Reset(uint64) {}
func (a asleep) Act(*env.View) (env.Action, error) {
	<-a.release
	return -1, errors.New("what?")
}

// However long what a client sends, what it is told is short and safe to print; and no head is larger than the
// protocol says.
func TestAnswersAreShort(t *testing.T) {
	c := greet(t, testServer(), request{})
	long := strings.Repeat("\x1b[31mx\u202e", 1<<16)
	m := c.make(request{Game: "kuhn", Lanes: 1, Record: true}, "")
	for _, r := range []request{
		{Op: long}, {Op: "info", Game: long}, {Op: "info", Game: "kuhn:" + long}, {Op: "info", Game: "kuhn:players=" + long},
		{Op: "make", Game: "kuhn", Lanes: 1, Autoreset: long}, {Op: "make", Game: "kuhn", Lanes: 1, Illegal: long},
		{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(0)), Opponents: []string{long}},
		{Op: "parse", Env: m.Env, Texts: []string{long}},
	} {
		_, err := c.ask(r, nil, nil)
		e := asError(err)
		if e.Code == Internal || len(e.Message) > longest || strings.ContainsAny(e.Message, "\x1b\u202e\n") {
			t.Errorf("%.20s %.20s: %d bytes, %v", r.Op, r.Game, len(e.Message), e)
		}
	}
	for _, payload := range []string{long, `{"cards": "` + long + `"}`, `{"` + long + `": 1}`} {
		_, err := c.ask(request{Op: "set_position", Env: m.Env}, []byte(payload), nil)
		if e := asError(err); e.Code != BadPosition || len(e.Message) > longest ||
			strings.ContainsAny(e.Message, "\x1b\u202e\n") {
			t.Errorf("%.20s: %d bytes, %v", payload, len(e.Message), e)
		}
	}
	s := testServer()
	s.Limits = DefaultLimits()
	c = greet(t, s, request{})
	m = c.make(request{Game: "kuhn", Lanes: int64(s.Limits.Lanes)}, "")
	if e := c.code(request{Op: "episodes", Env: m.Env}, nil, Limit); e.Fatal {
		t.Error("too many episodes end the connection")
	}
	which := make([]int64, 1024)
	for i := range which {
		which[i] = int64(i)
	}
	c.must(request{Op: "episodes", Env: m.Env, Which: which}, nil, nil)
	c.must(request{Op: "seeds", Env: m.Env}, nil, nil)
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"plain · text": "plain · text", "a\x1b[31mb\nc": `a\x1b[31mb\nc`, "\u202e": `\u202e`, "\xff": `\xff`,
		strings.Repeat("é", 2000): strings.Repeat("é", 333) + " … " + strings.Repeat("é", 125),
	} {
		if got := sentence(text); got != want {
			t.Errorf("%.20q: got %q, want %q", text, got, want)
		}
	}
	if got := sentence(strings.Repeat("\x01", 900)); len(got) > longest {
		t.Errorf("%d bytes", len(got))
	}
}
