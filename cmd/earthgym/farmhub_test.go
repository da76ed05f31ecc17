package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// kills is how many programs of a farm are killed in TestFarmSurvives.
var kills = flag.Int("kills", 3, "programs of a farm that are killed")

// A farmyard is a hub and workers as programs of their own.
type farmyard struct {
	*testing.T
	program, store, cache, url, page string
	env                              []string
}

func newFarmyard(t *testing.T, env ...string) *farmyard {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs are found by links")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	y := &farmyard{T: t, program: filepath.Join(t.TempDir(), "earthgym"), store: t.TempDir(), cache: t.TempDir(), env: env}
	if err := os.Symlink(self, y.program); err != nil {
		t.Fatal(err)
	}
	return y
}

// start starts a program, and gives it with its output so far once that has what is waited for.
func (y *farmyard) start(until *regexp.Regexp, args ...string) (*exec.Cmd, []string) {
	y.Helper()
	cmd := exec.Command(y.program, args...)
	cmd.Env = append(append(os.Environ(), "XDG_CACHE_HOME="+y.cache), y.env...)
	out, in, err := os.Pipe()
	if err != nil {
		y.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		y.Fatal(err)
	}
	in.Close()
	y.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		out.Close()
	})
	var said strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if found := until.FindStringSubmatch(said.String()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return cmd, found
		}
	}
	y.Fatalf("%q has said %q and ended", args, said.String())
	return nil, nil
}

// hub starts the hub, where it was before if it was.
func (y *farmyard) hub() *exec.Cmd {
	y.Helper()
	listen, page := "127.0.0.1:0", "127.0.0.1:0"
	if y.url != "" {
		listen, page = strings.TrimPrefix(y.url, "nats://"), strings.TrimPrefix(strings.TrimSuffix(y.page, "/"), "http://")
	}
	cmd, found := y.start(regexp.MustCompile(`hub: (\S+)\npage: (\S+)\n`), "farm", "hub", "--listen", listen, "--page", page,
		"--out", y.store)
	y.url, y.page = found[1], found[2]
	return cmd
}

func (y *farmyard) worker(name string) *exec.Cmd {
	y.Helper()
	cmd, _ := y.start(regexp.MustCompile("is at work at"), "farm", "worker", y.url, "--workers", "1", "--name", name)
	return cmd
}

// table is what a command shows; code is how it ended.
func (y *farmyard) table(args ...string) (out, errs string, code int) {
	y.Helper()
	cmd := exec.Command(y.program, args...)
	cmd.Env = append(append(os.Environ(), "XDG_CACHE_HOME="+y.cache), y.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// Whatever is played at a hub, its table is that of one machine, to the digit: with networks and data from files as
// well, which come by their hash.
func TestFarmHub(t *testing.T) {
	y := newFarmyard(t)
	y.hub()
	y.worker("a")
	y.worker("b")
	network := filepath.Join(t.TempDir(), "net.safetensors")
	saveNetwork(t, "resilience-earth:players=2", network)
	games := 300
	if testing.Short() { // so many packets at once are enough for the race detector
		games = 60
	}
	for _, line := range []string{
		"tournament resilience-earth:players=2 random script:naive script:greedy --record --out OUT --games " +
			fmt.Sprint(games),
		"match resilience-earth:players=2 random net:" + network + " --games 60",
		"match resilience-earth:players=2 random script:greedy --sprt return0=0,return1=0.5 --games 400",
		"crossplay resilience-earth:players=2 random script:greedy --games 40",
	} {
		words := func(out string) []string {
			return append(strings.Fields(strings.ReplaceAll(line, "OUT", out)), "--json")
		}
		want, errs, _ := y.table(words(filepath.Join(t.TempDir(), "alone"))...)
		out := filepath.Join(t.TempDir(), "farm")
		got, said, code := y.table(append(words(out), "--hub", y.url)...)
		if got != want || want == "" || code != exitOK {
			t.Errorf("%s: exit code %d, %.300q, want %.300q: %s%s", line, code, got, want, said, errs)
		}
		if !strings.Contains(line, "--record") {
			continue
		}
		if files, _ := filepath.Glob(filepath.Join(out, "records", "*", "*.jsonl")); len(files) < games {
			t.Errorf("%d records", len(files))
		}
	}
	out, errs, code := y.table("farm", "status", y.url)
	if code != exitOK || !strings.Contains(out, `of 1 at work`) || !strings.Contains(out, `worker "a": `) {
		t.Errorf("exit code %d, %q, %q", code, out, errs)
	}
	for path, want := range map[string]string{"backlog": "0\n", "metrics": "earthgym_farm_workers 2\n", "": `worker "b"`,
		"status.json": `"backlog":0`} {
		answer, err := http.Get(y.page + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("/%s: %q, %v", path, text, err)
		}
	}
	out, errs, code = y.table("match", "resilience-earth:players=2", "random", "remote:true", "--seed", "1",
		"--games", "2", "--hub", y.url)
	if !strings.Contains(errs, "this worker starts none") || code != exitOK || !strings.Contains(errs, "is parked") {
		t.Errorf("a program: exit code %d, %q, %q", code, out, errs)
	}
}

// Programs of a farm are killed at random moments, the hub, workers and the command, and the table is the same.
func TestFarmSurvives(t *testing.T) {
	if testing.Short() {
		t.Skip("programs are killed and started again")
	}
	y := newFarmyard(t)
	words := func(out string) []string {
		return []string{"tournament", "resilience-earth:players=2", "script:naive", "script:greedy", "script:strong",
			"--games", fmt.Sprint(1000 + 400**kills), "--json", "--out", out}
	}
	want, _, _ := y.table(words(filepath.Join(t.TempDir(), "alone"))...)
	hub, a := y.hub(), y.worker("a0")
	y.worker("b")
	dir := filepath.Join(t.TempDir(), "farm")
	var cmd *exec.Cmd
	var out, errs bytes.Buffer
	ended := make(chan error, 1)
	begin := func() {
		cmd = exec.Command(y.program, append(words(dir), "--hub", y.url)...)
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+y.cache)
		out.Reset()
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running := cmd
		go func() { ended <- running.Wait() }()
	}
	begin()
	for k := range *kills {
		select {
		case <-time.After(time.Duration(rand.N(1500)) * time.Millisecond): // A random moment, of whatever is done then.
		case err := <-ended:
			ended <- err
		}
		switch k % 3 {
		case 0:
			_ = hub.Process.Kill()
			_ = hub.Wait()
			hub = y.hub()
		case 1:
			_ = a.Process.Kill()
			_ = a.Wait()
			a = y.worker(fmt.Sprint("a", k))
		case 2:
			_ = cmd.Process.Kill()
			<-ended
			begin()
		}
	}
	if err := <-ended; err != nil || out.String() != want {
		t.Errorf("%v, %.300q, want %.300q: %s", err, out.String(), want, &errs)
	}
}

// What can't be is said in a sentence.
func TestFarmRefusals(t *testing.T) {
	cert := filepath.Join(t.TempDir(), "none.pem")
	for _, tt := range []struct {
		line string
		code int
		want string
	}{
		{"farm hub --listen 0.0.0.0:0", exitUsage, "others may connect there, so that a token is needed"},
		{"farm hub --listen 127.0.0.1:0 --page :0", exitUsage, "--page :0: others may connect there"},
		{"farm hub --listen nowhere", exitUsage, "it is HOST:PORT"},
		{"farm hub --tls " + cert, exitUsage, "it is two files"},
		{"farm hub --listen 127.0.0.1:0 --page 127.0.0.1:0 --tls " + cert + "," + cert, exitUsage, "--tls: open"},
		{"farm hub --copies 9", exitUsage, "1 to 5"},
		{"farm worker http://127.0.0.1:1", exitUsage, "is no address of a hub: it is nats://HOST:PORT"},
		{"farm worker nats://127.0.0.1:1", exitFailed, "nobody answers as a hub at nats://127.0.0.1:1"},
		{"farm worker nats://127.0.0.1:1 --name a.b", exitUsage, "is no name of a worker"},
		{"farm status nats://127.0.0.1:1", exitFailed, "nobody answers as a hub"},
		{"match one-earth random --hub nats://127.0.0.1:1", exitFailed, "nobody answers as a hub"},
		{"match one-earth random --hub nonsense", exitUsage, "is no address of a hub"},
		{"match one-earth random --hub nats://127.0.0.1:1 --shard 1/2", exitUsage, "--shard or --hub, not both"},
		{"dev figures --out x --hub nats://127.0.0.1:1", exitUsage, "by shards alone"},
		{"match one-earth remote:x --hub nats://127.0.0.1:1", exitUsage, "say the --seed"},
	} {
		var said strings.Builder
		code := run(t.Context(), strings.Fields(tt.line), &said, &said)
		if code != tt.code || !strings.Contains(said.String(), tt.want) || strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, %q; want %d and %q", tt.line, code, said.String(), tt.code, tt.want)
		}
	}
}
