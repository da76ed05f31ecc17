package oneearth

import "earthgym/env"

// startTurn is OE-030 and OE-045: the next seat's income, before everything else.
func (s *State) startTurn(tape *env.Tape) {
	p := s.active()
	tape.Mark("turn", env.Player(p))
	c := &s.Countries[p]
	s.Turn = Turn{EmissionsAtStart: c.Emissions}
	if s.game.Players == 1 {
		s.moveProsperity(p, -s.SoloPenalty())
	}
	s.income(p, tape)
	s.menu()
}

// menu hands the decision to the seat whose turn it is.
func (s *State) menu() { s.decide(AtTurn, s.active()) }

// SoloPenalty is OE-250: the Prosperity that a lone player with these Emissions loses each turn.
func (s *State) SoloPenalty() int {
	c, e := &s.game.Components.Constants, int(s.Countries[0].Emissions)
	switch {
	case e > c.SoloPenaltyTwoFrom:
		return 2
	case e > c.SoloPenaltyFrom:
		return 1
	}
	return 0
}

// nextIncome is Income of a seat's next turn as far as it is known: this round's changes are over for who has had its
// income (OE-112, OE-118), and alone a turn begins with the loss of Prosperity (OE-250).
func (s *State) nextIncome(p int) int {
	after, n := *s, s.game.Players
	if s.inATurn() && (p-int(s.First)+n)%n <= int(s.TurnsDone) {
		after.IncomeMod, after.Sanctioned = 0, -1
	}
	if n == 1 {
		after.moveProsperity(p, -s.SoloPenalty())
	}
	return after.Income(p)
}

// Income is what a seat receives if its turn begins now: OE-040 to OE-042, OE-046.
func (s *State) Income(p int) int { return s.incomeWith(p, s.TechnologiesFunded(p)) }

// incomeWith is Income for a seat that has funded so many Technologies.
func (s *State) incomeWith(p, technologies int) int {
	gross := int(s.Countries[p].Prosperity) + int(s.IncomeMod)
	if s.Countries[p].Leader == Scientist {
		gross += min(s.game.Components.Leaders[Scientist].Ability, technologies) // OE-041
	}
	gross = max(0, gross) // OE-040
	if int(s.Sanctioned) == p {
		return min(gross, s.game.Components.Constants.SanctionCap) // OE-042
	}
	return gross
}

// Fee is what Cap and Trade asks of a seat, OE-043.
func (s *State) Fee(p int) int {
	if s.Resolutions[CapAndTrade] != Passed {
		return 0
	}
	return max(0, int(s.Countries[p].Emissions)-s.game.Components.Constants.EmissionAllowance)
}

// income is OE-040 to OE-046: received, then the fee, then the transfers of Mandatory Foreign Aid.
// Forced payments take what is there (OE-005).
func (s *State) income(p int, tape *env.Tape) {
	c := &s.Countries[p]
	c.Money += int16(s.Income(p))
	tape.Mark("fee", env.Player(p))
	c.Money -= min(c.Money, int16(s.Fee(p)))
	if !s.Donors.Has(env.Player(p)) {
		return
	}
	tape.Mark("foreign-aid", env.Player(p))
	for q := s.after(p); q != p; q = s.after(q) { // OE-044
		if s.Recipients.Has(env.Player(q)) {
			paid := min(c.Money, int16(s.game.Components.Constants.AidTransfer))
			c.Money -= paid
			s.Countries[q].Money += paid
		}
	}
}

// endTurn judges the seat's promises and hands on; the last turn ends the round (OE-003).
func (s *State) endTurn(p int, tape *env.Tape) {
	s.judgePromises(p)
	s.Turn = Turn{}
	s.TurnsDone++
	if s.inATurn() {
		s.startTurn(tape)
		return
	}
	s.endRound(tape)
}

// endEffect is the end of an effect in a turn: the checkpoint, then the menu again.
func (s *State) endEffect() {
	if s.checkpoint() {
		s.menu()
	}
}

// moveProsperity moves a country's marker; it stops at 0 (OE-190).
func (s *State) moveProsperity(p, steps int) {
	c := &s.Countries[p]
	c.Prosperity = max(0, c.Prosperity+int16(steps))
}

// moveEmissions moves a country's marker, which stops at 0 (OE-190), and the global one by the steps
// that the country's really moved (OE-191).
func (s *State) moveEmissions(p, steps int) {
	c := &s.Countries[p]
	moved := max(-c.Emissions, int16(steps))
	c.Emissions += moved
	s.moveGlobal(int(moved))
}

// moveGlobal moves the global marker; it stops at 0 (OE-192).
func (s *State) moveGlobal(steps int) { s.Global = max(0, s.Global+int16(steps)) }
