package farm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"earthgym/env/spelling"
)

// A Job has the pieces that a command asks for done by the workers of an engine. It belongs to one goroutine.
type Job struct {
	Name    string // of the command and its folder
	Share   *Share
	Engine  Engine
	Program string
	Says    string                               // the command, for people
	Files   func() (map[string][]byte, error)    // that the command names, by their names
	Once    bool                                 // what is done can't be repeated, so that nothing is raced or checked
	Here    func(*Bundle) (*Answer, error)       // does a bundle here, to judge between workers
	Check   func(file string) error              // looks at what a piece has left
	Say     func(format string, args ...any)     // tells people
	Tell    func(done, total int, left Estimate) // how far it is
	// Stand, if not nil, gives the standings of what there is of the first series, each part with its block.
	Stand func(parts iter.Seq2[int, Result]) []Standing
	// Let, if not nil, lets an agent in that is not there, which may come with a file: ErrGrown is that of a Job in whose
	// place another command asks then.
	Let func(agent string, file []byte) error

	files     map[string]string // SHA-256, by name
	contents  map[string][]byte // by SHA-256
	replies   <-chan Reply
	deaf      func()
	now       Told
	workers   []Life
	trust     map[string]*trust
	pace      map[int]*pace // by series
	todo      []Piece
	out       map[string]*order
	tries     int
	total     int
	since     string
	number    uint64 // of the last answer that was taken
	waits     bool   // people know that nobody is at work
	full      bool   // and that there is no room
	announced bool   // the engine knows of it
	none      bool   // of the workers that there were it knows none
	lost      time.Time
	stood     time.Time // when the next standings are due
	stands    []Standing
	shown     map[string]string // Life.Games
	record    string            // the last one that came
}

// ErrGrown ends a Job (Job.Let).
var ErrGrown = errors.New("another agent was let in")

// An Estimate is how long the rest takes, 0 if that is not known, and how many workers there are.
type Estimate struct {
	Left    time.Duration
	Workers int
}

// The times of a Job.
const (
	bundleTime  = 20 * time.Second // of a bundle of short pieces
	leastTime   = time.Second / 4  // of one, where there are that many pieces
	leastSetups = 20               // times what comes before its pieces
	aheadTime   = 2 * time.Second  // of work that is asked for before it is known to be needed
	tick        = 2 * time.Second  // that a Job looks after its bundles
	lateAfter   = time.Minute      // beyond what a bundle takes
	lateRun     = 2 * time.Minute  // of a run that nobody has in hand
	lostTime    = 30 * time.Second // in which workers tell an engine of themselves that has forgotten them
	mostPieces  = 8192             // of a bundle
	mostResult  = 1 << 17          // bytes of a part
	standTime   = 10 * time.Second // at least, between two looks at the standings and records,
	standShare  = 200              // and so many times what one takes
	mostShown   = 8                // records
)

// pace is that of bundles: the time that their pieces have taken, and, in all, what came before these.
type pace struct{ seconds, pieces, setup, bundles float64 }

// An order is a bundle that is out.
type order struct {
	Bundle
	pieces []Piece
	sent   time.Time
	expect time.Duration
	failed map[string]string // by worker
	check  string            // the worker whose results it checks; "" where it is done for the first time
	raced  int
	said   string // last, by a run
	saved  string // SHA-256 of what it has left so far,
	saver  string // at this worker
}

// Do has all pieces done that the command has asked for, or parks those that nobody can do.
func (j *Job) Do(ctx context.Context) error {
	if j.trust == nil {
		j.trust, j.pace, j.out = map[string]*trust{}, map[int]*pace{}, map[string]*order{}
		j.shown = map[string]string{}
	}
	j.todo = slices.Clone(j.Share.asked)
	j.total = len(j.todo)
	if err := j.bring(ctx); err != nil {
		return err
	}
	j.listen(ctx)
	defer func() { j.deaf() }()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	if err := j.look(ctx); err != nil {
		return err
	}
	for {
		if err := j.offer(ctx); err != nil {
			return err
		}
		if len(j.todo)+len(j.out) == 0 { // What is left to check is checked together.
			if err := errors.Join(j.look(ctx), j.doubts(ctx, false)); err != nil {
				return err
			}
			if len(j.todo)+len(j.out) == 0 {
				break
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r := <-j.replies:
			if err := j.take(ctx, r); err != nil {
				return err
			}
		case <-ticker.C:
			if err := j.look(ctx); err != nil {
				return err
			}
		}
	}
	j.Share.ahead = j.ahead()
	return errors.Join(j.tell(ctx), j.forget(ctx))
}

// ahead is how many pieces workers do in a while, but for not much more than were done so far.
func (j *Job) ahead() int {
	return int(min(j.rate()*aheadTime.Seconds(), 7*float64(len(j.Share.parts))))
}

// rate is how many pieces a second those do who are there.
func (j *Job) rate() float64 {
	var all pace
	for _, p := range j.pace {
		all.seconds, all.pieces = all.seconds+p.seconds, all.pieces+p.pieces
	}
	return float64(j.slots()) * all.pieces / max(all.seconds, 1e-6)
}

// listen has answers come in, from the first one that is there on, until deaf is called.
func (j *Job) listen(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	replies, ended := make(chan Reply, 64), make(chan struct{})
	go func() {
		defer close(ended)
		_ = j.Engine.Answers(ctx, j.Name, func(r Reply) { // Its end is the end of ctx.
			select {
			case replies <- r:
			case <-ctx.Done():
			}
		})
	}()
	j.replies, j.deaf = replies, func() { stop(); <-ended }
}

// bring brings the files that the command names to the engine.
func (j *Job) bring(ctx context.Context) error {
	named, err := j.Files()
	if err != nil {
		return err
	}
	j.files, j.contents = map[string]string{}, map[string][]byte{}
	for name, content := range named {
		hash := hashOf(content)
		j.files[name], j.contents[hash] = hash, content
		if err := j.put(ctx, hash, content); err != nil {
			return err
		}
	}
	return nil
}

// put waits until a file is there.
func (j *Job) put(ctx context.Context, hash string, content []byte) error {
	for {
		err := j.Engine.Put(ctx, hash, content)
		if err == nil {
			return nil
		}
		if err := wait(ctx); err != nil {
			return err
		}
		j.Say("a file can't be brought to the hub, and is tried again: %v", err)
	}
}

// End has the engine forget all of the job, unless it is not there any more.
func (j *Job) End(ctx context.Context) {
	for range 3 {
		if j.Engine.Forget(ctx, j.Name, 0) == nil || wait(ctx) != nil {
			return
		}
	}
}

// wait waits until it is time to try something again.
func wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(againTime):
		return nil
	}
}

// offer offers bundles as long as workers may run short of them.
func (j *Job) offer(ctx context.Context) error {
	for len(j.todo) > 0 && len(j.out) < max(4, 2*j.slots()) {
		o := j.next()
		if err := j.send(ctx, o); errors.Is(err, ErrFull) {
			j.todo = append(slices.Clone(o.pieces), j.todo...) // It is asked again with the next tick.
			if !j.full {
				j.Say("%v: waiting for room", err)
			}
			j.full = true
			return nil
		} else if err != nil {
			return err
		}
		j.full = false
	}
	return nil
}

// slots are the slots of the workers that can do this.
func (j *Job) slots() (n int) {
	for _, w := range j.workers {
		if j.reason(w.Who) == "" {
			n += w.Slots
		}
	}
	return n
}

// next is the next bundle: of one series, and of so many pieces that they take a while, but leave something for all.
func (j *Job) next() *order {
	first := j.todo[0]
	size := 1
	if p := j.pace[first.series]; p != nil && !first.whole {
		mean := max(p.seconds/p.pieces, 1e-6)
		share := float64(len(j.todo)) / float64(2*max(1, j.slots()))
		least := max(leastTime.Seconds(), leastSetups*p.setup/p.bundles) / mean
		size = int(max(1, min(bundleTime.Seconds()/mean, max(share, least), mostPieces)))
	}
	n := 0
	for n < min(size, len(j.todo)) && j.todo[n].series == first.series {
		n++
	}
	o := &order{pieces: slices.Clone(j.todo[:n])}
	j.todo = j.todo[n:]
	return o
}

// send sends a bundle, with all that is to be known of it now.
func (j *Job) send(ctx context.Context, o *order) error {
	first := o.pieces[0]
	j.tries++
	o.Bundle = Bundle{Job: j.Name, Program: j.Program, Command: j.Share.Command(), Ground: j.Share.grounds[first.series],
		Files: j.files, Patience: 600}
	names := []string{fmt.Sprint(j.tries), j.since} // A name that was forgotten is not used again.
	for _, p := range o.pieces {
		o.Blocks, o.Pieces = append(o.Blocks, p.block), append(o.Pieces, p.Name[:digits])
		names = append(names, p.Name)
	}
	o.Name = hashOf([]byte(strings.Join(names, " ")))[:2*digits]
	if p := j.pace[first.series]; p != nil {
		mean := p.seconds / p.pieces
		o.expect = time.Duration(float64(len(o.pieces)) * mean * float64(time.Second))
		o.Patience = max(60, 20*mean)
	}
	for w, t := range j.trust {
		if t.aside != "" || t.unfit != "" || o.failed[w] != "" || o.check == w {
			o.Not = append(o.Not, w)
		}
	}
	slices.Sort(o.Not)
	if first.whole {
		o.Patience, o.Left = 24*3600, first.left
		if o.check == "" && j.reason(o.saver) == "" {
			o.Begun = o.saved
		}
		if err := j.before(ctx, o); err != nil {
			return err
		}
	}
	text, err := o.pack()
	if err != nil {
		return err
	}
	if err := j.Engine.Offer(ctx, j.Name, o.Name, text); err != nil {
		return err
	}
	o.sent = time.Now()
	j.out[o.Name] = o
	return nil
}

// before adds what a run begins with: all results so far, and what earlier runs have left.
func (j *Job) before(ctx context.Context, o *order) error {
	var left []string
	for _, l := range j.Share.sorted() {
		// What is checked is done anew.
		if p := o.pieces[0]; o.check != "" && (l.Piece == p.Name || l.Left != "" && l.Left == p.left) {
			continue
		}
		o.Before = append(o.Before, l)
		if l.Left != "" { // A later round goes on with it.
			left = append(left, l.Left)
		}
	}
	if left == nil {
		return nil
	}
	content, err := fold(j.Share.dir, left)
	if err != nil {
		return err
	}
	o.Folder = hashOf(content)
	return j.put(ctx, o.Folder, content)
}

func (j *Job) take(ctx context.Context, r Reply) error {
	j.number = max(j.number, r.Number)
	t := j.known(r.Worker)
	o := j.out[r.Bundle]
	a, err := readAnswer(r.Text)
	if err != nil {
		err = j.setAside(r.Worker, fmt.Sprintf("it answers nonsense: %v", err))
		if err != nil {
			return err
		}
	}
	if t.aside != "" {
		if o != nil {
			delete(j.out, r.Bundle)
			return j.again(ctx, o)
		}
		return nil
	}
	switch {
	case o == nil && len(a.Parts) == 0: // of another life of the job, or of a bundle that others have done
		return nil
	case o == nil:
		return j.late(ctx, r.Worker, a)
	case o.check == r.Worker: // It was not asked.
		return nil
	}
	delete(j.out, r.Bundle)
	if a.Skew != "" {
		if t.unfit == "" {
			t.unfit = a.Skew
			j.Say("worker %s can't do this: %s", r.Worker, a.Skew)
		}
		return j.again(ctx, o)
	}
	if a.Stopped && o.Left != "" {
		o.saved, o.saver = a.Left, r.Worker
		return j.again(ctx, o)
	}
	if a.Failed != "" {
		return j.fail(ctx, o, r.Worker, a.Failed)
	}
	results := a.results()
	if why, err := j.fits(ctx, o.pieces, a, results, o.check == ""); err != nil {
		return err
	} else if why != "" {
		return errors.Join(j.setAside(r.Worker, why), j.again(ctx, o))
	}
	for w := range o.failed {
		if f := j.known(w); w != r.Worker && len(o.pieces) == 1 {
			if f.faults++; f.faults >= mostFaults {
				if err := j.setAside(w, "it fails what others do: "+o.failed[w]); err != nil {
					return err
				}
			}
		}
	}
	if o.check != "" {
		return j.compare(ctx, o, r.Worker, results)
	}
	if !(a.Seconds >= 0 && a.Seconds < 1e9 && a.Setup >= 0) {
		a.Seconds, a.Setup = 0, 0
	}
	p := j.pace[o.pieces[0].series]
	if p == nil {
		p = &pace{}
		j.pace[o.pieces[0].series] = p
	}
	p.seconds, p.pieces = p.seconds+a.Seconds, p.pieces+float64(len(o.pieces))
	p.setup, p.bundles = p.setup+a.Setup, p.bundles+1
	if err := j.Share.accept(o.pieces, r.Worker, results); err != nil {
		return err
	}
	t.answered++
	if err := j.weigh(r.Worker, o.pieces, results); err != nil {
		return err
	}
	return j.check(ctx, o, r.Worker)
}

// late takes what an earlier life of the job has asked for, or what came after all.
func (j *Job) late(ctx context.Context, worker string, a *Answer) error {
	var there []Piece
	for _, l := range a.Parts {
		i := slices.IndexFunc(j.todo, func(p Piece) bool { return p.Name == l.Piece })
		if i >= 0 && l.Part == 0 {
			there = append(there, j.todo[i])
			j.todo = slices.Delete(j.todo, i, i+1)
		}
	}
	if there == nil {
		return nil
	}
	results := a.results()
	why, err := j.fits(ctx, there, a, results, true)
	if err == nil && why == "" {
		return j.Share.accept(there, worker, results)
	}
	j.todo = append(there, j.todo...)
	if why != "" {
		err = errors.Join(err, j.setAside(worker, why))
	}
	return err
}

// again sends a bundle once more, to others; what nobody else can check is done here.
func (j *Job) again(ctx context.Context, o *order) error {
	if o.check != "" && !j.others(o) {
		return j.checkHere(ctx, o)
	}
	err := j.send(ctx, o)
	switch {
	case errors.Is(err, ErrFull) && o.check == "":
		j.todo = append(slices.Clone(o.pieces), j.todo...)
		return nil
	case errors.Is(err, ErrFull):
		return j.checkHere(ctx, o)
	}
	return err
}

// fail has a bundle done by another worker that one could not do, in smaller parts, and parks a piece that nobody can.
func (j *Job) fail(ctx context.Context, o *order, worker, why string) error {
	if o.failed == nil {
		o.failed = map[string]string{}
	}
	o.failed[worker] = why
	if worker != o.saver {
		o.saved = "" // It may be to blame.
	}
	others := j.others(o)
	switch n := len(o.pieces); {
	case o.check != "":
		return j.again(ctx, o)
	case n > 1 && (len(o.failed) > 1 || !others):
		for _, half := range [][]Piece{o.pieces[:n/2], o.pieces[n/2:]} {
			if err := j.again(ctx, &order{pieces: half}); err != nil {
				return err
			}
		}
		return nil
	case n == 1 && (len(o.failed) >= mostFaults || !others):
		for _, p := range o.pieces {
			j.Share.park(p.Name, why)
			j.Say("block %d is parked, and its games are void: %s could not do it, the last one, %s: %s", p.block,
				spelling.Counted(len(o.failed), "worker"), worker, why)
		}
		return nil
	}
	return j.again(ctx, o)
}
