package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/spelling"
)

// Who sits in a seat of a new table, beside agents.
const (
	seatMe   = "me"   // who starts the table
	seatOpen = "open" // who joins it
)

const (
	// idleAfter is when a table that nobody has asked for may give way to a new one, and forgottenAfter when one may
	// that nobody has asked for since it was started.
	idleAfter      = time.Hour
	forgottenAfter = 5 * time.Minute
	// maxName bounds the letters of a player's name.
	maxName = 40
)

// A sitting is a table with the keys of its seats.
type sitting struct {
	id    string
	table *table.Table
	game  env.Game
	stop  context.CancelFunc
	ended chan struct{} // closed when nobody plays any more

	mu   sync.Mutex
	keys []string // by seat: of the player that has taken it; "" of an agent, and of an open seat
	open []bool   // by seat: waits for a player

	client string // who started it (clientOf); "" is the one of standard input and output

	// Under lobby.mu:
	used  time.Time // when somebody last asked for it
	found bool      // by somebody, since it was started
}

// left says whether the table may give way to a new one: it is over, or nobody cares for it.
func (s *sitting) left() bool {
	limit := forgottenAfter
	if s.found {
		limit = idleAfter
	}
	return s.over() || time.Since(s.used) > limit
}

// seatOf is the seat of a key; a spectator has none.
func (s *sitting) seatOf(key string) (env.Player, error) {
	if key == "" {
		return env.Spectator, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := env.Spectator
	given := sha256.Sum256([]byte(key))
	for p, right := range s.keys {
		sum := sha256.Sum256([]byte(right))
		if right != "" && subtle.ConstantTimeCompare(given[:], sum[:]) == 1 {
			found = env.Player(p)
		}
	}
	if found == env.Spectator {
		return found, fmt.Errorf("this key opens no seat at table %s: it is the one that start_table or join_table gave; "+
			"without a key you look on", s.id)
	}
	return found, nil
}

func (s *sitting) over() bool {
	select {
	case <-s.ended:
		now, err := s.table.Look(env.Spectator)
		return err == nil && now.Result != nil
	default:
		return false
	}
}

// lobby is all tables of a server.
type lobby struct {
	ctx    context.Context // of the server
	o      Options
	mu     sync.Mutex
	tables map[string]*sitting
}

// A newSeat is who sits in a seat of a new table.
type newSeat struct {
	Seat int    `json:"seat"`
	Who  string `json:"who"`
	Key  string `json:"key,omitempty"` // of the caller's seats
}

// start sets up a table for a client. seats are as the tool has them; seed is nil for one that nobody can guess.
func (h *lobby) start(client, game string, seats []string, seed *uint64, name string) (*sitting, []newSeat, error) {
	g, err := h.o.Games.Open(game)
	if err != nil {
		return nil, nil, err
	}
	info := g.Info()
	if len(seats) == 0 {
		seats = []string{seatMe, h.o.Opponent(g)}[:min(2, info.Players)]
	}
	if len(seats) > info.Players {
		return nil, nil, fmt.Errorf("%d in the list of seats, and %s has %d", len(seats), info.Short, info.Players)
	}
	if name, err = checkName(name); err != nil {
		return nil, nil, err
	}
	s := &sitting{id: rand.Text()[:10], game: g, client: client, ended: make(chan struct{}), used: time.Now()}
	var taken []table.Seat
	var who []newSeat
	opened := map[string]*agents.Maker{}
	for p := range info.Players {
		text := seats[min(p, len(seats)-1)]
		seat, key := table.Seat{}, ""
		switch text {
		case seatMe:
			seat.Name, key = name, rand.Text()
		case seatOpen:
		default:
			if opened[text] == nil {
				if opened[text], err = h.o.Agents(text, g); err != nil {
					return nil, nil, fmt.Errorf("seat %d: %w; a seat is %q (you), %q (who joins) or an agent such as level:3", p, err,
						seatMe, seatOpen)
				}
			}
			seat.Agent = opened[text]
		}
		taken = append(taken, seat)
		who = append(who, newSeat{p, text, key})
		s.keys, s.open = append(s.keys, key), append(s.open, text == seatOpen)
	}
	luck := h.o.Seed()
	if seed != nil {
		luck = *seed
	}
	options := table.Options{Failed: func(err error) { h.o.Log.Warn("trouble", "table", s.id, "reason", err.Error()) }}
	if h.o.Records != "" {
		options.File = filepath.Join(h.o.Records, h.o.FileName(info)+"-"+s.id+".jsonl") // not with the seed, which is secret
	}
	setUp := func() (err error) {
		s.table, err = table.New(g, luck, taken, options)
		return err
	}
	if err := h.add(s, setUp); err != nil {
		return nil, nil, err
	}
	return s, who, nil
}

func checkName(name string) (string, error) {
	if len([]rune(name)) > maxName || name != spelling.Printable(name) {
		return "", fmt.Errorf("a name has at most %d letters, all printable", maxName)
	}
	return name, nil
}

// add sets a table up in the lobby and lets it be played, if there is a place for it. Of the places of a server over
// HTTP one client takes no more than it leaves free, so that whoever comes finds one.
func (h *lobby) add(s *sitting, setUp func() error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	free, own := h.o.Tables, 0
	var oldest *sitting // of those that may give way, a finished one if there is any
	for _, t := range h.tables {
		switch {
		case !t.left():
			free--
			if t.client == s.client {
				own++
			}
		case oldest == nil || t.over() && !oldest.over() || t.over() == oldest.over() && t.used.Before(oldest.used):
			oldest = t
		}
	}
	switch {
	case free == 0:
		return fmt.Errorf("all %d tables are taken, and somebody has been at each within %v: finish one, or try again later",
			h.o.Tables, idleAfter)
	case s.client != "" && own >= free:
		return fmt.Errorf("you have started %d of the %d tables, and the %d that are free are for others: "+
			"finish one of yours, or try again later", own, h.o.Tables, free)
	}
	if err := setUp(); err != nil { // It saves the game.
		return err
	}
	if len(h.tables) >= h.o.Tables {
		oldest.stop()
		delete(h.tables, oldest.id)
	}
	h.tables[s.id] = s
	ctx, stop := context.WithCancel(h.ctx)
	s.stop = stop
	go func() {
		defer close(s.ended)
		_ = s.table.Run(ctx) // What it says is how the game or the context ended.
	}()
	return nil
}

func (h *lobby) find(id string) (*sitting, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.tables[strings.ToUpper(strings.TrimSpace(id))]
	if s == nil {
		return nil, fmt.Errorf("there is no table %q here: start_table starts one; tables that were left alone are "+
			"taken away", spelling.Printable(id))
	}
	s.used, s.found = time.Now(), true
	return s, nil
}

// at is the table of an id, the seat of a key there, and what that sees.
func (h *lobby) at(id, key string) (*sitting, env.Player, *table.Sight, error) {
	s, err := h.find(id)
	if err != nil {
		return nil, 0, nil, err
	}
	p, err := s.seatOf(key)
	if err != nil {
		return nil, 0, nil, err
	}
	now, err := s.table.Look(p)
	return s, p, now, err
}

// seated is at for what only a player may do.
func (h *lobby) seated(id, key string) (*sitting, env.Player, *table.Sight, error) {
	s, p, now, err := h.at(id, key)
	if err == nil && p == env.Spectator {
		err = errors.New("the key of your seat is missing: it is the one that start_table or join_table gave")
	}
	return s, p, now, err
}

// join takes an open seat for a player.
func (s *sitting) join(name string) (env.Player, string, error) {
	name, err := checkName(name)
	if err != nil {
		return 0, "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := slices.Index(s.open, true)
	if p < 0 {
		return 0, "", fmt.Errorf("no seat of table %s is open: each is taken by a player or an agent; look without a key "+
			"to look on", s.id)
	}
	if err := s.table.Sit(env.Player(p), table.Seat{Name: name}); err != nil {
		return 0, "", err
	}
	s.open[p], s.keys[p] = false, rand.Text()
	return env.Player(p), s.keys[p], nil
}

// leave lets an agent play on in every seat of a player, and in those that nobody has taken.
func (s *sitting) leave(p env.Player, m *agents.Maker) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for q := range s.keys {
		if env.Player(q) != p && !s.open[q] {
			continue
		}
		if err := s.table.Sit(env.Player(q), table.Seat{Agent: m}); err != nil {
			return err
		}
		s.open[q] = false
	}
	return nil
}
