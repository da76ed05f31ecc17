package pipe

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

var frames = flag.Int("frames", 20000, "mutated frames that TestMutatedFrames sends")

// faults is a log handler that counts faults of the server.
type faults struct {
	slog.Handler
	t testing.TB
}

func (f faults) Enabled(context.Context, slog.Level) bool { return true }
func (f faults) WithAttrs([]slog.Attr) slog.Handler       { return f }
func (f faults) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "fault" {
		var text strings.Builder
		r.Attrs(func(a slog.Attr) bool { text.WriteString(a.String() + "\n"); return true })
		f.t.Errorf("a fault of the server: %s", text.String())
	}
	return nil
}

// tightServer has limits that make every breach of them quick.
func tightServer(t testing.TB) *Server {
	s := testServer()
	s.Log = slog.New(faults{t: t})
	s.Workers = 1
	s.Limits = Limits{Frame: 1 << 16, Envs: 4, Lanes: 64, Memory: 4 << 20, Clients: 1}
	return s
}

// wire is a connection whose other end has said all it will say, and reads nothing twice.
type wire struct {
	io.Reader
	out bytes.Buffer
}

func (w *wire) Write(b []byte) (int, error) { return w.out.Write(b) }
func (w *wire) Close() error                { return nil }

// goldenRequests are the frames that a client sends in the golden session.
func goldenRequests(t testing.TB) [][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/frames/[0-9]*.request")
	if err != nil || len(names) < 15 {
		t.Fatalf("%d golden requests, %v", len(names), err)
	}
	var list [][]byte
	for _, name := range names {
		b := must.Have(os.ReadFile(name))(t)
		list = append(list, b)
	}
	return list
}

// Whatever a client sends, the server answers with frames or hangs up.
func FuzzServer(f *testing.F) {
	session := preamble("")
	for _, b := range goldenRequests(f) {
		session = append(session, b...)
		f.Add(bytes.Clone(session))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w := &wire{Reader: bytes.NewReader(b)}
		tightServer(t).ServeConn(t.Context(), w, true)
		for w.out.Len() > 0 {
			answer, _, err := readFrame(&w.out, nil, 1<<30, nil)
			if err != nil {
				t.Fatal(err)
			}
			must.Do(t, WellFormed(answer.head))
		}
	})
}

// FuzzHead checks that the cheap check of heads lets nothing through at which the decoder breaks.
func FuzzHead(f *testing.F) {
	for _, b := range goldenRequests(f) {
		f.Add(b[prefix : prefix+binary.LittleEndian.Uint32(b[4:])])
	}
	f.Fuzz(func(_ *testing.T, b []byte) {
		if WellFormed(b) != nil {
			return
		}
		_, op := addressOf(b)
		_ = operationOf(op)
		for _, r := range []any{
			&helloRequest{}, &makeRequest{}, &resetRequest{}, &observeRequest{}, &copyRequest{}, &redealRequest{},
			&storyRequest{},
			&parseRequest{}, &viewRequest{}, &sampleRequest{}, &reply{},
		} {
			_ = decodeHead(b, r)
		}
	})
}

// What an agent answers breaks nothing at the table.
func FuzzSeat(f *testing.F) {
	for _, name := range []string{"seat-1-new_game.answer", "seat-2-sample.request", "seat-2-act.answer"} {
		b := must.Have(os.ReadFile(filepath.Join("testdata/frames", name)))(f)
		f.Add(b)
	}
	hello, err := appendFrame(preamble(""), request{ID: 1, Op: "hello", Protocol: []int{1, 0}, Role: RoleSeat}, nil)
	if err != nil {
		f.Fatal(err)
	}
	all := testServer().Registry
	g := must.Have(all.Open("kuhn"))(f)
	s := g.New()
	s.Reset(1, nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		w := &wire{Reader: io.MultiReader(bytes.NewReader(hello), bytes.NewReader(b))}
		seat := must.Have(NewSeat(w, g.Info(), "test", time.Second))(t)
		out := make([]env.Action, 1)
		for range 3 {
			if err := seat.Act([]*env.View{env.ViewOf(s)}, out); err == nil && out[0] != 0 && out[0] != 1 {
				t.Fatalf("action %d", out[0])
			}
		}
	})
}

// Frames of a good session with bytes changed, cut, doubled and swapped: an answer or the end of that
// connection, no fault, and no memory that stays.
func TestMutatedFrames(t *testing.T) {
	requests := goldenRequests(t)
	luck := env.NewStream(20, "frames")
	start := func() *session {
		s := tightServer(t)
		ses := s.session(s.Log, true)
		f, _, err := readFrame(bytes.NewReader(requests[0]), nil, 1<<16, nil)
		if err != nil {
			t.Fatal(err)
		}
		must.Have(ses.answer(f))(t)
		return ses
	}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ses, answered, refused := start(), 0, 0
	for n := 0; n < *frames; n++ {
		b := mutate(&luck, requests)
		r := bytes.NewReader(b)
		for r.Len() > 0 {
			f, _, err := readFrame(r, nil, ses.server.Limits.Frame, nil)
			if err == nil {
				_, err = ses.answer(f)
				answered++
			}
			if err != nil {
				refused++
				ses.close()
				ses = start()
				break
			}
		}
		if n%1000 == 999 {
			ses.close()
			ses = start()
		}
	}
	ses.close()
	var after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d bytes more in use after %d frames", grown, *frames)
	}
	if answered < *frames/10 || refused < *frames/100 {
		t.Errorf("of %d frames %d were answered and %d ended the connection", *frames, answered, refused)
	}
	t.Logf("%d frames: %d answered, %d ended the connection", *frames, answered, refused)
}

// mutate gives one of the frames, changed.
func mutate(luck *env.Stream, from [][]byte) []byte {
	b := bytes.Clone(from[luck.Below(len(from))])
	for range 1 + luck.Below(3) {
		if len(b) == 0 {
			return b
		}
		at := luck.Below(len(b))
		switch luck.Below(8) {
		case 0, 1:
			b[at] = byte(luck.Below(256))
		case 2:
			b[at] ^= 1 << luck.Below(8)
		case 3:
			b = b[:at]
		case 4:
			b = append(b[:at:at], append([]byte{byte(luck.Below(256))}, b[at:]...)...)
		case 5:
			b = append(b, from[luck.Below(len(from))]...)
		case 6: // a number as large as can be
			for k := at; k < min(at+8, len(b)); k++ {
				b[k] = 0xff
			}
		default: // as msgpack, with the length put right
			b = b[:at+copy(b[at:], b[luck.Below(len(b)):])]
		}
		if len(b) >= prefix && luck.Below(2) == 0 {
			binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
		}
	}
	return b
}
