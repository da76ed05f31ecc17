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
	options      optionNumbers
	amount       [256]float32               // of fleets
	quarter      [maxDevs + 1]float32       // of developments
	ones         [1 << MaxRegions]perRegion // set of regions
	halves       [1 << MaxRegions]perRegion // set of regions
	levels       [NumTechs][16]float32      // technology, level
	tracks, left [NumTechs][22]float32      // technology, counter
	atLeast      [9][5]float32              // fleets, up to 8
	gains        gains
	offers       [NumWorlds][maxDevs + 1]offer // world, capacity
	ways         []way                         // ring by ring from the edge of the board inwards
	reverse      [MaxPlayers][MaxPlayers]uint8 // observer, seat: places clockwise
}

func newRows(g *Game) rows {
	var r rows
	r.options = optionNumbers{
		Skynet: form.Bit(g.skynet), Collab: form.Bit(g.collab), Territory: form.Bit(g.territory),
		Prelude: form.Bit(g.prelude), Espionage: form.Bit(g.espionage),
		LateFleets: form.Share(g.lateFleets, 3), Yields: form.Bit(g.yields),
		Points: form.Share(g.points, 200), Lead: form.Share(g.lead, 200), Rounds: form.Share(g.rounds, 200),
		Claims: form.Share(g.claims, 9), Peace: form.Share(g.peace, 9), AccordFrom: form.Share(g.accordFrom, 200),
		Bulbs:     form.Share(g.bulbs, 1),
		Transfers: form.Share(g.transfers, 9), FleetCap: form.Share(g.fleetCap, maxFleets),
		DiscontentCap: form.Share(g.discontentCap, maxFleets),
	}
	r.options.Players[g.players-2] = 1
	r.options.Thoughts[g.thoughts] = 1
	for n := range r.amount {
		r.amount[n] = float32(min(1, math.Log2(float64(1+n))/math.Log2(1+maxFleets)))
	}
	for n := range r.quarter {
		r.quarter[n] = form.Share(n, maxDevs)
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
			r.levels[t][n] = form.Share(n, unit)
		}
		for n := range r.tracks[t] {
			r.tracks[t][n] = form.Share(n, max(1, int(g.techs[t].steps)))
			r.left[t][n] = form.Part(int(g.techs[t].steps)-n, 12)
		}
	}
	for n := range r.atLeast {
		for k, least := range [...]int{1, 2, 3, 5, 8} {
			r.atLeast[n][k] = form.Bit(n >= least)
		}
	}
	r.gains = newGains()
	for at := range g.down {
		for down := g.down[at]; down != 0; down &= down - 1 {
			r.ways = append(r.ways, way{Place(at), down.first(), down.Count() == 1})
		}
	}
	for p := range g.players {
		for q := range g.players {
			r.reverse[p][q] = uint8((q - p + g.players) % g.players)
		}
	}
	return r
}

// Observe writes what p sees. Nothing is hidden.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Cleared[observation](dst)
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
	row.VP = form.Scaled(my.vp, 10, 10)
	row.Power = form.Scaled(my.power, 20, 10)
	row.Resource = form.Scaled(my.resource, 10, 10)
	row.Discontent = form.Scaled(my.discontent, 10, 10)
	row.Aside = form.Part(my.aside, 20)
	if my.sanction {
		row.Sanctioned = 1
		row.Token = form.Part(my.token, 20)
	}
	row.Thoughts = form.Part(my.thoughts, 6)
	row.Claims = form.Part(my.claims, 9)
	row.Peace = form.Part(my.peace, 9)
	row.Fleets = form.Scaled(my.fleets, 20, 10)
	row.Developments = form.Scaled(my.developments, 20, 10)
	row.First = form.Bit(int8(q) == s.first)
	row.Active = form.Bit(int8(q) == s.actor)
	row.Decides = form.Bit(int8(q) == s.seat)
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
	owners := o.Owners[:s.game.players]
	vp, power := lead{-10, -10}, lead{-10, -10}
	for i := range owners {
		vp.count(owners[i].VP)
		power.count(owners[i].Power)
	}
	for i := range owners {
		row := &owners[i]
		row.Lead, row.PowerLead = vp.of(row.VP), power.of(row.Power)
	}
}

// A lead is the greatest of some numbers and the next one, which may be as great.
type lead struct{ first, second float32 }

func (l *lead) count(x float32) {
	l.second = max(l.second, min(l.first, x))
	l.first = max(l.first, x)
}

// of is by how much one of the numbers is ahead of the greatest other, -10 at the least.
func (l *lead) of(x float32) float32 {
	other := l.first
	if x == l.first {
		other = l.second
	}
	return max(x-other, -10)
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
	for set := s.settled[UN]; set != 0; set &= set - 1 {
		s.observeLand(o, UN, set.first(), int(UN))
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
	form.Count(n.Resource[:], my.resource)
	form.Count(n.Discontent[:], my.discontent)
	form.Count(n.Fleets[:], my.fleets)
	form.Count(n.Devs[:], my.developments)
	form.Count(n.Expand1[:], s.ExpandNeed(p, 1))
	form.Count(n.Expand2[:], s.ExpandNeed(p, 2))
	form.Count(n.Expand3[:], s.ExpandNeed(p, 3))
	form.Count(n.Research[:], s.researchNeed(p))
	for set := my.known; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		form.UpTo(o.Technologies[t].Own[:], my.level[t])
	}
	for set := s.CanStudy(p); set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		o.Technologies[t].Can = 1
		o.Technologies[t].Left = s.game.rows.left[t][my.counter[t]]
	}
	for i := range s.game.players {
		q := s.clockwise(p, i)
		o.Owners[i].HitNeed = float32(s.HitNeed(p, q)) * (1. / 6)
		o.Owners[i].SpyNeed = float32(s.SpyNeed(p, q)) * (1. / 6)
	}
	o.Owners[UN].HitNeed = float32(s.HitNeed(p, UN)) * (1. / 6)
}

func (s *State) observeClock(o *observation) {
	g, c := s.game, &o.Clock
	left := g.rounds - int(s.round)
	c.Round = float32(s.round) / float32(g.rounds)
	c.RoundsLeft = form.Part(left, 60)
	form.Count(o.RoundsLeft[:], left)
	c.Decisions = float32(s.made) / float32(g.maxDecisions)
	c.Trigger = form.Bit(s.trigger)
	c.Accords = form.Bit(int(s.round) >= g.accordFrom)
	c.PreludePass = float32(s.pending.pass) / preludePasses
	if g.skynet {
		c.Rogue = form.Part(s.rogue, 60)
		for k, cards := range g.symbols {
			c.Undrawn[k] = float32(bits.OnesCount32(s.undrawn&cards)) / NumCards
		}
	}
}

// observeDecision writes what is decided and what is pending.
func (s *State) observeDecision(o *observation, p env.Player) {
	pd := &s.pending
	o.Decision[s.decision-1] = 1
	form.One(o.Step[:], int(pd.step)-1)
	if pd.target >= 0 {
		o.Owners[s.row(p, env.Player(pd.target))].Target = 1
	}
	o.Numbers = decisionNumbers{
		Count: form.Scaled(pd.count, 10, 10), Extra: float32(pd.extra+1) / 3, Left: form.Scaled(pd.left, 10, 10),
		Add: form.Scaled(pd.add, 10, 10), Due: form.Scaled(s.pay.due, 4, 10), Transfers: form.Part(pd.transfers, 9),
		Hits: form.Scaled(pd.hits[0], 10, 10), StrongHits: form.Scaled(pd.hits[1], 10, 10), AtRisk: form.Bit(pd.atRisk),
		OnTheirWay: float32(pd.devs) / maxDevs,
	}
	form.Count(o.Lose[:], pd.count)
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
	form.One(o.Last[:], int(pd.last)-1)
	if pd.action >= 0 {
		o.observeAction(pd.action)
		form.Count(o.Most[:], s.jobMost(pd.action))
	}
	if s.phase == InFleet {
		if pd.step == jobs {
			form.Count(o.IdleFleets[:], s.idleFleets())
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
		form.Count(o.IdleDevs[0][:], idle.Steady)
		form.Count(o.IdleDevs[1][:], idle.Risk)
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
	case act.expand.Has(a):
		n.Expand[act.expand.Index(a)] = 1
	case a == Pacify:
		n.Pacify = 1
	case a == Replicate:
		n.Replicate = 1
	case a == ResearchAct, a == ResearchRisk:
		n.Research[act.research.Index(a)] = 1
	case act.build.Has(a):
		n.Build[act.build.Index(a)] = 1
	default: // the four blocks of attacks, from fire on
		i := act.fire.Index(a)
		n.Attack[i/numTargets] = 1
		o.Against[i%numTargets] = 1
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
		n.Classes[k] = form.Part(dice, 20)
	}
	for k, dice := range reaches[1:] {
		n.Reaching[k] = form.Part(dice, 20)
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
		form.Count(o.AtHand.Below[:], int(float32(10*o.To.Below)+0.5))
	}
	at := pd.at
	if at < 0 {
		return
	}
	o.Places[at].AtHand = 1
	o.At = o.Places[at]
	n, f := &o.AtHand, s.seats[p].fleet[at]
	form.Count(n.Steady[:], f.Steady)
	form.Count(n.Risk[:], f.Risk)
	form.Count(n.Fleets[:], f.Count())
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
		form.Count(n.Going[:], s.Launchable(w).Count())
	}
	form.Count(n.Work[:], work)
	form.Count(n.Spare[:], s.seats[p].fleet[w].Count()-2*work-leastSpare)
	own, shaken := s.land[p][w], s.shaken[w]
	form.Count(n.Land[:], own.Count())
	form.Count(n.DevsSteady[:], int(s.countDevs(w, own&^shaken)))
	form.Count(n.DevsRisk[:], int(s.countDevs(w, own&shaken)))
	usable, capacity := s.expandable(p, w), s.Capacity(p, w)
	for set := s.game.regions[w]; set != 0; set &= set - 1 {
		r := set.first()
		row, here := &o.Here[r], Regions(1)<<r
		form.UpTo(row.Devs[:], s.Developments(w, r))
		form.UpTo(row.Rubble[:], s.Devastation(w, r))
		row.Shaken = form.Bit(shaken&here != 0)
		row.Usable = form.Bit(usable&here != 0)
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
