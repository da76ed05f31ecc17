package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural/gemm"
	"earthgym/env/envtest/must"
	"earthgym/env/farm"
	"earthgym/env/farm/jetstream"
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
	self := must.Have(os.Executable())(t)
	y := &farmyard{T: t, program: filepath.Join(t.TempDir(), "earthgym"), store: t.TempDir(), cache: t.TempDir(), env: env}
	must.Do(t, os.Symlink(self, y.program))
	return y
}

// environ is what its programs see: those that are killed leave nothing behind outside the test's own folders.
func (y *farmyard) environ(more ...string) []string {
	return append(append(os.Environ(), "XDG_CACHE_HOME="+y.cache, "TMPDIR="+y.cache), more...)
}

// start starts a program, and gives it with its output so far once that has what is waited for.
func (y *farmyard) start(until *regexp.Regexp, args ...string) (*exec.Cmd, []string) {
	y.Helper()
	cmd := exec.Command(y.program, args...)
	cmd.Env = y.environ(y.env...)
	out, in, err := os.Pipe()
	if err != nil {
		y.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = in, in
	must.Do(y, cmd.Start())
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

// hub starts the hub, where it was before if it was, with its own store unless more says otherwise.
func (y *farmyard) hub(more ...string) *exec.Cmd {
	y.Helper()
	listen, page := "127.0.0.1:0", "127.0.0.1:0"
	if y.url != "" {
		listen, page = strings.TrimPrefix(y.url, "nats://"), strings.TrimPrefix(strings.TrimSuffix(y.page, "/"), "http://")
	}
	args := []string{"farm", "hub", "--page", page}
	if !slices.Contains(more, "--nats") {
		args = append(args, "--listen", listen, "--out", y.store)
	}
	cmd, found := y.start(regexp.MustCompile(`hub: (\S+)\npage: (\S+)\n`), append(args, more...)...)
	y.url, y.page = found[1], found[2]
	return cmd
}

func (y *farmyard) worker() (cmd *exec.Cmd, name string) {
	y.Helper()
	cmd, found := y.start(regexp.MustCompile(`worker (\S+) is at work at`), "farm", "worker", y.url, "--workers", "1")
	return cmd, found[1]
}

// table is what a command shows; code is how it ended.
func (y *farmyard) table(args ...string) (out, errs string, code int) {
	y.Helper()
	cmd := exec.Command(y.program, args...)
	cmd.Env = y.environ(y.env...)
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
	_, first := y.worker()
	_, second := y.worker()
	network := filepath.Join(t.TempDir(), "net.safetensors")
	saveNetwork(t, "resilience-earth:players=2", network)
	games := 300
	if testing.Short() { // so many packets at once are enough for the race detector
		games = 60
	}
	for _, line := range []string{
		"tournament resilience-earth:players=2 random script:naive script:greedy --record --out OUT --games " +
			fmt.Sprint(games),
		"tournament resilience-earth:players=2 random script:naive script:greedy --until 0.05 --games 5000 --out OUT",
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
	if code != exitOK || !strings.Contains(out, `of 1 at work`) ||
		!strings.Contains(out, fmt.Sprintf("worker %q: ", first)) {
		t.Errorf("exit code %d, %q, %q", code, out, errs)
	}
	for path, want := range map[string]string{"backlog": "0\n", "metrics": "earthgym_farm_workers 2\n", "": "farm.js",
		"status.json": `"backlog":0`, "api/farm": fmt.Sprintf(`"who":%q`, second)} {
		answer := must.Have(http.Get(y.page + path))(t)
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

// A network is added to a tournament, whose table is then that of one machine with all of them; the page shows how it
// stands, and its games.
func TestFarmArena(t *testing.T) {
	t.Parallel() // Most of it is waiting.
	y := newFarmyard(t)
	y.hub()
	network := filepath.Join(t.TempDir(), "net.safetensors")
	saveNetwork(t, "resilience-earth:players=2", network)
	line := func(out string, more ...string) []string {
		return append(strings.Fields("tournament resilience-earth:players=2 random script:strong --games 600 --record "+
			"--json --out "+out), more...)
	}
	cup := filepath.Join(t.TempDir(), "cup")
	tables := make(chan string, 1)
	go func() {
		table, said, _ := y.table(append(line(cup), "--hub", y.url)...)
		tables <- table + said[:min(len(said), max(0, 1-len(table)))]
	}()
	for _, add := range []struct {
		agent, want string
		code        int
	}{
		{network, "random script:strong net:", exitOK}, {"script:nobody", "script:nobody", exitFailed},
		{"remote:true", "--start-programs and a --seed", exitFailed},
		{"script:strong,x=a/b", "neither a network nor an agent that is built in", exitFailed},
	} {
		if out, errs, code := y.table("farm", "add", y.url, add.agent); code != add.code ||
			!strings.Contains(out+errs, add.want) {
			t.Fatalf("%s: exit code %d, %q, %q", add.agent, code, out, errs)
		}
	}
	y.worker()
	added, _ := filepath.Glob(filepath.Join(cup, "net.safetensors-*"))
	if len(added) != 1 {
		t.Fatal(added)
	}
	want, errs, _ := y.table(line(filepath.Join(t.TempDir(), "alone"), "net:"+added[0])...)
	if got := <-tables; got != want || want == "" {
		t.Errorf("%.300q, want %.300q: %s", got, want, errs)
	}

	lasting := exec.Command(y.program, strings.Fields("tournament resilience-earth:players=2 random script:naive "+
		"--record --games 1000000 --out "+filepath.Join(t.TempDir(), "lasting")+" --hub "+y.url)...)
	must.Do(t, lasting.Start())
	t.Cleanup(func() { _ = lasting.Process.Kill(); _ = lasting.Wait() })
	game := regexp.MustCompile(`"rated":true.*"games":\{"[^"]+":"([0-9a-f]{64})"`)
	get := func(path string) string {
		ask, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, y.page+path, nil)
		ask.Header.Set("Authorization", "Bearer open")
		answer, err := http.DefaultClient.Do(ask)
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return string(text)
	}
	var found []string
	for ; found == nil && t.Context().Err() == nil; time.Sleep(100 * time.Millisecond) {
		found = game.FindStringSubmatch(get("api/farm"))
	}
	for path, want := range map[string]string{"": "watch.js", "api/film": `"film":`} {
		if got := get("watch/" + found[1] + "/" + path); !strings.Contains(got, want) {
			t.Errorf("%s: %.300q", path, got)
		}
	}
}

// Whoever answers what can't be what was asked for is set aside with the reason, the command goes on, and its table is
// that of one machine.
func TestFarmForgery(t *testing.T) {
	y := newFarmyard(t)
	y.hub()
	line := strings.Fields("tournament resilience-earth:players=2 random script:greedy --games 400 --seed 5 --json --out")
	want, errs, _ := y.table(append(line, filepath.Join(t.TempDir(), "alone"))...)
	forgeries := map[string]struct {
		forge func(text string) string
		why   string
	}{
		"nonsense": {nil, "it answers nonsense"},
		"nothing":  {func(string) string { return "{}" }, "it was left out"},
		"other-seats": {func(text string) string { return strings.ReplaceAll(text, `"returns":[`, `"returns":[0,`) },
			"results of another number of seats"},
		"other-form": {func(text string) string { return strings.ReplaceAll(text, `"returns":[`, `"returns":"x","y":[`) },
			"is no result of that"},
		"half":  {func(text string) string { return strings.ReplaceAll(text, ` 1 "`, ` 7 "`) }, "not those of a piece"},
		"twice": {func(text string) string { return strings.ReplaceAll(text, ` 1 "`, ` 0 "`) }, "not those of a piece"},
		"long": {func(text string) string {
			return strings.ReplaceAll(text, `{"game":`, strings.Repeat(" ", 1<<18)+`{"game":`)
		},
			"more than 131072 bytes"},
		"no-part": {func(text string) string { return text + "\nnothing" }, "is no part of a piece"},
		"no-json": {func(text string) string { return strings.ReplaceAll(text, `{"game":`, `{game":`) },
			"is no result of that"},
		"no-thought": {func(text string) string { return strings.ReplaceAll(text, "\n[[", "\n[") }, "is no result of that"},
		"above":      {leaves("../tournament.json"), "which is in no folder of the command"},
		"inside":     {leaves("tournament.json"), `leaves no "tournament.json"`},
	}
	var all sync.WaitGroup
	for name, f := range forgeries {
		client := must.Have(jetstream.Dial(name, y.url, ""))(t)
		t.Cleanup(client.Close)
		all.Go(func() { y.forge(name, client, f.forge) })
	}
	go func() { all.Wait(); y.worker() }()
	got, said, code := y.table(append(line, filepath.Join(t.TempDir(), "farm"), "--hub", y.url)...)
	if got != want || want == "" || code != exitOK {
		t.Errorf("exit code %d, %.300q, want %.300q: %s%s", code, got, want, said, errs)
	}
	status, _, _ := y.table("farm", "status", y.url)
	for name, f := range forgeries {
		for text, sentence := range map[string]string{said: "worker " + name + " is set aside: ",
			status: fmt.Sprintf("not by %q: ", name)} {
			_, why, _ := strings.Cut(text, sentence)
			if why, _, _ = strings.Cut(why, "\n"); !strings.Contains(why, f.why) || why == "" {
				t.Errorf("%s: %q has %q, want %q", name, text, why, f.why)
			}
		}
	}
}

// A worker whose kernels round otherwise does nothing of a match with networks, and both classes are named.
func TestFarmOfAnotherClass(t *testing.T) {
	if k, err := gemm.Select(); err != nil || k.Class() == "portable" {
		t.Skip("there are no other kernels here")
	}
	y := newFarmyard(t)
	y.hub()
	network := filepath.Join(t.TempDir(), "net.safetensors")
	saveNetwork(t, "resilience-earth:players=2", network)
	line := []string{"match", "resilience-earth:players=2", "random", "net:" + network, "--games", "40", "--json"}
	want, _, _ := y.table(line...)
	y.env = []string{gemm.Env + "=portable"}
	_, old := y.worker()
	y.env = nil
	why := fmt.Sprintf("not by %q: it has kernels: portable, and not kernels: fused", old)
	go func() {
		for status := ""; !strings.Contains(status, why) && t.Context().Err() == nil; time.Sleep(200 * time.Millisecond) {
			status, _, _ = y.table("farm", "status", y.url)
		}
		y.worker()
	}()
	if got, said, code := y.table(append(line, "--hub", y.url)...); got != want || code != exitOK {
		t.Errorf("exit code %d, %.300q, want %.300q: %s", code, got, want, said)
	}
}

// What is said to a hub with TLS can be read by it alone: those who don't know its certificate stay out, as do those
// without the token, and a worker's token asks for nothing.
func TestFarmEncrypted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what certificates are known is said elsewhere")
	}
	y := newFarmyard(t)
	cert, key := certificate(t)
	y.env = []string{"SSL_CERT_FILE=" + cert, tokenVariable + "=secret"}
	y.hub("--tls", cert+","+key)
	if !strings.HasPrefix(y.url, "tls://") {
		t.Fatalf("it serves at %s", y.url)
	}
	line := strings.Fields("match resilience-earth:players=2 random script:greedy --games 40 --json")
	want, _, _ := y.table(line...)
	line = append(line, "--hub", y.url)
	worker := tokenVariable + "=" + jetstream.WorkerToken("secret")
	for name, tt := range map[string]struct {
		env  []string
		want string
	}{
		"unknown certificate": {[]string{"SSL_CERT_FILE=" + key, tokenVariable + "=secret"}, "certificate"},
		"no token":            {[]string{"SSL_CERT_FILE=" + cert}, "lets nobody in with this token"},
		"a worker's token":    {[]string{"SSL_CERT_FILE=" + cert, worker}, "this is the token of workers"},
	} {
		y.env = tt.env
		got, said, code := y.table(line...)
		if code == exitOK || got != "" || !strings.Contains(said, tt.want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q, %q, want %q", name, code, got, said, tt.want)
		}
	}
	y.env = []string{"SSL_CERT_FILE=" + cert, worker}
	y.worker()
	y.env = []string{"SSL_CERT_FILE=" + cert, tokenVariable + "=secret"}
	if got, said, code := y.table(line...); got != want || code != exitOK {
		t.Errorf("exit code %d, %.300q, want %.300q: %s", code, got, want, said)
	}
}

// certificate makes one of this machine, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private := must.Have(ecdsa.GenerateKey(elliptic.P256(), crand.Reader))(t)
	of := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true}
	signed := must.Have(x509.CreateCertificate(crand.Reader, of, of, private.Public(), private))(t)
	kept := must.Have(x509.MarshalPKCS8PrivateKey(private))(t)
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: signed},
		key: {Type: "PRIVATE KEY", Bytes: kept}} {
		must.Do(t, os.WriteFile(name, pem.EncodeToMemory(block), 0o600))
	}
	return cert, key
}

// A NATS that is somebody else's serves as well, unless its messages may not be large enough.
func TestFarmOutside(t *testing.T) {
	y := newFarmyard(t)
	outside := func(payload int32) string {
		s := must.Have(server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
			StoreDir: t.TempDir(), MaxPayload: payload, NoSigs: true, NoLog: true}))(t)
		go s.Start()
		t.Cleanup(s.Shutdown)
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("no NATS")
		}
		return s.ClientURL()
	}
	_, said, code := y.table("farm", "hub", "--page", "127.0.0.1:0", "--nats", outside(1<<20))
	if want := "max_payload is 1048576 bytes, and has to be 8388608"; code != exitFailed || !strings.Contains(said, want) {
		t.Errorf("exit code %d, %q, want %q", code, said, want)
	}
	y.hub("--nats", outside(8<<20))
	y.worker()
	line := strings.Fields("match resilience-earth:players=2 random script:greedy --games 100 --json")
	want, _, _ := y.table(line...)
	if got, said, code := y.table(append(line, "--hub", y.url)...); got != want || want == "" || code != exitOK {
		t.Errorf("exit code %d, %.300q, want %.300q: %s", code, got, want, said)
	}
}

// leaves forges that a game has left a file.
func leaves(name string) func(text string) string {
	return func(text string) string {
		return strings.ReplaceAll(text, ` ""`, fmt.Sprintf(" %q", name))
	}
}

// forge does one bundle, and answers what was made of it.
func (y *farmyard) forge(name string, client *jetstream.Client, forge func(text string) string) {
	ctx := y.Context()
	for ctx.Err() == nil {
		task, err := client.Take(ctx)
		if err != nil {
			return
		}
		var b farm.Bundle
		z, err := gzip.NewReader(bytes.NewReader(task.Text))
		if err == nil {
			err = json.NewDecoder(z).Decode(&b)
		}
		if err != nil {
			y.Error(err)
			return
		}
		if slices.Contains(b.Not, name) {
			_ = task.Back(0)
			continue
		}
		answer, err := doHere(ctx, client, &b)
		if err != nil {
			y.Error(err)
			return
		}
		text, err := answer.Pack()
		if err != nil {
			y.Error(err)
			return
		}
		if forge == nil {
			text = []byte("nonsense")
		} else {
			z, err := gzip.NewReader(bytes.NewReader(text))
			if err != nil {
				y.Error(err)
				return
			}
			plain, err := io.ReadAll(z)
			var packed bytes.Buffer
			to := gzip.NewWriter(&packed)
			_, wrong := io.WriteString(to, forge(string(plain)))
			if err := errors.Join(err, wrong, to.Close()); err != nil {
				y.Error(err)
				return
			}
			text = packed.Bytes()
		}
		if err := errors.Join(err, client.Answer(ctx, b.Job, b.Name, text), task.Done(ctx)); err != nil {
			y.Error(err)
		}
		return
	}
}

// Whole runs are pieces as well: a worker that is killed in the middle of one loses it to another, which goes on where
// it was saved; what they say is heard meanwhile, and their networks are those of one machine.
func TestFarmRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("a worker is killed and waited for")
	}
	t.Parallel() // Most of it is waiting.
	y := newFarmyard(t)
	line := func(seeds, decisions int, out string, more ...string) []string {
		return append([]string{"train", "resilience-earth:players=2", "--seeds", fmt.Sprint(seeds), "--seed", "5",
			"--decisions", fmt.Sprint(decisions), "--clone", "", "--opponents", "random", "--num-envs", "8", "--num-steps", "32",
			"--hidden", "32", "--eval-games", "4", "--out", out}, more...)
	}
	// The command looks every other second: a run has to last longer for what it says to be heard.
	const short, long = 20_000, 300_000
	dir := t.TempDir()
	alone, out, one := filepath.Join(dir, "alone [1]"), filepath.Join(dir, "farm"), filepath.Join(dir, "one")
	for _, words := range [][]string{line(2, short, alone), line(1, long, one+"-alone")} {
		if _, said, code := y.table(words...); code != exitOK {
			t.Fatalf("exit code %d, %q", code, said)
		}
	}
	y.hub()
	a, _ := y.worker()
	if _, said, code := y.table(line(2, short, alone, "--hub", y.url)...); code != exitUsage ||
		!strings.Contains(said, "is a run of this machine") {
		t.Errorf("runs of this machine in the same folder: exit code %d, %q", code, said)
	}
	if table, said, code := y.table(line(2, short, out, "--hub", y.url)...); code != exitOK ||
		!strings.Contains(table, "2 seeds: lead in return over random") {
		t.Errorf("exit code %d, %q, %q", code, table, said)
	}
	over, taken := make(chan bool), make(chan bool)
	go func() {
		defer close(taken)
		for status := ""; !strings.Contains(status, `"saved"`); time.Sleep(200 * time.Millisecond) {
			select {
			case <-over:
				t.Error("the run was over before it was saved")
				return
			default:
				status, _, _ = y.table("farm", "status", y.url, "--json")
			}
		}
		_ = a.Process.Kill()
		y.worker()
	}()
	table, said, code := y.table(line(1, long, one, "--hub", y.url)...)
	close(over)
	<-taken
	if code != exitOK || !strings.Contains(table, "agent: net:"+one) || !strings.Contains(said, " at worker ") {
		t.Errorf("exit code %d, %q, %q", code, table, said)
	}
	for made, like := range map[string]string{filepath.Join(out, "seed-5"): filepath.Join(alone, "seed-5"),
		filepath.Join(out, "seed-6"): filepath.Join(alone, "seed-6"), one: one + "-alone"} {
		want, err := os.ReadFile(filepath.Join(like, checkpoint.Best))
		got, wrong := os.ReadFile(filepath.Join(made, checkpoint.Best))
		if err != nil || wrong != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: another network, %v, %v", made, err, wrong)
		}
	}
	seconds := regexp.MustCompile(`"seconds":[^,]*,`)
	exploited := func(out string, more ...string) string {
		table, said, code := y.table(append(strings.Fields("exploit resilience-earth:players=2 script:naive "+
			"--decisions 4000 --games 40 --seed 3 --json --out "+out), more...)...)
		kept, err := os.ReadFile(filepath.Join(out, exploitFile))
		if code != exitOK || err != nil || table != string(kept) {
			t.Errorf("exit code %d, %q, %q, %q, %v", code, table, kept, said, err)
		}
		return strings.ReplaceAll(seconds.ReplaceAllString(table, ""), out, "OUT")
	}
	out = filepath.Join(dir, "exploit")
	want := exploited(filepath.Join(t.TempDir(), "alone"))
	if got := exploited(out, "--hub", y.url); got != want || !strings.Contains(want, "net:OUT") {
		t.Errorf("exploit gives %s, want %s", got, want)
	}
	must.Do(t, os.RemoveAll(filepath.Join(out, "shard")))
	if _, said, code := y.table("exploit", "resilience-earth:players=2", "random", "--out", out, "--hub", y.url); code !=
		exitUsage || !strings.Contains(said, "is a run of this machine") {
		t.Errorf("another run in the same folder: exit code %d, %q", code, said)
	}
}

// A hub whose disk is full keeps nobody's work, says so, and goes on when there is room again: nothing is lost.
func TestFarmFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("a disk is filled and waited for")
	}
	t.Parallel() // Most of it is waiting.
	y := newFarmyard(t)
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", y.store).CombinedOutput(); err != nil {
		t.Skipf("no disk of four megabytes can be made here: %s", out)
	}
	t.Cleanup(func() { // After the hub, which is cleaned up first.
		if out, err := exec.Command("umount", "-l", y.store).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	line := strings.Fields("match resilience-earth:players=2 random script:greedy --games 2000 --seed 1 --json")
	want, _, _ := y.table(line...)
	y.hub()
	y.worker()
	fill := must.Have(os.Create(filepath.Join(y.store, "fill")))(t)
	if _, err := io.Copy(fill, rand.NewChaCha8([32]byte{})); err == nil {
		t.Fatal("there is room for ever")
	}
	fill.Close()
	said, in := io.Pipe()
	cmd := exec.Command(y.program, append(line, "--hub", y.url)...)
	cmd.Env = y.environ()
	var got bytes.Buffer
	cmd.Stdout, cmd.Stderr = &got, in
	must.Do(t, cmd.Start())
	go func() { in.CloseWithError(cmd.Wait()) }()
	lines := bufio.NewScanner(said)
	for full := false; lines.Scan(); {
		if !full && strings.Contains(lines.Text(), "the hub's store is full") {
			full = true
			if err := os.Remove(fill.Name()); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := os.Stat(fill.Name()); lines.Err() != nil || err == nil || got.String() != want {
		t.Errorf("%v, %v, %.300q, want %.300q", lines.Err(), err, got.String(), want)
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
	hub := y.hub()
	a, _ := y.worker()
	y.worker()
	dir := filepath.Join(t.TempDir(), "farm")
	var cmd *exec.Cmd
	var out, errs bytes.Buffer
	ended := make(chan error, 1)
	begin := func() {
		cmd = exec.Command(y.program, append(words(dir), "--hub", y.url)...)
		cmd.Env = y.environ()
		out.Reset()
		cmd.Stdout, cmd.Stderr = &out, &errs
		must.Do(t, cmd.Start())
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
			a, _ = y.worker()
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
		{"farm add http://127.0.0.1:1 net:nowhere", exitUsage, "is no address of a hub"},
		{"farm add nats://127.0.0.1:1 random", exitFailed, "nobody answers as a hub"},
		{"farm add nats://127.0.0.1:1", exitUsage, "an AGENT"},
		{"farm worker http://127.0.0.1:1", exitUsage, "is no address of a hub: it is nats://HOST:PORT"},
		{"farm worker nats://127.0.0.1:1", exitFailed, "nobody answers as a hub at nats://127.0.0.1:1"},
		{"farm worker nats://127.0.0.1:1 --name a", exitUsage, "unknown flag --name"},
		{"exploit one-earth random --out x --shard 1/2", exitUsage, "unknown flag --shard"},
		{"exploit one-earth random --out x --hub nonsense", exitUsage, "is no address of a hub"},
		{"exploit one-earth random --out x --hub nats://127.0.0.1:1", exitFailed, "nobody answers as a hub"},
		{"farm status nats://127.0.0.1:1", exitFailed, "nobody answers as a hub"},
		{"match one-earth random --hub nats://127.0.0.1:1", exitFailed, "nobody answers as a hub"},
		{"match one-earth random --hub nonsense", exitUsage, "is no address of a hub"},
		{"match one-earth random --hub nats://127.0.0.1:1 --shard 1/2", exitUsage, "--shard or --hub, not both"},
		{"dev figures --out x --hub nats://127.0.0.1:1", exitUsage, "say how many cores each run has, --workers N"},
		{"train one-earth --seeds 2 --hub nats://127.0.0.1:1", exitUsage, "say where the runs go: --out FOLDER"},
		{"train one-earth --shard 1/2 --out x", exitUsage, "--shard is for several --seeds"},
		{"train one-earth --clone records:x --seeds 2 --out x --hub nats://127.0.0.1:1", exitUsage, "on this machine alone"},
		{"match one-earth remote:x --hub nats://127.0.0.1:1", exitUsage, "say the --seed"},
	} {
		var said strings.Builder
		code := run(t.Context(), strings.Fields(tt.line), &said, &said)
		if code != tt.code || !strings.Contains(said.String(), tt.want) || strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, %q; want %d and %q", tt.line, code, said.String(), tt.code, tt.want)
		}
	}
}
