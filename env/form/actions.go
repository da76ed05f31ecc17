package form

import (
	"strconv"

	"earthgym/env"
)

// A Block is a run of the action table: the actions of one shape, such as fund[card], move[from, to] or pass. In it
// they are counted from 0; those with two arguments go through the second one for each value of the first.
type Block struct {
	First env.Action
	Size  int // at most 64, so that any of its actions are a set of bits
	inner int // values of the second argument; 1 without
}

// At is the action with such an index.
func (b Block) At(i int) env.Action { return b.First + env.Action(i) }

// AtPair is the action with such arguments.
func (b Block) AtPair(i, j int) env.Action { return b.At(i*b.inner + j) }

// Has says whether an action is one of the block.
func (b Block) Has(a env.Action) bool { return uint(a-b.First) < uint(b.Size) }

// Index is the index of an action of the block.
func (b Block) Index(a env.Action) int { return int(a - b.First) }

// Pair are the arguments of an index.
func (b Block) Pair(i int) (int, int) { return i / b.inner, i % b.inner }

// All is the set of all its actions.
func (b Block) All() uint64 { return Below(b.Size) }

// Actions lists the action table of a game block by block, in its order. What is listed straight in the table, with all
// that an env.ActionInfo can have, is made a block by From.
type Actions struct{ env.ActionTable }

// From is the block of what has been listed since an action, with so many values of a second argument.
func (t *Actions) From(first, inner int) Block {
	return Block{First: env.Action(first), Size: len(t.ActionTable) - first, inner: inner}
}

// Word lists an action that is a word, and a family of its own.
func (t *Actions) Word(word string) Block {
	t.Add(word, word)
	return t.From(len(t.ActionTable)-1, 1)
}

// Each lists an action for each argument. Of a kind of objects, each points at one, in order; "" points at none.
func (t *Actions) Each(family, verb, kind string, args []string) Block {
	first := len(t.ActionTable)
	t.ActionTable.Each(family, verb, kind, args)
	return t.From(first, 1)
}

// Seats lists an action for each number of places clockwise from one to another, and for each word, if there are any,
// after it: "ask +1", "offer +2 gift". It points at the seat.
func (t *Actions) Seats(verb, kind string, from, to int, words ...string) Block {
	first := len(t.ActionTable)
	for places := from; places <= to; places++ {
		seat := "+" + strconv.Itoa(places)
		if words == nil {
			t.Add(verb, verb, seat).PointAt(kind, places)
		}
		for _, word := range words {
			t.Add(verb, verb, seat, word).PointAt(kind, places)
		}
	}
	return t.From(first, max(1, len(words)))
}
