package newearth

import (
	"math/bits"

	"earthgym/env"
)

// A Card is a sort of card: a title of City cards, or a kind of Catastrophe cards.
type Card int8

// The sorts of cards (RULES.md 2.11, 2.12).
const (
	UrbanPlanning Card = iota
	StormDefence
	HousingLandUse
	LawOrder
	Universities
	TechnologyResearch
	PublicHealth
	TransportLinks
	CivilDisorder
	Anarchists
	VirusLocal
	VirusPandemic
	FloodLocal
	FloodGeneral
	StockLossMining
	StockLossEnergy
	StockLossManufacturing
	Independence

	// NoCard stands for none.
	NoCard Card = -1

	NumTitles       = int(CivilDisorder)
	NumCards        = int(Independence) + 1
	numCatastrophes = NumCards - NumTitles
)

var cardNames = [NumCards]string{
	"urban-planning", "storm-defence", "housing-land-use", "law-order",
	"universities", "technology-research", "public-health", "transport-links",
	"civil-disorder", "anarchists", "virus-local", "virus-pandemic", "flood-local", "flood-general",
	"stock-loss-mining", "stock-loss-energy", "stock-loss-manufacturing", "state-of-independence",
}

// String is the card's id, or "" for none.
func (c Card) String() string {
	if c < 0 || int(c) >= NumCards {
		return ""
	}
	return cardNames[c]
}

// IsCity says whether it is a City card.
func (c Card) IsCity() bool { return c < CivilDisorder }

// stockLoss says whether it is a Stock Loss, and of which sort of units.
func (c Card) stockLoss() (Kind, bool) {
	if c >= StockLossMining && c <= StockLossManufacturing {
		return Mining + Kind(c-StockLossMining), true
	}
	return 0, false
}

// strikesZones says whether a Catastrophe card affects zones.
func (c Card) strikesZones() bool { return c < StockLossMining }

// strikesAll says whether it strikes everybody's zones (NE-043).
func (c Card) strikesAll() bool {
	return c == CivilDisorder || c == VirusPandemic || c == FloodGeneral
}

// Cards is a set of sorts: bit c stands for card c.
type Cards uint32

const (
	cityCards        Cards = 1<<NumTitles - 1
	catastropheCards Cards = 1<<NumCards - 1 - cityCards
	stockLosses      Cards = 1<<StockLossMining | 1<<StockLossEnergy | 1<<StockLossManufacturing
)

// Has says whether c is in the set.
func (s Cards) Has(c Card) bool { return s>>uint(c)&1 != 0 }

// Count is the number of sorts in the set.
func (s Cards) Count() int { return bits.OnesCount32(uint32(s)) }

// First is the lowest sort of the set, which must not be empty.
func (s Cards) First() Card { return Card(bits.TrailingZeros32(uint32(s))) }

// Rest is the set without its First.
func (s Cards) Rest() Cards { return s & (s - 1) }

// Pile is a number of cards of each sort.
type Pile [NumCards]int8

func (p *Pile) size() int {
	n := 0
	for _, k := range p {
		n += int(k)
	}
	return n
}

// gain puts a card into a hand.
func (s *State) gain(p env.Player, c Card) {
	s.seats[p].hand[c]++
	s.held[p] |= 1 << c
	s.size[p]++
}

// lose takes a card out of a hand, to wherever it goes.
func (s *State) lose(p env.Player, c Card) {
	hand := &s.seats[p].hand
	hand[c]--
	if hand[c] == 0 {
		s.held[p] &^= 1 << c
	}
	s.size[p]--
}

// show puts a card that has left p's hand on the discard pile, where everybody sees it (NE-032).
func (s *State) show(p env.Player, c Card) {
	s.discard[c]++
	s.discards++
	s.seats[p].shown[c]++
	s.seats[p].known &^= 1 << c
}

// discardCard is a card used, traded or discarded out of the hand (NE-032, NE-034: it is gone with that).
func (s *State) discardCard(p env.Player, c Card) {
	s.lose(p, c)
	s.show(p, c)
}

// draw draws a number of cards (NE-033: the discard pile becomes the deck when that is empty; if both
// are, no card is drawn).
func (s *State) draw(p env.Player, n int, tape *env.Tape) {
	for range n {
		tape.Mark("draws", p)
		c := s.takeCard(tape, env.Only(p), dealNames[p])
		if c == NoCard {
			return
		}
		s.gain(p, c)
		s.seats[p].drawn++
	}
}

// takeCard is the one place where a card leaves the deck. Nobody can see the order of the deck, so each
// of its cards is as likely as the others.
func (s *State) takeCard(tape *env.Tape, to env.Seats, event string) Card {
	if s.decked == 0 {
		s.deck, s.decked = s.discard, s.discards
		s.discard, s.discards = Pile{}, 0
		if s.decked == 0 {
			return NoCard
		}
	}
	luck := &s.luck[deckStream]
	var c Card
	if tape == nil {
		r := luck.Below(int(s.decked))
		for r >= int(s.deck[c]) {
			r -= int(s.deck[c])
			c++
		}
	} else {
		c = Card(tape.Weighted(luck, to, event, NumCards,
			func(i int) int { return int(s.deck[i]) },
			func(i int) string { return cardNames[i] }))
	}
	s.deck[c]--
	s.decked--
	return c
}

var dealNames = [maxPlayers]string{"deal 0", "deal 1", "deal 2", "deal 3"}

// deal is step 6 of the set-up: the cards of seat 0, then those of seat 1 and so on, and at last the
// Catastrophe cards go into the deck.
func (s *State) deal(tape *env.Tape) {
	for p := range env.Player(s.game.players) {
		s.draw(p, s.game.data.Start.Cards, tape)
	}
	for i, k := range s.game.data.Catastrophes {
		s.deck[NumTitles+i] = int8(k.Count)
		s.decked += int16(k.Count)
	}
}

// full says whether the seat has more cards than the hand limit and can do something about it
// (NE-031: Catastrophe cards cannot be discarded).
func (s *State) full(p env.Player) bool {
	return int(s.size[p]) > s.game.data.HandLimit && s.held[p]&cityCards != 0
}

// sell is NE-036: a City card for its cash.
func (s *State) sell(p env.Player, c Card) {
	s.discardCard(p, c)
	s.seats[p].has[Cash] += s.game.sale[c]
}

// trade is NE-037: a City card for its unit.
func (s *State) trade(p env.Player, c Card) {
	s.discardCard(p, c)
	s.seats[p].has[s.game.unit[c]]++
}

// canPurge says whether the seat may get rid of a Stock Loss that it holds (NE-038).
func (s *State) canPurge(p env.Player) bool {
	return s.held[p]&stockLosses != 0 && s.held[p].Has(TransportLinks)
}

// purge is NE-038: Transport Links and the lowest Stock Loss are discarded together.
func (s *State) purge(p env.Player, tape *env.Tape) {
	c := (s.held[p] & stockLosses).First()
	if tape != nil {
		tell(tape, "player %d plays %s and is rid of %s", p, TransportLinks, c)
	}
	s.discardCard(p, TransportLinks)
	s.discardCard(p, c)
}

// legalReceive is NE-030: a card may be taken in spite of a full hand if there is a City card to be given for it.
func (s *State) legalReceive(m env.Mask, p env.Player) {
	m.Set(No)
	m.SetIf(s.held[p]&cityCards != 0, Yes)
}

func (s *State) receive(p env.Player, a env.Action, tape *env.Tape) {
	if a == Yes {
		s.received(p, tape)
	} else {
		s.receiveFrom(s.order.place(p)+1, tape)
	}
}

// legalOverflow are the City cards that can go, and what they can bring (NE-031, NE-036, NE-037).
func (s *State) legalOverflow(m env.Mask, p env.Player) {
	held := s.held[p] & cityCards
	m.Block(act.discard.First, uint64(held))
	m.Block(act.sell.First, uint64(held&s.game.sellable))
	m.Block(act.unit.First, uint64(held&s.game.tradable))
}
