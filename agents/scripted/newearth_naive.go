package scripted

import (
	"slices"

	"earthgym/env"
	"earthgym/games/newearth"
)

// newEarthNaive plays at random, but has seen that everything starts with goods, and goods with
// manufacturing: it saves for what its levels need, raises nothing that it can't keep up, keeps levels equal,
// and prefers manufacturing workers. It likes cities, and elections when it is rich. It offers and moves nothing, and
// bids with care.
type newEarthNaive struct {
	newEarthTable
	luck env.Stream
	acts []env.Action
}

// Seed seeds its chance.
func (b *newEarthNaive) Seed(seed uint64) { b.luck = env.NewStream(seed, "new earth") }

// Remembers says that it goes on drawing where it has stopped.
func (b *newEarthNaive) Remembers(env.State) bool { return true }

// Choose draws among the legal actions; the ends of menus are likelier than the rest.
func (b *newEarthNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	switch s.Decision() {
	case newearth.AtProduce:
		if s.Has(b.me, newearth.Goods) < s.Need(b.me) {
			return b.legal(newearth.Goods10, newearth.Goods5, newearth.Done)
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
		return b.legal(newearth.Amount(0))
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
	for own := s.Owned(b.me); own != 0; own = own.Rest() {
		lowest = min(lowest, s.Level(own.First()))
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
