package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"earthgym/agents"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/games"

	"github.com/spf13/cobra"
)

// webOptions are those of a table in the browser.
type webOptions struct {
	web       bool
	listen    string
	noBrowser bool
	cert, key string
}

func (o *webOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.web, "web", false, "play in the browser")
	o.addServing(cmd, "with --web: ")
}

// addServing adds what says where a page is to be found; the words come before what each does.
func (o *webOptions) addServing(cmd *cobra.Command, words string) {
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "", words+"serve the page at `HOST:PORT`; this machine alone and a free port if none is given")
	f.BoolVar(&o.noBrowser, "no-browser", false, words+"print the link, and open nothing")
	f.StringVar(&o.cert, "tls-cert", "", words+"`FILE` with the certificate, PEM")
	f.StringVar(&o.key, "tls-key", "", words+"`FILE` with the certificate's key, PEM")
}

// check says what is wrong with the words, before anything is done.
func (o *webOptions) check() error {
	if !o.web && (o.listen != "" || o.noBrowser || o.cert != "" || o.key != "") {
		return usagef("--listen, --no-browser, --tls-cert and --tls-key go with --web")
	}
	if (o.cert == "") != (o.key == "") {
		return usagef("--tls-cert and --tls-key go together")
	}
	if _, _, err := net.SplitHostPort(o.listen); o.listen != "" && err != nil {
		return usagef("--listen %s: it is HOST:PORT, such as 0.0.0.0:8080", o.listen)
	}
	return nil
}

// maxStreams bounds the pages that look on at one table.
const maxStreams = 2000

// serve shows the table in the browser until the context is done.
func (l *laid) serve(ctx context.Context, w io.Writer, o webOptions) error {
	players := l.game.Info().Players
	door, err := l.door(players)
	if err != nil {
		return err
	}
	listener, err := listenWeb(ctx, o.listen, door.Address)
	if err != nil {
		return err
	}
	defer listener.Close()
	door.Address = listener.Addr().String()
	if l.file != "" {
		if err := door.Write(l.doorFile()); err != nil {
			return fmt.Errorf("cannot write the links to the table: %w", err)
		}
	}
	name := l.game.Info().Name
	rules, err := games.Rules(name)
	if err != nil {
		return err
	}
	howTo, err := games.HowTo(name)
	if err != nil {
		return err
	}
	address, local, err := publicAddress(listener)
	if err != nil {
		return err
	}
	options := web.Options{
		Keys: door.Keys, Rules: rules, HowTo: howTo, Agents: l.agents, MaxStreams: maxStreams,
		Open: func(text string) (*agents.Maker, error) { return agents.Open(text, l.game) },
	}
	if local {
		options.Hosts = localNames
	}
	link := func(key string) string { return o.link(address, key) }
	if err := l.printLinks(w, link, door.Keys, local || o.cert != ""); err != nil {
		return err
	}
	defer o.open(w, link(door.Keys.Host))()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	go func() { ran <- l.table.Run(ctx) }()
	err = web.Serve(ctx, listener, web.NewServer(l.table, options).Handler(), o.cert, o.key)
	cancel()
	<-ran // What it says is how the context ended.
	if err == nil && l.file != "" {
		fmt.Fprintf(w, "the game is saved in %s\n", l.file)
	}
	return err
}

// doorFile keeps the links of a game that is saved.
func (l *laid) doorFile() string { return l.file + ".links" }

// door is where the table was before, or a new one.
func (l *laid) door(players int) (*web.Door, error) {
	if l.file != "" {
		door, err := web.ReadDoor(l.doorFile(), players)
		if !errors.Is(err, fs.ErrNotExist) {
			return door, err
		}
	}
	return &web.Door{Keys: web.NewKeys(players)}, nil
}

// localNames are those by which browsers on this machine reach it.
var localNames = []string{"127.0.0.1", "localhost", "::1"}

// link is the address of a page, with the key behind it.
func (o *webOptions) link(address, key string) string {
	scheme := "http"
	if o.cert != "" {
		scheme = "https"
	}
	return scheme + "://" + address + "/#" + key
}

// open opens a link in the user's browser, unless that is not wanted; what it returns is called when the page is served
// no more.
func (o *webOptions) open(w io.Writer, link string) (remove func()) {
	if o.noBrowser {
		return func() {}
	}
	remove, err := openBrowser(link)
	if err != nil {
		fmt.Fprintf(w, "no browser opens by itself (%v): open the first link\n", err)
	}
	return remove
}

// printLinks says where the table is, for whom.
func (l *laid) printLinks(w io.Writer, link func(key string) string, keys web.Keys, safe bool) error {
	fmt.Fprintf(w, "%s: %s\n", l.game.Info().Short, link(keys.Host))
	now, err := l.table.Look(env.Spectator)
	if err != nil {
		return err
	}
	for p, s := range now.Seats {
		if s.Person {
			fmt.Fprintf(w, "  seat %d alone: %s\n", p, link(keys.Seats[p]))
		}
	}
	fmt.Fprintf(w, "  to look on:   %s\n", link(keys.Watch))
	if !safe {
		fmt.Fprintln(w, "Others on the network can read what is not encrypted: --tls-cert and --tls-key encrypt it.")
	}
	if l.file == "" {
		_, err = fmt.Fprintln(w, "Ctrl-C ends.")
		return err
	}
	_, err = fmt.Fprintf(w, "The game is saved in %s; Ctrl-C ends, and --resume %s%s goes on.\n", l.file, l.file, startPrograms(l.seated()))
	return err
}

// listenWeb listens where it is told to, or where the table was before, or else at a free port of this machine.
func listenWeb(ctx context.Context, where, before string) (net.Listener, error) {
	var config net.ListenConfig
	if where != "" {
		l, err := config.Listen(ctx, "tcp", where)
		if err != nil {
			return nil, fmt.Errorf("--listen %s: %w", where, err)
		}
		return l, nil
	}
	if host, _, err := net.SplitHostPort(before); err == nil && net.ParseIP(host).IsLoopback() {
		if l, err := config.Listen(ctx, "tcp", before); err == nil {
			return l, nil
		}
	}
	return config.Listen(ctx, "tcp", "127.0.0.1:0")
}

// publicAddress is the address to reach a listener at, and whether it is for this machine alone.
func publicAddress(l net.Listener) (address string, local bool, err error) {
	at, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return "", false, fmt.Errorf("the address %s is none of TCP", l.Addr())
	}
	host := at.IP.String()
	if at.IP.IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			return "", false, err
		}
		addresses, err := net.InterfaceAddrs()
		if err != nil {
			return "", false, err
		}
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.IsPrivate() && n.IP.To4() != nil {
				host = n.IP.String()
				break
			}
		}
	}
	return net.JoinHostPort(host, strconv.Itoa(at.Port)), at.IP.IsLoopback(), nil
}

// openBrowser opens a link in the user's browser, by way of a file that nobody else can read: the command lines of
// programs can be seen by everybody on a machine, and the link holds a key. What it returns removes the file.
func openBrowser(link string) (remove func(), err error) {
	dir, err := os.MkdirTemp("", "earthgym-")
	if err != nil {
		return func() {}, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	file := filepath.Join(dir, "table.html")
	text := fmt.Sprintf("<!doctype html><title>earthgym</title><meta http-equiv=\"refresh\" content=\"0;url=%[1]s\"><a href=\"%[1]s\">to the table</a>\n", html.EscapeString(link))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return remove, err
	}
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", file)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", file)
	default:
		cmd = exec.Command("xdg-open", file)
	}
	if err := cmd.Start(); err != nil {
		return remove, err
	}
	go func() { _ = cmd.Wait() }()
	return remove, nil
}
