package scripted

import (
	"earthgym/env"
	"earthgym/games/resilience"
)

// resilienceWeights are what resilienceStrong weighs by.
type resilienceWeights struct {
	Fear   float64 `low:"0" high:"3" help:"what a certain fall adds to the worth of a point of LQ, which counts if the tower falls"`
	Doubt  float64 `low:"0" high:"1" help:"what a certain fall takes from the worth of a point of RES"`
	Guilt  float64 `low:"0" high:"100" help:"what toppling the tower costs, in points"`
	Spite  float64 `low:"0" high:"2" help:"worth of a point of LQ that smog takes from others"`
	Haste  float64 `low:"0" high:"3" help:"worth of a stone of a building that pays: safe stones are a common good, and whoever comes first has them"`
	Room   float64 `low:"0" high:"2" help:"worth of a free field beside a new settlement: room to grow without travel"`
	Home   float64 `low:"0" high:"2" help:"worth of an own field beside a new settlement: land in one piece leaves the others less"`
	Smoke  float64 `low:"0" high:"3" help:"what an industry beside a new settlement costs"`
	Honour float64 `low:"0" high:"5" help:"worth of a kept promise, in points: who breaks his word is not believed the next time"`
	Unsure float64 `low:"1" high:"20" help:"lead in points that is worth about three quarters of the chances between two seats, at the end"`
	Growth float64 `low:"0" high:"5" help:"what each round to come adds to that: leads grow and melt"`
	Margin float64 `low:"0" high:"0.1" help:"chance to win that a deal must bring to either side"`
}

// resilienceWeightsOf were tuned by play, for each number of seats: a random search over matches against the numbers
// before, on the default game and the one with tower=limit alike, each step kept if it won on two seeds.
func resilienceWeightsOf(g env.Game) any {
	switch g.Info().Players {
	case 2:
		return &resilienceWeights{Fear: 0.36, Doubt: 0.06, Guilt: 20, Spite: 0.43, Haste: 1.95, Room: 0.6, Home: 0.45,
			Smoke:  0.5,
			Honour: 0.3, Unsure: 4, Growth: 1.5, Margin: 0.003}
	case 3:
		return &resilienceWeights{Fear: 0, Doubt: 0.02, Guilt: 39, Spite: 0.42, Haste: 0.27, Room: 0.6, Home: 0.17,
			Smoke:  0.37,
			Honour: 0.5, Unsure: 4, Growth: 3, Margin: 0.0005}
	}
	w := &resilienceWeights{Fear: 0.13, Doubt: 0.16, Guilt: 65, Spite: 0.44, Haste: 1.04, Room: 0.6, Home: 0.06,
		Smoke:  0.5,
		Honour: 0.47, Unsure: 5.7, Growth: 3, Margin: 0.004}
	if g.(*resilience.Game).TightSupply() {
		w.Haste = 1 // income that the bank can't pay is worth no stone
	}
	return w
}

// resilienceStrong weighs its income against the tower and the life quality that counts if it falls.
//
// What it plays by: early on land is everything, and a building that pays back before the signal is bought at once,
// because the safe stones are few and belong to whoever comes first. A sabbatical is taken where it brings more than a
// round's income, or evens out the hand. Near the signal nothing pays back any more: then stones come off again where
// that costs nothing. A deal is made when both sides win by it, at the cost of the rest of the table; with two players
// nobody else is there to lose, so there are no deals.
type resilienceStrong struct {
	table   resilienceTable
	weights *resilienceWeights
	ranking ranking

	next   float64 // chance that this round's allocation is played
	stones float64 // stones that must still be expected, by the pace so far and by what was promised
	out    float64 // chance that the tower falls before the end
	lq     float64 // worth of a point of LQ
	res    float64 // worth of a point of RES
	first  float64 // income gained by the first building worth taking
	yield  float64 // what a RES brings until the end, spent on what pays back best

	time   resilienceTime
	odds   resilienceOdds
	change resilienceChange
	least  [resilienceSeats]resilienceLeast
}

func newResilienceStrong(g env.Game, weights any) policy {
	return &resilienceStrong{
		table: newResilienceTable(g), weights: weights.(*resilienceWeights), time: resilienceTime{clock: -1},
	}
}

// Choose takes what it scores highest.
func (b *resilienceStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.Scores(state, legal, nil)
	return b.ranking.best
}

// The steps by which what comes first in a turn is scored above what can wait.
const (
	resilienceRest      = 1e2 // a sabbatical ends the turn, and building with it
	resilienceTalk      = 1e3
	resilienceDismantle = 1e4
	resilienceOffer     = 1e5
)

// Scores: below zero is what it would not do. What ends the turn is weighed last, so deals, dismantling and talk have
// steps of their own above the buildings, which are scored by what they are worth for their price.
func (b *resilienceStrong) Scores(state env.State, legal env.Mask, dst []float64) {
	b.ranking.begin(legal, dst)
	b.look(state, legal)
	switch b.table.state.Decision() {
	case resilience.AtAmount:
		b.amounts()
	case resilience.AtReply:
		b.reply()
	case resilience.AtPick:
		b.pick()
	default:
		b.turn()
	}
}

// look takes in the position: the time that is left, and the danger.
func (b *resilienceStrong) look(state env.State, legal env.Mask) {
	t := &b.table
	t.look(state, legal)
	b.odds.known = false
	for p := range b.least {
		b.least[p].known = false
	}
	t.left, b.next = b.allocations()
	s := t.state
	pace := float64(s.Tower()+1) / (s.RoundsDone() + 1.5)
	b.stones = pace * t.left
	for p := range env.Player(t.game.Players()) {
		b.stones += believed(s, p, pace/float64(t.game.Players()))
	}
	b.out = s.FallWithin(int(b.stones + 0.5))
	b.lq, b.res = 1+float64(b.weights.Fear*b.out), 1-float64(b.weights.Doubt*b.out)
	b.yield = max(1, t.left*float64(t.game.Production(resilience.Settlement))/float64(t.game.Cost(resilience.Settlement)),
		t.left*t.gain(resilience.City)/float64(t.game.Cost(resilience.City)))
}

// believed is by how many stones another seat's promise changes what its next turn brings, as far as it has kept its
// word before.
func believed(s *resilience.State, p env.Player, usual float64) float64 {
	promise := s.Promise(p)
	if promise == resilience.NoWord || p == s.Actor() {
		return 0
	}
	kept, broken := s.Kept(p)
	trust := float64(kept+1) / float64(kept+broken+1)
	switch promise {
	case resilience.Cut:
		return -trust * (usual + 1)
	case resilience.Grow:
		return trust * max(0, 1-usual)
	}
	return -trust * usual // calm, rest
}

// turn scores the menu.
func (b *resilienceStrong) turn() {
	b.ranking.put(resilience.Done, 0)
	b.buildings()
	b.sabbaticals()
	b.dismantling()
	b.offers()
	if best := b.ranking.best; best == resilience.Done || best == resilience.Sabbatical {
		b.talk()
	}
}

// buildings scores what each is worth for its price, below zero where it is not worth it.
func (b *resilienceStrong) buildings() {
	t, s := &b.table, b.table.state
	b.first = 0
	if f, price, ok := t.site(b.weights.Room, b.weights.Home, b.weights.Smoke); ok {
		b.build(resilience.Settle(f), b.settlement(f, price), price, float64(t.game.Production(resilience.Settlement)))
	}
	sites := s.Settlements(t.me) &^ s.Covered()
	for _, level := range [...]resilience.Level{resilience.City, resilience.Industry} {
		if sites == 0 || !t.mask.Has(develop(level, sites.First())) {
			continue
		}
		common := b.common(level)
		for f := range sites.Each {
			b.build(develop(level, f), b.development(level, f, common), float64(t.game.Cost(level)), t.gain(level))
		}
	}
}

func (b *resilienceStrong) build(a env.Action, value, price, income float64) {
	if value > 0 && b.first == 0 {
		b.first = income
	}
	b.ranking.put(a, value/price)
}

// settlement is what founding one is worth: income and its own LQ, if the air is clean.
func (b *resilienceStrong) settlement(f resilience.Field, price float64) float64 {
	t := &b.table
	value := float64(b.res * (float64(float64(t.game.Production(resilience.Settlement))*t.left) - price))
	lq := float64(float64(t.game.Data().SettlementLQ) * b.next)
	if t.game.Neighbours(f)&t.state.Industries() != 0 && t.state.LQ(t.me) > 0 {
		smog := float64(t.game.Data().SmogLQ)
		if t.game.SmogRounds() {
			smog = min(float64(smog*t.left), float64(t.state.LQ(t.me))+lq)
		}
		lq -= smog
	}
	return value + float64(b.lq*lq)
}

// common is what a development is worth wherever it is built: income, against its price and the danger of its stones.
func (b *resilienceStrong) common(level resilience.Level) float64 {
	t, s := &b.table, b.table.state
	value := b.res * (float64(t.gain(level)*t.left) - float64(t.game.Cost(level)))
	stones := t.game.BuildingStones(level)
	for k := range stones {
		value -= float64(b.weights.Guilt * s.NextFall(k))
	}
	if until := s.UntilEvent(); until > 0 && until <= stones {
		value -= float64(0.0125 * float64(s.Land(t.me).Count())) // the event hits somebody's land
	}
	if stones > 0 {
		switch s.Promise(t.me) {
		case resilience.Calm, resilience.Rest, resilience.Cut:
			value -= b.weights.Honour
		case resilience.Grow:
			value += b.weights.Honour
		}
	}
	return value
}

// development adds what depends on the field: a settlement's LQ that would not come any more, and the smog. What the
// smog costs others is worth something too, if not as much.
func (b *resilienceStrong) development(level resilience.Level, f resilience.Field, common float64) float64 {
	t, s := &b.table, b.table.state
	value := common
	if !s.Credited(t.me).Has(f) {
		value -= float64(b.lq * float64(t.game.Data().SettlementLQ))
	}
	if level == resilience.Industry {
		for p := range env.Player(t.game.Players()) {
			smog := b.smog(p, f)
			if p == t.me {
				value -= float64(b.lq * smog)
			} else {
				value += float64(b.weights.Spite * smog)
			}
		}
	}
	if value > 0 {
		value += float64(b.weights.Haste * float64(t.game.BuildingStones(level)))
	}
	return value
}

// smog is the LQ that an industry on f takes from p until the end.
func (b *resilienceStrong) smog(p env.Player, f resilience.Field) float64 {
	t := &b.table
	points := float64(t.state.SmogPayers(p, f).Count() * t.game.Data().SmogLQ)
	if t.game.SmogRounds() {
		points *= t.left
	}
	return min(points, float64(t.state.LQ(p)))
}

// sabbaticals scores a round off.
func (b *resilienceStrong) sabbaticals() {
	if b.table.mask.Has(resilience.Sabbatical) {
		value := b.sabbatical()
		if value > 0 {
			value += resilienceRest
		}
		b.ranking.put(resilience.Sabbatical, value)
	}
}

// sabbatical is what it is worth above playing on. While the seat still grows a lost round costs one at full size,
// later the income of one; and LQ evens out a hand of too much RES.
func (b *resilienceStrong) sabbatical() float64 {
	t, s := &b.table, b.table.state
	data := t.game.Data()
	income, gain, cost := float64(s.Income(t.me)), float64(data.SabbaticalLQ), float64(data.SabbaticalRES)
	share := min(t.game.Pieces(resilience.Settlement), resilience.NumFields/t.game.Players())
	forgone, repaired := income+b.first, 0.0
	if t.left > 3.5 && s.Land(t.me).Count() < share && s.Free() != 0 {
		forgone = max(income, float64(share+2))
	} else {
		without := b.penalty(float64(s.RES(t.me))+float64(income*t.left), float64(s.LQ(t.me)))
		with := b.penalty(float64(s.RES(t.me))+float64(income*(t.left-b.next))-cost, float64(s.LQ(t.me))+float64(gain*b.next))
		repaired = (1 - b.out) * (without - with)
	}
	value := float64(b.next*(float64(gain*b.lq)-float64(b.res*forgone))) - float64(b.res*cost) + repaired - 0.5
	if s.Promise(t.me) == resilience.Rest {
		value += b.weights.Honour
	}
	return value
}

// penalty is what an unequal end costs (RE-114).
func (b *resilienceStrong) penalty(res, lq float64) float64 {
	if 5*min(res, lq) < res+lq {
		return float64(b.table.game.Data().Penalty)
	}
	return 0
}
