package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/earthman"
)

// earthmanGreedy grows as fast as it can and minds nobody: it settles whatever is nearest and richest, builds while it
// can pay, and learns whatever it has begun. It never fights, claims or proposes anything.
type earthmanGreedy struct{ earthmanTable }

// Choose looks at the decision point.
func (b *earthmanGreedy) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	if a := b.decide(); b.mask.Has(a) {
		return a
	}
	return b.mask.Nth(0)
}

func (b *earthmanGreedy) decide() env.Action {
	switch b.state.Decision() {
	case earthman.AtClaimVote, earthman.AtPeaceVote:
		return earthman.No
	case earthman.AtAccord, earthman.AtShare, earthman.AtTransfer, earthman.AtVoyageFrom, earthman.AtSpy,
		earthman.AtThought:
		return earthman.Done
	case earthman.AtTransferReply:
		if b.mask.Has(earthman.Yes) {
			return earthman.Yes
		}
		return b.nearestCount(min(b.state.ToLose(), b.state.Resource(b.me)))
	}
	return b.routine(b)
}

// bestVoyage is the voyage with the highest value from any of the orbits.
func (b *earthmanGreedy) bestVoyage(from earthman.Places) voyage {
	b.survey()
	best := voyage{from: earthman.Nowhere}
	for w := range from.Each {
		keep := int(math.Ceil(1.8 * float64(b.worlds[w].work)))
		surplus := min(b.state.Launchable(w).Count(), b.state.Fleets(b.me, w).Count()-keep)
		if surplus <= 0 {
			continue
		}
		for to := range b.game.Worlds().Each {
			need := b.need(to)
			if to == w || need == 0 {
				continue
			}
			by, turns := b.way(w, to)
			if v := b.voyageValue(to, surplus, need, turns); v > best.value {
				best = voyage{w, to, by, surplus, v}
			}
		}
	}
	if best.value < 0.15 {
		best.from = earthman.Nowhere
	}
	return best
}

// voyageValue is what sending k fleets to a world is worth.
func (b *earthmanGreedy) voyageValue(to earthman.Place, k, need, turns int) float64 {
	return b.worlds[to].gain * float64(min(k, need)) / float64(k) / (1.5 + float64(turns))
}

// worldward goes on towards the best world below.
func (b *earthmanGreedy) worldward() env.Action {
	b.survey()
	at := b.state.Place()
	k := b.state.Fleets(b.me, at).Count()
	best, top := earthman.Nowhere, math.Inf(-1)
	for down := range b.game.Worldward(at).Each {
		for w := range b.destinations(down).Each {
			// These fleets are counted as coming to one of the worlds.
			if v := b.voyageValue(w, k, max(1, b.need(w)+k), b.steps(down, w)); v > top {
				best, top = down, v
			}
		}
	}
	return earthman.At(best)
}

// plannedFleets expands, and pacifies with what is left.
func (b *earthmanGreedy) plannedFleets(a env.Action) int {
	w := b.state.Place()
	fleets := b.state.Fleets(b.me, w).Count()
	size, groups := b.groups(w, fleets, b.world(w).work)
	left := fleets - size*groups
	switch {
	case a == earthman.Expand(size):
		return groups
	case a == earthman.Pacify && left >= 2 && b.restless(w):
		return left
	}
	return 0
}

// plannedDevs builds while resource and room last, and researches with the rest.
func (b *earthmanGreedy) plannedDevs(a env.Action) int {
	steady, risk := b.workforce(b.state.Place())
	twice, two, one := b.construction(steady + risk)
	used := 3*twice + 2*two + one
	switch a {
	case earthman.Build(4):
		return twice
	case earthman.Build(2):
		return two
	case earthman.Build(1):
		return one
	case earthman.ResearchRisk:
		return max(0, risk-used)
	case earthman.ResearchAct:
		return min(steady, steady+risk-used)
	}
	return 0
}

// construction is how many groups build on a world with so many developments.
func (b *earthmanGreedy) construction(devs int) (twice, two, one int) {
	b.survey()
	s := b.state
	e, fleets := s.Resource(b.me), s.FleetCount(b.me)
	if e <= 0 || !(2*b.total > fleets || float64(fleets) < 6+float64(1.5*float64(s.DevelopmentCount(b.me))) || e > 6) {
		return 0, 0, 0
	}
	twice = min(devs/3, e/2)
	devs, e = devs-3*twice, e-2*twice
	two = min(devs/2, e)
	devs, e = devs-2*two, e-two
	if s.DevelopmentCount(b.me) <= 3 {
		one = min(devs, e)
	}
	return twice, two, one
}

// tech finishes a track that is begun, and otherwise learns anything.
func (b *earthmanGreedy) tech() env.Action {
	best, top := earthman.Done, -1.0
	for t := range earthman.Tech(earthman.NumTechs) {
		if a := earthman.TechAct(t); b.mask.Has(a) {
			if v := b.taste(100+int(t)) + float64(b.state.Counter(b.me, t)); v > top {
				best, top = a, v
			}
		}
	}
	return best
}

// assist takes a fleet while the empire is small.
func (b *earthmanGreedy) assist() env.Action {
	if b.state.DevelopmentCount(b.me) < 6 {
		return b.first(earthman.TakeFleet, earthman.Study)
	}
	return b.first(earthman.Study, earthman.Done)
}
