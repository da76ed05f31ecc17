package newearth

import (
	"math"
	"strconv"

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

	Acting    float32                 `scope:"own" help:"whether the observer acts"`
	Decision  [numDecisions]float32   `axes:"decision" scope:"own" help:"question asked, one-hot; of secret questions to others one stands for all"`
	Phase     [phaseOver + 1]float32  `axes:"phase" help:"set-up, phases 1 to 6, over, one-hot"`
	Clock     clockNumbers            `help:"time"`
	TurnsLeft [13]float32             `axes:"count" help:"turns left, one-hot, 12 or more as one"`
	Question  questionNumbers         `scope:"own" help:"of the question"`
	InHand    zoneNumbers             `scope:"own" high:"10" help:"the zone that the question is about, if it is one"`
	Piece     [numPieces]float32      `axes:"piece" help:"piece picked up: machine, raw worker, manufacturing worker"`
	Left      [amountStep + 1]float32 `axes:"count" scope:"own" help:"greatest number that can still be named, one-hot, 20 or more as one"`
	Least     [amountStep + 1]float32 `axes:"count" scope:"own" help:"least number that can still be named, one-hot, 20 or more as one"`
	Offer     offerNumbers            `help:"the running offer"`

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
	Owner       [maxPlayers]float32  `axes:"seat" help:"owner by seat"`
	Out         float32              `help:"out of play"`
	Neutral     float32              `help:"in play and nobody's"`
	Level       [maxLevel]float32    `axes:"level" help:"Society Level one-hot from 1"`
	Height      float32              `help:"Society Level / 5"`
	Mining      float32              `help:"mining zone"`
	Energy      float32              `help:"energy zone"`
	Raw         [maxPeople]float32   `axes:"least" help:"raw workers: at least 1 to 4"`
	Mfg         [maxPeople]float32   `axes:"least" help:"manufacturing workers: at least 1 to 4"`
	Machines    [maxMachines]float32 `axes:"least" help:"machines: at least 1 to 3"`
	Mines       float32              `help:"mining zone with raw workers"`
	Powers      float32              `help:"energy zone with raw workers"`
	MixedMining float32              `help:"mining zone with both workers"`
	MixedEnergy float32              `help:"energy zone with both workers"`
	Room        float32              `help:"workers that still fit / 4"`
	Bays        float32              `help:"machines that still fit / 3"`
	Plant       float32              `help:"plant"`
	City        float32              `help:"city, fortified or not"`
	Fortified   float32              `help:"storm-fortified city"`
	Affected    float32              `help:"catastrophe marker"`
	Elected     float32              `help:"had its election this turn"`
	Converted   float32              `help:"became a city this turn"`
	Raised      float32              `help:"raised this turn"`
	Points      float32              `help:"points if it counts in the storm / 20"`
	Leader      float32              `help:"own leader"`
	Rival       float32              `help:"leader of another"`
	Reach       float32              `help:"in reach of the own leader"`
	Threatened  float32              `help:"own, in reach of others' leaders"`
	NearOwn     float32              `help:"of an own zone: own zones beside it / 6"`
	NearNeutral float32              `help:"of an own zone: zones of nobody / 6"`
	NearWeaker  float32              `help:"of an own zone: others' of no higher level / 6"`
	NearRivals  float32              `help:"of an own zone: others' / 6"`
	RivalCash   float32              `help:"of another's zone: its owner's cash / 20"`
	Hit         float32              `help:"struck by the catastrophe and not saved"`
	Chosen      float32              `help:"of the election, or chosen for the question"`
	Beside      float32              `help:"next to that zone"`
	Picked      float32              `help:"mining zone picked so far"`
	Arrived     float32              `help:"pieces moved in this turn / 4"`
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
	counted := func(from, to int) (words []string) {
		for k := from; k <= to; k++ {
			words = append(words, strconv.Itoa(k))
		}
		return words
	}
	var zones []string
	for z := range Zone(NumZones) {
		zones = append(zones, z.String())
	}
	return form.Features[observation](form.Axes{
		"zone":     zones,
		"tile":     tileNames[:],
		"card":     cardNames[:],
		"level":    counted(1, maxLevel),
		"height":   counted(0, maxLevel),
		"least":    counted(1, maxPeople),
		"sector":   counted(0, NumTiles-1),
		"rotation": counted(0, 2),
		"type":     {"mining", "energy"},
		"kind":     kindNames[:],
		"piece":    unitNames[:],
		"decision": decisionNames(),
		"phase":    {"set-up", "catastrophes", "production", "income", "consumption", "elections", "leader", "over"},
		"count":    counted(0, 47),
		"surplus":  counted(leastSurplus, leastSurplus+47),
		"unspent":  counted(leastUnspent, leastUnspent+47),
		"plan":     {"as it is", "machine", "bulk", "plant"},
		"players":  counted(2, maxPlayers),
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

// goodsFor is how many goods holdings buy, in tens and parts of them / 2; below 0 if something is lacking.
func (g *Game) goodsFor(has *holdings) float32 {
	tens := float32(math.Inf(1))
	for k, price := range g.lots[lotGoods10] {
		if price > 0 {
			tens = min(tens, float32(has[k])/float32(price))
		}
	}
	return max(min(tens/2, 10), -10)
}

// newBase is the part of observations that is the same all through a game.
func newBase(g *Game) []float32 {
	base := make([]float32, g.info.Observation())
	o := form.Observation[observation](base)
	for z := range g.people {
		people, machines := int(g.people[z]), int(g.machines[z])
		o.Zones[z].Room, o.Zones[z].Bays = part(people, maxPeople), part(machines, maxMachines)
		tile := &o.Tiles[z/tileZones]
		tile.Workers += part(people, maxPeople*tileZones)
		tile.Machines += part(machines, maxMachines*tileZones)
		tile.Largest = max(tile.Largest, part(people+machines, maxPeople+maxMachines))
	}
	for c := range g.data.CityCards {
		row := &o.Cards[c]
		row.Core = number(g.cores.Has(Card(c)))
		row.Initiator, row.Defender = float32(g.initiator[c])/5, float32(g.defending[c])/5
		row.Sale = scaled(g.sale[c], 20, 5)
		if g.tradable.Has(Card(c)) {
			row.Unit[g.unit[c]] = 1
		}
	}
	o.Players[g.players-2] = 1
	o.Options = optionNumbers{
		Free: number(g.free), Bulk: number(g.bulk), Announce: number(g.announce),
		Offers: float32(g.offers) / maxOffers, MoveLimit: float32(g.moveLimit) / maxMoveLimit,
	}
	o.Storm[max(g.storm, drawStorm)-drawStorm] = 1
	return base
}

// part is n as a part of most; more than that looks the same.
func part(n, most int) float32 { return float32(min(n, most)) * (1 / float32(most)) }

// scaled is n in a unit, from -most to most.
func scaled(n, unit, most int32) float32 {
	return float32(max(min(n, most*unit), -most*unit)) * (1 / float32(unit))
}

// number is 1 for true.
func number(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

// hot writes 1 at a number's place; the first and the last place stand for what is beyond them.
func hot(dst []float32, n int) { dst[max(0, min(n, len(dst)-1))] = 1 }

// atLeast writes 1 for each number up to n, from 1 on.
func atLeast(dst []float32, n int8) {
	for i := range min(int(n), len(dst)) {
		dst[i] = 1
	}
}

// Observe writes what p can see.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	copy(dst, s.game.base)
	s.observeZones(o, p)
	s.observeBoard(o)
	s.observeSeats(o, p)
	s.observeCards(o, p)
	s.observeQuestion(o, p)
	if p == env.Player(s.seat) {
		s.observeActing(o, p)
	}
	s.observeOwn(o, p)
}

// clockwise is where a seat stands in what p sees.
func (s *State) clockwise(p env.Player, q int8) int {
	i := int(q) - int(p)
	if i < 0 {
		i += s.game.players
	}
	return i
}

// observeZones writes what is the same for all zones of the board, and then what is of owned ones.
func (s *State) observeZones(o *observation, p env.Player) {
	zones := &o.Zones
	for z := range (allZones &^ s.inPlay).Each {
		zones[z].Out = 1
	}
	for z := range (s.inPlay &^ s.claimed()).Each {
		zones[z].Neutral = 1
	}
	for level := 1; level <= maxLevel; level++ {
		height := float32(level) / maxLevel
		for z := range s.level[level].Each {
			zones[z].Level[level-1] = 1
			zones[z].Height = height
		}
	}
	for z := range s.mining.Each {
		zones[z].Mining = 1
	}
	for z := range s.energy.Each {
		zones[z].Energy = 1
	}
	for z := range s.stocked.Each {
		s.observePieces(&zones[z], z)
	}
	for z := range s.plants.Each {
		zones[z].Plant = 1
	}
	for z := range s.cities.Each {
		zones[z].City = 1
	}
	for z := range s.forts.Each {
		zones[z].Fortified = 1
	}
	for z := range s.affected.Each {
		zones[z].Affected = 1
	}
	for z := range s.elected.Each {
		zones[z].Elected = 1
	}
	for z := range s.converted.Each {
		zones[z].Converted = 1
	}
	for z := range s.raised.Each {
		zones[z].Raised = 1
	}
	for z := range s.hit.Each {
		zones[z].Hit = 1
	}
	for z := range s.pickedZones.Each {
		zones[z].Picked = 1
	}
	for z := range s.arrivals.Each {
		zones[z].Arrived = part(int(s.arrived[z][0]+s.arrived[z][1]+s.arrived[z][2]), maxPeople)
	}
	s.observeLeaders(o, p)
	s.observeLand(o, p)
	s.observeInHand(o)
}

// observePieces writes the pieces of a zone, and what they make there.
func (s *State) observePieces(row *zoneNumbers, z Zone) {
	raw, makers, machines := s.raw[z], s.makers[z], s.machines[z]
	atLeast(row.Raw[:], raw)
	atLeast(row.Mfg[:], makers)
	atLeast(row.Machines[:], machines)
	row.Room = float32(s.game.people[z]-raw-makers) * (1. / maxPeople)
	row.Bays = float32(s.game.machines[z]-machines) * (1. / maxMachines)
	if raw > 0 {
		row.Mines, row.Powers = row.Mining, row.Energy
		if makers > 0 {
			row.MixedMining, row.MixedEnergy = row.Mining, row.Energy
		}
	}
}

// observeLeaders is for the leaders, and the zones that they threaten.
func (s *State) observeLeaders(o *observation, p env.Player) {
	var threatened Zones
	for q := range env.Player(s.game.players) {
		z := s.seats[q].leader
		switch {
		case z == NoZone:
		case q == p:
			o.Zones[z].Leader = 1
			for near := range (s.inReach(p) &^ s.owned[p]).Each {
				o.Zones[near].Reach = 1
			}
		default:
			o.Zones[z].Rival = 1
			threatened |= s.inReach(q)
		}
	}
	for z := range (threatened & s.owned[p] &^ s.leaders).Each {
		o.Zones[z].Threatened = 1
	}
}

// observeLand writes what follows from owners: what zones score and hold, and for the observer's own what lies beside
// them.
func (s *State) observeLand(o *observation, p env.Player) {
	g := s.game
	for i, q := 0, int(p); i < g.players; i, q = i+1, q+1 {
		if q == g.players {
			q = 0
		}
		seat := &o.Seats[i&3]
		points, cash := int32(0), scaled(s.seats[q&3].has[Cash], 20, 10)
		for z := range s.owned[q&3].Each {
			row, value := &o.Zones[z], s.ZoneValue(z)
			row.Owner[i&3] = 1
			points += value
			row.Points = scaled(value, 20, 10)
			if i > 0 {
				row.RivalCash = cash
			}
		}
		if s.balanced(env.Player(q)) {
			points += int32(g.data.Points.Balanced)
		}
		if s.hasMostZones(env.Player(q)) {
			points += int32(g.data.Points.MostZones)
		}
		seat.Points = scaled(points, 100, 10)
	}
	own, claimed := s.owned[p], s.claimed()
	var upTo Zones
	for level := range s.level {
		upTo |= s.level[level]
		for z := range (own & s.level[level]).Each {
			row, near := &o.Zones[z], s.near[z]
			row.NearOwn = float32((near & own).Count()) * (1. / 6)
			row.NearNeutral = float32((near &^ claimed).Count()) * (1. / 6)
			row.NearRivals = float32((near & claimed &^ own).Count()) * (1. / 6)
			row.NearWeaker = float32((near & claimed &^ own & upTo).Count()) * (1. / 6)
		}
	}
}

// observeInHand is for the zone that the question is about, if it is one alone.
func (s *State) observeInHand(o *observation) {
	z := s.target
	if z == NoZone {
		z = s.chosenZone
	}
	if z != NoZone {
		o.Zones[z].Chosen = 1
		for near := range s.near[z].Each {
			o.Zones[near].Beside = 1
		}
	} else if s.hit != 0 && s.hit.Rest() == 0 {
		z = s.hit.First()
	}
	if z != NoZone {
		o.InHand = o.Zones[z]
	}
}

// observeBoard writes how the tiles lie.
func (s *State) observeBoard(o *observation) {
	for k, place := range s.sectors {
		o.Tiles[place.tile].Sector[k] = 1
		o.Tiles[place.tile].Rotation[place.rotation] = 1
	}
}

func (s *State) observeSeats(o *observation, p env.Player) {
	n := s.game.players
	for i, q := 0, int(p); i < n; i, q = i+1, q+1 {
		if q == n {
			q = 0
		}
		s.observeSeat(&o.Seats[i&3], env.Player(q))
		if i == 0 || s.game.announce {
			o.Seats[i&3].Announced = part(int(s.seats[q&3].announced), 14)
		}
	}
	order := &s.order
	if s.turn == 0 {
		order = &s.setupOrder
	}
	for i, q := range order.slice() {
		o.Seats[s.clockwise(p, q)].Place = float32(i+1) / maxPlayers
	}
	if active := s.activeSeenBy(p); active >= 0 {
		o.Seats[s.clockwise(p, int8(active))].Active = 1
	}
	if s.target != NoZone {
		claimants := s.participants()
		for _, q := range claimants.slice() {
			o.Seats[s.clockwise(p, q)].Claimant = 1
		}
		atLeast(o.Question.Claimants[:], claimants.n)
		if s.defender >= 0 {
			o.Seats[s.clockwise(p, s.defender)].Defender = 1
		}
	}
}

// observeSeat writes what all see of a seat.
func (s *State) observeSeat(row *seatNumbers, q env.Player) {
	seat := &s.seats[q]
	row.Plays = 1
	made := s.Output(q)
	for k := range numUnits {
		row.Units[k] = scaled(seat.has[k], 16, 10)
		row.Output[k] = scaled(made[k], 16, 10)
	}
	row.Goods = scaled(seat.has[Goods], 20, 10)
	row.Cash = scaled(seat.has[Cash], 20, 10)
	hot(row.Purse[:], int(seat.has[Cash]))
	row.Need = scaled(s.need(q), 20, 10)
	row.Zones = float32(s.owned[q].Count()) * (1. / 12)
	for level := range row.Levels {
		row.Levels[level] = float32((s.owned[q] & s.level[level]).Count()) * (1. / 12)
	}
	row.Hand = part(s.handSize(q), 12)
	markCards(row.Known[:], seat.known)
	row.AnnouncedSize = part(int(seat.announcedSize), 12)
	row.Drawn = part(int(seat.drawn), 8)
	row.Elections = part(int(seat.electionsUsed), 4)
	row.Offers = float32(seat.offersUsed) / maxOffers
	row.Moves = part(int(seat.movesUsed), 20)
	row.Expended = scaled(seat.expended, 20, 10)
	row.Finished = number(seat.finished)
	row.Reopened = number(seat.reopened)
}

// markCards writes 1 for every sort of a set.
func markCards(dst []float32, set Cards) {
	for ; set != 0; set = set.Rest() {
		dst[set.First()] = 1
	}
}

// observeCards writes what p knows of the cards.
func (s *State) observeCards(o *observation, p env.Player) {
	g, seat, cards := s.game, &s.seats[p], &o.Cards
	for set := s.held[p]; set != 0; set = set.Rest() {
		c := set.First()
		atLeast(cards[c].Hand[:], seat.hand[c])
	}
	sorts := NumCards
	if s.turn == 0 {
		sorts = NumTitles // the Catastrophe cards lie apart
	}
	for c := range sorts {
		k := g.printed[c] - seat.hand[c] - s.discard[c] - int8(seat.commitCards>>c&1)
		cards[c].Unseen = part(int(k), 10)
	}
	for set := seat.commitCards; set != 0; set = set.Rest() {
		cards[set.First()].Committed = 1
	}
	for set := s.used[p]; set != 0; set = set.Rest() {
		cards[set.First()].Used = 1
	}
	titles := s.pickedCards
	if s.chosenCard != NoCard {
		titles |= 1 << s.chosenCard
	}
	for set := titles; set != 0; set = set.Rest() {
		cards[set.First()].Chosen = 1
	}
	if s.catastrophe == NoCard {
		return
	}
	cards[s.catastrophe].Resolving = 1
	for set := g.negatesAll[s.catastrophe-CivilDisorder]; set != 0; set = set.Rest() {
		cards[set.First()].NegatesAll = 1
	}
	for set := g.negatesOne[s.catastrophe-CivilDisorder]; set != 0; set = set.Rest() {
		cards[set.First()].NegatesOne = 1
	}
}

// observeQuestion is what is being asked, as far as p sees it, and what is on the table for it.
func (s *State) observeQuestion(o *observation, p env.Player) {
	o.Question.Assigned = part(int(s.assigned), 16)
	o.Question.Placing = float32(s.placing) / bulkSize
	if s.chosenUnit != noUnit {
		o.Piece[s.chosenUnit] = 1
	}
	if f := &s.offer; f.partner >= 0 {
		for k := range numKinds {
			o.Offer.Give[k] = part(int(f.give[k]), 15)
			o.Offer.Want[k] = part(int(f.want[k]), 15)
		}
		o.Offer.GiveTerms = float32(f.giveTerms) / maxTerms
		o.Offer.WantTerms = float32(f.wantTerms) / maxTerms
		o.Seats[s.clockwise(p, f.partner)].Partner = 1
	}
	o.Decision[s.decisionSeenBy(p)] = 1
	o.Phase[s.phase] = 1
	left := s.game.turns - int(s.turn)
	o.Clock = clockNumbers{Turn: float32(s.turn) / maxTurns, Left: float32(left) / maxTurns, Deck: part(int(s.decked), 96)}
	hot(o.TurnsLeft[:], left)
}

// observeActing is what only the one who is asked sees of its question: the numbers that it can name.
func (s *State) observeActing(o *observation, p env.Player) {
	o.Acting = 1
	o.Question.Running = part(int(s.running), 100)
	o.Question.Contested = number(s.contested)
	least, most := int32(0), int32(0)
	switch s.decision {
	case AtCommitAmount:
		least, most = s.bidRange(p)
	case AtIndepAmount:
		most = s.seats[p].has[Cash]
	case AtAssignMining:
		most = s.mixedMachines(p, s.mining)
	case AtAssignEnergy:
		most = s.mixedMachines(p, s.energy)
	default:
		return
	}
	hot(o.Least[:], int(least-s.running))
	hot(o.Left[:], int(most-s.running))
}

// observeOwn is for what the observer owns, makes and needs.
func (s *State) observeOwn(o *observation, p env.Player) {
	g, has := s.game, &s.seats[p].has
	for k := range numUnits {
		hot(o.Stock[k][:], int(has[k]))
	}
	goods, need, expended := int(has[Goods]), int(s.need(p)), int(s.seats[p].expended)
	hot(o.Goods[:], goods)
	hot(o.Cash[:], int(has[Cash]))
	hot(o.Need[:], need)
	hot(o.Surplus[:], goods-need-leastSurplus)
	hot(o.Unspent[:], goods-expended-leastUnspent)
	a := &o.Amounts
	a.Surplus = scaled(int32(goods-need), 20, 10)
	a.Unspent = scaled(int32(goods-expended), 20, 10)
	a.Commit = scaled(max(s.seats[p].commitCash, 0), 20, 10)
	hot(a.Hand[:], s.handSize(p))
	if s.turn == 0 {
		return
	}
	made := s.Output(p)
	for k, n := range made {
		hot(o.Output[k][:], int(n))
	}
	for i, of := range [2]Zones{s.mining, s.energy} {
		mixed := s.mixedMachines(p, of)
		hot(o.Mixed[i][:], int(mixed))
		a.Mixed[i] = scaled(mixed, 16, 10)
	}
	a.Income = scaled(s.Income(p), 20, 10)
	a.Raises = scaled(s.priceOf(s.sound(p)&^s.level[maxLevel]), 20, 10)
	used, places := int8(0), int8(0)
	for z := range s.owned[p].Each {
		used += s.raw[z] + s.makers[z] + s.machines[z]
		places += g.people[z] + g.machines[z]
	}
	a.Full = float32(used) / float32(max(places, 1))
	a.Buys = g.goodsFor(has)
	coming := holdings{made[Mining], made[Energy], made[Manufacturing], 0, s.Income(p)}
	for plan, lot := range planLots {
		left := *has
		left.receive(&coming)
		if plan != planNone {
			left.pay(&g.lots[lot])
		}
		a.Next[plan] = g.goodsFor(&left)
	}
}
