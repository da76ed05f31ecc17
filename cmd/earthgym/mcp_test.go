package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// The command serves over HTTP who knows the token, and nobody else.
func TestMCPOverHTTP(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.txt")
	must.Do(t, os.WriteFile(secret, []byte("right\n"), 0o600))
	ctx, stop := context.WithCancel(t.Context())
	said, stderr := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- runMCP(ctx, strings.NewReader(""), io.Discard, stderr,
			mcpOptions{listen: "127.0.0.1:0", token: secret, tables: 2, log: "error"})
	}()
	line := must.Have(bufio.NewReader(said).ReadString('\n'))(t)
	address := strings.TrimSpace(strings.TrimPrefix(line, "serving at "))
	for token, welcome := range map[string]bool{"right": true, "wrong": false, "": false} {
		client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil)
		session, err := client.Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
		if (err == nil) != welcome {
			t.Errorf("token %q: %v", token, err)
		}
		if err == nil {
			if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_games"}); err != nil {
				t.Error(err)
			}
			// It may be on another machine, at the far end of a tunnel.
			start := &sdk.CallToolParams{Name: "start_table", Arguments: map[string]any{"game": "one-earth:players=2",
				"seats": []string{"me", "mcts:sims=10"}}}
			if r, err := session.CallTool(t.Context(), start); err != nil || !r.IsError {
				t.Errorf("who has a token seats an agent that may read files: %v", err)
			}
			_ = session.Close()
		}
	}
	// A page of a browser can't use the server.
	r := must.Have(http.NewRequestWithContext(t.Context(), "POST", address, strings.NewReader("{}")))(t)
	r.Header.Set("Authorization", "Bearer right")
	r.Header.Set("Origin", "https://example.org")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	answer := must.Have(http.DefaultClient.Do(r))(t)
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("a page elsewhere gets %s", answer.Status)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Clients seat no programs and no models, those over HTTP no files, and none a search that never ends.
func TestGuestsOfMCP(t *testing.T) {
	g := must.Have(games.Open("one-earth:players=2"))(t)
	guest := openGuest(slog.New(slog.DiscardHandler))
	for _, tt := range []struct {
		agent           string
		guest, stranger bool
	}{
		{"random", true, true},
		{"level:1", true, true},
		{"script:strong", true, true},
		{"net:", true, true},
		{"mcts:sims=10", true, false},
		{"mcts:sims=10000", true, false},
		{"mcts:sims=10001", false, false},
		{"mcts:sims=10000000", false, false},
		{"mcts:net=,sims=10001", false, false},
		{"mcts:ms=10000", true, false},
		{"mcts:ms=10001,workers=64", false, false},
		{"remote:touch /tmp/x", false, false},
		{"llm:http://127.0.0.1:1,model=x", false, false},
		{"net:/etc/passwd", false, false},
		{"net:/etc/passwd,argmax", false, false},
		{"mcts:net=/etc/passwd", false, false},
		{"/etc/passwd", false, false},
	} {
		if _, err := guest(tt.agent, g); (err == nil) != tt.guest {
			t.Errorf("a guest seats %s: %v", tt.agent, err)
		}
		if _, err := openStranger(tt.agent, g); (err == nil) != tt.stranger {
			t.Errorf("a stranger seats %s: %v", tt.agent, err)
		}
	}
}

// No client is told what is in a file, or whether there is one; who has started the program reads it in the log.
func TestGuestsLearnNothingOfFiles(t *testing.T) {
	g := must.Have(games.Open("one-earth:players=2"))(t)
	var log strings.Builder
	openers := map[string]func(string, env.Game) (*agents.Maker, error){
		"a guest": openGuest(slog.New(slog.NewTextHandler(&log, nil))), "a stranger": openStranger,
	}
	dir := t.TempDir()
	there, nowhere := filepath.Join(dir, "secret.txt"), filepath.Join(dir, "nowhere.txt")
	must.Do(t, os.WriteFile(there, []byte("root:*:20000:0:99999:7:::\n"), 0o600))
	for who, open := range openers {
		for _, form := range []string{"%s", "net:%s", "net:%s,argmax", "mcts:net=%s", "mcts:sims=10,net=%s"} {
			told := map[string]bool{}
			for _, path := range []string{there, nowhere, dir} {
				_, err := open(fmt.Sprintf(form, path), g)
				if err == nil {
					t.Fatalf("%s seats %s", who, path)
				}
				told[strings.ReplaceAll(err.Error(), path, "PATH")] = true
			}
			if len(told) != 1 {
				t.Errorf("%s tells files apart by "+form+": %q", who, "PATH", slices.Collect(maps.Keys(told)))
			}
		}
	}
	if !strings.Contains(log.String(), "there is no checkpoint") {
		t.Errorf("the log says %q", log.String())
	}
}

// Over HTTP nobody names a file: who comes from this machine may be any user of it.
func TestMCPReadsNoFilesOverHTTP(t *testing.T) {
	said, stderr := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- runMCP(ctx, strings.NewReader(""), io.Discard, stderr,
			mcpOptions{listen: "127.0.0.1:0", tables: 2, log: "error"})
	}()
	line := must.Have(bufio.NewReader(said).ReadString('\n'))(t)
	client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil)
	address := strings.TrimSpace(strings.TrimPrefix(line, "serving at "))
	session := must.Have(client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: address}, nil))(t)
	for _, agent := range []string{"net:/etc/passwd", "mcts:net=/etc/passwd", "mcts:sims=10000000"} {
		r := must.Have(session.CallTool(t.Context(),
			&sdk.CallToolParams{Name: "start_table", Arguments: map[string]any{"game": "one-earth:players=2",
				"seats": []string{"me", agent}}}))(t)
		if text := r.Content[0].(*sdk.TextContent).Text; !r.IsError || !strings.Contains(text, "unknown agent") {
			t.Errorf("%s: got %q", agent, text)
		}
	}
	_ = session.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
