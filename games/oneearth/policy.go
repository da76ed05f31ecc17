package oneearth

// fundPolicy is OE-080 and OE-081. It may be bought without Emissions.
func (s *State) fundPolicy(p int, c Policy) {
	card := &s.game.Components.Policies[c]
	s.Countries[p].Money -= int16(card.Cost)
	s.Policies[c] = int8(p)
	s.Turn.Policies++
	s.moveEmissions(p, -card.Reduction)
	s.endEffect()
}

// PoliciesFunded counts the Climate Policies of a seat.
func (s *State) PoliciesFunded(p int) int { return ownedBy(p, s.Policies[:]) }

// ownedBy counts the cards of a seat among the owners of cards.
func ownedBy(p int, owners []int8) int {
	n := 0
	for _, owner := range owners {
		n += index(int(owner) == p)
	}
	return n
}
