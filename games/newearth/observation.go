package newearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// The observation: what a seat sees, its own seat first and the others clockwise. Zones, tiles, cards and seats are
// rows of named numbers, as actions point at them; the zone in hand has its row a second time. Numbers that play
// compares by ones stand as one-hots as well.

// observation declares the layout, which is the same for every configuration, and takes the numbers.
type observation struct {
	Zones [NumZones]zoneNumbers   `axes:"zone" scope:"own" high:"10" help:"by zone"`
	Tiles [NumTiles]tileNumbers   `axes:"tile" help:"by tile"`
	Cards [NumCards]cardNumbers   `axes:"card" scope:"own" low:"-1" high:"5" help:"by sort of card"`
	Seats [maxPlayers]seatNumbers `axes:"seat" high:"10" help:"by seat"`

	Acting    float32                `scope:"own" help:"whether the observer acts"`
	Decision  [numDecisions]float32  `axes:"decision" scope:"own" help:"question asked, one-hot; of secret questions to others one stands for all"`
	Phase     [phaseOver + 1]float32 `axes:"phase" help:"set-up, phases 1 to 6, over, one-hot"`
	Clock     clockNumbers           `help:"time"`
	TurnsLeft [13]float32            `axes:"count" help:"turns left, one-hot, 12 or more as one"`
	Question  questionNumbers        `scope:"own" help:"of the question"`
	InHand    zoneNumbers            `scope:"own" high:"10" help:"the zone that the question is about, if it is one"`
	Piece     [numPieces]float32     `axes:"piece" help:"piece picked up: machine, raw worker, manufacturing worker"`
	Left      [amountStep +
		1]float32 `axes:"count" scope:"own" help:"greatest number that can still be named, one-hot, 20 or more as one"`
	Least [amountStep +
		1]float32 `axes:"count" scope:"own" help:"least number that can still be named, one-hot, 20 or more as one"`
	Offer offerNumbers `help:"the running offer"`

	Stock   [numUnits][32]float32 `axes:"kind,count" scope:"own" help:"own M, E, F, one-hot, 31 or more as one"`
	Goods   [48]float32           `axes:"count" scope:"own" help:"own goods, one-hot, 47 or more as one"`
	Cash    [48]float32           `axes:"count" scope:"own" help:"own cash, one-hot, 47 or more as one"`
	Need    [48]float32           `axes:"count" scope:"own" help:"own maintenance, one-hot, 47 or more as one"`
	Surplus [48]float32           `axes:"surplus" scope:"own" help:"own goods less maintenance, one-hot from -16 to 31"`
	Unspent [48]float32           `axes:"unspent" scope:"own" help:"own goods less those expended, which are lost above it, one-hot from -8 to 39"`
	Output  [numUnits][32]float32 `axes:"kind,count" scope:"own" help:"own M, E, F of a turn with mixed machines on raw units, one-hot, 31 or more as one"`
	Mixed   [2][16]float32        `axes:"type,count" scope:"own" help:"own machines of mixed mining and energy zones, one-hot, 15 or more as one"`
	Amounts amountNumbers         `scope:"own" low:"-10" high:"10" help:"own numbers"`

	Players [maxPlayers - 1]float32 `axes:"players" help:"number of players, one-hot from 2"`
	Options optionNumbers           `help:"options"`
	Storm   [numStorms - 1]float32  `axes:"storm" help:"storm drawn at the end, violent, super, mega"`
}

// zoneNumbers are those of a zone.
type zoneNumbers struct {
	Owner   [maxPlayers]float32 `axes:"seat" help:"owner by seat"`
	Out     float32             `help:"out of play"`
	Neutral float32             `help:"in play and nobody's"`
	societyNumbers
	pieceNumbers
	Room        float32 `help:"workers that still fit / 4"`
	Bays        float32 `help:"machines that still fit / 3"`
	Plant       float32 `help:"plant"`
	City        float32 `help:"city, fortified or not"`
	Fortified   float32 `help:"storm-fortified city"`
	Affected    float32 `help:"catastrophe marker"`
	Elected     float32 `help:"had its election this turn"`
	Converted   float32 `help:"became a city this turn"`
	Raised      float32 `help:"raised this turn"`
	Points      float32 `help:"points if it counts in the storm / 20"`
	Leader      float32 `help:"own leader"`
	Rival       float32 `help:"leader of another"`
	Reach       float32 `help:"in reach of the own leader"`
	Threatened  float32 `help:"own, in reach of others' leaders"`
	NearOwn     float32 `help:"of an own zone: own zones beside it / 6"`
	NearNeutral float32 `help:"of an own zone: zones of nobody / 6"`
	NearWeaker  float32 `help:"of an own zone: others' of no higher level / 6"`
	NearRivals  float32 `help:"of an own zone: others' / 6"`
	RivalCash   float32 `help:"of another's zone: its owner's cash / 20"`
	Hit         float32 `help:"struck by the catastrophe and not saved"`
	Chosen      float32 `help:"of the election, or chosen for the question"`
	Beside      float32 `help:"next to that zone"`
	Picked      float32 `help:"mining zone picked so far"`
	Arrived     float32 `help:"pieces moved in this turn / 4"`
}

// societyNumbers are level and type of a zone.
type societyNumbers struct {
	Level  [maxLevel]float32 `axes:"level" help:"Society Level one-hot from 1"`
	Height float32           `help:"Society Level / 5"`
	Mining float32           `help:"mining zone"`
	Energy float32           `help:"energy zone"`
}

// pieceNumbers are what stands in a zone of a type.
type pieceNumbers struct {
	Raw         [maxPeople]float32   `axes:"least" help:"raw workers: at least 1 to 4"`
	Mfg         [maxPeople]float32   `axes:"least" help:"manufacturing workers: at least 1 to 4"`
	Machines    [maxMachines]float32 `axes:"least" help:"machines: at least 1 to 3"`
	Mines       float32              `help:"mining zone with raw workers"`
	Powers      float32              `help:"energy zone with raw workers"`
	MixedMining float32              `help:"mining zone with both workers"`
	MixedEnergy float32              `help:"energy zone with both workers"`
}

// tileNumbers are those of a tile.
type tileNumbers struct {
	Sector   [NumTiles]float32 `axes:"sector" help:"its sector, one-hot"`
	Rotation [3]float32        `axes:"rotation" help:"rotation, one-hot"`
	Workers  float32           `help:"places for workers / 24"`
	Machines float32           `help:"places for machines / 18"`
	Largest  float32           `help:"most places of a zone / 7"`
}

// cardNumbers are those of a sort of card.
type cardNumbers struct {
	Hand       [3]float32        `axes:"least" help:"in the own hand: at least 1 to 3"`
	Unseen     float32           `help:"in the deck and the other hands / 10"`
	Committed  float32           `help:"committed by the observer"`
	Used       float32           `help:"played by it against the catastrophe"`
	Chosen     float32           `help:"chosen or picked for the question"`
	Resolving  float32           `help:"Catastrophe card being resolved"`
	NegatesAll float32           `help:"saves all own zones from it, or negates it"`
	NegatesOne float32           `help:"saves one zone from it"`
	Core       float32           `help:"core card"`
	Initiator  float32           `help:"added to a claimant's die / 5"`
	Defender   float32           `help:"added for the defender / 5"`
	Sale       float32           `help:"cash for it / 20"`
	Unit       [numUnits]float32 `axes:"kind" help:"unit for it"`
}

// seatNumbers are those of a seat.
type seatNumbers struct {
	Plays         float32               `help:"plays"`
	Units         [numUnits]float32     `axes:"kind" help:"M, E, F / 16"`
	Goods         float32               `help:"goods / 20"`
	Cash          float32               `help:"cash / 20"`
	Purse         [24]float32           `axes:"count" help:"cash one-hot, 23 or more as one"`
	Output        [numUnits]float32     `axes:"kind" help:"M, E, F of a turn with mixed machines on raw units / 16"`
	Need          float32               `help:"maintenance / 20"`
	Points        float32               `help:"points if all zones counted in the storm / 100"`
	Zones         float32               `help:"zones / 12"`
	Levels        [maxLevel + 1]float32 `axes:"height" help:"its zones by Society Level / 12"`
	Hand          float32               `help:"cards in hand / 12"`
	Known         [NumTitles]float32    `axes:"card" help:"City cards that all have seen in its hand"`
	Announced     float32               `help:"announced total / 14"`
	AnnouncedSize float32               `help:"its number of cards / 12"`
	Drawn         float32               `help:"cards drawn since / 8"`
	Elections     float32               `help:"elections / 4"`
	Offers        float32               `help:"offers / 4"`
	Moves         float32               `help:"moves / 20"`
	Expended      float32               `help:"goods expended / 20"`
	Finished      float32               `help:"production over"`
	Reopened      float32               `help:"reopened"`
	Active        float32               `help:"its step"`
	Claimant      float32               `help:"claimant"`
	Defender      float32               `help:"defender"`
	Partner       float32               `help:"offered to"`
	Place         float32               `help:"place in order from 1 / 4"`
}

// clockNumbers are those of the time that is left.
type clockNumbers struct {
	Turn float32 `help:"turn / 36"`
	Left float32 `help:"turns left / 36"`
	Deck float32 `help:"cards in the deck / 96"`
}

// questionNumbers are what the question counts.
type questionNumbers struct {
	Running   float32             `help:"running number / 100"`
	Assigned  float32             `help:"machines assigned in mining zones / 16"`
	Placing   float32             `help:"machines to be placed / 4"`
	Claimants [maxPlayers]float32 `axes:"least" help:"claimants: at least 1 to 4"`
	Contested float32             `help:"contested election"`
}

// offerNumbers are the terms of an offer.
type offerNumbers struct {
	Give      [numKinds]float32 `axes:"kind" help:"given M, E, F, goods, cash / 15"`
	Want      [numKinds]float32 `axes:"kind" help:"wanted M, E, F, goods, cash / 15"`
	GiveTerms float32           `help:"terms of giving / 3"`
	WantTerms float32           `help:"terms of wanting / 3"`
}

// amountNumbers are sums and differences of what the observer owns, makes and needs.
type amountNumbers struct {
	Surplus float32           `help:"goods less maintenance / 20"`
	Unspent float32           `help:"goods less those expended / 20"`
	Mixed   [2]float32        `axes:"type" help:"machines of mixed mining and energy zones / 16"`
	Income  float32           `help:"income / 20"`
	Buys    float32           `help:"goods that the stock can buy / 20"`
	Next    [numPlans]float32 `axes:"plan" help:"goods that stock and output can buy in the next turn, as it is and after a machine, four machines, a plant / 20"`
	Raises  float32           `help:"goods that raise all zones by a level / 20"`
	Full    float32           `help:"share of the places for workers and machines that is taken"`
	Commit  float32           `help:"committed cash / 20"`
	Hand    [13]float32       `axes:"count" help:"cards in hand, one-hot, 12 or more as one"`
}

// The purchases after which goods are looked ahead for.
const (
	planNone = iota
	planMachine
	planBulk
	planPlant
	numPlans
)

var planLots = [numPlans]int{planMachine: lotMachine, planBulk: lotBulk, planPlant: lotPlant}

// optionNumbers follow from the options.
type optionNumbers struct {
	Free      float32 `help:"free set-up"`
	Bulk      float32 `help:"bulk lot"`
	Announce  float32 `help:"announced totals"`
	Offers    float32 `help:"offers / 4"`
	MoveLimit float32 `help:"move limit / 200"`
}

// The least numbers of the one-hots that begin below 0.
const (
	leastSurplus = -16
	leastUnspent = -8
)

// features are those of the observation.
func features() ([]env.Feature, error) {
	return form.Features[observation](form.Axes{
		"zone":     ids(allZones),
		"tile":     tileNames[:],
		"card":     cardNames[:],
		"level":    form.Numerals(1, maxLevel),
		"height":   form.Numerals(0, maxLevel),
		"least":    form.Numerals(1, maxPeople),
		"sector":   form.Numerals(0, NumTiles-1),
		"rotation": form.Numerals(0, 2),
		"type":     {"mining", "energy"},
		"kind":     kindNames[:],
		"piece":    unitNames[:],
		"decision": decisionNames,
		"phase":    {"set-up", "catastrophes", "production", "income", "consumption", "elections", "leader", "over"},
		"count":    form.Numerals(0, 47),
		"surplus":  form.Numerals(leastSurplus, leastSurplus+47),
		"unspent":  form.Numerals(leastUnspent, leastUnspent+47),
		"plan":     {"as it is", "machine", "bulk", "plant"},
		"players":  form.Numerals(2, maxPlayers),
		"storm":    stormNames[drawStorm:],
	})
}

// objects are what actions point at.
func objects() []env.Objects {
	return []env.Objects{
		{Name: "zone", Count: NumZones, Features: []string{"zones"}},
		{Name: "tile", Count: NumTiles, Features: []string{"tiles"}},
		{Name: "card", Count: NumCards, Features: []string{"cards"}},
		{Name: "seat", Count: maxPlayers, Features: []string{"seats"}},
	}
}
