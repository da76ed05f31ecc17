package farm

// What a Job looks after while bundles are out: who is there, what they say, what is late, and what people are told.

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"earthgym/env/disk"
)

// look looks who is there, and after bundles that nobody may be doing.
func (j *Job) look(ctx context.Context) error {
	now, err := j.Engine.Told(ctx)
	if err != nil {
		return ctx.Err() // It may be back soon.
	}
	before := j.workers
	j.now = *now
	var asking []Life
	j.workers, asking = now.Read()
	none := len(before) > 0 && len(j.workers) == 0
	if none && !j.none || j.announced && !slices.ContainsFunc(asking, func(l Life) bool { return l.Job == j.Name }) {
		j.lost = time.Now() // The hub has begun anew, and knows nobody yet.
	}
	j.none = none
	if time.Since(j.lost) < lostTime {
		j.workers = before
	}
	if j.since != "" && j.since != now.Since {
		j.Say("the hub has lost its store: what was out is offered again")
		j.number = 0
		j.deaf() // The numbers of answers begin anew.
		j.listen(ctx)
		if err := j.bring(ctx); err != nil {
			return err
		}
		all := j.out
		j.since, j.out = now.Since, map[string]*order{}
		for _, o := range all {
			if err := j.again(ctx, o); err != nil {
				return err
			}
		}
	}
	j.since = now.Since
	j.hear()
	if err := errors.Join(j.open(ctx), j.gone(ctx, before)); err != nil {
		return err
	}
	if err := errors.Join(j.overdue(ctx), j.doubts(ctx, true)); err != nil {
		return err
	}
	if j.slots() == 0 && !j.waits {
		j.waits = true
		j.Say("nobody is at work who can do this; elsewhere: earthgym farm worker URL")
	} else if j.slots() > 0 {
		j.waits = false
	}
	return j.tell(ctx)
}

// hear tells people what runs have said.
func (j *Job) hear() {
	for _, w := range j.workers {
		for _, name := range slices.Sorted(maps.Keys(w.Doing)) {
			o := j.out[name]
			if o == nil || o.pieces[0].left == "" {
				continue
			}
			o.saved, o.saver = w.Saved[name], w.Who
			if said, _, _ := strings.Cut(w.Doing[name], "\n"); said != o.said {
				o.said = said
				j.Say("%s at worker %s: %s", filepath.Base(filepath.Join(j.Share.dir, o.pieces[0].left)), w.Who, said)
			}
		}
	}
}

// stand looks at the standings, and brings the record that came last to the engine, where people watch it. What comes
// first is shown at once.
func (j *Job) stand(ctx context.Context) {
	begun := time.Now()
	if begun.Before(j.stood) || len(j.Share.parts) == 0 {
		return
	}
	if j.Stand != nil {
		j.stands = j.Stand(func(yield func(block int, r Result) bool) {
			for _, l := range j.Share.sorted() {
				if l.Series > 0 || !yield(l.Block, l.Result) {
					return
				}
			}
		})
	}
	if name := j.record; filepath.Ext(name) == ".jsonl" {
		if content, err := disk.ReadFile(filepath.Join(j.Share.dir, name), mostText); err == nil &&
			j.Engine.Put(ctx, hashOf(content), content) == nil {
			if len(j.shown) >= mostShown {
				delete(j.shown, slices.Min(slices.Collect(maps.Keys(j.shown))))
			}
			j.shown[name] = hashOf(content)
		}
	}
	j.stood = time.Now().Add(max(standTime, standShare*time.Since(begun)))
}

// open lets those in who ask for it.
func (j *Job) open(ctx context.Context) error {
	_, asking := j.now.Read()
	for _, l := range asking {
		if l.Adds == "" || j.Let == nil || j.reason(l.Who) != "" {
			continue
		}
		var file []byte
		var err error
		if len(l.Files) > 0 {
			file, err = get(ctx, j.Engine, l.Files[0])
		}
		if err == nil {
			err = j.Let(l.Adds, file)
		}
		if errors.Is(err, ErrGrown) {
			return err
		} else if err != nil {
			j.known(l.Who).unfit = err.Error()
		}
	}
	return nil
}

// gone counts the bundles as failed that a worker had in hand that is there no more.
func (j *Job) gone(ctx context.Context, before []Life) error {
	for _, w := range before {
		if slices.ContainsFunc(j.workers, func(l Life) bool { return l.Who == w.Who }) {
			continue
		}
		for _, name := range w.Bundles {
			if o := j.out[name]; o != nil {
				delete(j.out, name)
				if err := j.fail(ctx, o, w.Who, "it was gone in the middle of it"); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// overdue offers bundles once more that take far longer than they should: the first result counts. A run may be as long
// as it likes in somebody's hands, and in nobody's no longer than others are idle.
func (j *Job) overdue(ctx context.Context) error {
	for name, o := range j.out {
		late := time.Duration(1+o.raced) * (lateAfter + 4*o.expect)
		if o.expect == 0 { // It may be as long as it likes, but not for ever.
			late += time.Duration(o.Patience * float64(time.Second))
		}
		run := o.pieces[0].whole
		if run {
			late = lateRun
		}
		if j.Once || time.Since(o.sent) < late || run && !j.unheld(name) ||
			!run && j.now.Backlog >= len(j.out) && o.check == "" {
			continue
		}
		if o.check != "" && (!run || !j.others(o)) { // Whoever else is there may be idle, or nobody be.
			delete(j.out, name)
			if err := j.checkHere(ctx, o); err != nil {
				return err
			}
			continue
		}
		for _, w := range j.workers {
			if slices.Contains(w.Bundles, name) { // It keeps its lease, and comes to no end.
				if o.failed == nil {
					o.failed = map[string]string{}
				}
				o.failed[w.Who] = "it came to no end"
			}
		}
		delete(j.out, name)
		o.raced++
		if err := j.again(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// unheld says that nobody has a bundle in hand, and somebody has room for one.
func (j *Job) unheld(name string) bool {
	idle := false
	for _, w := range j.workers {
		if slices.Contains(w.Bundles, name) {
			return false
		}
		idle = idle || len(w.Bundles) < w.Slots
	}
	return idle
}

// tell tells people and the engine how far it is.
func (j *Job) tell(ctx context.Context) error {
	left := map[string]bool{}
	seconds := 0.0
	count := func(p Piece) {
		if left[p.Name] {
			return
		}
		left[p.Name] = true
		if pace := j.pace[p.series]; pace != nil {
			seconds += pace.seconds / pace.pieces
		}
	}
	for _, p := range j.todo {
		count(p)
	}
	for _, o := range j.out {
		for _, p := range o.pieces {
			count(p)
		}
	}
	e := Estimate{Workers: len(j.workers)}
	if n := j.slots(); n > 0 {
		e.Left = time.Duration(seconds / float64(n) * float64(time.Second))
	}
	done := max(0, j.total-len(left))
	j.Tell(done, j.total, e)
	j.stand(ctx)
	l := Life{Program: j.Program, Job: j.Name, Says: j.Says, Done: done, Total: j.total, Aside: map[string]string{},
		Left: e.Left.Seconds(), Rate: j.rate(), Standings: j.stands, Games: j.shown}
	for _, why := range j.Share.parked {
		l.Parked = append(l.Parked, why)
	}
	slices.Sort(l.Parked)
	for w := range j.trust {
		if why := j.reason(w); why != "" {
			l.Aside[w] = why
		}
	}
	for hash := range j.contents {
		l.Files = append(l.Files, hash)
	}
	for _, o := range j.out {
		l.Lag = max(l.Lag, time.Since(o.sent).Seconds())
		l.Files = append(l.Files, o.Folder, o.saved, o.Begun)
	}
	l.Files = append(l.Files, slices.Collect(maps.Values(j.shown))...)
	l.Files = slices.DeleteFunc(l.Files, func(hash string) bool { return hash == "" })
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	j.announced = j.Engine.Tell(ctx, text) == nil // It is told again.
	if j.number == 0 {
		return nil
	}
	return j.forget(ctx)
}

// forget forgets answers that the folder has for certain.
func (j *Job) forget(ctx context.Context) error {
	if j.number == 0 {
		return nil
	}
	if err := j.Share.log.Sync(); err != nil {
		return err
	}
	if err := j.Engine.Forget(ctx, j.Name, j.number); err != nil {
		return ctx.Err()
	}
	j.number = 0
	return nil
}
