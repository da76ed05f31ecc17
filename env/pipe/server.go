package pipe

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"earthgym/env/internal/team"
	"earthgym/env/registry"
)

// Roles of a client.
const (
	RoleOwner = "owner" // of environments: may ask for all there is to know about them
	RoleSeat  = "seat"  // at a table of somebody else's: gets its Views
)

const (
	// handshakeTime is how long a client may take for its preamble and hello.
	handshakeTime = 10 * time.Second
	// lingerTime is how long what a client still sends is thrown away after its last answer: to hang up on it
	// would take that answer back.
	lingerTime = time.Second
	// graceTime is how long requests under way may take once the server is to end.
	graceTime = 2 * time.Second
	// refusals is how many clients are told at a time that there is no place for them.
	refusals = 16
)

// defaultPatience is that of a Server that doesn't say.
const defaultPatience = 60 * time.Second

// A Server steps environments for clients. Its fields must not be changed once it serves.
type Server struct {
	Registry registry.Registry // the games
	Agents   OpenAgent         // who plays the seats that clients don't; nil = nobody
	Program  string            // name and version, for the handshake
	Token    []byte            // that clients must know; empty = none is asked for
	Limits   Limits            // for each client; the zero value stands for DefaultLimits
	Memory   int64             // bytes that all clients may take together, as the server counts them; 0 = 8 GiB
	Log      *slog.Logger      // nil = none
	Workers  int               // goroutines that step; 0 = as many as there are cores to run on
	// how long an answer may lie unread on a socket before its client counts as dead; 0 = a minute
	Patience time.Duration

	memory  memory
	wrong   throttle
	opening sync.Mutex // held by who reads what a client has sent or named: one at a time needs memory for that
}

// Serve serves every connection of a listener until the context is done, then closes them all and
// returns nil; it waits two seconds at most for what is being done for them. The listener is closed in any case.
// Shared memory is offered to clients of a Unix socket.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer l.Close()
	var clients sync.WaitGroup
	defer s.awaitAll(&clients)
	defer cancel()
	places, refusing := make(chan struct{}, s.limits().Clients), make(chan struct{}, refusals)
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			if temporary, ok := errors.AsType[net.Error](err); ok && temporary.Timeout() {
				continue
			}
			return fmt.Errorf("cannot accept a client: %w", err)
		}
		select {
		case places <- struct{}{}:
		default:
			refusing <- struct{}{}
			clients.Go(func() {
				defer func() { <-refusing }()
				s.refuse(c)
			})
			continue
		}
		clients.Go(func() {
			defer func() { <-places }()
			_, local := c.(*net.UnixConn)
			s.ServeConn(ctx, c, local)
		})
	}
}

// awaitAll waits for clients, but not for ever.
func (s *Server) awaitAll(clients *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { clients.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(graceTime):
		s.log().Warn("a request is still under way")
	}
}

// refuse answers a client for whom there is no place.
func (s *Server) refuse(c net.Conn) {
	s.log().Warn("refused", "client", c.RemoteAddr().String(), "reason", "too many clients")
	e := fatalf(Limit, "%d clients are connected, which is the limit", s.limits().Clients)
	b, err := appendFrame(nil, errorAnswer{0, e}, nil)
	if err == nil {
		_ = c.SetWriteDeadline(time.Now().Add(lingerTime))
		_, _ = c.Write(b)
	}
	hangUp(c)
}

// hangUp closes a connection after its last answer, which the client is to get, whatever it still sends.
func hangUp(c io.ReadWriteCloser) {
	if half, ok := c.(interface {
		CloseWrite() error
		SetReadDeadline(time.Time) error
	}); ok && half.CloseWrite() == nil && half.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.Copy(io.Discard, c)
	}
	_ = c.Close()
}

// limits are those of one client. None can have more memory than there is for all.
func (s *Server) limits() Limits {
	l := s.Limits
	if l == (Limits{}) {
		l = DefaultLimits()
	}
	l.Memory = min(l.Memory, s.share().limit)
	return l
}

// share is a new client's of the server's memory.
func (s *Server) share() *share {
	if s.Memory == 0 {
		return &share{of: &s.memory, limit: defaultMemory}
	}
	return &share{of: &s.memory, limit: s.Memory}
}

func (s *Server) log() *slog.Logger {
	if s.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Log
}

// ServeConn serves one client until it leaves, breaks the protocol, or the context is done, and closes
// the connection. Local says that client and server have a memory in common, so that arrays may be
// shared. What the client made is freed.
func (s *Server) ServeConn(ctx context.Context, c io.ReadWriteCloser, local bool) {
	name := "stdio"
	if n, ok := c.(net.Conn); ok {
		name = n.RemoteAddr().Network() + " " + n.RemoteAddr().String()
	}
	log := s.log().With("client", name)
	log.Info("connected")
	ses := s.session(log, local)
	err := ses.serve(ctx, c)
	ses.close()
	if _, ok := errors.AsType[*Error](err); ok {
		hangUp(c)
	} else {
		_ = c.Close()
	}
	switch {
	case err == nil || errors.Is(err, io.EOF):
		log.Info("left", "requests", ses.requests)
	case ctx.Err() != nil:
		log.Info("closed", "requests", ses.requests)
	default:
		log.Warn("dropped", "requests", ses.requests, "reason", err.Error())
	}
}

// session is one client.
type session struct {
	server   *Server
	log      *slog.Logger
	local    bool
	encoding encoding
	greeted  bool
	batches  map[uint64]*batch
	team     *team.Team // that steps them; nil before the first
	handles  uint64     // given so far
	lanes    int
	memory   int64  // of its batches
	share    *share // of the server's memory: batches, buffers and the answer under way
	loan     int64  // for the answer under way
	requests int
	out      []byte
}

func (s *Server) session(log *slog.Logger, local bool) *session {
	return &session{server: s, log: log, local: local, batches: map[uint64]*batch{}, share: s.share()}
}

func (ses *session) close() {
	for _, b := range ses.batches {
		b.close()
	}
	ses.batches = nil
	if ses.team != nil {
		ses.team.Close()
	}
	ses.share.close()
}

// take takes memory for a batch, out of the client's limit and the server's.
func (ses *session) take(n int64) error {
	if left := ses.server.limits().Memory - ses.memory; n > left {
		return errorf(Limit, "the batch takes %d bytes; %d are left of the limit", n, max(left, 0))
	}
	if err := ses.share.take(n); err != nil {
		return err
	}
	ses.memory += n
	return nil
}

// release gives back what take took.
func (ses *session) release(n int64) {
	ses.memory -= n
	ses.share.give(n)
}

// borrow takes memory for the answer under way: n bytes in all.
func (ses *session) borrow(n int) error {
	more := int64(n) - ses.loan
	if more <= 0 {
		return nil
	}
	if err := ses.share.take(more); err != nil {
		return err
	}
	ses.loan += more
	return nil
}

// readAhead is the size of an answer from which on the next request is read while it is written: the client
// may not get to reading before it has sent that.
const readAhead = 1 << 14

// incoming is a frame that has been read, in its buffer.
type incoming struct {
	frame
	buf []byte
	err error
}

// serve answers requests in order. Small answers are read and written by this goroutine alone, which is
// what makes a round trip short.
func (ses *session) serve(ctx context.Context, c io.ReadWriteCloser) error {
	if !littleEndian() {
		return errors.New("arrays are little-endian, and this machine is not")
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	deadline, _ := c.(interface{ SetReadDeadline(time.Time) error })
	ses.patient(c)
	r, looker := bufio.NewReaderSize(c, 1<<16), newLooker(c)
	if err := ses.admit(ctx, c, r); err != nil {
		return ses.fail(c, err)
	}
	read := func(buf []byte) (in incoming) {
		looker.wait(r)
		in.frame, in.buf, in.err = readFrame(r, buf, ses.server.limits().Frame, ses.share)
		return in
	}
	in, ahead, spare := read(nil), make(chan incoming, 1), []byte(nil)
	for {
		if in.err != nil {
			return ses.fail(c, in.err)
		}
		ses.requests++
		out, err := ses.answer(in.frame)
		if cap(in.buf) > rare {
			ses.share.give(int64(cap(in.buf)))
			in.buf = nil
		}
		reading := err == nil && len(out) >= readAhead
		if reading {
			buf := spare
			go func() { ahead <- read(buf) }()
		}
		if e := ses.write(c, out); e != nil {
			return e
		}
		if cap(ses.out) > rare {
			ses.out = nil
		}
		ses.share.give(ses.loan)
		ses.loan = 0
		if err != nil {
			return err
		}
		if ses.greeted && deadline != nil {
			_ = deadline.SetReadDeadline(time.Time{})
			deadline = nil
		}
		if spare = in.buf; reading {
			in = <-ahead
		} else {
			in = read(spare)
		}
	}
}

// admit reads the preamble, of a client that has given wrong tokens in its turn.
func (ses *session) admit(ctx context.Context, c io.ReadWriteCloser, r io.Reader) error {
	if len(ses.server.Token) == 0 {
		return readPreamble(r, nil)
	}
	from, throttle := host(c), &ses.server.wrong
	if wait := throttle.turn(from, time.Now()); wait >= handshakeTime {
		return fatalf(Limit, "there were too many wrong tokens: try again in %v", wait.Round(time.Second))
	} else if wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		ses.patient(c) // The client has waited for us.
	}
	err := readPreamble(r, ses.server.Token)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == Unauthorized {
		throttle.wrong(from, time.Now())
	}
	return err
}

// patient gives the client its time for preamble and hello, from now on.
func (ses *session) patient(c io.ReadWriteCloser) {
	if d, ok := c.(interface{ SetReadDeadline(time.Time) error }); ok {
		_ = d.SetReadDeadline(time.Now().Add(handshakeTime)) // not every file can; then the client is a parent process
	}
}

// fail tells the client of the error that ends the connection, unless it is the client that has ended it.
func (ses *session) fail(c io.Writer, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if out, err := appendFrame(nil, errorAnswer{0, e}, nil); err == nil {
			_ = ses.write(c, out) // The connection ends either way.
		}
	}
	return err
}

func (ses *session) write(c io.Writer, b []byte) error {
	if d, ok := c.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = d.SetWriteDeadline(time.Now().Add(cmp.Or(ses.server.Patience, defaultPatience)))
	}
	_, err := c.Write(b)
	return err
}

// readPreamble reads what comes before all frames: magic, major version, token.
func readPreamble(r io.Reader, token []byte) error {
	var b [len(magic) + 4]byte
	n, err := io.ReadFull(r, b[:])
	switch {
	case errors.Is(err, io.EOF):
		return err
	case !bytes.HasPrefix(b[:n], []byte(magic)[:min(n, len(magic))]):
		return fatalf(BadHandshake, "the conversation begins with %q, not with %s: was something printed to standard output?",
			b[:n], magic)
	case err != nil:
		return fatalf(BadHandshake, "the preamble is cut off: %v", err)
	}
	major, length := binary.LittleEndian.Uint16(b[len(magic):]), binary.LittleEndian.Uint16(b[len(magic)+2:])
	if length > MaxToken {
		return fatalf(BadHandshake, "a token of %d bytes; at most %d are read", length, MaxToken)
	}
	given := make([]byte, length)
	if _, err := io.ReadFull(r, given); err != nil {
		return fatalf(BadHandshake, "the preamble is cut off: %v", err)
	}
	if len(token) > 0 && subtle.ConstantTimeCompare(given, token) != 1 {
		return fatalf(Unauthorized, "the token is wrong or missing")
	}
	if major != Major {
		return fatalf(BadVersion, "protocol version %d; this program speaks version %d", major, Major)
	}
	return nil
}

// answer does what a frame asks for and gives the frame that answers it, valid until the next call. An
// error ends the connection after that frame.
func (ses *session) answer(f frame) (out []byte, err error) {
	var id uint64
	var op []byte
	defer func() {
		if what := recover(); what != nil { // of a game or an agent: other clients must not notice
			stack := debug.Stack()
			if elsewhere, ok := what.(fault); ok {
				stack = elsewhere.stack
			}
			ses.log.Error("fault", "op", string(op), "fault", fmt.Sprint(what), "stack", string(stack))
			e := fatalf(Internal, "%s: %v", op, what)
			out, _ = appendFrame(ses.out[:0], errorAnswer{id, e}, nil)
			err = e
		}
	}()
	var head any
	var payload []byte
	if e := WellFormed(f.head); e != nil {
		err = badHead(e)
	} else {
		id, op = addressOf(f.head)
		head, payload, err = ses.do(op, f)
	}
	if b, ok := head.(*batch); ok && err == nil {
		return b.reply(id), nil
	}
	if err == nil {
		err = ses.borrow(2 * len(payload))
	}
	if err == nil {
		if ses.out, err = appendFrame(ses.out[:0], head, payload); err == nil {
			return ses.out, nil
		}
	}
	e := asError(err)
	if e.Code == Internal {
		ses.log.Error("fault", "op", string(op), "fault", err.Error())
	}
	if !ses.greeted {
		e.Fatal = true
	}
	if ses.out, err = appendFrame(ses.out[:0], errorAnswer{id, e}, nil); err != nil {
		return nil, err
	}
	if e.Fatal {
		return ses.out, e
	}
	return ses.out, nil
}

func (s *Server) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}
