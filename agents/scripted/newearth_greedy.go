package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/games/newearth"
)

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
		return b.legal(newearth.No)
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
		if a := b.legal(newearth.Goods10, newearth.Goods5, newearth.Done); a != newearth.Done {
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
	for _, a := range [...]env.Action{newearth.City, newearth.Play(newearth.StormDefence),
		newearth.Play(newearth.TechnologyResearch)} {
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
