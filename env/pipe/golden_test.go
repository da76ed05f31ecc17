package pipe

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
)

var update = flag.Bool("update", false, "rewrite the golden frames")

// golden compares a frame with its file; python/tests read and write the same files.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "frames", name)
	if *update {
		must.Do(t, os.WriteFile(file, got, 0o644))
	}
	want := must.Have(os.ReadFile(file))(t)
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%q, want\n%q", name, got, want)
	}
}

// The frames of a client and of the server in a short session are those of the files.
func TestGoldenOwner(t *testing.T) {
	ses := testServer().session(testServer().log(), false)
	golden(t, "preamble.bin", preamble("secret"))
	for i, x := range []struct {
		request
		payload []byte
	}{
		{request: request{Op: "hello", Protocol: []int{1, 0}, Role: RoleOwner, Client: "golden"}},
		{request: request{Op: "info", Game: "kuhn:players=2"}},
		{request: request{Op: "make", Game: "kuhn:players=2", Lanes: 3, Seed: 1 << 40, Autoreset: "same_step", Record: true}},
		{request: request{Op: "step", Env: 1}, payload: actions(0, 1, 0)},
		{request: request{Op: "step", Env: 1}, payload: actions(0, 300, -1)},
		{request: request{Op: "reset", Env: 1, Which: []int64{2, 0}, Seeds: []uint64{70000, 3}}},
		{request: request{Op: "observe", Env: 1, Which: []int64{0}, Player: new(int64(1))}},
		{request: request{Op: "text", Env: 1, Lane: 1, Player: new(int64(-2))}},
		{request: request{Op: "legal", Env: 1, Lane: 1}},
		{request: request{Op: "parse", Env: 1, Texts: []string{"bet", "pass"}}},
		{request: request{Op: "seeds", Env: 1}},
		{request: request{Op: "record", Env: 1, Lane: 1}},
		{request: request{Op: "make", Game: "kuhn:players=2", Lanes: 1, Seat: new(int64(1)), Opponents: []string{"first"},
			MaxDecisions: 9, Gamma: 0.5}},
		{request: request{Op: "episodes", Env: 2}},
		{request: request{Op: "close", Env: 2}},
		{request: request{Op: "step", Env: 1, Which: []int64{2, 1}}, payload: actions(1, 0)},
	} {
		x.ID = uint64(i + 1)
		sent := must.Have(appendFrame(nil, &x.request, x.payload))(t)
		name := fmt.Sprintf("%02d-%s", i+1, x.Op)
		golden(t, name+".request", sent)
		f, _, err := readFrame(bytes.NewReader(sent), nil, 1<<20, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := must.Have(ses.answer(f))(t)
		golden(t, name+".answer", out)
	}
}

// A goldenProgram is an agent whose frames, and those that its table sends, are golden files.
type goldenProgram struct {
	t       *testing.T
	in, out bytes.Buffer
}

// says lets it send a frame.
func (p *goldenProgram) says(name string, head any, payload []byte) {
	p.t.Helper()
	b, err := appendFrame(nil, head, payload)
	if err != nil {
		p.t.Fatal(err)
	}
	golden(p.t, name, b)
	p.in.Write(b)
}

// hears compares what it has been sent since.
func (p *goldenProgram) hears(name string) {
	p.t.Helper()
	golden(p.t, name, p.out.Bytes())
	p.out.Reset()
}

// sits gives it a seat.
func (p *goldenProgram) sits(g env.Game) *Seat {
	p.t.Helper()
	seat, err := NewSeat(struct {
		io.Reader
		io.Writer
	}{&p.in, &p.out}, g.Info(), "golden", 10*time.Second)
	if err != nil {
		p.t.Fatal(err)
	}
	return seat
}

// The same of an agent and its table.
func TestGoldenSeat(t *testing.T) {
	hello := must.Have(appendFrame(preamble(""), request{ID: 1, Op: "hello", Protocol: []int{1, 0}, Role: RoleSeat,
		Client: "golden"}, nil))(t)
	p := goldenProgram{t: t}
	p.in.Write(hello)
	p.says("seat-1-new_game.answer", answer{1}, nil)
	p.says("seat-2-sample.request", request{ID: 2, Op: "sample", Count: 2, Key: 5}, nil)
	p.says("seat-2-act.answer", answer{2}, actions(1))
	g := kuhn.Open(2)
	seat := p.sits(g)
	p.hears("seat-0-hello.answer")
	must.Do(t, seat.Reset(1<<60))
	p.hears("seat-1-new_game.request")
	ref := must.Have(referee.New(g, 1))(t)
	must.Do(t, seat.Act([]*env.View{ref.View()}, make([]env.Action, 1)))
	act := p.out.Next(4 + int(binary.LittleEndian.Uint32(p.out.Bytes())))
	golden(t, "seat-2-act.request", act)
	golden(t, "seat-2-sample.answer", p.out.Bytes())
}

// The same of an agent that plays many games at once, as a program in Go or Python says it.
func TestGoldenTables(t *testing.T) {
	p := goldenProgram{t: t}
	p.in.Write(preamble(""))
	p.says("tables-0-hello.request", request{ID: 1, Op: "hello", Protocol: []int{Major, Minor}, Role: RoleSeat,
		Client: "golden", Observation: typeFloat32, Mask: maskBytes, Tables: 2}, nil)
	p.says("tables-1-new_game.answer", answer{1}, nil)
	p.says("tables-2-new_game.answer", answer{2}, nil)
	p.says("tables-3-act.answer", answer{3}, actions(1, 0))
	g := kuhn.Open(2)
	seat := p.sits(g)
	p.hears("tables-0-hello.answer")
	var views []*env.View
	for table := range 2 {
		must.Do(t, seat.ResetAt(table, uint64(table)+7))
		p.hears(fmt.Sprintf("tables-%d-new_game.request", table+1))
		ref := must.Have(referee.New(g, uint64(table)+1))(t)
		views = append(views, ref.View())
	}
	chosen := make([]env.Action, 2)
	if err := seat.ActAt([]int{1, 0}, views, chosen); err != nil || chosen[0] != 1 || chosen[1] != 0 {
		t.Errorf("got %v, %v", chosen, err)
	}
	p.hears("tables-3-act.request")
}
