package resilience

import (
	"earthgym/env"
	"earthgym/env/form"
)

// actions are the blocks of the action table (RULES.md 5.4).
type actions struct {
	form.Actions
	settle, city, industry, dismantle form.Block // each [field]
	sabbatical, done                  form.Block
	offer                             form.Block // [places clockwise from the active seat - 1, kind]
	amount                            form.Block // [RES - 1]
	yes, no                           form.Block
	say                               form.Block // [word - 1]
}

// act is the same for every configuration.
var act = newActions()

func newActions() (t actions) {
	t.settle = t.Each("settle", "settle", fieldObject, fieldNames[:])
	t.city = t.Each("city", "city", fieldObject, fieldNames[:])
	t.industry = t.Each("industry", "industry", fieldObject, fieldNames[:])
	t.dismantle = t.Each("dismantle", "dismantle", fieldObject, fieldNames[:])
	t.sabbatical, t.done = t.Word("sabbatical"), t.Word("done")
	t.offer = t.Seats("offer", seatObject, 1, maxPlayers-1, kindTexts[:]...)
	t.amount = t.Each("amount", "amount", "", form.Numerals(1, maxAmount))
	t.yes, t.no = t.Word("yes"), t.Word("no")
	t.say = t.Each("say", "say", "", wordTexts[Calm:])
	return t
}

// The actions without a choice in them.
var (
	Sabbatical = act.sabbatical.At(0) // pay 1 RES, 8 LQ at the allocation, end the turn
	Done       = act.done.At(0)       // end the turn
	Yes        = act.yes.At(0)        // accept the offer
	No         = act.no.At(0)         // refuse it
)

// Settle founds a settlement.
func Settle(f Field) env.Action { return act.settle.At(int(f)) }

// BuildCity turns a settlement into a city.
func BuildCity(f Field) env.Action { return act.city.At(int(f)) }

// BuildIndustry turns a settlement into an industry.
func BuildIndustry(f Field) env.Action { return act.industry.At(int(f)) }

// Dismantle takes a building down by one step; in Pick it is the one that the deal is about.
func Dismantle(f Field) env.Action { return act.dismantle.At(int(f)) }

// Offer opens a deal with the seat that sits places (1 to 3) clockwise from the active one.
func Offer(places int, k Kind) env.Action { return act.offer.AtPair(places-1, int(k)) }

// Amount names the RES of an offer, 1 to 20.
func Amount(k int) env.Action { return act.amount.At(k - 1) }

// Say makes a statement.
func Say(w Word) env.Action { return act.say.At(int(w - Calm)) }

var (
	kindTexts = [numKinds]string{"gift", "ask", "hire", "serve"}
	wordTexts = [numWords]string{"", "calm", "cut", "rest", "grow", "warn"}
)
