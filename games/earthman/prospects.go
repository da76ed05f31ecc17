package earthman

import (
	"math"

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
	if s.Doubles(p, w) {
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

// write writes what a world with so many regions of nobody offers.
func (f field) write(row *fieldNumbers, free int) {
	row.Free = float32(free) * (1. / 7)
	row.Work = float32(f.work) * (1. / 10)
	row.Gain = min(f.gain*(1./10), 10)
	row.HasWork = form.Bit(f.work > 0)
}

// An offer is what a world offers that nobody has settled or cleared.
type offer struct {
	work int
	fieldNumbers
}

// newOffers are those of the worlds, by capacity. They are right where a seat doubles nothing.
func (g *Game) newOffers() (list [NumWorlds][maxDevs + 1]offer) {
	s := State{game: g, position: position{rubble: g.rubble}}
	for w := range list {
		for capacity := range list[w] {
			f := s.field(0, Place(w), capacity, g.regions[w])
			list[w][capacity].work = f.work
			f.write(&list[w][capacity].fieldNumbers, g.regions[w].Count())
		}
	}
	return list
}

// perTurn is what is left of a promise after each turn on the way to it.
const perTurn = 0.6

// observeWorlds writes what worlds offer to p and what threatens it there, and what trajectories lead to.
func (s *State) observeWorlds(o *observation, p env.Player) {
	g, my, total := s.game, &s.seats[p], 0
	s.observeWays(o, p)
	changed, taken := only(g.home)|my.counters, [NumWorlds]Regions{}
	for q := range s.land {
		changed |= s.settled[q]
		for set := s.settled[q]; set != 0; set &= set - 1 {
			w := set.first()
			taken[w] |= s.land[q][w]
		}
	}
	var promises [32]prospect
	elsewhere := g.data.Capacity.Other + int(my.level[Nanotech])
	for w := range Place(NumWorlds) {
		if !g.places.Has(w) {
			continue
		}
		row, work := &o.Places[w], 0
		if changed.Has(w) || s.rubble[w] != g.rubble[w] {
			free, capacity := g.regions[w]&^taken[w], s.Capacity(p, w)
			f := s.field(p, w, capacity, free)
			work = f.work
			f.write(&row.fieldNumbers, free.Count())
			row.Capacity = float32(capacity) * (1. / maxDevs)
		} else {
			offer := &g.rows.offers[w][elsewhere]
			work = offer.work
			row.fieldNumbers = offer.fieldNumbers
			row.Capacity = float32(elsewhere) * (1. / maxDevs)
		}
		total += work
		spare := float32(float32(my.fleet[w].Count()-2*work) * (1. / 10))
		row.Spare = spare
		if wanted := -spare - row.Coming; wanted > 0 {
			row.Wanted, row.Promise, row.Below = wanted, row.Gain, wanted
			promises[w] = newProspect(row.Gain, w)
		}
	}
	for set := s.settled[p]; set != 0; set &= set - 1 {
		o.Places[set.first()].CanSway = form.Bit(s.CanInfluence(p, set.first()))
	}
	s.observePromises(o, &promises)
	form.Count(o.Own.Work[:], total)
	if p == env.Player(s.actor) {
		for set := my.present() & worlds; set != 0; set &= set - 1 {
			w := set.first()
			o.Places[w].Launchable = float32(s.Launchable(w).Count()) * (1. / 10)
		}
	}
}

// A prospect is what is left a turn further on of what a place promises, and the place. Of two the one of more is the
// greater, and of two of as much that of the lower place. 0 is none.
type prospect int64

func newProspect(gain float32, at Place) prospect {
	return prospect(math.Float32bits(gain*perTurn))<<8 | prospect(NumPlaces-int(at))
}

// observePromises hands what worlds promise on to the trajectories above them, ring by ring from the edge of the board
// inwards.
func (s *State) observePromises(o *observation, promises *[32]prospect) {
	best := prospect(0)
	for _, way := range s.game.rows.ways {
		less := best - promises[way.down&31]
		best -= less & (less >> 63) // the greater of the two, without a branch to be guessed wrong
		if !way.last {
			continue
		}
		at := way.up
		if best > 255 {
			gain := math.Float32frombits(uint32(best >> 8))
			promises[at] = newProspect(gain, at)
			o.Places[at].Promise, o.Places[at].Below = gain, o.Places[NumPlaces-int(best&255)].Below
		}
		best = 0
	}
}

// A way leads from a place one step worldward.
type way struct {
	up, down Place
	last     bool // of those from there
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
		odds := float32(Odds(s.HitNeed(q, p)))
		for set := seat.present()&worlds | s.settled[q]; set != 0; set &= set - 1 {
			w := set.first()
			o.Places[w].threaten(s.DefensiveDice(q, w), odds)
		}
	}
	if s.seats[p].sanction {
		odds := float32(Odds(s.HitNeed(UN, p)))
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
