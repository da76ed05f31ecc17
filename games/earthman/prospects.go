package earthman

import "earthgym/env"

// What worlds and ways promise to an observer.

// A field is a world as p can expand there: the successes that it could use (EB-113), and the Power that they would
// bring, less where Devastation has to be cleared first.
type field struct {
	work int
	gain float32
}

func (s *State) field(p env.Player, w Place, free Regions) field {
	var f field
	capacity, own := s.capacity(p, w), s.land[p][w]
	first := capacity // Power of a region that is settled and built up
	if s.doubles(p, w) {
		first++
	}
	one, two := s.rubble[w][0]&^s.rubble[w][1], s.rubble[w][1]
	add := func(n, room, power, rubble int) {
		f.work += n * (room + rubble)
		f.gain += float32(n*power*power) / float32(power+rubble)
	}
	if capacity > 0 {
		add((free &^ s.rubble[w][0]).Count(), capacity, first, 0)
		add((free & one).Count(), capacity, first, 1)
		add((free & two).Count(), capacity, first, 2)
	}
	for ; own != 0; own &= own - 1 {
		r := own.first()
		if room := capacity - int(s.devs[w][r]); room > 0 {
			add(1, room, room, s.Devastation(w, r))
		}
	}
	return f
}

// perTurn is what is left of a promise after each turn on the way to it.
const perTurn = 0.6

// observeWorlds writes what worlds offer to p and what threatens it there, and what trajectories lead to.
func (s *State) observeWorlds(o *observation, p env.Player) {
	g, total := s.game, 0
	s.observeWays(o, p)
	for w := range g.Worlds().Each {
		free := g.regions[w]
		for q := range s.settled {
			free &^= s.land[q][w]
		}
		f, row := s.field(p, w, free), &o.Places[w]
		total += f.work
		fleets := s.seats[p].fleet[w].Count()
		row.Free = float32(free.Count()) * (1. / 7)
		row.Capacity = float32(s.capacity(p, w)) * (1. / maxDevs)
		row.Work = float32(f.work) * (1. / 10)
		row.Gain = min(f.gain*(1./10), 10)
		row.HasWork = flag(f.work > 0)
		row.Spare = float32(fleets-2*f.work) * (1. / 10)
		if row.Wanted = max(-row.Spare-row.Coming, 0); row.Wanted > 0 {
			row.Promise, row.Below = row.Gain, row.Wanted
		}
		row.CanSway = flag(s.CanInfluence(p, w))
	}
	for at := range (g.places & trajectories).Each { // ring by ring from the edge of the board inwards
		row := &o.Places[at]
		for down := range g.down[at].Each {
			if next := &o.Places[down]; next.Promise*perTurn > row.Promise {
				row.Promise, row.Below = next.Promise*perTurn, next.Below
			}
		}
	}
	hot(o.Own.Work[:], total)
	if p == env.Player(s.actor) {
		for w := range (s.seats[p].present() & worlds).Each {
			o.Places[w].Launchable = float32(s.launchable(w).Count()) * (1. / 10)
		}
	}
}

// observeWays writes fleets on their way to worlds, and what would be fired at p's on arrival.
func (s *State) observeWays(o *observation, p env.Player) {
	g := s.game
	for q := range env.Player(g.players) {
		seat := &s.seats[q]
		for at := range (seat.present() & trajectories).Each {
			below := g.below[at]
			each := float32(seat.fleet[at].Count()) / float32(10*max(1, below.Count()))
			for w := range below.Each {
				if q == p {
					o.Places[w].Coming += each
				} else {
					o.Places[w].Rivals += each
				}
			}
		}
		if q == p {
			continue
		}
		odds := odds(s.hitNeed(q, p))
		for w := range (seat.present()&worlds | s.settled[q]).Each {
			o.Places[w].Danger = min(o.Places[w].Danger+float32(s.DefensiveDice(q, w))*odds*(1./10), 10)
		}
	}
	if s.seats[p].sanction {
		odds := odds(s.hitNeed(UN, p))
		for w := range s.settled[UN].Each {
			o.Places[w].Danger = min(o.Places[w].Danger+float32(s.DefensiveDice(UN, w))*odds*(1./10), 10)
		}
	}
}

// odds are those of one die to reach a number; more than 6 needs further dice (EB-011, EB-012).
func odds(need int) float32 {
	switch {
	case need <= automatic:
		return 1
	case need <= 6:
		return float32(7-need) / 6
	case need == 7:
		return 1. / 12
	case need == 8:
		return 1. / 36
	}
	return 0
}
