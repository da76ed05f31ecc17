package earthman

import "earthgym/env"

// The legal actions, which the State keeps from decision to decision, and what several decisions allow alike.

const maskWords = (numActions + 63) / 64

// legal are those that it keeps.
func (s *State) legal() env.Mask { return s.mask[:] }

// counts adds count low to count high.
func counts(m env.Mask, low, high int) {
	if low <= high {
		m.Block(Count(low), 1<<(high-low+1)-1)
	}
}

// upTo adds count 1 to count most-1, and all for most itself.
func upTo(m env.Mask, most int) {
	counts(m, 1, most-1)
	m.Set(All)
}

// Legal copies the kept mask.
func (s *State) Legal(m env.Mask) { copy(m, s.mask[:]) }

// targetOwner is the target of an action as an owner.
func (s *State) targetOwner(target int) env.Player {
	if target == theUN {
		return UN
	}
	return s.clockwise(env.Player(s.actor), target+1)
}

// TargetPlace is the place of an owner among the actor's targets.
func (s *State) TargetPlace(owner env.Player) int {
	if owner == UN {
		return theUN
	}
	return s.places(env.Player(s.actor), owner) - 1
}

// clockwise is the seat so many places clockwise from p.
func (s *State) clockwise(p env.Player, places int) env.Player {
	q := int(p) + places
	if q >= s.game.players {
		q -= s.game.players
	}
	return env.Player(q)
}

// places is how many places clockwise from p the seat q sits.
func (s *State) places(p, q env.Player) int {
	if q < p {
		return int(q-p) + s.game.players
	}
	return int(q - p)
}

// others are all seats but p.
func (s *State) others(p env.Player) env.Seats {
	return env.Seats(1<<s.game.players-1) &^ env.Only(p)
}

// relative turns a set of seats into places clockwise from p.
func (s *State) relative(p env.Player, seats env.Seats) uint64 {
	both := uint64(seats) | uint64(seats)<<s.game.players
	return both >> p & (1<<s.game.players - 1)
}

// Asked is the seat that a Seat action means now.
func (s *State) Asked(a env.Action) env.Player {
	return s.clockwise(env.Player(s.seat), act.seat.Index(a))
}

// findLegal sets the legal actions of what is asked.
func (s *State) findLegal() { s.asking().Mask(s, env.Player(s.seat), s.legal()) }

// legalAnswer is yes or no.
func (s *State) legalAnswer(m env.Mask, _ env.Player) { m.Block(Yes, 0b11) }

// legalOwnRegion are the own regions of the world in hand.
func (s *State) legalOwnRegion(m env.Mask, p env.Player) {
	m.Block(act.region.First, uint64(s.land[p][s.pending.at]))
}

// legalRiskShare is how many of the fleets that go are At Risk.
func (s *State) legalRiskShare(m env.Mask, p env.Player) {
	f, k := s.seats[p].fleet[s.pending.at], int(s.pending.count)
	counts(m, max(0, k-int(f.Steady)), min(k, int(f.Risk)))
}
