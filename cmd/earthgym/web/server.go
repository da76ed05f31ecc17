// Package web lets people sit at a table with a browser.
//
// One page, which the program carries, shows a seat what it may see: the board, where what can be chosen is marked on
// the board itself, and the same choices as a list in the game's words. The page gets a stream of server-sent events
// and answers by ordinary requests: traffic that matters goes one way, every proxy passes it on, and the standard
// library has both ends, so that nothing is gained by a WebSocket.
//
// A [Server] shows a table, a [Watch] recorded games and training runs, by the same parts. What the pages themselves
// say is English.
//
// A link to a seat carries its key behind "#", which browsers send nobody; the page puts it into a header. So there are
// no cookies that a foreign page could use, two windows can be two seats, and no log of a proxy holds a key. Nothing
// but the page itself is answered without one.
package web

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// Options say what people find at a table.
type Options struct {
	Keys   Keys
	Hosts  []string // names in the address line that are the server's own; empty for any
	Rules  string   // RULES.md
	HowTo  string   // the introduction for people
	Agents []string // texts of those that may be asked for hints and put into seats
	Open   func(text string) (*agents.Maker, error)
	// MaxStreams bounds the pages that one link opens at once, so that many who look on keep no player out.
	MaxStreams int
}

// A Server shows one table.
type Server struct {
	table  *table.Table
	o      Options
	hints  queue
	drafts queue

	mu      sync.Mutex
	streams map[string]int // by role
	held    env.Seats      // in which people sit, or have sat
	told    []told         // what those who look on were told last
	makers  map[string]*agents.Maker
	// who opponents are, looked up when it is first asked
	characters func() []agents.Character
	recording  *Watch // of the game, once it is over and somebody looks back

	talk   talk
	number int    // of the tables of a StartPage, or of the games at a table of a Room
	room   string // key of the Room that the table is in; "" if it is in none
	puzzle *int   // for which the table was laid
	home   string // key of the page on which games are begun; "" if there is none
}

// NewServer makes the Server of a table.
func NewServer(t *table.Table, o Options) *Server {
	s := &Server{
		table: t, o: o, hints: make(queue, maxHints), drafts: make(queue, maxDrafts),
		streams: map[string]int{}, makers: map[string]*agents.Maker{},
		characters: sync.OnceValue(func() []agents.Character { return agents.Characters(t.Game()) }),
	}
	for p, at := range t.Seats() {
		if at.Person {
			s.held = s.held.With(env.Player(p))
		}
	}
	return s
}

// API answers the questions of pages.
func (s *Server) API() *API {
	return &API{s.o.Keys.role, wrongKey, s.answers()}
}

const wrongKey = "this link opens no seat: it is cut off, or the seat or its table is gone; ask the host for a new one"

func (s *Server) answers() map[string]answer {
	all := map[string]answer{
		"GET /api/table":  s.describe,
		"GET /api/events": s.stream,
		"GET /api/text": s.seen(func(_ *request, p env.Player) (any, error) {
			return map[string]string{"text": s.table.Text(p)}, nil
		}),
		"GET /api/past":   s.seen(s.past),
		"GET /api/find":   s.seen(s.find),
		"GET /api/why":    s.seen(s.why),
		"GET /api/rules":  func(*request) (any, error) { return book(s.table.Info().Name, s.o.Rules, s.o.HowTo), nil },
		"GET /api/record": s.record,
		"GET /api/thought": s.seen(func(_ *request, p env.Player) (any, error) {
			n, err := s.table.Thought(p) // how far the agent is that is at work, in thousandths
			return map[string]int{"thought": n}, err
		}),
		"POST /api/now":   s.do(func(_ role, m *move) error { return s.table.MoveNow(m.Seat) }),
		"POST /api/play":  s.do(func(_ role, m *move) error { return s.table.Play(m.Seat, m.Step, m.Action) }),
		"POST /api/draft": s.draft,
		"POST /api/send":  s.do(func(_ role, m *move) error { return s.table.PlayAll(m.Seat, m.Step, m.Actions) }),
		"POST /api/undo":  s.do(func(_ role, m *move) error { return s.table.Undo(m.Seat, m.Step) }),
		"POST /api/hint":  s.hint,
		"POST /api/sit":   s.do(s.sit),
	}
	maps.Copy(all, s.reviewed())
	return all
}

// seen answers from where a request looks: from a seat of the role's, or a spectator's place.
func (s *Server) seen(find func(*request, env.Player) (any, error)) answer {
	return func(r *request) (any, error) {
		p, err := r.seat("seat", s.table.Info().Players)
		if err == nil {
			err = s.opens(r.who, p)
		}
		if err != nil {
			return nil, err
		}
		return find(r, p)
	}
}

// opens says why a role may not look from a seat. Nobody sees into agents' hands, by whatever key.
func (s *Server) opens(who role, p env.Player) error {
	if !who.may(p) {
		return &fault{forbidden, "this link does not open that seat"}
	}
	if p < 0 {
		return nil
	}
	if at := s.table.Seats()[p]; !at.Person {
		return &fault{forbidden, fmt.Sprintf("%s is played by %s", at.Called, at.Name)}
	}
	return nil
}

// seats says why a role may not put a person into a seat. What an agent holds in secret is not for somebody who plays
// another seat, or has played it; who left its own seat to an agent may come back by its link.
func (s *Server) seats(who role, p env.Player) error {
	at := s.table.Seats()[p]
	s.mu.Lock()
	defer s.mu.Unlock()
	returns := !who.host && s.held.Has(p)
	if !at.Person && !returns && s.held&^env.Only(p) != env.Nobody && s.table.Private(p) {
		const form = "%s is played by %s, and what it holds in secret is not for somebody who plays another seat"
		return &fault{forbidden, fmt.Sprintf(form, at.Called, at.Name)}
	}
	s.held = s.held.With(p)
	return nil
}

// describe tells what never changes at a table.
func (s *Server) describe(r *request) (any, error) {
	info := s.table.Info()
	var actions []string
	for _, a := range info.Actions {
		actions = append(actions, a.Text)
	}
	about := struct {
		Title   string       `json:"title"`
		Game    string       `json:"game"`
		Name    string       `json:"name"`
		Players int          `json:"players"`
		Host    bool         `json:"host"`
		Seats   []env.Player `json:"seats"`
		Actions []string     `json:"actions"`
		Agents  []string     `json:"agents"`
		// Aim says how one wins, Points what the scores are; Together, that all win or nobody does.
		Aim      string   `json:"aim"`
		Points   string   `json:"points"`
		Together bool     `json:"together"`
		Colours  []string `json:"colours"` // of the seats, as the board has them
		Links    *links   `json:"links,omitempty"`
		Table    int      `json:"table"`  // its number, by which pages learn that another game has been begun
		Home     string   `json:"home"`   // key of the page on which games are begun, "" if this one may not
		Room     string   `json:"room"`   // key of the Room that the table is in, "" if it is in none
		Puzzle   *int     `json:"puzzle"` // for which it was laid
		Phrases  []string `json:"phrases,omitempty"`
		// Characters are who opponents are.
		Characters []agents.Character `json:"characters"`
	}{
		Title: info.Title, Game: info.Short, Name: info.Name, Players: info.Players, Host: r.who.host,
		Seats:   append([]env.Player{}, r.who.seats...),
		Actions: actions, Agents: s.o.Agents, Colours: colours(info), Table: s.number, Puzzle: s.puzzle,
		Characters: s.characters(),
	}
	if s.room != "" {
		about.Room, about.Phrases = s.room, Phrases
	}
	about.Aim, about.Points, about.Together = aim(info)
	if about.Title == "" {
		about.Title = info.Name
	}
	if r.who.host {
		about.Links, about.Home = &links{s.o.Keys.Seats, s.o.Keys.Watch}, s.home
	}
	return about, nil
}

// links are the keys that a host hands out.
type links struct {
	Seats []string `json:"seats"`
	Watch string   `json:"watch"`
}

func colours(info *env.Info) (list []string) {
	order := []int{0, 1, 2, 3, 4, 5}
	if info.Seats != nil { // They are called by their colours.
		order = []int{1, 0, 4, 2}
	}
	for p := range info.Players {
		list = append(list, board.Seats[order[p%len(order)]].Fill)
	}
	return list
}

// past is the table as it was after a decision.
func (s *Server) past(r *request, p env.Player) (any, error) {
	n, err := strconv.Atoi(r.query.Get("decision"))
	if err != nil {
		return nil, &fault{malformed, fmt.Sprintf("there is no decision %q", r.query.Get("decision"))}
	}
	_, leave, err := s.drafts.enter(r.ctx, draftLimit, "plans are being tried")
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.table.Past(p, n)
}

// find answers a typed question with lines of the table or of the story.
func (s *Server) find(r *request, p env.Player) (any, error) {
	lines, err := s.table.Find(p, r.query.Get("question"))
	if err != nil {
		return nil, err
	}
	return append([]string{}, lines...), nil
}

// why says of some actions why they can't be chosen: now, or after those of a plan (after).
func (s *Server) why(r *request, p env.Player) (any, error) {
	const most = 64
	actions, err := r.actions("action", most)
	if err != nil {
		return nil, err
	}
	planned, err := r.actions("after", most)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(actions))
	if len(planned) > 0 {
		step, err := strconv.Atoi(r.query.Get("step"))
		if err != nil {
			return nil, &fault{malformed, fmt.Sprintf("there is no step %q", r.query.Get("step"))}
		}
		if texts, err = s.table.WhyAfter(p, step, planned, actions); err != nil {
			return nil, err
		}
	}
	reasons := map[string]string{}
	for i, a := range actions {
		if len(planned) == 0 {
			if texts[i], err = s.table.Why(p, a); err != nil {
				return nil, err
			}
		}
		reasons[strconv.Itoa(int(a))] = texts[i]
	}
	return reasons, nil
}

// record is the game's, once it is over.
func (s *Server) record(r *request) (any, error) {
	rec, err := s.table.Record()
	if err != nil {
		return nil, err
	}
	return recordOf(rec)
}

// move is what a person does at a step.
type move struct {
	Seat   env.Player `json:"seat"`
	Step   int        `json:"step"`
	Action env.Action `json:"action"`
	// Actions are those of a draft or a plan, in order.
	Actions []env.Action `json:"actions"`
	Agent   string       `json:"agent"` // that is asked for a hint, or sits down; "" is a person
	Name    string       `json:"name"`  // of a person who sits down
}

const (
	// draftLimit is how long a plan may wait until it is tried, which then takes a moment.
	draftLimit = 10 * time.Second
	// maxDrafts bounds the plans that are tried at once: each plays up to 200 decisions on 64 samples.
	maxDrafts = 2
)

// move is what a request wants of a seat that its role has. What it leaves out is no step and no action, as the first
// ones would be played by mistake.
func (r *request) move() (*move, error) {
	m := &move{Seat: env.Spectator, Step: -1, Action: -1}
	if err := r.read(m); err != nil {
		return nil, err
	}
	if !r.who.may(m.Seat) || m.Seat == env.Spectator {
		return nil, &fault{forbidden, "this link does not open that seat"}
	}
	return m, nil
}

// draft tells what would come of a plan.
func (s *Server) draft(r *request) (any, error) {
	m, err := r.move()
	if err != nil {
		return nil, err
	}
	if err := s.opens(r.who, m.Seat); err != nil {
		return nil, err
	}
	_, leave, err := s.drafts.enter(r.ctx, draftLimit, "plans are being tried")
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.table.Draft(m.Seat, m.Step, m.Actions)
}

// maxName bounds the letters of a person's name.
const maxName = 40

// named is a person's name as it is shown.
func named(text string) (string, error) {
	name := spelling.Printable(strings.Join(strings.Fields(text), " "))
	if utf8.RuneCountInString(name) > maxName {
		return "", &fault{malformed, fmt.Sprintf("a name has %d letters at most", maxName)}
	}
	return name, nil
}

// sit puts an agent or a person into a seat that the role has.
func (s *Server) sit(who role, m *move) error {
	if m.Agent == "" {
		name, err := named(m.Name)
		if err != nil {
			return err
		}
		if err := s.seats(who, m.Seat); err != nil {
			return err
		}
		return s.table.Sit(m.Seat, table.Seat{Name: name})
	}
	maker, err := s.open(m.Agent)
	if err != nil {
		return err
	}
	return s.table.Sit(m.Seat, table.Seat{Agent: maker})
}

// do is an answer to a move of a seat that the role has.
func (s *Server) do(act func(role, *move) error) answer {
	return func(r *request) (any, error) {
		m, err := r.move()
		if err == nil {
			err = act(r.who, m)
		}
		return struct{}{}, err
	}
}

// open opens an agent of the list, each once.
func (s *Server) open(text string) (*agents.Maker, error) {
	if !slices.Contains(s.o.Agents, text) {
		return nil, &fault{forbidden, fmt.Sprintf("%q is not among the agents of this table: %s", text,
			strings.Join(s.o.Agents, ", "))}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.makers[text] == nil {
		m, err := s.o.Open(text)
		if err != nil {
			return nil, err
		}
		s.makers[text] = m
	}
	return s.makers[text], nil
}

// hintLimit is how long an agent may think about a hint.
const hintLimit = 30 * time.Second

// maxHints bounds the hints that are thought about at once: each may take a core.
const maxHints = 2

func (s *Server) hint(r *request) (any, error) {
	m, err := r.move()
	if err != nil {
		return nil, err
	}
	if err := s.opens(r.who, m.Seat); err != nil {
		return nil, err
	}
	maker, err := s.open(m.Agent)
	if err != nil {
		return nil, err
	}
	ctx, leave, err := s.hints.enter(r.ctx, hintLimit, "hints are being thought about")
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.table.Hint(ctx, m.Seat, m.Step, maker)
}
