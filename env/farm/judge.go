package farm

// What of their work is taken from workers: results are looked at, some pieces are done again elsewhere, and a worker
// whose results differ from what comes out here is set aside.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// reason says why a worker gets nothing of this job.
func (j *Job) reason(worker string) string {
	t := j.trust[worker]
	if t == nil {
		return ""
	}
	return cmp.Or(t.aside, t.unfit)
}

func (j *Job) known(worker string) *trust {
	if j.trust[worker] == nil {
		j.trust[worker] = &trust{checked: map[string]bool{}, tallies: map[int][]tally{}}
	}
	return j.trust[worker]
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
