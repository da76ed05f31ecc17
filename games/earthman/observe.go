package earthman

import (
	"math"
	"math/bits"
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The observation, one layout for every configuration. Seats stand clockwise from the observer, then the
// UN; places, worlds and regions in the order of the board. It is cleared and then only what is on the
// table is written, so that an empty board costs nothing.

type (
	perWorld  [NumWorlds]float32
	perRegion [MaxRegions]float32
	perOwner  [numOwners]float32 // seats clockwise from the observer, then the UN
	// perState is numbers of steady fleets and of fleets At Risk.
	perState [2]float32
)

// landRows are the rows of regions of a world: developments of each owner, then what lies on them.
type landRows [numOwners + 2]perRegion

const (
	rowShaken = numOwners + iota
	rowRubble
)

// observation declares the layout, which is the same for every configuration, and takes the numbers.
type observation struct {
	Fleets  [NumPlaces][MaxPlayers]perState `axes:"place,seat,state" help:"by place and seat: steady, At Risk; log2(1 + n) / log2(61)"`
	Arrived [NumWorlds]perState             `axes:"world,state" help:"by world: the actor's fleets that have just arrived, steady, At Risk; as fleets"`
	Regions [NumWorlds]landRows             `axes:"world,row,region" scope:"seats" help:"by world: rows of regions: developments / 4 of each seat and the UN, At Risk, Devastation / 2"`

	Seats     [MaxPlayers]seatNumbers       `axes:"seat" help:"by seat"`
	Levels    [MaxPlayers][NumTechs]float32 `axes:"seat,technology" help:"by seat and technology: level / 3, of ai / 10"`
	Tracks    [MaxPlayers][NumTechs]float32 `axes:"seat,technology" help:"by seat and technology: counter / steps"`
	Influence [MaxPlayers]perWorld          `axes:"seat,world" help:"by seat and world: Political Influence"`
	Options   optionNumbers                 `help:"options"`
	Clock     clockNumbers                  `help:"of the table"`

	Point      [numPoints - 1]float32 `axes:"point" help:"decision point, one-hot from prelude"`
	Step       [numSteps - 1]float32  `axes:"step" help:"step of the phase, one-hot from fleets"`
	At         [NumPlaces]float32     `axes:"place" help:"place in hand, one-hot"`
	To         [NumPlaces]float32     `axes:"place" help:"destination in hand, one-hot"`
	Target     perOwner               `axes:"owner" scope:"seats" help:"seat or UN in hand, one-hot"`
	Region     perRegion              `axes:"region" help:"region in hand, one-hot"`
	Numbers    decisionNumbers        `help:"of the decision"`
	Worlds     perWorld               `axes:"world" help:"worlds chosen in this step"`
	Before     perWorld               `axes:"world" help:"worlds where the actor had fleets when the round of movement began"`
	Came       perWorld               `axes:"world" help:"worlds where its fleets have arrived in it"`
	Firing     perOwner               `axes:"owner" scope:"seats" help:"who fires defensively, or has still to fire"`
	Offered    [MaxPlayers]float32    `axes:"seat" help:"seats that have been offered research"`
	Last       [numJobs - 1]float32   `axes:"job" help:"kind nominated last, one-hot from fire"`
	Action     actionNumbers          `help:"action in hand, one-hot"`
	Against    [numTargets]float32    `axes:"target" scope:"public" help:"target of that action, one-hot: +1 to +5 from the actor, UN"`
	Technology [NumTechs]float32      `axes:"technology" help:"technology in hand, one-hot"`

	Fire      [numOwners]perState             `axes:"owner,state" scope:"seats" help:"by seat and UN: fleets nominated to fire, steady, At Risk; as fleets"`
	Overthrow [numOwners]perState             `axes:"owner,state" scope:"seats" help:"by seat and UN: fleets nominated to overthrow, steady, At Risk; as fleets"`
	Nominated nominatedNumbers                `help:"nominated, as fleets"`
	Defend    [MaxRegions][MaxPlayers]float32 `axes:"region,seat" help:"by region: seat that it fires at"`
	Event     [numEvents - 1]float32          `axes:"event" help:"dice of the open Thought window, one-hot from ai"`
	Roller    perOwner                        `axes:"owner" scope:"seats" help:"who has rolled them, one-hot"`
	Lot       lotNumbers                      `help:"these dice"`
	Passed    [MaxPlayers]float32             `axes:"seat" help:"seats that have passed"`
}

// seatNumbers are those of a seat.
type seatNumbers struct {
	Plays        float32 `help:"plays"`
	VP           float32 `name:"vp" help:"VP / 50"`
	Power        float32 `help:"Power / 100"`
	Resource     float32 `help:"resource / 30"`
	Discontent   float32 `help:"discontent / 20"`
	Aside        float32 `help:"aside / 20"`
	Sanctioned   float32 `help:"sanctioned"`
	Token        float32 `help:"token / 20"`
	Thoughts     float32 `help:"Thoughts / 6"`
	Claims       float32 `help:"claims / 9"`
	Peace        float32 `help:"peace / 9"`
	Fleets       float32 `help:"fleets / 60"`
	Developments float32 `help:"developments / 60"`
	First        float32 `help:"first player"`
	Active       float32 `help:"active"`
	Decides      float32 `help:"decides"`
	PowerVP      float32 `name:"power_vp" help:"VP for Power / 2"`
}

// optionNumbers follow from the options.
type optionNumbers struct {
	Players       [MaxPlayers - 1]float32 `axes:"players" help:"players one-hot from 2"`
	Skynet        float32                 `help:"skynet"`
	Collab        float32                 `help:"collab"`
	Territory     float32                 `help:"territory"`
	Prelude       float32                 `help:"prelude"`
	Espionage     float32                 `help:"espionage"`
	LateFleets    float32                 `help:"late_fleets / 3"`
	Thoughts      [askNobody + 1]float32  `axes:"thoughts" help:"thoughts one-hot all, key, off"`
	Yields        float32                 `help:"un yields"`
	Points        float32                 `help:"points / 200"`
	Lead          float32                 `help:"lead / 200"`
	Rounds        float32                 `help:"rounds / 200"`
	Claims        float32                 `help:"claims / 9"`
	Peace         float32                 `help:"peace / 9"`
	AccordFrom    float32                 `help:"accord_from / 200"`
	Bulbs         float32                 `help:"bulbs"`
	Transfers     float32                 `help:"transfers / 9"`
	FleetCap      float32                 `help:"fleet_cap / 60"`
	DiscontentCap float32                 `help:"discontent_cap / 60"`
}

// clockNumbers are those of the table as a whole.
type clockNumbers struct {
	Round       float32    `help:"round / rounds"`
	RoundsLeft  float32    `help:"rounds left / 60"`
	Decisions   float32    `help:"decisions / max_decisions"`
	Trigger     float32    `help:"trigger"`
	Rogue       float32    `help:"rogue / 60"`
	Accords     float32    `help:"accords are open"`
	PreludePass float32    `help:"Prelude pass / 3"`
	Undrawn     [4]float32 `axes:"symbols" help:"cards undrawn by symbols 0 to 3 / 20"`
}

// decisionNumbers are what is pending.
type decisionNumbers struct {
	Count      float32  `help:"count / 60"`
	Extra      float32  `help:"(extra + 1) / 3"`
	Left       float32  `help:"left / 20"`
	Add        float32  `help:"add / 20"`
	Due        float32  `help:"due / 8"`
	Transfers  float32  `help:"transfers / 9"`
	Hits       float32  `help:"hits / 20"`
	StrongHits float32  `help:"strong hits / 20"`
	AtRisk     float32  `help:"at_risk"`
	OnTheirWay float32  `help:"developments on their way / 4"`
	IdleFleets float32  `help:"fleets without a job / 60"`
	IdleDevs   perState `axes:"state" help:"developments without one: steady, At Risk / 28"`
}

// actionNumbers are the actions that a number is asked for, and operations.
type actionNumbers struct {
	Attack    [4]float32 `axes:"attack" help:"fire, fire risk, overthrow, overthrow risk"`
	Expand    [3]float32 `axes:"group" help:"expand 3, 2, 1"`
	Pacify    float32    `help:"pacify"`
	Replicate float32    `help:"replicate"`
	Research  perState   `axes:"state" help:"research, research risk"`
	Build     [4]float32 `axes:"building" help:"build 3 twice, 3, 2, 1"`
	Operation [4]float32 `axes:"operation" help:"steal, sabotage, incite, subvert"`
}

// nominatedNumbers are the jobs that are not against anybody.
type nominatedNumbers struct {
	Expand    [3]float32 `axes:"group" help:"expand 3, 2, 1"`
	Pacify    float32    `help:"pacify"`
	Replicate float32    `help:"replicate"`
	Research  perState   `axes:"state" help:"research, research risk"`
	Build     [4]float32 `axes:"building" help:"build 3 twice, 3, 2, 1"`
}

// lotNumbers are the dice of an open Thought window.
type lotNumbers struct {
	Need     float32    `help:"number needed / 9"`
	Bounds   [2]float32 `axes:"bound" help:"bounds / 9"`
	Classes  [3]float32 `axes:"class" help:"dice low, mid, high / 20"`
	Reaching [8]float32 `axes:"reach" help:"reaching 1 to 8 / 20"`
}

// features are those of the observation.
func features() ([]env.Feature, error) {
	counted := func(prefix string, from, to int) (words []string) {
		for k := from; k <= to; k++ {
			words = append(words, prefix+strconv.Itoa(k))
		}
		return words
	}
	owners := append([]string{"own"}, counted("+", 1, MaxPlayers-1)...)
	owners = append(owners, "un")
	return form.Features[observation](form.Axes{
		"place":      placeIDs[:],
		"world":      placeIDs[:NumWorlds],
		"owner":      owners,
		"target":     append(counted("+", 1, MaxPlayers-1), "un"),
		"row":        append(owners, "at risk", "devastation"),
		"state":      {"steady", "at risk"},
		"region":     counted("", 1, MaxRegions),
		"technology": techIDs[:],
		"players":    counted("", 2, MaxPlayers),
		"thoughts":   {"all", "key", "off"},
		"symbols":    counted("", 0, 3),
		"point":      pointNames[NoPoint+1:],
		"step":       stepNames[noStep+1:],
		"job":        jobNames[noJob+1:],
		"event":      eventNames[noEvent+1:],
		"attack":     {"fire", "fire risk", "overthrow", "overthrow risk"},
		"group":      {"3", "2", "1"},
		"building":   {"3 twice", "3", "2", "1"},
		"operation":  {"steal", "sabotage", "incite", "subvert"},
		"bound":      {"low", "high"},
		"class":      {"low", "mid", "high"},
		"reach":      counted("", 1, 8),
	})
}

// rows are parts of observations made with the game.
type rows struct {
	options optionNumbers
	amount  [256]float32                  // of fleets
	quarter [maxDevs + 1]float32          // of developments
	ones    [1 << MaxRegions]perRegion    // set of regions
	halves  [1 << MaxRegions]perRegion    // set of regions
	levels  [NumTechs][16]float32         // technology, level
	tracks  [NumTechs][22]float32         // technology, counter
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

// Observe writes what p sees. Nothing is hidden.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	*o = observation{}
	g, r := s.game, &s.game.rows
	o.Options = r.options
	for i, q := 0, int(p); i < g.players; i, q = i+1, q+1 {
		if q == g.players {
			q = 0
		}
		s.observeSeat(o, &s.seats[q], r, i, q)
	}
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
	s.observeClock(&o.Clock)
	if s.point != NoPoint {
		s.observeDecision(o, p)
	}
}

func (s *State) observeSeat(o *observation, my *seat, r *rows, i, q int) {
	for set := my.steady; set != 0; set &= set - 1 {
		at := set.first()
		o.Fleets[at][i][0] = r.amount[my.fleet[at].Steady]
	}
	for set := my.risky; set != 0; set &= set - 1 {
		at := set.first()
		o.Fleets[at][i][1] = r.amount[my.fleet[at].Risk]
	}
	for set := s.settled[q]; set != 0; set &= set - 1 {
		s.observeLand(o, env.Player(q), set.first(), i)
	}
	row := &o.Seats[i]
	row.Plays = 1
	row.VP = part(my.vp, 50)
	row.Power = part(my.power, 100)
	row.Resource = part(my.e, 30)
	row.Discontent = part(my.x, 20)
	row.Aside = part(int32(my.aside), 20)
	if my.sanction {
		row.Sanctioned = 1
		row.Token = part(int32(my.token), 20)
	}
	row.Thoughts = part(int32(my.thoughts), 6)
	row.Claims = part(int32(my.claims), 9)
	row.Peace = part(int32(my.peace), 9)
	row.Fleets = part(int32(my.fleets), 60)
	row.Developments = part(int32(my.developments), 60)
	row.First = flag(int8(q) == s.first)
	row.Active = flag(int8(q) == s.actor)
	row.Decides = flag(int8(q) == s.seat)
	if my.power >= int32(s.game.data.Track.Power) {
		row.PowerVP = float32(s.PowerVP(env.Player(q))) / 2
	}
	for set := my.known; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		o.Levels[i][t] = r.levels[t][min(my.level[t], 15)]
	}
	for set := my.studied; set != 0; set &= set - 1 {
		t := bits.TrailingZeros16(uint16(set))
		o.Tracks[i][t] = r.tracks[t][my.counter[t]]
	}
	for set := my.counters; set != 0; set &= set - 1 {
		o.Influence[i][set.first()] = 1
	}
}

// observeLand writes the regions of an owner on a world into its row.
func (s *State) observeLand(o *observation, owner env.Player, w Place, row int) {
	regions, devs := &o.Regions[w][row], &s.devs[w]
	for set := s.land[owner][w]; set != 0; set &= set - 1 {
		k := set.first()
		regions[k] = s.game.rows.quarter[devs[k]]
	}
}

func (s *State) observeClock(c *clockNumbers) {
	g := s.game
	c.Round = float32(s.round) / float32(g.rounds)
	c.RoundsLeft = part(int32(g.rounds)-int32(s.round), 60)
	c.Decisions = float32(s.decisions) / float32(g.maxDecisions)
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

// observeDecision writes the decision point and what is pending.
func (s *State) observeDecision(o *observation, p env.Player) {
	pd := &s.pending
	o.Point[s.point-1] = 1
	if pd.step != noStep {
		o.Step[pd.step-1] = 1
	}
	if pd.at >= 0 {
		o.At[pd.at] = 1
	}
	if pd.to >= 0 {
		o.To[pd.to] = 1
	}
	if pd.target >= 0 {
		o.Target[s.row(p, env.Player(pd.target))] = 1
	}
	if pd.region > 0 {
		o.Region[pd.region-1] = 1
	}
	n := &o.Numbers
	n.Count = float32(pd.count) / maxFleets
	n.Extra = float32(pd.extra+1) / 3
	n.Left = part(int32(pd.left), 20)
	n.Add = part(int32(pd.add), 20)
	n.Due = part(int32(s.pay.due), 2*maxDevs)
	n.Transfers = part(int32(pd.transfers), 9)
	n.Hits = part(int32(pd.hits[0]), 20)
	n.StrongHits = part(int32(pd.hits[1]), 20)
	n.AtRisk = flag(pd.atRisk)
	n.OnTheirWay = float32(pd.devs) / maxDevs
	for set := pd.worlds; set != 0; set &= set - 1 {
		o.Worlds[set.first()] = 1
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
			o.Action.Operation[pd.action-steal] = 1
		}
	case InShare:
		if pd.action >= 0 {
			o.Technology[pd.action-tech0] = 1
		}
		for set := env.Seats(pd.offered); set != 0; set &= set - 1 {
			o.Offered[s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))] = 1
		}
	}
	if s.point == AtThought {
		s.observeLot(o, p)
	}
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
			o.Arrived[w] = s.game.rows.amounts(f)
		}
	}
	for set := pd.before; set != 0; set &= set - 1 {
		o.Before[set.first()] = 1
	}
	for set := pd.came; set != 0; set &= set - 1 {
		o.Came[set.first()] = 1
	}
	for set := pd.firing; set != 0; set &= set - 1 {
		o.Firing[s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))] = 1
	}
}

func (s *State) observeJobs(o *observation, p env.Player) {
	pd, r, n := &s.pending, &s.game.rows, &o.Nominated
	if pd.last != noJob {
		o.Last[pd.last-1] = 1
	}
	if pd.action >= 0 {
		o.observeAction(pd.action)
	}
	if s.phase == InFleet {
		if pd.step == jobs {
			o.Numbers.IdleFleets = float32(s.idleFleets()) / maxFleets
		}
		for i := range numTargets {
			if f := pd.fire[i]; f != (Fleets{}) {
				o.Fire[s.row(p, s.targetOwner(i))] = r.amounts(f)
			}
			if f := pd.overthrow[i]; f != (Fleets{}) {
				o.Overthrow[s.row(p, s.targetOwner(i))] = r.amounts(f)
			}
		}
		for i, groups := range pd.expand {
			n.Expand[i] = r.amount[groups]
		}
		n.Pacify, n.Replicate = r.amount[pd.pacify], r.amount[pd.replicate]
		return
	}
	if pd.step == jobs {
		idle := s.idleDevs()
		o.Numbers.IdleDevs = perState{float32(idle.Steady) / (maxDevs * MaxRegions), float32(idle.Risk) / (maxDevs * MaxRegions)}
	}
	n.Research = r.amounts(pd.research)
	for i, groups := range pd.build {
		n.Build[i] = r.amount[groups]
	}
	for _, d := range pd.defend {
		if d.region == 0 {
			break
		}
		o.Defend[d.region-1][s.row(p, env.Player(d.target))] = 1
	}
}

// observeAction writes an action of the job menus that a number is asked for.
func (o *observation) observeAction(a env.Action) {
	n := &o.Action
	switch {
	case a < expand0:
		i := int(a - fire0)
		n.Attack[i/numTargets] = 1
		o.Against[i%numTargets] = 1
	case a < Pacify:
		n.Expand[a-expand0] = 1
	case a == Pacify:
		n.Pacify = 1
	case a == Replicate:
		n.Replicate = 1
	case a < build0:
		n.Research[a-ResearchAct] = 1
	default:
		n.Build[a-build0] = 1
	}
}

func (s *State) observeLot(o *observation, p env.Player) {
	l, n := &s.lot, &o.Lot
	o.Event[l.event-1] = 1
	o.Roller[s.row(p, env.Player(l.roller))] = 1
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
		o.Passed[s.row(p, env.Player(bits.TrailingZeros8(uint8(set))))] = 1
	}
}
