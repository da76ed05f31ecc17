package newearth

import (
	"math/bits"

	"earthgym/env"
)

// Where the features stand in an observation. The planes of zones come first: one number for each zone, so
// that a set of zones is written by its set bits. TestFeatures holds this against features.
const (
	plane = NumZones

	atOwn          = 0
	atOut          = atOwn + maxPlayers*plane
	atLevel        = atOut + plane
	atType         = atLevel + maxLevel*plane
	atRaw          = atType + 2*plane
	atMakers       = atRaw + plane
	atMachines     = atMakers + plane
	atPeopleLimit  = atMachines + plane
	atMachineLimit = atPeopleLimit + plane
	atPlant        = atMachineLimit + plane
	atCity         = atPlant + plane
	atFort         = atCity + plane
	atAffected     = atFort + plane
	atElected      = atAffected + plane
	atConverted    = atElected + plane
	atRaised       = atConverted + plane
	atLeader       = atRaised + plane
	atReach        = atLeader + 2*plane
	atQuestion     = atReach + 2*plane
	atPicked       = atQuestion + plane
	atArrived      = atPicked + plane
	atSector       = atArrived + plane
	atRotation     = atSector + NumTiles*NumTiles
	atHoldings     = atRotation + NumTiles*3
	atSeat         = atHoldings + maxPlayers*int(numKinds)
	atKnown        = atSeat + maxPlayers*seatNumbers
	atHand         = atKnown + maxPlayers*NumTitles
	atUnseen       = atHand + NumCards
	atOutput       = atUnseen + NumCards
	atCommit       = atOutput + int(numUnits) + 1
	atCommitCards  = atCommit + 1
	atNumbers      = atCommitCards + NumTitles
	atTitles       = atNumbers + 3
	atPiece        = atTitles + NumTitles
	atCatastrophe  = atPiece + int(numPieces)
	atUsed         = atCatastrophe + numCatastrophes
	atOffer        = atUsed + NumTitles
	atPartner      = atOffer + 2*int(numKinds) + 2
	atNode         = atPartner + maxPlayers
	atPhase        = atNode + int(numNodes)
	atActing       = atPhase + phaseOver + 1
	atTurn         = atActing + 1
	atDeck         = atTurn + 2
	atPlayers      = atDeck + 1
	atOptions      = atPlayers + maxPlayers - 1
	atStorm        = atOptions + 5
	numFeatures    = atStorm + int(numStorms) - 1
)

// The numbers of a seat beside what it owns.
const (
	seatHand = iota
	seatZones
	seatNeed
	seatAnnounced
	seatAnnouncedSize
	seatDrawn
	seatElections
	seatOffers
	seatMoves
	seatExpended
	seatFinished
	seatReopened
	seatActive
	seatClaimant
	seatDefender
	seatPlace
	seatNumbers
)

// scaleOf is what each kind is divided by; more than that looks the same.
var (
	scaleOf  = [numKinds]int32{16, 16, 16, 40, 60}
	perScale = [numKinds]float32{1. / 16, 1. / 16, 1. / 16, 1. / 40, 1. / 60}
)

// features is the same for every configuration.
func features() []env.Feature {
	zones := func(name, help string) env.Feature {
		return env.Feature{Name: name, Shape: []int{plane}, High: 1, Help: help}
	}
	planes := func(name string, n int, help string) env.Feature {
		return env.Feature{Name: name, Shape: []int{n, plane}, High: 1, Help: help}
	}
	list := func(name string, n int, help string) env.Feature {
		return env.Feature{Name: name, Shape: []int{n}, High: 1, Help: help}
	}
	table := func(name string, rows, n int, help string) env.Feature {
		return env.Feature{Name: name, Shape: []int{rows, n}, High: 1, Help: help}
	}
	return []env.Feature{
		planes("own", maxPlayers, "the zones of each seat, clockwise from the observer"),
		zones("out", "zones out of play"),
		planes("level", maxLevel, "zones at Society Level 1, 2, 3, 4, 5"),
		planes("type", 2, "mining zones, energy zones"),
		zones("raw", "raw workers / 4"),
		zones("mfg", "manufacturing workers / 4"),
		zones("machines", "machines / 3"),
		zones("people_limit", "people limit / 4"),
		zones("machine_limit", "machine limit / 3"),
		zones("plant", "zones with a plant"),
		zones("city", "cities, fortified or not"),
		zones("fortified", "storm-fortified cities"),
		zones("affected", "zones with a catastrophe marker"),
		zones("elected", "zones that had their election this turn"),
		zones("converted", "zones that became cities this turn"),
		zones("raised", "zones raised this turn"),
		planes("leader", 2, "the observer's leader, the leaders of the others"),
		planes("reach", 2, "zones next to the observer's leader and of no higher level; zones of the observer so reached by others"),
		zones("question", "zones that the question is about: the election's, those hit, the one chosen"),
		zones("picked", "mining zones picked so far"),
		zones("arrived", "pieces moved in this turn / 4"),
		table("sector", NumTiles, NumTiles, "tile in each sector, one-hot"),
		table("rotation", NumTiles, 3, "rotation of the tile in each sector, one-hot"),
		table("holdings", maxPlayers, int(numKinds), "M, E, F / 16, goods / 40, cash / 60 of each seat, clockwise from the observer, at most 1"),
		table("seat", maxPlayers, seatNumbers, "cards in hand / 12, zones / 18, maintenance / 40, announced total / 14 and size / 12, cards drawn since / 8, elections / 4, offers / 4, moves / 20, goods expended / 40, production over, reopened, its step, claimant, defender, place in order from 1 / 4"),
		table("known", maxPlayers, NumTitles, "City cards that all have seen in the hand of each seat"),
		list("hand", NumCards, "own cards of each sort / 4"),
		list("unseen", NumCards, "cards of each sort in the deck and the other hands / 10"),
		list("output", int(numUnits)+1, "own M, E, F of a turn / 20 with mixed machines on raw units, own income / 60"),
		list("commit", 1, "own committed cash / 40"),
		list("commit_cards", NumTitles, "own committed cards"),
		list("numbers", 3, "running number / 100, machines assigned in mining zones / 16, machines to be placed / 4"),
		list("titles", NumTitles, "City cards chosen or picked for the question"),
		list("piece", int(numPieces), "piece picked up: machine, raw worker, manufacturing worker"),
		list("catastrophe", numCatastrophes, "Catastrophe card being resolved, one-hot"),
		list("used", NumTitles, "own City cards played against it"),
		list("offer", 2*int(numKinds)+2, "given and wanted M, E, F, goods, cash / 15, terms of each side / 3"),
		list("partner", maxPlayers, "who is offered to, clockwise from the observer, one-hot"),
		list("node", int(numNodes), "question asked, one-hot; of secret questions to others one stands for all"),
		list("phase", phaseOver+1, "set-up, phases 1 to 6, over, one-hot"),
		list("acting", 1, "whether the observer acts"),
		list("turn", 2, "turn / 36, turns left / 36"),
		list("deck", 1, "cards in the deck / 96"),
		list("players", maxPlayers-1, "number of players, one-hot from 2"),
		list("options", 5, "free set-up, bulk lot, announced totals, offers / 4, move limit / 200"),
		list("storm", int(numStorms)-1, "storm drawn at the end, violent, super, mega"),
	}
}

// rows are what observations are made of: the constant part, and small numbers as fractions.
type rows struct {
	base     [numFeatures]float32
	quarters [8]float32
	thirds   [8]float32
}

func (r *rows) fill(g *Game) {
	for i := range r.quarters {
		r.quarters[i], r.thirds[i] = min(float32(i)/maxPeople, 1), min(float32(i)/maxMachines, 1)
	}
	for z := range g.people {
		r.base[atPeopleLimit+z] = r.quarters[g.people[z]]
		r.base[atMachineLimit+z] = r.thirds[g.machines[z]]
	}
	r.base[atPlayers+g.players-2] = 1
	o := r.base[atOptions:]
	for i, on := range []bool{g.free, g.bulk, g.announce} {
		if on {
			o[i] = 1
		}
	}
	o[3], o[4] = float32(g.offers)/maxOffers, float32(g.moveLimit)/maxMoveLimit
	r.base[atStorm+max(int(g.storm), 1)-1] = 1
}

// A zonePlane is a plane of zones and the numbers behind it, as bits of a set point into 64.
type zonePlane = [64]float32

// mark writes 1 for every zone of a set.
func mark(dst *zonePlane, set Zones) {
	for ; set != 0; set &= set - 1 {
		dst[bits.TrailingZeros64(uint64(set))&63] = 1
	}
}

// Observe writes what p can see.
func (s *State) Observe(dst []float32, p env.Player) {
	o := (*[numFeatures]float32)(dst)
	*o = s.game.rows.base
	s.observeZones(o, p)
	s.observeSeats(o, p)
	s.observeOwn(o, p)
	s.observeQuestion(o, p)
}

func (s *State) observeZones(o *[numFeatures]float32, p env.Player) {
	at := func(i int) *zonePlane { return (*zonePlane)(o[i:]) }
	n := s.game.players
	for i := range n {
		q := int(p) + i
		if q >= n {
			q -= n
		}
		mark(at(atOwn+i*plane), s.owned[q&3])
	}
	mark(at(atOut), allZones&^s.inPlay)
	for level := 1; level <= maxLevel; level++ {
		mark(at(atLevel+(level-1)*plane), s.level[level])
	}
	mark(at(atType), s.mining)
	mark(at(atType+plane), s.energy)
	raw, makers, machines := at(atRaw), at(atMakers), at(atMachines)
	rows := &s.game.rows
	for set := s.stocked; set != 0; set &= set - 1 {
		z := bits.TrailingZeros64(uint64(set)) & 63
		if z < NumZones {
			raw[z] = rows.quarters[s.raw[z]&7]
			makers[z] = rows.quarters[s.makers[z]&7]
			machines[z] = rows.thirds[s.machines[z]&7]
		}
	}
	mark(at(atPlant), s.plants)
	mark(at(atCity), s.cities)
	mark(at(atFort), s.forts)
	mark(at(atAffected), s.affected)
	mark(at(atElected), s.elected)
	mark(at(atConverted), s.converted)
	mark(at(atRaised), s.raised)
	s.observeLeaders(o, p)
	question := s.hit
	if s.target != NoZone {
		question |= only(s.target)
	}
	if s.chosenZone != NoZone {
		question |= only(s.chosenZone)
	}
	mark(at(atQuestion), question)
	mark(at(atPicked), s.pickedZones)
	for set := s.arrivals; set != 0; set = set.Rest() {
		z := set.First()
		o[atArrived+int(z)] = rows.quarters[min(s.arrived[z][0]+s.arrived[z][1]+s.arrived[z][2], maxPeople)]
	}
	for k, place := range s.sectors {
		o[atSector+k*NumTiles+int(place.tile)] = 1
		o[atRotation+k*3+int(place.rotation)] = 1
	}
}

// observeLeaders is for the leaders, and the zones that they threaten.
func (s *State) observeLeaders(o *[numFeatures]float32, p env.Player) {
	at := func(i int) *zonePlane { return (*zonePlane)(o[i:]) }
	var own, others, threatened Zones
	for q := range env.Player(s.game.players) {
		z := s.seats[q].leader
		switch {
		case z == NoZone:
		case q == p:
			own = only(z)
			mark(at(atReach), s.inReach(p)&^s.owned[p])
		default:
			others |= only(z)
			threatened |= s.inReach(q)
		}
	}
	mark(at(atLeader), own)
	mark(at(atLeader+plane), others)
	mark(at(atReach+plane), threatened&s.owned[p]&^s.leaders)
}

func (s *State) observeSeats(o *[numFeatures]float32, p env.Player) {
	n := s.game.players
	order := &s.order
	if s.turn == 0 {
		order = &s.setupOrder
	}
	active := s.activeSeenBy(p)
	claimants := s.participants()
	for i := range n {
		q := (int(p) + i) % n
		seat := &s.seats[q]
		holdings := o[atHoldings+i*int(numKinds) : atHoldings+(i+1)*int(numKinds)]
		for k := range holdings {
			holdings[k] = float32(min(seat.has[k], scaleOf[k])) * perScale[k]
		}
		d := (*[seatNumbers]float32)(o[atSeat+i*seatNumbers:])
		d[seatHand] = part(s.handSize(env.Player(q)), 12)
		d[seatZones] = part(s.owned[q].Count(), 18)
		d[seatNeed] = part(int(s.need(env.Player(q))), 40)
		if i == 0 || s.game.announce {
			d[seatAnnounced] = part(int(seat.announced), 14)
		}
		d[seatAnnouncedSize] = part(int(seat.announcedSize), 12)
		d[seatDrawn] = part(int(seat.drawn), 8)
		d[seatElections] = part(int(seat.electionsUsed), 4)
		d[seatOffers] = float32(seat.offersUsed) / maxOffers
		d[seatMoves] = part(int(seat.movesUsed), 20)
		d[seatExpended] = part(int(seat.expended), 40)
		d[seatFinished] = number(seat.finished)
		d[seatReopened] = number(seat.reopened)
		d[seatActive] = number(active == env.Player(q))
		d[seatClaimant] = number(claimants.has(env.Player(q)))
		d[seatDefender] = number(int(s.defender) == q)
		d[seatPlace] = float32(order.place(env.Player(q))+1) / maxPlayers
		markCards(o[atKnown+i*NumTitles:], seat.known)
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
func (s *State) observeOwn(o *[numFeatures]float32, p env.Player) {
	seat := &s.seats[p]
	for set := s.held[p]; set != 0; set = set.Rest() {
		c := set.First()
		o[atHand+int(c)] = s.game.rows.quarters[min(seat.hand[c], maxPeople)]
	}
	sorts := NumCards
	if s.turn == 0 {
		sorts = NumTitles // the Catastrophe cards lie apart
	}
	for c := range sorts {
		k := s.game.printed[c] - seat.hand[c] - s.discard[c] - int8(seat.commitCards>>c&1)
		o[atUnseen+c] = part(int(k), 10)
	}
	markCards(o[atCommitCards:], seat.commitCards)
	if seat.commitCash > 0 {
		o[atCommit] = part(int(seat.commitCash), 40)
	}
	if s.turn > 0 {
		made := s.Output(p)
		for k, n := range made {
			o[atOutput+k] = part(int(n), 20)
		}
		o[atOutput+int(numUnits)] = part(int(s.Income(p)), 60)
	}
	markCards(o[atUsed:], s.used[p])
	if p == env.Player(s.seat) {
		o[atNumbers] = part(int(s.running), 100)
		o[atActing] = 1
	}
}

// observeQuestion is what is being asked, as far as p sees it, and what is on the table for it.
func (s *State) observeQuestion(o *[numFeatures]float32, p env.Player) {
	o[atNumbers+1] = part(int(s.assigned), 16)
	o[atNumbers+2] = float32(s.placing) / bulkSize
	titles := s.pickedCards
	if s.chosenCard != NoCard {
		titles |= 1 << s.chosenCard
	}
	markCards(o[atTitles:], titles)
	if s.chosenUnit != noUnit {
		o[atPiece+int(s.chosenUnit)] = 1
	}
	if s.catastrophe != NoCard {
		o[atCatastrophe+int(s.catastrophe-CivilDisorder)] = 1
	}
	if f := &s.offer; f.partner >= 0 {
		for k := range numKinds {
			o[atOffer+int(k)] = part(int(f.give[k]), 15)
			o[atOffer+int(numKinds+k)] = part(int(f.want[k]), 15)
		}
		o[atOffer+2*int(numKinds)] = float32(f.giveTerms) / maxTerms
		o[atOffer+2*int(numKinds)+1] = float32(f.wantTerms) / maxTerms
		o[atPartner+(int(f.partner)-int(p)+s.game.players)%s.game.players] = 1
	}
	o[atNode+int(s.nodeSeenBy(p))] = 1
	o[atPhase+int(s.phase)] = 1
	o[atTurn] = float32(s.turn) / maxTurns
	o[atTurn+1] = float32(s.game.turns-int(s.turn)) / maxTurns
	o[atDeck] = part(int(s.decked), 96)
}
