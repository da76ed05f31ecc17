//go:build unix

package agents_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
)

// TestMain is the tests, or, if a behaviour is named, an agent that shows it.
func TestMain(m *testing.M) {
	if behaviour := os.Getenv("EARTHGYM_TEST_AGENT"); behaviour != "" {
		behave(behaviour)
		return
	}
	os.Exit(m.Run())
}

func say(head map[string]any, payload []byte) {
	h, err := msgpack.Marshal(head)
	if err != nil {
		panic(err)
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(4+len(h)+len(payload)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(h)))
	os.Stdout.Write(append(append(b, h...), payload...))
}

func hear() (head map[string]any) {
	var lengths [8]byte
	if _, err := io.ReadFull(os.Stdin, lengths[:]); err != nil {
		os.Exit(0)
	}
	rest := make([]byte, binary.LittleEndian.Uint32(lengths[:])-4)
	if _, err := io.ReadFull(os.Stdin, rest); err != nil {
		os.Exit(0)
	}
	if err := msgpack.Unmarshal(rest[:binary.LittleEndian.Uint32(lengths[4:])], &head); err != nil {
		panic(err)
	}
	return head
}

// behave is an agent written in nothing but what PROTOCOL.md says.
func behave(how string) {
	switch how {
	case "mute":
		return
	case "squat":
		squat()
	case "silent":
		note("start")
		squat()
	case "fails at first":
		if note("start"); len(noted()) == 1 {
			os.Exit(4)
		}
	case "earthgym": // a program that opens an agent
		os.Setenv("EARTHGYM_TEST_AGENT", "play with a child")
		m, err := agents.Open("remote:'"+os.Args[0]+"'", kuhn.Open(2))
		if err != nil {
			panic(err)
		}
		if _, err := m.New(); err != nil {
			panic(err)
		}
		time.Sleep(time.Minute)
	case "play with a child":
		startChild("squat", false)
	}
	if strings.HasPrefix(how, "escape") {
		startChild("squat", true)
	}
	if how == "escape and squat" {
		os.Stdout.WriteString("EARTHGYM")
		squat()
	}
	os.Stdout.WriteString("EARTHGYM\x01\x00\x00\x00")
	say(map[string]any{"id": 1, "op": "hello", "protocol": []int{1, 0}, "role": "seat", "client": how}, nil)
	hear()
	acts := 0
	for {
		request := hear()
		if request["op"] != "act" {
			say(map[string]any{"id": request["id"]}, nil)
			continue
		}
		acts++
		switch {
		case how == "think" && acts == 1:
			note("asked")
			if len(noted()) == 1 {
				time.Sleep(time.Minute)
			}
			say(map[string]any{"id": request["id"]}, []byte{0, 0, 0, 0})
		case how == "crash", how == "crash later" && acts > 2:
			os.Exit(3)
		case how == "hang", how == "escape and hang":
			time.Sleep(time.Hour)
		case how == "escape and end":
			os.Exit(0)
		case how == "escape and stop halfway":
			os.Stdout.WriteString("\x00\x00")
			time.Sleep(time.Hour)
		case how == "ask for ever":
			for {
				say(map[string]any{"id": 1, "op": "text"}, nil)
				hear()
			}
		case how == "spend" && os.Getenv("EARTHGYM_LLM_KEY") != "":
			os.Exit(3)
		case how == "nonsense":
			fmt.Println("I think I'd rather bet.")
		case how == "illegal":
			say(map[string]any{"id": request["id"]}, []byte{9, 0, 0, 0})
		default:
			say(map[string]any{"id": request["id"]}, []byte{byte(acts % 2), 0, 0, 0})
		}
	}
}

// note adds a line to what the processes of an agent note for a test.
func note(line string) {
	f, err := os.OpenFile(os.Getenv("EARTHGYM_TEST_NOTES"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}

// noted is what they have noted.
func noted() []string {
	b, err := os.ReadFile(os.Getenv("EARTHGYM_TEST_NOTES"))
	if err != nil {
		return nil
	}
	return strings.Fields(string(b))
}

// notes has what is noted stand in a file of the test.
func notes(t *testing.T) {
	t.Helper()
	t.Setenv("EARTHGYM_TEST_NOTES", filepath.Join(t.TempDir(), "notes"))
}

// openBehaviour opens this test program as an agent.
func openBehaviour(t *testing.T, how, options string) (*agents.Maker, error) {
	t.Helper()
	t.Setenv("EARTHGYM_TEST_AGENT", how)
	return agents.Open("remote:"+options+"'"+os.Args[0]+"'", kuhn.Open(2))
}

// playAgainstRandom plays one game with the remote agent first to act.
func playAgainstRandom(t *testing.T, a agents.Agent, seed uint64) error {
	t.Helper()
	g := kuhn.Open(2)
	other := must.Have(agents.Open("random", g))(t)
	second := must.Have(other.New())(t)
	ref := must.Have(referee.New(g, seed))(t)
	return agents.Play(context.Background(), ref, []agents.Agent{a, second}, nil)
}

func TestRemotePlays(t *testing.T) {
	m := must.Have(openBehaviour(t, "play", ""))(t)
	for range 2 { // the first process, and a second one
		a := must.Have(m.New())(t)
		for seed := range uint64(10) {
			must.Do(t, playAgainstRandom(t, a, seed))
		}
		if err := a.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}

// newBehaviour is an agent of that behaviour, until the test is over.
func newBehaviour(t *testing.T, behaviour string) agents.Agent {
	t.Helper()
	m := must.Have(openBehaviour(t, behaviour, ""))(t)
	a := must.Have(m.New())(t)
	t.Cleanup(func() { a.(io.Closer).Close() })
	return a
}

// The key of a language model's server is no program's business.
func TestRemoteGetsNoKey(t *testing.T) {
	t.Setenv("EARTHGYM_LLM_KEY", "secret")
	a := newBehaviour(t, "spend")
	if err := playAgainstRandom(t, a, 1); err != nil {
		t.Errorf("a program that ends where it finds the key: %v", err)
	}
}

func TestRemoteForfeits(t *testing.T) {
	for _, tt := range []struct {
		how, options string
		kind         agents.Fault
		want         string
	}{
		{"crash", "", agents.Crash, "the program has ended: exit status 3"},
		{"hang", "limit=300ms,", agents.Timeout, "no answer within 300ms"},
		{"nonsense", "", agents.Illegal, "frame_too_large"},
		{"illegal", "", agents.Illegal, "illegal action"},
	} {
		m := must.Have(openBehaviour(t, tt.how, tt.options))(t)
		a := must.Have(m.New())(t)
		for seed := range uint64(2) { // and again, with a new process
			err := playAgainstRandom(t, a, seed)
			if forfeit, ok := errors.AsType[*agents.ForfeitError](err); !ok || forfeit.Seat != 0 || forfeit.Kind != tt.kind ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %+v, want a forfeit of seat 0 (%s): %s", tt.how, err, tt.kind, tt.want)
			}
		}
		if err := a.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}

// A program that has crashed plays the next game anew.
func TestRemoteComesBack(t *testing.T) {
	a := newBehaviour(t, "crash later")
	played, lost := 0, 0
	for seed := range uint64(12) {
		if playAgainstRandom(t, a, seed) != nil {
			lost++
		} else {
			played++
		}
	}
	if played < 3 || lost < 2 {
		t.Errorf("%d games played and %d forfeited", played, lost)
	}
}

// What can't be started is an error of the text: of no game has anything been played.
func TestRemoteOpenErrors(t *testing.T) {
	g, dir := kuhn.Open(2), t.TempDir()
	for name, mode := range map[string]os.FileMode{"data": 0o600, "junk": 0o700} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte{0, 1, 2, 3}, mode))
	}
	for text, want := range map[string]string{
		"remote:":                        "name the program",
		"remote:limit=2,x":               "limit=2: it is the time",
		"remote:limit=-1s,x":             "limit=-1s: it is the time",
		"remote:python 'x":               "quote '",
		"remote:/no/such/program":        `cannot start "/no/such/program": there is no such program`,
		"remote:no-such-program":         `cannot start "no-such-program": there is no such program`,
		"remote:" + dir:                  "it is a folder",
		"remote:" + dir + "/data":        "it may not be run",
		"remote:'" + dir + "/junk' game": "it is no program that this machine can run",
	} {
		m, err := agents.Open(text, g)
		if err == nil {
			_, err = m.New()
		}
		if _, ok := errors.AsType[*agents.TextError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// A program that doesn't take its seat forfeits, as one that fails later.
func TestRemoteNotSeated(t *testing.T) {
	t.Setenv("EARTHGYM_TEST_AGENT", "mute")
	for text, tt := range map[string]struct {
		kind agents.Fault
		want string
	}{
		"remote:true": {agents.Crash, "the agent was not seated: the program has ended"},
		"remote:sh -c 'exit 7'": {agents.Crash, "the agent was not seated: the program has ended: exit " +
			"status 7"},
		"remote:echo hello there":                  {agents.Illegal, "not with EARTHGYM"},
		"remote:'" + os.Args[0] + "'":              {agents.Crash, "the program has ended"},
		`remote:printf 'EARTHGYM\001\000'`:         {agents.Illegal, "the preamble is cut off"},
		`remote:printf 'EARTHGYM\011\000\000\000'`: {agents.Illegal, "bad_version"},
	} {
		m := must.Have(agents.Open(text, kuhn.Open(2)))(t)
		a := must.Have(m.New())(t)
		for seed := range uint64(2) {
			err := playAgainstRandom(t, a, seed)
			if forfeit, ok := errors.AsType[*agents.ForfeitError](err); !ok || forfeit.Seat != 0 || forfeit.Kind != tt.kind ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %v (%+v), want a forfeit of seat 0 (%s): %s", text, err, forfeit, tt.kind, tt.want)
			}
		}
		if err := a.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}

// A program that says no hello is waited for once, however many games and seats there are.
func TestRemoteSilent(t *testing.T) {
	notes(t)
	m := must.Have(openBehaviour(t, "silent", "limit=300ms,"))(t)
	for seed := range uint64(6) {
		a := must.Have(m.New())(t)
		err := playAgainstRandom(t, a, seed)
		var forfeit *agents.ForfeitError
		const want = "the agent was not seated: no answer within 300ms, where it is to say hello; remote:limit=1m,COMMAND " +
			"gives it longer"
		if !errors.As(err, &forfeit) || forfeit.Kind != agents.Timeout || forfeit.Err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if err := a.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
	if n := len(noted()); n > 1 {
		t.Errorf("it was started %d times", n)
	}
}

// One that ends at its start gets another process for the next game.
func TestRemoteComesBackFromItsStart(t *testing.T) {
	notes(t)
	a := newBehaviour(t, "fails at first")
	if err := playAgainstRandom(t, a, 1); err == nil || !strings.Contains(err.Error(), "exit status 4") {
		t.Errorf("the first game: %v", err)
	}
	if err := playAgainstRandom(t, a, 2); err != nil {
		t.Errorf("the second game: %v", err)
	}
}

// Whoever waits for a program can be stopped.
func TestRemoteIsStopped(t *testing.T) {
	for _, how := range []string{"silent", "hang"} {
		notes(t)
		m := must.Have(openBehaviour(t, how, "limit=1h,"))(t)
		a := must.Have(m.New())(t)
		s := kuhn.Open(2).New()
		s.Reset(1, nil)
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, stop)
		agents.Begin(ctx, a, 1)
		if _, err := a.Act(env.ViewOf(s)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", how, err)
		}
		if err := a.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}

// A game in which an agent was stopped goes on, as at a table where a decision is taken back.
func TestRemoteGoesOn(t *testing.T) {
	notes(t)
	a := newBehaviour(t, "think")
	s := kuhn.Open(2).New()
	s.Reset(1, nil)
	ctx, stop := context.WithCancel(t.Context())
	agents.Begin(ctx, a, 1)
	go func() {
		for len(noted()) == 0 {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	if _, err := a.Act(env.ViewOf(s)); !errors.Is(err, context.Canceled) {
		t.Errorf("while it thinks: got %v", err)
	}
	a.(agents.Follower).Follow(t.Context())
	if _, err := a.Act(env.ViewOf(s)); err != nil {
		t.Errorf("the next decision: %v", err)
	}
}

// The round trip of one decision, to a program that answers at once.
func BenchmarkRemote(b *testing.B) {
	b.Setenv("EARTHGYM_TEST_AGENT", "good")
	g := kuhn.Open(2)
	m := must.Have(agents.Open("remote:"+os.Args[0], g))(b)
	a := must.Have(m.New())(b)
	defer a.(io.Closer).Close()
	s := g.New()
	s.Reset(1, nil)
	v := env.ViewOf(s)
	a.Reset(1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Act(v); err != nil {
			b.Fatal(err)
		}
	}
}
