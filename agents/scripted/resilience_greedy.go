package scripted

import (
	"earthgym/env"
	"earthgym/games/resilience"
)

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
