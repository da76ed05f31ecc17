//go:build !js

package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"earthgym/env/pipe"
	"earthgym/env/spelling"
)

// ClientOptions say how a client is checked.
type ClientOptions struct {
	Server *pipe.Server
	Limit  time.Duration // for one run of the program
	Stderr io.Writer     // gets what the program prints

	environment []string // beside this program's own
}

// ownerFields are the fields of an owner's requests, beside id and op.
var ownerFields = map[string][]string{
	"hello": {"protocol", "role", "client", "observation", "mask"},
	"info":  {"game"},
	"make": {
		"game", "lanes", "seed", "first_lane", "autoreset", "illegal", "seat", "opponents", "shaping", "gamma",
		"max_decisions", "record", "share",
	},
	"show": {"env"}, "step": {"env", "which"}, "reset": {"env", "which", "seeds"}, "close": {"env"},
	"observe": {"env", "which", "player"}, "episodes": {"env", "which", "player"}, "seeds": {"env", "which"},
	"position": {"env", "lane"}, "set_position": {"env", "lane"}, "save": {"env", "lane"},
	"restore": {"env", "lane", "key"},
	"view":    {"env", "lane", "player"}, "copy": {"env", "lane", "to", "to_env"},
	"redeal": {"env", "lane", "player", "key"},
	"record": {"env", "lane", "finished"}, "story": {"env", "lane", "player", "since", "finished"},
	"text": {"env", "lane", "player"}, "picture": {"env", "lane", "player"}, "legal": {"env", "lane"},
	"parse": {"env", "texts"},
}

// clientFaults are the errors that a client's own frames are to blame for.
var clientFaults = []string{"bad_frame", "frame_too_large", "bad_handshake", "bad_version", "bad_request", "unknown_op",
	"wrong_length"}

// Client runs a program once for each way of speaking, and tests it as an owner of environments.
func Client(ctx context.Context, command []string, o ClientOptions) []Clause {
	c := &clientCheck{ctx: ctx, command: command, o: o}
	var clauses []Clause
	plain, first := c.run(wireOptions{})
	add := func(name, demands, fault string, skipped bool) {
		clauses = append(clauses, Clause{name, demands, fault, skipped})
	}
	faultOf := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	if plain == nil {
		add("connect", "it connects to the address that it is given, and begins with the preamble", faultOf(first), false)
		return clauses
	}
	add("connect", "it connects to the address that it is given, and begins with the preamble", plain.faults["connect"],
		false)
	for _, c := range []struct{ name, demands string }{
		{"hello", "its first frame is hello: role owner, a protocol of version 1, fields and encodings that there are"},
		{"requests", "its requests have new ids, operations that there are, and the fields and payloads of these"},
	} {
		fault := plain.faults[c.name]
		if plain.asked == 0 {
			fault = "it has said nothing"
		}
		add(c.name, c.demands, fault, plain.asked == 0)
	}
	worked := plain.ops["step"] > 0
	idle := ""
	if !worked && first != nil {
		add("work", "it makes environments and steps them", "it has ended before", true)
	} else if !worked {
		idle = "it has made no step: let it make environments and step them"
	}
	if worked || first == nil {
		add("work", "it makes environments and steps them", idle, false)
	}
	add("end", "it ends by itself, without an error, once it has done what it does", faultOf(first), false)
	for _, way := range []struct {
		name, demands string
		o             wireOptions
	}{
		{"split", "it reads frames that arrive a few bytes at a time", wireOptions{split: true}},
		{"numbers", "it reads whole numbers of any of msgpack's widths", wireOptions{wide: true}},
		{"unknown", "it ignores fields and capabilities that it doesn't know", wireOptions{unknown: true}},
		{"pending", "it has no more requests under way than the server allows", wireOptions{late: true}},
	} {
		if first != nil {
			add(way.name, way.demands, "it fails without that", true)
			continue
		}
		seen, err := c.run(way.o)
		fault := faultOf(err)
		if err == nil && seen.ops["step"] == 0 && worked {
			fault = "it has made no step"
		}
		if seen != nil && seen.faults["pending"] != "" {
			fault = seen.faults["pending"]
		}
		add(way.name, way.demands, fault, ctx.Err() != nil)
	}
	return clauses
}

type clientCheck struct {
	ctx     context.Context
	command []string
	o       ClientOptions
}

// A visit is what a run of the program has said.
type visit struct {
	mu    sync.Mutex
	asked int
	ops   map[string]int
	faults
	last map[uint64]string // operations by id, for errors
}

// run runs the program once. The visit is nil if it has not connected.
func (c *clientCheck) run(o wireOptions) (*visit, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.o.Limit)
	defer cancel()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	v := &visit{ops: map[string]int{}, faults: faults{}, last: map[uint64]string{}}
	connections := 0
	var serving sync.WaitGroup
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			connections++
			serving.Go(func() {
				c.o.Server.ServeConn(ctx, &served{wire: c.wire(ctx, conn, o, v), Closer: conn}, false)
			})
		}
	})
	err = c.start(ctx, l.Addr())
	late := ctx.Err() != nil && c.ctx.Err() == nil
	l.Close()
	accepting.Wait()
	cancel()
	serving.Wait()
	switch {
	case late:
		err = fmt.Errorf("it has not ended within %v", c.o.Limit)
	case err != nil:
		err = fmt.Errorf("it has ended with %w", err)
	}
	if connections == 0 {
		if err == nil {
			err = errors.New("it has ended without a connection: the address is {address} in its words, and EARTHGYM_ADDRESS")
		}
		return nil, err
	}
	return v, err
}

// start runs the program to its end.
func (c *clientCheck) start(ctx context.Context, address net.Addr) error {
	at, ok := address.(*net.TCPAddr)
	if !ok {
		return fmt.Errorf("the address %v is none of TCP", address)
	}
	text := "tcp:" + at.String()
	replace := strings.NewReplacer("{address}", text, "{host}", at.IP.String(), "{port}", strconv.Itoa(at.Port))
	var words []string
	for _, w := range c.command {
		words = append(words, replace.Replace(w))
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(append(os.Environ(), c.o.environment...), "EARTHGYM_ADDRESS="+text)
	cmd.Stdout, cmd.Stderr = c.o.Stderr, c.o.Stderr
	cmd.WaitDelay = endLimit
	return cmd.Run()
}

// served is the server's end of a connection.
type served struct {
	*wire
	io.Closer
}

// wire lies between the server and the program.
func (c *clientCheck) wire(ctx context.Context, conn net.Conn, o wireOptions, v *visit) *wire {
	w := &wire{program: conn, o: o}
	seen := inspector{note: v.note, fields: ownerFields, role: "an owner", asks: true}
	allowed := int64(math.MaxInt64) // until the answer to hello says it
	look := func(h head, _ []byte, err error) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.asked++
		id, ok := seen.look(h, err)
		if !ok {
			return
		}
		if n := w.waiting.Load(); n > allowed {
			v.note("pending", "%s is sent while %d requests before it have no answer: %d may be under way", h.op(), n-1, allowed)
		}
		v.ops[h.op()]++
		v.last[id] = h.op()
	}
	hear := func(h head, _ []byte) {
		v.mu.Lock()
		defer v.mu.Unlock()
		if limits, ok := h["limits"].(map[string]any); ok {
			if n, ok := limits["pending"].(int64); ok {
				allowed = n
			}
		}
		e, ok := h["error"].(map[string]any)
		if !ok {
			return
		}
		code, _ := e["code"].(string)
		if slices.Contains(clientFaults, code) {
			id, _ := h.id()
			clause, what := "requests", v.last[id]
			if v.asked == 1 {
				clause, what = "hello", "hello"
			}
			v.note(clause, "%s is answered with %s: %v", cmp.Or(what, "a frame"), code, e["message"])
		}
	}
	preamble := func(b []byte) error {
		v.mu.Lock()
		defer v.mu.Unlock()
		fault := preambleFault(b)
		if fault != nil {
			v.note("connect", "%v", fault)
		}
		return fault
	}
	w.look, w.hear, w.preamble = look, hear, preamble
	if o.late {
		w.goAhead(ctx)
	}
	return w
}

// preambleFault is what is wrong with the first bytes of a program.
func preambleFault(b []byte) error {
	switch {
	case len(b) < preambleSize:
		return fmt.Errorf("it ends after %q", b)
	case !bytes.Equal(b[:8], []byte("EARTHGYM")):
		return fmt.Errorf("it begins with %q, not with EARTHGYM (logs belong on standard error)", b)
	case binary.LittleEndian.Uint16(b[8:]) != pipe.Major:
		return fmt.Errorf("its major version is %d, little-endian, not %d", binary.LittleEndian.Uint16(b[8:]), pipe.Major)
	case binary.LittleEndian.Uint16(b[10:]) > pipe.MaxToken:
		return fmt.Errorf("its token has %d bytes, more than %d", binary.LittleEndian.Uint16(b[10:]), pipe.MaxToken)
	}
	return nil
}

// faults are the first of each clause.
type faults map[string]string

func (f faults) note(clause, format string, args ...any) {
	if f[clause] == "" {
		f[clause] = fmt.Sprintf(format, args...)
	}
}

// An inspector looks at the frames of one process of a program.
type inspector struct {
	note   func(clause, format string, args ...any)
	fields map[string][]string // by operation
	role   string              // which has these
	asks   bool                // it only asks; otherwise it answers too, which our side judges
	ids    map[uint64]bool     // that it has used; nil before its first frame
}

// look notes ids, operations and fields that can't be, and gives the id, if there is one.
func (x *inspector) look(h head, err error) (id uint64, ok bool) {
	clause := "requests"
	if x.ids == nil {
		clause, x.ids = "hello", map[uint64]bool{}
		if err == nil && h.op() != "hello" {
			x.note(clause, "its first frame has the operation %q", h.op())
		}
	}
	id, ok = h.id()
	fields, known := x.fields[h.op()]
	switch {
	case err != nil:
		x.note(clause, "%v", err)
		return 0, false
	case !ok:
		x.note(clause, "a frame has the id %v: it is a whole number from 0", h["id"])
		return 0, false
	case h.op() == "" && !x.asks:
		return id, true
	case x.ids[id]:
		x.note(clause, "the id %d is used twice", id)
	case !known:
		x.note(clause, "there is no operation %q for %s", h.op(), x.role)
	}
	x.ids[id] = true
	for name := range h {
		if known && name != "id" && name != "op" && !slices.Contains(fields, name) {
			x.note(clause, "%s has no field %q: %s", h.op(), name, spelling.Suggest(name, fields))
		}
	}
	return id, true
}
