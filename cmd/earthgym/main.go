// Command earthgym trains, matches and studies agents on five board games about planet Earth.
//
// Run it without arguments for the list of commands; each has examples in its --help.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/farm"
	"earthgym/env/registry"
	"earthgym/env/spelling"
	"earthgym/eval"
	"earthgym/games"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	// A terminal that closes says so more than once: to its foreground, and through the shell. Under nohup
	// nothing is to be heard of it.
	if !signal.Ignored(syscall.SIGHUP) {
		ctx, _ = signal.NotifyContext(ctx, syscall.SIGHUP)
	}
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs one command line and says how it went.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.err
	}
	if err == nil {
		return exitOK
	}
	said := strings.NewReplacer("\n", " ", context.Canceled.Error(), "interrupted").Replace(err.Error())
	fmt.Fprintf(stderr, "earthgym: %s\n", spelling.Printable(said))
	var usage *usageError
	var text *agents.TextError // also of a program that can't be started when its first game begins
	if errors.As(err, &usage) || errors.As(err, &text) {
		return exitUsage
	}
	return exitFailed
}

// output keeps the first error of writing, so that commands may print without asking each time and a
// full disk behind their output is a failure all the same.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil {
		err = fmt.Errorf("cannot write the output: %w", err)
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// A usageError is a command line that cannot be: exit code 2.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

// asked makes an error of what was asked for one of the command line; others it leaves as they are.
func asked(err error) error {
	text, request, shared := new(agents.TextError), new(eval.RequestError), new(farm.RequestError)
	if errors.As(err, &text) || errors.As(err, &request) || errors.As(err, &shared) {
		return usage(err)
	}
	return err
}

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "earthgym",
		Short: "Train, match and study agents on five board games about planet Earth",
		Long: `earthgym turns five board games about planet Earth into environments for reinforcement learning:
train opponents, match agents against each other, record, replay and check games.

A game is written name:option=value,… (see "earthgym games"), an agent as
  random                        any legal action
  script:naive|greedy|strong    the game's own bots
  level:1 … level:5             opponents for people, from a beginner's up
  net:RUN                       the best network of a training run, or a file
  net:                          the network that comes with the program
  mcts:sims=800                 search, here of 800 simulations a decision
  remote:COMMAND                a program that speaks as "earthgym serve" does
  llm:URL,model=NAME            a language model behind a server

Agents are named in words after the game, in the order of seats; the last one takes the seats that are left.
Where one agent is the subject, --against names others.`,
		Example: `  earthgym games
  earthgym train resilience-earth --out runs/first
  earthgym match resilience-earth net:runs/first script:greedy --games 300`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          wordsAllowed(0, 0, "a command"),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	// To Cobra, what it checks next is no fault of usage.
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := cmp.Or(missingFlag(cmd), namelessFile(cmd)); err != nil {
			return err
		}
		return usage(cmd.ValidateFlagGroups())
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if errors.Is(err, pflag.ErrHelp) {
			return pflag.ErrHelp // of --help-all
		}
		return usagef("%w (see %s --help)", flagError(cmd, err), cmd.CommandPath())
	})
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Look at the games", []*cobra.Command{newGames(), newRules(), newScenario()}},
		{"Play, and learn from play", []*cobra.Command{newExplain(), newHost(), newLesson(), newPlay(), newWatch()}},
		{"Train agents", []*cobra.Command{newExploit(), newExport(), newRuns(), newTrain()}},
		{"Compare agents", []*cobra.Command{newAgents(), newBenchmark(), newCrossplay(), newFarm(), newMatch(),
			newTournament()}},
		{"Keep games", []*cobra.Command{newRecord(), newReplay()}},
		{"Connect programs", []*cobra.Command{newBench(), newCheck(), newMCP(), newServe()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range g.commands {
			cmd.GroupID = g.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(newDev(), newVersion())
	strictHelpers(root)
	fitHelp(root)
	return root
}

// strictHelpers makes Cobra's own commands refuse unknown words as ours do, instead of showing their help
// as if all were well.
func strictHelpers(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				if found, _, err := root.Find(args); err != nil || found == root && len(args) > 0 {
					return usagef("unknown command %q: %s", args[0], spelling.Suggest(args[0], subcommands(root)))
				}
				return nil
			}
		case "completion":
			cmd.Example = "  source <(earthgym completion bash)"
			cmd.RunE, cmd.Args = oneBelow("the shell", "shell"), cobra.ArbitraryArgs
		}
	}
}

// oneBelow refuses a command line that names none of the commands below the one that is run.
func oneBelow(what, kind string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s is missing: %s", what, strings.Join(subcommands(cmd), ", "))
		}
		return usagef("unknown %s %q: %s", kind, args[0], spelling.Suggest(args[0], subcommands(cmd)))
	}
}

// subcommands are the names of a command's own.
func subcommands(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError says in words of the command line what is wrong with a flag, and what there is.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return fmt.Errorf("unknown flag %s: %s", name, spelling.Suggest(name, names))
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := wrong.GetFlag()
		return fmt.Errorf("--%s cannot be %q: it is %s", f.Name, wrong.GetValue(), kindOf(f.Value))
	}
	return err
}

// missingFlag is nil if every flag that a command can't do without is given.
func missingFlag(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, required := f.Annotations[cobra.BashCompOneRequiredFlag]; required && !f.Changed {
			takes, _ := pflag.UnquoteUsage(f)
			missing = append(missing, "--"+f.Name+" "+takes)
		}
	})
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return usagef("%s is missing (see %s --help)", missing[0], cmd.CommandPath())
	}
	return usagef("%s are missing (see %s --help)", strings.Join(missing, " and "), cmd.CommandPath())
}

// namelessFile reports a flag that names a file by nothing.
func namelessFile(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		takes, _ := pflag.UnquoteUsage(f)
		names := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			names = list.GetSlice()
		}
		if (takes == "FILE" || takes == "FOLDER") && slices.Contains(names, "") {
			err = usagef("--%s names no %s (see %s --help)", f.Name, strings.ToLower(takes), cmd.CommandPath())
		}
	})
	return err
}

// kindOf says what a flag takes.
func kindOf(v pflag.Value) string {
	if v, ok := v.(interface{ Allowed() string }); ok {
		return v.Allowed()
	}
	switch v.Type() {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0"
	case "float64":
		return "a number"
	case "duration":
		return "a time such as 90s or 10m"
	case "stringToString":
		return "NAME=VALUE pairs, joined by commas"
	}
	return "a text" // whose quotes must be in pairs
}

// wordsAllowed checks the number of arguments; most < 0 is any number.
func wordsAllowed(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case cmd.Parent() == nil && len(args) > 0:
			return usagef("unknown command %q: %s", args[0], spelling.Suggest(args[0], subcommands(cmd)))
		case len(args) < least:
			return usagef("%s is missing (see %s --help)", what, cmd.CommandPath())
		case most >= 0 && len(args) > most:
			return usagef("unexpected %q (see %s --help)", args[most], cmd.CommandPath())
		}
		return nil
	}
}

// gameFlags are those of every command that opens a game.
type gameFlags struct {
	data    []string
	several bool // the command plays many games, and component data may be for any of them
}

func (f *gameFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.data, "data", nil, "component data `FILE` instead of the built-in; repeatable, "+
		"one a game")
	rare(cmd, "data")
	cmd.ValidArgsFunction = completeGame
}

// open opens the game that the command line names. It tells a wrong text, which is one of usage, from
// wrong data.
func (f *gameFlags) open(text string) (env.Game, error) {
	g, err := games.All().Open(text)
	if err != nil && beginsAgent(text) {
		return nil, usagef("unknown game %q: it is an agent, and the game comes before the agents", text)
	}
	if err != nil || len(f.data) == 0 {
		return g, usage(err)
	}
	data, err := games.ReadData(f.data)
	if err != nil {
		return nil, err
	}
	own := func(d datafile.File) bool {
		game, err := d.Game()
		return err == nil && game == g.Info().Name
	}
	if !f.several && !slices.ContainsFunc(data, own) {
		return nil, usagef("--data %s: the component data of another game than %s", strings.Join(f.data, ", "), g.Info().Name)
	}
	return games.All().Open(text, data...)
}

// openAll opens games each of which is to be there once.
func (f *gameFlags) openAll(texts []string) (opened []env.Game, err error) {
	for _, text := range texts {
		g, err := f.open(text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(opened, func(before env.Game) bool { return before.Info().Text == g.Info().Text }) {
			return nil, usagef("%s is named twice", g.Info().Short)
		}
		opened = append(opened, g)
	}
	return opened, nil
}

// openOf opens the game that a file names.
func (f *gameFlags) openOf(file, text string) (env.Game, error) {
	g, err := f.open(text)
	if wrong, ok := errors.AsType[*usageError](err); ok {
		return nil, fmt.Errorf("%s: %w", file, wrong.error)
	}
	return g, err
}

// nameOf is the name of a game. Options behind it have to be right, also where all variants have the same to tell.
func nameOf(text string) (string, error) {
	g, err := games.Open(text)
	if err != nil {
		return "", usage(err)
	}
	return g.Info().Name, nil
}

// completeName completes the name of a game, the first word of a command.
func completeName(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, rb := range games.All() {
		names = append(names, rb.Name+"\t"+rb.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeGame completes a game, its options included: the first word, or every word of a command that takes
// many games.
func completeGame(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if len(args) > 0 && cmd.Args(cmd, append(args, "")) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	name, options, ok := strings.Cut(text, ":")
	if !ok {
		names, _ := completeName(cmd, nil, text)
		return names, directive
	}
	rb, err := games.Find(name)
	if err != nil {
		return nil, directive
	}
	return completeOptions(rb, text[:strings.LastIndexAny(text, ":,")+1], options), directive
}

// completeOptions completes the last of the options of a game: its name, or, behind "=", its value. What is
// typed before it stays.
func completeOptions(rb *registry.Rulebook, before, options string) []string {
	given := map[string]bool{}
	parts := strings.Split(options, ",")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		name, _, _ := strings.Cut(part, "=")
		given[name] = true
	}
	var words []string
	typed, _, valued := strings.Cut(last, "=")
	for _, o := range rb.Options {
		switch {
		case given[o.Name]:
		case !valued:
			words = append(words, before+o.Name+"=\t"+o.Help)
		case o.Name == typed:
			for _, value := range valuesOf(o) {
				words = append(words, before+o.Name+"="+value)
			}
		}
	}
	return words
}

// valuesOf are values to choose an option from; of a range of numbers those of a few.
func valuesOf(o registry.Option) []string {
	const few = 12
	var values []string
	switch {
	case o.Kind == registry.Bool:
		values = []string{"on", "off"}
	case o.Kind == registry.Int && o.Max-o.Min < few:
		for n := int(o.Min); n <= int(o.Max); n++ {
			values = append(values, strconv.Itoa(n))
		}
	case o.Kind == registry.Int || o.Kind == registry.Number:
		values = []string{o.Default}
	}
	for _, v := range o.Values {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// isDrawable says whether w is a terminal where what stands can be drawn over, such as progress: one that calls itself
// dumb shows the codes for it as letters.
func isDrawable(w io.Writer) bool { return isTerminal(w) && os.Getenv("TERM") != "dumb" }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
