package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents/check"
	"earthgym/env/pipe"
	"earthgym/env/spelling"
	"earthgym/games"
)

func newCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Test a program against the protocol, clause by clause",
		Long: `Test a program of yours against env/pipe/PROTOCOL.md, clause by clause, and say what fails: an agent, which
sits at tables (remote:COMMAND), or a client, which owns environments (earthgym serve). The program is talked
to in every way that the protocol allows: frames that come in pieces, numbers of any width, unknown fields.

agents/WRITING.md leads from ten lines to an agent that passes.`,
		Example: `  earthgym check agent -- python my_agent.py
  earthgym check client -- python my_client.py {address}`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("earthgym check has no %q: %s", args[0], spelling.Suggest(args[0], subcommands(cmd)))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCheckAgent(), newCheckClient())
	return cmd
}

// errClauses is that of a program that doesn't keep to the protocol.
var errClauses = errors.New("the program doesn't keep to the protocol: see the clauses that fail")

func newCheckAgent() *cobra.Command {
	var game string
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "agent -- COMMAND…",
		Short: "Test a program that sits at tables",
		Example: `  earthgym check agent -- python my_agent.py
  earthgym check agent --game new-earth:players=3 -- ./my_agent --fast`,
		Args: wordsAllowed(1, -1, "the command, behind --,"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCheckAgent(cmd.Context(), cmd.OutOrStdout(), args, game, limit)
		},
	}
	cmd.Flags().StringVar(&game, "game", "resilience-earth:players=2", "the `GAME` that it plays")
	cmd.Flags().DurationVar(&limit, "limit", 10*time.Second, "time for one answer")
	_ = cmd.RegisterFlagCompletionFunc("game", completeName)
	return cmd
}

func runCheckAgent(ctx context.Context, w io.Writer, command []string, game string, limit time.Duration) error {
	if limit <= 0 {
		return usagef("--limit %v: it is the time for one answer, such as 2s", limit)
	}
	g, err := new(gameFlags).open(game)
	if err != nil {
		return err
	}
	if !check.Report(w, check.Agent(ctx, command, check.AgentOptions{Game: g, Limit: limit, Seed: 1})) {
		return errClauses
	}
	return nil
}

func newCheckClient() *cobra.Command {
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "client -- COMMAND…",
		Short: "Test a program that owns environments",
		Long: `Start a program that owns environments, and test what it says to the server and how it takes the answers. In
the words of the command {address} stands for where the server is, tcp:127.0.0.1:PORT, {host} and {port} for
its parts; the environment variable EARTHGYM_ADDRESS has the address too. The program is to connect, do what
it does (make environments, step them a few hundred times) and end. It is run once for each way of speaking.`,
		Example: `  earthgym check client -- python my_client.py {address}
  earthgym check client -- ./my_client --host {host} --port {port}`,
		Args: wordsAllowed(1, -1, "the command, behind --,"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit <= 0 {
				return usagef("--limit %v: it is the time for one run, such as 2m", limit)
			}
			server := &pipe.Server{Registry: games.All(), Agents: openOpponent, Program: programText()}
			if !check.Report(cmd.OutOrStdout(),
				check.Client(cmd.Context(), args, check.ClientOptions{Server: server, Limit: limit, Stderr: cmd.ErrOrStderr()})) {
				return errClauses
			}
			return nil
		},
	}
	cmd.Flags().DurationVar(&limit, "limit", 2*time.Minute, "time for one run of the program")
	return cmd
}
