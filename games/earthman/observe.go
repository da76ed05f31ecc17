package earthman

import (
	"math"
	"math/bits"
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The observation, one layout for every configuration. Seats stand clockwise from the observer, then the UN; places,
// worlds and regions in the order of the board. Places, regions of the world in hand, owners and technologies are rows
// of named numbers, as actions point at them; places in hand have their rows a second time. Numbers that play compares
// by ones stand as one-hots as well. The observation is cleared and then only what is on the table is written, so that
// an empty board costs nothing.

type (
	perOwner [numOwners]float32 // seats clockwise from the observer, then the UN
	// perState is numbers of steady fleets and of fleets At Risk.
	perState  [2]float32
	perRegion [MaxRegions]float32
)

// landRows are the rows of regions of a world: developments of each owner, then what lies on them.
type landRows [numOwners + 2]perRegion

const (
	rowShaken = numOwners + iota
	rowRubble
)

// observation declares the layout, which is the same for every configuration, and takes the numbers.
type observation struct {
	Places       [NumPlaces]placeNumbers   `axes:"place" scope:"own" low:"-10" high:"10" help:"by place"`
	Regions      [NumWorlds]landRows       `axes:"world,row,region" scope:"seats" help:"by world: rows of regions: developments / 4 of each seat and the UN, At Risk, Devastation / 2"`
	Here         [MaxRegions]regionNumbers `axes:"region" scope:"own" help:"by region of the world in hand"`
	Owners       [numOwners]ownerNumbers   `axes:"owner" scope:"seats" low:"-10" high:"10" help:"by seat, the UN last"`
	Technologies [NumTechs]techNumbers     `axes:"technology" scope:"seats" help:"by technology"`
	Options      optionNumbers             `help:"options"`
	Clock        clockNumbers              `help:"of the table"`
	RoundsLeft   [16]float32               `axes:"count" help:"rounds left, one-hot, 15 or more as one"`

	Decision   [numDecisions - 1]float32 `axes:"decision" help:"what is decided, one-hot from prelude"`
	Step       [numSteps - 1]float32     `axes:"step" help:"step of the phase, one-hot from fleets"`
	Numbers    decisionNumbers           `high:"10" help:"of the decision"`
	Last       [numJobs - 1]float32      `axes:"job" help:"kind nominated last, one-hot from fire"`
	Action     actionNumbers             `help:"action in hand, one-hot"`
	Against    [numTargets]float32       `axes:"target" scope:"public" help:"target of that action, one-hot: +1 to +5 from the actor, UN"`
	Nominated  nominatedNumbers          `help:"nominated, at least 1 to 4, and all / 60"`
	Event      [numEvents - 1]float32    `axes:"event" help:"dice of the open Thought window, one-hot from ai"`
	Lot        lotNumbers                `help:"these dice"`
	Lose       [24]float32               `axes:"count" help:"fleets to be lost or sent, one-hot, 23 or more as one"`
	Most       [24]float32               `axes:"count" help:"most that the action in hand can be done by, one-hot, 23 or more as one"`
	IdleFleets [24]float32               `axes:"count" help:"fleets of the world in hand without a job, one-hot, 23 or more as one"`
	IdleDevs   [2][24]float32            `axes:"state,count" help:"developments without one, steady and At Risk, one-hot, 23 or more as one"`

	At     placeNumbers `scope:"own" low:"-10" high:"10" help:"the place in hand"`
	To     placeNumbers `scope:"own" low:"-10" high:"10" help:"the destination in hand"`
	AtHand placeCounts  `scope:"own" help:"at the place in hand, one-hot"`
	Own    ownCounts    `scope:"own" help:"of the observer, one-hot"`
}

// placeNumbers are those of a place. What is own is the observer's.
type placeNumbers struct {
	Steady     [MaxPlayers]float32 `axes:"seat" help:"steady fleets by seat, log2(1 + n) / log2(61)"`
	Risk       [MaxPlayers]float32 `axes:"seat" help:"fleets At Risk by seat, log2(1 + n) / log2(61)"`
	Arrived    perState            `axes:"state" help:"the actor's fleets that have just arrived, as fleets"`
	Own        float32             `help:"own fleets / 10"`
	AtLeast    [5]float32          `axes:"fleets" help:"own fleets: at least 1, 2, 3, 5, 8"`
	Others     float32             `help:"fleets of others / 10"`
	Launchable float32             `help:"fleets that the actor may launch / 10"`
	Land       float32             `help:"own regions / 7"`
	Devs       float32             `help:"own developments / 10"`
	OthersLand float32             `help:"regions of others / 7"`
	OthersDevs float32             `help:"developments of others / 10"`
	UN         float32             `name:"un" help:"regions of the UN / 7"`
	Free       float32             `help:"regions of nobody / 7"`
	Shaken     float32             `help:"own regions At Risk / 7"`
	Work       float32             `help:"successes of expansion that the observer could use / 10"`
	Gain       float32             `help:"Power to be had by them, less behind Devastation / 10"`
	HasWork    float32             `help:"there is work"`
	Wanted     float32             `help:"fleets that are missing for two at each success, own ones that can come counted / 10"`
	Spare      float32             `help:"own fleets less two for each success / 10"`
	Coming     float32             `help:"own fleets on ways that lead here, shared among the ends of the ways / 10"`
	Rivals     float32             `help:"the same of others' / 10"`
	Danger     float32             `help:"hits to be expected on arrival, from all others / 10"`
	Capacity   float32             `help:"developments that a region can hold / 4"`
	Influence  [MaxPlayers]float32 `axes:"seat" help:"Political Influence by seat"`
	CanSway    float32             `help:"Political Influence can be had"`
	Promise    float32             `help:"gain at the best world here or below where fleets are wanted, 0.6 of it for each turn on the way / 10"`
	Below      float32             `help:"fleets wanted at that world / 10"`
	AtHand     float32             `help:"in hand"`
	ToHand     float32             `help:"destination in hand"`
	Chosen     float32             `help:"chosen in this step"`
	Before     float32             `help:"the actor had fleets here when the round of movement began"`
	Came       float32             `help:"its fleets have arrived here in it"`
}

// regionNumbers are those of a region of the world in hand.
type regionNumbers struct {
	Owner   perOwner            `axes:"owner" help:"owner"`
	Devs    [maxDevs]float32    `axes:"least" help:"developments: at least 1 to 4"`
	Shaken  float32             `help:"At Risk"`
	Rubble  [2]float32          `axes:"least" help:"Devastation: at least 1, 2"`
	Room    float32             `help:"developments that the observer can add / 4"`
	Usable  float32             `help:"the observer can clear or settle it"`
	InHand  float32             `help:"in hand"`
	FiresAt [MaxPlayers]float32 `axes:"seat" help:"seat that it fires at"`
}

// ownerNumbers are those of a seat, and of the UN as far as they mean something there.
type ownerNumbers struct {
	Plays        float32  `help:"plays"`
	VP           float32  `name:"vp" help:"VP / 10"`
	Lead         float32  `help:"VP less those of the best other / 10"`
	Power        float32  `help:"Power / 20"`
	PowerLead    float32  `help:"Power less that of the strongest other / 20"`
	PowerVP      float32  `name:"power_vp" help:"VP for Power / 2"`
	Resource     float32  `help:"resource / 10"`
	Discontent   float32  `help:"discontent / 10"`
	Aside        float32  `help:"aside / 20"`
	Sanctioned   float32  `help:"sanctioned"`
	Token        float32  `help:"token / 20"`
	Thoughts     float32  `help:"Thoughts / 6"`
	Claims       float32  `help:"claims / 9"`
	Peace        float32  `help:"peace / 9"`
	Fleets       float32  `help:"fleets / 20"`
	Developments float32  `help:"developments / 20"`
	First        float32  `help:"first player"`
	Active       float32  `help:"active"`
	Decides      float32  `help:"decides"`
	Target       float32  `help:"in hand"`
	Firing       float32  `help:"fires defensively, or has still to fire"`
	Offered      float32  `help:"has been offered research"`
	Roller       float32  `help:"has rolled the dice"`
	Passed       float32  `help:"has passed"`
	Fire         perState `axes:"state" help:"fleets nominated to fire at it, as fleets"`
	Overthrow    perState `axes:"state" help:"fleets nominated to overthrow it, as fleets"`
	FleetsHere   perState `axes:"state" help:"its fleets at the place in hand / 10"`
	LandHere     float32  `help:"its regions of the world in hand / 7"`
	ShakenHere   float32  `help:"those At Risk / 7"`
	DevsHere     float32  `help:"its developments there / 10"`
	HitNeed      float32  `help:"number that the observer's fleets need to hit it / 6"`
	SwayNeed     float32  `help:"number that they need to overthrow it at the world in hand / 6"`
	SpyNeed      float32  `help:"number that the observer's spies need / 6"`
}

// techNumbers are those of a technology.
type techNumbers struct {
	Level  [MaxPlayers]float32 `axes:"seat" help:"level / 3, of ai / 10, by seat"`
	Track  [MaxPlayers]float32 `axes:"seat" help:"counter / steps by seat"`
	Own    [3]float32          `axes:"least" help:"own level: at least 1 to 3"`
	Left   float32             `help:"own successes to the next level / 12"`
	Can    float32             `help:"the observer can study it"`
	InHand float32             `help:"in hand"`
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
	Count      float32 `help:"count / 10"`
	Extra      float32 `help:"(extra + 1) / 3"`
	Left       float32 `help:"left / 10"`
	Add        float32 `help:"add / 10"`
	Due        float32 `help:"due / 4"`
	Transfers  float32 `help:"transfers / 9"`
	Hits       float32 `help:"hits / 10"`
	StrongHits float32 `help:"strong hits / 10"`
	AtRisk     float32 `help:"at_risk"`
	OnTheirWay float32 `help:"developments on their way / 4"`
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

// jobCount is a number of fleets or groups with a job: at least 1 to 4, and all / 60.
type jobCount [5]float32

func newJobCount(n uint8) jobCount {
	c := jobCount{4: float32(n) * (1. / maxFleets)}
	upToCount(c[:4], int(n))
	return c
}

// nominatedNumbers are the jobs that are not against anybody.
type nominatedNumbers struct {
	Expand3      jobCount `axes:"job count" help:"expand 3"`
	Expand2      jobCount `axes:"job count" help:"2"`
	Expand1      jobCount `axes:"job count" help:"1"`
	Pacify       jobCount `axes:"job count" help:"pacify"`
	Replicate    jobCount `axes:"job count" help:"replicate"`
	Research     jobCount `axes:"job count" help:"research"`
	ResearchRisk jobCount `axes:"job count" help:"research risk"`
	Build3Twice  jobCount `axes:"job count" name:"build3x2" help:"build 3 twice"`
	Build3       jobCount `axes:"job count" help:"3"`
	Build2       jobCount `axes:"job count" help:"2"`
	Build1       jobCount `axes:"job count" help:"1"`
}

// lotNumbers are the dice of an open Thought window.
type lotNumbers struct {
	Need     float32    `help:"number needed / 9"`
	Bounds   [2]float32 `axes:"bound" help:"bounds / 9"`
	Classes  [3]float32 `axes:"class" help:"dice low, mid, high / 20"`
	Reaching [8]float32 `axes:"reach" help:"reaching 1 to 8 / 20"`
}

// placeCounts are numbers of the place in hand.
type placeCounts struct {
	Steady     [24]float32 `axes:"count" help:"own steady fleets, 23 or more as one"`
	Risk       [12]float32 `axes:"count" help:"own fleets At Risk, 11 or more as one"`
	Fleets     [24]float32 `axes:"count" help:"own fleets, 23 or more as one"`
	Going      [24]float32 `axes:"count" help:"fleets that may be launched, 23 or more as one"`
	Work       [24]float32 `axes:"count" help:"work, 23 or more as one"`
	Spare      [25]float32 `axes:"spare" help:"own fleets less two for each success, from -12 to 12"`
	Land       [8]float32  `axes:"count" help:"own regions"`
	DevsSteady [24]float32 `axes:"count" help:"own developments in steady regions, 23 or more as one"`
	DevsRisk   [12]float32 `axes:"count" help:"those in regions At Risk, 11 or more as one"`
	Below      [24]float32 `axes:"count" help:"fleets wanted at the best world below the destination, 23 or more as one"`
}

// ownCounts are numbers of the observer.
type ownCounts struct {
	Resource   [24]float32 `axes:"count" help:"resource, 23 or more as one"`
	Discontent [16]float32 `axes:"count" help:"discontent, 15 or more as one"`
	Fleets     [40]float32 `axes:"count" help:"fleets, 39 or more as one"`
	Devs       [40]float32 `axes:"count" help:"developments, 39 or more as one"`
	Work       [40]float32 `axes:"count" help:"work on all worlds, 39 or more as one"`
	Expand1    [10]float32 `axes:"count" help:"number that a group of one fleet needs"`
	Expand2    [10]float32 `axes:"count" help:"of two"`
	Expand3    [10]float32 `axes:"count" help:"of three"`
	Research   [10]float32 `axes:"count" help:"number that research needs"`
}

// leastSpare is the least number of the one-hot Spare.
const leastSpare = -12

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
		"fleets":     {"1", "2", "3", "5", "8"},
		"least":      counted("", 1, maxDevs),
		"count":      counted("", 0, 39),
		"job count":  {"1", "2", "3", "4", "all"},
		"spare":      counted("", leastSpare, -leastSpare),
		"players":    counted("", 2, MaxPlayers),
		"thoughts":   {"all", "key", "off"},
		"symbols":    counted("", 0, 3),
		"decision":   decisionNames()[AtPrelude:],
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

// objects are what actions point at.
func objects() []env.Objects {
	return []env.Objects{
		{Name: "place", Count: NumPlaces, Features: []string{"places"}},
		{Name: "region", Count: MaxRegions, Features: []string{"here"}},
		{Name: "owner", Count: numOwners, Features: []string{"owners"}},
		{Name: "technology", Count: NumTechs, Features: []string{"technologies"}},
	}
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
	for at := range my.present().Each {
		f, row := my.fleet[at], &o.Places[at]
		row.Steady[i], row.Risk[i] = r.amount[f.Steady], r.amount[f.Risk]
		if i > 0 {
			row.Others += float32(f.Count()) * (1. / 10)
			continue
		}
		row.Own = float32(f.Count()) * (1. / 10)
		for k, least := range [...]int{1, 2, 3, 5, 8} {
			if f.Count() >= least {
				row.AtLeast[k] = 1
			}
		}
	}
	for w := range s.settled[q].Each {
		s.observeLand(o, env.Player(q), w, i)
	}
	for w := range my.counters.Each {
		o.Places[w].Influence[i] = 1
	}
	row := &o.Owners[i]
	row.Plays = 1
	row.VP = scaled(my.vp, 10)
	row.Power = scaled(my.power, 20)
	row.Resource = scaled(my.e, 10)
	row.Discontent = scaled(my.x, 10)
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
		place.OthersLand += float32(land.Count()) * (1. / 7)
		place.OthersDevs += float32(n) * (1. / 10)
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

// observeOwn is for what is the observer's alone.
func (s *State) observeOwn(o *observation, p env.Player) {
	my, n := &s.seats[p], &o.Own
	hot(n.Resource[:], int(my.e))
	hot(n.Discontent[:], int(my.x))
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
			o.Action.Operation[pd.action-steal] = 1
		}
	case InShare:
		if pd.action >= 0 {
			o.Technologies[pd.action-tech0].InHand = 1
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
		hot(o.AtHand.Below[:], int(10*o.To.Below+0.5))
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
	n, work := &o.AtHand, int(10*o.At.Work+0.5)
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
