package scripted

import (
	"earthgym/env"
	"earthgym/games/newearth"
)

// Trade, as the strong bot of New Earth does it: who lacks a unit or two of a lot buys them with what lies idle, for
// more than they are worth to the seller. Stocks, outputs and cash are public, so that each can see what is scarce with
// the other: both gain.

// newEarthPrices are what units, goods and cash are worth to a seat that has as much of each as it needs.
var newEarthPrices = [...]float64{newearth.Mining: 1, newearth.Energy: 1.2, newearth.Manufacturing: 1.8,
	newearth.Goods: 0.9, newearth.Cash: 0.8}

// numTraded is the number of kinds that offers name.
const numTraded = len(newEarthPrices)

// values are what a unit of each kind is worth to a seat: the more, the less of it there is beside the other sorts, by
// what goods take of each.
func (b *newEarthStrong) values(p env.Player) [numTraded]float64 {
	s, lot := b.state, b.game.Data().Chart.Goods10
	made := s.Output(p)
	var turns [3]float64 // for which stock and output last
	sum := 0.0
	for k, cost := range [...]int{lot.Mining, lot.Energy, lot.Manufacturing} {
		turns[k] = (float64(s.Has(p, newearth.Kind(k))+int(made[k])) + 0.5) / max(1, float64(cost))
		sum += turns[k]
	}
	values := newEarthPrices
	for k, t := range turns {
		values[k] *= min(max(sum/3/t, 0.6), 2)
	}
	if idle := s.Has(p, newearth.Cash) - s.Need(p)/2; idle > 10 {
		values[newearth.Cash] *= 0.7
	} else if idle < 2 {
		values[newearth.Cash] *= 1.5
	}
	return values
}

// A deal is what one seat wants of another, and what it gives.
type deal struct {
	want, give   newearth.Kind
	wants, gives int
}

// maxDeal is the most of a kind that a deal names; three terms are enough for it.
const maxDeal = 10

// bargain is the deal with a seat that lets a lot be bought at the least cost, if both gain by it.
func (b *newEarthStrong) bargain(q env.Player, lot newearth.Lot) (best deal, cost float64, ok bool) {
	s := b.state
	var has, short, price [numTraded]int
	price[newearth.Mining], price[newearth.Energy], price[newearth.Manufacturing], price[newearth.Cash] = lot.Mining,
		lot.Energy, lot.Manufacturing, lot.Cash
	best.want = -1
	for k := range has {
		has[k] = s.Has(b.me, newearth.Kind(k))
		if short[k] = price[k] - has[k]; short[k] > 0 {
			if best.want >= 0 {
				return best, 0, false // two kinds are missing
			}
			best.want, best.wants = newearth.Kind(k), short[k]
		}
	}
	if best.want < 0 || best.wants > maxDeal/2 || s.Has(q, best.want) < best.wants {
		return best, 0, false
	}
	mine, theirs := b.values(b.me), b.values(q)
	gain := mine[best.want] * float64(best.wants)
	loss := b.weights.Profit * b.weights.Margin * max(theirs[best.want], newEarthPrices[best.want]) * float64(best.wants)
	for k := range newearth.Kind(numTraded) {
		if k == best.want || k == newearth.Goods {
			continue
		}
		gives := int(loss/min(theirs[k], newEarthPrices[k])) + 1
		idle := has[k] - price[k]
		if k == newearth.Cash {
			idle -= b.reserve() / 2
		}
		if c := mine[k] * float64(gives); gives <= min(idle, maxDeal) && c < gain {
			best.give, best.gives, gain, ok = k, gives, c, true
		}
	}
	return best, gain, ok
}

// next is the lot that is bought next if what lacks of it can be had.
func (b *newEarthStrong) next() (newearth.Lot, bool) {
	s, chart := b.state, &b.game.Data().Chart
	if _, wanted := b.goodsWanted(); s.Has(b.me, newearth.Goods) < wanted {
		return chart.Goods5, true
	}
	return chart.Machine, b.left() >= 2 && s.Owned(b.me)&(s.Room()|s.Bays())&^s.Affected() != 0
}

// offer is a first step to a deal, or false if there is none.
func (b *newEarthStrong) offer() (env.Action, bool) {
	if !b.mask.Has(newearth.OfferTo(1)) {
		return 0, false
	}
	lot, ok := b.next()
	if !ok {
		return 0, false
	}
	partner, least := 0, 0.0
	n := b.game.Players()
	for r := 1; r < n; r++ {
		if _, cost, ok := b.bargain(env.Player((int(b.me)+r)%n), lot); ok && (partner == 0 || cost < least) {
			partner, least = r, cost
		}
	}
	if partner == 0 {
		return 0, false
	}
	return newearth.OfferTo(partner), true
}

// terms goes on with an offer: what is wanted, what is given, and off it goes.
func (b *newEarthStrong) terms() env.Action {
	lot, _ := b.next()
	d, _, ok := b.bargain(b.state.Partner(), lot)
	if !ok {
		return newearth.No
	}
	so := b.state.Offered() // to the partner
	if left := d.wants + so[d.want]; left > 0 {
		return b.first(newearth.Want(d.want, left), newearth.No)
	}
	if left := d.gives - so[d.give]; left > 0 {
		return b.first(newearth.Give(d.give, left), newearth.No)
	}
	return newearth.Propose
}

// reply accepts offers that bring clearly more than they take, and that the other gains by too. Who seems to give
// something away has seen what these values do not.
func (b *newEarthStrong) reply() env.Action {
	mine, theirs := b.values(b.me), b.values(b.state.Offerer())
	gain, loss, other := 0.0, 0.0, 0.0
	for k, n := range b.state.Offered() {
		if n > 0 {
			gain += float64(mine[k] * float64(n))
		} else {
			loss -= float64(mine[k] * float64(n))
		}
		other -= float64(theirs[k] * float64(n))
	}
	if gain > b.weights.Profit*loss && other > 0 {
		return newearth.Yes
	}
	return newearth.No
}
