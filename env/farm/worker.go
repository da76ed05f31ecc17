package farm

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"earthgym/env/disk"
)

// A Worker takes bundles from an engine and does them.
type Worker struct {
	Name    string
	Engine  Engine
	Program string
	Class   string // of its kernels, for people
	Slots   int    // bundles at once
	Folder  string // where it works, which is its own
	Cache   string // of files, by their hash
	// Do runs the command of a bundle with a share, in a folder.
	Do  func(ctx context.Context, b *Bundle, s *Share, dir string) error
	Say func(format string, args ...any)

	mu      sync.Mutex
	free    *sync.Cond
	running map[string]string // the jobs of the bundles in hand, by their names
	doing   map[string]string // what runs have said, the last line first
	saved   map[string]string // and left so far, by hash
	news    chan bool         // one has said something
	parts   int
	begun   time.Time
}

// The times of a Worker.
const (
	leaseTick = 15 * time.Second // between looks whether it gets on
	lifeTick  = 5 * time.Second
	backTime  = 200 * time.Millisecond // before others are offered what this one may not do
	againTime = 2 * time.Second        // before what has failed is tried again
	firstSave = 2 * time.Second        // before what a run has left so far goes to the hub,
	saveTime  = 10 * time.Second       // and at least between two times that it does,
	saveShare = 100                    // and so many times what that takes
	mostSaid  = 60                     // lines of a run that are told
)

// Run works until ctx is done. What is unfinished then goes back.
func (w *Worker) Run(ctx context.Context) error {
	w.free, w.running, w.doing = sync.NewCond(&w.mu), map[string]string{}, map[string]string{}
	w.saved, w.news, w.begun = map[string]string{}, make(chan bool, 1), time.Now()
	var all sync.WaitGroup
	for range w.Slots {
		all.Go(func() { w.work(ctx) })
	}
	ticker := time.NewTicker(lifeTick)
	defer ticker.Stop()
	for ctx.Err() == nil {
		w.tell(ctx, w.Slots)
		select {
		case <-ticker.C:
		case <-w.news:
		case <-ctx.Done():
		}
	}
	all.Wait()
	leaving, stop := context.WithTimeout(context.WithoutCancel(ctx), lifeTick)
	defer stop()
	w.tell(leaving, 0)
	return nil
}

func (w *Worker) tell(ctx context.Context, slots int) {
	w.mu.Lock()
	l := Life{Who: w.Name, Program: w.Program, Slots: slots, Parts: w.parts, Class: w.Class,
		Doing: maps.Clone(w.doing), Saved: maps.Clone(w.saved),
		Rate: float64(w.parts) / max(1, time.Since(w.begun).Seconds())}
	for name := range w.running {
		l.Bundles = append(l.Bundles, name)
	}
	w.mu.Unlock()
	slices.Sort(l.Bundles)
	if text, err := json.Marshal(l); err == nil {
		_ = w.Engine.Tell(ctx, text) // It is told again.
	}
}

// work takes one bundle after the other.
func (w *Worker) work(ctx context.Context) {
	for ctx.Err() == nil {
		task, err := w.Engine.Take(ctx)
		if err != nil {
			if ctx.Err() == nil {
				w.Say("%v; trying again", err)
				_ = wait(ctx)
			}
			continue
		}
		b, err := readBundle(task.Text)
		if err != nil {
			w.Say("what was to be done can't be read: %v", err)
			_ = task.Done(ctx)
			continue
		}
		if slices.Contains(b.Not, w.Name) {
			_ = task.Back(backTime)
			continue
		}
		w.enter(b)
		w.answer(ctx, b, w.do(ctx, b, task), task)
		w.leave(b)
	}
}

// enter waits until the bundles in hand are all of one job, for files are found by the names that a job has for them.
func (w *Worker) enter(b *Bundle) {
	w.mu.Lock()
	defer w.mu.Unlock()
	other := func() bool {
		for _, job := range w.running {
			return job != b.Job
		}
		return false
	}
	for other() {
		w.free.Wait()
	}
	w.running[b.Name] = b.Job
}

func (w *Worker) leave(b *Bundle) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, b.Name)
	delete(w.doing, b.Name)
	delete(w.saved, b.Name)
	w.free.Broadcast()
}

// answer sends what came of a bundle, and then gives up its lease; where the store is full it waits.
func (w *Worker) answer(ctx context.Context, b *Bundle, a *Answer, task *Task) {
	if ctx.Err() != nil {
		w.giveBack(ctx, b, task)
		return
	}
	text, err := a.Pack()
	for err == nil {
		if err = w.Engine.Answer(ctx, b.Job, b.Name, text); err == nil {
			_ = task.Done(ctx) // Should it be given to another, the first result counts.
			return
		}
		w.Say("bundle %s: %v; sending it again", b.Name[:8], err)
		if errors.Is(err, ErrLarge) { // The halves of the bundle will do.
			text, err = (&Answer{Failed: err.Error()}).Pack()
			continue
		}
		_ = task.Extend()
		err = wait(ctx)
	}
	_ = task.Back(0)
}

// giveBack gives a bundle back when the worker is stopped, and, of a run, what it has left so far, with which others
// go on.
func (w *Worker) giveBack(ctx context.Context, b *Bundle, task *Task) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lifeTick)
	defer stop()
	w.mu.Lock()
	a := &Answer{Stopped: true, Left: w.saved[b.Name]}
	w.mu.Unlock()
	if text, err := a.Pack(); err == nil && a.Left != "" && w.Engine.Answer(ctx, b.Job, b.Name, text) == nil {
		_ = task.Done(ctx)
		return
	}
	_ = task.Back(0)
}

// do does a bundle, and extends its lease as long as something comes of it.
func (w *Worker) do(ctx context.Context, b *Bundle, task *Task) *Answer {
	var mu sync.Mutex
	last := time.Now()
	told := func(said string) {
		mu.Lock()
		last = time.Now()
		mu.Unlock()
		w.mu.Lock()
		defer w.mu.Unlock()
		switch {
		case said == "":
			w.parts++
		case b.Left != "":
			before := strings.SplitN(w.doing[b.Name], "\n", mostSaid)
			w.doing[b.Name] = said + "\n" + strings.Join(before[:min(len(before), mostSaid-1)], "\n")
			select {
			case w.news <- true:
			default:
			}
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		ticker := time.NewTicker(leaseTick)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			mu.Lock()
			stuck := time.Since(last).Seconds() > b.Patience
			mu.Unlock()
			if stuck || task.Extend() != nil {
				w.Say("bundle %s comes to no end, and is left to others", b.Name[:8])
				stop()
				return
			}
		}
	}()
	a, err := w.carry(ctx, b, told)
	if err != nil {
		w.Say("bundle %s: %v", b.Name[:8], err)
		a = &Answer{Failed: err.Error()}
	} else if a.Skew != "" {
		w.Say("bundle %s can't be done here: %s", b.Name[:8], a.Skew)
	}
	return a
}

// carry has the command of a bundle run.
func (w *Worker) carry(ctx context.Context, b *Bundle, told func(string)) (_ *Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if b.Program != w.Program {
		return &Answer{Skew: fmt.Sprintf("it is %q, and not %q", w.Program, b.Program)}, nil
	}
	files := map[string]string{}
	for name, hash := range b.Files {
		if files[name], err = w.file(ctx, hash); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	disk.OnlyNamed(files, w.Folder)
	dir, err := os.MkdirTemp(w.Folder, "bundle-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := b.Unfold(ctx, w.Engine, dir); err != nil {
		return nil, err
	}
	s := Carry(dir, w.Program, b, w.saving(ctx, b, dir, told))
	if err = w.Do(ctx, b, s, dir); errors.Is(err, ErrCarried) {
		err = nil
	}
	if ctx.Err() != nil {
		late, stop := context.WithTimeout(context.WithoutCancel(ctx), lifeTick)
		defer stop()
		w.save(late, b, dir)
	}
	if closed := s.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	a := s.Answer()
	if left := a.left(); left != nil {
		content, err := fold(dir, left)
		if err != nil {
			return nil, err
		}
		a.Left = hashOf(content)
		if err := w.Engine.Put(ctx, a.Left, content); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// saving is told, but for that what a run has left so far goes to the hub now and then, when it says something: then
// nobody writes there. Another worker goes on with that if this one is gone.
func (w *Worker) saving(ctx context.Context, b *Bundle, dir string, told func(string)) func(string) {
	next := time.Now().Add(firstSave)
	return func(said string) {
		told(said)
		begun := time.Now()
		if said != "" && !begun.Before(next) {
			w.save(ctx, b, dir)
			next = time.Now().Add(max(saveTime, saveShare*time.Since(begun)))
		}
	}
}

// save brings what a run has left so far to the hub. What fails is tried again.
func (w *Worker) save(ctx context.Context, b *Bundle, dir string) {
	if b.Left == "" {
		return
	}
	content, err := fold(dir, []string{b.Left})
	if err == nil {
		err = w.Engine.Put(ctx, hashOf(content), content)
	}
	if err == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.saved[b.Name] = hashOf(content)
	}
}

// file is where a file stands, by its hash.
func (w *Worker) file(ctx context.Context, hash string) (string, error) {
	if _, err := hex.DecodeString(hash); err != nil { // It will be the name of a file.
		return "", fmt.Errorf("%q is no hash", hash)
	}
	name := filepath.Join(w.Cache, hash)
	if there, err := disk.ReadFile(name, mostText); err == nil && hashOf(there) == hash {
		return name, nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	content, err := get(ctx, w.Engine, hash)
	if err != nil {
		return "", err
	}
	return name, disk.Write(name, content)
}
