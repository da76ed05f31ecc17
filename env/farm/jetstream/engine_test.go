package jetstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"earthgym/env/envtest/must"
	"earthgym/env/farm"
)

// hubAt is a hub, with its streams made.
func hubAt(t testing.TB, o HubOptions) (*Hub, *Client) {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	h := must.Have(Serve(o))(t)
	t.Cleanup(h.Close)
	c := client(t, h, "hub", o.Token)
	must.Do(t, c.Make(t.Context(), o.Most))
	return h, c
}

func client(t testing.TB, h *Hub, name, token string) *Client {
	t.Helper()
	c := must.Have(Dial(name, h.URL(), token))(t)
	t.Cleanup(c.Close)
	return c
}

// command is what the tests have done: pieces whose results are the squares of their numbers. By a share it does what
// is to be done, and gives the sum of what there is.
func command(s *farm.Share, pieces int, square func(i int) (int, error)) (sum int, err error) {
	ground := farm.Ground{"kind: squares", farm.Repeats}
	whole := slices.Contains(s.Command(), "whole")
	for i := range pieces {
		if whole {
			x := 0
			if _, err := s.Do(ground, i, []string{fmt.Sprintf("number: %d", i)}, &x, "", func() (err error) {
				x, err = square(i)
				return err
			}); err != nil {
				return 0, err
			}
			sum += x
			continue
		}
		p := s.Piece(ground, i, fmt.Sprintf("number: %d", i))
		p.Fits = func(_ int, parts []farm.Result) error {
			x, err := strconv.Atoi(string(parts[0].Is))
			parts[0].Read = digit(x % 10)
			return err
		}
		r, there := s.Find(p, 0)
		if !there && s.Mine(p) {
			x, err := square(i)
			if err != nil {
				return 0, err
			}
			if err := s.Keep(p, 0, x, nil, ""); err != nil {
				return 0, err
			}
			continue
		}
		if there {
			x := 0
			_, err = fmt.Sscan(string(r.Is), &x)
			sum += x
		}
	}
	return sum, err
}

// A digit is the last one of a square.
type digit float64

func (d digit) Values() []float64 { return []float64{float64(d)} }

func square(i int) (int, error) { return i * i, nil }

// A crew is workers at an engine that do command, each in its own way.
type crew struct {
	*testing.T
	at     func(name string) farm.Engine
	pieces int
	words  []string // of the command
}

// crewAt is a crew at a hub.
func crewAt(t *testing.T, h *Hub, pieces int) crew {
	return crew{t, func(name string) farm.Engine { return client(t, h, name, "") }, pieces, []string{"squares"}}
}

// start starts a worker until the test is over, or until stop is called.
func (c crew) start(name, program string, how func(i int) (int, error)) (stop func()) {
	ctx, cancel := context.WithCancel(c.Context())
	w := &farm.Worker{Name: name, Engine: c.at(name), Program: program, Slots: 1, Folder: c.TempDir(), Cache: c.TempDir(),
		Say: func(string, ...any) {},
		Do: func(ctx context.Context, b *farm.Bundle, s *farm.Share, _ string) error {
			_, err := command(s, c.pieces, how)
			return errors.Join(err, ctx.Err())
		}}
	var ended sync.WaitGroup
	ended.Go(func() { _ = w.Run(ctx) })
	stop = func() { cancel(); ended.Wait() }
	c.Cleanup(stop)
	return stop
}

// ask has all pieces done, and gives their sum and what was said meanwhile.
func (c crew) ask(dir string) (sum int, said string) {
	c.Helper()
	s, err := farm.Live(dir, "test", c.words)
	if err != nil {
		c.Fatal(err)
	}
	defer s.Close()
	var b strings.Builder
	j := &farm.Job{Name: "squares", Share: s, Engine: c.at("job"), Program: "test", Says: "squares",
		Files: func() (map[string][]byte, error) { return nil, nil }, Once: slices.Contains(c.words, "once"),
		Here: func(b *farm.Bundle) (*farm.Answer, error) {
			s := farm.Carry(c.TempDir(), "test", b, func(string) {})
			_, err := command(s, c.pieces, square)
			return s.Answer(), errors.Join(err, s.Close())
		},
		Check: func(string) error { return nil },
		Say:   func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) },
		Tell:  func(int, int, farm.Estimate) {}}
	s.Ask()
	if _, err := command(s, c.pieces, nil); err != nil {
		c.Fatal(err)
	}
	must.Do(c, j.Do(c.Context()))
	s.Show()
	if sum, err = command(s, c.pieces, nil); err != nil {
		c.Fatal(err)
	}
	return sum, b.String()
}

func (c crew) want() (sum int) {
	for i := range c.pieces {
		sum += i * i
	}
	return sum
}

// Whoever does the work, what comes of it is the same.
func TestWork(t *testing.T) {
	h, _ := hubAt(t, HubOptions{Token: "secret"})
	for _, workers := range []int{1, 3} {
		c := crew{t, func(name string) farm.Engine {
			if name == "job" {
				return client(t, h, name, "secret")
			}
			return client(t, h, name, WorkerToken("secret"))
		}, 500, []string{"squares"}}
		var stop []func()
		for k := range workers {
			stop = append(stop, c.start(fmt.Sprintf("worker-%d-%d", workers, k), "test", square))
		}
		if sum, said := c.ask(t.TempDir()); sum != c.want() || strings.Contains(said, "aside") {
			t.Errorf("%d workers: %d, want %d: %s", workers, sum, c.want(), said)
		}
		for _, stop := range stop {
			stop()
		}
	}
}

// A worker that forges is found out by what others make of the same, and what it has done is done again.
func TestForgery(t *testing.T) {
	h, _ := hubAt(t, HubOptions{})
	c := crewAt(t, h, 300)
	c.start("honest", "test", square)
	c.start("forger", "test", func(i int) (int, error) { return i*i + 1, nil })
	sum, said := c.ask(t.TempDir())
	if sum != c.want() {
		t.Errorf("%d, want %d", sum, c.want())
	}
	if strings.Contains(said, "honest is set aside") || !strings.Contains(said, "forger is set aside: block ") ||
		!strings.Contains(said, "came out otherwise elsewhere") {
		t.Errorf("said %q", said)
	}
}

// A piece that nobody can do is parked with the reason, and all else is done; nobody is blamed for it.
func TestParked(t *testing.T) {
	h, _ := hubAt(t, HubOptions{})
	c := crewAt(t, h, 60)
	poisoned := func(i int) (int, error) {
		switch i {
		case 17:
			return 0, errors.New("the agent has no arms")
		case 23:
			panic("and no legs")
		}
		return i * i, nil
	}
	for k := range 3 {
		c.start(fmt.Sprint("worker-", k), "test", poisoned)
	}
	sum, said := c.ask(t.TempDir())
	if want := c.want() - 17*17 - 23*23; sum != want {
		t.Errorf("%d, want %d", sum, want)
	}
	for _, want := range []string{"block 17 is parked", "no arms", "block 23 is parked", "and no legs"} {
		if !strings.Contains(said, want) {
			t.Errorf("said %q, without %q", said, want)
		}
	}
	if strings.Contains(said, "aside") {
		t.Errorf("said %q", said)
	}
}

// A run whose worker is stopped goes on elsewhere from what it has left, also where that is all of its folder.
func TestStopped(t *testing.T) {
	h, _ := hubAt(t, HubOptions{})
	for _, left := range []string{"run", "."} {
		begun := make(chan bool, 1)
		count := func(ctx context.Context, s *farm.Share, patient bool) (n int, err error) {
			_, err = s.Do(farm.Ground{"kind: counts", "left: " + left}, 0, nil, &n, left, func() error {
				file := filepath.Join(s.Dir(), left, "count")
				text, _ := os.ReadFile(file)
				n = len(text) + 1
				err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, append(text, '.'), 0o666))
				if patient {
					begun <- true
					<-ctx.Done()
				}
				return errors.Join(err, ctx.Err())
			})
			return n, err
		}
		start := func(name string, patient bool) (stop func()) {
			ctx, cancel := context.WithCancel(t.Context())
			w := &farm.Worker{Name: name, Engine: client(t, h, name, ""), Program: "test", Slots: 1, Folder: t.TempDir(),
				Cache: t.TempDir(), Say: func(string, ...any) {},
				Do: func(ctx context.Context, _ *farm.Bundle, s *farm.Share, _ string) error {
					_, err := count(ctx, s, patient)
					return err
				}}
			var ended sync.WaitGroup
			ended.Go(func() { _ = w.Run(ctx) })
			return func() { cancel(); ended.Wait() }
		}
		stop, other := start("patient-"+left[1:], true), make(chan func(), 1)
		go func() {
			<-begun
			stop()
			other <- start("busy-"+left[1:], false)
		}()
		out := t.TempDir()
		s := must.Have(farm.Live(out, "test", []string{"counts", left}))(t)
		s.Ask()
		_, err := count(t.Context(), s, false)
		j := &farm.Job{Name: "counts" + left[1:], Share: s, Engine: client(t, h, "job"+left[1:], ""), Program: "test",
			Says: "counts", Files: func() (map[string][]byte, error) { return nil, nil }, Say: t.Logf,
			Check: func(string) error { return nil }, Tell: func(int, int, farm.Estimate) {}}
		must.Do(t, errors.Join(err, j.Do(t.Context())))
		(<-other)()
		s.Show()
		n, err := count(t.Context(), s, false)
		text, wrong := os.ReadFile(filepath.Join(out, left, "count"))
		if err := errors.Join(err, wrong, s.Close()); err != nil || n != 2 || string(text) != ".." {
			t.Errorf("%q: counted %d, and left %q, not 2 and \"..\": %v", left, n, text, err)
		}
	}
}

// Another build is refused with both, and others do the work.
func TestSkew(t *testing.T) {
	h, _ := hubAt(t, HubOptions{})
	c := crewAt(t, h, 50)
	c.start("old", "older test", square)
	c.start("new", "test", square)
	sum, said := c.ask(t.TempDir())
	if sum != c.want() {
		t.Errorf("%d, want %d", sum, c.want())
	}
	if said != "" && !strings.Contains(said, `worker old can't do this: it is "older test", and not "test"`) {
		t.Errorf("said %q", said)
	}
}

// Of two answers of a worker the first one stays, and a store that is full refuses what is new and drops nothing.
func TestStore(t *testing.T) {
	_, c := hubAt(t, HubOptions{Most: 16 << 20})
	// On a busy disk it may be unknown whether something is done: it is done again, as workers and jobs do it.
	known := func(do func() error) (err error) {
		for err = do(); errors.Is(err, context.DeadlineExceeded); err = do() {
		}
		return err
	}
	answer := func(bundle string, text []byte) error {
		return known(func() error { return c.Answer(t.Context(), "job", bundle, text) })
	}
	for _, text := range []string{"first", "second"} {
		must.Do(t, answer("bundle", []byte(text)))
	}
	large := make([]byte, 1<<18)
	kept := 1
	for i := range 100 {
		err := answer(fmt.Sprint("large-", i), large)
		if errors.Is(err, farm.ErrFull) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kept++
	}
	if kept < 20 || kept > 40 {
		t.Errorf("%d answers are kept", kept)
	}
	ctx, stop := context.WithCancel(t.Context())
	var got []farm.Reply
	_ = c.Answers(ctx, "job", func(r farm.Reply) {
		if got = append(got, r); len(got) == kept {
			stop()
		}
	})
	if len(got) != kept || string(got[0].Text) != "first" || got[0].Worker != "hub" {
		t.Errorf("%d answers of %d, the first %q", len(got), kept, got[0].Text)
	}
	last := got[len(got)-1].Number
	must.Do(t, known(func() error { return c.Forget(t.Context(), "job", last) }))
	if err := answer("more", large); err != nil {
		t.Errorf("no room after all was forgotten: %v", err)
	}
}

// A tight is an engine that counts how often it had no room.
type tight struct {
	*Client
	full *atomic.Int64
}

func (e tight) Offer(ctx context.Context, job, bundle string, text []byte) error {
	return e.count(e.Client.Offer(ctx, job, bundle, text))
}

func (e tight) Answer(ctx context.Context, job, bundle string, text []byte) error {
	return e.count(e.Client.Answer(ctx, job, bundle, text))
}

func (e tight) count(err error) error {
	if errors.Is(err, farm.ErrFull) {
		e.full.Add(1)
	}
	return err
}

// Where the store is full, work and answers wait for room, and nothing is lost.
func TestFullStore(t *testing.T) {
	h, _ := hubAt(t, HubOptions{Most: 1 << 20})
	var full atomic.Int64
	c := crew{t, func(name string) farm.Engine { return tight{client(t, h, name, ""), &full} }, 40_000,
		[]string{"squares"}}
	for k := range 4 {
		c.start(fmt.Sprint("worker-", k), "test", square)
	}
	sum, said := c.ask(t.TempDir())
	if sum != c.want() || strings.Contains(said, "aside") || strings.Contains(said, "parked") {
		t.Errorf("%d, want %d: %s", sum, c.want(), said)
	}
	if full.Load() == 0 {
		t.Error("the store was never full")
	}
}

// BenchmarkWorkers has a thousand workers at one hub do bundles that take as long as these do at least.
func BenchmarkWorkers(b *testing.B) {
	const workers, slice = 1000, time.Second / 4
	for b.Loop() {
		begun := time.Now()
		h, hub := hubAt(b, HubOptions{})
		ctx, stop := context.WithCancel(b.Context())
		var all sync.WaitGroup
		var took atomic.Int64
		for k := range workers {
			all.Go(func() {
				me := client(b, h, fmt.Sprint("worker-", k), "")
				for ctx.Err() == nil {
					text, err := json.Marshal(farm.Life{Slots: 1})
					if err == nil {
						err = me.Tell(ctx, text)
					}
					task, failed := me.Take(ctx)
					if failed != nil {
						continue
					}
					time.Sleep(slice)
					err = errors.Join(err, me.Answer(ctx, "job", fmt.Sprint(took.Add(1)), make([]byte, 10_000)), task.Done(ctx))
					if err != nil && ctx.Err() == nil {
						b.Error(err)
					}
				}
			})
		}
		const bundles = 4 * workers
		for n := range bundles {
			if err := hub.Offer(ctx, "job", fmt.Sprint(n), make([]byte, 1000)); err != nil {
				b.Fatal(err)
			}
		}
		offered := time.Since(begun)
		n := 0
		answering, enough := context.WithCancel(ctx)
		_ = hub.Answers(answering, "job", func(farm.Reply) {
			if n++; n == bundles {
				enough()
			}
		})
		done := time.Now()
		told, err := hub.Told(ctx)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(told.Lives)), "workers")
		b.ReportMetric(time.Since(done).Seconds()*1000, "ms/look")
		b.ReportMetric(bundles/offered.Seconds(), "offers/s")
		b.ReportMetric(bundles/done.Sub(begun).Seconds(), "bundles/s")
		stop()
		all.Wait()
	}
}

// A worker speaks in its own name alone, and takes work and no answers.
func TestRights(t *testing.T) {
	h, hub := hubAt(t, HubOptions{Token: "secret"})
	for _, token := range []string{"", "wrong", "secret ", WorkerToken("wrong")} {
		_, err := Dial("x", h.URL(), token)
		if err == nil || !strings.Contains(err.Error(), "lets nobody in with this token") {
			t.Errorf("token %q: %v", token, err)
		}
	}
	w := client(t, h, "worker", WorkerToken("secret"))
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	must.Do(t, hub.Offer(ctx, "job", "a", []byte("work")))
	must.Do(t, hub.Put(ctx, "file", []byte("content")))
	task, err := w.Take(ctx)
	if err != nil || string(task.Text) != "work" {
		t.Fatalf("%v, %v", task, err)
	}
	if content, err := w.Get(ctx, "file"); err != nil || string(content) != "content" {
		t.Errorf("%q, %v", content, err)
	}
	if err := errors.Join(w.Answer(ctx, "job", "a", []byte("done")), task.Done(ctx)); err != nil {
		t.Error(err)
	}
	denied := make(chan error, 10)
	w.conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	for _, subject := range []string{"done.other.job.a", "alive.other", "work.job.b", "$JS.API.STREAM.PURGE." + doneStream,
		"$JS.API.STREAM.DELETE." + workStream} {
		must.Do(t, errors.Join(w.conn.Publish(subject, []byte("x")), w.conn.Flush()))
		select {
		case err := <-denied:
			if !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
				t.Errorf("%s: %v", subject, err)
			}
		case <-ctx.Done():
			t.Fatalf("%s is allowed", subject)
		}
	}
}

// The store may be deleted at any time: that costs time, and never a result.
func TestStoreDeleted(t *testing.T) {
	folder := t.TempDir()
	h, hub := hubAt(t, HubOptions{Folder: folder})
	address := strings.TrimPrefix(h.URL(), "nats://")
	c := crewAt(t, h, 2000)
	var once sync.Once
	slow := func(i int) (int, error) {
		if i > 700 {
			once.Do(func() {
				h.Close()
				if err := os.RemoveAll(folder); err != nil {
					t.Error(err)
				}
				again, err := Serve(HubOptions{Listen: address, Folder: folder})
				if err != nil {
					t.Error(err)
					return
				}
				t.Cleanup(again.Close)
				made, err := Dial("hub-again", again.URL(), "")
				if err == nil {
					err = made.Make(t.Context(), 0)
					made.Close()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		return i * i, nil
	}
	c.start("a", "test", slow)
	c.start("b", "test", slow)
	sum, said := c.ask(t.TempDir())
	if sum != c.want() {
		t.Errorf("%d, want %d: %s", sum, c.want(), said)
	}
	hub.Close()
}

// A file is what was put under its hash.
func TestFilesAreChecked(t *testing.T) {
	_, c := hubAt(t, HubOptions{})
	content := make([]byte, 3<<20)
	for i := range content {
		content[i] = byte(rand.N(256))
	}
	for range 2 {
		must.Do(t, c.Put(t.Context(), "a", content))
	}
	got, err := c.Get(t.Context(), "a")
	if err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := c.Get(t.Context(), "b"); err == nil {
		t.Error("a file that is not there was got")
	}
}

// Of two hubs at one address the second is told so, at once and by what the system says.
func TestTwoHubsAtOneAddress(t *testing.T) {
	first := must.Have(Serve(HubOptions{Listen: "127.0.0.1:0", Folder: t.TempDir()}))(t)
	defer first.Close()
	at := strings.TrimPrefix(first.URL(), "nats://")
	second, err := Serve(HubOptions{Listen: at, Folder: t.TempDir()})
	if err == nil {
		second.Close()
	}
	if taken := (*net.OpError)(nil); !errors.As(err, &taken) {
		t.Errorf("got %v, want that the address is taken", err)
	}
}
