package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/farm"
	"earthgym/env/registry"
	"earthgym/env/spelling"
	"earthgym/eval"
	"earthgym/games"
	"earthgym/train"
)

type trainOptions struct {
	game     gameFlags
	config   train.Config
	variants bool
	out      string
	seeds    int
	part     bool // of several runs, which the same command goes on with
	programs bool
	workers  int
	time     time.Duration
	against  []string
	games    int
	share    sharing
}

func newTrain() *cobra.Command {
	o := trainOptions{config: train.DefaultConfig()}
	cmd := &cobra.Command{
		Use:   "train GAME…",
		Short: "Train a network: clone a bot, then play a league",
		Long: `Train a network into a folder: config.toml, metrics.jsonl, checkpoints, best.safetensors, and what is needed
to go on after an interruption at any moment: the same command does, and without GAME whatever run is in --out
by its own settings, with more --decisions or --time if you say so.

First the network clones its teachers (--clone): it learns to decide as they do, in their games and then in
its own. Then it plays a league: against itself, its past selves and the whole field (--opponents), those
that are hard to beat more often, staying near what it has learnt. In Resilience Earth the field has other
characters of the strong bot too (script:varied). From time to time the network is measured by a match
against the field; at the end the best one by these, the newest and the clone play more of them, and the
strongest is the run's answer. The folder is an agent: net:FOLDER.

The budget is a time, 10 minutes unless --time says otherwise, or with --decisions a number of decisions in
the league, so that a seed repeats a run; --time then stops it early and is outside that promise. Several
games, variants of one, make one network for all of them. The runs of --seeds may be made by many machines:
--hub, --shard.

With --against, the trained network then plays a match with each of the agents named, one seat of it among
seats of theirs, and report.html in the folder shows the run and the matches.`,
		Example: `  earthgym train resilience-earth
  earthgym train resilience-earth:players=2 --out runs/duel --time 5m
  earthgym train --out runs/duel --time 10m
  earthgym train one-earth --against script:greedy,script:strong
  earthgym train one-earth:players=3 one-earth:players=4 --decisions 1000000
  earthgym train one-earth --clone script:strong,records:games --decisions 0
  earthgym train one-earth --seeds 5 --out runs/five --hub nats://127.0.0.1:4222`,
		Args: wordsAllowed(0, -1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTrain(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args, o, cmd.Flags())
		},
	}
	o.game.add(cmd)
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "`FOLDER` of the run; without it, the first of runs/GAME, runs/GAME-2, … that "+
		"holds none")
	f.BoolVar(&o.variants, "all-variants", false,
		"train on every variant of the rulebook, on every other choice of each option, and on combinations of them")
	f.BoolVar(&o.programs, "start-programs", false, "without GAME, start the programs that the folder's config names "+
		"as opponents or teachers (remote:)")
	workersVar(f, &o.workers)
	f.DurationVar(&o.time, "time", defaultTrainTime, "budget of time, cloning included; with --decisions there is none "+
		"unless it is given")
	f.IntVar(&o.seeds, "seeds", 1, "runs to make, one after the other with seeds from --seed on, in the folders "+
		"seed-1, seed-2, … of --out")
	agentsVar(f, &o.against, "against", "agents to play a match with after training")
	f.IntVar(&o.games, "games", defaultTrainGames, "games of each match of --against, at least")
	for _, s := range trainFlags() {
		switch s.Name {
		case "clone":
			agentsVar(f, &o.config.Clone, s.Name, s.Help)
		case "opponents":
			agentsVar(f, &o.config.Opponents, s.Name, s.Help)
		default:
			f.Var(&settingFlag{Setting: s, config: &o.config}, flagName(s.Name), s.Help)
		}
	}
	shown := []string{"clone", "decisions", "from", "seed"}
	for _, s := range trainFlags() {
		if !slices.Contains(shown, s.Name) {
			rare(cmd, flagName(s.Name))
		}
	}
	o.share.add(cmd, &o.out)
	rare(cmd, "all-variants", "games", "seeds", "start-programs")
	return cmd
}

const (
	defaultTrainGames = 400
	defaultTrainTime  = 10 * time.Minute
)

// trainFlags are the settings of a run that are flags of their own name; --time is the other.
func trainFlags() []train.Setting {
	return slices.DeleteFunc(train.Settings(), func(s train.Setting) bool { return s.Name == "minutes" })
}

func flagName(setting string) string { return strings.ReplaceAll(setting, "_", "-") }

// A settingFlag is the flag of a setting of a run. A list may be given in parts.
type settingFlag struct {
	train.Setting
	config *train.Config
	parts  []string
}

func (f *settingFlag) String() string {
	if f.config == nil {
		return "" // asked by pflag of a flag without a value
	}
	return f.Text(f.config)
}

func (f *settingFlag) Set(text string) error {
	if f.Type() == "list" {
		f.parts = append(f.parts, text)
		text = strings.Join(f.parts, ",")
	}
	return f.Setting.Set(f.config, text)
}

func runTrain(ctx context.Context, w, stderr io.Writer, args []string, o trainOptions, flags *pflag.FlagSet) error {
	switch {
	case o.time < 0:
		return usagef("--time %v: at least 0", o.time)
	case o.seeds < 1 || o.seeds > maxSeeds:
		return usagef("--seeds %d: 1 to %d", o.seeds, maxSeeds)
	}
	if err := cmp.Or(checkGames(o.games), checkWorkers(o.workers)); err != nil {
		return err
	}
	o.workers = cmp.Or(o.workers, runtime.GOMAXPROCS(0))
	_, shared := ctx.Value(shareKey{}).(*farm.Share)
	if o.seeds == 1 && o.share.shard != "" {
		return usagef("one run is one piece of work: --shard is for several --seeds")
	}
	if o.seeds > 1 || shared {
		return runSeeds(ctx, w, stderr, args, o, flags)
	}
	return runSeed(ctx, w, stderr, args, &o, flags)
}

func runSeed(ctx context.Context, w, stderr io.Writer, args []string, o *trainOptions, flags *pflag.FlagSet) error {
	run, variants, err := openRun(ctx, args, o, flags)
	if err != nil {
		return err
	}
	defer run.Close()
	fmt.Fprintf(w, "training on %s\n", shorts(o.out, variants))
	c := run.Config()
	fmt.Fprintf(w, "run: %s, seed %d, %s\n", o.out, c.Seed, budget(run))
	writeCaveats(stderr, variants, slices.Concat(c.Clone, c.Opponents, o.against))
	if err := trainRun(ctx, w, stderr, run, *o); err != nil {
		return err
	}
	if len(o.against) == 0 {
		return nil
	}
	return evaluateRun(ctx, w, stderr, variants, *o)
}

// maxSeeds is the largest number of runs that one command makes.
const maxSeeds = 1000

// errNoRun is that of a run, or of all of them, that others were to make.
var errNoRun = errors.New("no worker could make the run")

// A seedRun is what is said of the run of a seed that others may have made.
type seedRun struct {
	Network string `json:"network"` // SHA-256 of its file
}

// runSeeds trains a network with each of several seeds, one after the other or wherever there is a machine for it, each
// in a folder of its own, and says how strong they are together. The same command goes on where it was interrupted.
func runSeeds(ctx context.Context, w, stderr io.Writer, args []string, o trainOptions, flags *pflag.FlagSet) error {
	folder := o.out
	if folder == "" {
		return usagef("say where the runs go: --out FOLDER")
	}
	if err := o.share.begin(ctx, folder); err != nil {
		return err
	}
	ground, err := o.ground(args, flags)
	if err != nil {
		return errors.Join(err, o.share.Close())
	}
	first := o.config.Seed
	var runs []string
	for i := range o.seeds {
		one, run := o, &seedRun{}
		one.part, one.config.Seed = o.seeds > 1, first+datafile.Seed(i)
		name := fmt.Sprintf("seed-%d", one.config.Seed)
		if o.seeds == 1 {
			name = "."
		}
		one.out = filepath.Join(folder, name)
		if i > 0 && o.share.Share == nil {
			fmt.Fprintln(w)
		}
		done, err := o.share.Do(ground, i, []string{fmt.Sprintf("seed: %d", one.config.Seed)}, run, name, func() error {
			if err := runSeed(ctx, w, stderr, args, &one, flags); err != nil {
				return fmt.Errorf("%s: %w", one.out, err)
			}
			c, err := checkpoint.Read(one.out)
			if err == nil {
				run.Network = c.Hash
			}
			return err
		})
		if err != nil {
			_, err = o.share.end(ctx, w, false, err)
			return err
		}
		if done {
			runs = append(runs, one.out)
		}
		if done && o.share.Share != nil && !o.share.Partial() {
			fmt.Fprintf(w, "agent: net:%s, file %s\n", one.out, run.Network)
		}
	}
	if done, err := o.share.end(ctx, w, false, nil); done {
		return err
	}
	if o.share.Merging() {
		if err := o.share.Missing(); err != nil {
			return err
		}
	}
	switch {
	case len(runs) == 0:
		return errNoRun
	case o.seeds == 1:
		return nil
	}
	fmt.Fprintln(w)
	return overSeeds(w, runs)
}

// ground is what the runs of all seeds depend on; nil where no work is shared.
func (o trainOptions) ground(args []string, flags *pflag.FlagSet) (farm.Ground, error) {
	if o.share.Share == nil {
		return nil, nil
	}
	c, variants, err := o.configure(args, flags)
	if err != nil {
		return nil, err
	}
	return runGround("run of training", c, variants, c.Minutes == 0 && o.time == 0)
}

// runGround is what a run, or several with other seeds, depends on.
func runGround(kind string, c train.Config, variants []env.Game, repeats bool) (farm.Ground, error) {
	kernels, err := gemm.Select()
	if err != nil {
		return nil, err
	}
	g := farm.Ground{"kind: " + kind, "kernels: " + kernels.Class()}
	for _, v := range variants {
		info := v.Info()
		g = append(g, fmt.Sprintf("game: %s, rules %d, data %s", info.Text, info.Rules, info.DataHash))
	}
	named := slices.Concat(c.Opponents, c.Clone)
	if c.From != "" {
		named = append(named, "net:"+strings.TrimPrefix(c.From, "net:"))
	}
	named = slices.DeleteFunc(named, isRecords)
	makers, err := openAgents(variants[0], named...)
	if err != nil {
		return nil, err
	}
	for _, m := range makers {
		g = append(g, fmt.Sprintf("agent: %q, made as %q of network %q", m.Text, m.Said(), m.Hash))
	}
	c.Seed = 0
	for _, s := range trainSettings(c) {
		g = append(g, fmt.Sprintf("%s: %q", s.Name, s.Value))
	}
	if repeats {
		g = append(g, farm.Repeats)
	}
	return g, nil
}

// isRecords says whether a teacher is recorded games.
func isRecords(text string) bool { return strings.HasPrefix(text, "records:") }

// overSeeds writes how strong the networks of several runs are, by agent of the field: the mean of their leads, the
// mean of the middle half of them (Agarwal et al., Deep Reinforcement Learning at the Edge of the Statistical
// Precipice, 2021), and the interval of the mean over seeds.
func overSeeds(w io.Writer, runs []string) error {
	leads := map[string][]float64{}
	for _, dir := range runs {
		c, err := checkpoint.Read(dir)
		if err != nil {
			return err
		}
		if c.Card == nil {
			continue
		}
		for _, s := range c.Card.Strength {
			leads[s.Opponent] = append(leads[s.Opponent], s.Return)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(leads)) {
		mean, ci := eval.Estimate(leads[name], -2, 2)
		fmt.Fprintf(w, "%d seeds: lead in return over %s %+.3f [%+.3f, %+.3f], interquartile mean %+.3f\n",
			len(leads[name]), spelling.Printable(name), mean, ci[0], ci[1], eval.InterquartileMean(leads[name]))
	}
	return nil
}

// shorts names the games of a run for people, if they are not too many.
func shorts(run string, games []env.Game) string {
	if len(games) > 20 {
		file := filepath.Join(run, train.ConfigFile)
		return fmt.Sprintf("%d variants of %s, which %s lists", len(games), games[0].Info().Name, file)
	}
	var names []string
	for _, g := range games {
		names = append(names, g.Info().Short)
	}
	return strings.Join(names, ", ")
}

func budget(run *train.Run) string {
	text := fmt.Sprintf("%d decisions done", run.Decisions())
	if total := run.Config().Decisions; total >= 0 {
		text = fmt.Sprintf("%d of %d decisions done", run.Decisions(), total)
	}
	if cloned := run.Cloned(); cloned > 0 {
		text = fmt.Sprintf("%d decisions cloned, %s", cloned, text)
	}
	if left, limited := run.Left(); limited {
		text += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	return text
}

// openRun starts or resumes the run.
func openRun(ctx context.Context, args []string, o *trainOptions, flags *pflag.FlagSet) (*train.Run, []env.Game,
	error) {
	if len(args) == 0 && o.out != "" {
		return resumeRun(ctx, o, flags)
	}
	c, variants, err := o.configure(args, flags)
	if err != nil {
		return nil, nil, err
	}
	if o.out == "" {
		o.out = freeFolder(variants[0].Info().Name)
	}
	run, err := train.Open(o.out, c, variants, o.options(ctx))
	if _, ok := errors.AsType[*train.SettingsError](err); ok {
		err = usage(err)
	}
	return run, variants, err
}

// configure is how a run is to be made, and of what. What its time is o need not know any more.
func (o *trainOptions) configure(args []string, flags *pflag.FlagSet) (c train.Config, _ []env.Game, err error) {
	variants, err := o.open(args)
	if err != nil {
		return c, nil, err
	}
	c = train.DefaultFor(variants...)
	for _, s := range trainFlags() {
		if flags.Changed(flagName(s.Name)) {
			if err := s.Set(&c, s.Text(&o.config)); err != nil {
				return c, nil, usage(err)
			}
		}
	}
	c.Seed = o.config.Seed
	if c.Minutes = o.time.Minutes(); flags.Changed("decisions") && c.Decisions >= 0 {
		c.Minutes = 0
		if !flags.Changed("time") {
			o.time = 0
		}
	} else {
		o.time = 0 // the run itself keeps it
	}
	if err := c.Check(); err != nil {
		return c, nil, usage(err)
	}
	// A typo shall be found before the training and not after it.
	teachers := slices.DeleteFunc(slices.Clone(c.Clone), isRecords)
	_, err = openAgents(variants[0], slices.Concat(c.Opponents, teachers, o.against)...)
	return c, variants, err
}

func (o *trainOptions) options(ctx context.Context) train.Options {
	return train.Options{Context: ctx, Workers: o.workers, Program: programText(), Memory: machineMemory(),
		Programs: o.programs}
}

// freeFolder is where a run of a game goes if nobody says.
func freeFolder(game string) string {
	folder := filepath.Join("runs", game)
	for i := 2; ; i++ {
		if _, err := os.Stat(folder); err != nil {
			return folder
		}
		folder = filepath.Join("runs", fmt.Sprintf("%s-%d", game, i))
	}
}

func (o *trainOptions) open(texts []string) ([]env.Game, error) {
	if len(texts) == 0 {
		return nil, usagef("the game is missing (see earthgym train --help)")
	}
	variants, err := o.game.openAll(texts)
	if err != nil {
		return nil, err
	}
	if !o.variants {
		return variants, nil
	}
	if len(texts) > 1 {
		return nil, usagef("--all-variants makes the variants of one game: name one, not %d", len(texts))
	}
	return o.allVariants(texts[0], variants[0])
}

// drawnVariants is how many combinations of options are drawn for --all-variants.
const drawnVariants = 24

// allVariants are a game with the options of each variant of its rulebook, with every other choice of each option, one
// at a time, and with combinations of choices, drawn by the seed of the run: of those that go together.
func (o *trainOptions) allVariants(text string, g env.Game) ([]env.Game, error) {
	name, given, _ := strings.Cut(text, ":")
	rb, err := games.Find(name)
	if err != nil {
		return nil, usage(err)
	}
	variants := []env.Game{g}
	add := func(options string) bool {
		other, err := o.game.open(name + ":" + overlay(given, options))
		same := func(v env.Game) bool { return v.Info().Text == other.Info().Text }
		if err != nil || slices.ContainsFunc(variants, same) {
			return false // The options don't go together, or they make nothing new.
		}
		variants = append(variants, other)
		return true
	}
	for _, variant := range rb.Variants {
		_, options, _ := strings.Cut(variant, ":")
		add(options)
	}
	for _, option := range rb.Options {
		for _, value := range choices(option) {
			add(option.Name + "=" + value)
		}
	}
	luck := env.NewStream(uint64(o.config.Seed), "variants")
	for drawn, tried := 0, 0; drawn < drawnVariants && tried < 10*drawnVariants; tried++ {
		var options []string
		for _, option := range rb.Options {
			if values := choices(option); len(values) > 0 && luck.Below(2) == 0 {
				options = append(options, option.Name+"="+values[luck.Below(len(values))])
			}
		}
		if add(strings.Join(options, ",")) {
			drawn++
		}
	}
	return variants, nil
}

// overlay is a list of options with those of another in place of its own.
func overlay(given, options string) string {
	var list []string
	for _, option := range strings.Split(given, ",") {
		name, _, _ := strings.Cut(option, "=")
		if option != "" && !strings.HasPrefix(options, name+"=") && !strings.Contains(options, ","+name+"=") {
			list = append(list, option)
		}
	}
	if options != "" {
		list = append(list, options)
	}
	return strings.Join(list, ",")
}

// choices are values that show what an option does: all of them where there are few, and of a number of many values
// those half of the way from the usual one to either end.
func choices(o registry.Option) []string {
	values := slices.Clone(o.Values)
	switch o.Kind {
	case registry.Bool:
		return []string{"on", "off"}
	case registry.List:
		return []string{"random", "choose", "draft"} // the words in place of a list, of which each option has some
	case registry.Int, registry.Number:
		usual, err := strconv.ParseFloat(o.Default, 64)
		switch {
		case o.Max-o.Min <= 6 && o.Kind == registry.Int:
			for n := int(o.Min); n <= int(o.Max); n++ {
				values = append(values, strconv.Itoa(n))
			}
		case o.Kind == registry.Int && err == nil:
			for _, end := range []float64{o.Min, o.Max} {
				values = append(values, strconv.Itoa(int((max(usual, o.Min)+end)/2)))
			}
		default:
			values = append(values, fmt.Sprint(o.Min), fmt.Sprint(o.Max))
		}
	}
	return values
}

func resumeRun(ctx context.Context, o *trainOptions, flags *pflag.FlagSet) (*train.Run, []env.Game, error) {
	if o.variants {
		return nil, nil, usagef("without GAME the run goes on with its games: leave out --all-variants")
	}
	options := o.options(ctx)
	for _, s := range trainFlags() {
		switch {
		case !flags.Changed(flagName(s.Name)):
		case s.Name == "decisions":
			options.Decisions = o.config.Decisions
		default:
			return nil, nil, usagef("without GAME the run goes on with its settings: leave out --%s", flagName(s.Name))
		}
	}
	c, err := train.ReadConfig(o.out)
	if err != nil {
		return nil, nil, err
	}
	if !flags.Changed("time") {
		o.time = 0
	} else if c.Minutes > 0 {
		options.Minutes, o.time = o.time.Minutes(), 0
	}
	var variants []env.Game
	for _, text := range c.Games {
		g, err := o.game.openOf(filepath.Join(o.out, train.ConfigFile), text)
		if err != nil {
			return nil, nil, err
		}
		variants = append(variants, g)
	}
	if _, err := openAgents(variants[0], o.against...); err != nil {
		return nil, nil, err
	}
	run, err := resume(o.out, variants, options)
	return run, variants, err
}

// resume goes on with a run whose programs, if it has any, may be started.
func resume(dir string, variants []env.Game, options train.Options) (*train.Run, error) {
	run, err := train.Resume(dir, variants, options)
	if programs := new(train.ProgramsError); errors.As(err, &programs) {
		err = fmt.Errorf("%w; say --start-programs if you trust them", err)
	}
	return run, err
}

// trainRun trains, and shows progress: a bar on a terminal, a line now and then elsewhere, and everywhere a line when
// a phase is over or strength has been measured.
func trainRun(ctx context.Context, w, stderr io.Writer, run *train.Run, o trainOptions) error {
	parent := ctx
	if o.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.time)
		defer cancel()
	}
	start, first, cloned := time.Now(), run.Decisions(), run.Cloned()
	games := 0
	last, err := showTraining(ctx, w, stderr, run, func(u train.Update) string {
		games += u.Games
		return ": " + results(u, run, games)
	}, func(u train.Update) {
		fmt.Fprintln(w, summary(u, run))
		fmt.Fprintln(w, standings(u, run))
	})
	if last.Update > 0 && last.Strength == nil {
		fmt.Fprintln(w, summary(last, run))
	}
	seconds := time.Since(start).Seconds()
	switch {
	case err == nil:
		made := run.Decisions() - first + run.Cloned() - cloned
		answer, err := checkpoint.Read(o.out)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "trained: %d decisions in %.0f s (%.0f a second)\nanswer: the network of update %d of %d", made,
			seconds, float64(made)/seconds, answer.Update, run.Updates())
		if factor := answer.Card.Sharpness; factor > 1 {
			fmt.Fprintf(w, ", surer of itself: its logits are multiplied by %v", factor)
		}
		fmt.Fprintf(w, "\nagent: net:%s\n", o.out)
		return nil
	case errors.Is(err, context.DeadlineExceeded) && parent.Err() == nil:
		fmt.Fprintf(w, "stopped after %v; go on with: %s\n", o.time, o.resumeCommand(run.Config()))
		return nil
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted after %d decisions, which are saved; go on with: %s", run.Decisions()+run.Cloned(),
			o.resumeCommand(run.Config()))
	}
	return err
}

// sayTime is how long a run says nothing where no bar can be drawn.
const sayTime = 10 * time.Second

// showTraining trains, with a bar that says something beside the phase, or a line now and then, and a word whenever
// strength has been measured. It gives the last update.
func showTraining(ctx context.Context, w, stderr io.Writer, run *train.Run, beside func(train.Update) string,
	measured func(train.Update)) (last train.Update, err error) {
	bar, spoken := newProgress(stderr, "training"), time.Now()
	err = run.Train(ctx, func(u train.Update) {
		last = u
		phase, done := run.Progress()
		bar.describe(phase + beside(u) + timeLeft(run, ", "))
		bar.set(int(1000*done), 1000)
		switch {
		case u.Strength != nil:
			bar.done()
			measured(u)
			if phase == "league" && done == 1 {
				fmt.Fprintln(w, "the last matches choose the network that is the run's answer")
			}
		case bar.w == nil && time.Since(spoken) > sayTime: // A worker brings it to its hub when it says something.
			fmt.Fprintln(w, summary(u, run))
		default:
			return
		}
		spoken = time.Now()
	})
	bar.done()
	return last, err
}

func standings(u train.Update, run *train.Run) string {
	text := fmt.Sprintf("strength: %+.2f on average; lead in return over", *u.Strength)
	for i, name := range slices.Sorted(maps.Keys(u.Field)) {
		s := u.Field[name]
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s %+.2f ± %.2f", spelling.Printable(name), s.Lead, s.LeadCI)
		if run.Shared() {
			text += fmt.Sprintf(" (wins %.0f %%, it %.0f %%)", 100*s.Wins, 100*s.Fair)
		}
	}
	return text
}

// resumeCommand is the command line that goes on with the run, for a shell.
func (o *trainOptions) resumeCommand(c train.Config) string {
	if o.part {
		return "the same command"
	}
	words := []string{"earthgym", "train", "--out", o.out}
	for _, file := range o.game.data {
		words = append(words, "--data", file)
	}
	words = append(words, strings.Fields(startPrograms(slices.Concat(c.Opponents, c.Clone)))...)
	if len(o.against) > 0 {
		words = append(words, "--against", train.JoinList(o.against))
		if o.games != defaultTrainGames {
			words = append(words, "--games", strconv.Itoa(o.games))
		}
	}
	return shellLine(words)
}

// shellLine is what a shell reads as these words.
func shellLine(words []string) string {
	for i, word := range words {
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}

var onWindows = runtime.GOOS == "windows"

// quote writes a word so that a shell reads it as it is: a POSIX one, or both of Windows'. PowerShell takes a comma for
// a list, and cmd ' for a letter.
func quote(word string) string {
	marks, mark, escaped := "_-./:,=@%+", "'", `'\''`
	if onWindows {
		marks, mark, escaped = `_-./:=+\`, `"`, `\"`
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if word != "" && strings.Trim(word, letters+marks) == "" {
		return word
	}
	return mark + strings.ReplaceAll(word, mark, escaped) + mark
}

// results are the games so far and how the last of them went, in the little room beside a bar.
func results(u train.Update, run *train.Run, games int) string {
	text := fmt.Sprintf("%d games", games)
	switch {
	case u.Phase != "league":
		text += fmt.Sprintf(", accuracy %.0f %%", 100*u.Accuracy)
	case u.Games > 0:
		text += fmt.Sprintf(", score %.1f, return %+.2f", u.Score, meanReturn(u, run))
	}
	return text
}

// meanReturn is the mean over the kinds of opponents; where all win together, or of a network that met itself alone,
// what it got then.
func meanReturn(u train.Update, run *train.Run) float64 {
	if alone, ok := u.Returns[train.Self]; ok && run.Shared() {
		return alone
	}
	sum, n := 0.0, 0
	for _, name := range train.Opponents([]train.Update{u}) {
		if name != train.Self {
			sum, n = sum+u.Returns[name], n+1
		}
	}
	if n == 0 {
		return u.Returns[train.Self]
	}
	return sum / float64(n)
}

// summary is an update in one line.
func summary(u train.Update, run *train.Run) string {
	text := fmt.Sprintf("update %d: ", u.Update)
	if u.Phase == "league" {
		text += fmt.Sprintf("%d decisions, %d games of %.0f, score %.1f, return %+.2f, wins %.0f %%",
			u.Decisions, u.Games, u.Length, u.Score, meanReturn(u, run), 100*u.WinShare)
		for _, name := range slices.Sorted(maps.Keys(u.Measures)) {
			text += fmt.Sprintf(", %s %.2f", name, u.Measures[name])
		}
		text += fmt.Sprintf(", entropy %.2f, explained %.2f", u.Entropy, u.Explained)
		beside := "against"
		if run.Shared() {
			beside = "with"
		}
		for _, name := range train.Opponents([]train.Update{u}) {
			if name != train.Self {
				text += fmt.Sprintf(", return %s %s %+.2f", beside, spelling.Printable(name), u.Returns[name])
			}
		}
	} else {
		text += fmt.Sprintf("%s, %d decisions of teachers, accuracy %.1f %%, cross-entropy %.3f, explained %.2f",
			u.Phase, u.Cloned, 100*u.Accuracy, u.CrossEntropy, u.Explained)
	}
	return text + timeLeft(run, "; ")
}

// timeLeft says what is left of a budget of time, after a separator; "" if there is none.
func timeLeft(run *train.Run, separator string) string {
	left, limited := run.Left()
	if !limited || left == 0 {
		return ""
	}
	return fmt.Sprintf("%sabout %v left", separator, left.Round(time.Second))
}

// trainSettings are all settings of a run, for its report.
func trainSettings(c train.Config) []eval.Setting {
	settings := []eval.Setting{{Name: "games", Value: train.JoinList(c.Games)}}
	for _, setting := range train.Settings() {
		settings = append(settings, eval.Setting{Name: flagName(setting.Name), Value: setting.Text(&c)})
	}
	return settings
}

// evaluateRun plays the trained network against other agents and writes the run's report.
func evaluateRun(ctx context.Context, w, stderr io.Writer, variants []env.Game, o trainOptions) error {
	config, err := train.ReadConfig(o.out)
	if err != nil {
		return err
	}
	updates, err := train.ReadMetrics(o.out)
	if err != nil {
		return err
	}
	report := newReport(variants[0].Info().Title+": training run "+filepath.Base(o.out), trainSettings(config))
	report.Training = trainingCharts(variants[0].Info(), updates)
	for _, g := range variants {
		if len(variants) > 1 {
			fmt.Fprintf(w, "\n%s\n", g.Info().Short)
		}
		if err := matchAgainst(ctx, w, stderr, g, o, uint64(config.Seed), &report); err != nil {
			return err
		}
	}
	name := filepath.Join(o.out, "report.html")
	for _, u := range updates {
		report.Took += time.Duration(u.Seconds() * float64(time.Second))
	}
	report.Took += time.Since(report.Date)
	if err := writeReport(name, variants, report); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nreport: %s\n", name)
	return nil
}

// matchAgainst plays the trained network against the other agents at a variant of its game.
func matchAgainst(ctx context.Context, w, stderr io.Writer, g env.Game, o trainOptions, seed uint64,
	report *eval.Report) error {
	m := matchOptions{sharedFlags: sharedFlags{workers: o.workers}, games: o.games, seed: seed,
		forfeit: forfeitTakeover}
	for _, other := range o.against {
		fmt.Fprintln(w)
		table := []string{"net:" + o.out, other}
		if g.Info().Shared() {
			table = table[:1]
		}
		result, err := playNamed(ctx, stderr, g, m, "against "+other, table...)
		if err != nil {
			return err
		}
		report.Matches = append(report.Matches, result)
		if err := eval.WriteTable(w, result); err != nil {
			return err
		}
		if g.Info().Shared() {
			theirs, err := playNamed(ctx, stderr, g, m, other, other)
			if err != nil {
				return err
			}
			c, err := eval.Compare(result, theirs)
			if err != nil {
				return err
			}
			report.Matches = append(report.Matches, theirs)
			report.Comparisons = append(report.Comparisons, c)
			if err := eval.WriteComparison(w, c); err != nil {
				return err
			}
		}
	}
	return nil
}
