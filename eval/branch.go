package eval

import (
	"errors"
	"fmt"
	"strings"

	"earthgym/env"
)

// A branch is a game in progress that is followed every way it may go, by those who work a small game out. Like a
// Referee it knows what each seat has seen.
type branch struct {
	state env.State
	seen  [][]env.Seen // by seat: since its last decision
	known []string     // by seat: all that it has seen and done, the same at two decisions if it can't tell them apart
}

// branches sets a game up in every way that chance allows, and visits each with its probability. It ends with the first
// error of a visit.
func branches(g env.Game, visit func(b *branch, probability float64) error) error {
	players := g.Info().Players
	root := &branch{state: g.New(), seen: make([][]env.Seen, players), known: make([]string, players)}
	return root.everyWay(func(s env.State, tape *env.Tape) { s.Reset(0, tape) }, visit)
}

// view is what the seat that decides may know.
func (b *branch) view() *env.View { return env.ViewOf(b.state, b.seen[b.state.Actor()]...) }

// play plays a legal action, and visits every way that the game may go on from there with its probability.
func (b *branch) play(a env.Action, visit func(next *branch, probability float64) error) error {
	p := b.state.Actor()
	acted := &branch{state: b.state, seen: make([][]env.Seen, len(b.seen)), known: b.known}
	for q := range b.seen {
		seen := b.seen[q]
		if env.Player(q) == p {
			seen = nil
		}
		acted.seen[q] = append([]env.Seen(nil), seen...)
		if news, ok := env.Witnessed(b.state, env.Player(q), a); ok {
			acted.seen[q] = append(acted.seen[q], news)
		}
	}
	acted.known = tell(b.known, acted.seen, b.seen, p)
	return acted.everyWay(func(s env.State, tape *env.Tape) {
		s.CopyFrom(b.state)
		s.Apply(a, tape)
	}, visit)
}

// tell adds to what each seat knows what it has seen since before; the actor has begun anew.
func tell(known []string, seen, before [][]env.Seen, actor env.Player) []string {
	told := make([]string, len(known))
	for q := range known {
		news := seen[q]
		if env.Player(q) != actor {
			news = news[len(before[q]):]
		}
		var b strings.Builder
		b.WriteString(known[q])
		for _, s := range news {
			fmt.Fprintf(&b, "%d %d %s\n", s.Kind, s.Player, s.Text)
		}
		told[q] = b.String()
	}
	return told
}

// errShuffle is that of a game which can't be followed every way.
var errShuffle = errors.New("it is a shuffle, whose orders are too many to be followed")

// everyWay takes a step in a new State in every way that its draws allow.
func (b *branch) everyWay(step func(s env.State, tape *env.Tape),
	visit func(next *branch, probability float64) error) error {
	var follow func(forced []string, probability float64) error
	follow = func(forced []string, probability float64) error {
		var tape env.Tape
		tape.Force(forced...)
		next := &branch{state: b.state.Game().New(), seen: make([][]env.Seen, len(b.seen))}
		step(next.state, &tape)
		if err := tape.Err(); err != nil {
			return err
		}
		draws := 0
		for _, e := range tape.Events() {
			if e.Kind != env.Chance {
				continue
			}
			if draws++; draws <= len(forced) {
				continue
			}
			if e.Outcomes == nil {
				return fmt.Errorf("%s = %s: %w", e.Name, e.Outcome, errShuffle)
			}
			total := 0
			for _, o := range e.Outcomes {
				total += o.Weight
			}
			for _, o := range e.Outcomes {
				way := append(append([]string(nil), forced...), e.Name+" = "+o.Text)
				if err := follow(way, probability*float64(o.Weight)/float64(total)); err != nil {
					return err
				}
			}
			return nil
		}
		for q := range b.seen {
			next.seen[q] = env.AppendSeen(append([]env.Seen(nil), b.seen[q]...), tape.Events(), env.Player(q))
		}
		next.known = tell(b.known, next.seen, b.seen, env.Over)
		return visit(next, probability)
	}
	return follow(nil, 1)
}
