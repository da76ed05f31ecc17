package farm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"earthgym/env/disk"
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

	files    map[string]string // SHA-256, by name
	contents map[string][]byte // by SHA-256
	replies  <-chan Reply
	deaf     func()
	now      Told
	workers  []Life
	trust    map[string]*trust
	pace     map[int]*pace // by series
	todo     []Piece
	out      map[string]*order
	tries    int
	total    int
	since    string
	number   uint64 // of the last answer that was taken
	waits    bool   // people know that nobody is at work
	full     bool   // and that there is no room
	told     bool   // the engine knows of it
	none     bool   // of the workers that there were it knows none
	lost     time.Time
	stood    time.Time // when the next standings are due
	stands   []Standing
	shown    map[string]string // Life.Games
	record   string            // the last one that came
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

// Of what workers do, all of the first bundle and one piece in so many after it is done again elsewhere.
const (
	checkOneIn  = 50 // also of whole runs, as long as they can be repeated
	mostChecked = 16 // pieces of a first bundle, and of a later one before they are sent
	mostFaults  = 3  // workers that a piece is given to, and pieces that one worker alone fails
)

// trust is what is known of a worker.
type trust struct {
	answered int             // bundles
	checked  map[string]bool // pieces that came out the same elsewhere
	tallies  map[int][]tally // of its values, by series
	weighed  float64         // pieces when these were found unlike those of others
	doubted  []Piece         // that are to be done again, once there are some of them
	faults   int             // pieces that it has failed and others have not
	unfit    string          // why it can't do this job
	aside    string          // why nothing is taken from it any more
}

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
		if err := wait(ctx, againTime); err != nil {
			return err
		}
		j.Say("a file can't be brought to the hub, and is tried again: %v", err)
	}
}

// End has the engine forget all of the job, unless it is not there any more.
func (j *Job) End(ctx context.Context) {
	for range 3 {
		if j.Engine.Forget(ctx, j.Name, 0) == nil || wait(ctx, againTime) != nil {
			return
		}
	}
}

// wait waits.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// offer offers bundles as long as workers may run short of them.
func (j *Job) offer(ctx context.Context) error {
	for len(j.todo) > 0 && len(j.out) < j.window() {
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

// window is how many bundles are out at the most.
func (j *Job) window() int { return max(4, 2*j.slots()) }

// slots are those of the workers that can do this.
func (j *Job) slots() (n int) {
	for _, w := range j.workers {
		if j.reason(w.Who) == "" {
			n += w.Slots
		}
	}
	return n
}

// reason says why a worker gets nothing of this job.
func (j *Job) reason(worker string) string {
	t := j.trust[worker]
	if t == nil {
		return ""
	}
	return cmp.Or(t.aside, t.unfit)
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

// take takes an answer.
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

// known is what is known of a worker.
func (j *Job) known(worker string) *trust {
	if j.trust[worker] == nil {
		j.trust[worker] = &trust{checked: map[string]bool{}, tallies: map[int][]tally{}}
	}
	return j.trust[worker]
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

// fits says what is wrong with the results of an answer for pieces; "" if nothing is: what it has left is then taken,
// if it is to be.
func (j *Job) fits(ctx context.Context, pieces []Piece, a *Answer, results map[string][]line,
	takes bool) (why string, err error) {
	var left []string
	for _, p := range pieces {
		names, err := fit(p, results[p.Name])
		if err != nil {
			return fmt.Sprintf("what it has made of block %d is no result of that: %v", p.block, err), nil
		}
		left = append(left, names...)
	}
	if left == nil {
		return "", nil
	}
	content, err := get(ctx, j.Engine, a.Left)
	if err != nil {
		return fmt.Sprintf("what it has left is not there: %v", err), ctx.Err()
	}
	apart, err := os.MkdirTemp(j.Share.dir, ".left-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(apart)
	if err := unfold(apart, left, content); err != nil {
		return fmt.Sprintf("what it has left can't be read: %v", err), nil
	}
	for _, name := range left {
		if err := j.Check(filepath.Join(apart, name)); err != nil {
			return fmt.Sprintf("what it has left is wrong: %v", err), nil
		}
	}
	for _, name := range left {
		if !takes {
			break
		}
		if err := copyTree(filepath.Join(apart, name), filepath.Join(j.Share.dir, name)); err != nil {
			return "", err
		}
		j.record = name
	}
	return "", nil
}

// fit says what is wrong with lines that are to be the parts of a piece, or gives what they have left.
func fit(p Piece, lines []line) (left []string, err error) {
	results := make([]Result, len(lines))
	for i, l := range lines {
		switch {
		case l.Part != i || len(l.Is) == 0:
			return nil, errors.New("its parts are not those of a piece")
		case len(l.Is)+len(l.Took) > mostResult:
			return nil, fmt.Errorf("its part %d has more than %d bytes", i, mostResult)
		case l.Left != "" && !filepath.IsLocal(l.Left):
			return nil, fmt.Errorf("it has left %q, which is in no folder of the command", l.Left)
		case l.Left != "":
			left = append(left, l.Left)
		}
		results[i] = l.Result
	}
	if len(lines) == 0 {
		return nil, errors.New("it was left out")
	}
	if p.Fits != nil {
		err = p.Fits(p.block, results)
	}
	for i := range lines {
		lines[i].Result = results[i]
	}
	return left, err
}

// results are the parts of an answer by the names of their pieces.
func (a *Answer) results() map[string][]line {
	by := map[string][]line{}
	for _, l := range a.Parts {
		by[l.Piece] = append(by[l.Piece], l)
	}
	return by
}

// check has some of the pieces of a worker done again by another one, or here, those of its first bundle at once.
func (j *Job) check(ctx context.Context, o *order, worker string) error {
	whole := o.pieces[0].whole
	if j.Once || o.pieces[0].varies {
		return nil
	}
	for _, l := range j.Share.parts {
		if whole && l.Left != "" && l.Left == o.pieces[0].left && l.Piece != o.pieces[0].Name {
			return nil // What it began with is there no more.
		}
	}
	t := j.known(worker)
	first := t.answered == 1 && !whole // Of runs there may be no more than one for each worker.
	for i, p := range o.pieces {
		if first && i < mostChecked || rand.N(checkOneIn) == 0 {
			t.doubted = append(t.doubted, p)
		}
	}
	if first || !whole && len(t.doubted) >= mostChecked {
		return j.doubt(ctx, worker)
	}
	return nil
}

// doubts has the pieces of all workers done again that wait for it, or only runs.
func (j *Job) doubts(ctx context.Context, runs bool) error {
	for _, w := range slices.Sorted(maps.Keys(j.trust)) {
		if waiting := j.trust[w].doubted; len(waiting) > 0 && (waiting[0].whole || !runs) {
			if err := j.doubt(ctx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// doubt has those pieces of a worker done again that wait for it; runs not before there is another worker.
func (j *Job) doubt(ctx context.Context, worker string) error {
	t := j.known(worker)
	for len(t.doubted) > 0 {
		n := 1
		for !t.doubted[0].whole && n < len(t.doubted) && t.doubted[n].series == t.doubted[0].series {
			n++
		}
		o := &order{pieces: t.doubted[:n:n], check: worker}
		if o.pieces[0].whole && !j.others(o) {
			return nil
		}
		t.doubted = t.doubted[n:]
		if err := j.again(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// others says whether there are workers that may do a bundle.
func (j *Job) others(o *order) bool {
	return slices.ContainsFunc(j.workers, func(w Life) bool {
		return w.Who != o.check && o.failed[w.Who] == "" && j.reason(w.Who) == ""
	})
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

// checkHere checks a worker's results here, but for whole runs.
func (j *Job) checkHere(ctx context.Context, o *order) error {
	if o.pieces[0].whole { // This machine has other things to do.
		return nil
	}
	results, err := j.here(ctx, o.pieces)
	if err != nil {
		return err
	}
	return j.compare(ctx, o, "", results)
}

// here does pieces here.
func (j *Job) here(ctx context.Context, pieces []Piece) (map[string][]line, error) {
	o := &order{pieces: pieces, check: "here", Bundle: Bundle{Name: "here", Program: j.Program,
		Command: j.Share.Command(), Ground: j.Share.grounds[pieces[0].series]}}
	for _, p := range pieces {
		o.Blocks, o.Pieces = append(o.Blocks, p.block), append(o.Pieces, p.Name[:digits])
	}
	if pieces[0].whole {
		if err := j.before(ctx, o); err != nil {
			return nil, err
		}
	}
	a, err := j.Here(&o.Bundle)
	switch {
	case err != nil:
		return nil, err
	case a.Skew != "":
		return nil, errors.New(a.Skew)
	}
	return a.results(), nil
}

// compare compares what a worker has done with what another one has made of it, or, if that is "", with what came out
// here. Where two differ, what comes out here says who is wrong.
func (j *Job) compare(ctx context.Context, o *order, other string, results map[string][]line) error {
	if j.known(o.check).aside != "" {
		return nil
	}
	for _, p := range o.pieces {
		there := j.Share.partsOf(p.Name)
		if what := unlike(there, results[p.Name]); what == "" {
			j.known(o.check).checked[p.Name] = true
			continue
		} else if other == "" {
			return j.setAside(o.check, fmt.Sprintf("block %d came out otherwise elsewhere: %s", p.block, what))
		}
		right, err := j.here(ctx, []Piece{p})
		if err != nil {
			return err
		}
		for worker, lines := range map[string][]line{o.check: there, other: results[p.Name]} {
			if what := unlike(lines, right[p.Name]); what != "" {
				err = errors.Join(err, j.setAside(worker, fmt.Sprintf("block %d came out otherwise elsewhere: %s", p.block, what)))
			}
		}
		return err
	}
	return nil
}

// unlike says in what results differ; "" if in nothing.
func unlike(a, b []line) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%d results, and %d", len(a), len(b))
	}
	for i := range a {
		if !bytes.Equal(timeless(a[i].Is), timeless(b[i].Is)) {
			return difference(timeless(a[i].Is), timeless(b[i].Is))
		}
	}
	return ""
}

// spent is the processor time of a run, which is never the same.
var spent = regexp.MustCompile(`"cpu_seconds":[^,}]*`)

func timeless(is []byte) []byte { return spent.ReplaceAll(is, []byte(`"cpu_seconds":0`)) }

// setAside takes nothing from a worker any more, and has what it has done and nobody has checked done again.
func (j *Job) setAside(worker, why string) error {
	t := j.known(worker)
	if t.aside != "" {
		return nil
	}
	t.aside = why
	j.Say("worker %s is set aside: %s", worker, why)
	lost := func(l line) bool { return l.By == worker && !t.checked[l.Piece] }
	again := map[string]bool{}
	for _, l := range j.Share.parts {
		if lost(l) {
			again[l.Piece] = true
		}
	}
	t.doubted = nil
	for name, o := range j.out { // It is checked no more.
		if o.check == worker {
			delete(j.out, name)
		}
	}
	for _, p := range j.Share.asked {
		if again[p.Name] {
			j.todo = append(j.todo, p)
		}
	}
	return j.Share.drop(lost)
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
			j.Say("block %d is parked, and its games are void: %d workers could not do it, the last one, %s: %s", p.block,
				len(o.failed), worker, why)
		}
		return nil
	}
	return j.again(ctx, o)
}

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
	if none && !j.none || j.told && !slices.ContainsFunc(asking, func(l Life) bool { return l.Job == j.Name }) {
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
	j.told = j.Engine.Tell(ctx, text) == nil // It is told again.
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
