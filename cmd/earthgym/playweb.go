package main

import (
	"cmp"
	"context"
	"crypto/tls"
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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/spelling"
	"earthgym/games"
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
	f.StringVar(&o.listen, "listen", "", words+"serve the page at `HOST:PORT`; this machine alone and a free port if "+
		"none is given")
	f.BoolVar(&o.noBrowser, "no-browser", false, words+"print the link, and open nothing")
	f.StringVar(&o.cert, "tls-cert", "", words+"`FILE` with the certificate, PEM")
	f.StringVar(&o.key, "tls-key", "", words+"`FILE` with the certificate's key, PEM")
	rare(cmd, "tls-cert", "tls-key")
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

// serve shows the table in the browser until the context is done, and whatever is begun there after it; without one
// (nil), the page on which games are chosen.
func (l *laid) serve(ctx context.Context, w io.Writer, o webOptions, stderr io.Writer) error {
	endpoint := &web.Endpoint{Keys: web.NewKeys(0)}
	if l != nil {
		var err error
		if endpoint, err = l.endpoint(l.game.Info().Players); err != nil {
			return err
		}
	}
	at, err := o.listenAt(ctx, endpoint.Address)
	if err != nil {
		return err
	}
	defer at.Close()
	endpoint.Address = at.Addr().String()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	begun := &begun{ctx: ctx, w: w, stderr: stderr, endpoint: *endpoint, hosts: at.hosts}
	var server *web.Server
	first := at.link("", endpoint.Keys.Host)
	if l == nil {
		fmt.Fprintf(w, "earthgym: %s\nCtrl-C ends.\n", first)
	} else {
		if server, err = begun.lay(l); err != nil {
			return err
		}
		first = at.link("table.html", endpoint.Keys.Host)
		if err := l.printLinks(w, at, endpoint.Keys); err != nil {
			return err
		}
	}
	begun.start = web.NewStartPage(server, web.StartOptions{
		Key: endpoint.Keys.Host, Hosts: begun.hosts, Begin: begun.begin, Saved: savedGames, Look: lookAt,
	})
	defer o.open(w, first)()
	err = web.Serve(ctx, at, begun.start.Handler())
	cancel()
	if err = cmp.Or(err, begun.end()); err == nil && begun.table != nil && begun.table.file != "" {
		fmt.Fprintf(w, "the game is saved in %s\n", begun.table.file)
	}
	return err
}

// begun is the game that was begun last in the browser.
type begun struct {
	ctx       context.Context
	w, stderr io.Writer
	hosts     []string
	start     *web.StartPage
	endpoint  web.Endpoint

	table *laid
	stop  func() error // ends its table
}

// lay runs the table of a game; the one before has ended.
func (b *begun) lay(l *laid) (*web.Server, error) {
	info := l.game.Info()
	if len(b.endpoint.Keys.Seats) != info.Players { // Otherwise those who have links stay in their seats.
		keys := web.NewKeys(info.Players)
		keys.Host, keys.Watch = b.endpoint.Keys.Host, b.endpoint.Keys.Watch
		b.endpoint.Keys = keys
	}
	if l.file != "" {
		if err := b.endpoint.Write(l.endpointFile()); err != nil {
			return nil, fmt.Errorf("cannot write the links to the table: %w", err)
		}
	}
	server, stop, err := l.run(b.ctx, web.Options{Keys: b.endpoint.Keys, Hosts: b.hosts, MaxStreams: maxStreams})
	if err == nil {
		b.table, b.stop = l, stop
	}
	return server, err
}

// run serves the table and plays the game at it, until the context is done or stop is called, which returns when the
// game has been saved; it tries to once more where that has failed.
func (l *laid) run(ctx context.Context, o web.Options) (_ *web.Server, stop func() error, err error) {
	if o.Rules, o.HowTo, err = games.Book(l.game.Info().Name); err != nil {
		return nil, nil, err
	}
	o.Agents = l.agents
	o.Open = func(text string) (*agents.Maker, error) { return agents.Open(text, l.game) }
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = l.table.Run(ctx) // What it says is how the context ended.
	}()
	return web.NewServer(l.table, o), func() error { cancel(); <-ended; return l.table.Save() }, nil
}

// end ends the table, once, if there is one; its game is saved.
func (b *begun) end() error {
	if b.stop == nil {
		return nil
	}
	defer writeSpending(b.stderr, b.table.asked)
	err := b.stop()
	if err == nil {
		b.stop = nil
	}
	return err
}

// begin lays the table of a game that somebody wants to begin.
func (b *begun) begin(what *web.Begin) (*web.Server, error) {
	l, err := b.laid(what)
	if err != nil {
		return nil, err
	}
	if err := b.end(); err != nil {
		fmt.Fprintf(b.stderr, "what was played before is not saved: %s\n", spelling.Printable(err.Error()))
	}
	server, err := b.lay(l)
	if err == nil && l.file != "" {
		fmt.Fprintf(b.w, "%s is saved in %s\n", l.game.Info().Short, l.file)
	}
	return server, err
}

func (b *begun) laid(what *web.Begin) (*laid, error) {
	o := playOptions{seed: secretSeed(), web: webOptions{web: true}}
	o.failed = func(err error) { fmt.Fprintln(b.stderr, spelling.Printable(err.Error())) }
	switch {
	case what.Lesson != "":
		if _, err := games.Find(what.Lesson); err != nil {
			return nil, err
		}
		return layLesson(what.Lesson)
	case what.Saved != "":
		file, err := savedFile(what.Saved)
		if err != nil {
			return nil, err
		}
		if b.table != nil && b.table.file == file {
			if err := b.end(); err != nil { // It goes on with its file.
				return nil, err
			}
		}
		o.out = file
		return layTable(nil, o)
	case what.Puzzle != nil:
		return layPuzzle(*what.Puzzle, o)
	case what.At != nil:
		rec, err := b.start.Record(*what.At)
		if err != nil {
			return nil, err
		}
		return layAgain(b.table.game, rec, o)
	}
	for _, text := range what.Seats {
		if !isPerson(text) && !b.seats(text) {
			return nil, fmt.Errorf("%s can't be seated from a page", spelling.Printable(text))
		}
	}
	return layTable(append([]string{what.Game}, what.Seats...), o)
}

// layPuzzle lays the table of a puzzle: a person decides, among agents.
func layPuzzle(n int, o playOptions) (*laid, error) {
	all, err := web.Puzzles()
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(all) {
		return nil, fmt.Errorf("there is no puzzle %d", n)
	}
	g, err := games.Open(all[n].Game)
	if err != nil {
		return nil, err
	}
	rec, err := all[n].Record(g)
	if err != nil {
		return nil, err
	}
	rec.Header.Agents = slices.Repeat([]string{"level:3"}, g.Info().Players)
	rec.Header.Agents[all[n].Seat] = table.Person
	return layAgain(g, rec, o)
}

// seats says whether a page may seat an agent: one that sits at the table, or one that comes with the program and reads
// and starts nothing.
func (b *begun) seats(text string) bool {
	return b.table != nil && slices.Contains(b.table.seated(), text) || comesWith(text)
}

// comesWith says whether an agent comes with the program and reads and starts nothing.
func comesWith(text string) bool {
	return text == "net:" || strings.HasPrefix(text, "level:") || strings.HasPrefix(text, "script:") &&
		!agents.IsForeign(text)
}

// recordFolder is where games are saved unless somebody says otherwise.
const recordFolder = "records"

// savedFile is the file of a saved game, which the page names by it.
func savedFile(name string) (string, error) {
	if name != filepath.Base(name) || !strings.HasSuffix(name, ".jsonl") {
		return "", fmt.Errorf("there is no saved game %q", spelling.Printable(name))
	}
	return filepath.Join(recordFolder, name), nil
}

// savedGames are those saved last in the folder of records.
func savedGames() (list []web.Saved, err error) {
	const most = 12
	entries, err := os.ReadDir(recordFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	changed := map[string]time.Time{}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), ".jsonl") {
			return true
		}
		changed[e.Name()] = info.ModTime()
		return false
	})
	slices.SortFunc(entries, func(x, y fs.DirEntry) int { return changed[y.Name()].Compare(changed[x.Name()]) })
	for _, e := range entries[:min(most, len(entries))] {
		rec, g, err := new(gameFlags).openRecord(filepath.Join(recordFolder, e.Name()))
		if err != nil {
			continue // It is of other data, or of another program; the command line says which.
		}
		list = append(list, web.Saved{
			Name: e.Name(), Title: g.Info().Title, Decisions: len(rec.Moves), Seats: rec.Header.Agents, Over: rec.Footer != nil,
		})
	}
	return list, nil
}

// lookAt opens a saved game to be looked at, once it is over: before, it would tell the luck to come.
func lookAt(name string) (*web.Watch, error) {
	file, err := savedFile(name)
	if err != nil {
		return nil, err
	}
	rec, g, err := new(gameFlags).openRecord(file)
	if err != nil {
		return nil, err
	}
	if rec.Footer == nil {
		return nil, fmt.Errorf("%s is still being played", spelling.Printable(name))
	}
	w := web.NewWatch(web.WatchOptions{Rules: games.Book, Open: agents.Open})
	o := watchOptions{}
	return w, w.Show(rec, g, o.advisers(g, rec.Header.Agents))
}

// endpointFile keeps the links of a game that is saved.
func (l *laid) endpointFile() string { return l.file + ".links" }

// endpoint is where the table was before, or a new one.
func (l *laid) endpoint(players int) (*web.Endpoint, error) {
	if l.file != "" {
		endpoint, err := web.ReadEndpoint(l.endpointFile(), players)
		if !errors.Is(err, fs.ErrNotExist) {
			return endpoint, err
		}
	}
	return &web.Endpoint{Keys: web.NewKeys(players)}, nil
}

// localNames are those by which browsers on this machine reach it.
var localNames = []string{"127.0.0.1", "localhost", "::1"}

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
func (l *laid) printLinks(w io.Writer, at *site, keys web.Keys) error {
	link := func(key string) string { return at.link("table.html", key) }
	fmt.Fprintf(w, "%s: %s\n", l.game.Info().Short, link(keys.Host))
	now, err := l.table.Look(env.Spectator)
	if err != nil {
		return err
	}
	for p, s := range now.Seats {
		if s.Person {
			fmt.Fprintf(w, "  seat %d alone: %s\n", p+1, link(keys.Seats[p]))
		}
	}
	fmt.Fprintf(w, "  to look on:   %s\n", link(keys.Watch))
	at.warn(w)
	if l.file == "" {
		_, err = fmt.Fprintln(w, "Ctrl-C ends.")
		return err
	}
	_, err = fmt.Fprintf(w, "The game is saved in %s; Ctrl-C ends, and --out %s%s goes on.\n", l.file, quote(l.file),
		startPrograms(l.seated()))
	return err
}

// A site is where a page is served.
type site struct {
	net.Listener
	scheme, address string
	hosts           []string // that browsers may call it by; nil if other machines reach it
}

// encryption is by the certificate of one file and the key of another, PEM.
func encryption(cert, key string) (*tls.Config, error) {
	const most = 1 << 20
	c, wrong := disk.ReadFile(cert, most)
	k, err := disk.ReadFile(key, most)
	if err = cmp.Or(wrong, err); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(c, k)
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, err
}

// listenAt listens where the words say, or where the page was before, or else at a free port of this machine.
func (o *webOptions) listenAt(ctx context.Context, before string) (*site, error) {
	at := &site{scheme: "http"}
	var encrypt *tls.Config
	if o.cert != "" {
		var err error
		if encrypt, err = encryption(o.cert, o.key); err != nil {
			return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
		encrypt.NextProtos = []string{"h2", "http/1.1"}
		at.scheme = "https"
	}
	var config net.ListenConfig
	listen := func() (net.Listener, error) {
		if o.listen != "" {
			l, err := config.Listen(ctx, "tcp", o.listen)
			if err != nil {
				return nil, fmt.Errorf("--listen %s: %w", o.listen, err)
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
	l, err := listen()
	if err != nil {
		return nil, err
	}
	if at.Listener = l; encrypt != nil {
		at.Listener = tls.NewListener(l, encrypt)
	}
	var local bool
	if at.address, local, err = publicAddress(l); err != nil {
		l.Close()
		return nil, err
	}
	if local {
		at.hosts = localNames
	}
	return at, nil
}

// link is the address of a page, with the key behind it.
func (s *site) link(page, key string) string {
	return s.scheme + "://" + s.address + "/" + page + "#" + key
}

// warn says that others may read along, where they may.
func (s *site) warn(w io.Writer) {
	if s.hosts == nil && s.scheme == "http" {
		fmt.Fprintln(w, "Others on the network can read what is not encrypted: --tls-cert and --tls-key encrypt it.")
	}
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
	text := fmt.Sprintf("<!doctype html><title>earthgym</title><meta http-equiv=\"refresh\" content=\"0;url=%[1]s\"><a "+
		"href=\"%[1]s\">to the table</a>\n", html.EscapeString(link))
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
