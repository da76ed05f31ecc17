package pipe

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/env"
)

// A Policy decides for a program that sits at somebody else's table ([RunAgent]).
type Policy interface {
	// Reset comes before each game. All chance is to be drawn from generators seeded with seed.
	Reset(seed uint64)
	// Act chooses one of d's legal actions. An error gives the game up.
	Act(d *Decision) (env.Action, error)
}

// A BatchPolicy decides for a program that sits at many tables at once, and is asked for the decisions of several of
// them together ([RunTables]). What it decides at one table must not depend on the others.
type BatchPolicy interface {
	// Tables is how many games it plays at a time: 1 to MaxTables.
	Tables() int
	// Reset comes before each game at a table, from 0. All chance of the game is to be drawn from generators of the table,
	// seeded with seed.
	Reset(table int, seed uint64)
	// Act chooses for each decision one of its legal actions. An error gives up all games that are being played.
	Act(decisions []*Decision) ([]env.Action, error)
}

// A Decision is what an agent may know when it is asked. It is valid until it is answered.
type Decision struct {
	Table       int          // where it is to be made, of those of a BatchPolicy
	Player      env.Player   // the seat that decides
	Legal       []env.Action // in the order of the action table; there is at least one
	Observation []float32    // what the seat sees
	Seen        []env.Seen   // what it has seen since its last decision

	guest *guest
	view  int
}

// Game is the game with every option.
func (d *Decision) Game() string { return d.guest.game }

// Info is the document that PROTOCOL.md describes under info.
func (d *Decision) Info() json.RawMessage { return d.guest.info }

// Text is the table as the seat reads it.
func (d *Decision) Text() (string, error) {
	var a textAnswer
	_, err := d.guest.ask(&viewRequest{call: call{Op: "text"}, View: int64(d.view)}, &a)
	return a.Text, err
}

// View is the position as JSON with what the seat may know of it.
func (d *Decision) View() (json.RawMessage, error) {
	payload, err := d.guest.ask(&viewRequest{call: call{Op: "view"}, View: int64(d.view)}, &answer{})
	return slices.Clone(payload), err
}

// Texts are the texts of the legal actions, as they are written now.
func (d *Decision) Texts() ([]string, error) {
	var a actionsAnswer
	_, err := d.guest.ask(&viewRequest{call: call{Op: "legal"}, View: int64(d.view)}, &a)
	return a.Texts, err
}

// Sample is what every seat sees in states that may be the true one, drawn by the key: an observation for each state
// and seat, state by state.
func (d *Decision) Sample(count int, key uint64) ([][]float32, error) {
	var a arrayAnswer
	payload, err := d.guest.ask(&sampleRequest{call: call{Op: "sample"}, View: int64(d.view), Count: int64(count),
		Key: key}, &a)
	if err != nil {
		return nil, err
	}
	if len(a.Shape) != 3 || a.Type != typeFloat32 || 4*a.Shape[0]*a.Shape[1]*a.Shape[2] != len(payload) {
		return nil, fmt.Errorf("%d bytes of %s do not have the shape %v", len(payload), a.Type, a.Shape)
	}
	return rows(payload, a.Shape[0]*a.Shape[1]), nil
}

// RunAgent is this program as an agent, "remote:PROGRAM": it talks to the table on its standard input and output until
// the table has had enough. Logs belong on standard error.
func RunAgent(name string, p Policy) error { return ServeAgent(standard(), name, p) }

// RunTables is RunAgent for a program that plays many games at once.
func RunTables(name string, p BatchPolicy) error { return ServeTables(standard(), name, p) }

// standard is the connection of a program that the table has started.
func standard() io.ReadWriter {
	return struct {
		io.Reader
		io.Writer
	}{os.Stdin, os.Stdout}
}

// ServeAgent is RunAgent on a connection.
func ServeAgent(conn io.ReadWriter, name string, p Policy) error {
	return serveTables(conn, name, 0, oneByOne{p})
}

// ServeTables is RunTables on a connection.
func ServeTables(conn io.ReadWriter, name string, p BatchPolicy) error {
	return serveTables(conn, name, p.Tables(), p)
}

// oneByOne asks a Policy for several decisions.
type oneByOne struct{ Policy }

func (p oneByOne) Tables() int { return 1 }

func (p oneByOne) Reset(_ int, seed uint64) { p.Policy.Reset(seed) }

func (p oneByOne) Act(decisions []*Decision) ([]env.Action, error) {
	var out []env.Action
	for _, d := range decisions {
		a, err := p.Policy.Act(d)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// serveTables is a conversation in which the program says how many tables it sits at; with 0 it doesn't.
func serveTables(conn io.ReadWriter, name string, tables int, p BatchPolicy) error {
	g := &guest{conn: conn}
	preamble := binary.LittleEndian.AppendUint16([]byte(magic), Major)
	if _, err := conn.Write(append(preamble, 0, 0)); err != nil {
		return err
	}
	var w welcome
	info, err := g.ask(&helloRequest{call: call{Op: "hello"}, Protocol: []int{Major, Minor}, Role: RoleSeat, Client: name,
		Tables: int64(tables)}, &w)
	if err != nil {
		return err
	}
	g.game, g.info = w.Game, slices.Clone(info)
	for {
		f, err := g.read()
		if err == io.EOF {
			return nil
		}
		var a ask
		if err == nil {
			err = decodeLoose(f.head, &a)
		}
		if err != nil {
			return err
		}
		if err := g.answer(&a, f.payload, p); err != nil {
			return err
		}
	}
}

// A guest is this program's end of a conversation with a table.
type guest struct {
	conn io.ReadWriter
	game string
	info json.RawMessage
	id   uint64
	in   []byte
}

func (g *guest) read() (frame, error) {
	f, buf, err := readFrame(g.conn, g.in, math.MaxInt32, nil)
	g.in = buf
	return f, err
}

// decodeLoose is decodeHead for what later minor versions may add to.
func decodeLoose(head []byte, dst any) error {
	if err := WellFormed(head); err != nil {
		return err
	}
	return msgpack.Unmarshal(head, dst)
}

func (g *guest) write(head any, payload []byte) error {
	b, err := appendFrame(nil, head, payload)
	if err == nil {
		_, err = g.conn.Write(b)
	}
	return err
}

// ask asks the table, and gives the payload of its answer, valid until the next.
func (g *guest) ask(r interface{ number(id uint64) }, dst any) ([]byte, error) {
	g.id++
	r.number(g.id)
	if err := g.write(r, nil); err != nil {
		return nil, err
	}
	f, err := g.read()
	if err != nil {
		return nil, err
	}
	var failed struct {
		Error *Error `msgpack:"error"`
	}
	if err := decodeLoose(f.head, &failed); err != nil {
		return nil, err
	}
	if failed.Error != nil {
		return nil, failed.Error
	}
	return f.payload, decodeLoose(f.head, dst)
}

func (g *guest) answer(a *ask, payload []byte, p BatchPolicy) error {
	switch a.Op {
	case "new_game":
		p.Reset(a.Table, a.Seed)
		return g.write(answer{a.ID}, nil)
	case "act":
		decisions, err := g.decisions(a, slices.Clone(payload)) // The policy may ask.
		if err != nil {
			return err
		}
		actions, err := p.Act(decisions)
		if err != nil {
			return g.write(errorAnswer{a.ID, &Error{Code: AgentFailed, Message: sentence(err.Error())}}, nil)
		}
		var out []byte
		for _, action := range actions {
			out = binary.LittleEndian.AppendUint32(out, uint32(action))
		}
		return g.write(answer{a.ID}, out)
	}
	return g.write(errorAnswer{a.ID, errorf(UnknownOp, "there is no operation %q: there are: new_game, act", a.Op)}, nil)
}

// decisions takes the rows of a request apart.
func (g *guest) decisions(a *ask, payload []byte) ([]*Decision, error) {
	blocks := map[string][]byte{}
	for _, b := range a.Blocks {
		if b.Offset < 0 || len(b.Shape) != 2 || b.Shape[0] != a.Count || b.Shape[1] < 0 {
			return nil, errors.New("the table lays its rows out in no way that can be")
		}
		width := 1
		if b.Type == typeFloat32 {
			width = 4
		}
		end := b.Offset + width*b.Shape[0]*b.Shape[1]
		if end > len(payload) {
			return nil, errors.New("the table sends fewer rows than it says")
		}
		blocks[b.Name] = payload[b.Offset:end]
	}
	if len(a.Players) != a.Count || len(a.Seen) != a.Count || a.Tables != nil && len(a.Tables) != a.Count || a.Count < 1 ||
		len(blocks["mask"]) == 0 {
		return nil, fmt.Errorf("the table asks for %d decisions, and does not show them", a.Count)
	}
	observations := rows(blocks["observation"], a.Count)
	masks := slices.Collect(slices.Chunk(blocks["mask"], len(blocks["mask"])/a.Count))
	var all []*Decision
	for i := range a.Count {
		d := &Decision{Player: env.Player(a.Players[i]), Observation: observations[i], guest: g, view: i}
		if a.Tables != nil {
			d.Table = a.Tables[i]
		}
		for action, legal := range masks[i] {
			if legal != 0 {
				d.Legal = append(d.Legal, env.Action(action))
			}
		}
		for _, e := range a.Seen[i] {
			kind := env.SeenKind(max(0, slices.Index([]string{"action", "chance", "note"}, e.Kind)))
			d.Seen = append(d.Seen, env.Seen{Kind: kind, Player: env.Player(e.Player), Text: e.Text})
		}
		all = append(all, d)
	}
	return all, nil
}

// rows splits little-endian float32 numbers into n rows.
func rows(b []byte, n int) [][]float32 {
	all := make([][]float32, n)
	size := len(b) / 4 / max(1, n)
	for i := range all {
		all[i] = make([]float32, size)
		for j := range all[i] {
			all[i][j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*(i*size+j):]))
		}
	}
	return all
}
