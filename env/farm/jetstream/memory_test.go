package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earthgym/env/envtest/must"
	"earthgym/env/farm"
)

// A memory is an engine without a network, whose times pass as the test says. It may give a bundle to several at once.
type memory struct {
	mu      sync.Mutex
	copies  int // workers that each bundle is given to
	bundles []*held
	answers []farm.Reply
	lives   map[string]life
	files   sync.Map // []byte by hash
}

type held struct {
	job, name string
	text      []byte
	free      []time.Time // of each copy
}

type life struct {
	text []byte
	at   time.Time
}

// A seat is one at a memory.
type seat struct {
	*memory
	name string
}

func (s seat) Offer(_ context.Context, job, bundle string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bundles = append(s.bundles, &held{job, bundle, text, make([]time.Time, s.copies)})
	return nil
}

func (s seat) Take(ctx context.Context) (*farm.Task, error) {
	for ; ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		if task := s.take(); task != nil {
			return task, nil
		}
	}
	return nil, ctx.Err()
}

func (s seat) take() *farm.Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.bundles {
		for k, free := range b.free {
			if free.After(time.Now()) {
				continue
			}
			until := func(d time.Duration) error {
				s.mu.Lock()
				defer s.mu.Unlock()
				b.free[k] = time.Now().Add(d)
				return nil
			}
			b.free[k] = time.Now().Add(lease)
			return &farm.Task{Text: b.text, Extend: func() error { return until(lease) }, Back: until,
				Done: func(context.Context) error { return until(1000 * time.Hour) }}
		}
	}
	return nil
}

func (s seat) Answer(_ context.Context, _, bundle string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := uint64(len(s.answers) + 1)
	s.answers = append(s.answers, farm.Reply{Number: number, Worker: s.name, Bundle: bundle, Text: text})
	return nil
}

func (s seat) Answers(ctx context.Context, _ string, each func(farm.Reply)) error {
	for n := 0; ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		all := slices.Clone(s.answers[n:])
		s.mu.Unlock()
		n += len(all)
		for _, r := range all {
			each(r)
		}
	}
	return ctx.Err()
}

func (s seat) Forget(context.Context, string, uint64) error { return nil }

func (s seat) Put(_ context.Context, hash string, content []byte) error {
	s.files.Store(hash, content)
	return nil
}

func (s seat) Get(_ context.Context, hash string) ([]byte, error) {
	content, there := s.files.Load(hash)
	if !there {
		return nil, errors.New("no such file")
	}
	return content.([]byte), nil
}

func (s seat) Tell(_ context.Context, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lives[s.name] = life{text, time.Now()}
	return nil
}

func (s seat) Told(context.Context) (*farm.Told, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &farm.Told{Since: "once", Lives: map[string][]byte{}}
	for name, l := range s.lives {
		if time.Since(l.at) < alive {
			t.Lives[name] = l.text
		}
	}
	return t, nil
}

// remembering is a crew at a memory, in the time of a bubble.
func remembering(t *testing.T, copies, pieces int) (crew, *memory) {
	m := &memory{copies: copies, lives: map[string]life{}}
	return crew{t, func(name string) farm.Engine { return seat{m, name} }, pieces, []string{"squares"}}, m
}

// A worker that keeps its lease and does nothing holds up the rest for minutes, and not for ever.
func TestIdleWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, m := remembering(t, 1, 300)
		ctx, stop := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		ended.Go(func() {
			me := seat{m, "idle"}
			task, err := me.Take(ctx)
			for ; err == nil; time.Sleep(time.Second) {
				m.mu.Lock()
				text, _ := json.Marshal(farm.Life{Slots: 1, Bundles: []string{m.bundles[0].name}})
				m.mu.Unlock()
				err = errors.Join(me.Tell(ctx, text), task.Extend(), ctx.Err())
			}
		})
		begun := time.Now()
		go func() { time.Sleep(time.Second); c.start("busy", "test", square) }()
		sum, said := c.ask(t.TempDir())
		if took := time.Since(begun); sum != c.want() || took < time.Minute || took > 15*time.Minute {
			t.Errorf("%d, want %d, after %v: %s", sum, c.want(), took, said)
		}
		stop()
		ended.Wait()
	})
}

// A run that was given to one who is gone before telling of it is given to others, though the engine knows of nobody to
// take it from.
func TestLostRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, m := remembering(t, 1, 3)
		c.words = []string{"squares", "whole"}
		ctx, stop := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		ended.Go(func() {
			task, err := seat{m, "lost"}.Take(ctx)
			for ; err == nil; time.Sleep(time.Second) {
				err = errors.Join(task.Extend(), ctx.Err())
			}
		})
		begun := time.Now()
		go func() { time.Sleep(time.Second); c.start("busy", "test", square) }()
		sum, said := c.ask(t.TempDir())
		if took := time.Since(begun); sum != c.want() || took < time.Minute || took > 5*time.Minute {
			t.Errorf("%d, want %d, after %v: %s", sum, c.want(), took, said)
		}
		stop()
		ended.Wait()
	})
}

// Whole runs that can be repeated are checked as well: whoever forges them is found out, before the seven hundredth.
func TestForgedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("so many runs take the race detector a minute, and fewer are raced by TestForgottenWorkers")
	}
	synctest.Test(t, func(t *testing.T) {
		c, _ := remembering(t, 1, 700)
		c.words = []string{"squares", "whole"}
		c.start("honest", "test", square)
		c.start("forger", "test", func(i int) (int, error) { return i*i + 1, nil })
		sum, said := c.ask(t.TempDir())
		if sum != c.want() || strings.Contains(said, "honest is set aside") {
			t.Errorf("%d, want %d: %s", sum, c.want(), said)
		}
	})
}

// What can't be repeated is held against what others make of the like: whose results lie too far from theirs is set
// aside, and what it has done is done by others. Where everything can be repeated that finds the one who forges little.
func TestResiduals(t *testing.T) {
	for _, word := range []string{"once", "repeated"} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := remembering(t, 1, 2000)
			c.words = []string{"squares", word}
			slowly := func(of func(i int) int) func(i int) (int, error) {
				return func(i int) (int, error) { time.Sleep(10 * time.Millisecond); return of(i), nil }
			}
			for _, name := range []string{"a", "b", "c"} {
				c.start(name, "test", slowly(func(i int) int { return i * i }))
			}
			c.start("poor", "test", slowly(func(i int) int { return i * i * 10 }))
			sum, said := c.ask(t.TempDir())
			why := map[string]string{"once": "its results are unlike those of the rest: value 0 of a block is 0, elsewhere 4.",
				"repeated": "came out otherwise elsewhere"}[word]
			if sum != c.want() || !strings.Contains(said, "worker poor is set aside: ") || !strings.Contains(said, why) ||
				strings.Count(said, "set aside") != 1 {
				t.Errorf("%s: %d, want %d: %s", word, sum, c.want(), said)
			}
		})
	}
}

// Two workers finish the same pieces at once, and each result is there once; nobody is blamed for it.
func TestTwiceAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, m := remembering(t, 2, 300)
		c.start("a", "test", square)
		c.start("b", "test", square)
		synctest.Wait() // Both have told that they are there.
		sum, said := c.ask(t.TempDir())
		if sum != c.want() || said != "" {
			t.Errorf("%d, want %d: %s", sum, c.want(), said)
		}
		m.mu.Lock() // The workers are still there.
		defer m.mu.Unlock()
		bundles := map[string]bool{}
		for _, r := range m.answers {
			bundles[r.Bundle] = true
		}
		if len(m.answers) <= len(bundles) {
			t.Errorf("%d answers for %d bundles", len(m.answers), len(bundles))
		}
	})
}

// A hub that begins anew has forgotten who is there, and no run is given up for that.
func TestForgottenWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, m := remembering(t, 1, 10)
		c.words = []string{"squares", "whole"}
		for _, name := range []string{"a", "b"} {
			c.start(name, "test", func(i int) (int, error) { time.Sleep(40 * time.Second); return i * i, nil })
		}
		go func() {
			time.Sleep(100 * time.Second)
			m.mu.Lock()
			defer m.mu.Unlock()
			clear(m.lives)
		}()
		if sum, said := c.ask(t.TempDir()); sum != c.want() || strings.Contains(said, "parked") {
			t.Errorf("%d, want %d: %s", sum, c.want(), said)
		}
	})
}

// A mortal is a seat of which nobody hears any more after a while.
type mortal struct {
	seat
	born time.Time
}

func (s mortal) Tell(ctx context.Context, text []byte) error {
	if time.Since(s.born) > time.Minute {
		return nil
	}
	return s.seat.Tell(ctx, text)
}

// A run whose worker dies goes on elsewhere with what it had left when it last said something.
func TestRunsGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, m := remembering(t, 1, 0)
		ctx, stop := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		defer func() { stop(); ended.Wait() }()
		ground, steps := farm.Ground{"kind: run", farm.Repeats}, ""
		run := func(s *farm.Share, do func() error) error {
			_, err := s.Do(ground, 0, []string{"run"}, &steps, "run", do)
			return err
		}
		start := func(name string, e farm.Engine, do func(ctx context.Context, s *farm.Share, file string) error) {
			w := &farm.Worker{Name: name, Engine: e, Program: "test", Slots: 1, Folder: t.TempDir(), Cache: t.TempDir(),
				Say: func(string, ...any) {}, Do: func(ctx context.Context, b *farm.Bundle, s *farm.Share, dir string) error {
					return run(s, func() error { return do(ctx, s, filepath.Join(dir, "run", "steps")) })
				}}
			ended.Go(func() { _ = w.Run(ctx) })
		}
		start("a", mortal{seat{m, "a"}, time.Now()}, func(ctx context.Context, s *farm.Share, file string) error {
			err := errors.Join(os.Mkdir(filepath.Dir(file), 0o777), os.WriteFile(file, []byte("seven"), 0o666))
			for ; ctx.Err() == nil; time.Sleep(11 * time.Second) {
				s.Said("update 1: 7 decisions")
			}
			return errors.Join(err, ctx.Err())
		})
		go func() {
			time.Sleep(30 * time.Second)
			start("b", seat{m, "b"}, func(_ context.Context, s *farm.Share, file string) error {
				text, err := os.ReadFile(file)
				if err == nil {
					steps = string(text) + " and more"
				}
				return err
			})
		}()
		s := must.Have(farm.Live(t.TempDir(), "test", []string{"run"}))(t)
		defer s.Close()
		j := &farm.Job{Name: "run", Share: s, Engine: c.at("job"), Program: "test",
			Files: func() (map[string][]byte, error) { return nil, nil }, Check: func(string) error { return nil },
			Say: func(string, ...any) {}, Tell: func(int, int, farm.Estimate) {}}
		s.Ask()
		must.Do(t, errors.Join(run(s, nil), j.Do(t.Context())))
		s.Show()
		if err := run(s, nil); err != nil || steps != "seven and more" {
			t.Errorf("%q, %v", steps, err)
		}
	})
}
