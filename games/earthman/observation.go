package earthman

import (
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
	fieldNumbers
	Wanted    float32             `help:"fleets that are missing for two at each success, own ones that can come counted / 10"`
	Spare     float32             `help:"own fleets less two for each success / 10"`
	Coming    float32             `help:"own fleets on ways that lead here, shared among the ends of the ways / 10"`
	Rivals    float32             `help:"the same of others' / 10"`
	Danger    float32             `help:"hits to be expected on arrival, from all others / 10"`
	Capacity  float32             `help:"developments that a region can hold / 4"`
	Influence [MaxPlayers]float32 `axes:"seat" help:"Political Influence by seat"`
	CanSway   float32             `help:"Political Influence can be had"`
	Promise   float32             `help:"gain at the best world here or below where fleets are wanted, 0.6 of it for each turn on the way / 10"`
	Below     float32             `help:"fleets wanted at that world / 10"`
	AtHand    float32             `help:"in hand"`
	ToHand    float32             `help:"destination in hand"`
	Chosen    float32             `help:"chosen in this step"`
	Before    float32             `help:"the actor had fleets here when the round of movement began"`
	Came      float32             `help:"its fleets have arrived here in it"`
}

// fieldNumbers are those of a world as the observer can expand there.
type fieldNumbers struct {
	Free    float32 `help:"regions of nobody / 7"`
	Shaken  float32 `help:"own regions At Risk / 7"`
	Work    float32 `help:"successes of expansion that the observer could use / 10"`
	Gain    float32 `help:"Power to be had by them, less behind Devastation / 10"`
	HasWork float32 `help:"there is work"`
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
	form.UpTo(c[:4], n)
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
	owners := append([]string{"own"}, targetIDs[:]...)
	return form.Features[observation](form.Axes{
		"place":      placeIDs[:],
		"world":      placeIDs[:NumWorlds],
		"owner":      owners,
		"target":     targetIDs[:],
		"row":        append(owners, "at risk", "devastation"),
		"state":      {"steady", "at risk"},
		"region":     form.Numerals(1, MaxRegions),
		"technology": techIDs[:],
		"fleets":     {"1", "2", "3", "5", "8"},
		"least":      form.Numerals(1, maxDevs),
		"count":      form.Numerals(0, 39),
		"job count":  {"1", "2", "3", "4", "all"},
		"spare":      form.Numerals(leastSpare, -leastSpare),
		"players":    form.Numerals(2, MaxPlayers),
		"thoughts":   {"all", "key", "off"},
		"symbols":    form.Numerals(0, 3),
		"decision":   decisionNames[AtPrelude:],
		"step":       stepNames[noStep+1:],
		"job":        jobNames[noJob+1:],
		"event":      eventNames[noEvent+1:],
		"attack":     {"fire", "fire risk", "overthrow", "overthrow risk"},
		"group":      {"3", "2", "1"},
		"building":   {"3 twice", "3", "2", "1"},
		"operation":  {"steal", "sabotage", "incite", "subvert"},
		"bound":      {"low", "high"},
		"class":      {"low", "mid", "high"},
		"reach":      form.Numerals(1, 8),
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
