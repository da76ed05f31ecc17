// Package web lets people sit at a table with a browser.
//
// One page, which the program carries, shows a seat what it may see: the board, where what can be chosen is marked on
// the board itself, and the same choices as a list in the game's words. The page gets a stream of server-sent events and
// answers by ordinary requests: traffic that matters goes one way, every proxy passes it on, and the standard library
// has both ends, so that nothing is gained by a WebSocket.
//
// A [Server] shows a table, a [Watch] recorded games and training runs, by the same parts. What the pages themselves say is
// English, or what a catalogue of words has for it ([Labels]).
//
// A link to a seat carries its key behind "#", which browsers send nobody; the page puts it into a header. So there are
// no cookies that a foreign page could use, two windows can be two seats, and no log of a proxy holds a key. Nothing but
// the page itself is answered without one.
package web

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
)

//go:embed page
var page embed.FS

// Options say what people find at a table.
type Options struct {
	Keys  Keys
	Hosts []string // names in the address line that are the server's own; empty for any
	Rules string   // RULES.md
	HowTo string   // the introduction for people
	// Words are what the page says (env.Words.Page, CheckLabels); nil is English.
	Words  *env.Words
	Agents []string // texts of those that may be asked for hints and put into seats
	Open   func(text string) (*agents.Maker, error)
	// MaxStreams bounds the pages that look on at once.
	MaxStreams int
}

// A Server shows one table.
type Server struct {
	table *table.Table
	o     Options

	mu      sync.Mutex
	streams int
	told    []told // what those who look on were told last
	makers  map[string]*agents.Maker
}

// NewServer makes the Server of a table.
func NewServer(t *table.Table, o Options) *Server {
	return &Server{table: t, o: o, makers: map[string]*agents.Maker{}}
}

// Handler answers the requests of pages.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", pages("index.html"))
	for pattern, answer := range map[string]func(http.ResponseWriter, *http.Request, role) error{
		"GET /api/table":  s.describe,
		"GET /api/events": s.stream,
		"GET /api/text":   s.text,
		"GET /api/find":   s.find,
		"GET /api/why":    s.why,
		"GET /api/rules":  s.rules,
		"GET /api/labels": s.labels,
		"GET /api/record": s.record,
		"POST /api/play":  s.play,
		"POST /api/draft": s.draft,
		"POST /api/send":  s.send,
		"POST /api/undo":  s.undo,
		"POST /api/hint":  s.hint,
		"POST /api/sit":   s.sit,
	} {
		mux.HandleFunc(pattern, s.admit(answer))
	}
	return protect(s.o.Hosts, http.NewCrossOriginProtection().Handler(mux))
}

// pages answers with the files of the page, and at the root with one of them.
func pages(root string) http.Handler {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // The folder is embedded.
	}
	serve := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.ServeFileFS(w, r, files, root)
			return
		}
		serve.ServeHTTP(w, r)
	})
}

// protect says what browsers must not do with the answers, and refuses other names than the server's own, unless there
// are none: a foreign page could have its name point here.
func protect(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if len(hosts) > 0 && !slices.Contains(hosts, strings.Trim(host, "[]")) {
			http.Error(w, "this is not the table's name", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// A fault is an error with its HTTP status.
type fault struct {
	status int
	text   string
}

func (f *fault) Error() string { return f.text }

// admit lets those in who have a key, and writes errors.
func (s *Server) admit(answer func(http.ResponseWriter, *http.Request, role) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who, ok := s.o.Keys.role(keyOf(r))
		if !ok {
			writeFault(w, http.StatusUnauthorized, "this link opens no seat: it is cut off, or of a table that is gone; ask the host for a new one")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, 1<<12)
		err := answer(w, r, who)
		var f *fault
		var stale *table.StaleError
		var illegal *env.IllegalActionError
		var interrupted *table.InterruptedError
		switch {
		case err == nil || r.Context().Err() != nil:
		case errors.As(err, &f):
			writeFault(w, f.status, f.text)
		case errors.As(err, &stale):
			writeFault(w, http.StatusConflict, stale.Error())
		case errors.As(err, &interrupted):
			writeFault(w, http.StatusConflict, interrupted.Error())
		case errors.As(err, &illegal):
			writeFault(w, http.StatusUnprocessableEntity, illegal.Error())
		default:
			writeFault(w, http.StatusUnprocessableEntity, err.Error())
		}
	}
}

// keyOf is the key of a request.
func keyOf(r *http.Request) string {
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return key
}

func writeFault(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": text}) // to whoever is still there
}

func writeJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}

func readJSON(r *http.Request, v any) error {
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return &fault{http.StatusBadRequest, "the request can't be read: " + err.Error()}
	}
	return nil
}

// viewer is from where the request looks: a seat of the role's, or a spectator's place.
func (s *Server) viewer(r *http.Request, who role) (env.Player, error) {
	text := r.URL.Query().Get("seat")
	if text == "" {
		return env.Spectator, nil
	}
	p, err := strconv.Atoi(text)
	if err != nil {
		return 0, &fault{http.StatusBadRequest, fmt.Sprintf("there is no seat %q", text)}
	}
	if err := s.opens(who, env.Player(p)); err != nil {
		return 0, err
	}
	return env.Player(p), nil
}

// opens says why a role may not look from a seat. The host sees the seats of people, not into agents' hands.
func (s *Server) opens(who role, p env.Player) error {
	if !who.may(p) {
		return &fault{http.StatusForbidden, fmt.Sprintf("this link does not open seat %d", p)}
	}
	if !who.host || p < 0 {
		return nil
	}
	now, err := s.table.Look(env.Spectator)
	if err != nil {
		return err
	}
	if !now.Seats[p].Person {
		return &fault{http.StatusForbidden, fmt.Sprintf("seat %d is played by %s", p, now.Seats[p].Name)}
	}
	return nil
}

// describe tells what never changes at a table.
func (s *Server) describe(w http.ResponseWriter, _ *http.Request, who role) error {
	info := s.table.Info()
	var actions []string
	for _, a := range info.Actions {
		actions = append(actions, a.Text)
	}
	about := struct {
		Title   string       `json:"title"`
		Game    string       `json:"game"`
		Players int          `json:"players"`
		Host    bool         `json:"host"`
		Seats   []env.Player `json:"seats"`
		Actions []string     `json:"actions"`
		Agents  []string     `json:"agents"`
		Links   *links       `json:"links,omitempty"`
	}{info.Title, info.Short, info.Players, who.host, append([]env.Player{}, who.seats...), actions, s.o.Agents, nil}
	if about.Title == "" {
		about.Title = info.Name
	}
	if who.host {
		about.Links = &links{s.o.Keys.Seats, s.o.Keys.Watch}
	}
	return writeJSON(w, about)
}

// links are the keys that a host hands out.
type links struct {
	Seats []string `json:"seats"`
	Watch string   `json:"watch"`
}

func (s *Server) text(w http.ResponseWriter, r *http.Request, who role) error {
	p, err := s.viewer(r, who)
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]string{"text": s.table.Text(p)})
}

// find answers a typed question with lines of the table or of the story.
func (s *Server) find(w http.ResponseWriter, r *http.Request, who role) error {
	p, err := s.viewer(r, who)
	if err != nil {
		return err
	}
	lines, err := s.table.Find(p, r.URL.Query().Get("question"))
	if err != nil {
		return err
	}
	return writeJSON(w, append([]string{}, lines...))
}

// why says of some actions why they can't be chosen.
func (s *Server) why(w http.ResponseWriter, r *http.Request, who role) error {
	const most = 64
	p, err := s.viewer(r, who)
	if err != nil {
		return err
	}
	reasons := map[string]string{}
	for i, text := range r.URL.Query()["action"] {
		a, err := strconv.Atoi(text)
		if err != nil || i >= most {
			return &fault{http.StatusBadRequest, fmt.Sprintf("action %q: they are numbers, %d at most", text, most)}
		}
		if reasons[text], err = s.table.Why(p, env.Action(a)); err != nil {
			return err
		}
	}
	return writeJSON(w, reasons)
}

func (s *Server) rules(w http.ResponseWriter, _ *http.Request, _ role) error {
	return writeJSON(w, map[string]string{"rules": s.o.Rules, "howto": s.o.HowTo})
}

func (s *Server) labels(w http.ResponseWriter, _ *http.Request, _ role) error {
	return writeJSON(w, labelsOf(s.o.Words))
}

// record is the game's, once it is over.
func (s *Server) record(w http.ResponseWriter, _ *http.Request, _ role) error {
	rec, err := s.table.Record()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	return rec.Write(w)
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

func (s *Server) play(w http.ResponseWriter, r *http.Request, who role) error {
	return s.do(w, r, who, func(m *move) error { return s.table.Play(m.Seat, m.Step, m.Action) })
}

func (s *Server) undo(w http.ResponseWriter, r *http.Request, who role) error {
	return s.do(w, r, who, func(m *move) error { return s.table.Undo(m.Seat, m.Step) })
}

// send plays a plan.
func (s *Server) send(w http.ResponseWriter, r *http.Request, who role) error {
	return s.do(w, r, who, func(m *move) error { return s.table.PlayAll(m.Seat, m.Step, m.Actions) })
}

// draft tells what would come of a plan.
func (s *Server) draft(w http.ResponseWriter, r *http.Request, who role) error {
	m := &move{Seat: env.Spectator}
	if err := readJSON(r, m); err != nil {
		return err
	}
	if err := s.opens(who, m.Seat); err != nil {
		return err
	}
	d, err := s.table.Draft(m.Seat, m.Step, m.Actions)
	if err != nil {
		return err
	}
	return writeJSON(w, draftOf(d))
}

// maxName bounds a person's name.
const maxName = 40

// sit puts an agent or a person into a seat that the role has.
func (s *Server) sit(w http.ResponseWriter, r *http.Request, who role) error {
	return s.do(w, r, who, func(m *move) error {
		if m.Agent == "" {
			name := env.Printable(strings.Join(strings.Fields(m.Name), " "))
			if len(name) > maxName {
				return &fault{http.StatusBadRequest, fmt.Sprintf("a name has %d letters at most", maxName)}
			}
			return s.table.Sit(m.Seat, table.Seat{Name: name})
		}
		maker, err := s.open(m.Agent)
		if err != nil {
			return err
		}
		return s.table.Sit(m.Seat, table.Seat{Agent: maker})
	})
}

func (s *Server) do(w http.ResponseWriter, r *http.Request, who role, act func(*move) error) error {
	m := &move{Seat: env.Spectator}
	if err := readJSON(r, m); err != nil {
		return err
	}
	if !who.may(m.Seat) || m.Seat == env.Spectator {
		return &fault{http.StatusForbidden, "this link does not open that seat"}
	}
	if err := act(m); err != nil {
		return err
	}
	return writeJSON(w, struct{}{})
}

// open opens an agent of the list, each once.
func (s *Server) open(text string) (*agents.Maker, error) {
	if !slices.Contains(s.o.Agents, text) {
		return nil, &fault{http.StatusForbidden, fmt.Sprintf("%q is not among the agents of this table: %s", text, strings.Join(s.o.Agents, ", "))}
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

func (s *Server) hint(w http.ResponseWriter, r *http.Request, who role) error {
	m := &move{Seat: env.Spectator}
	if err := readJSON(r, m); err != nil {
		return err
	}
	if err := s.opens(who, m.Seat); err != nil {
		return err
	}
	maker, err := s.open(m.Agent)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), hintLimit)
	defer cancel()
	h, err := s.table.Hint(ctx, m.Seat, m.Step, maker)
	if err != nil {
		return err
	}
	return writeJSON(w, hintOf(h))
}

// Serve answers until the context is done; then pages that look on are let go. The connections are encrypted if there
// are files with a certificate and its key.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, cert, key string) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 14,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0), // of hands shaken in vain and connections cut off
	}
	done := make(chan error, 1)
	go func() {
		if cert != "" {
			done <- server.ServeTLS(l, cert, key)
			return
		}
		done <- server.Serve(l)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		end, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if err := server.Shutdown(end); err != nil {
			_ = server.Close()
		}
		<-done
		return nil
	}
}
