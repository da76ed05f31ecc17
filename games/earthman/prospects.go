package earthman

import (
	"earthgym/env"
	"earthgym/env/form"
)

// What worlds and ways promise to an observer.

// A field is a world as p can expand there: the successes that it could use (EB-113), and the Power that they would
// bring, less where Devastation has to be cleared first.
type field struct {
	work int
	gain float32
}

// gains are the Power that a number of regions bring, each some of it, less where each lies under Devastation.
type gains [MaxRegions + 1][maxDevs + 2][3]float32

func newGains() (g gains) {
	for n := range g {
		for power := range g[n] {
			for rubble := range g[n][power] {
				g[n][power][rubble] = float32(n*power*power) / float32(max(1, power+rubble))
			}
		}
	}
	return g
}

func (s *State) field(p env.Player, w Place, capacity int, free Regions) (f field) {
	gain, own := &s.game.rows.gains, s.land[p][w]
	first := capacity // Power of a region that is settled and built up
	if s.doubles(p, w) {
		first++
	}
	one, two := s.rubble[w][0]&^s.rubble[w][1], s.rubble[w][1]
	if capacity > 0 {
		clean, once, twice := (free &^ s.rubble[w][0]).Count(), (free & one).Count(), (free & two).Count()
		f.work = (clean+once+twice)*capacity + once + 2*twice
		f.gain = gain[clean][first][0] + gain[once][first][1] + gain[twice][first][2]
	}
	for ; own != 0; own &= own - 1 {
		r := own.first()
		if room := capacity - int(s.devs[w][r]); room > 0 {
			rubble := s.Devastation(w, r)
			f.work += room + rubble
			f.gain += gain[1][room][rubble]
		}
	}
	return f
}

// perTurn is what is left of a promise after each turn on the way to it.
const perTurn = 0.6

// observeWorlds writes what worlds offer to p and what threatens it there, and what trajectories lead to.
func (s *State) observeWorlds(o *observation, p env.Player) {
	g, my, total, promises := s.game, &s.seats[p], 0, false
	s.observeWays(o, p)
	var taken [NumWorlds]Regions
	for q := range s.land {
		for set := s.settled[q]; set != 0; set &= set - 1 {
			w := set.first()
			taken[w] |= s.land[q][w]
		}
	}
	for set := g.Worlds(); set != 0; set &= set - 1 {
		w := set.first()
		free, capacity := g.regions[w]&^taken[w], s.capacity(p, w)
		f, row := s.field(p, w, capacity, free), &o.Places[w]
		total += f.work
		gain, spare := f.gain*(1./10), float32(float32(my.fleet[w].Count()-2*f.work)*(1./10))
		if gain > 10 {
			gain = 10
		}
		row.Free = float32(free.Count()) * (1. / 7)
		row.Capacity = float32(capacity) * (1. / maxDevs)
		row.Work = float32(f.work) * (1. / 10)
		row.Gain = gain
		row.HasWork = form.Bit(f.work > 0)
		row.Spare = spare
		if wanted := -spare - row.Coming; wanted > 0 {
			row.Wanted, row.Promise, row.Below = wanted, gain, wanted
			promises = true
		}
		row.CanSway = form.Bit(s.CanInfluence(p, w))
	}
	if promises {
		s.observePromises(o)
	}
	form.Count(o.Own.Work[:], total)
	if p == env.Player(s.actor) {
		for set := my.present() & worlds; set != 0; set &= set - 1 {
			w := set.first()
			o.Places[w].Launchable = float32(s.launchable(w).Count()) * (1. / 10)
		}
	}
}

// observePromises hands what worlds promise on to the trajectories above them, ring by ring from the edge of the board
// inwards.
func (s *State) observePromises(o *observation) {
	for set := s.game.places & trajectories; set != 0; set &= set - 1 {
		at := set.first()
		promise, below := float32(0), float32(0)
		for ways := s.game.down[at]; ways != 0; ways &= ways - 1 {
			next := &o.Places[ways.first()]
			if offer := next.Promise * perTurn; offer > promise {
				promise, below = offer, next.Below
			}
		}
		o.Places[at].Promise, o.Places[at].Below = promise, below
	}
}

// observeWays writes fleets on their way to worlds, and what would be fired at p's on arrival.
func (s *State) observeWays(o *observation, p env.Player) {
	g := s.game
	for q := range env.Player(g.players) {
		seat := &s.seats[q]
		for set := seat.present() & trajectories; set != 0; set &= set - 1 {
			at := set.first()
			below := g.below[at]
			each := float32(seat.fleet[at].Count()) / float32(10*max(1, below.Count()))
			for ; below != 0; below &= below - 1 {
				if row := &o.Places[below.first()]; q == p {
					row.Coming += each
				} else {
					row.Rivals += each
				}
			}
		}
		if q == p {
			continue
		}
		odds := float32(Odds(s.hitNeed(q, p)))
		for set := seat.present()&worlds | s.settled[q]; set != 0; set &= set - 1 {
			w := set.first()
			o.Places[w].threaten(s.DefensiveDice(q, w), odds)
		}
	}
	if s.seats[p].sanction {
		odds := float32(Odds(s.hitNeed(UN, p)))
		for set := s.settled[UN]; set != 0; set &= set - 1 {
			w := set.first()
			o.Places[w].threaten(s.DefensiveDice(UN, w), odds)
		}
	}
}

// threaten adds so many dice to what would be fired at the observer.
func (row *placeNumbers) threaten(dice int, odds float32) {
	row.Danger += float32(float32(dice) * odds * (1. / 10))
	if row.Danger > 10 {
		row.Danger = 10
	}
}

// Odds are those of one die to reach a number; more than 6 needs further dice (EB-010 to EB-014).
func Odds(need int) float64 {
	switch {
	case need <= automatic:
		return 1
	case need <= 6:
		return float64(7-need) / 6
	case need == 7:
		return 1. / 12
	case need == 8:
		return 1. / 36
	}
	return 0
}
