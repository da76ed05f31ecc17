package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"earthgym/cmd/earthgym/web"
	"earthgym/env/envtest/must"
)

var roomLine = regexp.MustCompile(`the room: +(http://\S+/)#(\S+)\nthe teacher's: \S+\n`)

// A room goes on where it was: its tables, who sits there, and its links.
func TestHost(t *testing.T) {
	dir := t.TempDir()
	args := []string{"host", "--no-browser", "--out", dir}
	var address, guest, seat string
	serveWeb(t, args, roomLine, func(a, k string) {
		address, guest = a, k
		var sits struct{ Key string }
		text := fetch(t, http.DefaultClient, "POST", a+"api/open", k,
			`{"game":"resilience-earth:players=2","name":"`+strings.Repeat("ä", 40)+`","seats":["script:greedy"]}`)
		must.Do(t, json.Unmarshal([]byte(text), &sits))
		seat = sits.Key
		fetch(t, http.DefaultClient, "POST", a+"api/play", seat, `{"seat":0,"step":0,"action":0}`)
	})
	serveWeb(t, args, roomLine, func(a, k string) {
		if a != address || k != guest {
			t.Errorf("the link was %s#%s, and is %s#%s", address, guest, a, k)
		}
		if text := fetch(t, http.DefaultClient, "GET", a+"api/text?seat=0", seat, ""); !strings.Contains(text,
			"fields 1 of 14") {
			t.Errorf("the game does not go on where it was: %s", text)
		}
		if c, out := runs(t, args...); c != exitFailed || !strings.Contains(out, "in use by process") {
			t.Errorf("a second host: exit code %d: %s", c, out)
		}
		fetch(t, http.DefaultClient, "POST", a+"api/leave", seat, `{}`)
		fetch(t, http.DefaultClient, "POST", a+"api/join", k, `{"table":1,"seat":0,"name":"Ben"}`)
	})

	// A table whose game is gone does not keep the others from going on.
	must.Do(t, os.Remove(filepath.Join(dir, "table-1-1.jsonl")))
	if out := serveWeb(t, args, roomLine, func(a, k string) {
		fetch(t, http.DefaultClient, "POST", a+"api/open", k, `{"game":"one-earth:players=1","seats":[]}`)
	}); !strings.Contains(out, "table 1 can't go on") {
		t.Errorf("printed is %s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "table-2-1.jsonl")); err != nil {
		t.Error(err)
	}
}

// Only a table's next game goes on with a file that is there.
func TestHostLaysAgain(t *testing.T) {
	h := &hosting{ctx: t.Context(), o: hostOptions{out: t.TempDir()}, stderr: io.Discard}
	for _, games := range []int{1, 2, 2, 1} {
		_, stop, err := h.lay(web.RoomTable{Number: 1, Games: games, Game: "one-earth:players=1", Seats: []string{"human"},
			Keys: web.NewKeys(1)}, false)
		_, again := os.Stat(filepath.Join(h.o.out, "table-1-2.jsonl"))
		if (err != nil) != (games == 1 && again == nil) {
			t.Errorf("game %d: %v", games, err)
		}
		if err == nil {
			stop()
		}
	}
}

func TestHostRefuses(t *testing.T) {
	broken := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(broken, roomFile), []byte(`{"keys":{"guest":"a"}}`), 0o600))
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--tables", "0"}, exitUsage, "--tables 0: a room has 1 to 1000"},
		{[]string{"--limit", "-1s"}, exitUsage, "--limit -1s"},
		{[]string{"--listen", "8080"}, exitUsage, "HOST:PORT"},
		{[]string{"--tls-cert", "x"}, exitUsage, "go together"},
		{[]string{"--tls-cert", "nothing", "--tls-key", "x"}, exitFailed, "--tls-cert and --tls-key: open nothing: "},
		{[]string{"--tls-cert", os.DevNull, "--tls-key", "x"}, exitFailed, "it is a device, not a regular file"},
		{[]string{"chess"}, exitUsage, "chess"},
		{[]string{"--out", broken}, exitFailed, "the keys of the room are missing; without the file"},
	} {
		if c, out := runs(t, append([]string{"host", "--no-browser", "--out", t.TempDir()},
			test.args...)...); c != test.code ||
			!strings.Contains(out, test.says) || strings.Contains(out, "the room:") {
			t.Errorf("%v: exit code %d: %s, want %d %s", test.args, c, out, test.code, test.says)
		}
	}
}

// runs runs a command line that ends by itself.
func runs(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out strings.Builder
	code = run(t.Context(), args, &out, &out)
	return code, out.String()
}
