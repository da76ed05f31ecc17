//go:build js

// Command site is the table of package web without a server: it runs in the worker of a static page (make site), where
// it answers the page's requests itself.
//
// The address of the page says what is played: game, seats, seed and the decisions so far, so that a link shows a game
// and goes on with it. There is nothing to hide from the one at the screen, whose machine holds all of it.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall/js"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/games"
)

func main() {
	d := &desk{streams: map[int]context.CancelFunc{}}
	for name, f := range map[string]func(args []js.Value){
		"tableOpen":    func(args []js.Value) { d.open(args[0].String()) },
		"tableRequest": func(args []js.Value) { d.request(args[0].Int(), args[1].String(), args[2].String(), args[3].String()) },
		"tableCancel":  func(args []js.Value) { d.cancel(args[0].Int()) },
	} {
		js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			go f(args) // The page's events must not wait for it.
			return nil
		}))
	}
	post(map[string]any{"ready": true})
	select {}
}

// post tells the page something.
func post(message map[string]any) { js.Global().Call("postMessage", message) }

// A desk is the table of one page.
type desk struct {
	mu      sync.Mutex
	handler http.Handler
	key     string
	streams map[int]context.CancelFunc
}

// open lays the table of an address.
func (d *desk) open(address string) {
	if err := d.lay(address); err != nil {
		post(map[string]any{"failed": err.Error()})
		return
	}
	post(map[string]any{"open": true})
}

func (d *desk) lay(address string) error {
	q, err := url.ParseQuery(address)
	if err != nil {
		return fmt.Errorf("this link can't be read: %w", err)
	}
	g, err := games.Open(q.Get("game"))
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(q.Get("seed"), 10, 64)
	if err != nil {
		return fmt.Errorf("this link has no seed: %w", err)
	}
	open := func(text string) (*agents.Maker, error) { return agents.Open(text, g) }
	var seats []table.Seat
	names := strings.Split(q.Get("seats"), ",")
	for p := range g.Info().Players {
		name := names[min(p, len(names)-1)]
		if name == table.Person {
			seats = append(seats, table.Seat{})
			continue
		}
		m, err := open(name)
		if err != nil {
			return err
		}
		seats = append(seats, table.Seat{Agent: m})
	}
	rec, err := played(g, seed, q.Get("moves"))
	if err != nil {
		return err
	}
	t, err := table.Resume(g, rec, seats, table.Options{Saved: func(rec *env.Record) { post(map[string]any{"address": addressOf(g, rec)}) }})
	if err != nil {
		return err
	}
	name := g.Info().Name
	rules, err := games.Rules(name)
	if err != nil {
		return err
	}
	howTo, err := games.HowTo(name)
	if err != nil {
		return err
	}
	var advisers []string
	for _, l := range agents.Levels(g) {
		advisers = append(advisers, l.Text)
	}
	keys := web.NewKeys(g.Info().Players)
	d.mu.Lock()
	d.handler = web.NewServer(t, web.Options{Keys: keys, Rules: rules, HowTo: howTo, Agents: append(advisers, "script:strong"), Open: open}).Handler()
	d.key = keys.Host
	d.mu.Unlock()
	go func() {
		if err := t.Run(context.Background()); err != nil {
			post(map[string]any{"failed": err.Error()})
		}
	}()
	return nil
}

// played is the record of a game whose decisions are the numbers of actions, in base 36, between dots.
func played(g env.Game, seed uint64, moves string) (*env.Record, error) {
	ref, err := env.NewReferee(g, seed)
	if err != nil {
		return nil, err
	}
	for i, text := range strings.FieldsFunc(moves, func(r rune) bool { return r == '.' }) {
		a, err := strconv.ParseUint(text, 36, 16)
		if err == nil && ref.Actor() == env.Over {
			err = errors.New("the game is over")
		}
		if err == nil {
			err = ref.Play(env.Action(a))
		}
		if err != nil {
			return nil, fmt.Errorf("this link is wrong from decision %d on: %w", i, err)
		}
	}
	return ref.Record(nil), nil
}

// addressOf is the address of a game in progress.
func addressOf(g env.Game, rec *env.Record) string {
	var moves []string
	for _, m := range rec.Moves {
		if a, err := g.Info().Parse(m.Action); err == nil {
			moves = append(moves, strconv.FormatInt(int64(a), 36))
		}
	}
	return url.Values{
		"game": {g.Info().Short}, "seats": {strings.Join(rec.Header.Agents, ",")}, "seed": {strconv.FormatUint(rec.Header.Seed, 10)}, "moves": {strings.Join(moves, ".")},
	}.Encode()
}

// request answers one of the page's requests, piece by piece.
func (d *desk) request(id int, method, path, body string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d.mu.Lock()
	handler, key := d.handler, d.key
	d.streams[id] = cancel
	d.mu.Unlock()
	w := &answer{id: id, header: http.Header{}}
	r, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case handler == nil:
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		r.Header.Set("Authorization", "Bearer "+key)
		handler.ServeHTTP(w, r)
	}
	w.WriteHeader(http.StatusOK)
	w.Flush()
	d.cancel(id)
	post(map[string]any{"id": id, "done": true})
}

// cancel ends a request.
func (d *desk) cancel(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cancel := d.streams[id]; cancel != nil {
		cancel()
		delete(d.streams, id)
	}
}

// An answer goes to the page in pieces, each when it is flushed.
type answer struct {
	id     int
	header http.Header
	status int
	b      bytes.Buffer
}

func (w *answer) Header() http.Header { return w.header }

func (w *answer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		post(map[string]any{"id": w.id, "status": status})
	}
}

func (w *answer) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.b.Write(b)
}

// Flush implements http.Flusher.
func (w *answer) Flush() {
	if w.b.Len() > 0 {
		post(map[string]any{"id": w.id, "text": w.b.String()})
		w.b.Reset()
	}
}
