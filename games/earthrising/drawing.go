package earthrising

import "earthgym/env"

// goOnDrawing draws what is left of a drawing. Only the Eco Investor is asked, while looks are left
// (ER-422).
func (s *State) goOnDrawing(tape *env.Tape) {
	for {
		if s.lookLegal() {
			s.decision = atDraw
			return
		}
		if s.inside.normals == 0 {
			s.finishDrawing(tape)
			return
		}
		if !s.drawNormal(tape) {
			return
		}
	}
}

func (s *State) finishDrawing(tape *env.Tape) {
	if s.inside.drawing == startDrawing {
		s.cutHand()
		return
	}
	s.goOnActing(tape)
}

// drawNormal draws the next normal card, or resolves the strike that lies in its place (ER-203,
// ER-204). It says whether the drawing may go on at once.
func (s *State) drawNormal(tape *env.Tape) bool {
	for {
		if s.undrawn()&^(Set(s.struck)<<firstStrike) == 0 { // ER-209
			s.inside.normals--
			return true
		}
		c := s.turnOver(tape)
		switch {
		case !c.IsStrike():
			tape.Mark("draws", env.Player(s.active))
			seats := s.holders(s.activeSeat())
			s.hand[s.active] |= Only(c)
			s.learn(seats, c)
			s.note(tape, seats, "draw", c)
			s.inside.normals--
			return true
		case s.struck.has(c.Sector()): // ER-712
			s.putAway(c, tape, "struck already")
		default:
			s.strike(c, tape)
			return s.decision != over && !s.trimNeeded(thenDraw)
		}
	}
}

// undrawn are the cards of deck and discard pile.
func (s *State) undrawn() Set {
	held := s.centre
	for _, h := range s.hand {
		held |= h
	}
	return allCards &^ held
}

// turnOver takes the top card of the deck, which is made anew from the discard pile when it is empty
// (ER-208). Something must be left in one of the two.
func (s *State) turnOver(tape *env.Tape) Card {
	if s.deckSize == 0 {
		s.shuffleIn(tape, "reshuffle")
	}
	return s.pop()
}

// pop takes the top card of the deck.
func (s *State) pop() Card {
	s.deckSize--
	c := s.deck[s.deckSize]
	s.deck[s.deckSize] = 0
	s.public &^= 1 << s.deckSize
	return c
}

// push puts a card on top of the deck.
func (s *State) push(c Card) {
	s.deck[s.deckSize] = c
	s.deckSize++
}

// shuffleIn makes a new deck of deck and discard pile.
func (s *State) shuffleIn(tape *env.Tape, event string) {
	cards := s.discard
	for _, c := range s.deck[:s.deckSize] {
		cards |= Only(c)
	}
	n := cards.Count()
	s.forget(cards)
	s.discard, s.public, s.deckSize = 0, 0, int8(n)
	// A tape that forces the first cards leaves the rest in the order of their numbers.
	for at := n - 1; cards != 0; cards = cards.Rest() {
		s.deck[at] = cards.First()
		at--
	}
	tape.Shuffle(&s.luck[reshuffleLuck], env.Nobody, event, n,
		func(i, j int) { i, j = n-1-i, n-1-j; s.deck[i], s.deck[j] = s.deck[j], s.deck[i] },
		func(i int) string { return s.deck[n-1-i].String() })
}

// refresh is ER-313.
func (s *State) refresh(tape *env.Tape) { s.shuffleIn(tape, "refresh") }

// putAway puts a card on the discard pile that everybody has seen.
func (s *State) putAway(c Card, tape *env.Tape, verb string) {
	s.discard |= Only(c)
	s.learn(env.Everybody, c)
	s.note(tape, env.Everybody, verb, c)
}

// discardSurplus is ER-205: face down.
func (s *State) discardSurplus(c Card) {
	s.hand[s.active] &^= Only(c)
	s.discard |= Only(c)
	s.leaveFaceDown(s.active, s.holders(s.activeSeat()), c)
	if s.hand[s.active].Count() <= s.game.data.Turn.HandLimit {
		s.decision = atActions
	}
}

// note records a card that is shown.
func (s *State) note(tape *env.Tape, to env.Seats, verb string, c Card) {
	if tape != nil {
		tape.Note(to, verb+" "+c.String())
	}
}
