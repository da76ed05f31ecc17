package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env"

	"github.com/gofrs/flock"
)

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
		if err := c.Check(); err != nil {
			return nil, err
		}
	}
	saved, err := readSaved(dir, &c, g.Info(), o.Memory)
	if err != nil {
		return nil, err
	}
	if programs := c.programs(); len(programs) > 0 && !o.Programs {
		return nil, &ProgramsError{dir, programs}
	}
	r, err := newRun(dir, c, g, o)
	if err != nil {
		return nil, err
	}
	if err := r.takeUp(saved, budget); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// takeUp makes the run what was saved, and its folder what it was then, but for a raised budget.
func (r *Run) takeUp(saved *checkpoint.Checkpoint, budget int) error {
	if err := r.restore(saved); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(r.dir, resumeFile), err)
	}
	if err := removeUnfinished(r.dir); err != nil {
		return err
	}
	if err := r.trimMetrics(); err != nil {
		return err
	}
	if r.config.Decisions == budget {
		return nil
	}
	return r.config.write(r.dir)
}

// programs are the opponents that are programs, which are started for them.
func (c *Config) programs() []string {
	return slices.DeleteFunc(slices.Clone(c.Opponents), func(text string) bool { return !agents.IsProgram(text) })
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
	params, err := neural.NewParams(c.network(r.info))
	if err != nil {
		return nil, err
	}
	if r.learner, err = NewLearner(params, workers); err != nil {
		return nil, err
	}
	if r.collector, err = newCollector(&r.config, g, min(workers, c.NumEnvs)); err != nil {
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
		u, err := r.iterate()
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
