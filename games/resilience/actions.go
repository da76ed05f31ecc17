package resilience

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The action table (RULES.md 5.4): blocks of numbers, one per family.
const (
	settle0    env.Action = 0                      // + field
	city0                 = settle0 + NumFields    // + field
	industry0             = city0 + NumFields      // + field
	dismantle0            = industry0 + NumFields  // + field
	Sabbatical            = dismantle0 + NumFields // pay 1 RES, 8 LQ at the allocation, end the turn
	Done                  = Sabbatical + 1         // end the turn
	offer0                = Done + 1               // + 4 x (places clockwise - 1) + kind
	amount0               = offer0 + numOffers     // + RES - 1
	Yes                   = amount0 + maxAmount    // accept the offer
	No                    = Yes + 1                // refuse it
	say0                  = No + 1                 // + word - 1
	numActions            = int(say0) + int(numWords-Calm)
	numOffers             = (maxPlayers - 1) * env.Action(numKinds)
)

// Settle founds a settlement.
func Settle(f Field) env.Action { return settle0 + env.Action(f) }

// BuildCity turns a settlement into a city.
func BuildCity(f Field) env.Action { return city0 + env.Action(f) }

// BuildIndustry turns a settlement into an industry.
func BuildIndustry(f Field) env.Action { return industry0 + env.Action(f) }

// Dismantle takes a building down by one step; in Pick it is the one that the deal is about.
func Dismantle(f Field) env.Action { return dismantle0 + env.Action(f) }

// Offer opens a deal with the seat that sits places (1 to 3) clockwise from the active one.
func Offer(places int, k Kind) env.Action {
	return offer0 + env.Action(places-1)*env.Action(numKinds) + env.Action(k)
}

// Amount names the RES of an offer, 1 to 20.
func Amount(k int) env.Action { return amount0 + env.Action(k-1) }

// Say makes a statement.
func Say(w Word) env.Action { return say0 + env.Action(w-Calm) }

var (
	kindTexts = [numKinds]string{"gift", "ask", "hire", "serve"}
	wordTexts = [numWords]string{"", "calm", "cut", "rest", "grow", "warn"}
)

// actionTable is the same for every configuration.
func actionTable() (t env.ActionTable) {
	for _, family := range []string{"settle", "city", "industry", "dismantle"} {
		t.Each(family, family, fieldObject, fieldNames[:])
	}
	t.Words("sabbatical", "done")
	for places := 1; places < maxPlayers; places++ {
		for _, kind := range kindTexts {
			t.Add("offer", "offer", "+"+strconv.Itoa(places), kind).PointAt(seatObject, places)
		}
	}
	t.Each("amount", "amount", "", form.Numerals(1, maxAmount))
	t.Words("yes", "no")
	t.Each("say", "say", "", wordTexts[Calm:])
	return t
}

// clockwise is the seat so many places clockwise from the active one.
func (s *State) clockwise(places int) env.Player {
	return env.Player((int(s.Active()) + places) % s.game.players)
}

// offerOf returns the kind and the seat asked of an offer.
func (s *State) offerOf(a env.Action) (Kind, env.Player) {
	i := a - offer0
	return Kind(i % env.Action(numKinds)), s.clockwise(int(i)/int(numKinds) + 1)
}
