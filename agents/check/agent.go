//go:build !js

package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/pipe"
	"earthgym/env/referee"
)

const (
	// endLimit is how long it may take to end once its input has ended.
	endLimit = 5 * time.Second
	// gameDecisions bounds the decisions of the agent in the game that is played.
	gameDecisions = 300
)

// AgentOptions say how an agent is checked.
type AgentOptions struct {
	Game  env.Game
	Limit time.Duration // for its hello, and for one answer
	Seed  uint64        // of the positions that it is asked about

	environment []string      // beside this program's own
	end         time.Duration // instead of endLimit, if not 0
}

// seatFields are the fields of a seat's requests, beside id and op.
var seatFields = map[string][]string{
	"hello": {"protocol", "role", "client", "observation", "mask", "tables"},
	"text":  {"view"}, "legal": {"view"}, "parse": {"texts"}, "sample": {"view", "count", "key", "saved"},
	"view": {"view"}, "story": {"view"},
}

// Agent starts a program again and again and tests it as an agent.
func Agent(ctx context.Context, command []string, o AgentOptions) []Clause {
	a := &agentCheck{ctx: ctx, command: command, o: o, faults: faults{}}
	if a.o.end == 0 {
		a.o.end = endLimit
	}
	a.positions()
	long := a.o.Seed | 1<<63
	var clauses []Clause
	for _, c := range []struct {
		name, demands string
		test          func() error
	}{
		{"start", "it starts, and its standard output begins with the preamble and nothing else", a.start},
		{"hello", "its first frame is hello: role seat, a protocol of version 1, fields and encodings that there are",
			a.said("hello")},
		{"new_game", "it answers new_game, by the same id and without a payload", a.newGame},
		{"act", "it answers act with one legal action for one decision: int32, little-endian",
			a.with(wireOptions{}, a.o.Seed)},
		{"counts", "it answers several decisions at once, each by its own row of the mask", a.many},
		{"requests", "what it asks the table has a new id, an operation for seats, and the fields of that operation",
			a.said("requests")},
		{"split", "it reads frames that arrive a few bytes at a time", a.with(wireOptions{split: true}, long)},
		{"numbers", "it reads whole numbers of any of msgpack's widths, and ids of 64 bits",
			a.with(wireOptions{wide: true, ids: 1 << 63}, long)},
		{"unknown", "it ignores fields and capabilities that it doesn't know", a.with(wireOptions{unknown: true}, long)},
		{"omitted", "it reads requests that leave out what is 0: the seed of new_game", a.omitted},
		{"repeats", "on the same seed it decides the same, in the same process and in another", a.repeats},
		{"tables", "if it sits at many tables, it decides at each what it would decide if there were no others", a.tables},
		{"game", "it plays a whole game by the rules, and a second one after it", a.games},
		{"end", "it ends by itself when its input ends, without an error", a.end},
	} {
		clause := Clause{Name: c.name, Demands: c.demands}
		switch {
		case ctx.Err() != nil:
			clause.Skipped, clause.Fault = true, "interrupted"
		case a.faults["start"] != "":
			clause.Skipped, clause.Fault = true, "it could not be started"
		default:
			if err := c.test(); err != nil {
				clause.Fault = err.Error()
			}
			if c.name == "start" || c.name == "hello" {
				a.faults[c.name] = clause.Fault
			}
		}
		clauses = append(clauses, clause)
	}
	return clauses
}

type agentCheck struct {
	ctx     context.Context
	command []string
	o       AgentOptions
	states  []env.State // that it is asked about
	faults  faults      // of what it says
}

// positions plays random games and keeps positions of them in which different things are legal.
func (a *agentCheck) positions() {
	const most = 12
	luck := env.NewStream(a.o.Seed, "check")
	s := a.o.Game.New()
	for len(a.states) < most {
		s.Reset(luck.Uint64(), nil)
		for n := 0; s.Actor() != env.Over && len(a.states) < most; n++ {
			legal := env.LegalActions(s)
			if n%5 == 0 {
				kept := a.o.Game.New()
				kept.CopyFrom(s)
				a.states = append(a.states, kept)
			}
			s.Apply(legal[luck.Below(len(legal))], nil)
		}
	}
}

// A seated program is one that has said hello.
type seated struct {
	ctx     context.Context
	program *agents.Program
	seat    *pipe.Seat
	limit   time.Duration
	killed  bool // as it was too slow, or as nobody waits for it any more
}

// sit starts the program and greets it.
func (a *agentCheck) sit(o wireOptions) (*seated, error) {
	if err := a.ctx.Err(); err != nil {
		return nil, err
	}
	program, err := agents.StartProgram(a.command, a.o.environment)
	if err != nil {
		return nil, err
	}
	w := &wire{program: program, o: o, preamble: a.preamble}
	seen := inspector{note: a.faults.note, fields: seatFields, role: "a seat"}
	w.look = func(h head, _ []byte, err error) { seen.look(h, err) }
	s := &seated{ctx: a.ctx, program: program, limit: a.o.Limit}
	err = s.within(func() (err error) {
		s.seat, err = pipe.NewSeat(w, a.o.Game.Info(), "earthgym check", a.o.Limit)
		return err
	})
	if err != nil {
		if how := program.End(a.o.end); how != nil && !s.killed {
			err = fmt.Errorf("%w; %w", err, how)
		}
		return nil, err
	}
	return s, nil
}

// within does something that waits for the program.
func (s *seated) within(f func() error) error {
	s.program.SetDeadline(time.Now().Add(s.limit)) // Where pipes have none, the timer ends the program.
	timer := time.AfterFunc(s.limit, s.program.Kill)
	heed := context.AfterFunc(s.ctx, func() {
		s.program.Kill()
		s.program.SetDeadline(time.Now())
	})
	err := f()
	ended := !timer.Stop()
	switch {
	case !heed():
		s.killed = true
		return errors.New("interrupted")
	case errors.Is(err, os.ErrDeadlineExceeded), err != nil && ended:
		s.killed = true
		s.program.Kill()
		return fmt.Errorf("no answer within %v", s.limit)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE):
		return errors.New("it has ended, or closed its output, instead of an answer")
	}
	return err
}

func (s *seated) reset(seed uint64) error {
	if err := s.within(func() error { return s.seat.Reset(seed) }); err != nil {
		return fmt.Errorf("new_game: %w", err)
	}
	return nil
}

func (s *seated) act(views ...*env.View) ([]env.Action, error) {
	out := make([]env.Action, len(views))
	if err := s.within(func() error { return s.seat.Act(views, out) }); err != nil {
		return nil, fmt.Errorf("act on %d decisions: %w", len(views), err)
	}
	return out, nil
}

// preamble looks at the first bytes of the program.
func (a *agentCheck) preamble(b []byte) error {
	fault := preambleFault(b)
	if fault != nil {
		a.faults.note("start", "%v", fault)
	}
	return fault
}

// said is the test of a clause that is judged by what the program has said before.
func (a *agentCheck) said(clause string) func() error {
	return func() error {
		if fault := a.faults[clause]; fault != "" {
			return errors.New(fault)
		}
		return nil
	}
}

func (a *agentCheck) start() error {
	s, err := a.sit(wireOptions{})
	if fault := a.faults["start"]; fault != "" {
		return errors.New(fault)
	}
	if err != nil {
		return err
	}
	return s.program.End(a.o.end)
}

// do seats the program, by wireOptions, and lets it do something.
func (a *agentCheck) do(o wireOptions, f func(s *seated) error) error {
	s, err := a.sit(o)
	if err != nil {
		return err
	}
	err = f(s)
	if how := s.program.End(a.o.end); err != nil && how != nil && !s.killed && a.ctx.Err() == nil {
		err = fmt.Errorf("%w; %w", err, how)
	}
	return err
}

func (a *agentCheck) newGame() error {
	return a.do(wireOptions{}, func(s *seated) error { return s.reset(a.o.Seed) })
}

func (a *agentCheck) views() []*env.View {
	var views []*env.View
	for _, state := range a.states {
		views = append(views, env.ViewOf(state))
	}
	return views
}

// decide lets the program begin a game on a seed, and decide about the positions one after the other.
func (a *agentCheck) decide(s *seated, seed uint64) ([]env.Action, error) {
	if err := s.reset(seed); err != nil {
		return nil, err
	}
	var out []env.Action
	for _, v := range a.views() {
		chosen, err := s.act(v)
		if err != nil {
			return nil, err
		}
		out = append(out, chosen...)
	}
	return out, nil
}

func (a *agentCheck) many() error {
	return a.do(wireOptions{}, func(s *seated) error {
		if err := s.reset(a.o.Seed); err != nil {
			return err
		}
		views := a.views()
		for _, n := range []int{2, 3, len(views), 1} {
			if _, err := s.act(views[:min(n, len(views))]...); err != nil {
				return err
			}
		}
		return nil
	})
}

// with tests a conversation by wireOptions in a game on a seed.
func (a *agentCheck) with(o wireOptions, seed uint64) func() error {
	return func() error {
		return a.do(o, func(s *seated) error {
			_, err := a.decide(s, seed)
			return err
		})
	}
}

func (a *agentCheck) omitted() error {
	return a.do(wireOptions{}, func(s *seated) error {
		if err := s.reset(0); err != nil {
			return err
		}
		_, err := s.act(a.views()[0])
		return err
	})
}

// repeats lets the program decide about the same positions three times.
func (a *agentCheck) repeats() error {
	var first []env.Action
	decide := func(s *seated, where string) error {
		out, err := a.decide(s, a.o.Seed)
		if err != nil {
			return err
		}
		if first == nil {
			first = out
		}
		for i, action := range out {
			if action != first[i] {
				info := a.o.Game.Info()
				return fmt.Errorf("%s decision %d is %q, and was %q: all chance must come from the seed of new_game", where, i,
					info.Actions[action].Text, info.Actions[first[i]].Text)
			}
		}
		return nil
	}
	err := a.do(wireOptions{}, func(s *seated) error {
		if err := decide(s, ""); err != nil {
			return err
		}
		return decide(s, "in the second game on a seed")
	})
	if err != nil {
		return err
	}
	return a.do(wireOptions{}, func(s *seated) error { return decide(s, "in another process") })
}

// tables lets the program play a game alone, and the same at two of three tables at once.
func (a *agentCheck) tables() error {
	var alone []env.Action
	many := 1
	err := a.do(wireOptions{}, func(s *seated) (err error) {
		if many = s.seat.Tables(); many == 1 {
			return s.reset(a.o.Seed)
		}
		alone, err = a.decide(s, a.o.Seed)
		return err
	})
	if err != nil || many == 1 {
		return err
	}
	return a.do(wireOptions{}, func(s *seated) error {
		tables := []int{0, 1, 2}[:min(3, many)]
		for _, table := range tables {
			err := s.within(func() error { return s.seat.ResetAt(table, a.o.Seed+uint64(table%2)) })
			if err != nil {
				return fmt.Errorf("new_game at table %d: %w", table, err)
			}
		}
		views, out := a.views(), make([]env.Action, len(tables))
		for i, v := range views {
			asked := []*env.View{v, views[len(views)-1-i], v}[:len(tables)]
			if err := s.within(func() error { return s.seat.ActAt(tables, asked, out) }); err != nil {
				return fmt.Errorf("act at %d tables: %w", len(tables), err)
			}
			for k := 0; k < len(tables); k += 2 {
				if out[k] != alone[i] {
					info := a.o.Game.Info()
					return fmt.Errorf("at table %d beside others decision %d is %q, and was %q: what is kept of a game, its chance "+
						"too, is kept for each table", k, i, info.Actions[out[k]].Text, info.Actions[alone[i]].Text)
				}
			}
		}
		return nil
	})
}

func (a *agentCheck) games() error {
	return a.do(wireOptions{}, func(s *seated) error {
		for k := range uint64(2) {
			if err := a.game(s, a.o.Seed+k); err != nil {
				return fmt.Errorf("game %d: %w", k+1, err)
			}
		}
		return nil
	})
}

// game plays a game with the agent in seat 0 against chance.
func (a *agentCheck) game(s *seated, seed uint64) error {
	ref, err := referee.New(a.o.Game, seed)
	if err != nil {
		return err
	}
	if err := s.reset(env.SeatSeed(seed, 0)); err != nil {
		return err
	}
	luck := env.NewStream(seed, "check")
	for own := 0; ref.Actor() != env.Over && own < gameDecisions; {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		view := ref.View()
		action := view.Mask().Nth(luck.Below(view.Mask().Count()))
		if ref.Actor() == 0 {
			own++
			chosen, err := s.act(view)
			if err != nil {
				return err
			}
			action = chosen[0]
		}
		if err := ref.Play(action); err != nil {
			return err
		}
	}
	return nil
}

func (a *agentCheck) end() error {
	s, err := a.sit(wireOptions{})
	if err != nil {
		return err
	}
	if err := s.reset(a.o.Seed); err != nil {
		return errors.Join(err, s.program.End(a.o.end))
	}
	return s.program.End(a.o.end)
}
