package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/cmd/earthgym/web"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// A run is watched: its curves, and games that its newest network plays, in another seat each time.
func TestWatchRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	var out bytes.Buffer
	if code := run(t.Context(), []string{
		"train", "resilience-earth:players=2", "--out", dir, "--decisions", "64", "--num-envs", "4", "--num-steps", "16",
		"--hidden", "8",
		"--clone", "", "--eval-games", "0", "--opponents", "", "--opponent-share", "0",
	}, &out, &out); code != exitOK {
		t.Fatal(out.String())
	}
	o := watchOptions{against: []string{"random"}}
	r := must.Have(o.openRun(dir))(t)
	r.page = web.NewWatch(web.WatchOptions{Key: "secret", Rules: games.Book, Open: agents.Open, Next: r.next})
	server := httptest.NewServer(r.page.Handler())
	defer server.Close()
	ask := func(method, path string) string {
		t.Helper()
		q := must.Have(http.NewRequestWithContext(t.Context(), method, server.URL+path, nil))(t)
		q.Header.Set("Authorization", "Bearer secret")
		answer := must.Have(http.DefaultClient.Do(q))(t)
		defer answer.Body.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v", path, b.String(), err)
		}
		return b.String()
	}
	seats := func() []string {
		t.Helper()
		var shown struct {
			More      bool
			Recording struct {
				Seats  []struct{ Name string }
				Agents []string
			} `json:"film"`
		}
		must.Do(t, json.Unmarshal([]byte(ask("GET", "/api/film")), &shown))
		if !shown.More || len(shown.Recording.Seats) != 2 || len(shown.Recording.Agents) == 0 {
			t.Fatalf("the page is told %+v", shown)
		}
		return []string{shown.Recording.Seats[0].Name, shown.Recording.Seats[1].Name}
	}
	r.look(t.Context())
	newest := must.Have(checkpoint.Newest(dir))(t)
	name := "net:" + newest
	if got := seats(); got[0] != name || got[1] != "random" {
		t.Errorf("the first game is of %q, and the newest network is %s", got, name)
	}
	ask("POST", "/api/next")
	if got := seats(); got[1] != name || got[0] != "random" {
		t.Errorf("the second game is of %q", got)
	}
	if text := ask("GET", "/api/run"); !strings.Contains(text, `"title":"Entropy"`) ||
		!strings.Contains(text, "decisions of teachers") {
		t.Errorf("the training: %s", text)
	}
}

// A record may be anybody's: the programs that its header names are not started.
func TestMindsStartNoPrograms(t *testing.T) {
	g := must.Have(games.Open("resilience-earth:players=2"))(t)
	started := filepath.Join(t.TempDir(), "started")
	advisers := new(watchOptions).advisers(g, []string{"remote:touch " + started, "script:greedy"})
	if _, err := os.Stat(started); err == nil {
		t.Error("a program was started")
	}
	if !slices.Contains(advisers, "script:greedy") || slices.ContainsFunc(advisers, agents.IsForeign) {
		t.Errorf("asked are %v", advisers)
	}
}
