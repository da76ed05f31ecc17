package oneearth

import (
	"math/bits"

	"earthgym/env"
)

// Reset is section 4 of RULES.md: the first player, the row, then leaders or starting Projects.
func (s *State) Reset(seed uint64, tape *env.Tape) {
	s.Position = s.game.start
	env.SeedStreams(s.luck[:], streamNames[:], seed)
	if s.game.first < 0 { // OE-019
		s.First = int8(tape.Uniform(&s.luck[setUpStream], env.Everybody, "first-player", s.game.Players, seatDigit))
	}
	s.refill(tape) // OE-010
	if !s.game.Advanced {
		s.startStandard(tape)
		return
	}
	s.startAdvanced(tape)
}

// startPosition is the table before anything is drawn: the decks, money, tokens, Global Emissions.
func (g *Game) startPosition() Position {
	p, c := g.cleared(), &g.Components.Constants
	for x, card := range g.Components.Projects {
		p.Deck[x] = int8(card.Copies)
		p.DeckSize += int8(card.Copies)
	}
	money := c.MoneyStandard // OE-014
	if g.Advanced {
		money = c.MoneyAdvanced // OE-016
	}
	for i := range g.Players {
		p.Countries[i].Money = int16(money)
		if g.Diplomatic() {
			p.Countries[i].Tokens = int8(c.Tokens)
		}
	}
	switch { // OE-240
	case g.Players == 2:
		p.Global = int16(c.StartGlobalTwo)
	case g.Players == 1:
		p.Global = int16([...]int{c.StartGlobalEasy, c.StartGlobalMedium, c.StartGlobalHard}[g.Difficulty])
	}
	p.First = int8(max(g.first, 0))
	return p
}

// startStandard is OE-014, OE-015 and OE-018: each seat gets a random Project, and the markers follow.
func (s *State) startStandard(tape *env.Tape) {
	for i := range s.game.Players {
		p := s.inTurn(i)
		x := s.drawProject(tape, startEvents[p])
		s.gain(p, x)
		s.moveProsperity(p, int(s.game.worth[0][0][x]))
		s.moveEmissions(p, int(s.game.emission[0][x]))
	}
	s.startTurn(tape)
}

// startAdvanced is OE-016 and OE-017.
func (s *State) startAdvanced(tape *env.Tape) {
	switch s.game.leaders {
	case draftLeaders:
		s.Decision, s.Seat = AtLeader, s.First
		return
	case givenLeaders:
		for p := range s.game.Players {
			s.Countries[p].Leader = s.game.given[p]
		}
	case randomLeaders:
		for i := range s.game.Players {
			p := s.inTurn(i)
			left := s.leadersLeft()
			n := bits.OnesCount8(left)
			k := tape.Uniform(&s.luck[setUpStream], env.Everybody, leaderEvents[p], n,
				func(i int) string { return nthLeader(left, i).String() })
			s.Countries[p].Leader = nthLeader(left, k)
		}
	}
	s.startTurn(tape)
}

// leadersLeft is the set of leaders that nobody has.
func (s *State) leadersLeft() uint8 {
	left := s.game.boxLeaders
	for p := range s.game.Players {
		if l := s.Countries[p].Leader; l >= 0 {
			left &^= 1 << l
		}
	}
	return left
}

func nthLeader(set uint8, n int) Leader {
	for ; n > 0; n-- {
		set &= set - 1
	}
	return Leader(bits.TrailingZeros8(set))
}

// chooseLeader is OE-017: the next seat chooses, or round 1 begins.
func (s *State) chooseLeader(l Leader, tape *env.Tape) {
	s.Countries[s.Seat].Leader = l
	if next := s.after(int(s.Seat)); next != int(s.First) {
		s.Seat = int8(next)
		return
	}
	s.startTurn(tape)
}

// The texts of chance events that name a seat.
var (
	startEvents  = [MaxPlayers]string{"start 0", "start 1", "start 2", "start 3", "start 4"}
	leaderEvents = [MaxPlayers]string{"leader 0", "leader 1", "leader 2", "leader 3", "leader 4"}
)
