package train

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env"

	"github.com/gofrs/flock"
)

// MetricsFile is the name of the metrics in a run's directory: one Update as JSON per line.
const MetricsFile = "metrics.jsonl"

// An Update is a line of metrics: what an update learnt from, and how it went.
type Update struct {
	Update    int `json:"update"`    // from 1
	Decisions int `json:"decisions"` // of the network, since the start

	// Games that ended since the last update:

	Games     int                `json:"games"`
	Length    float64            `json:"length"`    // decisions of a game, all seats
	Score     float64            `json:"score"`     // mean raw score of the network's seats
	WinShare  float64            `json:"win_share"` // of the network's seats; where all win together, the success rate
	Returns   map[string]float64 `json:"returns"`   // mean return of the network's seats, by opponent
	Wins      map[string]float64 `json:"wins"`      // WinShare by opponent
	Measures  map[string]float64 `json:"measures"`  // means of Info.Measures
	Ends      map[string]int     `json:"ends"`      // games by the reason of their end
	PastSelfs int                `json:"past_selves"`

	// Means over the update's minibatches:

	Loss         float64 `json:"loss"`
	PolicyLoss   float64 `json:"policy_loss"`
	ValueLoss    float64 `json:"value_loss"`
	Entropy      float64 `json:"entropy"`
	KL           float64 `json:"kl"`
	ClipFraction float64 `json:"clip_fraction"`
	GradNorm     float64 `json:"grad_norm"`
	Explained    float64 `json:"explained_variance"` // of the returns, by the values
	LearningRate float64 `json:"learning_rate"`

	// The only ones that differ when a run is repeated:

	CollectSeconds float64 `json:"collect_seconds"`
	LearnSeconds   float64 `json:"learn_seconds"`
}

// A Run is one training run. It belongs to one goroutine, which starts others.
type Run struct {
	dir     string
	config  Config
	program string
	info    *env.Info

	collector *collector
	learner   *Learner
	shuffle   env.Stream
	decisions int // of the network
	update    int

	lock *flock.Flock // of dir

	order []int32 // decisions that an update learns from
	batch Minibatch
}

// Options are what a run may be given besides its Config, without being another run.
type Options struct {
	Workers int    // goroutines
	Program string // written into checkpoints: name and version
	Memory  uint64 // bytes that there are; a run that needs more is refused. 0 = unknown

	// Of Resume alone:

	Decisions int  // raises the budget of the run to so many, if not 0
	Programs  bool // starts the programs that the run's config names as opponents (remote:COMMAND)
}

// Start makes a new run in dir, which must not hold one, for the game that the config names.
func Start(dir string, c Config, g env.Game, o Options) (*Run, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if err := checkNew(dir); err != nil {
		return nil, err
	}
	c.Game = g.Info().Text
	r, err := newRun(dir, c, g, o)
	if err != nil {
		return nil, err
	}
	if err := r.start(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// checkNew refuses a folder that holds a run.
func checkNew(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, ConfigFile)); err == nil {
		return fmt.Errorf("%s already holds a run: resume it, or choose another folder", dir)
	}
	// A run that was killed while it started has neither metrics nor checkpoints.
	if at, err := os.Stat(filepath.Join(dir, MetricsFile)); err == nil && at.Size() > 0 {
		return fmt.Errorf("%s holds the %s of a run that has lost its %s: choose another folder", dir, MetricsFile, ConfigFile)
	}
	return nil
}

func (r *Run) start() error {
	r.learner.Params().Init(uint64(r.config.Seed))
	if err := os.MkdirAll(filepath.Join(r.dir, checkpoint.Dir), 0o755); err != nil {
		return fmt.Errorf("cannot make the run's folder: %w", err)
	}
	var err error
	if r.lock, err = lockRun(r.dir); err != nil {
		return err
	}
	if err := checkNew(r.dir); err != nil { // of one that was quicker
		return err
	}
	if err := removeUnfinished(r.dir); err != nil {
		return err
	}
	// The config comes last: a folder with one is a run that can be resumed.
	if err := os.WriteFile(filepath.Join(r.dir, MetricsFile), nil, 0o644); err != nil {
		return fmt.Errorf("cannot start the metrics: %w", err)
	}
	if err := r.save(); err != nil {
		return err
	}
	return r.config.write(r.dir)
}

// Resume goes on with the run in dir, exactly where it was saved. Nothing that its config names is opened
// before the run is known to be whole and of this game. If its budget is raised, the learning rate falls
// along the line to the new end from then on.
func Resume(dir string, g env.Game, o Options) (*Run, error) {
	if _, err := ReadConfig(dir); err != nil { // there is nothing to lock
		return nil, err
	}
	lock, err := lockRun(dir)
	if err != nil {
		return nil, err
	}
	r, err := resume(dir, g, o)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	r.lock = lock
	return r, nil
}

func resume(dir string, g env.Game, o Options) (*Run, error) {
	c, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	budget := c.Decisions
	if o.Decisions != 0 {
		if o.Decisions < budget {
			return nil, fmt.Errorf("the budget of %s is %d decisions already: it can be raised, not lowered to %d", dir, budget, o.Decisions)
		}
		c.Decisions = o.Decisions
	}
	saved, err := readSaved(dir, &c, g.Info())
	if err != nil {
		return nil, err
	}
	if programs := slices.DeleteFunc(slices.Clone(c.Opponents), func(o string) bool { return !agents.IsProgram(o) }); len(programs) > 0 && !o.Programs {
		return nil, &ProgramsError{dir, programs}
	}
	r, err := newRun(dir, c, g, o)
	if err != nil {
		return nil, err
	}
	err = r.restore(saved)
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Join(dir, resumeFile), err)
	}
	if err == nil {
		err = removeUnfinished(dir)
	}
	if err == nil {
		err = r.trimMetrics()
	}
	if err == nil && c.Decisions != budget {
		err = r.config.write(dir)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// A ProgramsError is that of a run whose config names programs as opponents, which Resume was not allowed to
// start: who made the folder chose them, and they would run with the rights of this process.
type ProgramsError struct {
	Dir      string
	Programs []string
}

func (e *ProgramsError) Error() string {
	return fmt.Sprintf("the %s of %s has programs for opponents, which would be started here: %s", ConfigFile, e.Dir, strings.Join(e.Programs, ", "))
}

// removeUnfinished removes what a killed process left half written in the folder of a run, which is locked.
func removeUnfinished(dir string) error {
	for _, dir := range []string{dir, filepath.Join(dir, checkpoint.Dir)} {
		files, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot look for unfinished files: %w", err)
		}
		for _, f := range files {
			if !env.IsTemporary(f.Name()) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
				return fmt.Errorf("cannot remove an unfinished file: %w", err)
			}
		}
	}
	return nil
}

func newRun(dir string, c Config, g env.Game, o Options) (*Run, error) {
	r := &Run{dir: dir, config: c, program: o.Program, info: g.Info(), shuffle: env.NewStream(uint64(c.Seed), "minibatches")}
	if err := c.checkMemory(r.info, o.Memory); err != nil {
		return nil, err
	}
	workers := max(1, o.Workers)
	params, err := neural.NewParams(neural.Spec{Inputs: r.info.Observation(), Actions: len(r.info.Actions), Hidden: c.Hidden})
	if err != nil {
		return nil, err
	}
	if r.learner, err = NewLearner(params, workers); err != nil {
		return nil, err
	}
	if r.collector, err = newCollector(&r.config, g, workers); err != nil {
		return nil, err
	}
	return r, nil
}

// Config is the run's.
func (r *Run) Config() Config { return r.config }

// Decisions is the number that the network has made so far.
func (r *Run) Decisions() int { return r.decisions }

// Close ends the run's goroutines and the programs that are opponents, and unlocks its folder.
func (r *Run) Close() {
	r.collector.close()
	if r.lock != nil {
		_ = r.lock.Close() // if it can't, the end of the process will
	}
}

// Train goes on until the config's budget of decisions is used up or the context is done, which is
// then the error. After each update the run is saved, so that nothing but the running update can be
// lost, and report, if not nil, is called. At the end, and every CheckpointEvery updates, the network
// is left as a checkpoint.
func (r *Run) Train(ctx context.Context, report func(Update)) error {
	for r.decisions < r.config.Decisions {
		if ctx.Err() != nil {
			if err := r.writeCheckpoint(); err != nil {
				return err
			}
			return ctx.Err()
		}
		u, err := r.step()
		if err != nil {
			return fmt.Errorf("update %d: %w", r.update+1, err)
		}
		last := r.decisions >= r.config.Decisions
		if r.update%r.config.CheckpointEvery == 0 || last {
			if err := r.writeCheckpoint(); err != nil {
				return err
			}
		}
		if err := r.appendMetrics(u); err != nil {
			return err
		}
		if err := r.save(); err != nil {
			return err
		}
		if report != nil {
			report(u)
		}
	}
	return nil
}

func (r *Run) writeCheckpoint() error {
	name := filepath.Join(r.dir, checkpoint.Dir, checkpoint.FileName(int64(r.update)))
	return checkpoint.Write(name, r.checkpoint())
}

// step collects and learns once.
func (r *Run) step() (Update, error) {
	start := time.Now()
	policy, err := neural.NewPolicy(r.learner.Params())
	if err != nil {
		return Update{}, err
	}
	k := r.collector
	if err := k.collect(policy); err != nil {
		return Update{}, err
	}
	collected := time.Now()
	r.order = k.rollout.finish(r.config.Gamma, r.config.GAELambda, r.order[:0])
	u := Update{Update: r.update + 1, LearningRate: r.learningRate()}
	if len(r.order) > 0 {
		u.Explained = k.rollout.explained(r.order)
		k.rollout.normalise(r.order)
		if err := r.learn(&u); err != nil {
			return Update{}, err
		}
	}
	r.update++
	r.decisions += len(r.order)
	if r.update%r.config.PoolEvery == 0 {
		if err := k.pool.take(r.update, r.learner.Params()); err != nil {
			return Update{}, err
		}
	}
	r.describe(&u)
	u.CollectSeconds = collected.Sub(start).Seconds()
	u.LearnSeconds = time.Since(collected).Seconds()
	return u, nil
}

// learningRate falls in a line to a tenth over the budget.
func (r *Run) learningRate() float64 {
	done := min(1, float64(r.decisions)/float64(r.config.Decisions))
	return r.config.LearningRate * (1 - 0.9*done)
}

// learn goes through the decisions Epochs times, in minibatches of nearly equal size, in another order
// each time.
func (r *Run) learn(u *Update) error {
	batches := max(1, (len(r.order)+r.config.Minibatch/2)/r.config.Minibatch)
	steps := 0.0
	for range r.config.Epochs {
		for i := len(r.order) - 1; i > 0; i-- {
			j := r.shuffle.Below(i + 1)
			r.order[i], r.order[j] = r.order[j], r.order[i]
		}
		for b := range batches {
			from, to := share(len(r.order), b, batches)
			r.gather(r.order[from:to])
			s, err := r.learner.Step(r.batch, StepOptions{
				LearningRate: u.LearningRate, Clip: r.config.ClipCoef, ValueCoef: r.config.ValueCoef,
				EntropyCoef: r.config.EntropyCoef, MaxGradNorm: r.config.MaxGradNorm,
			})
			if err != nil {
				return err
			}
			u.Loss += s.Loss
			u.PolicyLoss += s.PolicyLoss
			u.ValueLoss += s.ValueLoss
			u.Entropy += s.Entropy
			u.KL += s.KL
			u.ClipFraction += s.ClipFraction
			u.GradNorm += s.GradNorm
			steps++
		}
	}
	for _, x := range []*float64{&u.Loss, &u.PolicyLoss, &u.ValueLoss, &u.Entropy, &u.KL, &u.ClipFraction, &u.GradNorm} {
		*x /= steps
	}
	return nil
}

// gather copies decisions into the minibatch.
func (r *Run) gather(decisions []int32) {
	k, b := r.collector.rollout, &r.batch
	b.Rows = len(decisions)
	b.Obs, b.Mask = slices.Grow(b.Obs[:0], b.Rows*k.inputs), b.Mask[:0]
	b.Action, b.LogProb, b.Advantage, b.Return = b.Action[:0], b.LogProb[:0], b.Advantage[:0], b.Return[:0]
	for _, i := range decisions {
		b.Obs = append(b.Obs, k.observation(int(i))...)
		b.Mask = append(b.Mask, k.mask(int(i))...)
		b.Action = append(b.Action, k.actions[i])
		b.LogProb = append(b.LogProb, k.logProbs[i])
		b.Advantage = append(b.Advantage, k.advantages[i])
		b.Return = append(b.Return, k.returns[i])
	}
}

// describe adds what was collected, and begins to count anew.
func (r *Run) describe(u *Update) {
	s := &r.collector.stats
	u.Decisions, u.Games, u.Ends, u.PastSelfs = r.decisions, s.games, s.ends, len(r.collector.pool.past)
	u.Returns, u.Wins, u.Measures = map[string]float64{}, map[string]float64{}, map[string]float64{}
	for name, t := range s.against {
		u.Returns[name] = t.returns / float64(t.seats)
		u.Wins[name] = t.wins / float64(t.seats)
	}
	if s.games > 0 {
		u.Length = float64(s.decisions) / float64(s.games)
		for i, m := range r.info.Measures {
			u.Measures[m.Name] = s.measures[i] / float64(s.games)
		}
	}
	if s.seats > 0 {
		u.Score = s.score / float64(s.seats)
		u.WinShare = s.wins / float64(s.seats)
	}
	s.clear()
}

func (r *Run) appendMetrics(u Update) error {
	line, err := json.Marshal(u)
	if err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(r.dir, MetricsFile), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

// trimMetrics drops the line of an update that was reported but not saved, or half of one.
func (r *Run) trimMetrics() error {
	updates, err := ReadMetrics(r.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the run needs none to go on
		return err
	}
	updates = slices.DeleteFunc(updates, func(u Update) bool { return u.Update > r.update })
	return env.WriteFile(filepath.Join(r.dir, MetricsFile), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		for _, u := range updates {
			if err := enc.Encode(u); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadMetrics reads the metrics of the run in dir. Half a line at the end, of an update that was cut
// off, is left out.
func ReadMetrics(dir string) ([]Update, error) {
	name := filepath.Join(dir, MetricsFile)
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read metrics: %w", err)
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	var updates []Update
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var u Update
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		updates = append(updates, u)
	}
	return updates, lines.Err()
}

// What metrics call the opponents that are no agents of their own.
const (
	Self     = "self"      // the network alone at the table
	PastSelf = "past self" // one of those kept in the pool
)

// Opponents lists the kinds of opponents that the metrics name, in order.
func Opponents(updates []Update) []string {
	names := map[string]bool{}
	for _, u := range updates {
		for name := range u.Returns {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
