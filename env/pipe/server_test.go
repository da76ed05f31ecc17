package pipe

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/engine"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
)

func (c *client) make(r request, data string) table {
	c.t.Helper()
	r.Op = "make"
	var m made
	c.must(r, []byte(data), &m)
	return table{m, c.must(request{Op: "show", Env: m.Env}, nil, nil)}
}

func (c *client) step(m table, list ...int32) table {
	c.t.Helper()
	m.payload = c.must(request{Op: "step", Env: m.Env}, actions(list...), nil)
	return m
}

// kuhnLanes are those of a batch of Kuhn poker.
func kuhnLanes(players int, lanes int64) []variant {
	g := kuhn.Open(players)
	return []variant{{game: g, info: g.Info(), lanes: lanes}}
}

func TestHandshake(t *testing.T) {
	hello := request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}
	with := func(change func(*request)) request { r := hello; change(&r); return r }
	for _, tt := range []struct {
		what     string
		token    string
		preamble []byte
		hello    request
		want     Code
	}{
		{"no magic", "", []byte("GET / HTTP/1"), hello, BadHandshake},
		{"another major version", "", []byte(magic + "\x09\x00\x00\x00"), hello, BadVersion},
		{"a long token", "", []byte(magic + "\x01\x00\xff\xff"), hello, BadHandshake},
		{"no token", "secret", preamble(""), hello, Unauthorized},
		{"a wrong token", "secret", preamble("secreT"), hello, Unauthorized},
		{"a longer token", "secret", preamble("secrets"), hello, Unauthorized},
		{"a wrong token before a wrong version", "secret", []byte(magic + "\x09\x00\x00\x00"), hello, Unauthorized},
		{"no hello", "", preamble(""), request{Op: "make", Game: "kuhn", Lanes: 1}, BadHandshake},
		{"another version in hello", "", preamble(""), with(func(r *request) { r.Protocol = []int{2, 0} }), BadVersion},
		{"no version", "", preamble(""), with(func(r *request) { r.Protocol = nil }), BadVersion},
		{"a seat", "", preamble(""), with(func(r *request) { r.Role = RoleSeat }), BadRole},
		{"an unknown role", "", preamble(""), with(func(r *request) { r.Role = "king" }), BadRole},
		{"an unknown encoding", "", preamble(""), with(func(r *request) { r.Observation = "float8" }), BadRequest},
		{"an unknown mask", "", preamble(""), with(func(r *request) { r.Mask = "none" }), BadRequest},
	} {
		s := testServer()
		s.Token = []byte(tt.token)
		c := dial(t, s, false)
		b := must.Have(appendFrame(tt.preamble, &tt.hello, nil))(t)
		go c.conn.Write(b)
		_, err := c.answer(nil)
		if e, ok := err.(*Error); !ok || e.Code != tt.want || !e.Fatal {
			t.Errorf("%s: got %v, want fatal %s", tt.what, err, tt.want)
		}
		c.gone()
	}
}

func TestWelcome(t *testing.T) {
	s := testServer()
	s.Token = []byte("secret")
	for _, local := range []bool{true, false} {
		c := dial(t, s, local)
		c.send(preamble("secret"))
		var w welcome
		c.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 7}}, nil, &w)
		if !slices.Equal(w.Protocol, []int{Major, Minor}) || w.Program != "test" || w.Limits.Limits != DefaultLimits() ||
			w.Limits.Pending != 2 || !slices.Equal(w.Games, []string{"kuhn"}) {
			t.Errorf("got %+v", w)
		}
		if slices.Contains(w.Capabilities, shareCapability) != (local && canShare) {
			t.Errorf("local %v: capabilities %v", local, w.Capabilities)
		}
		if e := c.code(request{Op: "hello"}, nil, BadHandshake); e.Fatal {
			t.Error("a second hello ends the connection")
		}
	}
}

// seedOf is the seed of the k-th game of a lane, as PROTOCOL.md has it.
func seedOf(seed uint64, lane int, k uint64) uint64 {
	return env.Mix(seed ^ env.Mix(uint64(lane)<<32^k))
}

// A batch shows the same games as a Vec of its seed, step by step: they are one and the same thing.
func TestSameGamesAsVec(t *testing.T) {
	for name, mode := range autoresets {
		c := greet(t, testServer(), request{Mask: maskBits})
		m := c.make(request{Game: "kuhn:players=3", Lanes: 5, Seed: 77, Autoreset: name, Shaping: 0.5, Gamma: 0.9,
			MaxDecisions: 3}, "")
		v, err := env.NewVec(kuhn.Open(3), env.VecOptions{
			Lanes: 5, Seed: 77, Autoreset: mode, Workers: 1, Options: env.Options{Shaping: 0.5, Gamma: 0.9, MaxDecisions: 3},
		})
		if err != nil {
			t.Fatal(err)
		}
		luck := env.NewStream(1, "test")
		for step := range 60 {
			for i, end := range m.block("end") {
				if over := end != running; over != (v.Terminated[i] || v.Truncated[i]) && mode != env.NoReset {
					t.Fatalf("%s, step %d, lane %d: end %d", name, step, i, end)
				}
			}
			if got := m.floats("observation"); mode == env.SameStep {
				want := make([]float32, len(got))
				for lane, n := 0, v.Info().Observation(); lane < v.Lanes(); lane++ {
					v.Observe(lane, want[lane*n:][:n])
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, step %d: observations %v, want %v", name, step, got, want)
				}
			}
			if got := m.floats("reward"); !slices.Equal(got, v.Rewards) {
				t.Fatalf("%s, step %d: rewards %v, want %v", name, step, got, v.Rewards)
			}
			list, actions := []int32{}, []env.Action{}
			for range 5 {
				a := luck.Below(2)
				list, actions = append(list, int32(a)), append(actions, env.Action(a))
			}
			m = c.step(m, list...)
			must.Do(t, v.Step(actions))
			var seeds seedsAnswer
			var episodes episodesAnswer
			c.must(request{Op: "seeds", Env: m.Env}, nil, &seeds)
			c.must(request{Op: "episodes", Env: m.Env}, nil, &episodes)
			for i, got := range episodes.Episodes {
				want := v.Episode(i)
				if got.Number != want.Number || got.Seed != want.Seed || got.Reason != want.Reason ||
					got.Decisions != want.Decisions ||
					!slices.Equal(got.Returns, want.Returns) || !slices.Equal(got.Winners, want.Winners.List()) && want.Number > 0 {
					t.Fatalf("%s, step %d, lane %d: episode %+v, want %+v", name, step, i, got, want)
				}
				if k := want.Number + 1; seeds.Seeds[i] != v.Seed(i, k) && seeds.Seeds[i] != v.Seed(i, k-1) {
					t.Fatalf("%s, step %d, lane %d: seed %d", name, step, i, seeds.Seeds[i])
				}
			}
		}
		v.Close()
	}
}

// Arrays are what an Env gives, by any autoreset and any number of workers.
func TestStep(t *testing.T) {
	for _, mode := range autoresetNames {
		c := greet(t, testServer(), request{})
		m := c.make(request{Game: "kuhn:players=3", Lanes: 5, Seed: 10, Autoreset: mode}, "")
		envs := make([]*env.Env, 5)
		games := make([]uint64, 5)
		for i := range envs {
			e := must.Have(env.New(kuhn.Open(3), env.Options{}))(t)
			e.Reset(seedOf(10, i, 1))
			envs[i], games[i] = e, 1
		}
		luck := env.NewStream(1, "test")
		for range 60 {
			var list []int32
			for range envs {
				list = append(list, int32(luck.Below(2)))
			}
			m = c.step(m, list...)
			for i, e := range envs {
				var ended byte
				actor := e.Actor()
				rewards := make([]float64, 3)
				next := func() { games[i]++; e.Reset(seedOf(10, i, games[i])) }
				switch {
				case !e.Terminated():
					must.Do(t, e.Step(env.Action(list[i])))
					copy(rewards, e.Rewards())
					if e.Terminated() {
						if ended = terminated; mode == "same_step" {
							next()
						}
					}
				case mode == "next_step":
					next()
				}
				if e.Actor() != env.Over {
					actor = e.Actor()
				}
				want := make([]float32, e.Info().Observation())
				e.Observe(want, actor)
				n := len(want)
				got := m.floats("observation")[i*n : (i+1)*n]
				if actor >= 0 && !slices.Equal(got, want) {
					t.Fatalf("%s, lane %d: observation %v, want %v", mode, i, got, want)
				}
				if m.actors()[i] != int32(e.Actor()) || m.block("end")[i] != ended {
					t.Fatalf("%s, lane %d: actor %d, end %d; want %d, %d", mode, i, m.actors()[i], m.block("end")[i], e.Actor(), ended)
				}
				for p, r := range m.floats("reward")[i*3 : (i+1)*3] {
					if r != float32(rewards[p]) {
						t.Fatalf("%s, lane %d: rewards %v, want %v", mode, i, m.floats("reward")[i*3:(i+1)*3], rewards)
					}
				}
				for a, x := range m.block("mask")[i*2 : (i+1)*2] {
					if (x == 1) != e.Mask().Has(env.Action(a)) {
						t.Fatalf("%s, lane %d: mask %v", mode, i, m.block("mask"))
					}
				}
			}
			if mode == "disabled" {
				var over []int64
				for i, e := range envs {
					if e.Terminated() {
						over = append(over, int64(i))
						games[i]++
						e.Reset(seedOf(10, i, games[i]))
					}
				}
				if over != nil {
					m.payload = c.must(request{Op: "reset", Env: m.Env, Which: over}, nil, nil)
				}
			}
		}
	}
}

func TestEncodings(t *testing.T) {
	exact := greet(t, testServer(), request{})
	want := exact.make(request{Game: "kuhn", Lanes: 3, Seed: 4}, "")
	for _, o := range []string{typeFloat32, typeFloat16, typeUint8} {
		for _, mask := range []string{maskBytes, maskBits} {
			c := greet(t, testServer(), request{Observation: o, Mask: mask})
			m := c.make(request{Game: "kuhn", Lanes: 3, Seed: 4}, "")
			for i, x := range want.floats("observation") {
				var got float32
				switch b := m.block("observation"); o {
				case typeFloat32:
					got = m.floats("observation")[i]
				case typeFloat16:
					got = map[uint16]float32{0: 0, 0x3c00: 1}[binary.LittleEndian.Uint16(b[2*i:])]
				default:
					got = float32(b[i]) / 255
				}
				if got != x {
					t.Fatalf("%s: number %d is %v, want %v", o, i, got, x)
				}
			}
			if got := m.block("mask"); mask == maskBits && (len(got) != 24 || got[0] != 3 || got[8] != 3) || mask == maskBytes &&
				len(got) != 6 {
				t.Errorf("%s: %v", mask, got)
			}
		}
	}
}

func TestMaskBytes(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 9, 63, 64, 65, 71, 72, 128, 200} {
		info := must.Have(env.NewInfo(env.Info{Actions: make([]env.ActionInfo, 0)}))(t)
		info.Actions = make([]env.ActionInfo, n)
		e := newEncoder(encoding{typeFloat32, maskBytes}, info)
		luck := env.NewStream(uint64(n), "mask")
		for range 20 {
			m := make(env.Mask, env.MaskWords(n))
			for a := range n {
				if luck.Below(3) == 0 {
					m.Set(env.Action(a))
				}
			}
			got := bytes.Repeat([]byte{7}, n)
			e.putMask(got, m)
			for a, x := range got {
				if x > 1 || (x == 1) != m.Has(env.Action(a)) {
					t.Fatalf("%d actions, action %d: %d", n, a, x)
				}
			}
		}
	}
}

func TestSeat(t *testing.T) {
	c := greet(t, testServer(), request{})
	for seat := range int64(3) {
		m := c.make(request{Game: "kuhn:players=3", Lanes: 4, Seat: &seat, Opponents: []string{"first"}, Record: true}, "")
		for range 20 {
			for i, p := range m.actors() {
				if int64(p) != seat && m.block("end")[i] == running {
					t.Fatalf("seat %d is asked for player %d", seat, p)
				}
			}
			m = c.step(m, 1, 0, 1, 0)
		}
		var e episodesAnswer
		c.must(request{Op: "episodes", Env: m.Env}, nil, &e)
		for i, ep := range e.Episodes {
			if ep.Number == 0 || ep.Reason == "" || ep.Length < 1 || ep.Length > ep.Decisions || len(ep.Returns) != 3 {
				t.Errorf("seat %d, lane %d: %+v", seat, i, ep)
			}
		}
	}
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(0))}, nil, BadRequest)
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Opponents: []string{"first"}}, nil, BadRequest)
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(2)), Opponents: []string{"first"}}, nil, BadPlayer)
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(0)), Opponents: []string{"nobody"}}, nil,
		UnknownAgent)
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(0)), Opponents: []string{"first", "first"}}, nil,
		BadRequest)
	if e := c.code(request{Op: "make", Game: "kuhn", Lanes: 3, Seat: new(int64(1)), Opponents: []string{"stuck"}}, nil,
		AgentFailed); e.Lane == nil || *e.Lane != 0 {
		t.Errorf("a stuck agent: %+v", e)
	}
	// An agent that fails in a game ends that game alone.
	m := c.make(request{Game: "kuhn", Lanes: 2, Seat: new(int64(0)), Opponents: []string{"stuck"}}, "")
	c.code(request{Op: "step", Env: m.Env}, actions(0, 1), AgentFailed)
	m.payload = c.must(request{Op: "show", Env: m.Env}, nil, nil)
	if end := m.block("end"); end[0] != truncated || end[1] != truncated {
		t.Errorf("end %v", end)
	}
	m = c.step(m, 0, 0)
	if !slices.Equal(m.actors(), []int32{0, 0}) {
		t.Errorf("after a step: actors %v", m.actors())
	}
	m = c.make(request{Game: "kuhn", Lanes: 1, Seat: new(int64(0)), Opponents: []string{"stuck"}, Autoreset: "same_step"},
		"")
	c.code(request{Op: "step", Env: m.Env}, actions(0), AgentFailed)
	if m = c.step(m, 0); !slices.Equal(m.actors(), []int32{0}) || m.block("end")[0] != running {
		t.Errorf("after a step: actors %v, end %v", m.actors(), m.block("end"))
	}
}

// Agents that choose for many lanes at once give the same games as those that choose one by one, whatever the
// number of workers.
func TestDeputies(t *testing.T) {
	play := func(mode, agent string, hoarse bool, workers int) (all []byte, most int64) {
		var asked atomic.Int64
		s := testServer()
		s.Workers = workers
		s.Agents = func(text string, g env.Game) (Maker, error) {
			if text == "choir" {
				return Maker{New: func() (env.Agent, error) { return &choir{most: &asked, hoarse: hoarse}, nil }}, nil
			}
			return openTestAgent(text, g)
		}
		c := greet(t, s, request{})
		m := c.make(request{Game: "kuhn:players=3", Lanes: 300, Seed: 4, Autoreset: mode, Seat: new(int64(1)),
			Opponents: []string{agent, agent}}, "")
		all = append(all, m.payload...)
		for k := range int32(12) {
			list := make([]int32, 300)
			for i := range list {
				list[i] = (k + int32(i)) / 3 % 2
			}
			m = c.step(m, list...)
			all = append(all, m.payload...)
			if k%4 == 3 {
				all = append(all, c.must(request{Op: "reset", Env: m.Env, Which: []int64{7, 200, 3}}, nil, nil)...)
			}
		}
		c.must(request{Op: "redeal", Env: m.Env, Lane: 9, Player: new(int64(1)), Key: 3}, nil, nil)
		return append(all, c.must(request{Op: "show", Env: m.Env}, nil, nil)...), asked.Load()
	}
	for _, mode := range autoresetNames {
		want, _ := play(mode, "lucky", false, 1)
		for _, workers := range []int{1, 3} {
			for _, hoarse := range []bool{false, true} {
				got, most := play(mode, "choir", hoarse, workers)
				if !bytes.Equal(got, want) {
					t.Errorf("%s, %d workers, hoarse %v: the games are others than with agents that choose alone", mode, workers,
						hoarse)
				}
				if most < 50 || most > engine.Most {
					t.Errorf("%s, %d workers: at most %d decisions are asked for at once", mode, workers, most)
				}
			}
		}
	}
}

func TestIllegal(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 3, Seed: 1}, "")
	e := c.code(request{Op: "step", Env: m.Env}, actions(0, 2, -1), IllegalAction)
	if e.Lane == nil || *e.Lane != 1 || !strings.Contains(e.Message, "lane 1") {
		t.Errorf("got %+v", e)
	}
	if now := c.must(request{Op: "show", Env: m.Env}, nil, nil); !bytes.Equal(now, m.payload) {
		t.Error("an illegal action has changed something")
	}
	for _, wrong := range [][]byte{nil, actions(0, 0), actions(0, 0, 0, 0), {0}} {
		c.code(request{Op: "step", Env: m.Env}, wrong, WrongLength)
	}
	m = c.make(request{Game: "kuhn", Lanes: 2, Illegal: "forfeit"}, "")
	m = c.step(m, 99, 0)
	if m.block("end")[0] != forfeited || m.floats("reward")[0] != -1 || m.actors()[0] != int32(env.Over) ||
		m.block("end")[1] != running {
		t.Errorf("end %v, rewards %v, actors %v", m.block("end"), m.floats("reward"), m.actors())
	}
	var ep episodesAnswer
	c.must(request{Op: "episodes", Env: m.Env, Which: []int64{0}}, nil, &ep)
	if got := ep.Episodes[0]; got.Reason != "forfeit" || got.Returns[0] != -1 {
		t.Errorf("got %+v", got)
	}
}

func TestPositions(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 3, Seed: 5, Record: true}, "")
	other := c.make(request{Game: "kuhn", Lanes: 1}, "")
	third := c.make(request{Game: "kuhn:players=3", Lanes: 1}, "")
	m = c.step(m, 0, 1, 0)
	position := func(m table, lane int64) string {
		return string(c.must(request{Op: "position", Env: m.Env, Lane: lane}, nil, nil))
	}
	saved := c.must(request{Op: "save", Env: m.Env}, nil, nil)
	c.must(request{Op: "restore", Env: m.Env, Lane: 2}, saved, nil)
	if position(m, 0) != position(m, 2) {
		t.Errorf("restored %s, want %s", position(m, 2), position(m, 0))
	}
	c.code(request{Op: "record", Env: m.Env, Lane: 2}, nil, NoRecord)
	c.must(request{Op: "copy", Env: m.Env, Lane: 1, To: []int64{0}, ToEnv: other.Env}, nil, nil)
	c.must(request{Op: "copy", Env: m.Env, Lane: 1, To: []int64{2, 1}}, nil, nil)
	if position(m, 1) != position(other, 0) || position(m, 1) != position(m, 2) {
		t.Errorf("copied %s and %s, want %s", position(other, 0), position(m, 2), position(m, 1))
	}
	if a, b := c.must(request{Op: "record", Env: m.Env, Lane: 1}, nil, nil),
		c.must(request{Op: "record", Env: m.Env, Lane: 2}, nil, nil); !bytes.Equal(a, b) {
		t.Errorf("the record of a copy is %s, want %s", b, a)
	}
	c.code(request{Op: "copy", Env: m.Env, To: []int64{0}, ToEnv: third.Env}, nil, BadPosition)
	c.code(request{Op: "copy", Env: m.Env, To: []int64{0, 3}}, nil, BadLane)
	c.code(request{Op: "restore", Env: third.Env}, saved, BadPosition)
	c.code(request{Op: "restore", Env: m.Env}, saved[1:], BadPosition)
	c.must(request{Op: "set_position", Env: m.Env}, []byte(`{"cards": ["king", "jack"], "history": ["pass", "bet"]}`), nil)
	if got := position(m, 0); !strings.Contains(got, `"king","jack"`) {
		t.Errorf("set %s", got)
	}
	c.code(request{Op: "set_position", Env: m.Env}, []byte(`{"cards": ["king", "king"]}`), BadPosition)
	var before, after struct{ Cards []string }
	seen := map[string]bool{}
	must.Do(t, json.Unmarshal([]byte(position(m, 0)), &before))
	for key := range uint64(20) {
		c.must(request{Op: "redeal", Env: m.Env, Player: new(int64(0)), Key: key}, nil, nil)
		must.Do(t, json.Unmarshal([]byte(position(m, 0)), &after))
		if after.Cards[0] != before.Cards[0] {
			t.Fatalf("redealt %v from %v", after, before)
		}
		seen[after.Cards[1]] = true
	}
	if len(seen) != 2 {
		t.Errorf("the other card was %v", seen)
	}
	c.code(request{Op: "redeal", Env: m.Env}, nil, BadRequest)
	c.code(request{Op: "redeal", Env: m.Env, Player: new(int64(2))}, nil, BadPlayer)
}

func TestRecord(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 1, Seed: 9, Record: true, Autoreset: "same_step"}, "")
	for _, want := range []int{0, 1, 2} {
		text := c.must(request{Op: "record", Env: m.Env, Finished: want == 2}, nil, nil)
		rec := must.Have(record.Read("record", bytes.NewReader(text)))(t)
		if err := rec.Replay(kuhn.Open(2), nil); err != nil {
			t.Error(err)
		}
		if len(rec.Moves) != want || rec.Header.Seed != seedOf(9, 0, 1) || (rec.Footer != nil) != (want == 2) {
			t.Errorf("after %d decisions: %s", want, text)
		}
		if want < 2 {
			c.code(request{Op: "record", Env: m.Env, Finished: true}, nil, NoRecord)
		}
		m = c.step(m, 0)
	}
	m = c.make(request{Game: "kuhn", Lanes: 1}, "")
	c.code(request{Op: "record", Env: m.Env}, nil, NoRecord)
}

// A story is told from any step on, to each viewer what it may know.
func TestStory(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 1, Seed: 9, Record: true}, "")
	told := func(player, since int64, finished bool) (string, int) {
		var a storyAnswer
		text := c.must(request{Op: "story", Env: m.Env, Player: &player, Since: since, Finished: finished}, nil, &a)
		return string(text), a.Steps
	}
	if text, n := told(0, 0, false); n != 1 || text != "Player 0 is dealt the king\n" {
		t.Errorf("the set-up is %d: %q", n, text)
	}
	mine, _ := told(0, 0, false)
	if others, _ := told(1, 0, false); others == mine {
		t.Errorf("both seats are told %q: their cards differ", mine)
	}
	m = c.step(m, 1)
	all, n := told(1, 0, false)
	if late, _ := told(1, 2, false); n != 2 || late != "" {
		t.Errorf("after step 1 of %d: %q", n, late)
	}
	if first, _ := told(1, 1, false); first == "" || !strings.HasSuffix(all, first) || first == all {
		t.Errorf("step 1 of %q is %q", all, first)
	}
	c.step(m, 1)
	whole, n := told(-2, 0, false)
	rest, _ := told(-2, 2, false)
	if n != 3 || rest == "" || !strings.HasSuffix(whole, rest) || rest == whole {
		t.Errorf("the end of %q is %q", whole, rest)
	}
	if over, _ := told(-2, 0, true); over != whole {
		t.Errorf("the finished game is told as %q, not as %q", over, whole)
	}
	c.code(request{Op: "story", Env: m.Env, Since: 4}, nil, BadRequest)
	c.code(request{Op: "story", Env: m.Env, Since: -1}, nil, BadRequest)
	c.code(request{Op: "story", Env: m.Env, Player: new(int64(2))}, nil, BadPlayer)
	m = c.make(request{Game: "kuhn", Lanes: 1}, "")
	c.code(request{Op: "story", Env: m.Env}, nil, NoRecord)
}

// Restored with a key, a position has other luck to come: the same for the same key.
func TestRestoreLuck(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 1, Seed: 9}, "")
	saved := c.must(request{Op: "save", Env: m.Env}, nil, nil)
	states := map[string]bool{string(saved): true}
	for key := range uint64(4) {
		for range 2 {
			c.must(request{Op: "restore", Env: m.Env, Key: key}, saved, nil)
			after := c.must(request{Op: "save", Env: m.Env}, nil, nil)
			states[string(after)] = true
			position := c.must(request{Op: "position", Env: m.Env}, nil, nil)
			if !bytes.Contains(saved, position) {
				t.Errorf("key %d: %s", key, position)
			}
		}
	}
	if len(states) != 4 {
		t.Errorf("keys 0 to 3 gave %d states", len(states))
	}
}

func TestResetSeeds(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 3, Seed: 9}, "")
	seeds := func() []uint64 {
		var s seedsAnswer
		c.must(request{Op: "seeds", Env: m.Env}, nil, &s)
		return s.Seeds
	}
	if got, want := seeds(), []uint64{seedOf(9, 0, 1), seedOf(9, 1, 1), seedOf(9, 2, 1)}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	c.must(request{Op: "reset", Env: m.Env, Which: []int64{2, 0}, Seeds: []uint64{70, 1 << 63}}, nil, nil)
	if got, want := seeds(), []uint64{1 << 63, seedOf(9, 1, 1), 70}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	c.must(request{Op: "reset", Env: m.Env}, nil, nil)
	if got, want := seeds(), []uint64{seedOf(1<<63, 0, 2), seedOf(9, 1, 2), seedOf(70, 0, 2)}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	m = c.make(request{Game: "kuhn", Lanes: 2, Seed: 9, FirstLane: 2}, "") // the other part of a larger batch
	if got, want := seeds(), []uint64{seedOf(9, 2, 1), seedOf(9, 3, 1)}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	c.code(request{Op: "make", Game: "kuhn", Lanes: 2, FirstLane: -1}, nil, BadRequest)
	m = c.make(request{Game: "kuhn", Lanes: 3, Seed: 9}, "")
	c.must(request{Op: "reset", Env: m.Env, Which: []int64{2, 0}, Seeds: []uint64{70, 1 << 63}}, nil, nil)
	c.must(request{Op: "reset", Env: m.Env}, nil, nil)
	none := seedsAnswer{}
	noGames := episodesAnswer{}
	b := binary.LittleEndian.AppendUint32(nil, 0)
	for _, op := range []string{"reset", "seeds", "episodes"} { // which = [], as no struct with omitempty writes it
		head, err := msgpack.Marshal(map[string]any{"id": c.id + 1, "op": op, "env": m.Env, "which": []int{}})
		if err != nil {
			t.Fatal(err)
		}
		c.id++
		b = binary.LittleEndian.AppendUint32(b[:0], uint32(4+len(head)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
		go c.conn.Write(append(b, head...))
		dst := map[string]any{"reset": nil, "seeds": &none, "episodes": &noGames}[op]
		must.Have(c.answer(dst))(t)
	}
	if none.Seeds == nil || len(none.Seeds) > 0 || noGames.Episodes == nil || len(noGames.Episodes) > 0 {
		t.Errorf("of no lanes: %v and %v", none, noGames)
	}
	if got, want := seeds(), []uint64{seedOf(1<<63, 0, 2), seedOf(9, 1, 2), seedOf(70, 0, 2)}; !slices.Equal(got, want) {
		t.Errorf("a reset of no lanes: got %v, want %v", got, want)
	}
	c.code(request{Op: "reset", Env: m.Env, Which: []int64{0, 0}}, nil, BadLane)
	c.code(request{Op: "reset", Env: m.Env, Which: []int64{-1}}, nil, BadLane)
	c.code(request{Op: "reset", Env: m.Env, Seeds: []uint64{1}}, nil, WrongLength)
}

func TestObserve(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 2, Seed: 3}, "")
	var one, all arrayAnswer
	first := c.must(request{Op: "observe", Env: m.Env, Player: new(int64(1))}, nil, &one)
	full := c.must(request{Op: "observe", Env: m.Env, Which: []int64{1, 0}}, nil, &all)
	n := 4 * m.Size
	if !slices.Equal(one.Shape, []int{2, m.Size}) || !slices.Equal(all.Shape, []int{2, 2, m.Size}) {
		t.Errorf("shapes %v and %v", one.Shape, all.Shape)
	}
	if !bytes.Equal(full[n:2*n], first[n:]) || !bytes.Equal(full[3*n:], first[:n]) ||
		!bytes.Equal(full[2*n:3*n], m.block("observation")[:n]) {
		t.Error("the full information is not what the seats see")
	}
	c.code(request{Op: "observe", Env: m.Env, Player: new(int64(-1))}, nil, BadPlayer)
	c.code(request{Op: "observe", Env: m.Env, Which: []int64{2}}, nil, BadLane)
}

// Several variants in one batch play what batches of their own play, and are asked about like these.
func TestVariants(t *testing.T) {
	variants := []variantRequest{{"kuhn:players=2", 3}, {"kuhn:players=3", 2}, {"kuhn:players=2", 1}}
	for _, r := range []request{
		{Seed: 5, Record: true}, {Seed: 5, Record: true, Seat: new(int64(1)), Opponents: []string{"lucky"}},
	} {
		c := greet(t, testServer(), request{})
		r.Game, r.Lanes, r.More = variants[0].Game, variants[0].Lanes, variants[1:]
		all := c.make(r, "")
		var alone []table
		var games []string
		r.More = nil
		for _, v := range variants {
			r.Game, r.Lanes = v.Game, v.Lanes
			alone = append(alone, c.make(r, ""))
			games = append(games, alone[len(alone)-1].Game)
			r.FirstLane += v.Lanes
		}
		if all.Players != 3 || !slices.Equal(append([]string{all.Game}, all.More...), games) {
			t.Fatalf("made %+v", all.made)
		}
		for range 30 {
			for _, name := range []string{"observation", "mask", "actor", "end"} {
				var want []byte
				for _, m := range alone {
					want = append(want, m.block(name)...)
				}
				if !bytes.Equal(all.block(name), want) {
					t.Fatalf("%s is %v, want %v", name, all.block(name), want)
				}
			}
			if two := alone[0].floats("reward"); !slices.Equal(all.floats("reward")[:9],
				[]float32{two[0], two[1], 0, two[2], two[3], 0, two[4], two[5], 0}) ||
				!bytes.Equal(all.block("reward")[9*4:15*4], alone[1].block("reward")) {
				t.Fatalf("rewards %v", all.floats("reward"))
			}
			all = c.step(all, 1, 0, 1, 0, 1, 1)
			alone[0], alone[1], alone[2] = c.step(alone[0], 1, 0, 1), c.step(alone[1], 0, 1), c.step(alone[2], 1)
		}
		for _, op := range []string{"record", "save", "text", "legal", "story"} {
			got := c.must(request{Op: op, Env: all.Env, Lane: 4}, nil, nil)
			if want := c.must(request{Op: op, Env: alone[1].Env, Lane: 1}, nil, nil); !bytes.Equal(got, want) {
				t.Errorf("%s: %q, want %q", op, got, want)
			}
		}
		var seen arrayAnswer
		full := c.must(request{Op: "observe", Env: all.Env, Which: []int64{5, 4}}, nil, &seen)
		if n := 4 * all.Size; !slices.Equal(seen.Shape, []int{2, 3, all.Size}) ||
			!bytes.Equal(full[2*n:3*n], make([]byte, n)) ||
			!bytes.Equal(full[3*n:], c.must(request{Op: "observe", Env: alone[1].Env, Which: []int64{1}}, nil, nil)) {
			t.Errorf("every seat sees %v", seen.Shape)
		}
		c.code(request{Op: "observe", Env: all.Env, Player: new(int64(2))}, nil, BadPlayer)
		c.code(request{Op: "text", Env: all.Env, Lane: 0, Player: new(int64(2))}, nil, BadPlayer)
		c.must(request{Op: "copy", Env: all.Env, Lane: 5, To: []int64{0}}, nil, nil)
		c.code(request{Op: "copy", Env: all.Env, Lane: 4, To: []int64{0}}, nil, BadPosition)
		c.code(request{Op: "make", Game: "kuhn", Lanes: 1, More: []variantRequest{{"kuhn", 0}}}, nil, BadRequest)
		c.code(request{Op: "make", Game: "kuhn", Lanes: 1, More: []variantRequest{{"chess", 1}}}, nil, UnknownGame)
		c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(2)), Opponents: []string{"first"},
			More: []variantRequest{{"kuhn:players=3", 1}}}, nil, BadPlayer)
	}
}

func TestText(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 1, Seed: 3}, "")
	var text textAnswer
	var legal, parsed actionsAnswer
	c.must(request{Op: "text", Env: m.Env}, nil, &text)
	if !strings.Contains(text.Text, "your card") {
		t.Errorf("got %q", text.Text)
	}
	c.must(request{Op: "text", Env: m.Env, Player: new(int64(-2))}, nil, &text)
	if strings.Contains(text.Text, "your card") {
		t.Errorf("a spectator reads %q", text.Text)
	}
	c.must(request{Op: "legal", Env: m.Env}, nil, &legal)
	c.must(request{Op: "parse", Env: m.Env, Texts: legal.Texts}, nil, &parsed)
	if !slices.Equal(legal.Texts, []string{"pass", "bet"}) || !slices.Equal(parsed.Actions, []int{0, 1}) {
		t.Errorf("got %v, %v", legal, parsed)
	}
	c.code(request{Op: "parse", Env: m.Env, Texts: []string{"fold"}}, nil, UnknownAction)
	c.code(request{Op: "picture", Env: m.Env}, nil, NotSupported) // Kuhn poker draws nothing.
}

func TestInfo(t *testing.T) {
	c := greet(t, testServer(), request{})
	doc := c.must(request{Op: "info", Game: "kuhn:players=3"}, nil, &answer{})
	want, err := json.Marshal(kuhn.Open(3).Info())
	if err != nil || !bytes.Equal(doc, want) {
		t.Errorf("got %s, want %s", doc, want)
	}
	const data = "game = \"kuhn\"\nante = 2\nbet = 5\n"
	var info struct{ Data string }
	if err := json.Unmarshal(c.must(request{Op: "info", Game: "kuhn"}, []byte(data), nil), &info); err != nil ||
		info.Data == kuhn.Open(2).Info().DataHash {
		t.Errorf("own data: %v, %v", info, err)
	}
	c.code(request{Op: "info", Game: "chess"}, nil, UnknownGame)
	c.code(request{Op: "info", Game: "kuhn:players=9"}, nil, UnknownGame)
	c.code(request{Op: "info", Game: "kuhn"}, []byte("game = \"kuhn\"\nante = 0\nbet = 5\n"), BadData)
	c.code(request{Op: "info", Game: "kuhn"}, []byte("game = \"chess\"\n"), BadData)
	c.code(request{Op: "info", Game: "kuhn"}, []byte("\xff"), BadData)
	big := append([]byte(data), bytes.Repeat([]byte("#\n"), datafile.MaxSize/2)...)
	c.code(request{Op: "info", Game: "kuhn"}, big, BadData)
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1}, big, BadData)
	c.must(request{Op: "info", Game: "kuhn"}, big[:datafile.MaxSize], nil)
}

func TestLimitsAndHandles(t *testing.T) {
	s := testServer()
	s.Limits = Limits{Frame: 4096, Envs: 2, Lanes: 10, Memory: 1 << 20, Clients: 1}
	c := greet(t, s, request{})
	m := c.make(request{Game: "kuhn", Lanes: 6}, "")
	c.code(request{Op: "make", Game: "kuhn", Lanes: 5}, nil, Limit)
	c.code(request{Op: "make", Game: "kuhn", Lanes: 0}, nil, BadRequest)
	c.code(request{Op: "make", Game: "kuhn", Lanes: -1}, nil, BadRequest)
	c.make(request{Game: "kuhn", Lanes: 1}, "")
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1}, nil, Limit)
	c.must(request{Op: "close", Env: m.Env}, nil, nil)
	c.code(request{Op: "close", Env: m.Env}, nil, UnknownEnv)
	c.code(request{Op: "step", Env: m.Env}, actions(0, 0, 0, 0, 0, 0), UnknownEnv)
	c.code(request{Op: "step", Env: 0}, nil, UnknownEnv)
	if again := c.make(request{Game: "kuhn", Lanes: 9}, ""); again.Env <= m.Env {
		t.Errorf("handle %d after %d", again.Env, m.Env)
	}
	if e := c.code(request{Op: "stop"}, nil, UnknownOp); !strings.Contains(e.Message, `mean "step"? there are: step, `) {
		t.Errorf("of operations that there are it says %s", e)
	}
	wide := testServer()
	counted := int64(0)
	b := must.Have(newBatch(kuhnLanes(2, 50), &makeRequest{}, encoding{typeFloat32, maskBytes}, nil, nil, 1,
		func(n int64) error { counted = n; return nil }))(t)
	answer := int64(50 * 2 * 4 * b.info.Observation())
	wide.Limits = DefaultLimits()
	wide.Limits.Memory = counted + 2*answer - 1
	w := greet(t, wide, request{})
	m = w.make(request{Game: "kuhn", Lanes: 50}, "")
	w.code(request{Op: "observe", Env: m.Env}, nil, Limit)
	w.must(request{Op: "observe", Env: m.Env, Player: new(int64(0))}, nil, nil)
	w.must(request{Op: "episodes", Env: m.Env}, nil, nil)
	small := testServer()
	small.Limits = s.Limits
	small.Limits.Memory = 100
	c = greet(t, small, request{})
	c.code(request{Op: "make", Game: "kuhn", Lanes: 1}, nil, Limit)
	if e := c.code(request{Op: "info", Game: strings.Repeat("k", 5000)}, nil, FrameTooLarge); !e.Fatal {
		t.Error("a frame beyond the limit does not end the connection")
	}
	c.gone()
}

func TestBadRequests(t *testing.T) {
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 1}, "")
	c.code(request{Op: "close", Env: m.Env, Lane: 1}, nil, BadRequest) // a field of other operations
	frame := func(head string) []byte {
		b := binary.LittleEndian.AppendUint32(nil, uint32(4+len(head)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
		return append(b, head...)
	}
	for _, head := range []string{
		"", "\xc0", "\x90", "\x81", "\x81\xa2id", "\x81\xa2id\x01\x01", "\x81\xa5extra\x01", "\x81\xa2op\x05", "\x81\x01\x02",
		"\x81\xa5texts\xdd\xff\xff\xff\xff", "\x81\xa5texts\xdb\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\x81\xa2id\xc1",
		"\x81\xa2id\xd4\x01\x01",
		"\x81\xa5texts" + strings.Repeat("\x91", 100000) + "\xc0", "\x82\xa2op\xa4make\xa5lanes\xa3two",
	} {
		go c.conn.Write(frame(head))
		_, err := c.answer(nil)
		if e, ok := err.(*Error); !ok || e.Code != BadRequest || e.Fatal {
			t.Errorf("%.20q: got %v", head, err)
		}
	}
	for head, want := range map[string]string{ // Whoever mixes up types is told where.
		"\x82\xa2op\xa4make\xa4seat\xa11":                                 `seat "1": a whole number is wanted`,
		"\x82\xa2op\xa4make\xa4seat\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00":  `seat 1.0: a whole number is wanted`,
		"\x82\xa2op\xa4make\xa5gamma\xa11":                                `gamma "1": a number is wanted`,
		"\x82\xa2op\xa4make\xa6record\xa3yes":                             `record "yes": true or false is wanted`,
		"\x82\xa2op\xa4make\xa9opponents\x91\x03":                         `opponents[0] 3: a text is wanted`,
		"\x82\xa2op\xa7observe\xa5which\x92\xc3\xc2":                      `which[0] true: a whole number is wanted`,
		"\x82\xa2op\xa4make\xa6record\xcc\xff":                            `record 255: true or false is wanted`,
		"\x82\xa2op\xa4make\xa5lanes\xcf\x80" + strings.Repeat("\x00", 7): `lanes 9223372036854775808: a whole number below 2⁶³ is wanted`,
		"\x82\xa2op\xa5seeds\xa5which\x91\xcf" + strings.Repeat("\xff", 8): "which[0] 18446744073709551615: " +
			"a whole number below 2⁶³ is wanted",
		"\x82\xa2op\xa4make\xa4more\xa1x":                                      `more "x": a list is wanted`,
		"\x82\xa2op\xa4make\xa4more\x91\x81\xa5lanes\xa11":                     `more[0]: lanes "1": a whole number is wanted`,
		"\x82\xa2op\xa5parse\xa5texts\xd9\x64" + strings.Repeat("a", 100):      `texts: a list is wanted`,
		"\x82\xa2op\xa5seeds\xa5which\x92\x00\xcb" + strings.Repeat("\x00", 8): `which[1] 0.0: a whole number is wanted`,
		"\x82\xa2op\xa4make\xa4more\x91\x05":                                   `more[0] 5: a map is wanted`,
		"\x82\xa2op\xa4make\xa4more\x91\x81\x03\x04":                           `more[0]: map key 3: a text is wanted`,
		"\x83\x07\x01\xa2id\x03\xa2op\xa4show":                                 `map key 7: a text is wanted`,
		"\x82\xa2op\xa4show\xc0\x01":                                           `unknown field "": there are: id, op, env`,
		"\x82\xa2op\xa4show\xa3evn\x01":                                        `unknown field "evn": did you mean "env"? there are: id, op, env`,
		"\x82\xa2id\xff\xa2op\xa4show":                                         `id -1: a whole number, 0 or more, is wanted`,
		"\x82\xa2op\xa4show\xa3env\xd1\xfe\xd4":                                `env -300: a whole number, 0 or more, is wanted`,
	} {
		go c.conn.Write(frame(head))
		if _, err := c.answer(nil); asError(err).Message != want {
			t.Errorf("%.20q: got %v, want %s", head, err, want)
		}
	}
	c.make(request{Game: "kuhn", Lanes: 1}, "") // All is well after it.
	go c.conn.Write([]byte{5, 0, 0, 0, 9, 0, 0, 0, 1})
	if _, err := c.answer(nil); asError(err).Code != BadFrame {
		t.Errorf("a head beyond its frame: got %v", err)
	}
	c.gone()
}

// A fault in a game or an agent ends one connection.
func TestFault(t *testing.T) {
	s := testServer()
	other := greet(t, s, request{})
	c := greet(t, s, request{})
	if e := c.code(request{Op: "make", Game: "kuhn", Lanes: 1, Seat: new(int64(0)), Opponents: []string{"panics"}}, nil,
		Internal); !e.Fatal {
		t.Error("the connection goes on")
	}
	c.gone()
	// In the last lane, which another goroutine plays.
	c = greet(t, s, request{})
	m := c.make(request{Game: "kuhn", Lanes: 8, Seat: new(int64(0)), Opponents: []string{"late"}, Autoreset: "disabled"},
		"")
	if e := c.code(request{Op: "step", Env: m.Env}, actions(1, 1, 1, 1, 1, 1, 1, 1), Internal); !e.Fatal ||
		!strings.Contains(e.Message, "out of wine") {
		t.Errorf("got %+v", e)
	}
	c.gone()
	other.make(request{Game: "kuhn", Lanes: 1}, "")
}

func TestServe(t *testing.T) {
	s := testServer()
	s.Limits = DefaultLimits()
	s.Limits.Clients = 2
	path := filepath.Join(t.TempDir(), "socket")
	l := must.Have(net.Listen("unix", path))(t)
	done := make(chan error)
	ctx, cancel := contextOf(t)
	go func() { done <- s.Serve(ctx, l) }()
	connect := func() *client {
		conn := must.Have(net.Dial("unix", path))(t)
		return &client{t: t, conn: conn}
	}
	hello := func(c *client) {
		c.send(preamble(""))
		c.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
	}
	one, two := connect(), connect()
	hello(one)
	hello(two)
	third := connect()
	if _, err := third.answer(nil); asError(err).Code != Limit {
		t.Errorf("a third client: %v", err)
	}
	m := one.make(request{Game: "kuhn", Lanes: 2}, "")
	// A client that dies in the middle of a frame is not noticed by others.
	two.send([]byte{200, 0, 0, 0})
	two.conn.Close()
	one.step(m, 0, 0)
	must.Come(t, "the place of a dead client is not given to another", func() bool {
		four := connect()
		four.send(preamble(""))
		_, err := four.ask(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
		return err == nil
	})
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	one.gone()
	if _, err := net.Dial("unix", path); err == nil {
		t.Error("the listener is still there")
	}
}

// A client that sends and never reads waits for itself alone.
func TestClientThatNeverReads(t *testing.T) {
	s, log := testServer(), &lines{}
	s.Log = slog.New(slog.NewTextHandler(log, nil))
	s.Patience = 300 * time.Millisecond
	path := filepath.Join(t.TempDir(), "socket")
	l := must.Have(net.Listen("unix", path))(t)
	ctx, cancel := contextOf(t)
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	connect := func() *client {
		conn := must.Have(net.Dial("unix", path))(t)
		c := &client{t: t, conn: conn}
		c.send(preamble(""))
		c.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
		return c
	}
	mute := connect()
	m := mute.make(request{Game: "kuhn", Lanes: 1000}, "")
	step := must.Have(appendFrame(nil, request{ID: 9, Op: "show", Env: m.Env}, nil))(t)
	full := 0
	for ; full < 1<<20; full += len(step) {
		must.Do(t, mute.conn.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
		if _, err := mute.conn.Write(step); err != nil {
			break
		}
	}
	if full >= 1<<20 {
		t.Errorf("the server has read %d bytes of requests whose answers nobody takes", full)
	}
	other := connect()
	m = other.make(request{Game: "kuhn", Lanes: 1}, "")
	for range 10 {
		m = other.step(m, 0)
	}
	// And not for ever: the server hangs up, after what it has sent already.
	must.Do(t, mute.conn.SetDeadline(time.Now().Add(10*time.Minute)))
	must.Come(t, "a client that never reads keeps its place", func() bool {
		return strings.Contains(log.String(), "dropped")
	})
	if _, err := io.Copy(io.Discard, mute.conn); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A client that dies while the server steps for it takes nobody with it, and leaves nothing.
func TestClientThatDies(t *testing.T) {
	s, freed := testServer(), make(chan struct{})
	s.Agents = func(string, env.Game) (Maker, error) {
		return Maker{New: func() (env.Agent, error) { return slow{}, nil }}, nil
	}
	other := greet(t, s, request{})
	m := other.make(request{Game: "kuhn", Lanes: 1}, "")
	ours, theirs := net.Pipe()
	go func() {
		defer close(freed)
		s.ServeConn(t.Context(), theirs, true)
	}()
	c := &client{t: t, conn: ours}
	c.send(preamble(""))
	c.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
	mine := c.make(request{Game: "kuhn", Lanes: 4, Seat: new(int64(0)), Opponents: []string{"slow"}, Share: canShare}, "")
	b := must.Have(appendFrame(nil, request{ID: 9, Op: "step", Env: mine.Env}, actions(0, 0, 0, 0)))(t)
	c.send(b) // its opponents think for a while
	ours.Close()
	for range 10 {
		m = other.step(m, 0)
	}
	select {
	case <-freed:
	case <-time.After(10 * time.Minute):
		t.Error("what the client made is still there")
	}
}

// slow takes its time.
type slow struct{}

func (slow) Name() string { return "slow" }
func (slow) Reset(uint64) {}
func (slow) Act(v *env.View) (env.Action, error) {
	time.Sleep(20 * time.Millisecond)
	return v.Mask().Nth(0), nil
}

func TestSharedMemory(t *testing.T) {
	if !canShare {
		t.Log("no shared memory on this system")
		return
	}
	c := greet(t, testServer(), request{})
	plain := c.make(request{Game: "kuhn", Lanes: 3, Seed: 2}, "")
	var m made
	c.must(request{Op: "make", Game: "kuhn", Lanes: 3, Seed: 2, Share: true}, nil, &m)
	f := must.Have(os.Open(m.Shared))(t)
	defer f.Close()
	if err := f.Truncate(0); err == nil {
		t.Error("the client can cut the server's memory off")
	}
	for range 10 {
		list := actions(0, 1, 0)
		want := c.must(request{Op: "step", Env: plain.Env}, list, nil)
		if rest := c.must(request{Op: "step", Env: m.Env}, list, nil); len(rest) != 0 {
			t.Fatalf("%d bytes beside the shared ones", len(rest))
		}
		got := make([]byte, m.Bytes)
		if _, err := f.ReadAt(got, 0); err != nil && err != io.EOF || !bytes.Equal(got, want) {
			t.Fatalf("shared arrays differ, %v", err)
		}
	}
	if _, err := os.Open(m.Shared); err == nil {
		t.Error("the memory can still be opened")
	}
	remote := dial(t, testServer(), false)
	remote.send(preamble(""))
	remote.must(request{Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}}, nil, nil)
	remote.code(request{Op: "make", Game: "kuhn", Lanes: 1, Share: true}, nil, NotSupported)
}

// What the protocol page lists is what there is.
func TestProtocolPage(t *testing.T) {
	page := must.Have(os.ReadFile("PROTOCOL.md"))(t)
	source := must.Have(os.ReadFile("errors.go"))(t)
	listed := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(string(page), -1)
	var names []string
	for _, m := range listed {
		names = append(names, m[1])
	}
	codes := regexp.MustCompile(`Code = "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1)
	for _, m := range codes {
		if !slices.Contains(names, m[1]) {
			t.Errorf("PROTOCOL.md does not list the code %s", m[1])
		}
	}
	if len(codes) < 20 {
		t.Errorf("only %d codes", len(codes))
	}
	for _, c := range append(capabilities[:], shareCapability) {
		if !strings.Contains(string(page), "`"+c+"`") {
			t.Errorf("PROTOCOL.md does not name the capability %s", c)
		}
	}
}

// A step and its reply allocate next to nothing, whatever the number of lanes.
func TestStepAllocations(t *testing.T) {
	b := must.Have(newBatch(kuhnLanes(2, 64), &makeRequest{Autoreset: "same_step"}, encoding{typeFloat32, maskBytes},
		nil, nil, 1, func(int64) error { return nil }))(t)
	b.place(nil)
	must.Do(t, b.reset(nil, nil))
	list := actions(make([]int32, 64)...)
	allocs := testing.AllocsPerRun(100, func() {
		if err := b.step(nil, list); err != nil {
			t.Fatal(err)
		}
		b.reply(7)
	})
	if allocs > 4 { // of the step as a whole
		t.Errorf("%v allocations a step of 64 lanes", allocs)
	}
}

func BenchmarkStep(b *testing.B) {
	s, err := newBatch(kuhnLanes(2, 1024), &makeRequest{Autoreset: "same_step"}, encoding{typeFloat32, maskBytes},
		nil, nil, 1, func(int64) error { return nil })
	if err != nil {
		b.Fatal(err)
	}
	s.place(nil)
	must.Do(b, s.reset(nil, nil))
	list := actions(make([]int32, 1024)...)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.step(nil, list); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*1024/b.Elapsed().Seconds(), "decisions/s")
}

// A step of chosen lanes is a step of these alone, in the order in which they are named.
func TestStepLanes(t *testing.T) {
	for _, mode := range autoresetNames {
		for _, workers := range []int{1, 3} {
			s := testServer()
			s.Workers = workers
			c := greet(t, s, request{})
			r := request{Game: "kuhn:players=3", Lanes: 5, Seed: 10, Autoreset: mode, Seat: new(int64(1)),
				Opponents: []string{"lucky"}}
			seeded := func(m table, seeds ...uint64) table {
				m.payload = c.must(request{Op: "reset", Env: m.Env, Seeds: seeds}, nil, nil)
				return m
			}
			m := seeded(c.make(r, ""), 10, 11, 12, 13, 14)
			r.Lanes = 1
			var single []table // lane by lane, each in a batch of its own
			for i := range uint64(5) {
				single = append(single, seeded(c.make(r, ""), 10+i))
			}
			luck := env.NewStream(3, "lanes")
			for range 80 {
				order := []int64{0, 1, 2, 3, 4}
				for i := range order {
					j := i + luck.Below(5-i)
					order[i], order[j] = order[j], order[i]
				}
				which, list := order[:1+luck.Below(5)], []int32{}
				for _, i := range which {
					a := int32(luck.Below(2))
					list = append(list, a)
					single[i] = c.step(single[i], a)
				}
				m.payload = c.must(request{Op: "step", Env: m.Env, Which: which}, actions(list...), nil)
				for _, b := range m.Blocks {
					all, n := m.block(b.Name), len(m.block(b.Name))/5
					for i := range single {
						if got, want := all[i*n:(i+1)*n], single[i].block(b.Name); !bytes.Equal(got, want) {
							t.Fatalf("%s, %d workers: step of %v: %s of lane %d is %v, want %v", mode, workers, which, b.Name, i, got, want)
						}
					}
				}
			}
		}
	}
	c := greet(t, testServer(), request{})
	m := c.make(request{Game: "kuhn", Lanes: 3, Seed: 1}, "")
	if e := c.code(request{Op: "step", Env: m.Env, Which: []int64{2, 0}}, actions(0, 5), IllegalAction); e.Lane == nil ||
		*e.Lane != 0 {
		t.Errorf("got %+v", e)
	}
	c.code(request{Op: "step", Env: m.Env, Which: []int64{2, 2}}, actions(0, 0), BadLane)
	c.code(request{Op: "step", Env: m.Env, Which: []int64{3}}, actions(0), BadLane)
	c.code(request{Op: "step", Env: m.Env, Which: []int64{2}}, actions(0, 0, 0), WrongLength)
	if now := c.must(request{Op: "show", Env: m.Env}, nil, nil); !bytes.Equal(now, m.payload) {
		t.Error("a refused step has changed something")
	}
	if m.payload = c.must(request{Op: "step", Env: m.Env, Which: []int64{2}}, actions(0), nil); !slices.Equal(m.actors(),
		[]int32{0, 0, 1}) {
		t.Errorf("after a step of lane 2: actors %v", m.actors())
	}
}

// What a request takes beside what it is for.
func BenchmarkRequest(b *testing.B) {
	ses := testServer().session(testServer().log(), false)
	frameOf := func(r request, payload []byte) frame {
		out := must.Have(appendFrame(nil, &r, payload))(b)
		f, _, err := readFrame(bytes.NewReader(out), nil, 1<<20, nil)
		if err != nil {
			b.Fatal(err)
		}
		return f
	}
	for _, r := range []request{
		{ID: 1, Op: "hello", Role: RoleOwner, Protocol: []int{1, 0}},
		{ID: 2, Op: "make", Game: "kuhn", Lanes: 1, Autoreset: "same_step"},
	} {
		must.Have(ses.answer(frameOf(r, nil)))(b)
	}
	for name, f := range map[string]frame{
		"step":  frameOf(request{ID: 300, Op: "step", Env: 1}, []byte{0, 0, 0, 0}),
		"legal": frameOf(request{ID: 301, Op: "legal", Env: 1}, nil),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ses.answer(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
