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
		pick := undecided()
		for f, a := range among[resilience.Field](t.mask, resilience.Dismantle(0), resilience.NumFields) {
			rank := 0.0
			if s.Level(f) == resilience.City {
				rank += 2
			}
			if s.Covered().Has(f) {
				rank++
			}
			pick.put(a, rank)
		}
		return pick.best, true
	case resilience.AtTurn:
		return 0, false
	}
	return t.mask.Nth(0), true
}

// site is the legal field that is best to settle: room to grow, near home, away from smoke, cheap. The weights are
// those of a field beside it that is free, own, or an industry.
func (t *resilienceTable) site(room, home, smoke float64) (best resilience.Field, price float64, ok bool) {
	s := t.state
	free, land, industries := s.Free(), s.Land(t.me), s.Industries()
	sites := free
	if land != 0 && s.RES(t.me) < t.game.Cost(resilience.Settlement)+t.game.Data().Travel {
		sites &= t.game.Beside(land)
	}
	top := math.Inf(-1)
	for r := sites; r != 0; r &= r - 1 {
		f := r.First()
		if !t.mask.Has(resilience.Settle(f)) {
			return best, price, ok // too dear, or no piece left
		}
		around := t.game.Neighbours(f)
		p := float64(s.SettlePrice(t.me, f))
		value := float64(room*float64((around&free).Count())) + float64(home*float64((around&land).Count())) -
			float64(smoke*float64((around&industries).Count())) - float64(2*p)
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
	best := choice[env.Action]{resilience.Done, 0}
	consider := func(a env.Action, gain, price float64) { best.put(a, (gain-price)/price) }
	if f, price, ok := t.site(0.4, 0.3, 0.5); ok {
		lq := float64(t.game.Data().SettlementLQ)
		consider(resilience.Settle(f), float64(float64(t.game.Production(resilience.Settlement))*t.left)+lq, price)
	}
	for _, level := range [...]resilience.Level{resilience.City, resilience.Industry} {
		for f, a := range among[resilience.Field](t.mask, develop(level, 0), resilience.NumFields) {
			price := float64(t.game.Cost(level))
			if !t.state.Credited(t.me).Has(f) {
				price++
			}
			if level == resilience.Industry {
				price += float64(t.unpaid(f, func(p env.Player) bool { return p == t.me }))
			}
			consider(a, float64(t.gain(level)*t.left), price)
		}
	}
	return best.best
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
	for a := resilience.Settle(0); a < resilience.Dismantle(0); a++ { // settlements, cities and industries
		if m.Has(a) {
			b.legal = append(b.legal, a)
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
