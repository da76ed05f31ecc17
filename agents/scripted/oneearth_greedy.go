package scripted

import (
	"earthgym/env"
	"earthgym/games/oneearth"
)

// oneEarthGreedy buys Prosperity where it is cheapest, and minds Emissions only near the ruin.
type oneEarthGreedy struct{ oneEarthTable }

// Choose takes the Project with most Prosperity for its cost, else a Technology, else a Policy.
func (b *oneEarthGreedy) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	if s.Decision != oneearth.AtTurn {
		return b.outsideTurn()
	}
	best, top := env.Action(-1), 0.0
	for slot, x := range s.Row {
		a := oneearth.Fund + env.Action(slot)
		if !b.mask.Has(a) || ruins(s, a) {
			continue
		}
		dirt := 1.0
		if b.game.WithNPC() { // few countries: the own Emissions count for more
			dirt = 2
		}
		price := float64(b.game.Components.Projects[x].Cost) + float64(dirt*float64(s.EmissionWorth(x, false)))
		if rate := float64(s.Worth(b.me, x, false)) / max(1, price); rate > top {
			best, top = a, rate
		}
	}
	if best >= 0 {
		return best
	}
	for i := range env.Action(oneearth.NumTechnologies) {
		if b.mask.Has(oneearth.Tech + i) {
			return oneearth.Tech + i
		}
	}
	if s.Global >= 20 {
		for i := range env.Action(oneearth.NumPolicies) {
			if b.mask.Has(oneearth.FundPolicy + i) {
				return oneearth.FundPolicy + i
			}
		}
	}
	return oneearth.Pass
}
