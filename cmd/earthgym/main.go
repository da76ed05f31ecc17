// Command earthgym trains, matches and studies agents on five board games about planet Earth.
//
// Run it without arguments for the list of commands; each has examples in its --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"earthgym/env"
	"earthgym/games"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs one command line and says how it went.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "earthgym: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
	var usage *usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
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

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "earthgym",
		Short: "Train, match and study agents on five board games about planet Earth",
		Long: `earthgym turns five board games about planet Earth into environments for reinforcement learning:
train opponents by self-play, match agents against each other, record, replay and check games.

A game is written name:option=value,… (see "earthgym games"), an agent as
  random                        any legal action
  script:naive|greedy|strong    the game's own bots
  net:RUN                       the newest checkpoint of a training run, or a checkpoint file`,
		Example: `  earthgym games
  earthgym train resilience-earth --out runs/first --decisions 500000
  earthgym match resilience-earth:players=3 --agents net:runs/first,script:greedy --games 300`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          wordsAllowed(0, 0, "a command"),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w (see %s --help)", err, cmd.CommandPath())
	})
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(newGames(), newInfo(), newTrain(), newMatch(), newRecord(), newReplay(), newScenario(), newBench(), newVersion())
	return root
}

// wordsAllowed checks the number of arguments; most < 0 is any number.
func wordsAllowed(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case cmd.Parent() == nil && len(args) > 0:
			var names []string
			for _, c := range cmd.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			return usagef("unknown command %q: %s", args[0], env.Suggest(args[0], names))
		case len(args) < least:
			return usagef("%s is missing (see %s --help)", what, cmd.CommandPath())
		case most >= 0 && len(args) > most:
			return usagef("unexpected %q (see %s --help)", args[most], cmd.CommandPath())
		}
		return nil
	}
}

// gameFlags are those of every command that opens a game.
type gameFlags struct{ data []string }

func (f *gameFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.data, "data", nil, "component data `FILE` instead of the built-in; repeatable, one a game")
	_ = cmd.MarkFlagFilename("data", "toml")
	cmd.ValidArgsFunction = completeGame
}

func (f *gameFlags) open(text string) (env.Game, error) {
	data, err := readData(f.data)
	if err != nil {
		return nil, err
	}
	g, err := games.All().Open(text, data...)
	return g, usage(err)
}

func readData(names []string) ([]env.DataFile, error) {
	var data []env.DataFile
	for _, name := range names {
		d, _, err := env.ReadDataFile(name)
		if err != nil {
			return nil, err
		}
		data = append(data, d)
	}
	return data, nil
}

func completeGame(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, rb := range games.All() {
		names = append(names, rb.Name+"\t"+rb.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// isTerminal says whether w is a terminal, where progress may be drawn.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
