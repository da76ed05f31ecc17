package earthrising

import "earthgym/env"

// elect is an election (ER-812 to ER-816). It gives the character whose turn is next (ER-815).
func (s *State) elect(tape *env.Tape) Character {
	elected, _ := s.roll(tape)
	out, in := s.inPlay&^elected, elected&^s.inPlay
	var pile Set
	for left := out; left != 0; left = left.rest() {
		k := left.first()
		pile |= s.hand[k]
		s.hand[k] = 0
		if s.game.tokensBack {
			s.takeBack(Character(k), tape)
		}
	}
	s.inPlay = elected
	s.dealPile(pile, in, tape)
	next := s.following(s.active)
	s.arrange(next)
	return next
}

// takeBack is election_tokens=return: all tokens of a character leave the board (ER-816).
func (s *State) takeBack(k Character, tape *env.Tape) {
	switch k {
	case Activist:
		s.protest = 0
	case Ecologist:
		s.regeneration = 0
	case Innovator:
		if s.startups > 0 {
			s.dropStartUps(0, tape)
		}
	}
}

// dealPile is ER-814: the cards of the characters voted out, shuffled and dealt one by one to the new
// ones, clockwise from the character whose turn has ended; then they are revealed.
func (s *State) dealPile(pile Set, in sectorSet, tape *env.Tape) {
	var cards [numPractices]Card
	n := 0
	for ; pile != 0; pile = pile.Rest() {
		cards[n] = pile.First()
		n++
	}
	if n == 0 {
		return
	}
	tape.Shuffle(&s.luck[electionLuck], env.Everybody, "election-shuffle", n,
		func(i, j int) { cards[i], cards[j] = cards[j], cards[i] },
		func(i int) string { return cards[i].String() })
	var clockwise [NumCharacters]Character
	heirs := 0
	for _, x := range s.game.ring[s.active] {
		if in.has(x) {
			clockwise[heirs] = Character(x)
			heirs++
		}
	}
	for i, c := range cards[:n] {
		s.hand[clockwise[i%heirs]] |= Only(c)
		s.learn(env.Everybody, c)
	}
}
