package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/spelling"
)

// A Transcript is a game as somebody has written it down who had no seed: what was done, and what chance did. It is
// JSON Lines as a Record is, with less to write: of the header only the game must be there, of a decision only the
// action, and of the footer what is known. Actions may be written as any of their aliases, keys stand in any order, and
// empty lines are skipped.
//
//	{"game": "resilience-earth:players=2", "agents": ["Ada", "Bo"], "chance": ["timer = 62"], "meta": {"place": "Oslo"}}
//	{"player": 0, "action": "settle 12", "chance": []}
//	{"winners": [1]}
//
// Each draw of chance is listed where it happens, in the order of the game, as records list it; of a shuffled deck it
// is enough to name the first cards, those that came up. Draws that have one outcome need not be listed.
type Transcript struct {
	name   string
	header transcriptHeader
	moves  []transcriptMove
	footer *Footer // of which what is known is filled in
	last   int     // line of the footer
}

type transcriptHeader struct {
	Game    string            `json:"game"`
	Rules   int               `json:"rules"`
	Data    string            `json:"data"`
	Agents  []string          `json:"agents"`
	Hashes  []string          `json:"agent_hashes"`
	Made    []string          `json:"agents_made"`
	Program string            `json:"program"`
	Date    string            `json:"date"`
	Meta    map[string]string `json:"meta"`
	Chance  []string          `json:"chance"`
}

type transcriptMove struct {
	Player       *int     `json:"player"`
	Action       string   `json:"action"`
	Chance       []string `json:"chance"`
	Milliseconds int      `json:"ms"`

	line int
}

// Game is the text of the game.
func (t *Transcript) Game() string { return t.header.Game }

// ReadTranscript reads a transcript; name is for errors. It checks the form alone: Record does the rest.
func ReadTranscript(name string, src io.Reader) (*Transcript, error) {
	t := &Transcript{name: name}
	_, err := eachLine(name, src, t.add)
	if err == nil && t.header.Game == "" {
		err = fmt.Errorf("%s: an empty file is no game", name)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Transcript) at(line int, err error) error { return fmt.Errorf("%s:%d: %w", t.name, line, err) }

func (t *Transcript) add(n int, line []byte) error {
	if len(strings.TrimSpace(string(line))) == 0 {
		return nil
	}
	var keys map[string]json.RawMessage
	if err := decode.JSON(line, &keys); err != nil {
		return err
	}
	switch {
	case t.header.Game == "":
		if keys["seed"] != nil {
			return errors.New("it has a seed, so it is a record: earthgym replay verifies it")
		}
		if err := decode.JSON(line, &t.header); err != nil {
			return err
		}
		if t.header.Game == "" {
			return errors.New("the first line says the game: {\"game\": \"name:option=value,…\", …}")
		}
	case t.footer != nil:
		return errors.New("a line after the result")
	case keys["action"] == nil:
		t.footer, t.last = &Footer{}, n
		return decode.JSON(line, t.footer)
	default:
		m := transcriptMove{line: n}
		if err := decode.JSON(line, &m); err != nil {
			return err
		}
		t.moves = append(t.moves, m)
	}
	return nil
}

// Record plays the game as the transcript says, and gives its record, whose chance is listed. It is an error if
// something can't have been so, or if an outcome of chance is missing.
func (t *Transcript) Record(g env.Game) (*Record, error) {
	info, h := g.Info(), t.header
	e, err := env.New(g, env.Options{})
	if err != nil {
		return nil, err
	}
	if len(h.Agents) > info.Players {
		return nil, t.at(1, fmt.Errorf("%d agents for %s", len(h.Agents), spelling.Counted(info.Players, "seat")))
	}
	scratch, tape := g.New(), &env.Tape{}
	reset := func(forced []string) {
		tape.Rewind()
		tape.Force(forced...)
		scratch.Reset(0, tape)
	}
	setup, err := complete(tape, h.Chance, reset)
	if err != nil {
		return nil, t.at(1, err)
	}
	e.ResetTo(scratch)
	r := New(info, 0, h.Agents, setup)
	r.Header.Listed, r.Header.Hashes, r.Header.Made = true, h.Hashes, h.Made
	r.Header.Program, r.Header.Date, r.Header.Meta = h.Program, h.Date, h.Meta
	if h.Rules != 0 {
		r.Header.Rules = h.Rules
	}
	if h.Data != "" {
		r.Header.Data = h.Data
	}
	if err := errors.Join(r.Header.checkFormat(), r.Check(info)); err != nil {
		return nil, t.at(1, err)
	}
	for n, m := range t.moves {
		if err := t.play(r, e, scratch, tape, n); err != nil {
			return nil, t.at(m.line, fmt.Errorf("decision %d: %w", n, err))
		}
	}
	if e.Terminated() {
		r.Finish(env.ResultOf(e.State(), e.Decisions()))
	}
	if t.footer != nil {
		err := errors.New("a result, but the game is not over")
		if r.Footer != nil {
			err = t.footer.differs(r.Footer, false)
		}
		if err != nil {
			return nil, t.at(t.last, err)
		}
	}
	return r, r.Replay(g, nil)
}

func (t *Transcript) play(r *Record, e *env.Env, scratch env.State, tape *env.Tape, n int) error {
	m := &t.moves[n]
	actor := e.Actor()
	switch {
	case e.Terminated():
		return fmt.Errorf("%q after the end of the game (%s)", m.Action, e.State().Reason())
	case m.Player != nil && env.Player(*m.Player) != actor:
		return fmt.Errorf("player %d is said to act, but it is player %d's decision", *m.Player, actor)
	case m.Milliseconds < 0:
		return fmt.Errorf("it took %d ms", m.Milliseconds)
	}
	a, err := e.Info().Parse(m.Action)
	if err != nil {
		return err
	}
	if !e.Mask().Has(a) {
		return e.Step(a) // which says why not
	}
	before := e.State()
	move := Move{N: n, Player: int(actor), Action: env.ActionText(before, a), Milliseconds: m.Milliseconds}
	move.Chance, err = complete(tape, m.Chance, func(forced []string) {
		tape.Rewind()
		tape.Force(forced...)
		scratch.CopyFrom(before)
		scratch.Apply(a, tape)
	})
	if err != nil {
		return err
	}
	move.Notes = tape.Notes()
	tape.Rewind()
	tape.Force(move.Chance...)
	if err := e.StepOn(a, tape); err != nil {
		return err
	}
	r.Moves = append(r.Moves, move)
	return nil
}

// complete finds the outcomes of all draws of a step, of which those with more than one are listed: run takes the step
// with the outcomes of its first draws. After it, what has been run last is the step.
func complete(tape *env.Tape, given []string, run func(forced []string)) ([]string, error) {
	var forced []string
	for {
		run(forced)
		if err := tape.Err(); err != nil {
			return nil, err
		}
		var draws []env.Event
		for _, e := range tape.Events() {
			if e.Kind == env.Chance {
				draws = append(draws, e)
			}
		}
		for k := range forced { // The order of a deck of which the first cards were named.
			forced[k] = draws[k].String()
		}
		if len(forced) == len(draws) {
			if len(given) > 0 {
				return nil, fmt.Errorf("%q is listed, but chance does no more here", given[0])
			}
			return listed(forced), nil
		}
		next := draws[len(forced)]
		if len(given) > 0 && strings.HasPrefix(given[0], next.Name+" =") {
			forced, given = append(forced, given[0]), given[1:]
			continue
		}
		if len(next.Outcomes) != 1 {
			return nil, undrawn(next, given)
		}
		forced = append(forced, next.String())
	}
}

// undrawn says which draw is not listed.
func undrawn(e env.Event, given []string) error {
	can := "the order, or its beginning"
	if e.Outcomes != nil {
		var texts []string
		for _, o := range e.Outcomes {
			texts = append(texts, o.Text)
		}
		can = strings.Join(texts, ", ")
	}
	if len(given) > 0 {
		return fmt.Errorf("chance: %q comes next (it can be %s), not %q", e.Name+" = …", can, given[0])
	}
	return fmt.Errorf("chance: %q is not listed (it can be %s)", e.Name+" = …", can)
}
