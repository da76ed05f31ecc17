package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/mcts"
	"earthgym/cmd/earthgym/mcp"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/spelling"
	"earthgym/games"
)

type mcpOptions struct {
	listen  string
	token   string
	records string
	tables  int
	log     string
}

func newMCP() *cobra.Command {
	o := mcpOptions{}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let language models sit down at tables (Model Context Protocol)",
		Long: `Serve tables to language models by the Model Context Protocol: tools to start or join a table, look, list
what is legal, act, wait for the others, ask for rules and for what forbids an action; rules and boards as
resources; a prompt that introduces a game. Over standard input and output to one client, which starts this
program, or with --listen over HTTP to many (the protocol's streamable HTTP, at /mcp). Every revision from
2024-11-05 to 2026-07-28 is spoken, but for batches of messages.

A seat is played by whoever has its key, and is told only what it may know. A wrong action is answered with
the reason and the nearest legal ones; nothing is played in its place.

Over HTTP only this machine is served unless --token-file names a file with a secret that clients must send
(Authorization: Bearer …). Nothing is encrypted: between machines use a tunnel. Clients may seat agents, but
none that starts a program or asks a server; over HTTP none that reads a file, either. Over HTTP a client may
start another table as long as more are free than it has started.`,
		Example: `  earthgym mcp
  earthgym mcp --records records
  earthgym mcp --listen 127.0.0.1:7778
  earthgym mcp --listen 0.0.0.0:7778 --token-file secret.txt`,
		Args: wordsAllowed(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runMCP(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "", "serve over HTTP at `HOST:PORT`; port 0 takes a free one, which is printed")
	f.StringVar(&o.token, "token-file", "", "with --listen: `FILE` with the secret that clients must send")
	f.StringVar(&o.records, "records", "", "`FOLDER` that games are saved in as they go: each file holds its seed, and "+
		"with it the luck to come")
	f.IntVar(&o.tables, "tables", 32, "tables at a time")
	f.StringVar(&o.log, "log", "warn", "lowest level that is logged, `info|warn|error`")
	return cmd
}

func runMCP(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, o mcpOptions) error {
	log, err := newLog(stderr, o.log)
	if err != nil {
		return err
	}
	if o.tables < 1 || o.tables > 10_000 {
		return usagef("--tables %d: 1 to 10000", o.tables)
	}
	if o.token != "" && o.listen == "" {
		return usagef("--token-file is for --listen")
	}
	if _, _, err := net.SplitHostPort(o.listen); o.listen != "" && err != nil {
		return usagef("--listen %s: it is HOST:PORT, such as 127.0.0.1:7778", o.listen)
	}
	if o.records != "" {
		if err := os.MkdirAll(o.records, 0o755); err != nil {
			return fmt.Errorf("cannot make the folder for the records: %w", err)
		}
	}
	options := mcp.Options{
		Program: version, Games: games.All(), Rules: games.Rules, HowTo: games.HowTo,
		Agents: openGuest(log), Opponent: defaultOpponent, Seed: secretSeed,
		Tables: o.tables, Records: o.records, FileName: fileName, Log: log,
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if o.listen == "" {
		if stdout, err = toClient(stdout); err != nil {
			return err
		}
		return mcp.NewServer(ctx, options).ServeStdio(ctx, io.NopCloser(stdin), nopCloser{stdout})
	}
	return serveMCP(ctx, stderr, o, options)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Bounds of a search that a client seats: so long it takes for a decision, and a model that is asked for more would
// play on a machine that is not its own.
const (
	guestSims = 10_000
	guestTime = 10 * time.Second
)

// openGuest opens agents that the client may seat that has started this program: none that starts a program or asks a
// server, and none that searches for ever. It may name networks, but is not told what is wrong with a file, or whether
// there is one: that is for the log.
func openGuest(log *slog.Logger) func(text string, g env.Game) (*agents.Maker, error) {
	return func(text string, g env.Game) (*agents.Maker, error) {
		if agents.IsForeign(text) {
			return nil, fmt.Errorf("agent %q: clients can't start programs here or ask servers", text)
		}
		switch kind, rest, _ := strings.Cut(text, ":"); kind {
		case "mcts":
			if c, err := mcts.Parse(rest, g); err == nil && (c.Simulations > guestSims || c.Time > guestTime) {
				return nil, fmt.Errorf("agent %q: sims is at most %d here, and ms %d", text, guestSims, guestTime.Milliseconds())
			}
		case "net", "background":
		default:
			return openStranger(text, g)
		}
		m, err := agents.Open(text, g)
		var wrong *agents.TextError
		if err != nil && !errors.As(err, &wrong) {
			log.Warn("no network", "agent", text, "reason", err.Error())
			err = fmt.Errorf("agent %q: there is no network of this name that plays %s", text, g.Info().Name)
		}
		return m, err
	}
}

// openStranger opens agents for clients over HTTP: none that names a file.
func openStranger(text string, g env.Game) (*agents.Maker, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch path, _, _ := strings.Cut(rest, ","); {
	case kind == "random", kind == "script", kind == "level", kind == "net" && path == "":
		return agents.Open(text, g)
	}
	return nil, fmt.Errorf("unknown agent %q: %s", text,
		spelling.Suggest(kind, []string{"level", "script", "random", "net:"}))
}

// serveMCP serves clients over HTTP until the context is done.
func serveMCP(ctx context.Context, stderr io.Writer, o mcpOptions, options mcp.Options) error {
	var token []byte
	if o.token != "" {
		var err error
		if token, err = readToken(o.token); err != nil {
			return err
		}
	}
	l, err := listenTCP(ctx, "", o.listen, len(token) > 0)
	if err != nil {
		return err
	}
	// Who comes through a tunnel comes from this machine, and so does every other user of it.
	options.Agents = openStranger
	mux := http.NewServeMux()
	mux.Handle("/mcp", authorised(token, mcp.NewServer(ctx, options).Handler()))
	server := &http.Server{
		Handler:           web.InTime(web.BodyLimit, web.AnswerLimit, mux),
		ReadHeaderTimeout: 10 * time.Second, WriteTimeout: mcp.AnswerLimit, IdleTimeout: 2 * time.Minute,
		ConnContext: mcp.CountRequests, ErrorLog: slog.NewLogLogger(options.Log.Handler(), slog.LevelWarn),
	}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	fmt.Fprintf(stderr, "serving at http://%s/mcp\n", l.Addr())
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// wrongToken is how long a request with a wrong token waits for its answer.
const wrongToken = time.Second

// authorised lets requests with the token through; without one, all.
func authorised(token []byte, next http.Handler) http.Handler {
	if len(token) == 0 {
		return next
	}
	right := sha256.Sum256(token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := sha256.Sum256([]byte(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
		if subtle.ConstantTimeCompare(given[:], right[:]) == 1 {
			next.ServeHTTP(w, r)
			return
		}
		select {
		case <-time.After(wrongToken):
		case <-r.Context().Done():
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "the token is missing or wrong: send it as Authorization: Bearer TOKEN", http.StatusUnauthorized)
	})
}
