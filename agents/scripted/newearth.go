package scripted

import (
	"math"
	"slices"

	"earthgym/env"
	"earthgym/games/newearth"
)

// The bots of New Earth. None of them makes offers.

var newEarthBots = script{newearth.Rulebook, [len(levels)]bot{
	plain(func(g env.Game) policy { return &newEarthNaive{newEarthTable: newNewEarthTable(g)} }),
	plain(func(g env.Game) policy { return &newEarthGreedy{newEarthTable: newNewEarthTable(g)} }),
	plain(func(g env.Game) policy {
		return &newEarthStrong{newEarthGreedy: newEarthGreedy{newEarthTable: newNewEarthTable(g)}}
	}),
}}

// newEarthTable is what the bots see, and what they share.
type newEarthTable struct {
	game  *newearth.Game
	state *newearth.State
	me    env.Player
	mask  env.Mask
	luck  env.Stream
}

func newNewEarthTable(g env.Game) newEarthTable {
	return newEarthTable{game: g.(*newearth.Game)}
}

// Reset seeds the bot's chance.
func (t *newEarthTable) Reset(seed uint64) { t.luck = env.NewStream(seed, "new earth") }

// look takes in the position.
func (t *newEarthTable) look(state env.State, legal env.Mask) {
	t.state, t.me, t.mask = state.(*newearth.State), state.Actor(), legal
}

// legal is the first of the actions that can be played, or else the first legal one.
func (t *newEarthTable) legal(wishes ...env.Action) env.Action {
	for _, a := range wishes {
		if t.mask.Has(a) {
			return a
		}
	}
	return t.mask.Nth(0)
}

// bestZone is the legal zone that is worth most.
func (t *newEarthTable) bestZone(worth func(z newearth.Zone) float64) (newearth.Zone, float64) {
	best, top := newearth.NoZone, math.Inf(-1)
	for z := range newearth.Zone(newearth.NumZones) {
		if t.mask.Has(newearth.PickZone(z)) {
			if w := worth(z); w > top {
				best, top = z, w
			}
		}
	}
	return best, top
}

// bestCard is the card worth most among those for which an action is legal.
func (t *newEarthTable) bestCard(action func(c newearth.Card) env.Action, worth func(c newearth.Card) float64) (newearth.Card, bool) {
	best, top := newearth.NoCard, math.Inf(-1)
	for c := range newearth.Card(newearth.NumTitles) {
		if t.mask.Has(action(c)) {
			if w := worth(c); w > top {
				best, top = c, w
			}
		}
	}
	return best, best != newearth.NoCard
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
	return float64(t.game.People(z)) + 0.8*float64(t.game.MachineLimit(z))
}

// newEarthNaive plays at random, but has seen that everything starts with goods, and goods with
// manufacturing: it saves for what its levels need, raises nothing that it can't keep up, keeps levels equal,
// and prefers manufacturing workers. It likes cities, and elections when it is rich. It offers and moves nothing, and
// bids with care.
type newEarthNaive struct {
	newEarthTable
	acts []env.Action
}

// Choose draws among the legal actions; the ends of menus are likelier than the rest.
func (b *newEarthNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	switch s.Node() {
	case newearth.AtProduce:
		if s.Has(b.me, newearth.Goods) < s.Need(b.me) {
			return b.legal(newearth.Goods10, newearth.Goods5, newearth.Done)
		}
	case newearth.AtShortage:
		z, _ := b.bestZone(func(z newearth.Zone) float64 { return float64(s.Level(z)) })
		return newearth.PickZone(z)
	case newearth.AtCommitAmount, newearth.AtIndepAmount:
		least, most := 0, s.Has(b.me, newearth.Cash)
		if s.Node() == newearth.AtCommitAmount {
			least, most = s.CommitRange(b.me)
		}
		if most = min(most, 8); most >= least {
			return b.amount(least + b.luck.Below(most-least+1))
		}
		return b.legal(newearth.Amount(0))
	case newearth.AtAssignMining, newearth.AtAssignEnergy:
		return b.amount(s.MixedMachines(b.me, s.Owned(b.me)))
	case newearth.AtOffer:
		return newearth.No
	case newearth.AtMovePick:
		return newearth.Done
	}
	b.acts = b.mask.Append(b.acts[:0])
	if s.Node() == newearth.AtDevelop {
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
	for own := s.Owned(b.me); own != 0; own = own.Rest() {
		lowest = min(lowest, s.Level(own.First()))
	}
	switch {
	case a == newearth.RaiseAll:
		return s.Has(b.me, newearth.Goods) < s.Need(b.me)
	case a < newearth.Place(newearth.Machine, 0):
		return s.Level(newearth.Zone(a)) > 0 && (s.Level(newearth.Zone(a)) > lowest || s.Has(b.me, newearth.Goods) < s.Need(b.me))
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
	case b.state.Node() == newearth.AtElect && a < newearth.Place(newearth.Machine, 0) && b.state.Has(b.me, newearth.Cash) >= 12:
		return 6
	case b.state.Node() == newearth.AtProduce && a != newearth.Bulk && a < newearth.Amount(0), a == newearth.Bulk, a == newearth.Plant:
		return 2
	}
	return 1
}

// newEarthGreedy takes what looks best now: goods for the levels that there are, then machines and workers
// where output is scarcest, cities as soon as they can be founded, and neutral zones nearby.
type newEarthGreedy struct {
	newEarthTable
}

// Choose decides question by question.
func (b *newEarthGreedy) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	switch s.Node() {
	case newearth.AtProduce:
		return b.produce()
	case newearth.AtDevelop:
		return b.develop()
	case newearth.AtElect:
		return b.elect()
	case newearth.AtJoin:
		return b.legal(newearth.No)
	case newearth.AtCommitAmount:
		return b.commit()
	case newearth.AtCommitCard:
		return b.commitCard(s.Owner(s.Target()) == b.me)
	case newearth.AtLeader:
		return b.lead(0)
	case newearth.AtNegate:
		return b.negate()
	}
	return b.shared()
}

// shared are the questions that greedy and strong answer alike.
func (b *newEarthGreedy) shared() env.Action {
	s, g := b.state, b.game
	switch s.Node() {
	case newearth.AtSetupTile:
		return b.homeTile()
	case newearth.AtSetupClaim:
		z, _ := b.bestZone(func(z newearth.Zone) float64 {
			return b.size(z) + 0.4*float64((s.Near(z)&s.Owned(b.me)).Count()) + 0.2*float64((s.Near(z)&^s.Claimed()).Count())
		})
		return newearth.PickZone(z)
	case newearth.AtSetupMine:
		return b.mine()
	case newearth.AtSetupPlant, newearth.AtSetupLeader:
		z, _ := b.bestZone(func(z newearth.Zone) float64 {
			return float64(g.People(z)) + 0.3*float64(g.MachineLimit(z)) + 3*float64(s.Count(z, newearth.Maker))
		})
		return newearth.PickZone(z)
	case newearth.AtReceive:
		return newearth.Yes
	case newearth.AtOverflow:
		return b.overflow()
	case newearth.AtCatChoose:
		return b.strike()
	case newearth.AtCatPurge:
		return b.legal(newearth.Play(newearth.TransportLinks))
	case newearth.AtCatZone:
		z, _ := b.bestZone(func(z newearth.Zone) float64 { return -b.worth(z) })
		return newearth.PickZone(z)
	case newearth.AtNegateZone:
		z, _ := b.bestZone(b.units)
		return newearth.PickZone(z)
	case newearth.AtIndepAmount:
		return b.bidForReturn()
	case newearth.AtIndepCard:
		return b.commitCard(false)
	case newearth.AtAssignMining, newearth.AtAssignEnergy:
		return b.assign()
	case newearth.AtBulkPlace:
		return b.placement()
	case newearth.AtPlantZone:
		z, _ := b.bestZone(func(z newearth.Zone) float64 {
			free := g.People(z) - s.Count(z, newearth.Worker) - s.Count(z, newearth.Maker)
			return 2*float64(free) + float64(s.Count(z, newearth.Machine)) + b.safety(z)
		})
		return newearth.PickZone(z)
	case newearth.AtOffer, newearth.AtOfferReply:
		return newearth.No
	case newearth.AtShortage:
		return b.drop()
	case newearth.AtCityZone:
		z, _ := b.bestZone(b.cityWorth)
		return newearth.PickZone(z)
	case newearth.AtCityCard:
		return b.setCard()
	case newearth.AtFortifyZone:
		z, _ := b.bestZone(b.worth)
		return newearth.PickZone(z)
	case newearth.AtElectWide:
		z, _ := b.bestZone(b.targetWorth)
		return newearth.PickZone(z)
	case newearth.AtNewWorker:
		made := s.Output(b.me)
		if float64(made[newearth.Mining])/3.2 <= float64(made[newearth.Energy])/2 {
			return newearth.MiningZone
		}
		return newearth.EnergyZone
	}
	return b.legal(newearth.Done)
}

// homeTile prefers tiles whose largest zone, where the plant goes, holds machines as well.
func (b *newEarthGreedy) homeTile() env.Action {
	best, top := 0, -1
	for t := range newearth.NumTiles {
		if !b.mask.Has(newearth.TakeTile(t)) {
			continue
		}
		for i := range 6 {
			z := newearth.Zone(6*t + i)
			if w := 4*b.game.People(z) + b.game.MachineLimit(z); w > top {
				best, top = t, w
			}
		}
	}
	return newearth.TakeTile(best)
}

// mine picks the three largest zones for mining; they are picked in ascending order.
func (b *newEarthGreedy) mine() env.Action {
	own := b.state.Owned(b.me)
	largest := func(z newearth.Zone) bool {
		larger := 0
		for rest := own; rest != 0; rest = rest.Rest() {
			y := rest.First()
			if b.size(y) > b.size(z) || b.size(y) == b.size(z) && y < z {
				larger++
			}
		}
		return larger < 3
	}
	for z := range newearth.Zone(newearth.NumZones) {
		if b.mask.Has(newearth.PickZone(z)) && largest(z) {
			return newearth.PickZone(z)
		}
	}
	return b.mask.Nth(0)
}

// keep is how much a card in the hand is worth keeping: sets need different titles and cores.
func (b *newEarthGreedy) keep(c newearth.Card) float64 {
	worth := float64(b.game.Value(c))
	if b.state.Hand(b.me, c) == 1 {
		worth += 2
	}
	if c == newearth.StormDefence || c == newearth.UrbanPlanning {
		worth++
	}
	return worth
}

// overflow gets rid of the card least worth keeping, for something if it brings anything.
func (b *newEarthGreedy) overflow() env.Action {
	c, _ := b.bestCard(newearth.Discard, func(c newearth.Card) float64 {
		return 0.4*b.gain(c) - b.keep(c)
	})
	return b.legal(newearth.Sell(c), newearth.TradeIn(c), newearth.Discard(c))
}

// gain is what a card brings when it is given away.
func (b *newEarthGreedy) gain(c newearth.Card) float64 {
	if _, ok := b.game.UnitOf(c); ok {
		return 1.5
	}
	return float64(b.game.Sale(c))
}

// harm ranks the Catastrophe cards: those that strike everybody do least harm to the one who plays them.
var harm = [...]newearth.Card{
	newearth.VirusPandemic, newearth.FloodGeneral, newearth.CivilDisorder, newearth.FloodLocal, newearth.VirusLocal,
	newearth.StockLossMining, newearth.StockLossEnergy, newearth.StockLossManufacturing, newearth.Anarchists, newearth.Independence,
}

func (b *newEarthGreedy) strike() env.Action {
	for _, c := range harm {
		if b.mask.Has(newearth.Strike(c)) {
			return newearth.Strike(c)
		}
	}
	return b.mask.Nth(0)
}

// negate always plays a card, one for all zones first if several are hit.
func (b *newEarthGreedy) negate() env.Action {
	s := b.state
	hit := (s.Hit() & s.Owned(b.me)).Count()
	c, ok := b.bestCard(newearth.Play, func(c newearth.Card) float64 {
		if hit > 1 && b.game.NegatesAll(c, s.Catastrophe()) {
			return 10
		}
		return -b.keep(c)
	})
	if ok {
		return newearth.Play(c)
	}
	return newearth.No
}

// worth is what a zone is worth to its owner: what it produces and scores.
func (b *newEarthGreedy) worth(z newearth.Zone) float64 {
	worth := b.units(z) + float64(b.state.ZoneValue(z))
	if b.state.Plants().Has(z) {
		worth += 2
	}
	return worth
}

// cityWorth is the zone to become a city: workers bring income there, levels and machines are kept from
// the storm.
func (b *newEarthGreedy) cityWorth(z newearth.Zone) float64 {
	s := b.state
	return float64(s.Count(z, newearth.Worker)+s.Count(z, newearth.Maker)) + float64(s.Level(z)) + 0.5*float64(s.Count(z, newearth.Machine)) + b.safety(z)
}

// safety lowers the worth of zones that another leader reaches.
func (b *newEarthGreedy) safety(z newearth.Zone) float64 {
	if b.state.Leader(b.me) == z {
		return 0.5
	}
	for q := range env.Player(b.game.Players()) {
		if q != b.me && b.state.InReach(q).Has(z) {
			return -0.5
		}
	}
	return 0
}

// setCard picks the cards of a conversion: those that help it, and then those least worth keeping. Picks
// ascend, so a title is passed over by picking a later one.
func (b *newEarthGreedy) setCard() env.Action {
	for _, c := range [...]newearth.Card{newearth.UrbanPlanning, newearth.StormDefence} {
		if b.mask.Has(newearth.Play(c)) {
			return newearth.Play(c)
		}
	}
	return b.mask.Nth(0)
}

// bidForReturn is the cash against independence: enough for good odds, if there is that much.
func (b *newEarthGreedy) bidForReturn() env.Action {
	s := b.state
	level := s.Level(s.Hit().First())
	bid := min(s.Has(b.me, newearth.Cash), level+6)
	if bid < max(5, level+3) {
		bid = 0
	}
	return b.amount(bid)
}

// assign gives machines to manufacturing while that is the scarcer sort.
func (b *newEarthGreedy) assign() env.Action {
	s, made := b.state, b.state.Output(b.me)
	raw, per, of := newearth.Mining, 3.0, s.MiningZones()
	if s.Node() == newearth.AtAssignEnergy {
		raw, per, of = newearth.Energy, 2.0, s.EnergyZones()
	}
	have := float64(s.Has(b.me, raw)) + float64(made[raw])
	makers := float64(s.Has(b.me, newearth.Manufacturing)) + float64(made[newearth.Manufacturing])
	n := 0
	for most := s.MixedMachines(b.me, of); n < most && (makers+float64(n))/2 <= (have-float64(n))/per; n++ {
	}
	return b.amount(n)
}

// ratios are the outputs of a turn, each over its share in the price of goods: the lowest is the scarcest.
func (b *newEarthGreedy) ratios() [3]float64 {
	s, made := b.state, b.state.Output(b.me)
	mixed := float64(s.MixedMachines(b.me, s.Owned(b.me)))
	return [3]float64{
		newearth.Mining:        float64(made[newearth.Mining]) / 2.5,
		newearth.Energy:        float64(made[newearth.Energy]) / 2,
		newearth.Manufacturing: (float64(made[newearth.Manufacturing]) + 0.7*mixed) / 2.2,
	}
}

// placement is the best place for a new machine or worker, or -1 if none is legal.
func (b *newEarthGreedy) placement() env.Action {
	s, ratios := b.state, b.ratios()
	best, top := env.Action(-1), math.Inf(-1)
	lean := s.Has(b.me, newearth.Cash) <= 4
	for z := range newearth.Zone(newearth.NumZones) {
		raw := newearth.Energy
		if s.MiningZones().Has(z) {
			raw = newearth.Mining
		}
		for u := newearth.Machine; u <= newearth.Maker; u++ {
			if !b.mask.Has(newearth.Place(u, z)) {
				continue
			}
			worth := b.safety(z) / 4
			switch {
			case u == newearth.Worker:
				worth -= ratios[raw]
				if s.Plants().Has(z) {
					worth -= 0.8 // the place of a manufacturing worker
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
			if workers := u != newearth.Machine; workers == (s.Turn() <= 5 && !lean) {
				worth += 0.6
			}
			if worth > top {
				best, top = newearth.Place(u, z), worth
			}
		}
	}
	return best
}

// produce buys goods for the levels, and then machines.
func (b *newEarthGreedy) produce() env.Action {
	s := b.state
	if s.Has(b.me, newearth.Goods) < s.Need(b.me)+2 {
		if a := b.legal(newearth.Goods10, newearth.Goods5, newearth.Done); a != newearth.Done {
			return a
		}
	}
	if a := b.placement(); a >= 0 {
		return a
	}
	return newearth.Done
}

// develop founds cities, and raises the lowest zone while enough goods are left.
func (b *newEarthGreedy) develop() env.Action {
	s := b.state
	for _, a := range [...]env.Action{newearth.City, newearth.Play(newearth.StormDefence), newearth.Play(newearth.TechnologyResearch)} {
		if b.mask.Has(a) {
			return a
		}
	}
	z, _ := b.bestZone(func(z newearth.Zone) float64 { return -float64(s.Level(z)) })
	if z != newearth.NoZone && (s.Level(z) == 0 || s.Has(b.me, newearth.Goods) > s.Need(b.me)/2+2) {
		return newearth.PickZone(z)
	}
	return newearth.Done
}

// drop gives up levels: those above 1 first, as their zones go on producing.
func (b *newEarthGreedy) drop() env.Action {
	z, _ := b.bestZone(func(z newearth.Zone) float64 {
		if level := b.state.Level(z); level > 1 {
			return 10 + float64(level)
		}
		return -b.units(z) - 4*float64(b.state.Count(z, newearth.Maker))
	})
	return newearth.PickZone(z)
}

// targetWorth is what winning a zone is worth.
func (b *newEarthGreedy) targetWorth(z newearth.Zone) float64 {
	if b.state.Owner(z) < 0 {
		return 4 + b.units(z)
	}
	return b.worth(z)
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
		return b.legal(newearth.Amount(0))
	}
	return b.amount(min(most, max(least, 6)))
}

// commitCard adds the card that helps most, sparing the cores.
func (b *newEarthGreedy) commitCard(defending bool) env.Action {
	c, ok := b.bestCard(newearth.Play, func(c newearth.Card) float64 {
		if defending {
			return -float64(b.game.Defending(c)) - 0.2*b.keep(c)
		}
		return float64(b.game.Initiator(c)) - 0.2*b.keep(c)
	})
	if ok && (defending && b.game.Defending(c) < 0 || !defending && b.game.Initiator(c) > 0) && (b.game.Value(c) < 2 || b.state.Hand(b.me, c) > 1) {
		return newearth.Play(c)
	}
	return newearth.Done
}

// lead moves the leader to where it reaches most, as a move brings a card. Shield weighs what it guards.
func (b *newEarthGreedy) lead(shield float64) env.Action {
	s := b.state
	worth := func(z newearth.Zone) float64 {
		w := 0.0
		for near := s.Near(z) &^ s.Owned(b.me); near != 0; near = near.Rest() {
			switch y := near.First(); {
			case s.Owner(y) < 0:
				w += 1.5
			case s.Level(y) <= s.Level(z):
				w += 0.6
			}
		}
		guard := 0.1
		if s.Near(z)&s.Claimed()&^s.Owned(b.me) != 0 {
			guard = 0.35
		}
		return w + shield*guard*b.worth(z)
	}
	z, w := b.bestZone(worth)
	if z == newearth.NoZone || w+1.2 < worth(s.Leader(b.me)) {
		return newearth.Done
	}
	return newearth.PickZone(z)
}

// newEarthStrong plans: it grows until its land is full or the end is near, then buys goods for levels; it
// bids by what zones are worth, joins, defends unpredictably, and spends everything on the last turn.
type newEarthStrong struct {
	newEarthGreedy
}

// Choose decides question by question.
func (b *newEarthStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
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
		if b.spare() >= 10 && b.targetWorth(s.Target()) >= 7 {
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
		return b.lead(1)
	case newearth.AtMovePick:
		return b.shelter()
	case newearth.AtMoveTo:
		z, _ := b.bestZone(b.shelters)
		return newearth.PickZone(z)
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
func (b *newEarthStrong) climbing() bool { return b.left() <= 3 || b.full() >= 0.85 }

// reserve is the cash that the next production turn takes, as income comes after it.
func (b *newEarthStrong) reserve() int {
	if b.state.LastTurn() {
		return 0
	}
	return 2*b.state.Need(b.me)/5 + 3
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
	if a := b.placement(); a >= 0 && b.affords(chart.Machine) {
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
	const caution = 3 // goods
	need := s.Need(b.me)
	short := max(0, need+caution-max(0, s.Has(b.me, newearth.Goods)-need))
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
		return 6
	}
	return 6 + s.Level(z) + min(s.Has(owner, newearth.Cash), 3)
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
			cost += 3
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
	return b.left() > 1 && s.Need(b.me) >= 3*int(makers)
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
	if stake < 3 {
		return newearth.No
	}
	return b.newEarthGreedy.negate()
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
	if gain > 1.3*loss {
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
