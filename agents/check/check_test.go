//go:build !js

package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/pipe"
	"earthgym/env/registry"
)

// The test binary is the program that is checked, if this names its manner.
const manner = "EARTHGYM_CHECKED"

func TestMain(m *testing.M) {
	switch how := os.Getenv(manner); {
	case how == "":
		os.Exit(m.Run())
	case strings.HasPrefix(how, "client"):
		os.Exit(client(how))
	default:
		os.Exit(agent(how))
	}
}

// An actor is an agent with one fault.
type actor struct {
	how  string
	luck env.Stream
}

func (a *actor) Reset(seed uint64) { a.luck = env.NewStream(seed, "actor") }

func (a *actor) Act(d *pipe.Decision) (env.Action, error) {
	switch a.how {
	case "illegal":
		return d.Legal[0] + 1000, nil
	case "gives up":
		return -1, errors.New("it is too hard")
	case "slow":
		time.Sleep(time.Hour)
	case "seedless":
		return d.Legal[int(time.Now().UnixNano()/100)%len(d.Legal)], nil
	case "crashes":
		os.Exit(3)
	}
	if _, err := d.Texts(); err != nil {
		return -1, err
	}
	return d.Legal[a.luck.Below(len(d.Legal))], nil
}

// An evening is actors at many tables, or one actor at all of them, which is a fault.
type evening struct {
	actors [4]*actor
	how    string
}

func (e *evening) Tables() int { return len(e.actors) }

func (e *evening) at(table int) *actor {
	if e.how == "tables, one luck" {
		table = 0
	}
	return e.actors[table]
}

func (e *evening) Reset(table int, seed uint64) { e.at(table).Reset(seed) }

func (e *evening) Act(decisions []*pipe.Decision) ([]env.Action, error) {
	var out []env.Action
	for _, d := range decisions {
		a, err := e.at(d.Table).Act(d)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// pipes are the agent's connection; change sees each write before it is made.
type pipes struct {
	io.Reader
	change func(b []byte) []byte
}

func (p *pipes) Write(b []byte) (int, error) {
	if p.change != nil {
		b = p.change(b)
	}
	_, err := os.Stdout.Write(b)
	return len(b), err
}

// reader hands on what is read by a function.
type reader func(b []byte) (int, error)

func (r reader) Read(b []byte) (int, error) { return r(b) }

func agent(how string) int {
	conn := &pipes{Reader: os.Stdin}
	// Programs that take what comes for a whole message, or as they expect it.
	watch := func(fails func(b []byte) bool) {
		conn.Reader = reader(func(b []byte) (int, error) {
			n, err := os.Stdin.Read(b)
			if n > 0 && fails(b[:n]) {
				os.Exit(4)
			}
			return n, err
		})
	}
	writes := 0
	switch how {
	case "prints":
		fmt.Println("Hello!")
	case "version":
		conn.change = func(b []byte) []byte { return bytes.Replace(b, []byte("EARTHGYM\x01"), []byte("EARTHGYM\x02"), 1) }
	case "owner":
		conn.change = func(b []byte) []byte { return bytes.Replace(b, []byte("\xa4seat"), []byte("\xa4meat"), 1) }
	case "field":
		conn.change = func(b []byte) []byte { return bytes.Replace(b, []byte("\xa6client"), []byte("\xa6Client"), 1) }
	case "first of many":
		conn.change = func(b []byte) []byte {
			h, payload, err := decode(b[min(4, len(b)):])
			if err != nil || len(payload) <= 4 {
				return b
			}
			return encode(h, payload[:4], wireOptions{})
		}
	case "whole frames":
		watch(func(b []byte) bool { return len(b) == 1 })
	case "narrow":
		watch(func(b []byte) bool { return bytes.Contains(b, []byte("\xa2id\xcf")) })
	case "fussy":
		watch(func(b []byte) bool { return bytes.Contains(b, []byte("of_a_later_version")) })
	case "same id":
		conn.change = func(b []byte) []byte {
			if writes++; writes < 4 {
				return b
			}
			h, payload, err := decode(b[4:])
			if err != nil || h.op() == "" {
				return b
			}
			h["id"] = int64(1)
			return encode(h, payload, wireOptions{})
		}
	}
	var err error
	if strings.HasPrefix(how, "tables") {
		err = pipe.ServeTables(conn, "evening", &evening{[4]*actor{{}, {}, {}, {}}, how})
	} else {
		err = pipe.ServeAgent(conn, "actor", &actor{how: how})
	}
	switch {
	case how == "stays":
		time.Sleep(time.Hour)
	case how == "ends badly":
		return 5
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func openGame(t *testing.T) env.Game {
	t.Helper()
	return must.Have(kuhn.Rulebook().Open("players=2", datafile.File{}))(t)
}

// failing are the names of clauses that fail.
func failing(clauses []Clause) []string {
	var names []string
	for _, c := range clauses {
		if c.Fault != "" && !c.Skipped {
			names = append(names, c.Name)
		}
	}
	return names
}

// Each fault of an agent is found, in the clause that it is of, and said in words.
func TestAgents(t *testing.T) {
	for _, tt := range []struct {
		how    string
		clause string   // the first that fails
		only   bool     // and the only one
		says   []string // in its fault
	}{
		{how: "good"},
		{how: "tables"},
		{"tables, one luck", "tables", true, []string{"beside others decision 0 is", "is kept for each table"}},
		{"prints", "start", true, []string{`it begins with "Hello!`, "logs belong on standard error"}},
		{"version", "start", true, []string{"its major version is 2"}},
		{"owner", "start", false, []string{`role "meat"`}},
		{"field", "start", false, []string{"Client"}},
		{"illegal", "act", false, []string{"illegal action"}},
		{"gives up", "act", false, []string{"it is too hard"}},
		{"slow", "act", false, []string{"no answer within 1s"}},
		{"crashes", "act", false, []string{"it has ended", "exit status 3"}},
		{"first of many", "counts", true, []string{"4 bytes of actions for 2 views"}},
		{"same id", "requests", true, []string{"the id 1 is used twice"}},
		{"whole frames", "split", true, []string{"it has ended", "exit status 4"}},
		{"narrow", "numbers", true, []string{"it has ended", "exit status 4"}},
		{"fussy", "unknown", true, []string{"exit status 4"}},
		{"seedless", "repeats", true, []string{"all chance must come from the seed"}},
		{"stays", "start", false, []string{"it has not ended within"}},
		{"ends badly", "start", false, []string{"exit status 5"}},
	} {
		t.Run(tt.how, func(t *testing.T) {
			t.Parallel()
			o := AgentOptions{Game: openGame(t), Limit: 10 * time.Minute, Seed: 1, end: 10 * time.Minute,
				environment: []string{manner + "=" + tt.how}}
			if tt.how == "slow" {
				o.Limit = time.Second
			}
			if tt.how == "stays" {
				o.end = 200 * time.Millisecond
			}
			clauses := Agent(t.Context(), []string{os.Args[0]}, o)
			var said strings.Builder
			holds := Report(&said, clauses)
			names := failing(clauses)
			switch {
			case tt.clause == "":
				if !holds || !strings.Contains(said.String(), "every clause holds (14)") {
					t.Errorf("%s", &said)
				}
				return
			case len(names) == 0 || names[0] != tt.clause || tt.only && len(names) > 1 || holds:
				t.Fatalf("%v fail:\n%s", names, &said)
			}
			i := slices.IndexFunc(clauses, func(c Clause) bool { return c.Name == tt.clause })
			for _, part := range tt.says {
				if !strings.Contains(clauses[i].Fault, part) {
					t.Errorf("%s: no %q in %q", tt.clause, part, clauses[i].Fault)
				}
			}
		})
	}
}

// client is an owner of environments with one fault, if any. Its address is its only word.
func client(how string) int {
	conn, err := net.Dial("tcp", os.Args[len(os.Args)-1])
	if err != nil || how == "client leaves" {
		return 1
	}
	defer conn.Close()
	fmt.Fprint(conn, "EARTHGYM\x01\x00\x00\x00")
	id := 0
	send := func(fields map[string]any, payload []byte) {
		id++
		fields["id"] = id
		if how == "client repeats ids" {
			fields["id"] = 1
		}
		h, err := msgpack.Marshal(fields)
		if err != nil {
			os.Exit(2)
		}
		size := len(h) + len(payload) + 4
		frame := []byte{byte(size), byte(size >> 8), 0, 0, byte(len(h)), byte(len(h) >> 8), 0, 0}
		if _, err := conn.Write(append(append(frame, h...), payload...)); err != nil {
			os.Exit(2)
		}
	}
	receive := func() head {
		var size4 [4]byte
		if how == "client reads once" {
			if n, _ := conn.Read(size4[:]); n < 4 {
				os.Exit(6)
			}
		} else if _, err := io.ReadFull(conn, size4[:]); err != nil {
			os.Exit(2)
		}
		b := make([]byte, int(size4[0])|int(size4[1])<<8|int(size4[2])<<16)
		if _, err := io.ReadFull(conn, b); err != nil {
			os.Exit(2)
		}
		answer, _, err := decode(b)
		if err != nil || how == "client fussy" && answer["of_a_later_version"] != nil {
			os.Exit(7)
		}
		return answer
	}
	ask := func(fields map[string]any, payload []byte) head {
		send(fields, payload)
		return receive()
	}
	hello := map[string]any{"op": "hello", "protocol": []int{1, 1}, "role": "owner", "client": "test"}
	if how == "client shouts" {
		hello["loud"] = true
	}
	ask(hello, nil)
	ask(map[string]any{"op": "make", "game": "kuhn:players=2", "lanes": 1, "seed": 1}, nil)
	if how == "client idles" {
		return 0
	}
	if how == "client hurries" {
		for range 4 {
			send(map[string]any{"op": "step", "env": 1}, []byte{0, 0, 0, 0})
		}
		for range 4 {
			receive()
		}
		return 0
	}
	for range 5 {
		payload := []byte{0, 0, 0, 0}
		if how == "client steps badly" {
			payload = payload[:3]
		}
		if how == "client misspells" {
			ask(map[string]any{"op": "stpe", "env": 1}, payload)
			continue
		}
		ask(map[string]any{"op": "step", "env": 1}, payload)
	}
	return 0
}

// Each fault of a client is found.
func TestClients(t *testing.T) {
	for _, tt := range []struct {
		how    string
		fails  []string
		clause string
		says   string
	}{
		{how: "client"},
		{"client leaves", []string{"connect", "end"}, "end", "exit status 1"},
		{"client shouts", []string{"hello", "end"}, "hello", `hello has no field "loud"`},
		{"client repeats ids", []string{"requests"}, "requests", "the id 1 is used twice"},
		{"client idles", []string{"work"}, "work", "it has made no step"},
		{"client steps badly", []string{"requests"}, "requests", "step is answered with wrong_length"},
		{"client misspells", []string{"requests", "work"}, "requests", `no operation "stpe" for an owner`},
		{"client reads once", []string{"split"}, "split", "exit status 6"},
		{"client fussy", []string{"unknown"}, "unknown", "exit status 7"},
		{"client hurries", []string{"pending"}, "pending", "step is sent while 2 requests before it have no answer: 2 may " +
			"be under way"},
	} {
		t.Run(tt.how, func(t *testing.T) {
			t.Parallel()
			server := &pipe.Server{Registry: registry.Registry{kuhn.Rulebook()}, Program: "test"}
			o := ClientOptions{Server: server, Limit: 10 * time.Minute, Stderr: io.Discard,
				environment: []string{manner + "=" + tt.how}}
			clauses := Client(t.Context(), []string{os.Args[0], "{host}:{port}"}, o)
			var said strings.Builder
			Report(&said, clauses)
			if names := failing(clauses); !slices.Equal(names, tt.fails) {
				t.Fatalf("%v fail, not %v:\n%s", names, tt.fails, &said)
			}
			if i := slices.IndexFunc(clauses, func(c Clause) bool { return c.Name == tt.clause }); i >= 0 &&
				!strings.Contains(clauses[i].Fault, tt.says) {
				t.Errorf("no %q in %q", tt.says, clauses[i].Fault)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	clauses := Agent(t.Context(), []string{"/nowhere/at/all"}, AgentOptions{Game: openGame(t), Limit: time.Second})
	if failing(clauses)[0] != "start" || !strings.Contains(clauses[0].Fault, "/nowhere/at/all") || !clauses[3].Skipped {
		t.Errorf("got %+v", clauses)
	}
	server := &pipe.Server{Registry: registry.Registry{kuhn.Rulebook()}, Program: "test"}
	clauses = Client(t.Context(), []string{"/nowhere/at/all"},
		ClientOptions{Server: server, Limit: time.Second, Stderr: io.Discard})
	if len(clauses) != 1 || !strings.Contains(clauses[0].Fault, "/nowhere/at/all") {
		t.Errorf("got %+v", clauses)
	}
}

// Whatever a program says, it is taken apart without a fault of ours.
func FuzzDecode(f *testing.F) {
	f.Add(encode(head{"id": int64(1), "op": "hello", "protocol": []any{int64(1), uint64(1) << 63}, "x": 1.5, "y": nil},
		[]byte("rest"), wireOptions{})[4:])
	f.Fuzz(func(t *testing.T, b []byte) {
		h, payload, err := decode(b)
		if err != nil {
			return
		}
		again, rest, err := decode(encode(h, payload, wireOptions{wide: true})[4:])
		if err != nil || !bytes.Equal(rest, payload) || len(again) != len(h) {
			t.Errorf("%v is not the same wide: %v, %v", h, again, err)
		}
	})
}
