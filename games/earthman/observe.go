package earthman

import (
	"math"
	"math/bits"

	"earthgym/env"
	"earthgym/env/form"
)

// Writing what a seat sees into the layout of observation.go. It is cleared, and then only what is on the table is
// written, so that an empty board costs nothing.

// rows are parts of observations made with the game.
type rows struct {
	options optionNumbers
	amount  [256]float32               // of fleets
	quarter [maxDevs + 1]float32       // of developments
	ones    [1 << MaxRegions]perRegion // set of regions
	halves  [1 << MaxRegions]perRegion // set of regions
	levels  [NumTechs][16]float32      // technology, level
	tracks  [NumTechs][22]float32      // technology, counter
	atLeast [9][5]float32              // fleets, up to 8
	gains   gains
	reverse [MaxPlayers][MaxPlayers]uint8 // observer, seat: places clockwise
}

func newRows(g *Game) rows {
	var r rows
	r.options = optionNumbers{
		Skynet: flag(g.skynet), Collab: flag(g.collab), Territory: flag(g.territory), Prelude: flag(g.prelude), Espionage: flag(g.espionage),
		LateFleets: share(g.lateFleets, 3), Yields: flag(g.yields),
		Points: share(g.points, 200), Lead: share(g.lead, 200), Rounds: share(g.rounds, 200),
		Claims: share(g.claims, 9), Peace: share(g.peace, 9), AccordFrom: share(g.accordFrom, 200), Bulbs: share(g.bulbs, 1),
		Transfers: share(g.transfers, 9), FleetCap: share(g.fleetCap, maxFleets), DiscontentCap: share(g.discontentCap, maxFleets),
	}
	r.options.Players[g.players-2] = 1
	r.options.Thoughts[g.thoughts] = 1
	for n := range r.amount {
		r.amount[n] = float32(min(1, math.Log2(float64(1+n))/math.Log2(1+maxFleets)))
	}
	for n := range r.quarter {
		r.quarter[n] = share(n, maxDevs)
	}
	for set := range r.ones {
		for k := range MaxRegions {
			if set>>k&1 != 0 {
				r.ones[set][k], r.halves[set][k] = 1, 0.5
			}
		}
	}
	for t := range NumTechs {
		unit := 3
		if Tech(t) == AI {
			unit = 10
		}
		for n := range r.levels[t] {
			r.levels[t][n] = share(n, unit)
		}
		for n := range r.tracks[t] {
			r.tracks[t][n] = share(n, max(1, int(g.techs[t].steps)))
		}
	}
	for n := range r.atLeast {
		for k, least := range [...]int{1, 2, 3, 5, 8} {
			r.atLeast[n][k] = flag(n >= least)
		}
	}
	r.gains = newGains()
	for p := range g.players {
		for q := range g.players {
			r.reverse[p][q] = uint8((q - p + g.players) % g.players)
		}
	}
	return r
}

func flag(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

// share is x / unit, at most 1.
func share(x, unit int) float32 { return min(float32(x)/float32(unit), 1) }

// part is x / unit, at most 1. It is for constant units, of which the division becomes a product.
func part(x, unit int32) float32 {
	if x >= unit {
		return 1
	}
	return float32(x) * (1 / float32(unit))
}

// scaled is x in a unit, from -10 to 10.
func scaled(x, unit int32) float32 {
	return float32(max(min(x, 10*unit), -10*unit)) * (1 / float32(unit))
}

// hot writes 1 at a number's place; the first and the last place stand for what is beyond them.
func hot(dst []float32, n int) { dst[max(0, min(n, len(dst)-1))] = 1 }

// upToCount writes 1 for each number up to n, from 1 on.
func upToCount(dst []float32, n int) {
	for i := range min(n, len(dst)) {
		dst[i] = 1
	}
}

// Observe writes what p sees. Nothing is hidden.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	clear(dst[:s.game.info.Observation()]) // faster than an empty struct
	o.Options = s.game.rows.options
	for i, q := 0, int(p); i < s.game.players; i, q = i+1, q+1 {
		if q == s.game.players {
			q = 0
		}
		s.observeSeat(o, i, q)
		s.observeTechnologies(o, i, q)
	}
	s.observeLeads(o)
	s.observeRegions(o)
	s.observeWorlds(o, p)
	s.observeOwn(o, p)
	s.observeClock(o)
	if s.decision != NoDecision {
		s.observeDecision(o, p)
	}
}

func (s *State) observeSeat(o *observation, i, q int) {
	my, r := &s.seats[q], &s.game.rows
	for set := my.present(); set != 0; set &= set - 1 {
		at := set.first()
		f, row := my.fleet[at], &o.Places[at]
		row.Steady[i], row.Risk[i] = r.amount[f.Steady], r.amount[f.Risk]
		if i > 0 {
			row.Others += float32(float32(f.Count()) * (1. / 10))
			continue
		}
		row.Own = float32(f.Count()) * (1. / 10)
		row.AtLeast = r.atLeast[min(f.Count(), len(r.atLeast)-1)]
	}
	for set := s.settled[q]; set != 0; set &= set - 1 {
		s.observeLand(o, env.Player(q), set.first(), i)
	}
	for set := my.counters; set != 0; set &= set - 1 {
		o.Places[set.first()].Influence[i] = 1
	}
	row := &o.Owners[i]
	row.Plays = 1
	row.VP = scaled(my.vp, 10)
	row.Power = scaled(my.power, 20)
	row.Resource = scaled(my.resource, 10)
	row.Discontent = scaled(my.discontent, 10)
	row.Aside = part(int32(my.aside), 20)
	if my.sanction {
		row.Sanctioned = 1
		row.Token = part(int32(my.token), 20)
	}
	row.Thoughts = part(int32(my.thoughts), 6)
	row.Claims = part(int32(my.claims), 9)
	row.Peace = part(int32(my.peace), 9)
	row.Fleets = scaled(int32(my.fleets), 20)
	row.Developments = scaled(int32(my.developments), 20)
	row.First = flag(int8(q) == s.first)
	row.Active = flag(int8(q) == s.actor)
	row.Decides = flag(int8(q) == s.seat)
	if my.power >= int32(s.game.data.Track.Power) {
		row.PowerVP = float32(s.PowerVP(env.Player(q))) / 2
	}
}

func (s *State) observeTechnologies(o *observation, i, q int) {
	my, r := &s.seats[q], &s.game.rows
	for set := my.known; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		o.Technologies[t].Level[i] = r.levels[t][min(my.level[t], 15)]
	}
	for set := my.studied; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		o.Technologies[t].Track[i] = r.tracks[t][my.counter[t]]
	}
}

// observeLeads writes by how much each seat is ahead of all others.
func (s *State) observeLeads(o *observation) {
	for i := range s.game.players {
		row := &o.Owners[i]
		vp, power := float32(-10), float32(-10)
		for k := range s.game.players {
			if k != i {
				vp, power = max(vp, o.Owners[k].VP), max(power, o.Owners[k].Power)
			}
		}
		row.Lead, row.PowerLead = max(row.VP-vp, -10), max(row.Power-power, -10)
	}
}

// observeLand writes the regions of an owner on a world.
func (s *State) observeLand(o *observation, owner env.Player, w Place, row int) {
	regions, devs, land, n := &o.Regions[w][row], &s.devs[w], s.land[owner][w], uint8(0)
	for set := land; set != 0; set &= set - 1 {
		k := set.first()
		regions[k] = s.game.rows.quarter[devs[k]]
		n += devs[k]
	}
	place := &o.Places[w]
	switch {
	case owner == UN:
		place.UN = float32(land.Count()) * (1. / 7)
	case row == 0:
		place.Land = float32(land.Count()) * (1. / 7)
		place.Shaken = float32((land & s.shaken[w]).Count()) * (1. / 7)
		place.Devs = float32(n) * (1. / 10)
	default:
		place.OthersLand += float32(float32(land.Count()) * (1. / 7))
		place.OthersDevs += float32(float32(n) * (1. / 10))
	}
}

// observeRegions writes what lies on regions, whoever owns them.
func (s *State) observeRegions(o *observation) {
	r := &s.game.rows
	for w := range s.settled[UN].Each {
		s.observeLand(o, UN, w, int(UN))
	}
	for w := range s.shaken {
		rows := &o.Regions[w]
		if set := s.shaken[w]; set != 0 {
			rows[rowShaken] = r.ones[set&127]
		}
		if set := s.rubble[w][0]; set != 0 {
			rows[rowRubble] = r.halves[set&127]
			for two := s.rubble[w][1]; two != 0; two &= two - 1 {
				rows[rowRubble][two.first()] = 1
			}
		}
	}
}

// observeOwn is for what is the observer's alone.
func (s *State) observeOwn(o *observation, p env.Player) {
	my, n := &s.seats[p], &o.Own
	hot(n.Resource[:], int(my.resource))
	hot(n.Discontent[:], int(my.discontent))
	hot(n.Fleets[:], int(my.fleets))
	hot(n.Devs[:], int(my.developments))
	hot(n.Expand1[:], s.ExpandNeed(p, 1))
	hot(n.Expand2[:], s.ExpandNeed(p, 2))
	hot(n.Expand3[:], s.ExpandNeed(p, 3))
	hot(n.Research[:], s.researchNeed(p))
	for set := my.known; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		upToCount(o.Technologies[t].Own[:], int(my.level[t]))
	}
	for set := s.canStudy(p); set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		o.Technologies[t].Can = 1
		o.Technologies[t].Left = part(int32(s.game.techs[t].steps)-int32(my.counter[t]), 12)
	}
	for i := range s.game.players {
		q := s.clockwise(p, i)
		o.Owners[i].HitNeed = float32(s.hitNeed(p, q)) * (1. / 6)
		o.Owners[i].SpyNeed = float32(s.SpyNeed(p, q)) * (1. / 6)
	}
	o.Owners[UN].HitNeed = float32(s.hitNeed(p, UN)) * (1. / 6)
}

func (s *State) observeClock(o *observation) {
	g, c := s.game, &o.Clock
	left := g.rounds - int(s.round)
	c.Round = float32(s.round) / float32(g.rounds)
	c.RoundsLeft = part(int32(left), 60)
	hot(o.RoundsLeft[:], left)
	c.Decisions = float32(s.made) / float32(g.maxDecisions)
	c.Trigger = flag(s.trigger)
	c.Accords = flag(int(s.round) >= g.accordFrom)
	c.PreludePass = float32(s.pending.pass) / preludePasses
	if g.skynet {
		c.Rogue = part(int32(s.rogue), 60)
		for k, cards := range g.symbols {
			c.Undrawn[k] = float32(bits.OnesCount32(s.undrawn&cards)) / NumCards
		}
	}
}

// observeDecision writes what is decided and what is pending.
func (s *State) observeDecision(o *observation, p env.Player) {
	pd := &s.pending
	o.Decision[s.decision-1] = 1
	if pd.step != noStep {
		o.Step[pd.step-1] = 1
	}
	if pd.target >= 0 {
		o.Owners[s.row(p, env.Player(pd.target))].Target = 1
	}
	o.Numbers = decisionNumbers{
		Count: scaled(int32(pd.count), 10), Extra: float32(pd.extra+1) / 3, Left: scaled(int32(pd.left), 10),
		Add: scaled(int32(pd.add), 10), Due: scaled(int32(s.pay.due), 4), Transfers: part(int32(pd.transfers), 9),
		Hits: scaled(int32(pd.hits[0]), 10), StrongHits: scaled(int32(pd.hits[1]), 10), AtRisk: flag(pd.atRisk),
		OnTheirWay: float32(pd.devs) / maxDevs,
	}
	hot(o.Lose[:], int(pd.count))
	for w := range pd.worlds.Each {
		o.Places[w].Chosen = 1
	}
	switch s.phase {
	case InMove:
		s.observeMove(o, p)
	case InFleet, InDev:
		if pd.step != noStep {
			s.observeJobs(o, p)
		}
	case InSpy:
		if pd.action >= 0 {
			o.Action.Operation[pd.action-Steal] = 1
		}
	case InShare:
		if pd.action >= 0 {
			o.Technologies[act.tech.Index(pd.action)].InHand = 1
		}
		for set := env.Seats(pd.offered); set != 0; set &= set - 1 {
			o.Owners[s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))].Offered = 1
		}
	}
	if s.decision == AtThought {
		s.observeLot(o, p)
	}
	s.observeInHand(o, p)
}

// row is the place of an owner among owners as p sees them.
func (s *State) row(p, owner env.Player) int {
	if owner == UN {
		return int(UN)
	}
	return int(s.game.rows.reverse[p][owner])
}

// amounts are fleets as numbers.
func (r *rows) amounts(f Fleets) perState { return perState{r.amount[f.Steady], r.amount[f.Risk]} }

func (s *State) observeMove(o *observation, p env.Player) {
	pd := &s.pending
	for w := range Place(NumWorlds) {
		if f := s.arrived[w]; f != (Fleets{}) {
			o.Places[w].Arrived = s.game.rows.amounts(f)
		}
	}
	for w := range pd.before.Each {
		o.Places[w].Before = 1
	}
	for w := range pd.came.Each {
		o.Places[w].Came = 1
	}
	for set := pd.firing; set != 0; set &= set - 1 {
		o.Owners[s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))].Firing = 1
	}
}

func (s *State) observeJobs(o *observation, p env.Player) {
	pd, r, n := &s.pending, &s.game.rows, &o.Nominated
	if pd.last != noJob {
		o.Last[pd.last-1] = 1
	}
	if pd.action >= 0 {
		o.observeAction(pd.action)
		hot(o.Most[:], s.jobMost(pd.action))
	}
	if s.phase == InFleet {
		if pd.step == jobs {
			hot(o.IdleFleets[:], s.idleFleets())
		}
		for i := range numTargets {
			if f := pd.fire[i]; f != (Fleets{}) {
				o.Owners[s.row(p, s.targetOwner(i))].Fire = r.amounts(f)
			}
			if f := pd.overthrow[i]; f != (Fleets{}) {
				o.Owners[s.row(p, s.targetOwner(i))].Overthrow = r.amounts(f)
			}
		}
		n.Expand3 = newJobCount(pd.expand[0])
		n.Expand2 = newJobCount(pd.expand[1])
		n.Expand1 = newJobCount(pd.expand[2])
		n.Pacify = newJobCount(pd.pacify)
		n.Replicate = newJobCount(pd.replicate)
		return
	}
	if pd.step == jobs {
		idle := s.idleDevs()
		hot(o.IdleDevs[0][:], int(idle.Steady))
		hot(o.IdleDevs[1][:], int(idle.Risk))
	}
	n.Research = newJobCount(pd.research.Steady)
	n.ResearchRisk = newJobCount(pd.research.Risk)
	n.Build3Twice = newJobCount(pd.build[0])
	n.Build3 = newJobCount(pd.build[1])
	n.Build2 = newJobCount(pd.build[2])
	n.Build1 = newJobCount(pd.build[3])
	for _, d := range pd.defend {
		if d.region == 0 {
			break
		}
		o.Here[d.region-1].FiresAt[s.row(p, env.Player(d.target))] = 1
	}
}

// observeAction writes an action of the job menus that a number is asked for.
func (o *observation) observeAction(a env.Action) {
	n := &o.Action
	switch {
	case a < act.expand.First:
		i := act.fire.Index(a)
		n.Attack[i/numTargets] = 1
		o.Against[i%numTargets] = 1
	case a < Pacify:
		n.Expand[act.expand.Index(a)] = 1
	case a == Pacify:
		n.Pacify = 1
	case a == Replicate:
		n.Replicate = 1
	case a < act.build.First:
		n.Research[a-ResearchAct] = 1
	default:
		n.Build[act.build.Index(a)] = 1
	}
}

func (s *State) observeLot(o *observation, p env.Player) {
	l, n := &s.lot, &o.Lot
	o.Event[l.event-1] = 1
	o.Owners[s.row(p, env.Player(l.roller))].Roller = 1
	var classes [3]int32
	var reaches [9]int32
	for _, d := range l.dice[:l.n] {
		classes[l.class(d)]++
		reaches[d]++
	}
	n.Need = float32(l.need) / impossible
	n.Bounds = [2]float32{float32(l.bounds[0]) / impossible, float32(l.bounds[1]) / impossible}
	for k, dice := range classes {
		n.Classes[k] = part(dice, 20)
	}
	for k, dice := range reaches[1:] {
		n.Reaching[k] = part(dice, 20)
	}
	for set := l.passed; set != 0; set &= set - 1 {
		o.Owners[s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))].Passed = 1
	}
}

// observeInHand gathers what is at the places in hand.
func (s *State) observeInHand(o *observation, p env.Player) {
	pd := &s.pending
	if pd.to >= 0 {
		o.Places[pd.to].ToHand = 1
		o.To = o.Places[pd.to]
		hot(o.AtHand.Below[:], int(float32(10*o.To.Below)+0.5))
	}
	at := pd.at
	if at < 0 {
		return
	}
	o.Places[at].AtHand = 1
	o.At = o.Places[at]
	n, f := &o.AtHand, s.seats[p].fleet[at]
	hot(n.Steady[:], int(f.Steady))
	hot(n.Risk[:], int(f.Risk))
	hot(n.Fleets[:], f.Count())
	for i := range s.game.players {
		f := s.seats[s.clockwise(p, i)].fleet[at]
		o.Owners[i].FleetsHere = perState{float32(f.Steady) * (1. / 10), float32(f.Risk) * (1. / 10)}
	}
	if at < Place(NumWorlds) {
		s.observeWorldInHand(o, p, at)
	}
}

// observeWorldInHand is observeInHand for the regions of a world.
func (s *State) observeWorldInHand(o *observation, p env.Player, w Place) {
	n, work := &o.AtHand, int(float32(10*o.At.Work)+0.5)
	if p == env.Player(s.actor) {
		hot(n.Going[:], s.launchable(w).Count())
	}
	hot(n.Work[:], work)
	hot(n.Spare[:], s.seats[p].fleet[w].Count()-2*work-leastSpare)
	own, shaken := s.land[p][w], s.shaken[w]
	hot(n.Land[:], own.Count())
	hot(n.DevsSteady[:], int(s.countDevs(w, own&^shaken)))
	hot(n.DevsRisk[:], int(s.countDevs(w, own&shaken)))
	usable, capacity := s.expandable(p, w), s.capacity(p, w)
	for set := s.game.regions[w]; set != 0; set &= set - 1 {
		r := set.first()
		row, here := &o.Here[r], Regions(1)<<r
		upToCount(row.Devs[:], s.Developments(w, r))
		upToCount(row.Rubble[:], s.Devastation(w, r))
		row.Shaken = flag(shaken&here != 0)
		row.Usable = flag(usable&here != 0)
		row.Room = float32(max(0, capacity-s.Developments(w, r))) * (1. / maxDevs)
	}
	if r := s.pending.region; r > 0 {
		o.Here[r-1].InHand = 1
	}
	for owner := range env.Player(numOwners) {
		land := s.land[owner][w]
		if land == 0 || owner < UN && int(owner) >= s.game.players {
			continue
		}
		row := s.row(p, owner)
		o.Owners[row].LandHere = float32(land.Count()) * (1. / 7)
		o.Owners[row].ShakenHere = float32((land & shaken).Count()) * (1. / 7)
		o.Owners[row].DevsHere = float32(s.countDevs(w, land)) * (1. / 10)
		if owner != p {
			o.Owners[row].SwayNeed = float32(s.OverthrowNeed(p, owner, w)) * (1. / 6)
		}
		for ; land != 0; land &= land - 1 {
			o.Here[land.first()].Owner[row] = 1
		}
	}
}
