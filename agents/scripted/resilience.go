package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/resilience"
)

// The bots of Resilience Earth: what they share. Naive and greedy neither offer nor talk, and dismantle only for pay.

var resilienceBots = script{rulebook: resilience.Rulebook, bots: [len(levels)]bot{
	plain(func(g env.Game) policy { return &resilienceNaive{} }),
	plain(func(g env.Game) policy { return &resilienceGreedy{table: newResilienceTable(g)} }),
	{weights: resilienceWeightsOf, create: newResilienceStrong},
}}

// resilienceTable is what greedy and strong see, and what they share.
type resilienceTable struct {
	sight[*resilience.Game, *resilience.State]
	left float64 // allocations that must still be expected, this round's included
}

func newResilienceTable(g env.Game) resilienceTable {
	return resilienceTable{sight: newSight[*resilience.Game, *resilience.State](g)}
}

// look takes in the position.
func (t *resilienceTable) look(state env.State, legal env.Mask) {
	t.sight.look(state, legal)
	t.left = max(0.5, t.state.RoundsLeft())
}

// outsideTurn decides where it is not the own turn's menu: replies and the choice of a building.
func (t *resilienceTable) outsideTurn() (env.Action, bool) {
	switch s := t.state; s.Decision() {
	case resilience.AtReply:
		d := s.Deal()
		if d.Kind == resilience.Gift || d.Kind == resilience.Hire && float64(d.Amount) >= float64(1.5*t.left)+1 {
			return resilience.Yes, true
		}
		return resilience.No, true
	case resilience.AtPick:
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
	case resilience.AtTurn:
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
		value := float64(0.4*float64((around&s.Free()).Count())) + float64(0.3*float64((around&s.Land(t.me)).Count())) -
			float64(0.5*float64((around&s.Industries()).Count())) - float64(2*p)
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
		consider(resilience.Settle(f), float64(float64(t.game.Production(resilience.Settlement))*t.left)+lq, price)
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
			consider(develop(level, f), float64(t.gain(level)*t.left), price)
		}
	}
	return best
}

// resilienceNaive ends its turn now and then, and otherwise builds or rests at random.
type resilienceNaive struct {
	gambling
	legal []env.Action
}

// Choose draws among what builds something, and refuses every offer.
func (b *resilienceNaive) Choose(state env.State, legal env.Mask) env.Action {
	m := legal
	if m.Has(resilience.No) {
		return resilience.No
	}
	b.legal = b.legal[:0]
	for _, family := range [...]func(resilience.Field) env.Action{resilience.Settle, resilience.BuildCity,
		resilience.BuildIndustry} {
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
