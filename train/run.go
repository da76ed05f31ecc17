package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/spelling"
)

// Options are what a run may be given besides its Config, without being another run.
type Options struct {
	Workers int    // goroutines
	Program string // written into checkpoints: name and version
	Memory  uint64 // bytes that there are; a run that needs more is refused. 0 = unknown

	// Context ends the wait for programs that take their seats as opponents and teachers, and with it Start and Resume;
	// nil never does.
	Context context.Context

	// Of Resume alone:

	Decisions int     // raises the budget of the run to so many, if not 0
	Minutes   float64 // raises the budget of time to what is spent and so much more, if not 0
	Programs  bool    // starts the programs that the run's config names as opponents or teachers (remote:COMMAND)
}

// Open goes on with the run in dir, which must have these games and settings but for a larger budget, or starts one if
// there is none. What a run's config names is named by its caller, too, and is started (Options.Programs).
func Open(dir string, c Config, games []env.Game, o Options) (*Run, error) {
	if _, err := os.Stat(filepath.Join(dir, ConfigFile)); err != nil {
		return Start(dir, c, games, o)
	}
	before, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	if before.Decisions > 0 && c.Decisions > before.Decisions {
		o.Decisions, before.Decisions = c.Decisions, c.Decisions
	}
	if before.Minutes > 0 && c.Minutes > 0 {
		c.Minutes = before.Minutes
	}
	c.Games, o.Programs = texts(games), true
	if len(before.Games) > 1 && before.Seed != c.Seed { // It may have drawn them.
		return nil, fmt.Errorf("%s holds a run with seed %v, not %v: choose another folder", dir, before.Seed, c.Seed)
	}
	for _, s := range allSettings() {
		if was, is := spelling.Apart(s.Text(&before), s.Text(&c)); was != is {
			return nil, fmt.Errorf("%s holds a run with %s %s, not %s: choose another folder", dir, s.Name, was, is)
		}
	}
	return Resume(dir, games, o)
}

func texts(games []env.Game) (list []string) {
	for _, g := range games {
		list = append(list, g.Info().Text)
	}
	return list
}

// Start makes a new run in dir, which must not hold one, for games that are variants of one rulebook.
func Start(dir string, c Config, games []env.Game, o Options) (*Run, error) {
	c.Games = texts(games)
	if err := c.Check(); err != nil {
		return nil, err
	}
	if err := checkNew(dir); err != nil {
		return nil, err
	}
	r, err := newRun(dir, c, games, o)
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
		return fmt.Errorf("%s already holds a run: choose another folder", dir)
	}
	// A run that was killed while it started has neither metrics nor checkpoints.
	if at, err := os.Stat(filepath.Join(dir, MetricsFile)); err == nil && at.Size() > 0 {
		return fmt.Errorf("%s holds the %s of a run that has lost its %s: choose another folder", dir, MetricsFile,
			ConfigFile)
	}
	return nil
}

func (r *Run) start() error {
	r.phase = r.due()
	if err := r.initialise(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.dir, checkpoint.Dir), 0o755); err != nil {
		return fmt.Errorf("cannot make the run's folder: %w", err)
	}
	var err error
	if r.folder, err = disk.Hold(r.dir); err != nil {
		return err
	}
	if err := checkNew(r.dir); err != nil { // of one that was quicker
		return err
	}
	// The config comes last: a folder with one is a run that can be resumed.
	if err := os.WriteFile(filepath.Join(r.dir, MetricsFile), nil, 0o644); err != nil {
		return fmt.Errorf("cannot start the metrics: %w", err)
	}
	if err := r.rewriteEvents(nil); err != nil {
		return err
	}
	if r.phase == leaguePlay && r.parent != "" { // The run's answer may be what it began as.
		if err := r.writeCheckpoint(); err != nil {
			return err
		}
	}
	if err := r.save(); err != nil {
		return err
	}
	return r.config.write(r.dir)
}

// Resume goes on with the run in dir, exactly where it was saved. Nothing that its config names is opened
// before the run is known to be whole and of this game. If its budget is raised, the learning rate falls
// along the line to the new end from then on.
func Resume(dir string, games []env.Game, o Options) (*Run, error) {
	if _, err := ReadConfig(dir); err != nil { // there is nothing to lock
		return nil, err
	}
	folder, err := disk.Hold(dir)
	if err != nil {
		return nil, err
	}
	r, err := resume(dir, games, o)
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	r.folder = folder
	return r, nil
}

func resume(dir string, games []env.Game, o Options) (*Run, error) {
	c, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	before := c
	if o.Decisions != 0 {
		budget := c.Decisions
		if budget < 0 {
			return nil, fmt.Errorf("the budget of %s is a time, not a number of decisions: give it more time", dir)
		}
		if o.Decisions < budget {
			return nil, fmt.Errorf("the budget of %s is %d decisions already: it can be raised, not lowered to %d", dir, budget,
				o.Decisions)
		}
		c.Decisions = o.Decisions
		if err := c.Check(); err != nil {
			return nil, err
		}
	}
	if o.Minutes != 0 && c.Minutes == 0 {
		return nil, fmt.Errorf("the budget of %s is a number of decisions, not a time: give it more decisions", dir)
	}
	saved, err := readSaved(dir, &c, games, o.Memory)
	if err != nil {
		return nil, err
	}
	if programs := c.programs(); len(programs) > 0 && !o.Programs {
		return nil, &ProgramsError{dir, programs}
	}
	r, err := newRun(dir, c, games, o)
	if err != nil {
		return nil, err
	}
	if err := r.takeUp(saved, &before, o.Minutes); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// takeUp makes the run what was saved, and its folder what it was then, but for a raised budget.
func (r *Run) takeUp(saved *checkpoint.Checkpoint, before *Config, minutes float64) error {
	if err := r.restore(saved); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(r.dir, resumeFile), err)
	}
	// What was packed to go on elsewhere has no empty folders.
	if err := cmp.Or(r.trimMetrics(), os.MkdirAll(filepath.Join(r.dir, checkpoint.Dir), 0o755)); err != nil {
		return err
	}
	if minutes > 0 {
		r.config.Minutes = r.spent/60 + minutes
		if err := r.config.Check(); err != nil {
			return err
		}
	}
	if r.config.Decisions == before.Decisions && r.config.Minutes == before.Minutes {
		return nil
	}
	return r.config.write(r.dir)
}

// programs are the opponents and teachers that are programs, which are started for them.
func (c *Config) programs() []string {
	return slices.DeleteFunc(slices.Concat(c.Opponents, c.teachers()),
		func(text string) bool { return !agents.IsForeign(text) })
}

// A ProgramsError is that of a run whose config names programs as opponents, which Resume was not allowed to
// start: who made the folder chose them, and they would run with the rights of this process.
type ProgramsError struct {
	Dir      string
	Programs []string
}

func (e *ProgramsError) Error() string {
	return fmt.Sprintf("the %s of %s has programs for opponents or teachers, which would be started here: %s", ConfigFile,
		e.Dir, strings.Join(e.Programs, ", "))
}

// A SettingsError says that a run cannot be as its settings and games ask for it.
type SettingsError struct{ error }

// Unwrap is what is wrong.
func (e *SettingsError) Unwrap() error { return e.error }

func newRun(dir string, c Config, games []env.Game, o Options) (*Run, error) {
	r := &Run{dir: dir, config: c, program: o.Program, info: games[0].Info(),
		shuffle: env.NewStream(uint64(c.Seed), "minibatches"), saveEvery: usualSaveEvery}
	if err := cmp.Or(checkVariants(games), c.checkMemory(games, o.Memory)); err != nil {
		return nil, &SettingsError{err}
	}
	workers := max(1, o.Workers)
	params, err := neural.NewParams(c.network(r.info))
	if err != nil {
		return nil, &SettingsError{err}
	}
	if r.learner, err = NewLearner(params, workers); err != nil {
		return nil, err
	}
	if r.library, err = openLibrary(&r.config, games); err != nil {
		return nil, err
	}
	if r.collector, err = newCollector(&r.config, games, min(workers, c.NumEnvs)); err != nil {
		return nil, err
	}
	if err := r.collector.pool.seat(cmp.Or(o.Context, context.Background())); err != nil {
		r.collector.close()
		return nil, err
	}
	r.evaluator = newEvaluator(&r.config, games, r.collector)
	return r, nil
}

// checkVariants refuses games that do not share one network.
func checkVariants(games []env.Game) error {
	first, together := games[0].Info(), winTogether(games)
	for i, g := range games {
		info := g.Info()
		switch {
		case info.Name != first.Name:
			return fmt.Errorf("one network plays one rulebook: %s and %s are two", first.Name, info.Name)
		case info.Players > 1 && info.Shared() != together:
			return fmt.Errorf("in %s %s, in another of these games it is the other way round: train a network for each",
				info.Short, map[bool]string{true: "all win together", false: "they do not win together"}[info.Shared()])
		case slices.ContainsFunc(games[:i], func(before env.Game) bool { return before.Info().Text == info.Text }):
			return fmt.Errorf("%s is named twice", info.Short)
		}
	}
	return nil
}

// Config is the run's.
func (r *Run) Config() Config { return r.config }

// Shared says whether all seats of its games win and lose together.
func (r *Run) Shared() bool { return r.evaluator.shared }

// Decisions is the number that the network has made so far.
func (r *Run) Decisions() int { return r.decisions }

// Updates is the number of them that it has made so far, of all phases.
func (r *Run) Updates() int { return r.update }

// Cloned is the number of decisions of teachers that it has learnt from so far.
func (r *Run) Cloned() int { return r.cloned }

// Progress is how much of the running phase is done, from 0 to 1, and which it is: "cloning", "dagger" or "league".
func (r *Run) Progress() (phase string, done float64) {
	if r.phase == leaguePlay {
		return r.phase.String(), r.progress()
	}
	return r.phase.String(), r.cloneProgress()
}

// Left is the rest of the budget of time, if the run has one.
func (r *Run) Left() (left time.Duration, limited bool) {
	seconds := max(0, float64(r.config.Minutes*60)-r.spent)
	return time.Duration(seconds * float64(time.Second)), r.config.Minutes > 0
}

// Close ends the run's goroutines and the programs that are opponents, and unlocks its folder.
func (r *Run) Close() {
	r.collector.close()
	r.evaluator.close()
	_ = r.folder.Close() // If it can't, the end of the process will.
}

// initialise makes the network what the run begins with: drawn, with inputs scaled to what is seen in the games that
// the collector plays to warm up, or another network if the config names one.
func (r *Run) initialise() error {
	params := r.learner.Params()
	params.Init(uint64(r.config.Seed))
	from, err := r.readFrom()
	if err != nil {
		return err
	}
	player := params.Clone() // a run's first games are those of the network that it begins as
	if from != nil {
		if err := player.TakeOver(from.Network); err != nil {
			return fmt.Errorf("from: %w", err)
		}
	}
	policy, err := neural.NewPolicy(player)
	if err != nil {
		return err
	}
	observations, err := r.collector.warm(r.phase, policy)
	if err != nil {
		return err
	}
	scale := params.Spec().InputScale(observations)
	params.ScaleInputs(scale)
	r.learner.ScaleInputs(scale)
	if from == nil {
		return nil
	}
	if err := params.TakeOver(from.Network); err != nil {
		return fmt.Errorf("from: %w", err)
	}
	r.parent = from.Hash
	if r.phase == leaguePlay {
		return r.refer(params)
	}
	return nil
}

// readFrom reads the checkpoint that the run begins as, nil if the config names none. If the network is the answer of a
// run, it is as unsure again as it was before the run's end made it surer: else it would try nothing new.
func (r *Run) readFrom() (*checkpoint.Checkpoint, error) {
	if r.config.From == "" {
		return nil, nil
	}
	from, err := shipped.Checkpoint(strings.TrimPrefix(r.config.From, "net:"), r.info)
	if err != nil {
		return nil, fmt.Errorf("from: %w", err)
	}
	if card := from.Card; card != nil && card.Sharpness > 0 {
		unsure := *from
		unsure.Network = from.Network.Clone()
		unsure.Network.Sharpen(float32(1 / card.Sharpness))
		return &unsure, nil
	}
	return from, nil
}

// checkpointFile is where the network is left after so many updates.
func (r *Run) checkpointFile(update int64) string {
	return filepath.Join(r.dir, checkpoint.Dir, checkpoint.FileName(update))
}

func (r *Run) writeCheckpoint() error {
	return checkpoint.Write(r.checkpointFile(int64(r.update)), r.checkpoint())
}
