package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/newearth"
)

// newEarthStrong plans the whole game.
//
// What it plays by: units make units, so that machines and workers come first, and levels, which take goods every
// turn, in the last turns only. Each raise is one good that time cannot make up for: a zone rises once a turn. Four
// machines cost little more than two. Cash and cards that are left at the end are worth nothing, and two storms in five
// count cities alone.
type newEarthStrong struct {
	newEarthTable
	ranking ranking
	seed    uint64
	counts  [3]float64 // chance that a zone counts in the storm: a plain one, a city, a fortified one
}

func newNewEarthStrong(g env.Game, weights any) policy {
	return &newEarthStrong{newEarthTable: newNewEarthTable(g, weights.(*newEarthWeights)),
		counts: newEarthStorms(g.(*newearth.Game))}
}

// newEarthStorms are the chances that a plain zone, a city and a fortified one count at the end: by the storm that was
// agreed on, or by the cards that there are, of which two are drawn.
func newEarthStorms(g *newearth.Game) [3]float64 {
	if storm, ok := g.Agreed(); ok {
		return [...][3]float64{newearth.Violent: {1, 1, 1}, newearth.Super: {0, 1, 1}, newearth.Mega: {0, 0, 1}}[storm]
	}
	var cards [3]float64 // by value
	for _, c := range g.Data().Catastrophes {
		cards[0] += float64(c.Count)
	}
	for _, c := range g.Data().CityCards {
		cards[c.Value] += float64(c.Count)
	}
	all := cards[0] + cards[1] + cards[2]
	pairs := all * (all - 1)
	super := 1 - (all-cards[0])*(all-cards[0]-1)/pairs
	mega := cards[2] * (cards[2] - 1) / pairs
	return [3]float64{1 - super - mega, 1 - mega, 1}
}

// Seed takes the seed by which it bluffs.
func (b *newEarthStrong) Seed(seed uint64) { b.seed = seed }

// bluff is a number below n that nobody can foresee, the same whenever the same question is asked.
func (b *newEarthStrong) bluff(n int) int {
	return int(env.Mix(b.seed^env.Mix(uint64(b.state.Turn())<<8|uint64(b.state.Target()))) % uint64(n))
}

// Choose takes what it scores highest.
func (b *newEarthStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.Scores(state, legal, nil)
	return b.ranking.best
}

// Scores are points, m or units, by what is asked; in the menus of production and development what is chosen has 1.
func (b *newEarthStrong) Scores(state env.State, legal env.Mask, dst []float64) {
	b.look(state, legal)
	b.ranking.begin(legal, dst)
	switch b.state.Decision() {
	case newearth.AtSetupClaim, newearth.AtSetupMine, newearth.AtSetupPlant, newearth.AtSetupLeader, newearth.AtCatZone,
		newearth.AtNegateZone,
		newearth.AtPlantZone, newearth.AtShortage, newearth.AtCityZone, newearth.AtFortifyZone, newearth.AtElectWide,
		newearth.AtMoveTo:
		for set := b.zones(); set != 0; set = set.Rest() {
			b.ranking.put(newearth.PickZone(set.First()), b.zoneWorth(set.First()))
		}
	case newearth.AtElect:
		b.elect()
	case newearth.AtLeader:
		b.march()
	case newearth.AtCatChoose:
		b.strike()
	case newearth.AtCommitAmount:
		b.number(b.commitment())
	default:
		b.ranking.put(b.answer(), 1)
	}
}

// number scores the next step to a number: the nearer, the better.
func (b *newEarthStrong) number(total int) {
	choice := b.amount(total)
	b.ranking.put(choice, 0)
	if b.ranking.all == nil {
		return
	}
	for n, a := range among[int](b.mask, newearth.Amount(0), 20) {
		if a != choice {
			b.ranking.put(a, -1-math.Abs(float64(b.state.Running()+n-total)))
		}
	}
	if a := newearth.Plus20; a != choice && b.mask.Has(a) {
		b.ranking.put(a, -20)
	}
}

// zoneWorth answers some questions about zones otherwise.
func (b *newEarthStrong) zoneWorth(z newearth.Zone) float64 {
	switch b.state.Decision() {
	case newearth.AtElectWide:
		worth, _ := b.campaign(z)
		return worth
	case newearth.AtMoveTo:
		return b.counted(z)
	}
	return b.newEarthTable.zoneWorth(z)
}

// answer decides question by question.
func (b *newEarthStrong) answer() env.Action {
	s := b.state
	switch s.Decision() {
	case newearth.AtReceive:
		return newearth.No // one card in six is a catastrophe
	case newearth.AtProduce:
		return b.produce()
	case newearth.AtDevelop:
		return b.develop()
	case newearth.AtJoin:
		return b.join()
	case newearth.AtCommitCard:
		return b.commitCard(s.Owner(s.Target()) == b.me)
	case newearth.AtNegate:
		return b.negate()
	case newearth.AtCatPurge:
		if s.HandSize(b.me) >= 6 {
			return newearth.Play(newearth.TransportLinks)
		}
		return newearth.Done
	case newearth.AtOffer:
		return b.terms()
	case newearth.AtOfferReply:
		return b.reply()
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
	for z := range b.state.Owned(b.me).Each {
		used += b.units(z)
		places += float64(b.game.People(z) + b.game.MachineLimit(z))
	}
	return used / places
}

// counted is the chance that a zone counts in the storm.
func (b *newEarthStrong) counted(z newearth.Zone) float64 {
	switch s := b.state; {
	case s.Forts().Has(z):
		return b.counts[2]
	case s.Cities().Has(z):
		return b.counts[1]
	}
	return b.counts[0]
}

// climbing says whether the time has come to raise zones: levels cost goods every turn, and only the last one scores.
func (b *newEarthStrong) climbing() bool {
	return float64(b.left()) <= b.weights.Climb || b.full() >= b.weights.Full
}

// rising are the own zones that the climb takes up: those that may count.
func (b *newEarthStrong) rising() newearth.Zones {
	if !b.climbing() {
		return 0
	}
	s := b.state
	own := s.Owned(b.me) &^ s.Affected()
	switch {
	case b.counts[1] == 0:
		return own & s.Forts()
	case b.counts[0] == 0:
		return own & s.Cities()
	}
	return own
}

// exposed are the own zones that a level more keeps from the leader of a rival with cash: no zone can be attacked from
// one of lower level. The own leader's is among them where it lacks a level for targets that the cash is there for.
func (b *newEarthStrong) exposed() newearth.Zones {
	s := b.state
	var set newearth.Zones
	for q := range b.others {
		if s.Has(q, newearth.Cash) >= b.game.Data().Election.LeastContested {
			set |= s.InReach(q)
		}
	}
	camp := s.Leader(b.me)
	set = set & s.Owned(b.me) &^ s.Affected() &^ (1 << camp)
	for own := set; own != 0; own = own.Rest() {
		if z := own.First(); b.worth(z) < b.weights.Treasure {
			set &^= 1 << z
		}
	}
	if float64(b.spare()) >= b.weights.Spear && !s.LastTurn() {
		for near := s.Near(camp) & s.Claimed() &^ s.Owned(b.me); near != 0; near = near.Rest() {
			if s.Level(near.First()) == s.Level(camp)+1 {
				set |= 1 << camp
			}
		}
	}
	return set
}

// reserve is the cash that the next production turn takes, as income comes after it.
func (b *newEarthStrong) reserve() int {
	if b.state.LastTurn() {
		return 0
	}
	return int(float64(b.weights.Reserve*float64(b.state.Need(b.me))) + b.weights.Purse)
}

// spare is the cash above the reserve.
func (b *newEarthStrong) spare() int { return b.state.Has(b.me, newearth.Cash) - b.reserve() }

// goodsWanted is the goods for this turn's levels and raises.
func (b *newEarthStrong) goodsWanted() (maintenance, all int) {
	s := b.state
	maintenance = s.Need(b.me)
	raises := 0
	rising, prices := b.rising()|b.exposed(), b.game.Data().Levels.Raise
	for own := s.Owned(b.me) &^ s.Affected(); own != 0; own = own.Rest() {
		switch level := s.Level(own.First()); {
		case level == 0:
			maintenance += prices[0]
		case level < len(prices) && rising.Has(own.First()):
			raises += prices[level]
		}
	}
	if !s.LastTurn() {
		raises += int(b.weights.Extra)
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
	if a, ok := b.offer(); ok {
		return a
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
	next := float64(need) + b.weights.Caution
	if b.left()-1 <= int(b.weights.Climb) {
		next += float64(b.weights.Ascent * 2 * float64(s.Owned(b.me).Count()))
	}
	short := max(0, int(next)-max(0, s.Has(b.me, newearth.Goods)-need))
	for k, cost := range [...][2]int{{lot.Mining, goods.Mining}, {lot.Energy, goods.Energy},
		{lot.Manufacturing, goods.Manufacturing}} {
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
		units := float64(s.Has(b.me, newearth.Kind(k))) + float64(b.weights.Trust*float64(made[k]))
		if newearth.Kind(k) == newearth.Manufacturing {
			units += float64(float64(mixed) / 2)
		}
		if price > 0 {
			most = min(most, units/float64(price))
		}
	}
	return int(10 * most)
}

// buyGoods buys a lot of goods, by a card for what is missing if the goods are needed at once; -1 if it can or need
// not.
func (b *newEarthStrong) buyGoods(short int, urgent bool) env.Action {
	switch {
	case short > 5 && b.mask.Has(newearth.Goods10):
		return newearth.Goods10
	case b.mask.Has(newearth.Goods5):
		return newearth.Goods5
	case !urgent:
		return -1
	}
	s, lot := b.state, b.game.Data().Chart.Goods5
	for kind, n := range [...]int{newearth.Mining: lot.Mining, newearth.Energy: lot.Energy,
		newearth.Manufacturing: lot.Manufacturing} {
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
	if c, ok := b.bestCard(newearth.Sell, func(c newearth.Card) float64 { return -b.keep(c) }); ok &&
		s.Has(b.me, newearth.Cash) < lot.Cash {
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
	return r[newearth.Manufacturing] <= min(r[newearth.Mining], r[newearth.Energy])+b.weights.Works
}

// develop founds and fortifies cities, and raises zones when it is time.
func (b *newEarthStrong) develop() env.Action {
	s := b.state
	if a := firstOf(b.mask, newearth.City, newearth.Play(newearth.TechnologyResearch),
		newearth.Play(newearth.StormDefence)); a >= 0 {
		return a
	}
	if s.LastTurn() {
		return b.raiseForPoints()
	}
	rising := b.rising() | b.exposed()
	z, _ := b.bestZone(func(z newearth.Zone) float64 {
		worth := b.worth(z)/10 - float64(s.Level(z)) + float64(b.weights.Safe*b.counted(z))
		if s.Level(z) > 0 && rising != 0 && !rising.Has(z) {
			worth -= 10
		}
		return worth
	})
	if z == newearth.NoZone {
		return newearth.Done
	}
	if s.Level(z) == 0 {
		return newearth.PickZone(z)
	}
	// What could not be kept up next turn is not raised.
	sustained := s.Has(b.me, newearth.Goods) + b.canMake() - s.Need(b.me)
	if b.mask.Has(newearth.RaiseAll) && rising.Count() == s.Owned(b.me).Count() && sustained >= 2*rising.Count() {
		return newearth.RaiseAll
	}
	if sustained < 2 {
		return newearth.Done
	}
	// What is above the goods expended would be lost.
	if rising.Has(z) || s.Has(b.me, newearth.Goods) > s.Expended(b.me)+1 {
		return newearth.PickZone(z)
	}
	return newearth.Done
}

// raiseForPoints takes the raises that are worth most, or makes all levels equal if the bonus for that is worth more.
func (b *newEarthStrong) raiseForPoints() env.Action {
	s, d := b.state, b.game.Data()
	legal := b.zones()
	// The best raises, one by one.
	var gains [newearth.NumZones]float64 // falling
	var prices [newearth.NumZones]int
	n := 0
	best, low, high := newearth.NoZone, len(d.Levels.Raise), 0
	for z := range s.Owned(b.me).Each {
		low, high = min(low, s.Level(z)), max(high, s.Level(z))
		if !legal.Has(z) {
			continue
		}
		gain, i := b.raiseGain(z), n
		for ; i > 0 && gains[i-1] < gain; i-- {
			gains[i], prices[i] = gains[i-1], prices[i-1]
		}
		gains[i], prices[i] = gain, d.Levels.Raise[s.Level(z)]
		if i == 0 {
			best = z
		}
		n++
	}
	single := 0.0
	goods := s.Has(b.me, newearth.Goods)
	for i := range n {
		if goods >= prices[i] {
			goods -= prices[i]
			single += gains[i]
		}
	}
	// All at one level: the highest, or the one above if all stand at the highest.
	target, top := -1, single
	for level := high; level <= min(low+1, len(d.Levels.Raise)); level++ {
		price, gain, can := 0, float64(d.Points.Balanced), true
		for own := s.Owned(b.me); own != 0; own = own.Rest() {
			if z := own.First(); s.Level(z) < level {
				price += d.Levels.Raise[s.Level(z)]
				gain += b.raiseGain(z)
				can = can && legal.Has(z)
			}
		}
		if can && price <= s.Has(b.me, newearth.Goods) && gain > top {
			target, top = level, gain
		}
	}
	if target < 0 {
		if best == newearth.NoZone || gains[0] <= 0 {
			return newearth.Done
		}
		return newearth.PickZone(best)
	}
	for set := legal; set != 0; set = set.Rest() {
		if s.Level(set.First()) < target {
			return newearth.PickZone(set.First())
		}
	}
	return newearth.Done
}

// raiseGain is what another level is worth in points.
func (b *newEarthStrong) raiseGain(z newearth.Zone) float64 {
	points, level := b.game.Data().Levels.Points, b.state.Level(z)
	return b.counted(z) * float64(points[level+1]-points[level])
}

// strike scores the Catastrophe cards by the harm they do, against what they do to the others.
func (b *newEarthStrong) strike() {
	for c := newearth.CivilDisorder; c <= newearth.Independence; c++ {
		if a := newearth.Strike(c); b.mask.Has(a) {
			b.ranking.put(a, -b.harm(c))
		}
	}
}

// harm is what a Catastrophe card costs, in units.
func (b *newEarthStrong) harm(c newearth.Card) float64 {
	s := b.state
	own := s.Owned(b.me) &^ s.Affected()
	switch c {
	case newearth.StockLossMining, newearth.StockLossEnergy, newearth.StockLossManufacturing:
		kind := newearth.Mining + newearth.Kind(c-newearth.StockLossMining)
		return float64(s.Has(b.me, kind)) * newEarthPrices[kind]
	case newearth.Anarchists, newearth.Independence:
		least := math.Inf(1)
		for set := own; set != 0; set = set.Rest() {
			if z := set.First(); c == newearth.Independence && s.Leader(b.me) != z || c == newearth.Anarchists && s.Plants().
				Has(z) {
				least = min(least, b.units(z))
			}
		}
		switch {
		case math.IsInf(least, 1):
			return 0 // nothing to strike
		case c == newearth.Independence:
			return least + b.weights.Loss
		}
		return least
	}
	spared := s.Affected()
	if c == newearth.FloodLocal || c == newearth.FloodGeneral {
		spared |= s.Forts()
	}
	mine, others := 0.0, 0.0
	for z := range (s.Claimed() &^ spared).Each {
		cost := b.units(z)
		if c == newearth.CivilDisorder {
			cost += float64(b.game.Data().CivilDisorder.Cash)
		}
		if own.Has(z) {
			mine += cost
		} else {
			others += cost
		}
	}
	if c == newearth.VirusLocal || c == newearth.FloodLocal {
		others = 0
	}
	return (mine - others/float64(b.game.Players()-1)) / 6 // one zone of a tile's six is hit
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

// shelter moves machines before the storm to where they count.
func (b *newEarthStrong) shelter() env.Action {
	s := b.state
	if !s.LastTurn() {
		return newearth.Done
	}
	for z, a := range among[newearth.Zone](b.mask, newearth.Place(newearth.Machine, 0), newearth.NumZones) {
		for near := range (s.Near(z) & s.Owned(b.me) & s.Bays() &^ s.Affected()).Each {
			if b.counted(near) > b.counted(z) {
				return a
			}
		}
	}
	return newearth.Done
}

// newEarthWeights are what a seat weighs by.
type newEarthWeights struct {
	// Growth.
	Mining  float64 `low:"1" high:"5" help:"output of mining for two units of energy"`
	Making  float64 `low:"1" high:"5" help:"output of manufacturing for two units of energy"`
	Mixed   float64 `low:"0" high:"1" help:"how much a machine that can serve either counts for manufacturing"`
	Crowd   float64 `low:"0" high:"4" help:"what is lost when another worker takes the place of a manufacturing worker"`
	Earning float64 `low:"0" high:"12" help:"turn until which workers are better than machines, as they bring income"`
	Sort    float64 `low:"0" high:"3" help:"by how much; later it is the other way round"`
	Extra   float64 `low:"0" high:"8" help:"goods bought beyond those for levels and raises"`
	Caution float64 `low:"0" high:"20" help:"goods above the levels that are to be had next turn before anything else is bought"`
	Ascent  float64 `low:"0" high:"2" help:"share of the next turn's raises for which units are kept before the climb"`
	Works   float64 `low:"-1" high:"5" help:"how much less scarce than the rest manufacturing may be when a plant is built"`
	Profit  float64 `low:"1" high:"3" help:"what an offer must bring for each unit of worth that it takes"`
	Margin  float64 `low:"1" high:"2" help:"how much more than that an offer of its own brings the other seat"`
	// Levels.
	Climb    float64 `low:"0" high:"12" help:"turns before the last from which every zone is raised, however much land is free"`
	Full     float64 `low:"0" high:"2" help:"share of the own land's places that are used from which every zone is raised earlier"`
	Treasure float64 `low:"0" high:"40" help:"worth of a zone from which it is raised out of the reach of rivals"`
	Trust    float64 `low:"0" high:"1.2" help:"share of the output that next turn's levels may count on"`
	Safe     float64 `low:"0" high:"5" help:"levels by which a zone that surely counts in the storm may be ahead of one that does not"`
	Stake    float64 `low:"0" high:"20" help:"pieces hit by a catastrophe from which a card is played against it"`
	Loss     float64 `low:"0" high:"20" help:"what the loss of a zone costs, its pieces left out, in units"`
	// Elections and leaders.
	Reserve float64 `low:"0" high:"2" help:"cash kept for the next production turn, in m for each good that the levels take"`
	Purse   float64 `low:"0" high:"20" help:"cash kept beside that"`
	Strain  float64 `low:"0" high:"10" help:"goods that the levels take for each unit of manufacturing from which no zone is added"`
	Land    float64 `low:"0" high:"20" help:"worth of a neutral zone, its pieces left out"`
	Coin    float64 `low:"0" high:"3" help:"worth of 1m that an election takes"`
	Rob     float64 `low:"0" high:"1" help:"how much of what a rival loses counts as won"`
	Defence float64 `low:"0" high:"20" help:"cash that a defender is thought to commit at most"`
	Stand   float64 `low:"0" high:"40" help:"the same on the last turn"`
	Guard   float64 `low:"0" high:"2" help:"most cash to defend a zone with, for each point of its worth"`
	Join    float64 `low:"0" high:"40" help:"cash to spare from which elections of others are joined"`
	Prize   float64 `low:"0" high:"40" help:"worth of a zone from which they are"`
	Links   float64 `low:"0" high:"60" help:"cash to spare from which Transport Links opens an election elsewhere"`
	Reach   float64 `low:"0" high:"3" help:"how much the zones count that the leader reaches, by their worth"`
	Spear   float64 `low:"0" high:"60" help:"cash to spare from which the leader's zone is raised to the level of targets"`
	Shield  float64 `low:"0" high:"5" help:"how much the zone that the leader guards counts, against the zones that it reaches"`
	Move    float64 `low:"-5" high:"10" help:"how much worse a place the leader moves to, for the card that a move brings"`
}

// newEarthPlain are the weights of a seat that thinks of today.
func newEarthPlain() *newEarthWeights {
	return &newEarthWeights{Mining: 2.5, Making: 2.2, Mixed: 0.7, Crowd: 0.8, Earning: 5, Sort: 0.6}
}

func newEarthWeightsOf(g env.Game) any {
	if g.Info().Players == 2 {
		return &newEarthWeights{
			Mining: 3.3, Making: 2.3, Mixed: 0.46, Crowd: 1, Earning: 6.9, Sort: 0.16,
			Extra: 0.15, Caution: 0.28, Ascent: 0.38, Works: -0.042, Profit: 1.2, Margin: 1.1,
			Climb: 3.5, Full: 0.76, Treasure: 2.4, Trust: 0.78, Safe: 2.1, Stake: 1.9, Loss: 3.4,
			Reserve: 0.41, Purse: 7, Strain: 2.6, Land: 2.6,
			Coin: 0.037, Rob: 0.45, Defence: 4, Stand: 6.4, Guard: 1.4, Join: 11,
			Prize: 2.9, Links: 11, Reach: 0.94, Spear: 1.5, Shield: 0.5, Move: 8,
		}
	}
	return &newEarthWeights{
		Mining: 3.1, Making: 1.9, Mixed: 0.32, Crowd: 1.2, Earning: 7.1, Sort: 0.21,
		Extra: 0.72, Caution: 0.52, Ascent: 0.28, Works: 1.3, Profit: 1.2, Margin: 1.1,
		Climb: 3.5, Full: 0.79, Treasure: 0.2, Trust: 0.71, Safe: 1.5, Stake: 1.7, Loss: 5.2,
		Reserve: 0.36, Purse: 5.3, Strain: 2.1, Land: 2.2,
		Coin: 0, Rob: 0.51, Defence: 6, Stand: 5.1, Guard: 1.2, Join: 8.8,
		Prize: 4.1, Links: 11, Reach: 1.1, Spear: 5, Shield: 0.18, Move: 4.8,
	}
}
