package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/games"
)

func newTestServer(t testing.TB) *Server {
	t.Helper()
	seed := uint64(7)
	return NewServer(t.Context(), Options{
		Program: "test", Games: games.All(), Rules: games.Rules, HowTo: games.HowTo,
		Agents: agents.Open, Opponent: func(env.Game) string { return "random" },
		Seed: func() uint64 { seed++; return seed }, Tables: 4,
	})
}

// connections are the ways to a server: each gives a client's session of a new client.
var connections = map[string]func(t testing.TB, s *Server) func() *sdk.ClientSession{
	"stdio": func(t testing.TB, s *Server) func() *sdk.ClientSession {
		return func() *sdk.ClientSession {
			fromClient, toServer := io.Pipe()
			fromServer, toClient := io.Pipe()
			go func() { _ = s.ServeStdio(t.Context(), fromClient, toClient) }()
			return connect(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer})
		}
	},
	"http": func(t testing.TB, s *Server) func() *sdk.ClientSession {
		server := httptest.NewServer(s.Handler())
		t.Cleanup(server.Close)
		return func() *sdk.ClientSession {
			return connect(t, &sdk.StreamableClientTransport{Endpoint: server.URL})
		}
	},
}

func connect(t testing.TB, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil)
	session := must.Have(client.Connect(t.Context(), transport, nil))(t)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and gives its text, which is that of an error if it went wrong.
func call(t testing.TB, c *sdk.ClientSession, tool string, arguments map[string]any) (text string,
	structured map[string]any, wrong bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error(), nil, true
	}
	for _, content := range r.Content {
		if c, ok := content.(*sdk.TextContent); ok {
			text += c.Text
		}
	}
	structured, _ = r.StructuredContent.(map[string]any)
	return text, structured, r.IsError
}

// called is call for what has to go well.
func called(t testing.TB, c *sdk.ClientSession, tool string, arguments map[string]any) (string, map[string]any) {
	t.Helper()
	text, structured, wrong := call(t, c, tool, arguments)
	if wrong {
		t.Fatalf("%s %v: %s", tool, arguments, text)
	}
	return text, structured
}

// What the tools suggest is there.
func TestSuggestedGames(t *testing.T) {
	game := newTestServer(t).arguments["start_table"].Properties["game"].Description
	for _, text := range regexp.MustCompile(`[a-z-]+:[a-z_]+=[^ ]+`).FindAllString(game, -1) {
		if _, err := games.Open(text); err != nil {
			t.Errorf("start_table suggests %s: %v", text, err)
		}
	}
}

// A model plays a whole game with the tools alone, over both transports, and reads its record.
func TestPlaysAGame(t *testing.T) {
	for name, connection := range connections {
		t.Run(name, func(t *testing.T) {
			c := connection(t, newTestServer(t))()
			_, started := called(t, c, "start_table", map[string]any{"game": "resilience-earth:players=2",
				"seats": []string{"me", "random"}, "seed": 3})
			table := started["table"].(string)
			key := started["seats"].([]any)[0].(map[string]any)["key"].(string)
			seat := map[string]any{"table": table, "key": key}
			decisions := 0
			called(t, c, "wait", seat)
			text, _ := called(t, c, "look", seat)
			for _, part := range []string{"What has happened:", "Legal actions:", "It is your decision.", "You are seat 0"} {
				if !strings.Contains(text, part) {
					t.Errorf("look doesn't say %q:\n%s", part, text)
				}
			}
			// From there on act tells all: a call a decision.
			for _, now := called(t, c, "legal_actions", seat); now["over"] != true; {
				if now["your_decision"] != true {
					t.Fatalf("act says %v, though only an agent is waited for", now)
				}
				action := ""
				if list, ok := now["actions"].([]any); ok {
					action = list[len(list)-1].(map[string]any)["text"].(string)
				} else {
					action = now["families"].([]any)[0].(map[string]any)["first"].(string)
				}
				text, now = called(t, c, "act", map[string]any{"table": table, "key": key, "step": now["step"], "action": action})
				if !strings.HasPrefix(text, "Played: ") {
					t.Fatalf("act says %q", text)
				}
				if now["over"] != true {
					for _, part := range []string{"What has happened:", "It is your decision.", "You may:"} {
						if !strings.Contains(text, part) {
							t.Fatalf("act doesn't say %q:\n%s", part, text)
						}
					}
				}
				decisions++
			}
			text, finished := called(t, c, "finish", seat)
			if !strings.Contains(text, "The game is over") || decisions < 5 {
				t.Errorf("%d decisions, and finish says %q", decisions, text)
			}
			r := must.Have(c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: finished["record"].(string)}))(t)
			rec := must.Have(record.Read("record", strings.NewReader(r.Contents[0].Text)))(t)
			g := must.Have(games.Open(rec.Header.Game))(t)
			if err := rec.Replay(g, nil); err != nil {
				t.Error(err)
			}
			if rec.Header.Seed != 3 {
				t.Errorf("the seed is %d", rec.Header.Seed)
			}
		})
	}
}

// What goes wrong is answered in words, changes nothing and ends nothing.
func TestFaults(t *testing.T) {
	for name, connection := range connections {
		t.Run(name, func(t *testing.T) {
			c := connection(t, newTestServer(t))()
			_, started := called(t, c, "start_table",
				map[string]any{"game": "one-earth:players=3", "seats": []string{"me", "open", "random"}})
			table := started["table"].(string)
			key := started["seats"].([]any)[0].(map[string]any)["key"].(string)
			// One that starts games may sit where another decides first.
			_, joined := called(t, c, "join_table", map[string]any{"table": table, "name": "Ben"})
			other := joined["key"].(string)
			decides := key
			_, now := called(t, c, "wait", map[string]any{"table": table, "key": key, "seconds": 1})
			if now["your_decision"] != true {
				decides = other
				if _, now = called(t, c, "wait", map[string]any{"table": table, "key": other}); now["your_decision"] != true {
					t.Fatal("nobody decides")
				}
			}
			idle := map[string]string{key: other, other: key}[decides]
			step := now["step"]
			legal, _ := called(t, c, "legal_actions", map[string]any{"table": table, "key": decides})
			for _, tt := range []struct {
				tool      string
				arguments map[string]any
				want      string
			}{
				{"look", map[string]any{"table": "NONE"}, `there is no table "NONE" here`},
				{"look", map[string]any{"table": table, "key": "wrong"}, "this key opens no seat"},
				{"legal_actions", map[string]any{"table": table, "key": ""}, "the key of your seat is missing"},
				{"legal_actions", map[string]any{"table": table, "key": idle}, "nothing is legal for you now"},
				{"legal_actions", map[string]any{"table": table, "key": decides, "family": "fnud"}, "no action of the family"},
				{"act", map[string]any{"table": table, "key": decides, "step": step, "action": "fund hopsital"},
					"Nearest legal actions: fund"},
				{"act", map[string]any{"table": table, "key": decides, "step": step, "action": "bid 0"}, "not played: bid 0"},
				{"act", map[string]any{"table": table, "key": decides, "step": step, "action": strings.Repeat("x", 5000)},
					"5000 bytes"},
				{"act", map[string]any{"table": table, "key": decides, "step": 99, "action": "end"}, "the game has gone on"},
				{"act", map[string]any{"table": table, "key": idle, "step": step, "action": "end"}, "it is not your decision"},
				{"why_not", map[string]any{"table": table, "key": decides, "action": "bid 0"}, "OE-"},
				{"why_not", map[string]any{"table": table, "key": decides, "action": "fnud"}, "unknown action"},
				{"wait", map[string]any{"table": table, "key": decides, "seconds": 3600}, "1 to 50"},
				{"wait", map[string]any{"table": table, "key": decides, "seconds": 1 << 55}, "1 to 50"}, // in nanoseconds 0
				{"finish", map[string]any{"table": table, "key": decides}, "the game is not over"},
				{"join_table", map[string]any{"table": table}, "no seat of table"},
				{"join_table", map[string]any{"table": table, "name": "a\nb"}, "all printable"},
				{"start_table", map[string]any{"game": "two-earths"}, "unknown game"},
				{"start_table", map[string]any{"game": "one-earth", "seats": []string{"me", "script:clever"}}, "there are: naive"},
				{"start_table", map[string]any{"game": "one-earth", "seed": -1}, "a whole number from 0 to 18446744073709551615"},
				{"start_table", map[string]any{"game": "one-earth", "seed": "18446744073709551616"}, "a whole number from 0"},
				{"start_table", map[string]any{"game": "one-earth", "seed": 1.5}, "seed"},
				{"explain_rule", map[string]any{"game": "one-earth", "rule": "OE-999"}, "unknown rule OE-999"},
				{"explain_rule", map[string]any{"game": "one-earth", "rule": strings.Repeat("a ", 1000)}, "2000 bytes"},
				{"start_table", map[string]any{"game": "one-earth", "seat": 3},
					`start_table has no argument "seat": did you mean "seats"? there are: name, game, seats, seed`},
				{"look", map[string]any{"table": table, "\x1b": 1}, `look has no argument "\\x1b": there are: table, key, history`},
				{"list_games", map[string]any{"game": 1}, "there are none"},
				{"start_table", nil, "start_table needs game: the game, with options if need be"},
				{"act", map[string]any{"table": table, "key": decides}, "act needs step: the step of the table"},
				{"start_table", map[string]any{"game": 3}, "start_table: game cannot be 3: the game, with options if need be"},
				{"act", map[string]any{"table": table, "key": decides, "step": "now", "action": "end"},
					`act: step cannot be "now": the step of the table`},
				{"wait", map[string]any{"table": table, "seconds": 1e30}, "wait: seconds cannot be 1e+30: how long to wait"},
				{"nothing", nil, `"nothing"`},
			} {
				text, _, wrong := call(t, c, tt.tool, tt.arguments)
				if !strings.Contains(text, tt.want) || !wrong && tt.tool != "why_not" {
					t.Errorf("%s %v: got %q (wrong: %v), want %q", tt.tool, tt.arguments, text, wrong, tt.want)
				}
			}
			if after, _ := called(t, c, "legal_actions", map[string]any{"table": table, "key": decides}); after != legal {
				t.Errorf("after wrong calls\n%s\nbefore them\n%s", after, legal)
			}
			if text, _ := called(t, c, "finish",
				map[string]any{"table": table, "key": decides, "stand_in": "random"}); !strings.Contains(text,
				"random plays your seat") {
				t.Errorf("got %q", text)
			}
		})
	}
}

// Two clients that hold one key play each decision once.
func TestTwoClientsOfASeat(t *testing.T) {
	for name, connection := range connections {
		t.Run(name, func(t *testing.T) {
			client := connection(t, newTestServer(t))
			a, b := client(), client()
			_, started := called(t, a, "start_table", map[string]any{"game": "one-earth:players=1", "seats": []string{"me"}})
			seat := map[string]any{"table": started["table"], "key": started["seats"].([]any)[0].(map[string]any)["key"]}
			_, now := called(t, a, "wait", seat)
			_, legal := called(t, b, "legal_actions", seat)
			first := legal["actions"].([]any)[0].(map[string]any)["text"]
			move := map[string]any{"table": seat["table"], "key": seat["key"], "step": now["step"], "action": first}
			type answer struct {
				text  string
				wrong bool
			}
			answers := make(chan answer)
			for _, c := range []*sdk.ClientSession{a, b} {
				go func() {
					text, _, wrong := call(t, c, "act", move)
					answers <- answer{text, wrong}
				}()
			}
			x, y := <-answers, <-answers
			if x.wrong == y.wrong {
				t.Fatalf("both clients got %q and %q", x.text, y.text)
			}
			if x.wrong {
				x, y = y, x
			}
			if !strings.Contains(y.text, "the game has gone on") {
				t.Errorf("the later client got %q", y.text)
			}
		})
	}
}

// A seed is played as it was given, as a number or as a text, whatever float64 makes of it.
func TestSeedsAreExact(t *testing.T) {
	for name, connection := range connections {
		t.Run(name, func(t *testing.T) {
			s := newTestServer(t)
			s.lobby.o.Tables = 8
			c := connection(t, s)()
			for _, seed := range []uint64{1<<53 + 1, 12345678901234567, 1<<63 + 5, math.MaxUint64} {
				for _, given := range []any{seed, fmt.Sprint(seed)} {
					text, started := called(t, c, "start_table", map[string]any{
						"game": "resilience-earth:players=2", "seats": []string{"random"}, "seed": given,
					})
					if !strings.Contains(text, fmt.Sprintf("\nseed %d\n", seed)) {
						t.Errorf("seed %#v: got %s", given, text)
					}
					uri := recordURI(started["table"].(string))
					<-s.lobby.tables[started["table"].(string)].ended
					r := must.Have(c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}))(t)
					rec, err := record.Read("record", strings.NewReader(r.Contents[0].Text))
					if err != nil || rec.Header.Seed != seed {
						t.Errorf("seed %#v: the game of %d is played (%v)", given, rec.Header.Seed, err)
					}
				}
			}
		})
	}
}

// One client over HTTP leaves places to others; the one of standard input and output has all. A table that nobody has
// asked for since it was started gives way before long.
func TestPlaces(t *testing.T) {
	start := func(c *sdk.ClientSession) (string, bool) {
		game := map[string]any{"game": "one-earth:players=2", "seats": []string{"open"}}
		text, _, wrong := call(t, c, "start_table", game)
		return text, !wrong
	}
	many := func(c *sdk.ClientSession) (started int, refused string) {
		for {
			text, ok := start(c)
			if !ok {
				return started, text
			}
			started++
		}
	}
	s := newTestServer(t)
	if n, refused := many(connections["stdio"](t, s)()); n != 4 || !strings.Contains(refused, "all 4 tables are taken") {
		t.Errorf("over standard input and output %d tables, then %q", n, refused)
	}

	s = newTestServer(t)
	s.lobby.o.Tables = 16
	server := httptest.NewUnstartedServer(s.Handler())
	server.Config.ConnContext = CountRequests
	server.Start()
	t.Cleanup(server.Close)
	client := func(hasty bool) *sdk.ClientSession {
		own := &http.Transport{DisableKeepAlives: hasty} // and with it connections of its own
		t.Cleanup(own.CloseIdleConnections)
		return connect(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: own}})
	}
	for _, tt := range []struct {
		hasty         bool // makes a connection for each request
		started, free int
	}{
		{true, 8, 8},
		{true, 0, 8}, // It can't be told from the one before.
		{false, 4, 4},
		{false, 2, 2},
		{false, 1, 1},
		{false, 1, 0},
	} {
		n, refused := many(client(tt.hasty))
		sentence := fmt.Sprintf("of the 16 tables, and the %d that are free are for others", tt.free)
		if tt.free == 0 {
			sentence = "all 16 tables are taken"
		}
		if n != tt.started || !strings.Contains(refused, sentence) {
			t.Errorf("%+v: %d tables are started, then %q", tt, n, refused)
		}
	}
	first := ""
	s.lobby.mu.Lock()
	for id, table := range s.lobby.tables {
		if first == "" {
			first, table.used = id, time.Now().Add(-forgottenAfter-time.Second)
		}
	}
	s.lobby.mu.Unlock()
	if text, ok := start(client(false)); !ok {
		t.Errorf("a table that nobody has come back to is still taken: %s", text)
	}
	if _, err := s.lobby.find(first); err == nil {
		t.Error("another table has given way")
	}
}

// A game is saved as it goes, if there is a folder for it, and a table that is over gives way to a new one.
func TestRecordsAndPlaces(t *testing.T) {
	s := newTestServer(t)
	s.lobby.o.Records, s.lobby.o.Tables = t.TempDir(), 1
	s.lobby.o.FileName = func(info *env.Info) string { return info.Name }
	c := connections["http"](t, s)()
	_, first := called(t, c, "start_table", map[string]any{"game": "resilience-earth:players=2",
		"seats": []string{"me", "random"}, "seed": 5})
	seat := map[string]any{"table": first["table"], "key": first["seats"].([]any)[0].(map[string]any)["key"]}
	if text, _, wrong := call(t, c, "start_table", map[string]any{"game": "one-earth"}); !wrong ||
		!strings.Contains(text, "all 1 tables are taken") {
		t.Errorf("got %q", text)
	}
	if files, err := os.ReadDir(s.lobby.o.Records); err != nil || len(files) != 1 {
		t.Errorf("the folder of one table has %v (%v)", files, err)
	}
	seat["stand_in"] = "random"
	for over := false; !over; {
		_, r := called(t, c, "finish", seat)
		over = r["over"] == true
	}
	file := filepath.Join(s.lobby.o.Records, fmt.Sprintf("resilience-earth-%s.jsonl", first["table"]))
	src := must.Have(os.Open(file))(t)
	defer src.Close()
	if rec, err := record.Read(file, src); err != nil || rec.Footer == nil {
		t.Errorf("the record is %+v, %v", rec, err)
	}
	called(t, c, "start_table", map[string]any{"game": "one-earth"})
	if text, _, wrong := call(t, c, "look", map[string]any{"table": first["table"]}); !wrong {
		t.Errorf("the table that is over is still there: %s", text)
	}
}

// Rules, introductions, boards and the app can be read; the app belongs to the tool board.
func TestResources(t *testing.T) {
	s := newTestServer(t)
	c := connections["http"](t, s)()
	_, started := called(t, c, "start_table", map[string]any{"game": "new-earth", "seats": []string{"me", "random"}})
	table, key := started["table"].(string), started["seats"].([]any)[0].(map[string]any)["key"].(string)
	for uri, want := range map[string]string{
		"earthgym://games/one-earth/rules":                           "OE-031",
		"earthgym://games/one-earth/howto":                           "# ",
		"earthgym://games/one-earth/rules/OE-031":                    "OE-031",
		"earthgym://games/new-earth/rules/6.6":                       "6.6",
		"earthgym://tables/" + table + "/board.svg":                  "<svg",
		"earthgym://tables/" + table + "/keys/" + key + "/board.svg": "<svg",
		"ui://earthgym/board":                                        "ui/initialize",
	} {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
		} else if !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: no %q in %.200q", uri, want, r.Contents[0].Text)
		}
	}
	for _, uri := range []string{"earthgym://tables/" + table + "/record", "earthgym://tables/NONE/board.svg",
		"earthgym://tables/" + table + "/keys/x/board.svg", "earthgym://games/chess/rules/1",
		"earthgym://games/one-earth/rules/OE-999"} {
		var refused *jsonrpc.Error
		_, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if !errors.As(err, &refused) || refused.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: got %v", uri, err)
		}
	}
	tools := must.Have(c.ListTools(t.Context(), nil))(t)
	i := slices.IndexFunc(tools.Tools, func(t *sdk.Tool) bool { return t.Name == "board" })
	if ui, ok := tools.Tools[i].Meta["ui"].(map[string]any); !ok || ui["resourceUri"] != "ui://earthgym/board" {
		t.Errorf("board's metadata are %v", tools.Tools[i].Meta)
	}
	shown := must.Have(c.CallTool(t.Context(),
		&sdk.CallToolParams{Name: "board", Arguments: map[string]any{"table": table, "key": key}}))(t)
	if svg, ok := shown.Meta["earthgym/board"].(string); !ok || !strings.HasPrefix(svg, "<svg") {
		t.Errorf("board's answer has the metadata %.100v", shown.Meta)
	}
	prompt := must.Have(c.GetPrompt(t.Context(),
		&sdk.GetPromptParams{Name: "introduce", Arguments: map[string]string{"game": "earth-rising"}}))(t)
	if text := prompt.Messages[0].Content.(*sdk.TextContent).Text; !strings.Contains(text, "start_table") ||
		!strings.Contains(text, "Earth Rising") {
		t.Errorf("the prompt is %q", text)
	}
}

// An answer about the rules is bounded, and says how to ask for less; no rule and no section below a chapter is cut.
func TestRulesAreBounded(t *testing.T) {
	s := newTestServer(t)
	for _, game := range games.All() {
		text, err := s.rule(game.Name, "the")
		if err != nil || len(text) > longestRules+200 || !strings.Contains(text, "more lines. Ask for less") {
			t.Errorf("%s: %d bytes for a word that stands everywhere, %v", game.Name, len(text), err)
		}
		contents := must.Have(s.rule(game.Name, "contents"))(t)
		whole, cut := 0, 0
		for line := range strings.Lines(contents) {
			number, _, _ := strings.Cut(line, " ")
			if number == "" || strings.Trim(number, "0123456789.") != "" {
				continue
			}
			switch text, err := s.rule(game.Name, number); {
			case err != nil:
				t.Error(err)
			case !strings.Contains(text, "Ask for less"):
				whole++
			case strings.Contains(number, "."):
				t.Errorf("%s: section %s is cut", game.Name, number)
			default:
				cut++
			}
		}
		if whole == 0 || cut == 0 {
			t.Errorf("%s: %d sections are told whole and %d cut", game.Name, whole, cut)
		}
	}
}

// The tools are the same in every revision of the protocol.
func TestRevisions(t *testing.T) {
	s := newTestServer(t)
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		body :=
			fmt.Sprintf(
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, revision)
		if got := post(t, server, body, nil); !strings.Contains(got, `"protocolVersion":"`+revision+`"`) {
			t.Errorf("%s: got %s", revision, got)
		}
	}
	// The newest has no initialize: every request says what it needs.
	got := post(t, server, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_games","arguments":{},`+
		meta+`}}`,
		map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "list_games"})
	if !strings.Contains(got, "earthmans-burden") {
		t.Errorf("2026-07-28: got %s", got)
	}
}

func post(t *testing.T, server *httptest.Server, body string, headers map[string]string) string {
	t.Helper()
	_, text, err := request(t.Context(), server, body, headers)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// request posts a message, and gives the status and the body of the answer.
func request(ctx context.Context, server *httptest.Server, body string, headers map[string]string) (int, string,
	error) {
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(b), err
}

// A call that waits ends when its client has left, in every revision of the protocol.
func TestWaitEndsWithItsClient(t *testing.T) {
	s := newTestServer(t)
	waits, answers := make(chan struct{}), make(chan string, 1)
	s.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if method != "tools/call" {
				return next(ctx, method, r)
			}
			waits <- struct{}{}
			result, err := next(ctx, method, r)
			answers <- result.(*sdk.CallToolResult).Content[0].(*sdk.TextContent).Text
			return result, err
		}
	})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	sitting, _, err := s.lobby.start("", "one-earth:players=2", []string{"open"}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for revision, more := range map[string]string{"2025-03-26": "", "2025-11-25": "", "2026-07-28": "," + meta} {
		ctx, leave := context.WithCancel(t.Context())
		arguments := fmt.Sprintf(`{"table":%q,"seconds":50}`, sitting.id)
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":` + arguments + more + `}}`
		headers := map[string]string{"Mcp-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "wait"}
		go func() { _, _, _ = request(ctx, server, body, headers) }()
		<-waits
		leave()
		if text := <-answers; !strings.Contains(text, "canceled") {
			t.Errorf("%s: the wait is answered with %q", revision, text)
		}
	}
}

// BenchmarkLook is a call there and back: a seat reads its table.
func BenchmarkLook(b *testing.B) {
	for name, connection := range connections {
		b.Run(name, func(b *testing.B) {
			c := connection(b, newTestServer(b))()
			_, started := called(b, c, "start_table", map[string]any{"game": "one-earth", "seats": []string{"me"}})
			seat := map[string]any{"table": started["table"], "key": started["seats"].([]any)[0].(map[string]any)["key"]}
			for b.Loop() {
				called(b, c, "look", seat)
			}
		})
	}
}
