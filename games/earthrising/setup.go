package earthrising

import "earthgym/env"

// Reset sets up the game (ER-101 to ER-112).
func (s *State) Reset(seed uint64, tape *env.Tape) {
	s.position = position{}
	env.SeedStreams(s.luck[:], streamNames[:], seed)

	s.dealPractices(tape)
	s.stackDeck(tape)
	s.dealHands()
	s.turn, s.year = 1, 1 // ER-108
	switch g := s.game; {
	case g.choose:
		s.decision = atChoose
		return
	case g.list != nil:
		for _, k := range g.list {
			s.pick(k)
		}
	case g.variant == solo:
		s.seatClockwise(s.roll(tape))
	default:
		s.seatClockwise(s.drawCharacters(tape))
	}
	s.startFirstTurn(tape)
}

// dealPractices is ER-101 to ER-104: strain on every burden, and two unsustainable practices on the
// centre two circles of every sector.
func (s *State) dealPractices(tape *env.Tape) {
	t := &s.game.data.Setup
	for x := range Sector(NumSectors) {
		s.strain[x] = int8(t.MinorStrain + t.MajorStrain)
		var left [perSector]Card
		for i := range left {
			left[i] = Card(int(x)*perSector + i)
		}
		for i := range int8(2) {
			n := perSector - int(i)
			at := tape.Uniform(&s.luck[practiceLuck], env.Everybody, "deal practice", n,
				func(i int) string { return left[i].unsustainable() })
			p := left[at]
			copy(left[at:], left[at+1:])
			s.circle[x][1+i] = p.place() + 1
			s.filled[x] |= 1 << (1 + i)
			s.unsustainable |= Only(p)
		}
		s.settle(x)
	}
}

// stackDeck is ER-105: piles of Influence cards, each on an SQS card.
func (s *State) stackDeck(tape *env.Tape) {
	var strikes [NumSectors]Card
	for i := range strikes {
		strikes[i] = Card(firstStrike + i)
	}
	tape.Shuffle(&s.luck[deckLuck], env.Nobody, "deal strikes", len(strikes),
		func(i, j int) { strikes[i], strikes[j] = strikes[j], strikes[i] },
		func(i int) string { return strikes[i].String() })
	var influence [numPractices]Card
	for i := range influence {
		influence[i] = Card(i)
	}
	tape.Shuffle(&s.luck[deckLuck], env.Nobody, "shuffle deck", len(influence),
		func(i, j int) { influence[i], influence[j] = influence[j], influence[i] },
		func(i int) string { return influence[i].String() })

	piles := s.game.data.Setup.Strikes
	pile := numPractices / piles
	s.deckSize = int8(numPractices + piles)
	at := s.deckSize
	for i := range piles {
		for _, c := range influence[i*pile : (i+1)*pile] {
			at--
			s.deck[at] = c
		}
		at--
		s.deck[at] = strikes[i]
	}
	for _, c := range strikes[piles:] {
		s.discard |= Only(c)
	}
	s.public = 1<<s.deckSize - 1
}

// dealHands is ER-106: a hand for each place, which belongs to seat place modulo players.
func (s *State) dealHands() {
	for i := range s.game.cast {
		for range s.game.data.Setup.Hand {
			c := s.pop()
			s.dealt[i] |= Only(c)
			s.learn(s.holders(env.Player(i%s.game.players)), c)
		}
	}
}

// drawCharacters is ER-109. It gives the characters in the order drawn.
func (s *State) drawCharacters(tape *env.Tape) (drawn sectorSet, first Character) {
	var left [NumCharacters]Character
	for i := range left {
		left[i] = Character(i)
	}
	for i := range s.game.cast {
		at := tape.Uniform(&s.luck[characterLuck], env.Everybody, "draw character", NumCharacters-i,
			func(i int) string { return left[i].String() })
		if i == 0 {
			first = left[at]
		}
		drawn |= bit(left[at])
		copy(left[at:], left[at+1:])
	}
	return drawn, first
}

// roll is ER-111 and ER-812: the die is rolled until enough different faces have come.
func (s *State) roll(tape *env.Tape) (rolled sectorSet, first Character) {
	for rolled.count() < s.game.cast {
		face := tape.Uniform(&s.luck[dieLuck], env.Everybody, "roll", NumCharacters, func(i int) string { return faceIDs[i] })
		k := s.game.faces[face]
		if rolled == 0 {
			first = k
		}
		rolled |= bit(k)
	}
	return rolled, first
}

var faceIDs = [NumCharacters]string{"1", "2", "3", "4", "5", "6"}

// seatClockwise seats characters in the order of the ring, from the first one on.
func (s *State) seatClockwise(characters sectorSet, first Character) {
	for _, x := range s.game.ring[first] {
		if k := Character(x); characters.plays(k) {
			s.pick(k)
		}
	}
}

// pick gives the next place and its hand to a character (ER-110).
func (s *State) pick(k Character) {
	i := s.castSize
	s.cast[i] = k
	s.castSize++
	s.inPlay |= bit(k)
	s.seat[k] = int8(int(i) % s.game.players)
	s.hand[k], s.dealt[i] = s.dealt[i], 0
}

// startFirstTurn arranges the characters clockwise from the first one and lets it begin.
func (s *State) startFirstTurn(tape *env.Tape) {
	first := s.cast[0]
	s.arrange(first)
	s.turn = 0
	s.beginTurn(first, tape)
}

// arrange puts the cast into clockwise order from a character on.
func (s *State) arrange(first Character) {
	s.cast, s.castSize = [NumCharacters]Character{}, 0
	for _, x := range s.game.ring[first] {
		if k := Character(x); s.inPlay.plays(k) {
			s.cast[s.castSize] = k
			s.castSize++
		}
	}
}
