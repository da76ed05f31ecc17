package newearth

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// actions are the blocks of the action table (RULES.md 5.3).
type actions struct {
	form.Actions
	zone, machine, worker, mfg form.Block // each [zone]; the decision gives the meaning
	amount, plus20             form.Block // [n], 0 to 19; the number goes on
	play, discard, sell, unit  form.Block // each [title]
	strike, tile               form.Block // [kind of catastrophe], [tile]
	goods, bulk, plant         form.Block // buy [five, ten], four machines, a plant
	city, raise                form.Block // start a conversion, raise every raisable zone
	yes, no, done              form.Block // take, accept, join; decline, cancel; end of a menu
	mining, energy             form.Block // the worker for a new zone
	propose, offer, give, want form.Block // send the offer, [places clockwise - 1], the two [kind, number]
}

const (
	numActions = 268 // for masks; the table has so many

	amountStep   = 20
	numTermSizes = 4
	maxTerms     = 3 // on each side of an offer
)

// termSizes are the numbers that one term of an offer can name.
var termSizes = [numTermSizes]int32{1, 2, 3, 5}

// act is the same for every configuration.
var act = newActions()

func newActions() (t actions) {
	zones := ids(allZones)
	t.zone = t.Each("zone", "zone", "zone", zones)
	t.machine = t.Each("machine", "machine", "zone", zones)
	t.worker = t.Each("worker", "worker", "zone", zones)
	t.mfg = t.Each("mfg", "mfg", "zone", zones)
	t.amount, t.plus20 = t.Each("amount", "amount", "", form.Numerals(0, amountStep-1)), t.Word("plus20")
	titles := cardNames[:NumTitles]
	t.play, t.discard = t.Each("play", "play", "card", titles), t.Each("discard", "discard", "card", titles)
	t.sell, t.unit = t.Each("sell", "sell", "card", titles), t.Each("unit", "unit", "card", titles)
	first := len(t.ActionTable)
	for k, id := range cardNames[NumTitles:] {
		t.Add("strike", "strike", id).PointAt("card", NumTitles+k)
	}
	t.strike = t.From(first, 1)
	t.tile = t.Each("tile", "tile", "tile", tileNames[:])
	t.goods = t.Each("goods", "goods", "", []string{"5", "10"})
	t.bulk, t.plant, t.city = t.Word("bulk"), t.Word("plant"), t.Word("city")
	t.raise = t.Each("raise", "raise", "", []string{"all"})
	t.yes, t.no, t.done = t.Word("yes"), t.Word("no"), t.Word("done")
	t.mining, t.energy, t.propose = t.Word("mining"), t.Word("energy"), t.Word("propose")
	t.offer = t.Seats("offer", "seat", 1, maxPlayers-1)
	t.give, t.want = t.terms("give"), t.terms("want")
	return t
}

// terms lists the terms of a side of an offer.
func (t *actions) terms(family string) form.Block {
	first := len(t.ActionTable)
	for _, kind := range kindNames {
		for _, n := range termSizes {
			t.Add(family, family, kind, strconv.Itoa(int(n)))
		}
	}
	return t.From(first, numTermSizes)
}

// The actions without a choice in them.
var (
	Plus20, Goods5, Goods10, Bulk = act.plus20.First, act.goods.At(0), act.goods.At(1), act.bulk.First
	Plant, City, RaiseAll         = act.plant.First, act.city.First, act.raise.First
	Yes, No, Done                 = act.yes.First, act.no.First, act.done.First
	MiningZone, EnergyZone        = act.mining.First, act.energy.First
	Propose                       = act.propose.First
)

// pieceOf is the kind and the zone of a piece, of an action that names them: machines, workers, manufacturing workers.
func pieceOf(a env.Action) (u Unit, z Zone, ok bool) {
	i := act.machine.Index(a)
	return Unit(i / NumZones), Zone(i % NumZones), act.machine.Has(a) || act.worker.Has(a) || act.mfg.Has(a)
}

// PickZone is "zone z".
func PickZone(z Zone) env.Action { return act.zone.At(int(z)) }

// Place is "machine z", "worker z" or "mfg z".
func Place(u Unit, z Zone) env.Action {
	return act.machine.At(NumZones*int(u) + int(z))
}

// Amount is "amount n", n from 0 to 19.
func Amount(n int) env.Action { return act.amount.At(n) }

// Play is "play t".
func Play(c Card) env.Action { return act.play.At(int(c)) }

// Discard is "discard t".
func Discard(c Card) env.Action { return act.discard.At(int(c)) }

// Sell is "sell t".
func Sell(c Card) env.Action { return act.sell.At(int(c)) }

// TradeIn is "unit t".
func TradeIn(c Card) env.Action { return act.unit.At(int(c)) }

// Strike is "strike k".
func Strike(c Card) env.Action { return act.strike.At(int(c - CivilDisorder)) }

// TakeTile is "tile x".
func TakeTile(t int) env.Action { return act.tile.At(t) }

// OfferTo is "offer +r", r from 1 to 3.
func OfferTo(r int) env.Action { return act.offer.At(r - 1) }

// Give is "give k n" with the largest number that a term can name up to n, which is at least 1.
func Give(k Kind, n int) env.Action { return act.give.AtPair(int(k), termOf(n)) }

// Want is "want k n", likewise.
func Want(k Kind, n int) env.Action { return act.want.AtPair(int(k), termOf(n)) }

func termOf(n int) int {
	i := len(termSizes) - 1
	for i > 0 && int(termSizes[i]) > n {
		i--
	}
	return i
}
