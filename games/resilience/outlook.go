package resilience

import "earthgym/env"

// What anybody can work out from the open table about the time that is left and the danger.

// EndChance is the chance that the game ends by time when this turn is over, for all that the seats
// know.
func (s *State) EndChance() float64 {
	least, n := s.game.lengthsLeft(s.clock)
	if n < 1 {
		return 1 // it has ended
	}
	ending := min(int(s.clock+s.game.turnTime)/60, s.game.minutesMax) - least + 1
	return float64(max(ending, 0)) / float64(n)
}

// RoundsLeft is the number of rounds that the seats must expect until the signal, as a fraction: up to
// the mean of the earliest and the latest end.
func (s *State) RoundsLeft() float64 {
	least, most := s.game.Lengths()
	end := (max(s.Clock(), least) + most) / 2
	return float64(max(end-s.Clock(), 0)) / float64(s.game.RoundTime())
}

// Allocations is how many allocations the seats must expect, this round's included, and the chance of
// this round's: over all lengths of the game that the clock leaves.
func (s *State) Allocations() (expected, next float64) {
	g := s.game
	least, n := g.lengthsLeft(s.clock)
	if n < 1 {
		return 0, 0 // it has ended
	}
	sum, first := 0, 0 // of the lengths with which each is played
	at := int(s.clock) + (g.players-int(s.turn))*int(g.turnTime)
	for ; at < 60*g.minutesMax; at += g.RoundTime() {
		longer := g.minutesMax - max(least, at/60+1) + 1
		if sum += longer; first == 0 {
			first = longer
		}
	}
	return float64(sum) / float64(n), float64(first) / float64(n)
}

// RoundsDone is the number of rounds played, turns as fractions.
func (s *State) RoundsDone() float64 {
	return float64(s.round-1) + float64(s.turn)/float64(s.game.players)
}

// FallWithin is the chance that one of the next stones brings the tower down.
func (s *State) FallWithin(stones int) float64 {
	stands := 1.0
	for k := range stones {
		stands *= 1 - s.NextFall(k)
	}
	return 1 - stands
}

// Potential is how well p stands, by what everybody sees: the lead over the mean of the others in the
// points that will count, squashed into (-1, 1). That is the total if the planet stands and LQ alone if
// it falls, each weighed with its chance if stones go on coming at the pace so far.
func (s *State) Potential(p env.Player) float64 {
	pace := float64(s.tower) / (s.RoundsDone() + 1)
	falls := s.FallWithin(int(pace * s.RoundsLeft()))
	return float64((1-falls)*s.lead(p, s.Total)) + float64(falls*s.lead(p, s.LQ))
}

// lead is p's points less the mean of the others', squashed: 20 points ahead are worth a half.
func (s *State) lead(p env.Player, points func(env.Player) int) float64 {
	others := 0
	for q := range env.Player(s.game.players) {
		if q != p {
			others += points(q)
		}
	}
	lead := float64(points(p)) - float64(others)/float64(s.game.players-1)
	return lead / (20 + max(lead, -lead))
}
