package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/earthman"
)

// Voyages, fights and works of the strong bot of The Earthman's Burden.

// survey also counts the fleets without work.
func (b *earthmanStrong) survey() {
	b.earthmanTable.survey()
	b.idle = 0
	for w := range (b.state.Present(b.me) & b.game.Worlds()).Each {
		b.idle += max(0, b.state.Fleets(b.me, w).Count()-b.keep(w))
	}
}

// keep is how many fleets stay at a world.
func (b *earthmanStrong) keep(w earthman.Place) int {
	n := int(math.Ceil(b.weights.Stay * float64(b.worlds[w].work)))
	if k := b.envoys(w); k > 0 {
		n = max(n, k)
	}
	return n
}

// bestVoyage is the voyage with the highest value from any of the orbits.
func (b *earthmanStrong) bestVoyage(from earthman.Places) voyage {
	b.survey()
	b.judge()
	best := voyage{from: earthman.Nowhere, value: 0.15}
	for w := range from.Each {
		surplus := min(b.state.Launchable(w).Count(), b.state.Fleets(b.me, w).Count()-b.keep(w))
		if surplus <= 0 {
			continue
		}
		for to := range b.game.Worlds().Each {
			if to == w {
				continue
			}
			by, turns := b.way(w, to)
			if need := b.need(to); need > 0 {
				k := min(surplus, max(need, 1))
				if v := b.voyageValue(to, k, need, turns); v > best.value {
					best = voyage{w, to, by, k, v}
				}
			}
			if v := b.warValue(to, surplus, turns); v > best.value {
				best = voyage{w, to, by, surplus, v}
			}
		}
	}
	return best
}

// voyageValue is what sending k fleets to a world is worth.
func (b *earthmanStrong) voyageValue(to earthman.Place, k, need, turns int) float64 {
	v := b.worlds[to].gain * float64(min(k, need)) / float64(k)
	v *= 0.8 + float64(0.4*b.taste(int(to)))
	return (v/(1+float64(b.weights.Crowd*b.rivals(to))) - float64(b.weights.Fear*b.danger(to, k))) /
		math.Pow(b.weights.Delay, float64(turns)) / 3
}

// rivals are the fleets of others that are at a world or may be on their way to it.
func (b *earthmanStrong) rivals(w earthman.Place) float64 {
	s, n := b.state, 0.0
	for q := range b.others {
		n += float64(s.Fleets(q, w).Count())
		for at := range (s.Present(q) &^ b.game.Worlds()).Each {
			if reach := b.game.Reaches(at); reach.Has(w) {
				n += float64(s.Fleets(q, at).Count()) / float64(reach.Count())
			}
		}
	}
	return n
}

// warValue is what k fleets can destroy at a world, beyond what those that are there or coming destroy.
func (b *earthmanStrong) warValue(to earthman.Place, k, turns int) float64 {
	if float64(turns)+1 > b.race.left {
		return 0
	}
	losses := b.danger(to, k)
	there := b.state.Fleets(b.me, to).Count() + b.coming[to]
	_, _, with := b.fight(to, there+k-int(losses))
	if with <= 0 {
		return 0
	}
	_, _, without := b.fight(to, there)
	return (with - without - float64(b.weights.Fear*losses)) / (1.5 + float64(turns))
}

// danger is what k fleets must expect to lose on arrival.
func (b *earthmanStrong) danger(w earthman.Place, k int) float64 {
	s := b.state
	if s.Fleets(b.me, w).Count() > 0 {
		return 0
	}
	losses := 0.0
	for q := range b.others {
		dice := float64(s.DefensiveDice(q, w))
		coming := 0
		for at := range (s.Present(q) &^ b.game.Worlds()).Each {
			if b.game.Worldward(at).Has(w) {
				coming += s.Fleets(q, at).Count()
			}
		}
		if w == b.game.Home() {
			dice *= 0.2
		}
		losses += float64((dice + float64(float64(coming)/2)) * earthman.Odds(s.HitNeed(q, b.me)))
	}
	if s.Sanctioned(b.me) {
		losses += float64(float64(s.DefensiveDice(earthman.UN, w)) * earthman.Odds(s.HitNeed(earthman.UN, b.me)))
	}
	if float64(k) <= losses+1 && losses > 0 {
		losses *= 3
	}
	return losses
}

// worldward goes on towards the best world below.
func (b *earthmanStrong) worldward() env.Action {
	b.survey()
	b.judge()
	return b.onward(func(w earthman.Place, k, turns int) float64 {
		return max(b.warValue(w, k, turns), b.voyageValue(w, k, max(1, b.need(w)+k), turns))
	})
}

// plannedFleets expands, then calms what is its own, then fights.
func (b *earthmanStrong) plannedFleets(a env.Action) int {
	s, w := b.state, b.state.Place()
	fleets := s.Fleets(b.me, w).Count()
	size, groups := b.groups(fleets, b.world(w).work)
	if a == earthman.Expand(size) {
		return groups
	}
	left := fleets - size*groups
	if a >= earthman.Fire(0, false) && a < earthman.Expand(3) || a == earthman.Pacify {
		b.judge()
		steady := min(left, int(s.Fleets(b.me, w).Steady))
		job, n, _ := b.fight(w, steady)
		shaken := min(left-n, int(s.Fleets(b.me, w).Risk)) // they join in, if worse
		switch {
		case job < 0:
		case a == job:
			return n
		case a == job+earthman.Fire(0, true)-earthman.Fire(0, false):
			return shaken
		default:
			left -= n + shaken
		}
	}
	if a == earthman.Replicate {
		return min(left, s.Level(b.me, earthman.VonNeumann), s.Resource(b.me))
	}
	if a == earthman.Pacify && left >= 2 && b.restless(w) {
		return left
	}
	return 0
}

// prize is what the loss of a development is worth: less for what the owner loses than for the land, unless it leads.
func (b *earthmanStrong) prize(q env.Player, w earthman.Place) float64 {
	s := b.state
	land := s.Land(q, w)
	if land == 0 {
		return 0
	}
	devs := 0
	for r := range earthman.MaxRegions {
		if land>>r&1 != 0 {
			devs += s.Developments(w, r)
		}
	}
	v := float64(b.weights.Conquest * float64(b.capacity(w)-1))
	if q != earthman.UN {
		v += b.weights.War * b.hate(q) * float64(devs) / float64(land.Count())
	}
	return v
}

// capacity is how much Power an own region of a world can bring.
func (b *earthmanStrong) capacity(w earthman.Place) int {
	n := b.state.Capacity(b.me, w)
	if b.state.Doubles(b.me, w) {
		n++
	}
	return n
}

// fight is the best that so many steady fleets at a world can do to others there: Open Fire destroys a region with two
// hits beyond the fleets that shield it; Overthrow needs four for a steady region, but no shield helps.
func (b *earthmanStrong) fight(w earthman.Place, fleets int) (job env.Action, n int, value float64) {
	s := b.state
	job = -1
	if fleets < 2 {
		return job, 0, 0
	}
	home := w == b.game.Home() && s.Settled(earthman.UN).Has(w)
	for q := range b.others {
		if s.Land(q, w) == 0 {
			continue
		}
		prize := b.prize(q, w)
		target := s.TargetPlace(q)
		need := s.HitNeed(b.me, q)
		hits := float64(fleets) * earthman.Odds(need)
		if home {
			hits = float64(fleets) * earthman.Odds(need+1)
		}
		shield := float64(s.Fleets(q, w).Count())
		if lost := min((hits-shield)/2, float64(s.Land(q, w).Count())); lost > 0.8 {
			if v := lost * prize; v > value {
				job, n, value = earthman.Fire(target, false), fleets, v
			}
		}
		blows := float64(float64(fleets) * earthman.Odds(s.OverthrowNeed(b.me, q, w)) / 2)
		if blows > 0.6 {
			shaken := float64((s.Land(q, w) & s.Shaken(w)).Count())
			v := (min(blows, shaken) + float64(0.35*max(0, blows-shaken))) * prize
			if v > value {
				job, n, value = earthman.Overthrow(target, false), fleets, v
			}
		}
	}
	if home { // the UN shoots back with three dice a region
		hits := float64(fleets) * earthman.Odds(s.HitNeed(b.me, earthman.UN)+1)
		regions := float64(s.Land(earthman.UN, w).Count())
		if lost := min(hits/2, regions); lost > 0.8 {
			back := 3 * (regions - lost) * earthman.Odds(s.HitNeed(earthman.UN, b.me))
			if v := float64(lost*b.prize(earthman.UN, w)) - float64(b.weights.Fear*min(back, float64(fleets))); v > value {
				job, n, value = earthman.Fire(s.TargetPlace(earthman.UN), false), fleets, v
			}
		}
	}
	return job, n, value
}

// envoys is how many fleets are worth removing for Political Influence on a world, or 0: it brings as much Power as
// there are developments, and more with each region that is settled later.
func (b *earthmanStrong) envoys(w earthman.Place) int {
	s := b.state
	if s.HasInfluence(b.me, w) || s.Land(b.me, w).Count() < int(b.weights.Flags) || b.worlds[w].work > 1 {
		return 0
	}
	if s.Land(b.me, w).Count() > int(b.weights.Flags) {
		return 7
	}
	return 5
}

// besieger is the seat with most fleets over an own world, or None.
func (b *earthmanStrong) besieger(w earthman.Place) env.Player {
	enemy := choice[env.Player]{earthman.None, 3}
	if w == b.game.Home() {
		return earthman.None
	}
	for q := range b.others {
		enemy.put(q, float64(b.state.Fleets(q, w).Count()))
	}
	return enemy.best
}

// plannedDevs sends envoys, shoots at besiegers, builds while resource and room last, and researches with the rest.
func (b *earthmanStrong) plannedDevs(a env.Action) int {
	s, w := b.state, b.state.Place()
	if a == earthman.InfluenceAct {
		b.survey()
		if k := b.envoys(w); k > 0 && s.Fleets(b.me, w).Count() >= k {
			return 1
		}
		return 0
	}
	free, shaky := b.workforce(w)
	enemy := b.besieger(w)
	for r := range earthman.MaxRegions {
		defends := enemy != earthman.None && s.Land(b.me, w)>>r&1 != 0 && s.Developments(w, r) <= 2 &&
			s.HitNeed(b.me, enemy) <= 5
		switch {
		case defends && a == earthman.Region(r):
			return 1
		case !defends:
		case s.Shaken(w)>>r&1 != 0:
			shaky -= s.Developments(w, r)
		default:
			free -= s.Developments(w, r)
		}
	}
	twice, two := b.construction(free + shaky)
	left := free + shaky - 3*twice - 2*two
	switch a {
	case earthman.Build(4):
		return twice
	case earthman.Build(2):
		return two
	case earthman.ResearchAct:
		return min(free, left)
	case earthman.ResearchRisk:
		return max(0, left-free)
	}
	return 0
}

// construction is how many groups build on a world with so many developments: while there is work for fleets, and for
// nothing else, as idle fleets cost what research needs. Three developments build twice where fleets are scarce.
func (b *earthmanStrong) construction(devs int) (twice, two int) {
	b.survey()
	s := b.state
	e, fleets := s.Resource(b.me), s.FleetCount(b.me)
	if loan := int(b.weights.Loan) - s.Discontent(b.me); loan > 0 && b.total > 2*fleets {
		e += loan
	}
	if e <= 0 || !(2*b.total > fleets || float64(fleets) < 6+float64(1.5*float64(s.DevelopmentCount(b.me))) || e > 6) {
		return 0, 0
	}
	if 2*fleets > max(16, 3*b.total) {
		return 0, 0
	}
	if float64(b.total) >= b.weights.Hurry*float64(fleets) {
		twice = min(devs/3, e/2)
		devs, e = devs-3*twice, e-2*twice
	}
	return twice, min(devs/2, e)
}
