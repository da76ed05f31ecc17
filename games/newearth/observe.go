package newearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// Writing what a seat sees into the layout of observation.go.

// observeGoods writes how many goods holdings buy, now and with what is coming after each plan, in tens and parts of
// them / 2; below 0 if something is lacking.
func (g *Game) observeGoods(a *amountNumbers, has, coming *holdings) {
	tens, next := float32(20), [numPlans]float32{20, 20, 20, 20}
	for k, price := range &g.lots[lotGoods10] {
		if price <= 0 {
			continue
		}
		n, each := has[k], float32(price)
		tens = min(tens, float32(n)/each)
		n += coming[k]
		next[planNone] = min(next[planNone], float32(n)/each)
		for plan := planNone + 1; plan < numPlans; plan++ {
			next[plan] = min(next[plan], float32(n-g.lots[planLots[plan]][k])/each)
		}
	}
	a.Buys = max(tens/2, -10)
	for plan, tens := range next {
		a.Next[plan] = max(tens/2, -10)
	}
}

// newBase is the part of observations that is the same all through a game.
func newBase(g *Game) []float32 {
	base := make([]float32, g.info.Observation())
	o := form.Observation[observation](base)
	for z := range g.people {
		people, machines := int(g.people[z]), int(g.machines[z])
		o.Zones[z].Room, o.Zones[z].Bays = form.Part(people, maxPeople), form.Part(machines, maxMachines)
		tile := &o.Tiles[z/tileZones]
		tile.Workers += form.Part(people, maxPeople*tileZones)
		tile.Machines += form.Part(machines, maxMachines*tileZones)
		tile.Largest = max(tile.Largest, form.Part(people+machines, maxPeople+maxMachines))
	}
	for c := range g.data.CityCards {
		row := &o.Cards[c]
		row.Core = form.Bit(g.cores.Has(Card(c)))
		row.Initiator, row.Defender = float32(g.initiator[c])/5, float32(g.defending[c])/5
		row.Sale = form.Scaled(g.sale[c], 20, 5)
		if g.tradable.Has(Card(c)) {
			row.Unit[g.unit[c]] = 1
		}
	}
	o.Players[g.players-2] = 1
	o.Options = optionNumbers{
		Free: form.Bit(g.free), Bulk: form.Bit(g.bulk), Announce: form.Bit(g.announce),
		Offers: float32(g.offers) / maxOffers, MoveLimit: float32(g.moveLimit) / maxMoveLimit,
	}
	o.Storm[max(g.storm, drawStorm)-drawStorm] = 1
	return base
}

// zoneRows are parts of the rows of zones, to be copied.
type zoneRows struct {
	society [maxLevel + 1][len(typeNames)]societyNumbers // level, type
	// type, raw and manufacturing workers, machines
	pieces [len(typeNames)][maxPeople + 1][maxPeople + 1][maxMachines + 1]pieceNumbers
}

func newZoneRows() *zoneRows {
	r := new(zoneRows)
	for level := range r.society {
		for kind := range r.society[level] {
			row := &r.society[level][kind]
			if level > 0 {
				row.Level[level-1] = 1
			}
			row.Height = float32(level) / maxLevel
			row.Mining, row.Energy = form.Bit(typeNames[kind] == "mining"), form.Bit(typeNames[kind] == "energy")
		}
	}
	for kind := range r.pieces {
		for raw := range r.pieces[kind] {
			for makers := range r.pieces[kind][raw] {
				for machines := range r.pieces[kind][raw][makers] {
					row, mining, energy := &r.pieces[kind][raw][makers][machines], r.society[0][kind].Mining, r.society[0][kind].Energy
					form.UpTo(row.Raw[:], raw)
					form.UpTo(row.Mfg[:], makers)
					form.UpTo(row.Machines[:], machines)
					if raw > 0 {
						row.Mines, row.Powers = mining, energy
					}
					if raw > 0 && makers > 0 {
						row.MixedMining, row.MixedEnergy = mining, energy
					}
				}
			}
		}
	}
	return r
}

// Observe writes what p can see.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	copy(dst, s.game.base)
	s.observeZones(o, p)
	s.observeBoard(o)
	made := s.observeSeats(o, p)
	s.observeCards(o, p)
	s.observeQuestion(o, p)
	if p == env.Player(s.seat) {
		s.observeActing(o, p)
	}
	s.observeOwn(o, p, &made)
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
	for set := allZones &^ s.inPlay; set != 0; set = set.Rest() {
		zones[set.First()].Out = 1
	}
	for set := s.inPlay &^ s.Claimed(); set != 0; set = set.Rest() {
		zones[set.First()].Neutral = 1
	}
	for set := allZones&^s.level[0] | s.mining | s.energy | s.stocked; set != 0; set = set.Rest() {
		z := set.First()
		s.observeZone(&zones[z], z)
	}
	for set := s.plants; set != 0; set = set.Rest() {
		zones[set.First()].Plant = 1
	}
	for set := s.cities; set != 0; set = set.Rest() {
		zones[set.First()].City = 1
	}
	for set := s.forts; set != 0; set = set.Rest() {
		zones[set.First()].Fortified = 1
	}
	for set := s.affected; set != 0; set = set.Rest() {
		zones[set.First()].Affected = 1
	}
	for set := s.elected; set != 0; set = set.Rest() {
		zones[set.First()].Elected = 1
	}
	for set := s.converted; set != 0; set = set.Rest() {
		zones[set.First()].Converted = 1
	}
	for set := s.raised; set != 0; set = set.Rest() {
		zones[set.First()].Raised = 1
	}
	for set := s.hit; set != 0; set = set.Rest() {
		zones[set.First()].Hit = 1
	}
	for set := s.pickedZones; set != 0; set = set.Rest() {
		zones[set.First()].Picked = 1
	}
	for set := s.arrivals; set != 0; set = set.Rest() {
		z := set.First()
		zones[z].Arrived = form.Part(s.arrived[z][0]+s.arrived[z][1]+s.arrived[z][2], maxPeople)
	}
	s.observeLeaders(o, p)
	s.observeLand(o, p)
	s.observeInHand(o)
}

// observeZone writes level, type and pieces of a zone, and what they make there.
func (s *State) observeZone(row *zoneNumbers, z Zone) {
	g, kind := s.game, s.typeOf(z)
	row.societyNumbers = g.zoneRows.society[s.sl[z]][kind]
	raw, makers, machines := s.raw[z], s.makers[z], s.machines[z]
	row.pieceNumbers = g.zoneRows.pieces[kind][raw][makers][machines]
	row.Room = float32(g.people[z]-raw-makers) * (1. / maxPeople)
	row.Bays = float32(g.machines[z]-machines) * (1. / maxMachines)
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
			for set := s.InReach(p) &^ s.owned[p]; set != 0; set = set.Rest() {
				o.Zones[set.First()].Reach = 1
			}
		default:
			o.Zones[z].Rival = 1
			threatened |= s.InReach(q)
		}
	}
	for set := threatened & s.owned[p] &^ s.leaders; set != 0; set = set.Rest() {
		o.Zones[set.First()].Threatened = 1
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
		points, cash := int32(0), form.Scaled(s.seats[q&3].has[Cash], 20, 10)
		for set := s.owned[q&3]; set != 0; set = set.Rest() {
			z := set.First()
			row, value := &o.Zones[z], s.ZoneValue(z)
			row.Owner[i&3] = 1
			points += value
			row.Points = form.Scaled(value, 20, 10)
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
		seat.Points = form.Scaled(points, 100, 10)
	}
	own, claimed := s.owned[p], s.Claimed()
	var upTo Zones
	for level := range s.level {
		upTo |= s.level[level]
		for set := own & s.level[level]; set != 0; set = set.Rest() {
			z := set.First()
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
		for set := s.near[z]; set != 0; set = set.Rest() {
			o.Zones[set.First()].Beside = 1
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

// observeSeats writes what all see of the seats; it returns what the observer makes.
func (s *State) observeSeats(o *observation, p env.Player) (made [numUnits]int32) {
	n := s.game.players
	for i, q := 0, int(p); i < n; i, q = i+1, q+1 {
		if q == n {
			q = 0
		}
		output := s.Output(env.Player(q))
		if i == 0 {
			made = output
		}
		s.observeSeat(&o.Seats[i&3], env.Player(q), &output)
		if i == 0 || s.game.announce {
			o.Seats[i&3].Announced = form.Part(s.seats[q&3].announced, 14)
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
		form.UpTo(o.Question.Claimants[:], claimants.n)
		if s.defender >= 0 {
			o.Seats[s.clockwise(p, s.defender)].Defender = 1
		}
	}
	return made
}

// observeSeat writes what all see of a seat, which makes so much.
func (s *State) observeSeat(row *seatNumbers, q env.Player, made *[numUnits]int32) {
	seat := &s.seats[q]
	row.Plays = 1
	for k := range numUnits {
		row.Units[k] = form.Scaled(seat.has[k], 16, 10)
		row.Output[k] = form.Scaled(made[k], 16, 10)
	}
	row.Goods = form.Scaled(seat.has[Goods], 20, 10)
	row.Cash = form.Scaled(seat.has[Cash], 20, 10)
	form.Count(row.Purse[:], seat.has[Cash])
	row.Zones = float32(s.owned[q].Count()) * (1. / 12)
	need := int32(0)
	for level := range row.Levels {
		n := (s.owned[q] & s.level[level]).Count()
		row.Levels[level] = float32(n) * (1. / 12)
		need += s.game.upkeep[level] * int32(n)
	}
	row.Need = form.Scaled(need, 20, 10)
	row.Hand = form.Part(s.HandSize(q), 12)
	form.Ones(row.Known[:], seat.known)
	row.AnnouncedSize = form.Part(seat.announcedSize, 12)
	row.Drawn = form.Part(seat.drawn, 8)
	row.Elections = form.Part(seat.electionsUsed, 4)
	row.Offers = float32(seat.offersUsed) / maxOffers
	row.Moves = form.Part(seat.movesUsed, 20)
	row.Expended = form.Scaled(seat.expended, 20, 10)
	row.Finished = form.Bit(seat.finished)
	row.Reopened = form.Bit(seat.reopened)
}

// observeCards writes what p knows of the cards.
func (s *State) observeCards(o *observation, p env.Player) {
	g, seat, cards := s.game, &s.seats[p], &o.Cards
	for set := s.held[p]; set != 0; set = set.Rest() {
		c := set.First()
		form.UpTo(cards[c].Hand[:], seat.hand[c])
	}
	sorts := NumCards
	if s.turn == 0 {
		sorts = NumTitles // the Catastrophe cards lie apart
	}
	for c := range sorts {
		cards[c].Unseen = form.Part(g.printed[c]-seat.hand[c]-s.discard[c], 10)
	}
	for set := seat.commitCards; set != 0; set = set.Rest() {
		c := set.First()
		cards[c].Committed = 1
		cards[c].Unseen = form.Part(g.printed[c]-seat.hand[c]-s.discard[c]-1, 10)
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
	o.Question.Assigned = form.Part(s.assigned, 16)
	o.Question.Placing = float32(s.placing) / bulkSize
	form.One(o.Piece[:], s.chosenUnit)
	if f := &s.offer; f.partner >= 0 {
		for k := range numKinds {
			o.Offer.Give[k] = form.Part(f.give[k], 15)
			o.Offer.Want[k] = form.Part(f.want[k], 15)
		}
		o.Offer.GiveTerms = float32(f.giveTerms) / maxTerms
		o.Offer.WantTerms = float32(f.wantTerms) / maxTerms
		o.Seats[s.clockwise(p, f.partner)].Partner = 1
	}
	o.Decision[s.decisionSeenBy(p)] = 1
	o.Phase[s.phase] = 1
	left := s.game.turns - int(s.turn)
	o.Clock = clockNumbers{Turn: float32(s.turn) / maxTurns, Left: float32(left) / maxTurns, Deck: form.Part(s.decked, 96)}
	form.Count(o.TurnsLeft[:], left)
}

// observeActing is what only the one who is asked sees of its question: the numbers that it can name.
func (s *State) observeActing(o *observation, p env.Player) {
	o.Acting = 1
	o.Question.Running = form.Part(s.running, 100)
	o.Question.Contested = form.Bit(s.contested)
	if least, most, asked := s.numberRange(p); asked {
		form.Count(o.Least[:], least-s.running)
		form.Count(o.Left[:], most-s.running)
	}
}

// observeOwn is for what the observer owns, makes and needs.
func (s *State) observeOwn(o *observation, p env.Player, made *[numUnits]int32) {
	g, has := s.game, &s.seats[p].has
	for k := range numUnits {
		form.Count(o.Stock[k][:], has[k])
	}
	goods, need, expended := int(has[Goods]), int(s.need(p)), int(s.seats[p].expended)
	form.Count(o.Goods[:], goods)
	form.Count(o.Cash[:], has[Cash])
	form.Count(o.Need[:], need)
	form.Count(o.Surplus[:], goods-need-leastSurplus)
	form.Count(o.Unspent[:], goods-expended-leastUnspent)
	a := &o.Amounts
	a.Surplus = form.Scaled(goods-need, 20, 10)
	a.Unspent = form.Scaled(goods-expended, 20, 10)
	a.Commit = form.Scaled(max(s.seats[p].commitCash, 0), 20, 10)
	form.Count(a.Hand[:], s.HandSize(p))
	if s.turn == 0 {
		return
	}
	for k, n := range made {
		form.Count(o.Output[k][:], n)
	}
	for i, of := range [2]Zones{s.mining, s.energy} {
		mixed := s.mixedMachines(p, of)
		form.Count(o.Mixed[i][:], mixed)
		a.Mixed[i] = form.Scaled(mixed, 16, 10)
	}
	income := s.Income(p)
	a.Income = form.Scaled(income, 20, 10)
	a.Raises = form.Scaled(s.priceOf(s.sound(p)&^s.level[maxLevel]), 20, 10)
	used, places := int8(0), int8(0)
	for set := s.owned[p]; set != 0; set = set.Rest() {
		z := set.First()
		used += s.raw[z] + s.makers[z] + s.machines[z]
		places += g.people[z] + g.machines[z]
	}
	a.Full = float32(used) / float32(max(places, 1))
	g.observeGoods(a, has, &holdings{made[Mining], made[Energy], made[Manufacturing], 0, income})
}
