package env

import (
	"errors"
	"fmt"
	"strings"
)

// A Branch is a game in progress that is followed every way it may go, by those who work a small game out. Like a
// Referee it knows what each seat has seen.
type Branch struct {
	state State
	seen  [][]Seen // by seat: since its last decision
	known []string // by seat: all that it has seen and done
}

// Branches sets a game up in every way that chance allows, and visits each with its probability. It ends with the first
// error of a visit.
func Branches(g Game, visit func(b *Branch, probability float64) error) error {
	players := g.Info().Players
	root := &Branch{state: g.New(), seen: make([][]Seen, players), known: make([]string, players)}
	return root.everyWay(func(s State, tape *Tape) { s.Reset(0, tape) }, visit)
}

// State is the true State. It must not be changed.
func (b *Branch) State() State { return b.state }

// View is what the seat that decides may know.
func (b *Branch) View() *View {
	v := ViewOf(b.state)
	v.seen = b.seen[v.player]
	return v
}

// Known tells all that a seat has seen and done so far: at two decisions of one seat it is the same exactly if the seat
// can't tell them apart.
func (b *Branch) Known(p Player) string { return b.known[p] }

// Play plays a legal action, and visits every way that the game may go on from there with its probability.
func (b *Branch) Play(a Action, visit func(next *Branch, probability float64) error) error {
	p := b.state.Actor()
	acted := &Branch{state: b.state, seen: make([][]Seen, len(b.seen)), known: b.known}
	for q := range b.seen {
		seen := b.seen[q]
		if Player(q) == p {
			seen = nil
		}
		acted.seen[q] = appendAction(append([]Seen(nil), seen...), b.state, Player(q), a)
	}
	acted.known = tell(b.known, acted.seen, b.seen, p)
	return acted.everyWay(func(s State, tape *Tape) {
		s.CopyFrom(b.state)
		s.Apply(a, tape)
	}, visit)
}

// tell adds to what each seat knows what it has seen since before; the actor has begun anew.
func tell(known []string, seen, before [][]Seen, actor Player) []string {
	told := make([]string, len(known))
	for q := range known {
		news := seen[q]
		if Player(q) != actor {
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
func (b *Branch) everyWay(step func(s State, tape *Tape), visit func(next *Branch, probability float64) error) error {
	var follow func(forced []string, probability float64) error
	follow = func(forced []string, probability float64) error {
		var tape Tape
		tape.Force(forced...)
		next := &Branch{state: b.state.Game().New(), seen: make([][]Seen, len(b.seen))}
		step(next.state, &tape)
		if err := tape.Err(); err != nil {
			return err
		}
		draws := 0
		for _, e := range tape.Events() {
			if e.Kind != Chance {
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
			next.seen[q] = AppendSeen(append([]Seen(nil), b.seen[q]...), tape.Events(), Player(q))
		}
		next.known = tell(b.known, next.seen, b.seen, Over)
		return visit(next, probability)
	}
	return follow(nil, 1)
}
