//go:build !js

package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"earthgym/agents/table"
	"earthgym/env"
)

// A Room is several tables behind one link: who has it sees all of them, opens one, takes a seat, looks on. A seat has
// a key of its own, which ends when its person leaves.
type Room struct {
	o             RoomOptions
	hints, drafts queue // of all tables together: they share one machine

	mu      sync.Mutex
	tables  []*placed
	changed chan struct{} // closed when the list may look otherwise
	looks   int           // pages that follow the list
	told    []byte        // the list as pages were told it last, nil if that has changed since
}

// RoomOptions say what people find in a Room.
type RoomOptions struct {
	Keys  RoomKeys
	Hosts []string // names in the address line that are the server's own; empty for any
	Most  int      // tables at a time
	// Variants are texts of games that guests may begin with; they may type others.
	Variants []string
	// Lay lays the table of a game: of the one that is kept for it if it goes on, otherwise of a new one. The table is
	// run until end is called, which waits for that.
	Lay func(t RoomTable, goesOn bool) (s *Server, end func(), err error)
	// Save keeps the tables, and the number of the one that was opened last.
	Save func(tables []RoomTable, last int) error
	Last int
}

// RoomKeys are the secrets in the links to a Room.
type RoomKeys struct {
	Guest   string `json:"guest"`
	Teacher string `json:"teacher"` // also frees seats and closes tables
}

// A RoomTable is what is kept of a table beside its game.
type RoomTable struct {
	Number int      `json:"number"`
	Games  int      `json:"games"` // begun at it so far
	Game   string   `json:"game"`
	Seats  []string `json:"seats"` // who sat there when the game began, in the words of the command line
	Keys   Keys     `json:"keys"`
	Taken  []bool   `json:"taken"` // by a person
}

// placed is a table of a Room.
type placed struct {
	RoomTable
	server *Server
	end    func()
	since  time.Time // when somebody last sat down, left, or began a game
	// stay ends with the game and what is shown of it, sits each with the one who sits there.
	stay  context.Context
	gone  context.CancelFunc
	sits  []context.Context
	leave []context.CancelFunc
}

const (
	// abandoned is how long a table is kept in a full room whose people have closed their pages.
	abandoned = 10 * time.Minute
	// maxLooks bounds the pages that follow the list of tables.
	maxLooks = 2000
	// listed is the least time from one list to the next.
	listed = time.Second
)

// NewRoom makes a Room, with the tables that are kept; failed is told of those that can't go on.
func NewRoom(o RoomOptions, kept []RoomTable, failed func(number int, err error)) *Room {
	m := &Room{
		o: o, hints: make(queue, maxHints), drafts: make(queue, maxDrafts), changed: make(chan struct{}),
	}
	for _, k := range kept {
		t := &placed{RoomTable: k}
		if err := m.lay(t, true); err != nil {
			failed(k.Number, err)
			continue
		}
		m.tables = append(m.tables, t)
	}
	return m
}

// Close ends all tables; their games are saved.
func (m *Room) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tables {
		t.gone()
		t.end()
	}
	m.tables = nil
}

// lay lays the table of a game, and tells the list of what happens at it.
func (m *Room) lay(t *placed, goesOn bool) error {
	s, end, err := m.o.Lay(t.RoomTable, goesOn)
	if err != nil {
		return err
	}
	s.hints, s.drafts = m.hints, m.drafts
	s.number, s.room = t.Games, m.o.Keys.Guest
	t.server, t.end, t.since = s, end, time.Now()
	t.stay, t.gone = context.WithCancel(context.Background())
	t.sits, t.leave = make([]context.Context, len(t.Taken)), make([]context.CancelFunc, len(t.Taken))
	for p := range t.Taken {
		t.sits[p], t.leave[p] = context.WithCancel(t.stay)
	}
	go m.follow(t.stay, s.table)
	return nil
}

// follow tells the list whenever something has changed at a table.
func (m *Room) follow(ctx context.Context, t *table.Table) {
	for {
		next := t.Changed()
		m.mu.Lock()
		m.notify()
		m.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-next:
		}
	}
}

// notify says that the list may look otherwise.
func (m *Room) notify() {
	m.told = nil
	close(m.changed)
	m.changed = make(chan struct{})
}

func (m *Room) save() error {
	var all []RoomTable
	for _, t := range m.tables {
		all = append(all, t.RoomTable)
	}
	if err := m.o.Save(all, m.o.Last); err != nil {
		return fmt.Errorf("the room can't be saved: %w", err)
	}
	return nil
}

// done is the answer to what has happened and stays so, also if the room can't be saved then.
func (m *Room) done(v any) (any, error) {
	if err := m.save(); err != nil {
		return nil, fmt.Errorf("this is done, but %w", err)
	}
	return v, nil
}

// API answers the questions of pages.
func (m *Room) API() *API {
	d := &API{m.role, wrongKey, map[string]answer{
		"GET /api/room":   m.inRoom(m.stream),
		"GET /api/lobby":  m.inRoom(m.describe),
		"GET /api/view":   m.inRoom(m.view),
		"POST /api/open":  m.wished(m.open),
		"POST /api/join":  m.wished(m.join),
		"POST /api/free":  m.wished(m.free),
		"POST /api/close": m.wished(m.close),
		"POST /api/leave": m.atTable(m.leave),
		"POST /api/say":   m.atTable(m.say),
		"POST /api/begin": m.atTable(m.again),
	}}
	for pattern := range (&Server{}).answers() {
		d.answers[pattern] = m.atTable(func(r *request, t *placed, s *Server) (any, error) {
			return s.answers()[pattern](r)
		})
	}
	return d
}

// role is what a key opens: the Room, or a table and a seat there. Keys are found by their hashes, so that how long it
// takes says nothing about them.
func (m *Room) role(key string) (role, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	given := sha256.Sum256([]byte(key))
	is := func(right string) bool { return right != "" && sha256.Sum256([]byte(right)) == given }
	if is(m.o.Keys.Teacher) {
		return role{room: teacher}, true
	}
	if is(m.o.Keys.Guest) {
		return role{room: guest}, true
	}
	for _, t := range m.tables {
		if is(t.Keys.Watch) {
			return role{table: t.Number}, true
		}
		for p, right := range t.Keys.Seats {
			if t.Taken[p] && is(right) {
				return role{table: t.Number, seats: []env.Player{env.Player(p)}}, true
			}
		}
	}
	return role{}, false
}

func (m *Room) inRoom(find answer) answer {
	return func(r *request) (any, error) {
		if r.who.room == outside {
			return nil, &fault{forbidden, "this link opens a table, not the room"}
		}
		return find(r)
	}
}

// wished is an answer to what somebody wants in the Room, which nobody else changes until it is given.
func (m *Room) wished(find func(*request, *wish) (any, error)) answer {
	return m.inRoom(func(r *request) (any, error) {
		w := &wish{}
		if err := r.read(w); err != nil {
			return nil, err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		return find(r, w)
	})
}

// atTable is an answer for those who have the link of a table, until their seat or the game is somebody else's.
func (m *Room) atTable(find func(*request, *placed, *Server) (any, error)) answer {
	return func(r *request) (any, error) {
		m.mu.Lock()
		t := m.find(r.who.table)
		if t == nil {
			m.mu.Unlock()
			if r.who.room == outside {
				return nil, &fault{unknown, wrongKey}
			}
			return nil, &fault{forbidden, "this link opens the room, not a table"}
		}
		s, until := t.server, t.stay
		if len(r.who.seats) > 0 {
			until = t.sits[r.who.seats[0]]
		}
		m.mu.Unlock()
		ctx, cancel := context.WithCancel(r.ctx)
		stop := context.AfterFunc(until, cancel)
		within := *r
		within.ctx = ctx
		v, err := find(&within, t, s)
		next, goes := v.(stream)
		if !goes {
			stop()
			cancel()
			return v, err
		}
		return stream(func(send func([]byte) error) error {
			defer cancel()
			defer stop()
			return next(send)
		}), err
	}
}

func (m *Room) find(number int) *placed {
	i := slices.IndexFunc(m.tables, func(t *placed) bool { return t.Number == number })
	if i < 0 {
		return nil
	}
	return m.tables[i]
}

// describe tells what never changes in a Room.
func (m *Room) describe(r *request) (any, error) {
	return struct {
		Teacher  bool     `json:"teacher"`
		Guest    string   `json:"guest"` // key of the link to hand out
		Covers   []Cover  `json:"covers"`
		Variants []string `json:"variants"`
		Most     int      `json:"most"`
	}{r.who.room == teacher, m.o.Keys.Guest, Covers(), append([]string{}, m.o.Variants...), m.o.Most}, nil
}

// listedTable is a table in the list.
type listedTable struct {
	Number   int          `json:"number"`
	Game     string       `json:"game"`
	Title    string       `json:"title"`
	Seats    []listedSeat `json:"seats"`
	Decision int          `json:"decision"` // decisions that all may know of
	Asked    env.Player   `json:"asked"`    // as far as all may know
	Over     string       `json:"over"`     // why it is over, in a sentence; "" if it goes on
	Winners  []int        `json:"winners"`
	Watch    string       `json:"watch"` // key for looking on
	Trouble  string       `json:"trouble"`
}

type listedSeat struct {
	table.SeatSight
	Colour string `json:"colour"`
	Open   bool   `json:"open"` // to whoever comes
}

// list is the event that tells a page of all tables.
func (m *Room) list() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told != nil {
		return m.told, nil
	}
	all := []listedTable{}
	for _, t := range m.tables {
		now, err := t.server.table.Look(env.Spectator)
		if err != nil {
			return nil, err
		}
		info := t.server.table.Info()
		v := listedTable{
			Number: t.Number, Game: info.Short, Title: info.Title, Decision: now.Decision, Asked: now.Actor,
			Winners: []int{}, Watch: t.Keys.Watch, Trouble: now.Trouble,
		}
		if r := now.Result; r != nil {
			v.Over, v.Winners = why(info, r.Reason), r.Winners.List()
		}
		fills := colours(info)
		for p, s := range now.Seats {
			v.Seats = append(v.Seats, listedSeat{s, fills[p], s.Person && !t.Taken[p]})
		}
		all = append(all, v)
	}
	b, err := event(map[string]any{"tables": all})
	if err == nil {
		m.told = b
	}
	return b, err
}

// stream tells a page of all tables, at once and after every change.
func (m *Room) stream(r *request) (any, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.looks >= maxLooks {
		return nil, &fault{full, fmt.Sprintf("%d pages follow the room already; try again later", maxLooks)}
	}
	m.looks++
	return stream(func(send func([]byte) error) error {
		defer func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.looks--
		}()
		for {
			m.mu.Lock()
			changed := m.changed
			m.mu.Unlock()
			b, err := m.list()
			if err == nil {
				err = send(b)
			}
			if err != nil {
				return err
			}
			for waiting := true; waiting; {
				select {
				case <-r.ctx.Done():
					return nil
				case <-changed:
					waiting = false
				case <-time.After(alive):
					if err := send([]byte(": the connection stands\n\n")); err != nil {
						return err
					}
				}
			}
			select {
			case <-r.ctx.Done():
				return nil
			case <-time.After(listed):
			}
		}
	}), nil
}

// view is the board of a table as all may see it.
func (m *Room) view(r *request) (any, error) {
	number, err := strconv.Atoi(r.query.Get("table"))
	if err != nil {
		return nil, &fault{malformed, fmt.Sprintf("there is no table %q", r.query.Get("table"))}
	}
	m.mu.Lock()
	t := m.find(number)
	m.mu.Unlock()
	if t == nil {
		return nil, gone(number)
	}
	now, err := t.server.table.Look(env.Spectator)
	if err != nil {
		return nil, err
	}
	return map[string]any{"board": now.Board, "question": now.Question}, nil
}

func gone(number int) error {
	return &fault{missing, fmt.Sprintf("there is no table %d any more", number)}
}

// wish is what somebody wants in a Room.
type wish struct {
	Game  string   `json:"game"`
	Seats []string `json:"seats"` // of a new table, from seat 1 on: "" for whoever comes, or agents
	Name  string   `json:"name"`
	Table int      `json:"table"`
	Seat  int      `json:"seat"`
	Say   int      `json:"say"` // of the Phrases
}

// open opens a table; who does so sits in its first seat.
func (m *Room) open(_ *request, w *wish) (any, error) {
	name, err := named(w.Name)
	if err != nil {
		return nil, err
	}
	old, err := m.leaves()
	if err != nil {
		return nil, err
	}
	// A number is given once: files are called by it.
	t := &placed{RoomTable: RoomTable{Number: m.o.Last + 1, Games: 1, Game: w.Game, Seats: []string{person(name)}}}
	for _, text := range w.Seats {
		t.Seats = append(t.Seats, cmp.Or(text, table.Person))
	}
	t.Keys = NewKeys(len(t.Seats))
	t.Keys.Host = "" // Nobody has all seats.
	t.Taken = make([]bool, len(t.Seats))
	t.Taken[0] = true
	if err := m.lay(t, false); err != nil {
		return nil, err
	}
	if m.o.Last++; old != nil {
		m.remove(old)
	}
	m.tables = append(m.tables, t)
	defer m.notify()
	if err := m.save(); err != nil { // Nobody has its link.
		m.remove(t)
		return nil, err
	}
	return seatLink(t, 0), nil
}

// person is a person's name in the words of the command line.
func person(name string) string {
	if name == "" {
		return table.Person
	}
	return table.Person + ":" + name
}

func seatLink(t *placed, p env.Player) any {
	return map[string]any{"page": "table.html", "key": t.Keys.Seats[p], "table": t.Number}
}

// leaves is the table that has to go when another one comes, nil if there is room: of those that are over the oldest
// one, then one that all have left.
func (m *Room) leaves() (*placed, error) {
	if len(m.tables) < m.o.Most {
		return nil, nil
	}
	i := slices.IndexFunc(m.tables, func(t *placed) bool {
		_, err := t.server.table.Record()
		return err == nil
	})
	if i < 0 {
		i = slices.IndexFunc(m.tables, func(t *placed) bool {
			return time.Since(t.since) > abandoned && !t.server.followed()
		})
	}
	if i < 0 {
		return nil, &fault{full, fmt.Sprintf("%d tables are open already, as many as this room has", m.o.Most)}
	}
	return m.tables[i], nil
}

func (m *Room) remove(t *placed) {
	t.gone()
	t.end()
	m.tables = slices.DeleteFunc(m.tables, func(other *placed) bool { return other == t })
}

func (m *Room) seat(w *wish) (*placed, env.Player, error) {
	t := m.find(w.Table)
	if t == nil {
		return nil, 0, gone(w.Table)
	}
	if w.Seat < 0 || w.Seat >= len(t.Taken) {
		return nil, 0, &fault{malformed, fmt.Sprintf("table %d has seats 0 to %d", w.Table, len(t.Taken)-1)}
	}
	return t, env.Player(w.Seat), nil
}

// join sits somebody down in a seat that nobody has, or that an agent plays.
func (m *Room) join(_ *request, w *wish) (any, error) {
	name, err := named(w.Name)
	if err != nil {
		return nil, err
	}
	t, p, err := m.seat(w)
	if err != nil {
		return nil, err
	}
	if t.Taken[p] {
		return nil, &fault{outdated, "somebody sits there already"}
	}
	// Nobody knows whether a guest has played another seat here.
	if err := t.server.seats(role{host: true}, p); err != nil {
		return nil, err
	}
	if err := t.server.table.Sit(p, table.Seat{Name: name}); err != nil {
		return nil, err
	}
	m.sit(t, p, true)
	if err := m.save(); err != nil {
		m.sit(t, p, false)
		return nil, err
	}
	return seatLink(t, p), nil
}

// sit gives a seat a new key, for the one who sits there now if somebody does.
func (m *Room) sit(t *placed, p env.Player, taken bool) {
	t.leave[p]()
	t.sits[p], t.leave[p] = context.WithCancel(t.stay)
	t.Keys.Seats[p], t.Taken[p], t.since = NewKey(), taken, time.Now()
	m.notify()
}

// leave frees the seat of somebody who goes.
func (m *Room) leave(r *request, t *placed, _ *Server) (any, error) {
	if len(r.who.seats) == 0 {
		return nil, &fault{forbidden, "this link opens no seat"}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.empty(t, r.who.seats[0])
}

// empty keeps a seat for whoever comes.
func (m *Room) empty(t *placed, p env.Player) (any, error) {
	if t.server.table.Seats()[p].Person {
		if err := t.server.table.Sit(p, table.Seat{}); err != nil {
			return nil, err
		}
	}
	m.sit(t, p, false)
	return m.done(struct{}{})
}

// free lets the teacher take a person off a seat.
func (m *Room) free(r *request, w *wish) (any, error) {
	if r.who.room != teacher {
		return nil, errTeacher
	}
	t, p, err := m.seat(w)
	if err != nil {
		return nil, err
	}
	return m.empty(t, p)
}

var errTeacher = &fault{forbidden, "only the teacher's link does that"}

// close lets the teacher close a table; its game stays where it is saved.
func (m *Room) close(r *request, w *wish) (any, error) {
	if r.who.room != teacher {
		return nil, errTeacher
	}
	t := m.find(w.Table)
	if t == nil {
		return nil, gone(w.Table)
	}
	m.remove(t)
	m.notify()
	return m.done(struct{}{})
}

// again begins the next game at a table whose game is over, with those who sit there.
func (m *Room) again(r *request, t *placed, _ *Server) (any, error) {
	if len(r.who.seats) == 0 {
		return nil, &fault{forbidden, "only those who sit at the table can begin another game"}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := t.server.table.Record(); err != nil {
		return nil, &fault{outdated, "the game at this table is not over"}
	}
	next := &placed{RoomTable: t.RoomTable}
	next.Games++
	next.Seats = nil
	for _, s := range t.server.table.Seats() {
		name := s.Name
		if s.Person {
			name = person(name)
		}
		next.Seats = append(next.Seats, name)
	}
	if err := m.lay(next, false); err != nil {
		return nil, err
	}
	t.gone()
	t.end()
	m.tables[slices.Index(m.tables, t)] = next
	m.notify()
	return m.done(map[string]string{"page": "table.html"})
}

// say says a phrase to the others at the table.
func (m *Room) say(r *request, _ *placed, s *Server) (any, error) {
	var w wish
	if err := r.read(&w); err != nil {
		return nil, err
	}
	if len(r.who.seats) == 0 {
		return nil, &fault{forbidden, "only those who sit at the table can say something"}
	}
	if w.Say < 0 || w.Say >= len(Phrases) {
		return nil, &fault{malformed, fmt.Sprintf("there are phrases 0 to %d", len(Phrases)-1)}
	}
	return struct{}{}, s.say(r.who.seats[0], Phrases[w.Say], time.Now())
}

// CheckRoom says what is wrong with the tables that were kept.
func CheckRoom(keys RoomKeys, tables []RoomTable, last int) error {
	if keys.Guest == "" || keys.Teacher == "" || keys.Guest == keys.Teacher {
		return errors.New("the keys of the room are missing")
	}
	seen := map[int]bool{}
	for _, t := range tables {
		n := len(t.Taken)
		if t.Number < 1 || t.Number > last || seen[t.Number] || t.Games < 1 || n < 1 || len(t.Keys.Seats) != n ||
			len(t.Seats) != n || t.Keys.Watch == "" || slices.Contains(t.Keys.Seats, "") {
			return fmt.Errorf("table %d is none of a room: its number, seats or keys are missing", t.Number)
		}
		seen[t.Number] = true
	}
	return nil
}
