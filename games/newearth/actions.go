package newearth

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The action table (RULES.md 5.3): blocks of numbers, one per family.
const (
	zone0      env.Action = 0                       // + zone; the decision gives the meaning
	machine0              = zone0 + NumZones        // + zone
	worker0               = machine0 + NumZones     // + zone
	mfg0                  = worker0 + NumZones      // + zone
	amount0               = mfg0 + NumZones         // + n, 0 to 19
	Plus20                = amount0 + amountStep    // the number goes on
	play0                 = Plus20 + 1              // + title
	discard0              = play0 + numTitles       // + title
	sell0                 = discard0 + numTitles    // + title
	unit0                 = sell0 + numTitles       // + title
	strike0               = unit0 + numTitles       // + kind of catastrophe
	tile0                 = strike0 + numStrikes    // + tile
	Goods5                = tile0 + NumTiles        // buy five goods
	Goods10               = Goods5 + 1              // buy ten
	Bulk                  = Goods10 + 1             // buy four machines
	Plant                 = Bulk + 1                // buy a plant
	City                  = Plant + 1               // start a conversion
	RaiseAll              = City + 1                // raise every raisable zone
	Yes                   = RaiseAll + 1            // take, accept, join
	No                    = Yes + 1                 // decline, cancel
	Done                  = No + 1                  // end of a menu
	MiningZone            = Done + 1                // a mining worker for a new zone
	EnergyZone            = MiningZone + 1          // an energy worker
	Propose               = EnergyZone + 1          // send the offer
	offer0                = Propose + 1             // + places clockwise - 1
	give0                 = offer0 + maxPlayers - 1 // + 4 x kind + index of the number
	want0                 = give0 + numTerms        // the same
	numActions            = int(want0 + numTerms)

	amountStep = 20
	numTitles  = env.Action(NumTitles)
	numStrikes = env.Action(numCatastrophes)
	numTerms   = env.Action(numKinds) * numTermSizes

	numTermSizes = 4
	maxTerms     = 3 // on each side of an offer
)

// termSizes are the numbers that one term of an offer can name.
var termSizes = [numTermSizes]int32{1, 2, 3, 5}

// PickZone is "zone z".
func PickZone(z Zone) env.Action { return zone0 + env.Action(z) }

// Place is "machine z", "worker z" or "mfg z".
func Place(u Unit, z Zone) env.Action {
	return machine0 + NumZones*env.Action(u) + env.Action(z)
}

// Amount is "amount n", n from 0 to 19.
func Amount(n int) env.Action { return amount0 + env.Action(n) }

// Play is "play t".
func Play(c Card) env.Action { return play0 + env.Action(c) }

// Discard is "discard t".
func Discard(c Card) env.Action { return discard0 + env.Action(c) }

// Sell is "sell t".
func Sell(c Card) env.Action { return sell0 + env.Action(c) }

// TradeIn is "unit t".
func TradeIn(c Card) env.Action { return unit0 + env.Action(c) }

// Strike is "strike k".
func Strike(c Card) env.Action { return strike0 + env.Action(c-CivilDisorder) }

// TakeTile is "tile x".
func TakeTile(t int) env.Action { return tile0 + env.Action(t) }

// OfferTo is "offer +r", r from 1 to 3.
func OfferTo(r int) env.Action { return offer0 + env.Action(r-1) }

// Give is "give k n" with the largest number that a term can name up to n, which is at least 1.
func Give(k Kind, n int) env.Action { return give0 + termOf(k, n) }

// Want is "want k n", likewise.
func Want(k Kind, n int) env.Action { return want0 + termOf(k, n) }

func termOf(k Kind, n int) env.Action {
	i := len(termSizes) - 1
	for i > 0 && int(termSizes[i]) > n {
		i--
	}
	return env.Action(int(k)*numTermSizes + i)
}

// actionTable is the same for every configuration.
func actionTable() (t env.ActionTable) {
	for _, family := range []string{"zone", unitNames[Machine], unitNames[Worker], unitNames[Maker]} {
		t.Each(family, family, "zone", allZones.ids())
	}
	t.Each("amount", "amount", "", form.Numerals(0, amountStep-1))
	t.Words("plus20")
	for _, family := range []string{"play", "discard", "sell", "unit"} {
		t.Each(family, family, "card", cardNames[:NumTitles])
	}
	for k, id := range cardNames[NumTitles:] {
		t.Add("strike", "strike", id).PointAt("card", NumTitles+k)
	}
	t.Each("tile", "tile", "tile", tileNames[:])
	t.Each("goods", "goods", "", []string{"5", "10"})
	t.Words("bulk", "plant", "city")
	t.Add("raise", "raise", "all")
	t.Words("yes", "no", "done", "mining", "energy", "propose")
	for r := 1; r < maxPlayers; r++ {
		t.Add("offer", "offer", "+"+strconv.Itoa(r)).PointAt("seat", r)
	}
	for _, family := range []string{"give", "want"} {
		for _, kind := range kindNames {
			for _, n := range termSizes {
				t.Add(family, family, kind, strconv.Itoa(int(n)))
			}
		}
	}
	return t
}
