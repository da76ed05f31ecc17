package scripted

import (
	"math"
	"slices"

	"earthgym/env"
	"earthgym/games/newearth"
)

// The bots of New Earth: what they share.

var newEarthBots = script{rulebook: newearth.Rulebook, bots: [len(levels)]bot{
	plain(func(g env.Game) policy { return &newEarthNaive{newEarthTable: newNewEarthTable(g, nil)} }),
	plain(func(g env.Game) policy { return &newEarthGreedy{newNewEarthTable(g, newEarthPlain())} }),
	{weights: newEarthWeightsOf, create: newNewEarthStrong},
}}

// newEarthTable is what the bots see, and what they share.
type newEarthTable struct {
	sight[*newearth.Game, *newearth.State]
	weights *newEarthWeights
}

func newNewEarthTable(g env.Game, w *newEarthWeights) newEarthTable {
	return newEarthTable{newSight[*newearth.Game, *newearth.State](g), w}
}

// zones are those that can be picked.
func (t *newEarthTable) zones() newearth.Zones {
	return newearth.Zones(t.mask[0]) & (1<<newearth.NumZones - 1) // the first actions
}

// bestZone is the legal zone that is worth most.
func (t *newEarthTable) bestZone(worth func(z newearth.Zone) float64) (newearth.Zone, float64) {
	best := choice[newearth.Zone]{newearth.NoZone, math.Inf(-1)}
	for z := range t.zones().Each {
		best.put(z, worth(z))
	}
	return best.best, best.top
}

// bestCard is the card worth most among those for which an action is legal.
func (t *newEarthTable) bestCard(action func(c newearth.Card) env.Action,
	worth func(c newearth.Card) float64) (newearth.Card, bool) {
	best := choice[newearth.Card]{newearth.NoCard, math.Inf(-1)}
	for c := range among[newearth.Card](t.mask, action(0), newearth.NumTitles) {
		best.put(c, worth(c))
	}
	return best.best, best.best != newearth.NoCard
}

// amount names a number, as far as the next step of it goes.
func (t *newEarthTable) amount(total int) env.Action {
	left := total - t.state.Running()
	if left >= 20 && t.mask.Has(newearth.Plus20) {
		return newearth.Plus20
	}
	for n := min(max(left, 0), 19); n >= 0; n-- {
		if a := newearth.Amount(n); t.mask.Has(a) {
			return a
		}
	}
	return t.mask.Nth(0)
}

// units is the number of pieces in a zone.
func (t *newEarthTable) units(z newearth.Zone) float64 {
	s := t.state
	return float64(s.Count(z, newearth.Machine) + s.Count(z, newearth.Worker) + s.Count(z, newearth.Maker))
}

// size is how much a zone can hold.
func (t *newEarthTable) size(z newearth.Zone) float64 {
	return float64(t.game.People(z)) + float64(0.8*float64(t.game.MachineLimit(z)))
}

// worth is what a zone is worth to its owner: what it produces and scores.
func (t *newEarthTable) worth(z newearth.Zone) float64 {
	worth := t.units(z) + float64(t.state.ZoneValue(z))
	if t.state.Plants().Has(z) {
		worth += 2
	}
	return worth
}

// targetWorth is what winning a zone is worth.
func (t *newEarthTable) targetWorth(z newearth.Zone) float64 {
	if t.state.Owner(z) < 0 {
		return 4 + t.units(z)
	}
	return t.worth(z)
}

// safety lowers the worth of zones that another leader reaches.
func (t *newEarthTable) safety(z newearth.Zone) float64 {
	if t.state.Leader(t.me) == z {
		return 0.5
	}
	for q := range t.others {
		if t.state.InReach(q).Has(z) {
			return -0.5
		}
	}
	return 0
}

// zoneWorth is what a zone is worth as the answer to the question that is asked, where greedy and strong
// answer it alike.
func (t *newEarthTable) zoneWorth(z newearth.Zone) float64 {
	s, g := t.state, t.game
	switch s.Decision() {
	case newearth.AtSetupClaim: // large ones that lie together and have free neighbours
		return t.size(z) + float64(0.4*float64((s.Near(z)&s.Owned(t.me)).Count())) +
			float64(0.2*float64((s.Near(z)&^s.Claimed()).Count()))
	case newearth.AtSetupMine: // the three largest
		return t.largest(z)
	case newearth.AtSetupPlant, newearth.AtSetupLeader: // much room, and the leader where the plant is
		return float64(g.People(z)) + float64(0.3*float64(g.MachineLimit(z))) + float64(3*float64(s.Count(z, newearth.Maker)))
	case newearth.AtCatZone:
		return -t.worth(z)
	case newearth.AtNegateZone:
		return t.units(z)
	case newearth.AtPlantZone: // free places, and machines that can serve what is scarce
		free := g.People(z) - s.Count(z, newearth.Worker) - s.Count(z, newearth.Maker)
		return 2*float64(free) + float64(s.Count(z, newearth.Machine)) + t.safety(z)
	case newearth.AtShortage: // levels above 1 go first, as their zones go on producing
		if level := s.Level(z); level > 1 {
			return 10 + float64(level)
		}
		return -t.units(z) - float64(4*float64(s.Count(z, newearth.Maker)))
	case newearth.AtCityZone:
		return t.cityWorth(z)
	case newearth.AtFortifyZone:
		return t.worth(z)
	case newearth.AtElectWide:
		return t.targetWorth(z)
	}
	return 0
}

// largest is 1 for the three largest own zones, which are picked in ascending order.
func (t *newEarthTable) largest(z newearth.Zone) float64 {
	larger := 0
	for y := range t.state.Owned(t.me).Each {
		if t.size(y) > t.size(z) || t.size(y) == t.size(z) && y < z {
			larger++
		}
	}
	if larger < 3 {
		return 1
	}
	return 0
}

// cityWorth is the zone to become a city: workers bring income there, levels and machines are kept from
// the storm.
func (t *newEarthTable) cityWorth(z newearth.Zone) float64 {
	s := t.state
	return float64(s.Count(z, newearth.Worker)+s.Count(z, newearth.Maker)) + float64(s.Level(z)) +
		float64(0.5*float64(s.Count(z, newearth.Machine))) + t.safety(z)
}

// shared are the other questions that greedy and strong answer alike.
func (t *newEarthTable) shared() env.Action {
	s := t.state
	switch s.Decision() {
	case newearth.AtSetupTile:
		return t.homeTile()
	case newearth.AtReceive:
		return newearth.Yes
	case newearth.AtOverflow:
		return t.overflow()
	case newearth.AtCatChoose:
		return t.strike()
	case newearth.AtCatPurge:
		return t.first(newearth.Play(newearth.TransportLinks))
	case newearth.AtIndepAmount:
		return t.bidForReturn()
	case newearth.AtIndepCard:
		return t.commitCard(false)
	case newearth.AtAssignMining, newearth.AtAssignEnergy:
		return t.assign()
	case newearth.AtBulkPlace:
		a, _ := t.placement()
		return a
	case newearth.AtOffer, newearth.AtOfferReply:
		return newearth.No
	case newearth.AtCityCard:
		return t.setCard()
	case newearth.AtNewWorker:
		made := s.Output(t.me)
		if float64(made[newearth.Mining])/3.2 <= float64(made[newearth.Energy])/2 {
			return newearth.MiningZone
		}
		return newearth.EnergyZone
	}
	return t.first(newearth.Done)
}

// homeTile prefers tiles whose largest zone, where the plant goes, holds machines as well.
func (t *newEarthTable) homeTile() env.Action {
	best := undecided()
	for tile, a := range among[int](t.mask, newearth.TakeTile(0), newearth.NumTiles) {
		for i := range 6 {
			z := newearth.Zone(6*tile + i)
			best.put(a, float64(4*t.game.People(z)+t.game.MachineLimit(z)))
		}
	}
	return best.best
}

// keep is how much a card in the hand is worth keeping: sets need different titles and cores.
func (t *newEarthTable) keep(c newearth.Card) float64 {
	worth := float64(t.game.Value(c))
	if t.state.Hand(t.me, c) == 1 {
		worth += 2
	}
	if c == newearth.StormDefence || c == newearth.UrbanPlanning {
		worth++
	}
	return worth
}

// overflow gets rid of the card least worth keeping, for something if it brings anything.
func (t *newEarthTable) overflow() env.Action {
	c, _ := t.bestCard(newearth.Discard, func(c newearth.Card) float64 {
		return float64(0.4*t.gain(c)) - t.keep(c)
	})
	return t.first(newearth.Sell(c), newearth.TradeIn(c), newearth.Discard(c))
}

// gain is what a card brings when it is given away.
func (t *newEarthTable) gain(c newearth.Card) float64 {
	if _, ok := t.game.UnitOf(c); ok {
		return 1.5
	}
	return float64(t.game.Sale(c))
}

// leastHarm ranks the Catastrophe cards: those that strike everybody do least harm to the one who plays them.
var leastHarm = [...]newearth.Card{
	newearth.VirusPandemic, newearth.FloodGeneral, newearth.CivilDisorder, newearth.FloodLocal, newearth.VirusLocal,
	newearth.StockLossMining, newearth.StockLossEnergy, newearth.StockLossManufacturing, newearth.Anarchists,
	newearth.Independence,
}

func (t *newEarthTable) strike() env.Action {
	for _, c := range leastHarm {
		if a := newearth.Strike(c); t.mask.Has(a) {
			return a
		}
	}
	return t.mask.Nth(0)
}

// negate always plays a card, one for all zones first if several are hit.
func (t *newEarthTable) negate() env.Action {
	s := t.state
	hit := (s.Hit() & s.Owned(t.me)).Count()
	c, ok := t.bestCard(newearth.Play, func(c newearth.Card) float64 {
		if hit > 1 && t.game.NegatesAll(c, s.Catastrophe()) {
			return 10
		}
		return -t.keep(c)
	})
	if ok {
		return newearth.Play(c)
	}
	return newearth.No
}

// setCard picks the cards of a conversion: those that help it, and then those least worth keeping. Picks
// ascend, so a title is passed over by picking a later one.
func (t *newEarthTable) setCard() env.Action {
	return t.first(newearth.Play(newearth.UrbanPlanning), newearth.Play(newearth.StormDefence))
}

// bidForReturn is the cash against independence: enough for good odds, if there is that much.
func (t *newEarthTable) bidForReturn() env.Action {
	s := t.state
	level := s.Level(s.Hit().First())
	bid := min(s.Has(t.me, newearth.Cash), level+6)
	if bid < max(5, level+3) {
		bid = 0
	}
	return t.amount(bid)
}

// commitCard adds the card that helps most, sparing the cores.
func (t *newEarthTable) commitCard(defending bool) env.Action {
	c, ok := t.bestCard(newearth.Play, func(c newearth.Card) float64 {
		if defending {
			return -float64(t.game.Defending(c)) - float64(0.2*t.keep(c))
		}
		return float64(t.game.Initiator(c)) - float64(0.2*t.keep(c))
	})
	if ok && (defending && t.game.Defending(c) < 0 || !defending && t.game.Initiator(c) > 0) &&
		(t.game.Value(c) < 2 || t.state.Hand(t.me, c) > 1) {
		return newearth.Play(c)
	}
	return newearth.Done
}

// assign gives machines to manufacturing while that is the scarcer sort.
func (t *newEarthTable) assign() env.Action {
	s, made := t.state, t.state.Output(t.me)
	raw, per, of := newearth.Mining, 3.0, s.MiningZones()
	if s.Decision() == newearth.AtAssignEnergy {
		raw, per, of = newearth.Energy, 2.0, s.EnergyZones()
	}
	have := float64(s.Has(t.me, raw)) + float64(made[raw])
	makers := float64(s.Has(t.me, newearth.Manufacturing)) + float64(made[newearth.Manufacturing])
	n := 0
	for most := s.MixedMachines(t.me, of); n < most && (makers+float64(n))/2 <= (have-float64(n))/per; n++ {
	}
	return t.amount(n)
}

// ratios are the outputs of a turn, each over its share in the price of goods: the lowest is the scarcest.
func (t *newEarthTable) ratios() [3]float64 {
	s, made := t.state, t.state.Output(t.me)
	mixed := float64(s.MixedMachines(t.me, s.Owned(t.me)))
	return [3]float64{
		newearth.Mining:        float64(made[newearth.Mining]) / t.weights.Mining,
		newearth.Energy:        float64(made[newearth.Energy]) / 2,
		newearth.Manufacturing: (float64(made[newearth.Manufacturing]) + float64(t.weights.Mixed*mixed)) / t.weights.Making,
	}
}

// placement is the best place for a new machine or worker, or false if none is legal.
func (t *newEarthTable) placement() (env.Action, bool) {
	s, ratios := t.state, t.ratios()
	best := choice[env.Action]{t.mask.Nth(0), math.Inf(-1)}
	workersNow := float64(s.Turn()) <= t.weights.Earning && s.Has(t.me, newearth.Cash) > 4
	for z := range s.Owned(t.me).Each {
		raw := newearth.Energy
		if s.MiningZones().Has(z) {
			raw = newearth.Mining
		}
		for u := newearth.Machine; u <= newearth.Maker; u++ {
			a := newearth.Place(u, z)
			if !t.mask.Has(a) {
				continue
			}
			worth := float64(t.safety(z) / 4)
			switch {
			case u == newearth.Worker:
				worth -= ratios[raw]
				if s.Plants().Has(z) {
					worth -= t.weights.Crowd // the place of a manufacturing worker
				}
			case u == newearth.Maker:
				worth -= ratios[newearth.Manufacturing]
			case s.Count(z, newearth.Worker) > 0 && s.Count(z, newearth.Maker) > 0:
				worth -= min(ratios[raw], ratios[newearth.Manufacturing]) - 0.1
			case s.Count(z, newearth.Worker) > 0:
				worth -= ratios[raw]
			case s.Count(z, newearth.Maker) > 0:
				worth -= ratios[newearth.Manufacturing]
			default:
				worth -= 20
			}
			if workers := u != newearth.Machine; workers == workersNow {
				worth += t.weights.Sort
			}
			best.put(a, worth)
		}
	}
	return best.best, !math.IsInf(best.top, -1)
}

// newEarthGreedy takes what looks best now: goods for the levels that there are, then machines and workers
// where output is scarcest, cities as soon as they can be founded, and neutral zones nearby. It makes no offers.
type newEarthGreedy struct {
	newEarthTable
}

// Choose decides question by question.
func (b *newEarthGreedy) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	switch b.state.Decision() {
	case newearth.AtProduce:
		return b.produce()
	case newearth.AtDevelop:
		return b.develop()
	case newearth.AtElect:
		return b.elect()
	case newearth.AtJoin:
		return b.first(newearth.No)
	case newearth.AtCommitAmount:
		return b.commit()
	case newearth.AtCommitCard:
		return b.commitCard(b.state.Owner(b.state.Target()) == b.me)
	case newearth.AtLeader:
		return b.lead()
	case newearth.AtNegate:
		return b.negate()
	case newearth.AtSetupClaim, newearth.AtSetupMine, newearth.AtSetupPlant, newearth.AtSetupLeader, newearth.AtCatZone,
		newearth.AtNegateZone,
		newearth.AtPlantZone, newearth.AtShortage, newearth.AtCityZone, newearth.AtFortifyZone, newearth.AtElectWide:
		z, _ := b.bestZone(b.zoneWorth)
		return newearth.PickZone(z)
	}
	return b.shared()
}

// produce buys goods for the levels, and then machines.
func (b *newEarthGreedy) produce() env.Action {
	s := b.state
	if s.Has(b.me, newearth.Goods) < s.Need(b.me)+2 {
		if a := b.first(newearth.Goods10, newearth.Goods5, newearth.Done); a != newearth.Done {
			return a
		}
	}
	if a, ok := b.placement(); ok {
		return a
	}
	return newearth.Done
}

// develop founds cities, and raises the lowest zone while enough goods are left.
func (b *newEarthGreedy) develop() env.Action {
	s := b.state
	if a := firstOf(b.mask, newearth.City, newearth.Play(newearth.StormDefence),
		newearth.Play(newearth.TechnologyResearch)); a >= 0 {
		return a
	}
	z, _ := b.bestZone(func(z newearth.Zone) float64 { return -float64(s.Level(z)) })
	if z != newearth.NoZone && (s.Level(z) == 0 || s.Has(b.me, newearth.Goods) > s.Need(b.me)/2+2) {
		return newearth.PickZone(z)
	}
	return newearth.Done
}

// elect goes for neutral and deserted zones when there is cash to spare.
func (b *newEarthGreedy) elect() env.Action {
	s := b.state
	if s.Has(b.me, newearth.Cash) < 12 || s.Has(b.me, newearth.Goods) < 4 {
		return newearth.Done
	}
	z, _ := b.bestZone(func(z newearth.Zone) float64 {
		if s.Level(z) > 0 {
			return math.Inf(-1)
		}
		return b.targetWorth(z)
	})
	if z == newearth.NoZone {
		return newearth.Done
	}
	return newearth.PickZone(z)
}

// commit bids 6m, and 2m in defence.
func (b *newEarthGreedy) commit() env.Action {
	s := b.state
	least, most := s.CommitRange(b.me)
	switch {
	case s.Owner(s.Target()) == b.me:
		return b.amount(min(most, 2))
	case most < least:
		return b.first(newearth.Amount(0))
	}
	return b.amount(min(most, max(least, 6)))
}

// lead moves the leader to where it reaches most, as a move brings a card, unless it stands much better.
func (b *newEarthGreedy) lead() env.Action {
	s := b.state
	reach := func(z newearth.Zone) float64 {
		w := 0.0
		for near := s.Near(z) &^ s.Owned(b.me); near != 0; near = near.Rest() {
			switch y := near.First(); {
			case s.Owner(y) < 0:
				w += 1.5
			case s.Level(y) <= s.Level(z):
				w += 0.6
			}
		}
		return w
	}
	z, w := b.bestZone(reach)
	if z == newearth.NoZone || w+1.2 < reach(s.Leader(b.me)) {
		return newearth.Done
	}
	return newearth.PickZone(z)
}

// newEarthNaive plays at random, but has seen that everything starts with goods, and goods with
// manufacturing: it saves for what its levels need, raises nothing that it can't keep up, keeps levels equal,
// and prefers manufacturing workers. It likes cities, and elections when it is rich. It offers and moves nothing, and
// bids with care.
type newEarthNaive struct {
	newEarthTable
	gambling
	acts []env.Action
}

// Seed seeds its chance.
func (b *newEarthNaive) Seed(seed uint64) { b.luck = env.NewStream(seed, "new earth") }

// Choose draws among the legal actions; the ends of menus are likelier than the rest.
func (b *newEarthNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	switch s.Decision() {
	case newearth.AtProduce:
		if s.Has(b.me, newearth.Goods) < s.Need(b.me) {
			return b.first(newearth.Goods10, newearth.Goods5, newearth.Done)
		}
	case newearth.AtShortage:
		z, _ := b.bestZone(func(z newearth.Zone) float64 { return float64(s.Level(z)) })
		return newearth.PickZone(z)
	case newearth.AtCommitAmount, newearth.AtIndepAmount:
		least, most := 0, s.Has(b.me, newearth.Cash)
		if s.Decision() == newearth.AtCommitAmount {
			least, most = s.CommitRange(b.me)
		}
		if most = min(most, 8); most >= least {
			return b.amount(least + b.luck.Below(most-least+1))
		}
		return b.first(newearth.Amount(0))
	case newearth.AtAssignMining, newearth.AtAssignEnergy:
		return b.amount(s.MixedMachines(b.me, s.Owned(b.me)))
	case newearth.AtOffer:
		return newearth.No
	case newearth.AtMovePick:
		return newearth.Done
	}
	b.acts = b.mask.Append(b.acts[:0])
	if s.Decision() == newearth.AtDevelop {
		b.acts = slices.DeleteFunc(b.acts, b.unbalances)
	}
	total := 0
	for _, a := range b.acts {
		total += b.weight(a)
	}
	r := b.luck.Below(total)
	for _, a := range b.acts {
		if r -= b.weight(a); r < 0 {
			return a
		}
	}
	return b.acts[0]
}

// unbalances says whether an action of phase 4 raises a zone above others, or more than the goods keep up.
func (b *newEarthNaive) unbalances(a env.Action) bool {
	s := b.state
	lowest := 5
	for z := range s.Owned(b.me).Each {
		lowest = min(lowest, s.Level(z))
	}
	switch {
	case a == newearth.RaiseAll:
		return s.Has(b.me, newearth.Goods) < s.Need(b.me)
	case a < newearth.Place(newearth.Machine, 0):
		return s.Level(newearth.Zone(a)) > 0 &&
			(s.Level(newearth.Zone(a)) > lowest || s.Has(b.me, newearth.Goods) < s.Need(b.me))
	}
	return false
}

func (b *newEarthNaive) weight(a env.Action) int {
	switch {
	case a >= newearth.OfferTo(1):
		return 0
	case a == newearth.Done || a == newearth.No:
		return 4
	case a >= newearth.Place(newearth.Maker, 0) && a < newearth.Amount(0), a == newearth.City:
		return 12
	case b.state.Decision() == newearth.AtElect && a < newearth.Place(newearth.Machine, 0) &&
		b.state.Has(b.me, newearth.Cash) >= 12:
		return 6
	case b.state.Decision() == newearth.AtProduce && a != newearth.Bulk && a < newearth.Amount(0), a == newearth.Bulk,
		a == newearth.Plant:
		return 2
	}
	return 1
}
