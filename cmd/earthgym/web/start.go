package web

import (
	"sync"

	"earthgym/env/record"
)

// A StartPage is the page on which games are chosen. It shows one table at a time, that of the game that was begun
// last, or a recorded game.
type StartPage struct {
	o StartOptions

	begins    sync.Mutex // one game at a time
	mu        sync.Mutex
	server    *Server // nil before the first game
	recording *Watch  // nil unless a record is looked at
	laid      int     // tables so far
}

// StartOptions say what a StartPage finds.
type StartOptions struct {
	Key   string   // of the page, and of the host of each of its tables
	Hosts []string // names in the address line that are the server's own; empty for any
	// Begin lays the table of a game, and ends the one before. Its host's key must be the StartPage's.
	Begin func(*Begin) (*Server, error)
	// Saved lists what can be gone on with or looked at, the newest first; Look opens one of these.
	Saved func() ([]Saved, error)
	Look  func(name string) (*Watch, error)
}

// Begin says which game is to be begun, in one of these ways.
type Begin struct {
	Game   string   `json:"game"`   // a new one, with people and agents in the seats, the last one in all that are left
	Seats  []string `json:"seats"`  // texts, as on the command line
	Lesson string   `json:"lesson"` // the first lesson of a game
	Saved  string   `json:"saved"`  // one of those that are saved
	At     *int     `json:"at"`     // the game at the table, which is over, again from a decision
	Puzzle *int     `json:"puzzle"` // the position of one of Puzzles
	Look   *string  `json:"look"`   // look at one of those that are saved, at the game at the table if it is ""
}

// Saved is a game that is saved.
type Saved struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Decisions int      `json:"decisions"`
	Seats     []string `json:"seats"`
	Over      bool     `json:"over"`
}

// NewStartPage makes a StartPage, with a table on it unless that is nil.
func NewStartPage(s *Server, o StartOptions) *StartPage {
	start := &StartPage{o: o}
	start.lay(s)
	return start
}

func (s *StartPage) lay(server *Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording = nil; server != nil {
		s.laid++
		server.number, server.home = s.laid, s.o.Key
		s.server = server
	}
}

// API answers the questions of pages.
func (s *StartPage) API() *API {
	d := &API{s.role, wrongKey, map[string]answer{
		"GET /api/start":  s.start,
		"POST /api/begin": s.begin,
	}}
	for pattern := range (&Server{}).answers() {
		d.answers[pattern] = func(r *request) (any, error) {
			s.mu.Lock()
			server, recording := s.server, s.recording
			s.mu.Unlock()
			if find := recording.answers()[pattern]; find != nil && recording != nil {
				return find(r)
			}
			if server == nil {
				return nil, &fault{missing, "no game has been begun yet"}
			}
			return server.answers()[pattern](r)
		}
	}
	return d
}

// role is what a key opens: the StartPage's own all of it.
func (s *StartPage) role(key string) (role, bool) {
	s.mu.Lock()
	server := s.server
	s.mu.Unlock()
	if server != nil {
		return server.o.Keys.role(key)
	}
	return role{host: true}, same(key, s.o.Key)
}

// start tells what can be begun.
func (s *StartPage) start(r *request) (any, error) {
	if !r.who.host {
		return nil, &fault{forbidden, "this link does not open the games"}
	}
	saved, err := s.o.Saved()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v := struct {
		Covers []Cover `json:"covers"`
		Saved  []Saved `json:"saved"`
		Table  string  `json:"table"` // the title of the game at the table, "" if there is none
	}{Covers(), append([]Saved{}, saved...), ""}
	if s.server != nil {
		v.Table = s.server.table.Info().Title
	}
	return v, nil
}

// begin begins a game, or opens a record.
func (s *StartPage) begin(r *request) (any, error) {
	if !r.who.host {
		return nil, &fault{forbidden, "only the host can begin a game"}
	}
	b := &Begin{}
	if err := r.read(b); err != nil {
		return nil, err
	}
	ways := 0
	for _, named := range []bool{b.Game != "" || b.Seats != nil, b.Lesson != "", b.Saved != "", b.At != nil,
		b.Puzzle != nil, b.Look != nil} {
		if named {
			ways++
		}
	}
	if ways != 1 {
		return nil, &fault{malformed, "name one to begin with: a game and its seats, lesson, saved, at, puzzle or look"}
	}
	s.begins.Lock()
	defer s.begins.Unlock()
	if b.Look == nil {
		server, err := s.o.Begin(b)
		if err != nil {
			return nil, err
		}
		server.puzzle = b.Puzzle
		s.lay(server)
		return map[string]string{"page": "table.html"}, nil
	}
	var recording *Watch
	if *b.Look != "" {
		var err error
		if recording, err = s.o.Look(*b.Look); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	s.recording = recording
	s.mu.Unlock()
	return map[string]string{"page": "watch.html"}, nil
}

// Record is that of the game at the table once it is over, up to a decision, with who sat there.
func (s *StartPage) Record(decisions int) (*record.Record, error) {
	s.mu.Lock()
	server := s.server
	s.mu.Unlock()
	if server == nil {
		return nil, &fault{missing, "no game has been begun yet"}
	}
	rec, err := server.table.Record()
	if err != nil {
		return nil, err
	}
	if decisions < 0 || decisions >= len(rec.Moves) {
		return nil, &fault{malformed, "the game has no such decision"}
	}
	rec.Moves, rec.Footer = rec.Moves[:decisions], nil
	return rec, nil
}
