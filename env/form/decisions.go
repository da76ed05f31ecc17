package form

import (
	"fmt"
	"strconv"
	"strings"

	"earthgym/env"
)

// A Decision is a row of a game's table of decisions: all that the rules say of what a seat is asked. S is the game's
// State, and T what tells its stories. A game leaves out what it doesn't need. The table is made by a function and kept
// in the Game: in a variable its functions could not use what goes by the table itself, such as State.Actor.
type Decision[S, T any] struct {
	Name  string // in positions
	Asks  string // what is asked
	Brief string // the same in brief
	// Direct is the same as a question to the seat that is asked, where it has no numbers of its own.
	Direct string
	Rule   string // ids of the rules that ask

	Inside bool // it goes on with what its seat has begun

	// Bits and lists of the game's own.
	Phases uint32 // in which it is asked
	Filled uint32 // what a position has filled in for it
	Who    uint8  // is asked, where that is looked up and not known
	Scene  uint8  // what those see of it who are not asked

	Seat  func(s *S) env.Player // who is asked; nil where the game is over, and where the State keeps it
	Check func(s *S, f *Faults) // what a position that is read needs for it

	Moves []Move[S, T] // what may be done

	// Legal adds what p may do, where the needs of the moves don't say it, or where it is asked so often that these, each
	// called through a pointer, take too long. Where they differ the conformance suite says so.
	Legal func(s *S, m env.Mask, p env.Player)
	// Play does an action of the moves that have no function of their own.
	Play func(s *S, p env.Player, a env.Action, tape *env.Tape)
	// Why says why an action is not legal where its move has no needs, or "".
	Why func(s *S, p env.Player, a env.Action) string
	// Else is what is said of all other actions, as in Need.Says; "" stands for what is asked, and the rules.
	Else string
}

// A Move is what a decision makes of a block of actions.
type Move[S, T any] struct {
	Block
	Needs []Need[S] // what must hold for it; Never where the block only has a reason of its own here

	Play func(s *S, p env.Player, i int, tape *env.Tape)
	Does string // what it does, for those who choose
	// About is the same where it hangs on the position, and what these words promise.
	About func(s *S, p env.Player, i int) (does string, effects []env.Effect)
	Tell  func(t *T, p env.Player, i int) // tells it in the story
}

// A Need is something that must hold for the actions of a block: for All of them or none, or for Each whose bit is set;
// without either it never holds, and there is only the reason. This is what it Says, in which {p} is the seat that is
// asked and {1} the first word that the action names, with the ids of the rules after it. Where one function finds
// quickest what several rules leave, Why tells them apart, and names the ids itself. Where a need has no words, or Why
// none, it is the decision that says why.
type Need[S any] struct {
	Rule string
	Says string
	All  func(s *S, p env.Player) bool
	Each func(s *S, p env.Player) uint64
	Why  func(s *S, p env.Player, i int) string
}

// Actor is who is asked: nobody once the game is over.
func (d *Decision[S, T]) Actor(s *S) env.Player {
	if d.Seat == nil {
		return env.Over
	}
	return d.Seat(s)
}

// Mask overwrites m with what p may do.
func (d *Decision[S, T]) Mask(s *S, p env.Player, m env.Mask) {
	m.Clear()
	if d.Legal != nil {
		d.Legal(s, m, p)
		return
	}
	for i := range d.Moves {
		move := &d.Moves[i]
		if set := move.legal(s, p); set != 0 {
			m.Block(move.First, set)
		}
	}
}

// legal are the actions of the block that meet all needs.
func (move *Move[S, T]) legal(s *S, p env.Player) uint64 {
	set := move.All()
	for i := range move.Needs {
		switch need := &move.Needs[i]; {
		case need.Each != nil:
			set &= need.Each(s, p)
		case need.All == nil || !need.All(s, p):
			return 0
		}
	}
	return set
}

// Move is what the decision makes of an action, or nil.
func (d *Decision[S, T]) Move(a env.Action) *Move[S, T] {
	for i := range d.Moves {
		if move := &d.Moves[i]; move.Has(a) {
			return move
		}
	}
	return nil
}

// Apply does what a legal action of p says.
func (d *Decision[S, T]) Apply(s *S, p env.Player, a env.Action, tape *env.Tape) {
	if move := d.Move(a); move != nil && move.Play != nil {
		move.Play(s, p, move.Index(a), tape)
		return
	}
	d.Play(s, p, a, tape)
}

// Refusal says why an action is not legal for p: the first need of its move that is not met, or else what the decision
// says of it. It is "" where all needs are met.
func (d *Decision[S, T]) Refusal(s *S, p env.Player, a env.Action, info *env.Info) string {
	if a < 0 || int(a) >= len(info.Actions) {
		return fmt.Sprintf("there is no action %d; they go from 0 to %d", a, len(info.Actions)-1)
	}
	words := func(says string) string {
		places := []string{"{p}", strconv.Itoa(int(p))}
		for k, arg := range info.Actions[a].Args {
			places = append(places, "{"+strconv.Itoa(k+1)+"}", arg)
		}
		return strings.NewReplacer(places...).Replace(says)
	}
	if move := d.Move(a); move != nil && (move.Needs != nil || d.Legal == nil) {
		i := move.Index(a)
		switch need := move.unmet(s, p, i); {
		case need == nil:
			return ""
		case need.Why != nil:
			if reason := need.Why(s, p, i); reason != "" {
				return reason
			}
		case need.Says != "":
			return withRule(words(need.Says), need.Rule)
		}
	} else if d.Legal != nil {
		legal := make(env.Mask, info.MaskWords())
		if d.Mask(s, p, legal); legal.Has(a) {
			return ""
		}
	}
	if d.Why != nil {
		if reason := d.Why(s, p, a); reason != "" {
			return reason
		}
	}
	if d.Else != "" {
		return words(d.Else)
	}
	return d.Question()
}

// GoesOn is its name where it goes on with what its seat has begun, else "".
func (d *Decision[S, T]) GoesOn() string {
	if !d.Inside {
		return ""
	}
	return d.Name
}

// Question is what is asked, with the rules that ask it.
func (d *Decision[S, T]) Question() string { return withRule(d.Asks, d.Rule) }

// unmet is the first need that an action of the block does not meet, or nil.
func (move *Move[S, T]) unmet(s *S, p env.Player, i int) *Need[S] {
	for k := range move.Needs {
		need := &move.Needs[k]
		holds := need.All != nil && need.All(s, p)
		if need.Each != nil {
			holds = need.Each(s, p)>>uint(i)&1 != 0
		}
		if !holds {
			return need
		}
	}
	return nil
}

func withRule(text, rule string) string {
	if rule == "" {
		return text
	}
	return text + " (" + rule + ")"
}

// About is what an action does for p, in words, and what these promise.
func (d *Decision[S, T]) About(s *S, p env.Player, a env.Action) (does string, effects []env.Effect) {
	move := d.Move(a)
	switch {
	case move == nil:
		return "", nil
	case move.About != nil:
		return move.About(s, p, move.Index(a))
	}
	return move.Does, nil
}

// DecisionNames are the decisions' names in positions.
func DecisionNames[S, T any](table []Decision[S, T]) []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].Name
	}
	return names
}
