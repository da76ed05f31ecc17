package earthman

import (
	"math"
	"math/bits"

	"earthgym/env"
)

// The observation, one layout for every configuration. Seats stand clockwise from the observer, then the
// UN; places, worlds and regions in the order of the board. It is cleared and then only what is on the
// table is written, so that an empty board costs nothing.

// Sizes of rows.
const (
	numClock     = 11
	numOptions   = 25
	numSeatCells = 17
	numNumbers   = 13
	numKinds     = 19 // actions that a number is asked for, and operations
	numNominated = 11
	numLotCells  = 14
	regionRows   = numOwners + 2
)

// Where each feature begins; features lists them in this order.
const (
	oFleets     = 0
	oArrived    = oFleets + NumPlaces*MaxPlayers*2
	oRegions    = oArrived + NumWorlds*2
	oSeats      = oRegions + NumWorlds*regionRows*MaxRegions
	oLevels     = oSeats + MaxPlayers*numSeatCells
	oTracks     = oLevels + MaxPlayers*NumTechs
	oInfluence  = oTracks + MaxPlayers*NumTechs
	oOptions    = oInfluence + MaxPlayers*NumWorlds
	oClock      = oOptions + numOptions
	oPoint      = oClock + numClock
	oStep       = oPoint + int(numPoints) - 1
	oAt         = oStep + int(numSteps) - 1
	oTo         = oAt + NumPlaces
	oTarget     = oTo + NumPlaces
	oRegion     = oTarget + numOwners
	oNumbers    = oRegion + MaxRegions
	oWorlds     = oNumbers + numNumbers
	oBefore     = oWorlds + NumWorlds
	oCame       = oBefore + NumWorlds
	oFiring     = oCame + NumWorlds
	oOffered    = oFiring + numOwners
	oLast       = oOffered + MaxPlayers
	oAction     = oLast + int(numJobs) - 1
	oAgainst    = oAction + numKinds
	oTech       = oAgainst + numTargets
	oFire       = oTech + NumTechs
	oOverthrow  = oFire + numOwners*2
	oNominated  = oOverthrow + numOwners*2
	oDefend     = oNominated + numNominated
	oEvent      = oDefend + MaxRegions*MaxPlayers
	oRoller     = oEvent + int(numEvents) - 1
	oLot        = oRoller + numOwners
	oPassed     = oLot + numLotCells
	observation = oPassed + MaxPlayers
)

func features() []env.Feature {
	f := func(name, help string, shape ...int) env.Feature {
		return env.Feature{Name: name, Shape: shape, High: 1, Help: help}
	}
	return []env.Feature{
		f("fleets", "by place and seat: steady, At Risk; log2(1 + n) / log2(61)", NumPlaces, MaxPlayers, 2),
		f("arrived", "by world: the actor's fleets that have just arrived, steady, At Risk; as fleets", NumWorlds, 2),
		f("regions", "by world: rows of regions: developments / 4 of each seat and the UN, At Risk, Devastation / 2", NumWorlds, regionRows, MaxRegions),
		f("seats", "by seat: plays, VP / 50, Power / 100, resource / 30, discontent / 20, aside / 20, sanctioned, token / 20, Thoughts / 6, claims / 9, peace / 9, fleets / 60, developments / 60, first player, active, decides, VP for Power / 2", MaxPlayers, numSeatCells),
		f("levels", "by seat and technology: level / 3, of ai / 10", MaxPlayers, NumTechs),
		f("tracks", "by seat and technology: counter / steps", MaxPlayers, NumTechs),
		f("influence", "by seat and world: Political Influence", MaxPlayers, NumWorlds),
		f("options", "players one-hot from 2; skynet, collab, territory, prelude, espionage; late_fleets / 3; thoughts one-hot all, key, off; un yields; points, lead, rounds / 200; claims, peace / 9; accord_from / 200; bulbs; transfers / 9; fleet_cap, discontent_cap / 60", numOptions),
		f("clock", "round / rounds, rounds left / 60, decisions / max_decisions, trigger, rogue / 60, accords are open, Prelude pass / 3, cards undrawn by symbols 0 to 3 / 20", numClock),
		f("point", "decision point, one-hot from prelude", int(numPoints)-1),
		f("step", "step of the phase, one-hot from fleets", int(numSteps)-1),
		f("at", "place in hand, one-hot", NumPlaces),
		f("to", "destination in hand, one-hot", NumPlaces),
		f("target", "seat or UN in hand, one-hot", numOwners),
		f("region", "region in hand, one-hot", MaxRegions),
		f("numbers", "count / 60, (extra + 1) / 3, left / 20, add / 20, due / 8, transfers / 9, hits, strong hits / 20, at_risk, developments on their way / 4, fleets without a job / 60, developments without one: steady, At Risk / 28", numNumbers),
		f("worlds", "worlds chosen in this step", NumWorlds),
		f("before", "worlds where the actor had fleets when the round of movement began", NumWorlds),
		f("came", "worlds where its fleets have arrived in it", NumWorlds),
		f("firing", "who fires defensively, or has still to fire", numOwners),
		f("offered", "seats that have been offered research", MaxPlayers),
		f("last", "kind nominated last, one-hot from fire", int(numJobs)-1),
		f("action", "action in hand: fire, fire risk, overthrow, overthrow risk, expand 3, 2, 1, pacify, replicate, research, research risk, build 3 twice, 3, 2, 1, steal, sabotage, incite, subvert", numKinds),
		f("against", "target of that action, one-hot: +1 to +5 from the actor, UN", numTargets),
		f("technology", "technology in hand, one-hot", NumTechs),
		f("fire", "by seat and UN: fleets nominated to fire, steady, At Risk; as fleets", numOwners, 2),
		f("overthrow", "by seat and UN: fleets nominated to overthrow, steady, At Risk; as fleets", numOwners, 2),
		f("nominated", "expand 3, 2, 1, pacify, replicate, research, research risk, build 3 twice, 3, 2, 1; as fleets", numNominated),
		f("defend", "by region: seat that it fires at", MaxRegions, MaxPlayers),
		f("event", "dice of the open Thought window, one-hot from ai", int(numEvents)-1),
		f("roller", "who has rolled them, one-hot", numOwners),
		f("lot", "number needed / 9, bounds / 9, dice low, mid, high / 20, reaching 1 to 8 / 20", numLotCells),
		f("passed", "seats that have passed", MaxPlayers),
	}
}

// rows are parts of observations made with the game.
type rows struct {
	options [numOptions]float32
	amount  [256]float32                  // of fleets
	quarter [maxDevs + 1]float32          // of developments
	ones    [1 << MaxRegions][7]float32   // set of regions
	halves  [1 << MaxRegions][7]float32   // set of regions
	levels  [NumTechs][16]float32         // technology, level
	tracks  [NumTechs][22]float32         // technology, counter
	reverse [MaxPlayers][MaxPlayers]uint8 // observer, seat: places clockwise
}

func newRows(g *Game) rows {
	var r rows
	o := r.options[:0]
	add := func(x, unit int) { o = append(o, share(x, unit)) }
	flag := func(on bool) {
		if on {
			o = append(o, 1)
		} else {
			o = append(o, 0)
		}
	}
	for n := 2; n <= MaxPlayers; n++ {
		flag(n == g.players)
	}
	for _, on := range []bool{g.skynet, g.collab, g.territory, g.prelude, g.espionage} {
		flag(on)
	}
	add(g.lateFleets, 3)
	for _, mode := range []thoughtsMode{askAll, askKey, askNobody} {
		flag(g.thoughts == mode)
	}
	flag(g.yields)
	add(g.points, 200)
	add(g.lead, 200)
	add(g.rounds, 200)
	add(g.claims, 9)
	add(g.peace, 9)
	add(g.accordFrom, 200)
	add(g.bulbs, 1)
	add(g.transfers, 9)
	add(g.fleetCap, maxFleets)
	add(g.discontentCap, maxFleets)
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
	for p := range g.players {
		for q := range g.players {
			r.reverse[p][q] = uint8((q - p + g.players) % g.players)
		}
	}
	return r
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

// Observe writes what p sees. Nothing is hidden.
func (s *State) Observe(dst []float32, p env.Player) {
	dst = dst[:observation]
	clear(dst)
	g, r := s.game, &s.game.rows
	copy(dst[oOptions:], r.options[:])
	for i, q := 0, int(p); i < g.players; i, q = i+1, q+1 {
		if q == g.players {
			q = 0
		}
		s.observeSeat(dst, &s.seats[q], r, i, q)
	}
	for w := range s.settled[UN].Each {
		s.observeLand(dst, UN, w, int(UN))
	}
	for w := range s.shaken {
		at := oRegions + (w*regionRows+numOwners)*MaxRegions
		if set := s.shaken[w]; set != 0 {
			*(*[7]float32)(dst[at:]) = r.ones[set&127]
		}
		if set := s.rubble[w][0]; set != 0 {
			*(*[7]float32)(dst[at+MaxRegions:]) = r.halves[set&127]
			for two := s.rubble[w][1]; two != 0; two &= two - 1 {
				dst[at+MaxRegions+two.first()] = 1
			}
		}
	}
	s.observeClock(dst)
	if s.point != NoPoint {
		s.observeDecision(dst, p)
	}
}

func (s *State) observeSeat(dst []float32, my *seat, r *rows, i, q int) {
	for set := my.steady; set != 0; set &= set - 1 {
		at := set.first()
		dst[oFleets+(int(at)*MaxPlayers+i)*2] = r.amount[my.fleet[at].Steady]
	}
	for set := my.risky; set != 0; set &= set - 1 {
		at := set.first()
		dst[oFleets+(int(at)*MaxPlayers+i)*2+1] = r.amount[my.fleet[at].Risk]
	}
	for set := s.settled[q]; set != 0; set &= set - 1 {
		s.observeLand(dst, env.Player(q), set.first(), i)
	}
	c := (*[numSeatCells]float32)(dst[oSeats+i*numSeatCells:])
	c[0] = 1
	c[1] = part(my.vp, 50)
	c[2] = part(my.power, 100)
	c[3] = part(my.e, 30)
	c[4] = part(my.x, 20)
	c[5] = part(int32(my.aside), 20)
	if my.sanction {
		c[6] = 1
		c[7] = part(int32(my.token), 20)
	}
	c[8] = part(int32(my.thoughts), 6)
	c[9] = part(int32(my.claims), 9)
	c[10] = part(int32(my.peace), 9)
	c[11] = part(int32(my.fleets), 60)
	c[12] = part(int32(my.developments), 60)
	if int8(q) == s.first {
		c[13] = 1
	}
	if int8(q) == s.actor {
		c[14] = 1
	}
	if int8(q) == s.seat {
		c[15] = 1
	}
	if my.power >= int32(s.game.data.Track.Power) {
		c[16] = float32(s.PowerVP(env.Player(q))) / 2
	}
	for set := my.known; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		dst[oLevels+i*NumTechs+t] = r.levels[t][min(my.level[t], 15)]
	}
	for set := my.studied; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		dst[oTracks+i*NumTechs+t] = r.tracks[t][my.counter[t]]
	}
	for set := my.counters; set != 0; set &= set - 1 {
		dst[oInfluence+i*NumWorlds+int(set.first())] = 1
	}
}

// observeLand writes the regions of an owner on a world into its row.
func (s *State) observeLand(dst []float32, owner env.Player, w Place, row int) {
	at := oRegions + (int(w)*regionRows+row)*MaxRegions
	devs := &s.devs[w]
	for set := s.land[owner][w]; set != 0; set &= set - 1 {
		k := set.first()
		dst[at+k] = s.game.rows.quarter[devs[k]]
	}
}

func (s *State) observeClock(dst []float32) {
	g := s.game
	c := (*[numClock]float32)(dst[oClock:])
	c[0] = float32(s.round) / float32(g.rounds)
	c[1] = part(int32(g.rounds)-int32(s.round), 60)
	c[2] = float32(s.decisions) / float32(g.maxDecisions)
	if s.trigger {
		c[3] = 1
	}
	if int(s.round) >= g.accordFrom {
		c[5] = 1
	}
	c[6] = float32(s.pending.pass) / preludePasses
	if g.skynet {
		c[4] = part(int32(s.rogue), 60)
		for k, cards := range g.symbols {
			c[7+k] = float32(bits.OnesCount32(s.undrawn&cards)) / NumCards
		}
	}
}

// observeDecision writes the decision point and what is pending.
func (s *State) observeDecision(dst []float32, p env.Player) {
	pd := &s.pending
	dst[oPoint+int(s.point)-1] = 1
	if pd.step != noStep {
		dst[oStep+int(pd.step)-1] = 1
	}
	if pd.at >= 0 {
		dst[oAt+int(pd.at)] = 1
	}
	if pd.to >= 0 {
		dst[oTo+int(pd.to)] = 1
	}
	if pd.target >= 0 {
		dst[oTarget+s.row(p, env.Player(pd.target))] = 1
	}
	if pd.region > 0 {
		dst[oRegion+int(pd.region)-1] = 1
	}
	c := (*[numNumbers]float32)(dst[oNumbers:])
	c[0] = float32(pd.count) / maxFleets
	c[1] = float32(pd.extra+1) / 3
	c[2] = part(int32(pd.left), 20)
	c[3] = part(int32(pd.add), 20)
	c[4] = part(int32(s.pay.due), 2*maxDevs)
	c[5] = part(int32(pd.transfers), 9)
	c[6] = part(int32(pd.hits[0]), 20)
	c[7] = part(int32(pd.hits[1]), 20)
	if pd.atRisk {
		c[8] = 1
	}
	c[9] = float32(pd.devs) / maxDevs
	for set := pd.worlds; set != 0; set &= set - 1 {
		dst[oWorlds+int(set.first())] = 1
	}
	switch s.phase {
	case InMove:
		s.observeMove(dst, p)
	case InFleet, InDev:
		if pd.step != noStep {
			s.observeJobs(dst, p, c)
		}
	case InSpy:
		if pd.action >= 0 {
			dst[oAction+numKinds-4+int(pd.action-steal)] = 1
		}
	case InShare:
		if pd.action >= 0 {
			dst[oTech+int(pd.action-tech0)] = 1
		}
		for set := env.Seats(pd.offered); set != 0; set &= set - 1 {
			dst[oOffered+s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))] = 1
		}
	}
	if s.point == AtThought {
		s.observeLot(dst, p)
	}
}

// row is the place of an owner among owners as p sees them.
func (s *State) row(p, owner env.Player) int {
	if owner == UN {
		return int(UN)
	}
	return int(s.game.rows.reverse[p][owner])
}

func (s *State) observeMove(dst []float32, p env.Player) {
	pd := &s.pending
	for w := range Place(NumWorlds) {
		if a := s.arrived[w]; a != (Fleets{}) {
			dst[oArrived+int(w)*2] = s.game.rows.amount[a.Steady]
			dst[oArrived+int(w)*2+1] = s.game.rows.amount[a.Risk]
		}
	}
	for set := pd.before; set != 0; set &= set - 1 {
		dst[oBefore+int(set.first())] = 1
	}
	for set := pd.came; set != 0; set &= set - 1 {
		dst[oCame+int(set.first())] = 1
	}
	for set := pd.firing; set != 0; set &= set - 1 {
		dst[oFiring+s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))] = 1
	}
}

func (s *State) observeJobs(dst []float32, p env.Player, c *[numNumbers]float32) {
	pd, r := &s.pending, &s.game.rows
	if pd.last != noJob {
		dst[oLast+int(pd.last)-1] = 1
	}
	if pd.action >= 0 {
		kind, target := kindOf(pd.action)
		dst[oAction+kind] = 1
		if target >= 0 {
			dst[oAgainst+target] = 1
		}
	}
	n := (*[numNominated]float32)(dst[oNominated:])
	if s.phase == InFleet {
		if pd.step == jobs {
			c[10] = float32(s.idleFleets()) / maxFleets
		}
		for i := range numTargets {
			if f := pd.fire[i]; f != (Fleets{}) {
				at := oFire + s.row(p, s.targetOwner(i))*2
				dst[at], dst[at+1] = r.amount[f.Steady], r.amount[f.Risk]
			}
			if f := pd.overthrow[i]; f != (Fleets{}) {
				at := oOverthrow + s.row(p, s.targetOwner(i))*2
				dst[at], dst[at+1] = r.amount[f.Steady], r.amount[f.Risk]
			}
		}
		n[0], n[1], n[2] = r.amount[pd.expand[0]], r.amount[pd.expand[1]], r.amount[pd.expand[2]]
		n[3], n[4] = r.amount[pd.pacify], r.amount[pd.replicate]
		return
	}
	if pd.step == jobs {
		idle := s.idleDevs()
		c[11], c[12] = float32(idle.Steady)/(maxDevs*MaxRegions), float32(idle.Risk)/(maxDevs*MaxRegions)
	}
	n[5], n[6] = r.amount[pd.research.Steady], r.amount[pd.research.Risk]
	for i, groups := range pd.build {
		n[7+i] = r.amount[groups]
	}
	for _, d := range pd.defend {
		if d.region == 0 {
			break
		}
		dst[oDefend+int(d.region-1)*MaxPlayers+s.row(p, env.Player(d.target))] = 1
	}
}

// kindOf is the place of an action of the job menus in the feature action, and its target or -1.
func kindOf(a env.Action) (kind, target int) {
	switch {
	case a < expand0:
		i := int(a - fire0)
		return i / numTargets, i % numTargets
	case a < InfluenceAct:
		return 4 + int(a-expand0), -1
	}
	return 9 + int(a-ResearchAct), -1
}

func (s *State) observeLot(dst []float32, p env.Player) {
	l := &s.lot
	dst[oEvent+int(l.event)-1] = 1
	dst[oRoller+s.row(p, env.Player(l.roller))] = 1
	var classes [3]int32
	var reaches [9]int32
	for _, d := range l.dice[:l.n] {
		classes[l.class(d)]++
		reaches[d]++
	}
	c := (*[numLotCells]float32)(dst[oLot:])
	c[0], c[1], c[2] = float32(l.need)/impossible, float32(l.bounds[0])/impossible, float32(l.bounds[1])/impossible
	for k, n := range classes {
		c[3+k] = part(n, 20)
	}
	for reach, n := range reaches[1:] {
		c[6+reach] = part(n, 20)
	}
	for set := l.passed; set != 0; set &= set - 1 {
		dst[oPassed+s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))] = 1
	}
}
