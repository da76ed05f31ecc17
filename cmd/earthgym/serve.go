package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/pipe"
	"earthgym/games"
)

type serveOptions struct {
	listen  string
	token   string
	log     string
	workers int
	nets    string
	memory  int
}

func newServe() *cobra.Command {
	o := serveOptions{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Step environments for programs in other languages",
		Long: `Serve environments to clients, such as the Python package: over standard input and output to one client,
or with --listen to many. env/pipe/PROTOCOL.md says what travels.

Over TCP only this machine is served unless --token-file names a file with a secret that clients must
know. Nothing is encrypted: between machines use a tunnel (ssh -L 7777:127.0.0.1:7777 HOST) and a long token
(head -c 32 /dev/urandom | base64 > secret.txt). Clients over TCP may name the networks in --nets as
opponents, and no other file. A Unix socket belongs to its owner alone. What happens is logged to
standard error.`,
		Example: `  earthgym serve --listen unix:/tmp/earthgym.sock
  earthgym serve --listen tcp:127.0.0.1:7777
  earthgym serve --listen tcp:0.0.0.0:7777 --token-file secret.txt --nets runs`,
		Args: wordsAllowed(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runServe(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "", "serve at this `ADDRESS`, unix:PATH or tcp:HOST:PORT, which clients are given "+
		"too; port 0 takes a free one, which the log names")
	f.StringVar(&o.token, "token-file", "", "`FILE` with the secret that clients must know")
	f.StringVar(&o.nets, "nets", "", "`FOLDER` of the networks that clients over TCP may name as net:PATH, from there")
	f.IntVar(&o.memory, "memory", 8, "`GIB` that all clients may take together")
	f.StringVar(&o.log, "log", "info", "lowest level that is logged, `info|warn|error`")
	workersVar(f, &o.workers)
	return cmd
}

func runServe(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, o serveOptions) error {
	network, where, err := splitAddress(o.listen)
	if err != nil {
		return err
	}
	log, err := newLog(stderr, o.log)
	if err != nil {
		return err
	}
	if o.memory < 1 || o.memory > 1<<20 {
		return usagef("--memory %d: it is GiB, 1 or more", o.memory)
	}
	if err := checkWorkers(o.workers); err != nil {
		return err
	}
	s := &pipe.Server{
		Memory:   int64(o.memory) << 30,
		Registry: games.All(), Program: programText(), Workers: o.workers, Log: log,
	}
	open := openOpponent
	if network == "tcp" {
		open = strangers{o.nets, s.Log}.open
	}
	s.Agents = func(text string, g env.Game) (pipe.Maker, error) {
		m, err := open(text, g)
		for _, caveat := range agents.Caveats(g, text) {
			s.Log.Warn(caveat)
		}
		return m, err
	}
	if o.nets != "" {
		if network != "tcp" {
			return usagef("--nets is for --listen tcp:HOST:PORT: other clients are on this machine and may name any file")
		}
		if info, err := os.Stat(o.nets); err != nil || !info.IsDir() {
			return usagef("--nets %s: there is no such folder", o.nets)
		}
	}
	if o.token != "" {
		if network == "" {
			return usagef("--token-file is for --listen")
		}
		if s.Token, err = readToken(o.token); err != nil {
			return err
		}
	}
	var l net.Listener
	switch network {
	case "":
		return serveStdio(ctx, s, stdin, stdout)
	case "unix":
		l, err = listenUnix(ctx, where)
	default:
		l, err = listenTCP(ctx, "tcp:", where, len(s.Token) > 0)
	}
	if err != nil {
		return err
	}
	s.Log.Info("serving", "address", network+":"+l.Addr().String(), "token", len(s.Token) > 0)
	err = s.Serve(ctx, l)
	s.Log.Info("stopped")
	return err
}

// splitAddress splits what --listen takes into network and place; "" is standard input and output.
func splitAddress(text string) (network, where string, err error) {
	network, where, _ = strings.Cut(text, ":")
	if _, _, e := net.SplitHostPort(where); text == "" || network == "unix" && where != "" || network == "tcp" &&
		e == nil {
		return network, where, nil
	}
	return "", "", usagef("--listen %s: it is unix:PATH or tcp:HOST:PORT", text)
}

// stdio is the connection to the one who has started this program.
type stdio struct {
	io.Reader
	io.Writer
}

func (s stdio) Close() error {
	if c, ok := s.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// SyscallConn lets the server look for input without waiting for it.
func (s stdio) SyscallConn() (syscall.RawConn, error) {
	if c, ok := s.Reader.(syscall.Conn); ok {
		return c.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

// newLog is a log of what is of a level or above it.
func newLog(w io.Writer, lowest string) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(lowest)); err != nil {
		return nil, usagef("--log %q: info, warn or error", lowest)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})), nil
}

// toClient is standard output for a client that has started this program.
func toClient(stdout io.Writer) (io.Writer, error) {
	if out, ok := stdout.(*output); ok {
		stdout = out.w // A client that has left is not a full disk.
	}
	if isTerminal(stdout) {
		return nil, usagef("standard output is a terminal: a client is to start this program, or --listen at an address")
	}
	return stdout, nil
}

func serveStdio(ctx context.Context, s *pipe.Server, stdin io.Reader, stdout io.Writer) error {
	stdout, err := toClient(stdout)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.ServeConn(ctx, stdio{stdin, stdout}, true)
	}()
	select {
	case <-done:
	case <-ctx.Done(): // A read of standard input cannot be broken off.
	}
	return nil
}

// readToken reads the secret of a file that nobody else may read.
func readToken(name string) ([]byte, error) {
	b, err := disk.ReadFile(name, 1<<16)
	if err != nil {
		return nil, fmt.Errorf("--token-file: %w", err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("--token-file %s: others may read it: chmod 600 %s", name, name)
	}
	if b = bytes.TrimSpace(b); len(b) == 0 || len(b) > pipe.MaxToken {
		return nil, fmt.Errorf("--token-file %s: %d bytes: a token has 1 to %d", name, len(b), pipe.MaxToken)
	}
	return b, nil
}

// listenTCP listens at HOST:PORT, which stands behind a prefix on the command line. Without a token, it must be for
// this machine alone.
func listenTCP(ctx context.Context, prefix, where string, token bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(where)
	if err != nil {
		return nil, err
	}
	if !token {
		ips, err := net.DefaultResolver.LookupIPAddr(ctx, host)
		if err != nil && host != "" {
			return nil, fmt.Errorf("--listen %s%s: %w", prefix, where, err)
		}
		local := len(ips) > 0
		for _, ip := range ips {
			local = local && ip.IP.IsLoopback()
		}
		if !local {
			return nil, usagef("--listen %s%s is open to other machines: give a --token-file, or listen at 127.0.0.1", prefix,
				where)
		}
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", where)
	if err != nil {
		return nil, fmt.Errorf("--listen %s%s: %w", prefix, where, err)
	}
	return l, nil
}

// listenUnix makes a socket that its owner alone may use. One that a dead server has left is replaced.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != os.ModeSocket {
			return nil, fmt.Errorf("--listen unix:%s: it exists and is no socket", path)
		}
		if c, err := new(net.Dialer).DialContext(ctx, "unix", path); err == nil {
			c.Close()
			return nil, fmt.Errorf("--listen unix:%s: another server is there", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("--listen unix:%s: %w", path, err)
		}
	}
	restore := ownerOnly()
	defer restore()
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("--listen unix:%s: %w", path, err)
	}
	return l, nil
}
