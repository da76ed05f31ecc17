package resilience

import (
	"math/bits"

	"earthgym/env"
	"earthgym/env/form"
)

// Climate events: RULES.md 6.11.

// climateEvent draws a card, rolls both dice and lays the card on the board (RE-090 to RE-095).
func (s *State) climateEvent(tape *env.Tape) {
	if s.deck == 0 { // RE-090
		s.deck = s.game.fullDeck
	}
	deck := s.deck
	drawn := tape.Uniform(&s.luck[eventStream], env.Everybody, "event", bits.OnesCount32(deck),
		func(i int) string { return s.game.data.Events[nthCard(deck, i)].ID })
	card := nthCard(deck, drawn)
	s.deck &^= 1 << card
	struck := tape.Uniform(&s.luck[diceStream], env.Everybody, "dice", NumFields,
		func(i int) string { return diceTexts[i] })
	s.lay(&s.game.events[card], Field(struck))
}

// nthCard is the n-th card of a set, in the order of the data file.
func nthCard(set uint32, n int) int {
	for ; n > 0; n-- {
		set &= set - 1
	}
	return bits.TrailingZeros32(set)
}

// diceTexts are the throws of sector die and field die, by the field that they name (RE-091).
var diceTexts = [NumFields]string{
	"1 1", "1 2", "1 3", "1 4", "1 5", "1 6", "2 1", "2 2", "2 3", "2 4", "2 5", "2 6",
	"3 1", "3 2", "3 3", "3 4", "3 5", "3 6", "4 1", "4 2", "4 3", "4 4", "4 5", "4 6",
	"5 1", "5 2", "5 3", "5 4", "5 5", "5 6", "6 1", "6 2", "6 3", "6 4", "6 5", "6 6",
}

// lay lays the parts of a card in their order, from the struck field (RE-092, RE-093).
func (s *State) lay(e *event, struck Field) {
	orientation := s.orientation()
	for i := range e.parts {
		part := &e.parts[i]
		f := part.target[orientation][struck]
		if f < 0 {
			continue
		}
		if part.destroys {
			s.clear(form.Only(f)) // RE-097, also without a cover card (RE-099)
		}
		s.cover(f, part.destroys, part.rounds)
	}
}

// orientation is how cards lie: by the board, or turned with the seat whose turn it is (RE-094, RE-095).
func (s *State) orientation() int {
	if !s.game.alignSeat {
		return 0
	}
	return s.game.data.rotations(s.game.players)[s.Active()]
}

// cover lays a cover card on a field, or turns the one that lies there (RE-096 to RE-099).
func (s *State) cover(f Field, destroyed bool, rounds uint8) {
	covered := s.Covered()
	if !covered.Has(f) && covered.Count() >= s.game.data.Markers {
		return // RE-099
	}
	switch {
	case destroyed:
		s.destroyed |= form.Only(f)
		s.blocked &^= form.Only(f)
	case !s.destroyed.Has(f):
		s.blocked |= form.Only(f)
	}
	s.left[f] = max(s.left[f], rounds)
}
