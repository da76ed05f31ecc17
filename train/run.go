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
)

// A Run is one training run. It belongs to one goroutine, which starts others.
type Run struct {
	dir     string
	config  Config
	program string
	info    *env.Info // of the first variant

	collector *collector
	evaluator *evaluator
	library   *library // recorded games to clone, nil without any
	learner   *Learner
	reference *reference // what the policy stays near in the league, nil for nothing
	shuffle   env.Stream

	phase        phase
	cloned       int     // decisions of teachers learnt from
	decisions    int     // of the network, in the league
	update       int     // made so far
	rounds       int     // of them in the league
	spent        float64 // seconds, in a run with a budget of time
	clonedIn     float64 // of them for cloning
	collected    moment  // when the decisions of the running update were there
	best         best
	eventSeconds float64 // that the updates in EventsFile have taken
	parent       string  // hash of the network that it began as, if another run made that

	folder    *disk.Folder // dir, which is held
	saveEvery time.Duration

	order []int32 // decisions that an update learns from
	batch Minibatch
}

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
	for _, s := range allSettings() {
		if was, is := s.Text(&before), s.Text(&c); was != is {
			return nil, fmt.Errorf("%s holds a run with %s %s, not %s: choose another folder", dir, s.Name, was, is)
		}
	}
	return Resume(dir, games, o)
}

// texts are those of games.
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
	if err := r.trimMetrics(); err != nil {
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

// winTogether says whether all seats of the games win and lose together. Who plays alone wins either way, so that a
// game for one says nothing of that beside games for more.
func winTogether(games []env.Game) bool {
	most := slices.MaxFunc(games, func(a, b env.Game) int { return cmp.Compare(a.Info().Players, b.Info().Players) })
	return most.Info().Shared()
}

// Config is the run's.
func (r *Run) Config() Config { return r.config }

// Shared says whether all seats of its games win and lose together.
func (r *Run) Shared() bool { return r.evaluator.shared }

// Decisions is the number that the network has made so far.
func (r *Run) Decisions() int { return r.decisions }

// Cloned is the number of decisions of teachers that it has learnt from so far.
func (r *Run) Cloned() int { return r.cloned }

// Progress is how much of the running phase is done, from 0 to 1, and which it is: "cloning", "dagger" or "league".
func (r *Run) Progress() (phase string, done float64) {
	if r.phase == leaguePlay {
		return r.phase.String(), r.progress()
	}
	return r.phase.String(), r.cloneProgress()
}

// Left is what is left of the budget of time, if the run has one.
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

// progress is how much of the league is done, from 0 to 1: of the decisions or of the time, whichever is further.
func (r *Run) progress() float64 {
	c, done := &r.config, 0.0
	switch {
	case c.Decisions > 0:
		done = float64(r.decisions) / float64(c.Decisions)
	case c.Decisions == 0:
		return 1
	}
	if c.Minutes > 0 {
		done = max(done, (r.spent-r.clonedIn)/max(float64(c.Minutes*60)-r.clonedIn, 1e-9))
	}
	return min(1, done)
}

// done says whether the budget is used up.
func (r *Run) done() bool { return r.phase == leaguePlay && r.progress() >= 1 }

// usualSaveEvery is how long a run goes on without being saved: of large networks a save takes a good part of an
// update.
const usualSaveEvery = 5 * time.Second

// saveShare is how many times as long as a save takes a run goes on before the next: the games of many variants are a
// hundred megabytes, which a busy disk takes as long for as an update does.
const saveShare = 20

// Train goes on until the config's budget is used up or the context is done, which is then the error. After the first
// update, and then every few seconds, the run is saved, so that no more can be lost, and it is after the last one and
// when the context is done. After each update report, if not nil, is called. At the end, and every CheckpointEvery
// updates, the network is left as a checkpoint.
func (r *Run) Train(ctx context.Context, report func(Update)) error {
	var saved time.Time
	var took time.Duration // by the last save, so many times that it stays a small share of all
	for !r.done() {
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
		if r.update%r.config.CheckpointEvery == 0 || r.done() {
			if err := r.writeCheckpoint(); err != nil {
				return err
			}
		}
		if err := r.appendMetrics(u); err != nil {
			return err
		}
		if err := r.addEvents(u); err != nil {
			return err
		}
		if report != nil {
			report(u)
		}
		if time.Since(saved) >= max(r.saveEvery, took) || r.done() || ctx.Err() != nil {
			begun := time.Now()
			if err := r.save(); err != nil {
				return err
			}
			saved = time.Now()
			if r.saveEvery > 0 {
				took = saveShare * saved.Sub(begun)
			}
		}
	}
	return nil
}

// iterate is one update, of whatever phase the run is at.
func (r *Run) iterate() (Update, error) {
	start := now()
	policy, err := neural.NewPolicy(r.learner.Params())
	if err != nil {
		return Update{}, err
	}
	u := Update{Update: r.update + 1, Phase: r.phase.String()}
	if r.phase == leaguePlay {
		err = r.improve(policy, &u)
	} else {
		err = r.clone(policy, &u)
	}
	if err != nil {
		return Update{}, err
	}
	learnt := now()
	u.CollectSeconds, u.CollectCPUSeconds = r.collected.since(start)
	u.LearnSeconds, u.LearnCPUSeconds = learnt.since(r.collected)
	r.pass(u.CollectSeconds + u.LearnSeconds)
	r.update++
	r.describe(&u)
	measured := r.phase == leaguePlay && (r.rounds%r.config.EvalEvery == 0 || r.done())
	if next := r.due(); next != r.phase {
		r.phase = next
		r.collector.enter(next)
		if measured = next == leaguePlay; measured {
			if err := r.beginLeague(); err != nil {
				return Update{}, err
			}
		}
	}
	if measured {
		evaluating := time.Now()
		if err := r.evaluate(&u); err != nil {
			return Update{}, err
		}
		u.EvaluateSeconds = time.Since(evaluating).Seconds()
		r.pass(u.EvaluateSeconds)
	}
	_, u.CPUSeconds = now().since(start)
	return u, nil
}

// A moment is a time, also by the processor time that the process has taken until then.
type moment struct {
	at  time.Time
	cpu float64 // seconds
}

func now() moment { return moment{time.Now(), cpuSeconds()} }

// since is the time from another moment to this one, and the processor time, in seconds.
func (m moment) since(before moment) (seconds, cpu float64) {
	return m.at.Sub(before.at).Seconds(), m.cpu - before.cpu
}

// pass lets time pass in a run that has a budget of it.
func (r *Run) pass(seconds float64) {
	if r.config.Minutes > 0 {
		r.spent += seconds
	}
}

// beginLeague makes the clone what the league begins with: the first reference, and the first past self. What the
// optimiser remembers of another loss is forgotten.
func (r *Run) beginLeague() error {
	r.clonedIn = r.spent
	params := r.learner.Params()
	if err := r.learner.Restore(r.learner.State().fresh()); err != nil {
		return err
	}
	if err := r.collector.pool.take(r.update, params); err != nil {
		return err
	}
	return r.refer(params)
}

// refer makes a network the reference, if there is to be one.
func (r *Run) refer(params *neural.Params) error {
	if r.config.KLCoef == 0 {
		return nil
	}
	var err error
	r.reference, err = newReference(params, len(r.collector.workers))
	return err
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

func (r *Run) writeCheckpoint() error {
	name := filepath.Join(r.dir, checkpoint.Dir, checkpoint.FileName(int64(r.update)))
	return checkpoint.Write(name, r.checkpoint())
}
