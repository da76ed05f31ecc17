package earthrising

import (
	"earthgym/env"
	"earthgym/env/form"
)

// holders are the seats that see the cards in p's hands (ER-008).
func (s *State) holders(p env.Player) env.Seats {
	if s.game.closed {
		return env.Only(p)
	}
	return env.Everybody
}

// learn lets seats know where a card lies.
func (s *State) learn(seats env.Seats, c Card) {
	for p := range s.game.players {
		s.knownTo[p] |= form.When(seats.Has(env.Player(p)), Only(c))
	}
}

// forget takes all knowledge of where cards lie.
func (s *State) forget(cards Set) {
	for p := range s.game.players {
		s.knownTo[p] &^= cards
	}
}

// leaveFaceDown is what seats know after a card has left a character's hand face down: those that saw
// which one know it still; the others know no card of that hand any more.
func (s *State) leaveFaceDown(k Character, saw env.Seats, c Card) {
	for p := range s.game.players {
		if saw.Has(env.Player(p)) {
			s.knownTo[p] |= Only(c)
		} else {
			s.knownTo[p] &^= s.hand[k] | Only(c)
		}
	}
}

// consulted is what seats know of a card that the Politician looks at: nobody else knows its place any
// more, unless all see it.
func (s *State) consulted(c Card) {
	if s.game.closed {
		s.forget(Only(c))
	}
	s.learn(s.holders(s.activeSeat()), c)
}

// hidden says whether the seat that decides sees something inside its decision that p does not: a card
// looked at, cards to be ordered, a card to give away.
func (s *State) hidden(p env.Player) bool {
	return s.game.closed && p != s.activeSeat()
}

// knowPending are the seats that know what the action is that is being completed: which card is given away, only the
// giver knows until it is.
func (s *State) knowPending() env.Seats {
	if s.decision == atTo && s.game.closed {
		return env.Only(s.activeSeat())
	}
	return env.Everybody
}

// knowLooked are the seats that know the card looked at.
func (s *State) knowLooked() env.Seats {
	if s.decision == atLooked {
		return s.knowing(s.inside.card)
	}
	return env.Everybody
}

// seenBy are the cards of which a seat knows where they lie for which a position is written; all, if it is written
// whole.
func (s *State) seenBy(f *form.Position) Set {
	if p, partly := f.Viewer(); partly {
		return s.knownTo[p]
	}
	return ^Set(0)
}

// WitnessedBy hides, with closed hands, which card is given away or discarded for the hand limit, and in
// which order the Politician puts cards back.
func (s *State) WitnessedBy(p env.Player, a env.Action) string {
	info := &s.game.info.Actions[a]
	if s.decision != atChoose && s.hidden(p) {
		switch {
		case act.give.Has(a), s.decision == atDiscard:
			return info.Family
		case s.decision == atOrder:
			return ""
		}
	}
	return s.ActionText(a)
}

// A spot is a place where a card lies that somebody does not know.
type spot struct {
	zone zone
	at   int8 // which place of the zone
	kind kind
	know env.Seats // who knows the card
	card Card
}

type zone uint8

const (
	deckZone  zone = iota
	orderZone      // cards that are being ordered
	lookZone       // the card looked at
	handZone       // of character at
	dealtZone      // of place at
	discardZone
)

// A kind is what may come to a spot.
type kind uint8

const (
	anyCard kind = iota
	influenceCard
	strikeCard
)

func kindOf(c Card) kind {
	if c.IsStrike() {
		return strikeCard
	}
	return influenceCard
}

// spots are all spots that a seat does not know, in an order that it does.
type spots struct {
	list  [numCards]spot
	size  int
	cards Set // that lie there
}

// Redeal deals anew, over the places where they lie, all cards that p does not know, and gives every
// stream a new seed. Who knows the card of a place goes with the place.
func (s *State) Redeal(p env.Player, key uint64) {
	env.RedealStreams(s.luck[:], streamNames[:], key)
	if s.decision == over {
		return
	}
	deal := env.NewStream(key, "redeal")
	var u spots
	s.unknown(p, &u)
	x, need := s.unknownPayment(p)
	for {
		u.deal(&deal)
		if u.payment(s.active, x) >= need {
			break
		}
	}
	s.forget(u.cards)
	s.discard &^= u.cards
	for k := range s.hand {
		s.hand[k] &^= u.cards
		s.dealt[k] &^= u.cards
	}
	for _, t := range u.list[:u.size] {
		s.lay(t)
	}
	if s.decision == atTo && s.hidden(p) { // any card of the hand may be the one to be given
		hand := s.hand[s.active]
		for range deal.Below(hand.Count()) {
			hand = hand.Rest()
		}
		s.inside.pending = int16(give) + int16(hand.First())
	}
}

// unknown lists the spots that p does not know.
func (s *State) unknown(p env.Player, u *spots) {
	hidden := ^s.knownTo[p]
	for i, c := range s.deck[:s.deckSize] {
		if hidden.Has(c) {
			k := anyCard
			if s.public>>i&1 != 0 {
				k = kindOf(c)
			}
			u.add(spot{deckZone, int8(i), k, s.knowing(c), c})
		}
	}
	for i, c := range s.inside.order[:s.inside.orderSize] {
		if hidden.Has(c) {
			u.add(spot{orderZone, int8(i), anyCard, s.knowing(c), c})
		}
	}
	if c := s.inside.card; s.decision == atLooked && hidden.Has(c) {
		u.add(spot{lookZone, 0, influenceCard, s.knowing(c), c})
	}
	for k := range int8(NumCharacters) {
		s.addUnordered(u, handZone, k, s.hand[k]&hidden)
	}
	for i := range int8(NumCharacters) {
		s.addUnordered(u, dealtZone, i, s.dealt[i]&hidden)
	}
	// Face down in the discard pile lie Influence cards of the hand limit, and strikes since the set-up.
	s.addUnordered(u, discardZone, 0, s.discard&hidden&allInfluence)
	s.addUnordered(u, discardZone, 0, s.discard&hidden&allStrikes)
}

// knowing are the seats that know where a card lies.
func (s *State) knowing(c Card) env.Seats {
	return env.AllOf(s.game.players).Where(func(p env.Player) bool { return s.knownTo[p].Has(c) })
}

func (u *spots) add(t spot) {
	u.list[u.size] = t
	u.size++
	u.cards |= Only(t.card)
}

// addUnordered adds the cards of a zone that has no places of its own, in an order that does not depend
// on which cards they are.
func (s *State) addUnordered(u *spots, z zone, at int8, cards Set) {
	first := u.size
	for ; cards != 0; cards = cards.Rest() {
		c := cards.First()
		u.add(spot{z, at, kindOf(c), s.knowing(c), c})
		for i := u.size - 1; i > first && u.list[i-1].know > u.list[i].know; i-- {
			u.list[i-1], u.list[i] = u.list[i], u.list[i-1]
		}
	}
}

// deal deals the cards over the spots, each arrangement that the kinds allow being equally likely.
func (u *spots) deal(src *env.Stream) {
	var strikes, influence [numCards]Card
	numStrikes := shuffled(&strikes, u.cards&allStrikes, src)
	shuffled(&influence, u.cards&allInfluence, src)

	// Strikes that no spot is reserved for come to spots that take any card.
	free, fixed := 0, 0
	for _, t := range u.list[:u.size] {
		switch t.kind {
		case anyCard:
			free++
		case strikeCard:
			fixed++
		}
	}
	left := numStrikes - fixed
	nextStrike, nextInfluence := 0, 0
	for i := range u.list[:u.size] {
		t := &u.list[i]
		strike := t.kind == strikeCard
		if t.kind == anyCard {
			strike = src.Below(free) < left
			free--
			if strike {
				left--
			}
		}
		if strike {
			t.card = strikes[nextStrike]
			nextStrike++
		} else {
			t.card = influence[nextInfluence]
			nextInfluence++
		}
	}
}

// shuffled writes the cards of a set in random order and says how many there are.
func shuffled(dst *[numCards]Card, cards Set, src *env.Stream) int {
	n := 0
	for ; cards != 0; cards = cards.Rest() {
		i := src.Below(n + 1)
		dst[n] = dst[i]
		dst[i] = cards.First()
		n++
	}
	return n
}

// unknownPayment is a sector, and how many cards of it there must be among those of the active hand that
// p does not know: who is asked which card pays has at least two that can.
func (s *State) unknownPayment(p env.Player) (Sector, int) {
	if s.decision != atPay || !s.hidden(p) {
		return 0, 0
	}
	x := pendingSector(env.Action(s.inside.pending))
	hand := s.hand[s.active] & Of(x)
	return x, min(2, hand.Count()) - (hand & s.knownTo[p]).Count()
}

// payment counts the cards of a sector that have come to a character's hand.
func (u *spots) payment(k Character, x Sector) int {
	n := 0
	for _, t := range u.list[:u.size] {
		if t.zone == handZone && t.at == int8(k) && t.card.Sector() == x {
			n++
		}
	}
	return n
}

// lay lays a card on its spot.
func (s *State) lay(t spot) {
	switch t.zone {
	case deckZone:
		s.deck[t.at] = t.card
	case orderZone:
		s.inside.order[t.at] = t.card
	case lookZone:
		s.inside.card = t.card
	case handZone:
		s.hand[t.at] |= Only(t.card)
	case dealtZone:
		s.dealt[t.at] |= Only(t.card)
	case discardZone:
		s.discard |= Only(t.card)
	}
	s.learn(t.know, t.card)
}
