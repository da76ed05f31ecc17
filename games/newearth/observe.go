package newearth

import (
	"math/bits"
	"slices"
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The observation: what a seat sees, its own seat first and the others clockwise. The zones come first, as planes
// of a number for each, so that a set of zones is written by its set bits.

// perZone is a plane.
type perZone [NumZones]float32

// observation declares the layout, which is the same for every configuration, and takes the numbers.
type observation struct {
	Own          [maxPlayers]perZone `axes:"seat,zone" help:"by seat: its zones"`
	Out          perZone             `axes:"zone" help:"zones out of play"`
	Level        [maxLevel]perZone   `axes:"level,zone" help:"zones at Society Level 1, 2, 3, 4, 5"`
	Type         [2]perZone          `axes:"type,zone" help:"mining zones, energy zones"`
	Raw          perZone             `axes:"zone" help:"raw workers / 4"`
	Mfg          perZone             `axes:"zone" help:"manufacturing workers / 4"`
	Machines     perZone             `axes:"zone" help:"machines / 3"`
	PeopleLimit  perZone             `axes:"zone" help:"people limit / 4"`
	MachineLimit perZone             `axes:"zone" help:"machine limit / 3"`
	Plant        perZone             `axes:"zone" help:"zones with a plant"`
	City         perZone             `axes:"zone" help:"cities, fortified or not"`
	Fortified    perZone             `axes:"zone" help:"storm-fortified cities"`
	Affected     perZone             `axes:"zone" help:"zones with a catastrophe marker"`
	Elected      perZone             `axes:"zone" help:"zones that had their election this turn"`
	Converted    perZone             `axes:"zone" help:"zones that became cities this turn"`
	Raised       perZone             `axes:"zone" help:"zones raised this turn"`
	Leader       [2]perZone          `axes:"whose,zone" scope:"own" help:"the observer's leader, the leaders of the others"`
	Reach        [2]perZone          `axes:"whose,zone" scope:"own" help:"zones next to the observer's leader and of no higher level; zones of the observer so reached by others"`
	Question     perZone             `axes:"zone" help:"zones that the question is about: the election's, those hit, the one chosen"`
	Picked       perZone             `axes:"zone" help:"mining zones picked so far"`
	Arrived      perZone             `axes:"zone" help:"pieces moved in this turn / 4"`

	Sector   [NumTiles][NumTiles]float32 `axes:"sector,tile" help:"tile in each sector, one-hot"`
	Rotation [NumTiles][3]float32        `axes:"sector,rotation" help:"rotation of the tile in each sector, one-hot"`

	Holdings    [maxPlayers][numKinds]float32  `axes:"seat,kind" help:"by seat: M, E, F / 16, goods / 40, cash / 60, at most 1"`
	Seat        [maxPlayers]seatNumbers        `axes:"seat" help:"by seat"`
	Known       [maxPlayers][NumTitles]float32 `axes:"seat,card" help:"by seat: City cards in its hand that all have seen"`
	Hand        [NumCards]float32              `axes:"card" scope:"own" help:"own cards of each sort / 4"`
	Unseen      [NumCards]float32              `axes:"card" scope:"own" help:"cards of each sort in the deck and the other hands / 10"`
	Output      [numUnits + 1]float32          `axes:"output" scope:"own" help:"own M, E, F of a turn / 20 with mixed machines on raw units, own income / 60"`
	Commit      float32                        `scope:"own" help:"own committed cash / 40"`
	CommitCards [NumTitles]float32             `axes:"card" scope:"own" help:"own committed cards"`

	Numbers     questionNumbers          `scope:"own" help:"of the question"`
	Titles      [NumTitles]float32       `axes:"card" help:"City cards chosen or picked for the question"`
	Piece       [numPieces]float32       `axes:"piece" help:"piece picked up: machine, raw worker, manufacturing worker"`
	Catastrophe [numCatastrophes]float32 `axes:"catastrophe" help:"Catastrophe card being resolved, one-hot"`
	Used        [NumTitles]float32       `axes:"card" scope:"own" help:"own City cards played against it"`
	Offer       offerNumbers             `help:"the running offer"`
	Partner     [maxPlayers]float32      `axes:"seat" help:"who is offered to, one-hot"`
	Node        [numNodes]float32        `axes:"node" scope:"own" help:"question asked, one-hot; of secret questions to others one stands for all"`
	Phase       [phaseOver + 1]float32   `axes:"phase" help:"set-up, phases 1 to 6, over, one-hot"`
	Acting      float32                  `scope:"own" help:"whether the observer acts"`
	Turn        [2]float32               `axes:"turn" help:"turn / 36, turns left / 36"`
	Deck        float32                  `help:"cards in the deck / 96"`
	Players     [maxPlayers - 1]float32  `axes:"players" help:"number of players, one-hot from 2"`
	Options     optionNumbers            `help:"options"`
	Storm       [numStorms - 1]float32   `axes:"storm" help:"storm drawn at the end, violent, super, mega"`
}

// seatNumbers are those of a seat beside what it owns.
type seatNumbers struct {
	Hand          float32 `help:"cards in hand / 12"`
	Zones         float32 `help:"zones / 18"`
	Need          float32 `help:"maintenance / 40"`
	Announced     float32 `help:"announced total / 14"`
	AnnouncedSize float32 `help:"its number of cards / 12"`
	Drawn         float32 `help:"cards drawn since / 8"`
	Elections     float32 `help:"elections / 4"`
	Offers        float32 `help:"offers / 4"`
	Moves         float32 `help:"moves / 20"`
	Expended      float32 `help:"goods expended / 40"`
	Finished      float32 `help:"production over"`
	Reopened      float32 `help:"reopened"`
	Active        float32 `help:"its step"`
	Claimant      float32 `help:"claimant"`
	Defender      float32 `help:"defender"`
	Place         float32 `help:"place in order from 1 / 4"`
}

// questionNumbers are what the question counts.
type questionNumbers struct {
	Running  float32 `help:"running number / 100"`
	Assigned float32 `help:"machines assigned in mining zones / 16"`
	Placing  float32 `help:"machines to be placed / 4"`
}

// offerNumbers are the terms of an offer.
type offerNumbers struct {
	Give      [numKinds]float32 `axes:"kind" help:"given M, E, F, goods, cash / 15"`
	Want      [numKinds]float32 `axes:"kind" help:"wanted M, E, F, goods, cash / 15"`
	GiveTerms float32           `help:"terms of giving / 3"`
	WantTerms float32           `help:"terms of wanting / 3"`
}

// optionNumbers follow from the options.
type optionNumbers struct {
	Free      float32 `help:"free set-up"`
	Bulk      float32 `help:"bulk lot"`
	Announce  float32 `help:"announced totals"`
	Offers    float32 `help:"offers / 4"`
	MoveLimit float32 `help:"move limit / 200"`
}

// features are those of the observation.
func features() ([]env.Feature, error) {
	var zones, sectors, rotations []string
	for z := range Zone(NumZones) {
		zones = append(zones, z.String())
	}
	for k := range NumTiles {
		sectors = append(sectors, "sector "+strconv.Itoa(k))
	}
	for r := range 3 {
		rotations = append(rotations, strconv.Itoa(r))
	}
	return form.Features[observation](form.Axes{
		"zone":        zones,
		"level":       {"1", "2", "3", "4", "5"},
		"type":        {"mining", "energy"},
		"whose":       {"own", "others"},
		"sector":      sectors,
		"tile":        tileNames[:],
		"rotation":    rotations,
		"kind":        kindNames[:],
		"card":        cardNames[:],
		"output":      append(slices.Clone(kindNames[:numUnits]), "income"),
		"piece":       unitNames[:],
		"catastrophe": cardNames[NumTitles:],
		"node":        nodeNames[:],
		"phase":       {"set-up", "catastrophes", "production", "income", "consumption", "elections", "leader", "over"},
		"turn":        {"turn", "left"},
		"players":     {"2", "3", "4"},
		"storm":       stormNames[drawStorm:],
	})
}

// scaleOf is what each kind is divided by; more than that looks the same.
var (
	scaleOf  = [numKinds]int32{16, 16, 16, 40, 60}
	perScale = [numKinds]float32{1. / 16, 1. / 16, 1. / 16, 1. / 40, 1. / 60}
)

// rows are what observations are made of: the constant part, and small numbers as fractions.
type rows struct {
	base     observation
	quarters [8]float32
	thirds   [8]float32
}

func (r *rows) fill(g *Game) {
	for i := range r.quarters {
		r.quarters[i], r.thirds[i] = min(float32(i)/maxPeople, 1), min(float32(i)/maxMachines, 1)
	}
	o := &r.base
	for z := range g.people {
		o.PeopleLimit[z] = r.quarters[g.people[z]]
		o.MachineLimit[z] = r.thirds[g.machines[z]]
	}
	o.Players[g.players-2] = 1
	o.Options = optionNumbers{
		Free: number(g.free), Bulk: number(g.bulk), Announce: number(g.announce),
		Offers: float32(g.offers) / maxOffers, MoveLimit: float32(g.moveLimit) / maxMoveLimit,
	}
	o.Storm[max(g.storm, drawStorm)-drawStorm] = 1
}

// mark writes 1 for every zone of a set.
func (plane *perZone) mark(set Zones) {
	for ; set != 0; set &= set - 1 {
		plane[bits.TrailingZeros64(uint64(set))] = 1
	}
}

// Observe writes what p can see.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	*o = s.game.rows.base
	s.observeZones(o, p)
	s.observeSeats(o, p)
	s.observeOwn(o, p)
	s.observeQuestion(o, p)
}

func (s *State) observeZones(o *observation, p env.Player) {
	n := s.game.players
	for i := range n {
		q := int(p) + i
		if q >= n {
			q -= n
		}
		o.Own[i&3].mark(s.owned[q&3])
	}
	o.Out.mark(allZones &^ s.inPlay)
	for i := range o.Level {
		o.Level[i].mark(s.level[i+1])
	}
	o.Type[0].mark(s.mining)
	o.Type[1].mark(s.energy)
	rows := &s.game.rows
	for set := s.stocked; set != 0; set &= set - 1 {
		z := bits.TrailingZeros64(uint64(set)) & 63
		if z < NumZones {
			o.Raw[z] = rows.quarters[s.raw[z]&7]
			o.Mfg[z] = rows.quarters[s.makers[z]&7]
			o.Machines[z] = rows.thirds[s.machines[z]&7]
		}
	}
	o.Plant.mark(s.plants)
	o.City.mark(s.cities)
	o.Fortified.mark(s.forts)
	o.Affected.mark(s.affected)
	o.Elected.mark(s.elected)
	o.Converted.mark(s.converted)
	o.Raised.mark(s.raised)
	s.observeLeaders(o, p)
	question := s.hit
	if s.target != NoZone {
		question |= only(s.target)
	}
	if s.chosenZone != NoZone {
		question |= only(s.chosenZone)
	}
	o.Question.mark(question)
	o.Picked.mark(s.pickedZones)
	for set := s.arrivals; set != 0; set = set.Rest() {
		z := set.First()
		o.Arrived[z] = rows.quarters[min(s.arrived[z][0]+s.arrived[z][1]+s.arrived[z][2], maxPeople)]
	}
	for k, place := range s.sectors {
		o.Sector[k][place.tile] = 1
		o.Rotation[k][place.rotation] = 1
	}
}

// observeLeaders is for the leaders, and the zones that they threaten.
func (s *State) observeLeaders(o *observation, p env.Player) {
	var own, others, threatened Zones
	for q := range env.Player(s.game.players) {
		z := s.seats[q].leader
		switch {
		case z == NoZone:
		case q == p:
			own = only(z)
			o.Reach[0].mark(s.inReach(p) &^ s.owned[p])
		default:
			others |= only(z)
			threatened |= s.inReach(q)
		}
	}
	o.Leader[0].mark(own)
	o.Leader[1].mark(others)
	o.Reach[1].mark(threatened & s.owned[p] &^ s.leaders)
}

func (s *State) observeSeats(o *observation, p env.Player) {
	n := s.game.players
	order := &s.order
	if s.turn == 0 {
		order = &s.setupOrder
	}
	for i := range n {
		q := int(p) + i
		if q >= n {
			q -= n
		}
		seat := &s.seats[q]
		for k := range numKinds {
			o.Holdings[i][k] = float32(min(seat.has[k], scaleOf[k])) * perScale[k]
		}
		row := &o.Seat[i]
		row.Hand = part(s.handSize(env.Player(q)), 12)
		row.Zones = part(s.owned[q].Count(), 18)
		row.Need = part(int(s.need(env.Player(q))), 40)
		if i == 0 || s.game.announce {
			row.Announced = part(int(seat.announced), 14)
		}
		row.AnnouncedSize = part(int(seat.announcedSize), 12)
		row.Drawn = part(int(seat.drawn), 8)
		row.Elections = part(int(seat.electionsUsed), 4)
		row.Offers = float32(seat.offersUsed) / maxOffers
		row.Moves = part(int(seat.movesUsed), 20)
		row.Expended = part(int(seat.expended), 40)
		row.Finished = number(seat.finished)
		row.Reopened = number(seat.reopened)
		markCards(o.Known[i][:], seat.known)
	}
	// Of single seats.
	row := func(q int8) *seatNumbers {
		i := int(q) - int(p)
		if i < 0 {
			i += n
		}
		return &o.Seat[i]
	}
	for i, q := range order.slice() {
		row(q).Place = float32(i+1) / maxPlayers
	}
	if active := s.activeSeenBy(p); active >= 0 {
		row(int8(active)).Active = 1
	}
	if s.target != NoZone {
		claimants := s.participants()
		for _, q := range claimants.slice() {
			row(q).Claimant = 1
		}
		if s.defender >= 0 {
			row(s.defender).Defender = 1
		}
	}
}

// part is n as a part of most; more than that looks the same.
func part(n, most int) float32 { return float32(min(n, most)) * (1 / float32(most)) }

// number is 1 for true.
func number(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

// markCards writes 1 for every sort of a set.
func markCards(dst []float32, set Cards) {
	for ; set != 0; set = set.Rest() {
		dst[set.First()] = 1
	}
}

// observeOwn is what only p sees: hand, commitment, running numbers.
func (s *State) observeOwn(o *observation, p env.Player) {
	seat := &s.seats[p]
	for set := s.held[p]; set != 0; set = set.Rest() {
		c := set.First()
		o.Hand[c] = s.game.rows.quarters[min(seat.hand[c], maxPeople)]
	}
	sorts := NumCards
	if s.turn == 0 {
		sorts = NumTitles // the Catastrophe cards lie apart
	}
	for c := range sorts {
		k := s.game.printed[c] - seat.hand[c] - s.discard[c] - int8(seat.commitCards>>c&1)
		o.Unseen[c] = part(int(k), 10)
	}
	markCards(o.CommitCards[:], seat.commitCards)
	if seat.commitCash > 0 {
		o.Commit = part(int(seat.commitCash), 40)
	}
	if s.turn > 0 {
		for k, n := range s.Output(p) {
			o.Output[k] = part(int(n), 20)
		}
		o.Output[numUnits] = part(int(s.Income(p)), 60)
	}
	markCards(o.Used[:], s.used[p])
	if p == env.Player(s.seat) {
		o.Numbers.Running = part(int(s.running), 100)
		o.Acting = 1
	}
}

// observeQuestion is what is being asked, as far as p sees it, and what is on the table for it.
func (s *State) observeQuestion(o *observation, p env.Player) {
	o.Numbers.Assigned = part(int(s.assigned), 16)
	o.Numbers.Placing = float32(s.placing) / bulkSize
	titles := s.pickedCards
	if s.chosenCard != NoCard {
		titles |= 1 << s.chosenCard
	}
	markCards(o.Titles[:], titles)
	if s.chosenUnit != noUnit {
		o.Piece[s.chosenUnit] = 1
	}
	if s.catastrophe != NoCard {
		o.Catastrophe[s.catastrophe-CivilDisorder] = 1
	}
	if f := &s.offer; f.partner >= 0 {
		for k := range numKinds {
			o.Offer.Give[k] = part(int(f.give[k]), 15)
			o.Offer.Want[k] = part(int(f.want[k]), 15)
		}
		o.Offer.GiveTerms = float32(f.giveTerms) / maxTerms
		o.Offer.WantTerms = float32(f.wantTerms) / maxTerms
		o.Partner[(int(f.partner)-int(p)+s.game.players)%s.game.players] = 1
	}
	o.Node[s.nodeSeenBy(p)] = 1
	o.Phase[s.phase] = 1
	o.Turn[0] = float32(s.turn) / maxTurns
	o.Turn[1] = float32(s.game.turns-int(s.turn)) / maxTurns
	o.Deck = part(int(s.decked), 96)
}
