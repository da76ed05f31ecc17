package newearth

import (
	"strconv"

	"earthgym/env"
)

// handTotal is the value of a seat's hand; Catastrophe cards count 0 (NE-020).
func (s *State) handTotal(p env.Player) int {
	total := 0
	for c, k := range s.seats[p].hand[:NumTitles] {
		total += int(k) * int(s.game.value[c])
	}
	return total
}

// initiative is NE-020 and NE-021: highest hand total first, then fewest zones, then chance.
func (s *State) initiative(tape *env.Tape) {
	s.order = seatList{}
	var zones [maxPlayers]int
	for p := range env.Player(s.game.players) {
		seat := &s.seats[p]
		seat.announced, seat.announcedSize = int16(s.handTotal(p)), s.size[p]
		seat.drawn, seat.shown = 0, Pile{}
		zones[p] = s.owned[p].Count()
		s.order.add(p)
	}
	// Sorted by insertion, which keeps equal seats in ascending order.
	before := func(p, q int8) bool {
		a, b := &s.seats[p], &s.seats[q]
		return a.announced > b.announced || a.announced == b.announced && zones[p] < zones[q]
	}
	order := s.order.slice()
	for i := 1; i < len(order); i++ {
		for k := i; k > 0 && before(order[k], order[k-1]); k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && !before(order[first], order[end]) {
			end++
		}
		if tied := order[first:end]; len(tied) > 1 {
			tape.Shuffle(&s.luck[tieStream], env.Everybody, "initiative", len(tied),
				func(i, j int) { tied[i], tied[j] = tied[j], tied[i] },
				func(i int) string { return strconv.Itoa(int(tied[i])) })
		}
		first = end
	}
	if tape != nil && s.game.announce {
		for _, p := range order {
			tell(tape, "player %d announces a hand total of %d", p, s.seats[p].announced)
		}
	}
}
