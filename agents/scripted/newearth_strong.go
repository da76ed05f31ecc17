package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/newearth"
)

// newEarthStrong plans: it grows until its land is full or the end is near, then buys goods for levels; it
// bids by what zones are worth, joins, defends unpredictably, and spends everything on the last turn.
type newEarthStrong struct {
	newEarthTable
	weights *newEarthWeights
	ranking ranking
}

// newEarthWeights are what a seat weighs by.
type newEarthWeights struct {
	Climb   float64 `low:"0" high:"12" help:"turns before the last from which every zone is raised, however much land is free"`
	Full    float64 `low:"0" high:"2" help:"share of the own land's places that are used from which every zone is raised earlier"`
	Reserve float64 `low:"0" high:"2" help:"cash kept for the next production turn, in m for each good that the levels take"`
	Purse   float64 `low:"0" high:"20" help:"cash kept beside that"`
	Caution float64 `low:"0" high:"20" help:"goods above the levels that are to be had next turn before anything else is bought"`
	Bid     float64 `low:"1" high:"20" help:"cash that wins a zone, its value and the defence left out"`
	Defence float64 `low:"0" high:"20" help:"cash that a defender is thought to commit at most"`
	Settle  float64 `low:"0" high:"20" help:"cash that must be left after a zone without level is won, beside what its winner pays"`
	Strain  float64 `low:"0" high:"10" help:"goods that the levels take for each unit of manufacturing from which no zone is added"`
	Join    float64 `low:"0" high:"40" help:"cash to spare from which elections of others are joined"`
	Prize   float64 `low:"0" high:"40" help:"worth of a zone from which they are"`
	Shield  float64 `low:"0" high:"5" help:"how much the zone that the leader guards counts, against the zones that it reaches"`
	Stake   float64 `low:"0" high:"20" help:"pieces hit by a catastrophe from which a card is played against it"`
	Profit  float64 `low:"0.5" high:"5" help:"what an offer must bring for each unit of worth that it takes"`
}

func newEarthWeightsOf(env.Game) any {
	return &newEarthWeights{
		Climb: 3, Full: 0.85, Reserve: 0.4, Purse: 3, Caution: 3, Bid: 6, Defence: 3, Settle: 0, Strain: 3, Join: 10, Prize: 7,
		Shield: 1, Stake: 3, Profit: 1.3,
	}
}

func newNewEarthStrong(g env.Game, weights any) policy {
	return &newEarthStrong{newEarthTable: newNewEarthTable(g), weights: weights.(*newEarthWeights)}
}

// Choose takes what it scores highest.
func (b *newEarthStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.rank(state, legal, nil)
	return b.ranking.best
}

func (b *newEarthStrong) rank(state env.State, legal env.Mask, dst []float64) {
	b.look(state, legal)
	b.ranking.begin(legal, dst)
	s := b.state
	switch s.Node() {
	case newearth.AtSetupClaim, newearth.AtSetupMine, newearth.AtSetupPlant, newearth.AtSetupLeader, newearth.AtCatZone, newearth.AtNegateZone,
		newearth.AtPlantZone, newearth.AtShortage, newearth.AtCityZone, newearth.AtFortifyZone, newearth.AtElectWide, newearth.AtMoveTo:
		for set := b.zones(); set != 0; set = set.Rest() {
			b.ranking.put(newearth.PickZone(set.First()), b.zoneWorth(set.First()))
		}
	default:
		b.ranking.put(b.answer(), 1)
	}
}

// zoneWorth knows one question more.
func (b *newEarthStrong) zoneWorth(z newearth.Zone) float64 {
	if b.state.Node() == newearth.AtMoveTo {
		return b.shelters(z)
	}
	return b.newEarthTable.zoneWorth(z)
}

// answer decides question by question.
func (b *newEarthStrong) answer() env.Action {
	s := b.state
	switch s.Node() {
	case newearth.AtReceive:
		return newearth.No // one card in six is a catastrophe
	case newearth.AtProduce:
		return b.produce()
	case newearth.AtDevelop:
		return b.develop()
	case newearth.AtElect:
		return b.elect()
	case newearth.AtJoin:
		if float64(b.spare()) >= b.weights.Join && b.targetWorth(s.Target()) >= b.weights.Prize {
			return b.legal(newearth.Yes, newearth.No)
		}
		return newearth.No
	case newearth.AtCommitAmount:
		return b.commit()
	case newearth.AtCommitCard:
		return b.commitCard(s.Owner(s.Target()) == b.me)
	case newearth.AtNegate:
		return b.negate()
	case newearth.AtCatPurge:
		if s.HandSize(b.me) < 6 {
			return newearth.Done
		}
		return newearth.Play(newearth.TransportLinks)
	case newearth.AtOfferReply:
		return b.reply()
	case newearth.AtLeader:
		return b.lead(b.weights.Shield)
	case newearth.AtMovePick:
		return b.shelter()
	}
	return b.shared()
}

// left is the number of turns after this one.
func (b *newEarthStrong) left() int { return b.game.Turns() - b.state.Turn() }

// full is the share of the own land's places that is used.
func (b *newEarthStrong) full() float64 {
	used, places := 0.0, 0.0
	for own := b.state.Owned(b.me); own != 0; own = own.Rest() {
		z := own.First()
		used += b.units(z)
		places += float64(b.game.People(z) + b.game.MachineLimit(z))
	}
	return used / places
}

// climbing says whether the time has come to raise every zone: levels cost goods every turn, and only the
// last one scores.
func (b *newEarthStrong) climbing() bool {
	return float64(b.left()) <= b.weights.Climb || b.full() >= b.weights.Full
}

// reserve is the cash that the next production turn takes, as income comes after it.
func (b *newEarthStrong) reserve() int {
	if b.state.LastTurn() {
		return 0
	}
	return int(b.weights.Reserve*float64(b.state.Need(b.me)) + b.weights.Purse)
}

// spare is the cash above the reserve.
func (b *newEarthStrong) spare() int { return b.state.Has(b.me, newearth.Cash) - b.reserve() }

// goodsWanted is the goods for this turn's levels and raises.
func (b *newEarthStrong) goodsWanted() (maintenance, all int) {
	s := b.state
	maintenance = s.Need(b.me)
	raises := 0
	for own := s.Owned(b.me) &^ s.Affected(); own != 0; own = own.Rest() {
		switch level := s.Level(own.First()); {
		case level == 0:
			maintenance++
		case level < 5 && b.climbing():
			raises++
		}
	}
	if !s.LastTurn() {
		raises += 2
	}
	return maintenance, maintenance + raises
}

// produce buys goods for the levels, then what makes more of everything, or scores.
func (b *newEarthStrong) produce() env.Action {
	s := b.state
	goods := s.Has(b.me, newearth.Goods)
	maintenance, wanted := b.goodsWanted()
	if short := wanted - goods; short > 0 {
		if a := b.buyGoods(short, goods < maintenance); a >= 0 {
			return a
		}
	}
	chart := &b.game.Data().Chart
	if s.Turn() >= 3 && b.left() > 1 && b.mask.Has(newearth.Plant) && b.wantsPlant() && b.affords(chart.Plant) {
		return newearth.Plant
	}
	if b.left() > 0 && b.mask.Has(newearth.Bulk) && b.affords(chart.Bulk) {
		return newearth.Bulk
	}
	if a, ok := b.placement(); ok && b.affords(chart.Machine) {
		return a
	}
	if b.left() <= 1 && b.mask.Has(newearth.Plant) {
		return newearth.Plant
	}
	return newearth.Done
}

// affords says whether a lot leaves what the next turn's goods will take beside the output to come.
func (b *newEarthStrong) affords(lot newearth.Lot) bool {
	s := b.state
	if s.LastTurn() {
		return true
	}
	made, goods := s.Output(b.me), b.game.Data().Chart.Goods10
	need := s.Need(b.me)
	short := max(0, need+int(b.weights.Caution)-max(0, s.Has(b.me, newearth.Goods)-need))
	for k, cost := range [...][2]int{{lot.Mining, goods.Mining}, {lot.Energy, goods.Energy}, {lot.Manufacturing, goods.Manufacturing}} {
		if s.Has(b.me, newearth.Kind(k))-cost[0]+int(made[k]) < (short*cost[1]+9)/10 {
			return false
		}
	}
	return true
}

// canMake is the goods that the next production turn can be trusted to buy.
func (b *newEarthStrong) canMake() int {
	s, made := b.state, b.state.Output(b.me)
	goods := b.game.Data().Chart.Goods10
	most := 1e9
	mixed := s.MixedMachines(b.me, s.Owned(b.me))
	for k, price := range [...]int{goods.Mining, goods.Energy, goods.Manufacturing} {
		units := float64(s.Has(b.me, newearth.Kind(k))) + 0.85*float64(made[k])
		if newearth.Kind(k) == newearth.Manufacturing {
			units += float64(mixed) / 2
		}
		if price > 0 {
			most = min(most, units/float64(price))
		}
	}
	return int(10 * most)
}

// buyGoods buys a lot of goods, by a card for what is missing if the goods are needed at once.
func (b *newEarthStrong) buyGoods(short int, urgent bool) env.Action {
	switch {
	case short > 5 && b.mask.Has(newearth.Goods10):
		return newearth.Goods10
	case b.mask.Has(newearth.Goods5):
		return newearth.Goods5
	case !urgent:
		return -1
	}
	s := b.state
	price := [...]int{newearth.Mining: 2, newearth.Energy: 1, newearth.Manufacturing: 1}
	for kind, n := range price {
		if s.Has(b.me, newearth.Kind(kind)) >= n {
			continue
		}
		c, ok := b.bestCard(newearth.TradeIn, func(c newearth.Card) float64 {
			if unit, _ := b.game.UnitOf(c); unit != newearth.Kind(kind) {
				return -10
			}
			return -b.keep(c)
		})
		if unit, _ := b.game.UnitOf(max(c, 0)); ok && unit == newearth.Kind(kind) {
			return newearth.TradeIn(c)
		}
		return -1
	}
	if c, ok := b.bestCard(newearth.Sell, func(c newearth.Card) float64 { return -b.keep(c) }); ok && s.Has(b.me, newearth.Cash) < 2 {
		return newearth.Sell(c)
	}
	return -1
}

// wantsPlant says whether manufacturing is scarce and no plant has room for another worker.
func (b *newEarthStrong) wantsPlant() bool {
	s := b.state
	if s.Owned(b.me)&s.Plants()&s.Room()&^s.Affected() != 0 {
		return false
	}
	r := b.ratios()
	return r[newearth.Manufacturing] <= min(r[newearth.Mining], r[newearth.Energy])+0.5
}

// develop founds and fortifies cities, and raises zones when it is time.
func (b *newEarthStrong) develop() env.Action {
	s := b.state
	for _, a := range [...]env.Action{newearth.City, newearth.Play(newearth.TechnologyResearch), newearth.Play(newearth.StormDefence)} {
		if b.mask.Has(a) {
			return a
		}
	}
	if s.LastTurn() {
		return b.raiseForPoints()
	}
	z, _ := b.bestZone(func(z newearth.Zone) float64 { return b.worth(z)/10 - float64(s.Level(z)) })
	if z == newearth.NoZone {
		return newearth.Done
	}
	if s.Level(z) == 0 {
		return newearth.PickZone(z)
	}
	// What could not be kept up next turn is not raised.
	sustained := s.Has(b.me, newearth.Goods) + b.canMake() - s.Need(b.me)
	if b.climbing() && b.mask.Has(newearth.RaiseAll) && sustained >= 2*s.Owned(b.me).Count() {
		return newearth.RaiseAll
	}
	if sustained < 2 {
		return newearth.Done
	}
	// What is above the goods expended would be lost.
	if b.climbing() || s.Has(b.me, newearth.Goods) > s.Expended(b.me)+1 {
		return newearth.PickZone(z)
	}
	return newearth.Done
}

// raiseForPoints takes the raises with most points, or makes all levels equal if the bonus is worth more.
func (b *newEarthStrong) raiseForPoints() env.Action {
	s, d := b.state, b.game.Data()
	own, goods := s.Owned(b.me), s.Has(b.me, newearth.Goods)
	if b.balance(own, goods) {
		low := 5
		high := 0
		for rest := own; rest != 0; rest = rest.Rest() {
			low, high = min(low, s.Level(rest.First())), max(high, s.Level(rest.First()))
		}
		if low == high {
			return newearth.Done
		}
		z, _ := b.bestZone(func(z newearth.Zone) float64 { return -float64(s.Level(z)) })
		return newearth.PickZone(z)
	}
	z, _ := b.bestZone(func(z newearth.Zone) float64 {
		level := s.Level(z)
		gain := float64(d.Levels.Points[level+1] - d.Levels.Points[level])
		if s.Cities().Has(z) {
			gain *= 1.4 // it counts in storms in which other zones don't
		}
		return gain
	})
	if z == newearth.NoZone {
		return newearth.Done
	}
	return newearth.PickZone(z)
}

// balance says whether all own zones can stand at the highest own level, and the bonus for that is worth
// more than the raises that it costs.
func (b *newEarthStrong) balance(own newearth.Zones, goods int) bool {
	s, d := b.state, b.game.Data()
	high := 0
	for rest := own; rest != 0; rest = rest.Rest() {
		high = max(high, s.Level(rest.First()))
	}
	short := 0
	for rest := own; rest != 0; rest = rest.Rest() {
		switch z := rest.First(); s.Level(z) {
		case high:
		case high - 1:
			if !b.mask.Has(newearth.PickZone(z)) {
				return false
			}
			short++
		default:
			return false
		}
	}
	if short > goods {
		return false
	}
	if high == 5 || short == 0 && goods == 0 {
		return true
	}
	// The goods that are left could raise other zones instead.
	spent := min(goods-short, own.Count()-short)
	return spent*(d.Levels.Points[high+1]-d.Levels.Points[high]) <= d.Points.Balanced || spent == own.Count()
}

// price is what an election in a zone is likely to take, infrastructure left out.
func (b *newEarthStrong) price(z newearth.Zone) int {
	s := b.state
	owner := s.Owner(z)
	if owner < 0 {
		return int(b.weights.Bid)
	}
	return int(b.weights.Bid) + s.Level(z) + min(s.Has(owner, newearth.Cash), int(b.weights.Defence))
}

// elect starts the election in the zone worth most for which there is cash.
func (b *newEarthStrong) elect() env.Action {
	s := b.state
	spare := b.spare()
	z, worth := b.bestZone(func(z newearth.Zone) float64 {
		cost := b.price(z)
		if s.Level(z) == 0 {
			if s.Has(b.me, newearth.Goods) < 2 || b.stretched() && s.Count(z, newearth.Maker) == 0 {
				return math.Inf(-1)
			}
			cost += b.game.Data().Election.Cash + int(b.weights.Settle)
		}
		if least := 4; spare < cost && !(s.Owner(z) < 0 && spare >= least+3) {
			return math.Inf(-1)
		}
		return b.targetWorth(z)
	})
	if z == newearth.NoZone || math.IsInf(worth, -1) {
		return newearth.Done
	}
	return newearth.PickZone(z)
}

// stretched says whether another zone would take more goods than manufacturing can make, with something
// left to grow. Two units of manufacturing make ten goods.
func (b *newEarthStrong) stretched() bool {
	s := b.state
	makers := s.Output(b.me)[newearth.Manufacturing] + int32(s.MixedMachines(b.me, s.Owned(b.me)))
	return b.left() > 1 && s.Need(b.me) >= int(b.weights.Strain*float64(makers))
}

// commit bids what the zone takes, and defends by an unpredictable sum.
func (b *newEarthStrong) commit() env.Action {
	s := b.state
	least, most := s.CommitRange(b.me)
	z := s.Target()
	if s.Owner(z) == b.me {
		bids := [...]int{0, 2, 3, 4, 5, 6}
		return b.amount(min(most, bids[b.luck.Below(len(bids))]))
	}
	if most < least {
		return b.legal(newearth.Amount(0))
	}
	bid := b.price(z)
	switch {
	case s.LastTurn():
		bid += 3
	case s.Participants() > 1:
		bid += 1 + b.luck.Below(3)
	}
	if s.Owner(z) < 0 && s.Participants() == 1 {
		bid = min(bid, 6)
	}
	if !s.LastTurn() {
		most = min(most, max(b.spare(), least))
	}
	return b.amount(max(least, min(most, bid)))
}

// negate spares the card where little is hit.
func (b *newEarthStrong) negate() env.Action {
	s := b.state
	stake := 0.0
	for hit := s.Hit() & s.Owned(b.me); hit != 0; hit = hit.Rest() {
		stake += b.units(hit.First())
		if s.Catastrophe() == newearth.Independence {
			stake += 3
		}
	}
	switch s.Catastrophe() {
	case newearth.StockLossMining, newearth.StockLossEnergy, newearth.StockLossManufacturing:
		stake = float64(s.Has(b.me, newearth.Mining+newearth.Kind(s.Catastrophe()-newearth.StockLossMining)))
	}
	if stake < b.weights.Stake {
		return newearth.No
	}
	return b.newEarthTable.negate()
}

// reply accepts offers that bring clearly more than they take.
func (b *newEarthStrong) reply() env.Action {
	price := [...]float64{newearth.Mining: 1, newearth.Energy: 1.2, newearth.Manufacturing: 1.8, newearth.Goods: 0.9, newearth.Cash: 0.8}
	gain, loss := 0.0, 0.0
	for k, n := range b.state.Offered() {
		if n > 0 {
			gain += price[k] * float64(n)
		} else {
			loss -= price[k] * float64(n)
		}
	}
	if gain > b.weights.Profit*loss {
		return newearth.Yes
	}
	return newearth.No
}

// shelters is how much better a zone weathers the storm.
func (b *newEarthStrong) shelters(z newearth.Zone) float64 {
	switch s := b.state; {
	case s.Forts().Has(z):
		return 2
	case s.Cities().Has(z):
		return 1
	}
	return 0
}

// shelter moves machines into cities before the storm.
func (b *newEarthStrong) shelter() env.Action {
	s := b.state
	if !s.LastTurn() {
		return newearth.Done
	}
	for z := range newearth.Zone(newearth.NumZones) {
		if !b.mask.Has(newearth.Place(newearth.Machine, z)) {
			continue
		}
		for near := s.Near(z) & s.Owned(b.me) & s.Bays() &^ s.Affected(); near != 0; near = near.Rest() {
			if b.shelters(near.First()) > b.shelters(z) {
				return newearth.Place(newearth.Machine, z)
			}
		}
	}
	return newearth.Done
}
