package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// A site is a table with its server.
type site struct {
	t      testing.TB
	game   env.Game
	table  *table.Table
	server *Server
	http   *httptest.Server
}

// openSite lays a table with people ("") and agents, and runs it until the test ends.
func openSite(t testing.TB, game string, seated ...string) *site {
	t.Helper()
	g := must.Have(games.Open(game))(t)
	open := func(text string) (*agents.Maker, error) { return agents.Open(text, g) }
	var seats []table.Seat
	for p := range g.Info().Players {
		text := seated[min(p, len(seated)-1)]
		if text == "" {
			seats = append(seats, table.Seat{})
			continue
		}
		m := must.Have(open(text))(t)
		seats = append(seats, table.Seat{Agent: m})
	}
	tab, err := table.New(g, 6, seats, table.Options{File: filepath.Join(t.TempDir(), "game.jsonl"), Names: table.FromOne})
	if err != nil {
		t.Fatal(err)
	}
	return serveTable(t, g, tab)
}

// handler serves a table alone.
func (s *Server) handler() http.Handler { return handler(s.API(), "table.html", s.o.Hosts) }

// serveTable runs a table until the test ends.
func serveTable(t testing.TB, g env.Game, tab *table.Table) *site {
	t.Helper()
	open := func(text string) (*agents.Maker, error) { return agents.Open(text, g) }
	rules := must.Have(games.Rules(g.Info().Name))(t)
	s := &site{t: t, game: g, table: tab, server: NewServer(tab, Options{
		Keys: NewKeys(g.Info().Players), Hosts: []string{"127.0.0.1"}, Rules: rules, HowTo: "# How\n\nPlay.",
		Agents: []string{"random", "script:greedy"}, Open: open, MaxStreams: 8,
	})}
	s.http = httptest.NewServer(s.server.handler())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tab.Run(ctx) }()
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return s
}

// ask sends a request with a key, and gives status and body.
func (s *site) ask(method, path, key, body string, header ...string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.http.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

func (s *site) look(p env.Player) *table.Sight {
	s.t.Helper()
	now, err := s.table.Look(p)
	if err != nil {
		s.t.Fatal(err)
	}
	return now
}

func TestWhoMayWhat(t *testing.T) {
	s := openSite(t, "resilience-earth:players=3", "", "", "random")
	k := s.server.o.Keys
	now := s.look(0)
	play := func(seat, step int, a env.Action) string {
		return fmt.Sprintf(`{"seat":%d,"step":%d,"action":%d}`, seat, step, a)
	}
	legal := now.Choices[0].Action
	for _, test := range []struct {
		name, method, path, key, body string
		header                        []string
		status                        int
		says                          string
	}{
		{"the page needs no key", "GET", "/", "", "", nil, 200, "<!doctype html>"},
		{"no key", "GET", "/api/table", "", "", nil, 401, "this link opens no seat"},
		{"a wrong key", "GET", "/api/table", k.Host[1:], "", nil, 401, "this link opens no seat"},
		{"who looks on has no seats", "GET", "/api/table", k.Watch, "", nil, 200, `"seats":[]`},
		{"the host has links to hand out", "GET", "/api/table", k.Host, "", nil, 200, k.Seats[1]},
		{"somebody else's text", "GET", "/api/text?seat=1", k.Seats[0], "", nil, 403, "does not open that seat"},
		{"somebody else's stream", "GET", "/api/events?seat=1", k.Seats[0], "", nil, 403, "does not open that seat"},
		{"an agent's hand", "GET", "/api/events?seat=2", k.Host, "", nil, 403, "Player 3 is played by random"},
		{"no seat", "GET", "/api/text?seat=x", k.Host, "", nil, 400, `no seat \"x\": they are 0 to 2`},
		{"a spectator plays", "POST", "/api/play", k.Watch, play(0, 0, legal), nil, 403, "does not open that seat"},
		{"another seat's decision", "POST", "/api/play", k.Seats[1], play(0, 0, legal), nil, 403, "does not open that seat"},
		{"not asked", "POST", "/api/play", k.Seats[1], play(1, 0, legal), nil, 422, "not this seat's decision"},
		{"an old step", "POST", "/api/play", k.Seats[0], play(0, -1, legal), nil, 409, "the game has gone on meanwhile"},
		{"an illegal action", "POST", "/api/play", k.Seats[0], play(0, 0, 60), nil, 422, "illegal action"},
		{"no action", "POST", "/api/play", k.Seats[0], play(0, 0, 9999), nil, 422, "there is no action 9999"},
		{"no JSON", "POST", "/api/play", k.Seats[0], "settle 11", nil, 400, "can't be read"},
		{"too much", "POST", "/api/play", k.Seats[0], `{"agent":"` + strings.Repeat("x", 1<<13) + `"}`, nil, 400,
			"it has more than 4096 bytes"},
		{"no whole number", "POST", "/api/play", k.Seats[0], `{"seat":1e30}`, nil, 400,
			"seat is to be a whole number, not the number 1e30"},
		{"a text for a number", "POST", "/api/play", k.Seats[0], `{"seat":0,"step":"x"}`, nil, 400,
			"step is to be a whole number, not a text"},
		{"a number for a list", "POST", "/api/draft", k.Seats[0], `{"seat":0,"actions":3}`, nil, 400,
			"actions is to be a list, not a number"},
		{"no object", "POST", "/api/play", k.Seats[0], `[1]`, nil, 400, "it is to be an object, not a list"},
		{"a field too many", "POST", "/api/play", k.Seats[0], `{"seed":1}`, nil, 400, `there is no field \"seed\"`},
		{"half", "POST", "/api/play", k.Seats[0], `{"seat":`, nil, 400, "no whole JSON object"},
		{"two at once", "POST", "/api/play", k.Seats[0], play(0, 0, legal) + play(0, 1, legal), nil, 400, "JSON object"},
		{"a brace too many", "POST", "/api/play", k.Seats[0], play(0, 0, legal) + "}", nil, 400, "JSON object"},
		{"no action named", "POST", "/api/play", k.Seats[0], `{"seat":0,"step":0}`, nil, 422, "there is no action -1"},
		{"no step named", "POST", "/api/play", k.Seats[0], `{"seat":0,"action":0}`, nil, 409, "has gone on meanwhile"},
		{"a plan for no seat", "POST", "/api/draft", k.Host, `{}`, nil, 403, "does not open that seat"},
		{"what is not yet past", "GET", "/api/past?decision=3", k.Host, "", nil, 422, "no decision 3: there have been 0"},
		{"forty-one letters", "POST", "/api/sit", k.Seats[0], `{"seat":0,"name":"` + strings.Repeat("鸟", 41) + `"}`, nil, 400,
			"a name has 40 letters at most"},
		{"from a foreign page", "POST", "/api/play", k.Seats[0], play(0, 0, legal), []string{"Origin", "https://example.com"},
			403, "cross-origin"},
		{"under a foreign name", "GET", "/api/table", k.Host, "", []string{"Host", "example.com"}, 421,
			"not the table's name"},
		{"why", "GET", "/api/why?seat=0&action=60", k.Seats[0], "", nil, 200, "(RE-"},
		{"why, when not asked", "GET", "/api/why?seat=1&action=60", k.Seats[1], "", nil, 422, "not this seat's decision"},
		{"the record of a running game", "GET", "/api/record", k.Host, "", nil, 422, "when the game is over"},
		{"the rules", "GET", "/api/rules", k.Watch, "", nil, 200, "RE-020"},
		{"an agent that nobody has named", "POST", "/api/sit", k.Host, `{"seat":2,"agent":"remote:sh"}`, nil, 403,
			"not among the agents"},
		{"somebody else's chair", "POST", "/api/sit", k.Seats[0], `{"seat":1,"agent":"random"}`, nil, 403,
			"does not open that seat"},
		{"a name without end", "POST", "/api/sit", k.Seats[0], `{"seat":0,"name":"` + strings.Repeat("x", 99) + `"}`, nil,
			400, "at most"},
		{"a hint", "POST", "/api/hint", k.Seats[0], `{"seat":0,"step":0,"agent":"script:greedy"}`, nil, 200,
			`"probability":1`},
		{"a hint of one that can't", "POST", "/api/hint", k.Seats[0], `{"seat":0,"step":0,"agent":"random"}`, nil, 422,
			"can't say what it thinks"},
		{"the header alone", "HEAD", "/api/table", k.Watch, "", nil, 200, ""},
		{"the header of a stream", "HEAD", "/api/events", k.Watch, "", nil, 200, ""},
		{"what there is not", "GET", "/api/nothing", k.Watch, "", nil, 404, `{"error":"there is no GET /api/nothing"}`},
		{"another way", "PUT", "/api/table", k.Watch, "", nil, 404, `{"error":"there is no PUT /api/table"}`},
		{"a file above the page", "GET", "/../server.go", "", "", nil, 404, ""},
	} {
		status, body := s.ask(test.method, test.path, test.key, test.body, test.header...)
		if status != test.status || !strings.Contains(body, test.says) {
			t.Errorf("%s: %d %.300s; want %d and %q", test.name, status, body, test.status, test.says)
		}
	}
	if after := s.look(0); after.Edition != now.Edition {
		t.Error("what was refused has changed the table")
	}
	for i, want := range []int{200, 409} { // the second from another window of the seat
		if status, body := s.ask("POST", "/api/play", k.Seats[0], play(0, now.Step, legal)); status != want {
			t.Errorf("window %d: %d %s", i, status, body)
		}
	}
	if status, body := s.ask("POST", "/api/undo", k.Seats[0],
		fmt.Sprintf(`{"seat":0,"step":%d}`, s.look(0).Step)); status != 200 || s.look(0).Decision != 0 {
		t.Errorf("undo: %d %s", status, body)
	}
	if status, body := s.ask("POST", "/api/sit", k.Seats[0], `{"seat":0,"name":"`+strings.Repeat("鸟", 40)+
		`"}`); status != 200 {
		t.Errorf("a name of forty letters: %d %s", status, body)
	}
	if status, body := s.ask("POST", "/api/sit", k.Seats[0], `{"seat":0,"name":" Ada  L. "}`); status != 200 || s.look(1).
		Seats[0].Name != "Ada L." {
		t.Errorf("a name: %d %s %q", status, body, s.look(1).Seats[0].Name)
	}
}

func TestHeaders(t *testing.T) {
	s := openSite(t, "resilience-earth:players=2", "")
	for _, path := range []string{"/", "/main.js", "/api/table"} {
		answer := must.Have(s.http.Client().Get(s.http.URL + path))(t)
		answer.Body.Close()
		policy := answer.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy %q lacks %q", path, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") || answer.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", path, answer.Header)
		}
	}
}

// A client that announces a body and never sends it is let go, key or not; one that has sent all is answered, however
// long that takes.
func TestBodiesComeInTime(t *testing.T) {
	limit := 50 * time.Millisecond
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/think" {
			if _, err := io.ReadAll(r.Body); err != nil {
				return
			}
			select {
			case <-time.After(4 * limit):
			case <-r.Context().Done():
				return
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})
	server := httptest.NewServer(InTime(limit, 10*time.Minute, slow))
	defer server.Close()
	for _, path := range []string{"/", "/think"} {
		c := must.Have(new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String()))(t)
		defer c.Close()
		must.Have(fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nhalf", path))(t)
		must.Do(t, c.SetReadDeadline(time.Now().Add(10*time.Minute)))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection stays", path)
		}
	}
	whole := func() error {
		server := httptest.NewServer(InTime(limit, 10*time.Minute, slow))
		defer server.Close()
		answer, err := http.Post(server.URL+"/think", "text/plain", strings.NewReader("all of it"))
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusNoContent {
			return errors.New(answer.Status)
		}
		return nil
	}
	for err := whole(); err != nil; err = whole() {
		if limit *= 8; limit > time.Minute { // A busy machine may take longer than the shorter ones to say all.
			t.Fatalf("what has come whole is answered with %v", err)
		}
	}
}

// A client that never reads what it has asked for is let go, whether that is a stream or not.
func TestAnswersAreReadInTime(t *testing.T) {
	const limit = 50 * time.Millisecond
	gone := make(chan error, 1)
	large := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := io.Copy(w, io.LimitReader(zeros{}, 1<<30))
		gone <- err
	})
	server := httptest.NewServer(InTime(time.Minute, limit, large))
	defer server.Close()
	c := must.Have(new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String()))(t)
	defer c.Close()
	must.Have(fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: here\r\n\r\n"))(t)
	select {
	case err := <-gone:
		if err == nil {
			t.Error("a GB was sent to nobody")
		}
	case <-time.After(10 * time.Minute):
		t.Fatal("the connection stays")
	}
	// Thinking is not reading: each piece has its own limit, and so has what is sent after the last one.
	d := &deadlines{ResponseWriter: httptest.NewRecorder()}
	InTime(time.Minute, limit, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 3 {
			_, _ = io.WriteString(w, "a piece")
		}
	})).ServeHTTP(d, httptest.NewRequest("GET", "/", nil))
	if d.set != 1+3+1 {
		t.Errorf("the limit was set %d times", d.set)
	}
}

// deadlines counts the limits that are set.
type deadlines struct {
	http.ResponseWriter
	set int
}

func (d *deadlines) SetWriteDeadline(time.Time) error {
	d.set++
	return nil
}

// zeros never end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestPageIsSmall holds the page to what a slow line carries at once, and to itself alone.
func TestPageIsSmall(t *testing.T) {
	size := 0
	err := fs.WalkDir(page, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := page.ReadFile(name)
		if path.Base(name) != "puzzles.json" { // It is fetched by itself, where games are begun.
			size += len(b)
		}
		text := strings.ReplaceAll(string(b), "http://www.w3.org/2000/svg", "")
		if strings.Contains(text, "http:") || strings.Contains(text, "https:") || strings.Contains(text, "innerHTML") {
			t.Errorf("%s names another server, or makes markup of texts", name)
		}
		return err
	})
	if err != nil || size > 200<<10 {
		t.Errorf("the page has %d bytes: %v", size, err)
	}
}

// events reads a stream until told enough.
func (s *site) events(key, seat string, enough func(*sight) bool) (last *sight, raw []byte) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", s.http.URL+"/api/events?seat="+seat, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	in := bufio.NewReader(answer.Body)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			s.t.Fatalf("the stream of seat %s ends: %v", seat, err)
		}
		raw = append(raw, line...)
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			last = &sight{}
			if err := json.Unmarshal(data, last); err != nil {
				s.t.Fatal(err)
			}
			if enough(last) {
				return last, raw
			}
		}
	}
}

func TestStream(t *testing.T) {
	s := openSite(t, "resilience-earth:players=2", "", "script:greedy")
	key := s.server.o.Keys.Seats[0]
	first, _ := s.events(key, "0", func(*sight) bool { return true })
	if first.Board == nil || first.Asked == nil || *first.Asked != 0 || len(first.Choices) == 0 || first.LogFrom != 0 {
		t.Errorf("the first event lacks something: asked %v, %d choices", first.Asked, len(first.Choices))
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		for _, family := range []string{"settle", "done"} {
			now := s.look(0)
			for _, c := range now.Choices {
				if c.Family == family {
					if err := s.table.Play(0, now.Step, c.Action); err != nil {
						t.Error(err)
					}
					break
				}
			}
		}
	}()
	lines := 0
	last, _ := s.events(key, "0", func(v *sight) bool {
		if v.LogFrom > lines {
			t.Errorf("lines %d to %d of the log were left out", lines, v.LogFrom)
		}
		lines = v.LogFrom + len(v.Log)
		return v.Decision > 3 && v.Asked != nil
	})
	if lines != len(s.look(0).Log) || last.Step != s.look(0).Step {
		t.Errorf("the stream has told %d of %d lines", lines, len(s.look(0).Log))
	}
}

// TestAgentTakesOver: the host's page no longer sees the hand of a seat that it has given to an agent.
func TestAgentTakesOver(t *testing.T) {
	s := openSite(t, "new-earth:players=2", "")
	given := false
	last, _ := s.events(s.server.o.Keys.Host, "0", func(v *sight) bool {
		if !given {
			given = true
			if v.Viewer != 0 {
				t.Errorf("seat 0 gets the view of %d", v.Viewer)
			}
			if status, body := s.ask("POST", "/api/sit", s.server.o.Keys.Host, `{"seat":0,"agent":"random"}`); status != 200 {
				t.Fatal(status, body)
			}
			return false
		}
		return v.Viewer != 0
	})
	if last.Viewer != env.Spectator || len(last.Choices) > 0 {
		t.Errorf("after an agent sat down, the page gets the view of %d", last.Viewer)
	}
}

// Somebody who plays does not see what an agent holds in another seat, by no key and not by sitting down there for a
// while; who has left its own seat to an agent comes back.
func TestAgentsHands(t *testing.T) {
	s := openSite(t, "new-earth:players=3", "", "random", "")
	s.dealt(1)
	k := s.server.o.Keys
	for _, test := range []struct {
		name, method, path, key, body string
		status                        int
	}{
		{"the host looks", "GET", "/api/text?seat=1", k.Host, "", 403},
		{"the host looks by another key", "GET", "/api/text?seat=1", k.Seats[1], "", 403},
		{"the host sits down there", "POST", "/api/sit", k.Host, `{"seat":1}`, 403},
		{"the host sits down there by another key", "POST", "/api/sit", k.Seats[1], `{"seat":1}`, 403},
		{"a person leaves", "POST", "/api/sit", k.Seats[2], `{"seat":2,"agent":"random"}`, 200},
		{"and looks", "GET", "/api/find?seat=2&question=hand", k.Seats[2], "", 403},
		{"the host looks meanwhile", "GET", "/api/text?seat=2", k.Host, "", 403},
		{"the host sits down meanwhile", "POST", "/api/sit", k.Host, `{"seat":2}`, 403},
		{"the person comes back", "POST", "/api/sit", k.Seats[2], `{"seat":2}`, 200},
		{"and looks again", "GET", "/api/text?seat=2", k.Seats[2], "", 200},
		{"the other agents change", "POST", "/api/sit", k.Host, `{"seat":1,"agent":"script:greedy"}`, 200},
	} {
		if status, body := s.ask(test.method, test.path, test.key, test.body); status != test.status {
			t.Errorf("%s: %d %.200s, not %d", test.name, status, body, test.status)
		}
	}
	last, _ := s.events(k.Seats[1], "1", func(*sight) bool { return true })
	if last.Viewer != env.Spectator {
		t.Errorf("the link of an agent's seat shows what seat %d sees", last.Viewer)
	}
	// Where a seat holds nothing in secret it may be taken, and one's own always.
	open := openSite(t, "resilience-earth:players=2", "", "random")
	if status, body := open.ask("POST", "/api/sit", open.server.o.Keys.Host, `{"seat":1}`); status != 200 {
		t.Errorf("a seat without secrets: %d %s", status, body)
	}
	alone := openSite(t, "new-earth:players=2", "", "random")
	alone.dealt(1)
	for seat, status := range []int{200, 403} {
		if got, body := alone.ask("POST", "/api/sit", alone.server.o.Keys.Host,
			fmt.Sprintf(`{"seat":%d}`, seat)); got != status {
			t.Errorf("seat %d: %d %s", seat, got, body)
		}
	}
}

// dealt plays for people until a seat has something to hide.
func (s *site) dealt(seat env.Player) {
	s.t.Helper()
	for !s.table.Private(seat) {
		changed, asked := s.table.Changed(), false
		for p := range env.Player(s.game.Info().Players) {
			if now := s.look(p); now.Deciding {
				asked = true
				if err := s.table.Play(p, now.Step, now.Choices[0].Action); err != nil {
					s.t.Fatal(err)
				}
				break
			}
		}
		if asked {
			continue
		}
		select {
		case <-changed:
		case <-time.After(10 * time.Minute):
			s.t.Fatal("nobody decides")
		}
	}
}

func TestTooManyLookOn(t *testing.T) {
	s := openSite(t, "resilience-earth:players=2", "")
	for range s.server.o.MaxStreams {
		if !s.server.enter(role{}) {
			t.Fatal("fewer than MaxStreams may look on")
		}
	}
	for _, key := range []string{s.server.o.Keys.Host, s.server.o.Keys.Seats[1]} { // Those who look on keep no player out.
		s.events(key, "", func(*sight) bool { return true })
	}
	if status, body := s.ask("GET", "/api/events", s.server.o.Keys.Watch, ""); status != http.StatusServiceUnavailable {
		t.Errorf("%d %s", status, body)
	}
	s.server.leave(role{})
	s.events(s.server.o.Keys.Watch, "", func(*sight) bool { return true })
}

// Hints are thought about, and plans are tried, a few at a time; those who ask on wait, and are refused when their time
// is up. Also one that fails makes room again.
func TestTooManyAtOnce(t *testing.T) {
	s := openSite(t, "resilience-earth:players=2", "")
	for _, c := range []struct {
		name   string
		queue  queue
		answer answer
		asks   string
	}{
		{"hints", s.server.hints, s.server.hint, `"agent":"script:greedy"`},
		{"drafts", s.server.drafts, s.server.draft, `"actions":[]`},
	} {
		ask := func(ctx context.Context, step int) error {
			body := fmt.Sprintf(`{"seat":0,"step":%d,%s}`, step, c.asks)
			_, err := c.answer(&request{ctx: ctx, body: strings.NewReader(body), who: role{seats: []env.Player{0}}})
			return err
		}
		for range cap(c.queue) {
			c.queue <- struct{}{}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if err := ask(ctx, s.look(0).Step); err == nil || statusOf(err) != full {
			t.Errorf("%s: one more than may be at once: %v", c.name, err)
		}
		cancel()
		for range cap(c.queue) {
			<-c.queue
		}
		for range cap(c.queue) + 1 {
			if err := ask(t.Context(), -1); err == nil || statusOf(err) != outdated {
				t.Errorf("%s: of a step that is gone: %v", c.name, err)
			}
		}
		if err := ask(t.Context(), s.look(0).Step); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestEndpoint(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.links")
	if _, err := ReadEndpoint(name, 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no endpoint: %v", err)
	}
	d := &Endpoint{Address: "127.0.0.1:1", Keys: NewKeys(3)}
	must.Do(t, d.Write(name))
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the links: %v %v", info.Mode(), err)
	}
	again, err := ReadEndpoint(name, 3)
	if err != nil || again.Keys.Host != d.Keys.Host || again.Address != d.Address {
		t.Errorf("%+v %v", again, err)
	}
	if _, err := ReadEndpoint(name, 4); err == nil {
		t.Error("the links of a table of 3 open one of 4")
	}
	must.Do(t, os.WriteFile(name, []byte(`{"address":"","keys":{"host":"","seats":["","",""],"watch":""}}`),
		0o600))
	if _, err := ReadEndpoint(name, 3); err == nil {
		t.Error("an empty key opens a seat")
	}
}
