package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/resilience"
)

// The bots of Resilience Earth. None of them offers, talks or dismantles of its own accord.

var resilienceBots = script{resilience.Rulebook, [len(levels)]bot{
	plain(func(g env.Game) policy { return &resilienceNaive{} }),
	plain(func(g env.Game) policy { return &resilienceGreedy{table: newResilienceTable(g)} }),
	{weights: resilienceWeightsOf, create: newResilienceStrong},
}}

// resilienceNaive ends its turn now and then, and otherwise builds or rests at random.
type resilienceNaive struct {
	luck  env.Stream
	legal []env.Action
}

// Reset seeds its chance.
func (b *resilienceNaive) Reset(seed uint64) { b.luck = env.NewStream(seed, "naive") }

// Choose draws among what builds something, and refuses every offer.
func (b *resilienceNaive) Choose(state env.State, legal env.Mask) env.Action {
	m := legal
	if m.Has(resilience.No) {
		return resilience.No
	}
	b.legal = b.legal[:0]
	for _, family := range [...]func(resilience.Field) env.Action{resilience.Settle, resilience.BuildCity, resilience.BuildIndustry} {
		for f := range resilience.Field(resilience.NumFields) {
			if m.Has(family(f)) {
				b.legal = append(b.legal, family(f))
			}
		}
	}
	if m.Has(resilience.Sabbatical) {
		b.legal = append(b.legal, resilience.Sabbatical)
	}
	if !m.Has(resilience.Done) {
		return m.Nth(0)
	}
	if len(b.legal) == 0 || b.luck.Float64() < 0.3 {
		return resilience.Done
	}
	return b.legal[b.luck.Below(len(b.legal))]
}

// resilienceTable is what greedy and strong see, and what they share.
type resilienceTable struct {
	game  *resilience.Game
	state *resilience.State
	me    env.Player
	mask  env.Mask
	left  float64 // allocations that must still be expected, this round's included
}

func newResilienceTable(g env.Game) resilienceTable {
	return resilienceTable{game: g.(*resilience.Game)}
}

// look takes in the position.
func (t *resilienceTable) look(state env.State, legal env.Mask) {
	t.state, t.me, t.mask = state.(*resilience.State), state.Actor(), legal
	t.left = max(0.5, t.state.RoundsLeft())
}

// outsideTurn decides where it is not the own turn's menu: replies and the choice of a building.
func (t *resilienceTable) outsideTurn() (env.Action, bool) {
	switch s := t.state; s.Phase() {
	case resilience.Reply:
		d := s.Deal()
		if d.Kind == resilience.Gift || d.Kind == resilience.Hire && float64(d.Amount) >= 1.5*t.left+1 {
			return resilience.Yes, true
		}
		return resilience.No, true
	case resilience.Pick:
		best, rank := env.Action(-1), -1
		for f := range resilience.Field(resilience.NumFields) {
			if !t.mask.Has(resilience.Dismantle(f)) {
				continue
			}
			r := 0
			if s.Level(f) == resilience.City {
				r += 2
			}
			if s.Covered().Has(f) {
				r++
			}
			if r > rank {
				best, rank = resilience.Dismantle(f), r
			}
		}
		return best, true
	case resilience.Turn:
		return 0, false
	}
	return t.mask.Nth(0), true
}

// site is the legal field that is best to settle: room to grow, near home, away from smoke, cheap.
func (t *resilienceTable) site() (best resilience.Field, price float64, ok bool) {
	s, top := t.state, math.Inf(-1)
	for f := range resilience.Field(resilience.NumFields) {
		if !t.mask.Has(resilience.Settle(f)) {
			continue
		}
		around := t.game.Neighbours(f)
		p := float64(s.SettlePrice(t.me, f))
		value := 0.4*float64((around&s.Free()).Count()) + 0.3*float64((around&s.Land(t.me)).Count()) -
			0.5*float64((around&s.Industries()).Count()) - 2*p
		if value > top {
			best, price, top, ok = f, p, value, true
		}
	}
	return best, price, ok
}

// unpaid are the fields around f that an industry there would make pay, of the seats that has says.
func (t *resilienceTable) unpaid(f resilience.Field, has func(p env.Player) bool) int {
	n := 0
	for p := range env.Player(t.game.Players()) {
		if has(p) {
			n += t.state.SmogPayers(p, f).Count()
		}
	}
	return n
}

// gain is what developing a plain settlement adds to the income.
func (t *resilienceTable) gain(level resilience.Level) float64 {
	return float64(t.game.Production(level) - t.game.Production(resilience.Settlement))
}

func develop(level resilience.Level, f resilience.Field) env.Action {
	if level == resilience.City {
		return resilience.BuildCity(f)
	}
	return resilience.BuildIndustry(f)
}

// resilienceGreedy takes whatever pays back best, and minds neither the tower nor its life quality.
type resilienceGreedy struct{ table resilienceTable }

// Reset has nothing to seed.
func (b *resilienceGreedy) Reset(uint64) {}

// Choose takes the action of the highest rate of return.
func (b *resilienceGreedy) Choose(state env.State, legal env.Mask) env.Action {
	t := &b.table
	t.look(state, legal)
	if a, ok := t.outsideTurn(); ok {
		return a
	}
	best, top := env.Action(resilience.Done), 0.0
	consider := func(a env.Action, gain, price float64) {
		if rate := (gain - price) / price; rate > top {
			best, top = a, rate
		}
	}
	if f, price, ok := t.site(); ok {
		lq := float64(t.game.Data().SettlementLQ)
		consider(resilience.Settle(f), float64(t.game.Production(resilience.Settlement))*t.left+lq, price)
	}
	for _, level := range [...]resilience.Level{resilience.City, resilience.Industry} {
		for f := range resilience.Field(resilience.NumFields) {
			if !t.mask.Has(develop(level, f)) {
				continue
			}
			price := float64(t.game.Cost(level))
			if !t.state.Credited(t.me).Has(f) {
				price++
			}
			if level == resilience.Industry {
				price += float64(t.unpaid(f, func(p env.Player) bool { return p == t.me }))
			}
			consider(develop(level, f), t.gain(level)*t.left, price)
		}
	}
	return best
}

// resilienceWeights are what resilienceStrong weighs by.
type resilienceWeights struct {
	Fear  float64 `low:"0" high:"3" help:"what a certain fall adds to the worth of a point of LQ, which counts if the tower falls"`
	Doubt float64 `low:"0" high:"1" help:"what a certain fall takes from the worth of a point of RES"`
	Guilt float64 `low:"0" high:"100" help:"what toppling the tower costs, in points"`
	Spite float64 `low:"0" high:"2" help:"worth of a point of LQ that smog takes from others"`
	Haste float64 `low:"0" high:"3" help:"worth of a stone of a building that pays: safe stones are a common good, and whoever comes first has them"`
}

// resilienceWeightsOf were tuned by play for each number of seats.
func resilienceWeightsOf(g env.Game) any {
	w := &resilienceWeights{Fear: 0.2, Doubt: 0.2, Guilt: 25, Spite: 0.25, Haste: 1}
	switch g.Info().Players {
	case 2:
		w.Fear, w.Doubt, w.Guilt = 0.4, 0.5, 35
	case 3:
		w.Fear, w.Doubt, w.Guilt = 1, 1, 35
	}
	return w
}

// resilienceStrong weighs its income against the tower and the life quality that counts if it falls.
type resilienceStrong struct {
	table   resilienceTable
	weights *resilienceWeights

	out    float64 // chance that the tower falls before the end, at the pace so far
	lq     float64 // worth of a point of LQ
	res    float64 // worth of a point of RES
	best   env.Action
	rate   float64
	first  float64 // income gained by the first action worth taking
	chosen bool
}

func newResilienceStrong(g env.Game, weights any) policy {
	return &resilienceStrong{table: newResilienceTable(g), weights: weights.(*resilienceWeights)}
}

// Reset has nothing to seed.
func (b *resilienceStrong) Reset(uint64) {}

// Choose rests if that is worth more than a round's income, and otherwise builds what is worth most for its
// price.
func (b *resilienceStrong) Choose(state env.State, legal env.Mask) env.Action {
	t := &b.table
	t.look(state, legal)
	if a, ok := t.outsideTurn(); ok {
		return a
	}
	s := t.state
	pace := float64(s.Tower()+1) / (s.RoundsDone() + 1.5)
	b.out = s.FallWithin(int(math.Floor(pace*t.left + 0.5)))
	b.lq, b.res = 1+b.weights.Fear*b.out, 1-b.weights.Doubt*b.out
	b.best, b.rate, b.first, b.chosen = resilience.Done, 0, 0, false
	if f, price, ok := t.site(); ok {
		income := float64(t.game.Production(resilience.Settlement))
		b.keep(resilience.Settle(f), b.settlement(f, price), price, income)
	}
	for _, level := range [...]resilience.Level{resilience.City, resilience.Industry} {
		for f := range resilience.Field(resilience.NumFields) {
			if t.mask.Has(develop(level, f)) {
				b.keep(develop(level, f), b.development(level, f), float64(t.game.Cost(level)), t.gain(level))
			}
		}
	}
	if t.mask.Has(resilience.Sabbatical) && t.left >= 1 && b.sabbatical() > 0 {
		return resilience.Sabbatical
	}
	return b.best
}

// keep remembers an action worth taking if no other gives more for its price.
func (b *resilienceStrong) keep(a env.Action, value, price, income float64) {
	if value <= 0 {
		return
	}
	if !b.chosen {
		b.first, b.chosen = income, true
	}
	if rate := value / price; rate > b.rate {
		b.best, b.rate = a, rate
	}
}

func (b *resilienceStrong) settlement(f resilience.Field, price float64) float64 {
	t := &b.table
	value := b.res * (float64(t.game.Production(resilience.Settlement))*t.left - price)
	if t.game.Neighbours(f)&t.state.Industries() == 0 || t.state.LQ(t.me) == 0 {
		value += b.lq * float64(t.game.Data().SettlementLQ)
	}
	return value
}

func (b *resilienceStrong) development(level resilience.Level, f resilience.Field) float64 {
	t, s := &b.table, b.table.state
	value := b.res * (t.gain(level)*t.left - float64(t.game.Cost(level)))
	if !s.Credited(t.me).Has(f) {
		value -= b.lq
	}
	if level == resilience.Industry {
		own := t.unpaid(f, func(p env.Player) bool { return p == t.me })
		value -= b.lq * float64(min(s.LQ(t.me), own))
		value += b.weights.Spite * float64(t.unpaid(f, func(p env.Player) bool { return p != t.me && s.LQ(p) > 0 }))
	}
	stones := t.game.BuildingStones(level)
	for k := range stones {
		value -= b.weights.Guilt * s.NextFall(k)
	}
	if until := s.UntilEvent(); until > 0 && until <= stones {
		value -= 0.0125 * float64(s.Land(t.me).Count())
	}
	if value > 0 {
		value += b.weights.Haste * float64(stones)
	}
	return value
}

// sabbatical is what a sabbatical is worth above playing on.
func (b *resilienceStrong) sabbatical() float64 {
	t, s := &b.table, b.table.state
	data := t.game.Data()
	income, gain, cost := float64(s.Income(t.me)), float64(data.SabbaticalLQ), float64(data.SabbaticalRES)
	share := min(t.game.Pieces(resilience.Settlement), resilience.NumFields/t.game.Players())
	forgone, repaired := income+b.first, 0.0
	if t.left > 3.5 && s.Land(t.me).Count() < share && s.Free() != 0 {
		forgone = max(income, float64(share+2)) // still growing: a lost round costs one at full size
	} else {
		without := b.penalty(float64(s.RES(t.me))+income*t.left, float64(s.LQ(t.me)))
		with := b.penalty(float64(s.RES(t.me))+income*(t.left-1)-cost, float64(s.LQ(t.me))+gain)
		repaired = (1 - b.out) * (without - with)
	}
	return gain*b.lq - b.res*(cost+forgone) + repaired - 0.5
}

// penalty is what an unequal end costs (RE-114).
func (b *resilienceStrong) penalty(res, lq float64) float64 {
	if 5*min(res, lq) < res+lq {
		return float64(b.table.game.Data().Penalty)
	}
	return 0
}
