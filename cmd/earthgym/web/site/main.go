//go:build js

// Command site is the table of package web without a server: it runs in the worker of a static page (make site), where
// it answers the page's requests itself.
//
// The address of the page says what is played: game, seats, seed and the decisions so far, so that a link shows a game
// and goes on with it. There is nothing to hide from the one at the screen, whose machine holds all of it.
package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall/js"
	"time"

	"earthgym/agents"
	"earthgym/agents/shipped"
	"earthgym/agents/table"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/games"
)

func main() {
	d := &tab{streams: map[int]context.CancelFunc{}}
	for name, f := range map[string]func(args []js.Value){
		"tableOpen": func(args []js.Value) { d.open(args[0].String(), d.lay) },
		"filmOpen":  func(args []js.Value) { d.open(args[0].String(), d.recorded) },
		"networkPut": func(args []js.Value) {
			data := make([]byte, args[1].Length())
			js.CopyBytesToGo(data, args[1])
			if err := shipped.Put(args[0].String(), data); err != nil {
				post(map[string]any{"failed": err.Error()})
			}
		},
		"tableRequest": func(args []js.Value) {
			d.request(args[0].Int(), args[1].String(), args[2].String(), args[3].String())
		},
		"tableCancel": func(args []js.Value) { d.cancel(args[0].Int()) },
	} {
		js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			if name == "networkPut" { // What is asked next needs it.
				f(args)
				return nil
			}
			go f(args) // The page's events must not wait for it.
			return nil
		}))
	}
	post(map[string]any{"ready": true})
	select {}
}

// post tells the page something.
func post(message map[string]any) { js.Global().Call("postMessage", message) }

// A tab is the table of one page.
type tab struct {
	mu      sync.Mutex
	api     *web.API
	key     string
	streams map[int]context.CancelFunc
}

// open shows the table or the recorded game of an address.
func (d *tab) open(address string, show func(address string) error) {
	if err := show(address); err != nil {
		post(map[string]any{"failed": err.Error()})
		return
	}
	post(map[string]any{"open": true})
}

func (d *tab) lay(address string) error {
	q, g, seed, err := read(address)
	if err != nil {
		return err
	}
	open := func(text string) (*agents.Maker, error) { return agents.Open(text, g) }
	var seats []table.Seat
	for _, name := range seatNames(g, q.Get("seats")) {
		if person, called, _ := strings.Cut(name, ":"); person == table.Person {
			seats = append(seats, table.Seat{Name: spelling.Printable(called)})
			continue
		}
		m, err := open(name)
		if err != nil {
			return err
		}
		seats = append(seats, table.Seat{Agent: m})
	}
	t, err := tableOf(q, g, seed, seats)
	if err != nil {
		return err
	}
	rules, howTo, err := games.Book(g.Info().Name)
	if err != nil {
		return err
	}
	var advisers []string
	for _, l := range agents.Levels(g) {
		advisers = append(advisers, l.Text)
	}
	if shipped.AtHome(g.Info()) {
		advisers = append(advisers, "net:")
	}
	keys := web.NewKeys(g.Info().Players)
	d.mu.Lock()
	d.api = web.NewServer(t,
		web.Options{Keys: keys, Rules: rules, HowTo: howTo, Agents: append(advisers, "script:strong"), Open: open}).API()
	d.key = keys.Host
	d.mu.Unlock()
	go func() {
		if err := t.Run(context.Background()); err != nil {
			post(map[string]any{"failed": err.Error()})
		} else if rec, err := t.Record(); err == nil { // Of a lesson, too, which has had no address yet.
			post(map[string]any{"address": addressOf(g, rec)})
		}
	}()
	return nil
}

// tableOf is the table of an address: of a lesson, which begins anew whenever the page is loaded, or of a game as far
// as it has come.
func tableOf(q url.Values, g env.Game, seed uint64, seats []table.Seat) (*table.Table, error) {
	if q.Has("lesson") {
		sc, err := games.Lesson(g.Info().Name)
		if err != nil {
			return nil, err
		}
		lesson, err := table.NewLesson(sc, g.Info())
		if err != nil {
			return nil, err
		}
		return table.New(g, uint64(sc.Seed), seats, table.Options{Lesson: lesson, Names: table.FromOne})
	}
	rec, err := web.Played(g, seed, q.Get("moves"))
	if err != nil {
		return nil, err
	}
	o := table.Options{Names: table.FromOne, Patience: patience, Saved: func(rec *record.Record) {
		post(map[string]any{"address": addressOf(g, rec)})
	}}
	return table.Resume(g, rec, seats, o)
}

// patience is how long an agent may search here, where it shares a thread with what else the worker does.
const patience = 1400 * time.Millisecond

func read(address string) (q url.Values, g env.Game, seed uint64, err error) {
	if q, err = url.ParseQuery(address); err != nil {
		return nil, nil, 0, fmt.Errorf("this link can't be read: %w", err)
	}
	text := q.Get("game")
	if q.Has("lesson") {
		sc, err := games.Lesson(text)
		if err != nil {
			return nil, nil, 0, err
		}
		text = sc.Game
	}
	if g, err = games.Open(text); err != nil {
		return nil, nil, 0, err
	}
	if seed, err = strconv.ParseUint(q.Get("seed"), 10, 64); err != nil {
		return nil, nil, 0, fmt.Errorf("this link has no seed: %w", err)
	}
	return q, g, seed, nil
}

// recorded shows the game of an address, or of a record's text, to be looked at.
func (d *tab) recorded(text string) error {
	var rec *record.Record
	var g env.Game
	var err error
	if strings.HasPrefix(text, "{") {
		if rec, err = record.Read("this record", strings.NewReader(text)); err != nil {
			return err
		}
		if g, err = games.Open(rec.Header.Game); err != nil {
			return err
		}
	} else {
		q, opened, seed, err := read(text)
		if err != nil {
			return err
		}
		g = opened
		if rec, err = web.Played(g, seed, q.Get("moves")); err != nil {
			return err
		}
		rec.Header.Agents = seatNames(g, q.Get("seats"))
	}
	key := web.NewKey()
	w := web.NewWatch(web.WatchOptions{Key: key, Open: agents.Open, Rules: games.Book})
	asked := []string{"script:strong", "mcts:sims=200"}
	if shipped.AtHome(g.Info()) {
		asked = append([]string{"net:"}, asked...)
	}
	if err := w.Show(rec, g, asked); err != nil {
		return err
	}
	d.mu.Lock()
	d.api, d.key = w.API(), key
	d.mu.Unlock()
	if h := &rec.Header; len(h.Data) > 0 && !h.Listed && h.Position == nil {
		post(map[string]any{"address": addressOf(g, rec)})
	}
	return nil
}

// seatNames are who sits in the seats of an address, which parts them by commas, the last one in all that are left.
func seatNames(g env.Game, text string) []string {
	names := strings.Split(text, ",")
	var seats []string
	for p := range g.Info().Players {
		seats = append(seats, strings.ReplaceAll(names[min(p, len(names)-1)], "%2C", ","))
	}
	return seats
}

// addressOf is the address of a game as far as it has come, and whether it is over.
func addressOf(g env.Game, rec *record.Record) string {
	seats := strings.NewReplacer(",", "%2C", "\n", ",").Replace(strings.Join(rec.Header.Agents, "\n"))
	q := url.Values{
		"game": {g.Info().Short}, "seats": {seats},
		"seed": {strconv.FormatUint(rec.Header.Seed, 10)}, "moves": {web.Moves(g.Info(), rec)},
	}
	if rec.Footer != nil {
		q.Set("over", "1")
	}
	return q.Encode()
}

// request answers one of the page's requests, piece by piece.
func (d *tab) request(id int, method, path, body string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d.mu.Lock()
	api, key := d.api, d.key
	d.streams[id] = cancel
	d.mu.Unlock()
	if u, err := url.Parse(path); err == nil && api != nil { // A page asks nothing else, and nothing before it is open.
		api.Ask(ctx, &web.Question{Method: method, Path: u.Path, Query: u.Query(), Body: strings.NewReader(body), Key: key},
			reply(id))
	}
	d.cancel(id)
	post(map[string]any{"id": id, "done": true})
}

func (d *tab) cancel(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cancel := d.streams[id]; cancel != nil {
		cancel()
		delete(d.streams, id)
	}
}

// A reply goes to the request of the page that has its number.
type reply int

// Begin implements web.Reply.
func (id reply) Begin(status int, _ string) { post(map[string]any{"id": int(id), "status": status}) }

// Send implements web.Reply.
func (id reply) Send(piece []byte) error {
	post(map[string]any{"id": int(id), "text": string(piece)})
	return nil
}
