package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"earthgym/cmd/earthgym/web"
	"earthgym/env/envtest/must"
)

// shared is output that is read while it is written.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

var linkLine = regexp.MustCompile(`: (https?://\S+/)table.html#(\S+)\n`)

// A table ends once, and is tried to be saved again where that has failed: what it has cost is told no second time.
func TestBegunEnds(t *testing.T) {
	left := []error{io.ErrShortWrite, nil}
	b := &begun{table: &laid{}, stop: func() error { defer func() { left = left[1:] }(); return left[0] }}
	for _, want := range []error{io.ErrShortWrite, nil, nil} {
		if err := b.end(); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// playWeb runs a table in the browser until the test has seen enough of it, and gives what was printed.
func playWeb(t *testing.T, args []string, visit func(address, key string)) string {
	t.Helper()
	return serveWeb(t, append([]string{"play", "--web", "--no-browser"}, args...), linkLine, visit)
}

// serveWeb runs what prints a link until the test has seen enough of it, and gives what was printed.
func serveWeb(t *testing.T, args []string, line *regexp.Regexp, visit func(address, key string)) string {
	t.Helper()
	http.DefaultClient.CloseIdleConnections() // to a server of before at the same address
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, code := &shared{}, make(chan int, 1)
	go func() { code <- run(ctx, args, out, out) }()
	deadline := time.After(10 * time.Minute)
	for {
		if m := line.FindStringSubmatch(out.String()); m != nil {
			visit(m[1], m[2])
			break
		}
		select {
		case c := <-code:
			t.Fatalf("exit code %d: %s", c, out)
		case <-deadline:
			t.Fatalf("no link is printed: %s", out)
		case <-time.After(10 * time.Millisecond):
		}
	}
	cancel()
	if c := <-code; (c == exitOK) == strings.Contains(out.String(), "earthgym: cannot write ") {
		t.Errorf("exit code %d: %s", c, out)
	}
	return out.String()
}

// fetch asks a table something.
func fetch(t *testing.T, client *http.Client, method, url, key, body string) string {
	t.Helper()
	r := must.Have(http.NewRequest(method, url, strings.NewReader(body)))(t)
	r.Header.Set("Authorization", "Bearer "+key)
	answer := must.Have(client.Do(r))(t)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %d %s %v", url, answer.StatusCode, b, err)
	}
	return string(b)
}

func TestPlayOnTheWeb(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my game.jsonl")
	var address, key string
	out := playWeb(t, []string{"resilience-earth:players=2", "human:Ada", "script:greedy", "--out", file},
		func(a, k string) {
			address, key = a, k
			if about := fetch(t, http.DefaultClient, "GET", a+"api/table", k, ""); !strings.Contains(about, `"host":true`) ||
				!strings.Contains(about, `"level:5"`) {
				t.Errorf("the table says of itself: %s", about)
			}
			fetch(t, http.DefaultClient, "POST", a+"api/play", k, `{"seat":0,"step":0,"action":0}`)
		})
	if !strings.Contains(out, "seat 1 alone: "+address) || strings.Contains(out, "seat 2 alone") ||
		!strings.Contains(out, "and --out '"+file+"' goes on.") || !strings.Contains(out, "the game is saved in "+file) {
		t.Errorf("printed is: %s", out)
	}
	playWeb(t, []string{"--out", file}, func(a, k string) {
		if a != address || k != key {
			t.Errorf("the link was %s#%s, and is %s#%s", address, key, a, k)
		}
		text := fetch(t, http.DefaultClient, "GET", a+"api/text?seat=0", k, "")
		if !strings.Contains(text, "fields 1 of 14") {
			t.Errorf("the game does not go on where it was: %s", text)
		}
	})
	out = playWeb(t, []string{"--out", file}, func(a, k string) {
		if err := os.RemoveAll(filepath.Dir(file)); err != nil {
			t.Fatal(err)
		}
		fetch(t, http.DefaultClient, "POST", a+"api/sit", k, `{"seat":0,"name":"Ben"}`)
	})
	if !strings.Contains(out, "earthgym: cannot write "+file) || strings.Contains(out, "the game is saved in") {
		t.Errorf("of a game that can't be saved it says: %s", out)
	}
}

// A game that is over and could not be saved is saved when its table is left, and otherwise whoever serves it hears.
func TestLeftUnsaved(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "full")
	must.Do(t, os.Mkdir(folder, 0o777))
	l := must.Have(layTable([]string{"resilience-earth:players=2", "script:greedy"},
		playOptions{out: filepath.Join(folder, "a.jsonl")}))(t)
	must.Do(t, os.RemoveAll(folder))
	_, stop, err := l.run(t.Context(), web.Options{Keys: web.NewKeys(2)})
	must.Do(t, err)
	must.Come(t, "the game does not end", func() bool { _, err := l.table.Record(); return err == nil })
	said := new(strings.Builder)
	b := &begun{ctx: t.Context(), w: said, stderr: said, table: l, stop: stop}
	_ = must.Have(b.begin(&web.Begin{Lesson: "one-earth"}))(t)
	if !strings.Contains(said.String(), "what was played before is not saved: cannot write "+l.file) {
		t.Errorf("it says %q", said)
	}
	must.Do(t, os.Mkdir(folder, 0o777))
	must.Do(t, stop())
	_ = must.Have(os.Stat(l.file))(t)
	must.Do(t, b.end())
}

// Without a game the page begins them, one after the other, and nothing else.
func TestPlayFromCovers(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, code := &shared{}, make(chan int, 1)
	go func() { code <- run(ctx, []string{"play", "--web", "--no-browser"}, out, out) }()
	var link []string
	for deadline := time.Now().Add(10 * time.Minute); link == nil && time.Now().
		Before(deadline); time.Sleep(10 * time.Millisecond) {
		link = regexp.MustCompile(`(http://\S+/)#(\S+)\n`).FindStringSubmatch(out.String())
	}
	if link == nil {
		t.Fatalf("no link is printed: %s", out)
	}
	ask := func(method, path, body string) (int, string) {
		r := must.Have(http.NewRequest(method, link[1]+"api/"+path, strings.NewReader(body)))(t)
		r.Header.Set("Authorization", "Bearer "+link[2])
		answer := must.Have(http.DefaultClient.Do(r))(t)
		defer answer.Body.Close()
		b, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(b)
	}
	wants := func(method, path, body string, status int, text string) {
		t.Helper()
		if got, said := ask(method, path, body); got != status || !strings.Contains(said, text) {
			t.Errorf("%s %s %s: %d %s, want %d and %s", method, path, body, got, said, status, text)
		}
	}
	wants("GET", "start", "", 200, `"saved":[],"table":""`)
	wants("GET", "table", "", 404, "no game has been begun yet")
	wants("POST", "begin", `{"game":"chess","seats":["human"]}`, 422, "unknown game")
	wants("POST", "begin", `{"game":"one-earth","seats":["human","remote:true"]}`, 422, "can't be seated from a page")
	wants("POST", "begin", `{"saved":"../x.jsonl"}`, 422, "there is no saved game")
	wants("POST", "begin", `{"game":"one-earth","seats":["human"],"puzzle":1}`, 400, "name one to begin with")
	wants("POST", "begin", `{"at":3}`, 404, "no game has been begun yet")
	wants("POST", "begin", `{"lesson":"one-earth"}`, 200, "table.html")
	wants("GET", "table", "", 200, `"title":"One Earth"`)
	wants("POST", "begin", `{"game":"resilience-earth:players=2","seats":["human:Ada","script:greedy"]}`, 200,
		"table.html")
	wants("GET", "table", "", 200, `"title":"Resilience Earth"`)
	wants("POST", "play", `{"seat":0,"step":0,"action":0}`, 200, "")
	wants("POST", "begin", `{"at":0}`, 422, "when the game is over")
	_, start := ask("GET", "start", "")
	name := regexp.MustCompile(
		`"name":"([^"]+)","title":"Resilience Earth","decisions":1,"seats":\["human:Ada","script:greedy"\],"over":false`).
		FindStringSubmatch(start)
	if name == nil {
		t.Fatalf("the game is not among those that are saved: %s", start)
	}
	wants("POST", "begin", fmt.Sprintf(`{"look":%q}`, name[1]), 422, "is still being played")
	wants("POST", "begin", `{"lesson":"new-earth"}`, 200, "table.html")
	wants("POST", "begin", fmt.Sprintf(`{"saved":%q}`, name[1]), 200, "table.html")
	wants("GET", "text?seat=0", "", 200, "fields 1 of 14")
	cancel()
	if c := <-code; c != exitOK || !strings.Contains(out.String(), "the game is saved in records/"+name[1]) {
		t.Errorf("exit code %d: %s", c, out)
	}
}

// A game goes on with the limit that it was begun with.
func TestResumeKeepsLimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.jsonl")
	left := func(a, k string) {
		if now := fetch(t, http.DefaultClient, "GET", a+"api/table", k, ""); now == "" {
			t.Error("no table")
		}
		r := must.Have(http.NewRequestWithContext(t.Context(), "GET", a+"api/events?seat=0", nil))(t)
		r.Header.Set("Authorization", "Bearer "+k)
		answer := must.Have(http.DefaultClient.Do(r))(t)
		defer answer.Body.Close()
		if line, _ := bufio.NewReader(answer.Body).ReadString('\n'); !regexp.MustCompile(`"left":\d`).MatchString(line) {
			t.Errorf("nobody is in a hurry: %.300s", line)
		}
	}
	playWeb(t, []string{"resilience-earth:players=2", "human", "script:greedy", "--limit", "1h", "--out", file}, left)
	playWeb(t, []string{"--out", file}, left)
}

func TestPlayOverTLS(t *testing.T) {
	dir := t.TempDir()
	lender := httptest.NewTLSServer(http.NotFoundHandler()) // of a certificate for 127.0.0.1
	defer lender.Close()
	cert := lender.TLS.Certificates[0]
	key := must.Have(x509.MarshalPKCS8PrivateKey(cert.PrivateKey))(t)
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: cert.Certificate[0]},
		"key.pem": {Type: "PRIVATE KEY", Bytes: key}} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	args := []string{"resilience-earth", "--out", filepath.Join(dir, "game.jsonl"), "--tls-cert",
		filepath.Join(dir, "cert.pem"), "--tls-key", filepath.Join(dir, "key.pem")}
	playWeb(t, args, func(address, key string) {
		if !strings.HasPrefix(address, "https://") {
			t.Errorf("the link is %s", address)
		}
		client := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: lender.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}}}
		defer client.CloseIdleConnections()
		fetch(t, client, "GET", address+"api/table", key, "")
	})
}
