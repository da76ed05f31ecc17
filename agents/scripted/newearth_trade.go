package scripted

import (
	"earthgym/env"
	"earthgym/games/newearth"
)

// newEarthPrices are what units, goods and cash are worth to a seat that lacks none of them.
var newEarthPrices = [...]float64{newearth.Mining: 1, newearth.Energy: 1.2, newearth.Manufacturing: 1.8, newearth.Goods: 0.9, newearth.Cash: 0.8}

// reply accepts offers that bring clearly more than they take.
func (b *newEarthStrong) reply() env.Action {
	gain, loss := 0.0, 0.0
	for k, n := range b.state.Offered() {
		if n > 0 {
			gain += newEarthPrices[k] * float64(n)
		} else {
			loss -= newEarthPrices[k] * float64(n)
		}
	}
	if gain > b.weights.Profit*loss {
		return newearth.Yes
	}
	return newearth.No
}
