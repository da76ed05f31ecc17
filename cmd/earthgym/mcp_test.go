package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/games"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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
	if err := os.WriteFile(secret, []byte("right\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	said, stderr := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- runMCP(ctx, strings.NewReader(""), io.Discard, stderr, mcpOptions{listen: "127.0.0.1:0", token: secret, tables: 2, log: "error"})
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(strings.TrimPrefix(line, "serving at "))
	for token, welcome := range map[string]bool{"right": true, "wrong": false, "": false} {
		client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
		if (err == nil) != welcome {
			t.Errorf("token %q: %v", token, err)
		}
		if err == nil {
			if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_games"}); err != nil {
				t.Error(err)
			}
			// It may be on another machine, at the far end of a tunnel.
			start := &sdk.CallToolParams{Name: "start_table", Arguments: map[string]any{"game": "one-earth:players=2", "seats": []string{"me", "mcts:sims=10"}}}
			if r, err := session.CallTool(t.Context(), start); err != nil || !r.IsError {
				t.Errorf("who has a token seats an agent that may read files: %v", err)
			}
			_ = session.Close()
		}
	}
	// A page of a browser can't use the server.
	r, err := http.NewRequestWithContext(t.Context(), "POST", address, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer right")
	r.Header.Set("Origin", "https://example.org")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("a page elsewhere gets %s", answer.Status)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Clients seat no programs and no models, and those of other machines no files.
func TestGuestsOfMCP(t *testing.T) {
	g, err := games.Open("one-earth:players=2")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		agent           string
		guest, stranger bool
	}{
		{"random", true, true},
		{"level:1", true, true},
		{"script:strong", true, true},
		{"mcts:sims=10", true, false},
		{"remote:touch /tmp/x", false, false},
		{"llm:http://127.0.0.1:1,model=x", false, false},
		{"net:/etc/passwd", false, false},
		{"net:/etc/passwd,argmax", false, false},
	} {
		if _, err := openGuest(tt.agent, g); (err == nil) != tt.guest {
			t.Errorf("a guest seats %s: %v", tt.agent, err)
		}
		if _, err := openStranger(tt.agent, g); (err == nil) != tt.stranger {
			t.Errorf("a stranger seats %s: %v", tt.agent, err)
		}
	}
}
