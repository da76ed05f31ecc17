package earthman

import (
	"earthgym/env"
	"earthgym/env/form"
)

// actions are the blocks of the action table (RULES.md 5.4). Seats are counted clockwise from the one that decides.
type actions struct {
	form.Actions
	done, yes, no, all, count                        form.Block // count [number]
	at, part, risk                                   form.Block // each [place]
	region, seat, tech                               form.Block // [region], [places clockwise], [technology]
	fire, fireRisk, overthrow, overthrowRisk         form.Block // each [target]
	expand, pacify, replicate                        form.Block // expand [3 - size]
	influence, research, researchRisk, build, reroll form.Block // build [4 - size], reroll [class]
	resource, discontent, sanction, claim, peace     form.Block
	fleet, study, voyage, land, operation            form.Block // operation [steal, sabotage, incite, subvert]
}

// numActions is the length of the table, for masks.
const numActions = 221

// act is the same for every configuration.
var act = newActions()

func newActions() (t actions) {
	t.done, t.yes, t.no, t.all = t.Word("done"), t.Word("yes"), t.Word("no"), t.Word("all")
	t.count = t.Each("count", "count", "", form.Numerals(0, maxFleets))
	t.at = t.Each("at", "", "place", placeIDs[:])
	t.part = t.Each("part", "part", "place", placeIDs[:])
	t.risk = t.Each("risk", "risk", "place", placeIDs[:])
	t.region = t.Each("region", "region", "region", form.Numerals(1, MaxRegions))
	first := len(t.ActionTable)
	self := t.Add("seat", "self", "0")
	self.Text = "self"
	self.PointAt("owner", 0)
	for i, target := range targetIDs[:theUN] {
		t.Add("seat", "seat", target).PointAt("owner", 1+i)
	}
	t.seat = t.From(first, 1)
	t.tech = t.Each("tech", "tech", "technology", techIDs[:])
	attack := func(family, verb string) form.Block {
		first := len(t.ActionTable)
		for i, target := range targetIDs {
			t.Add(family, verb, target).PointAt("owner", 1+i)
		}
		return t.From(first, 1)
	}
	t.fire, t.fireRisk = attack("fire", "fire"), attack("firerisk", "fire risk")
	t.overthrow, t.overthrowRisk = attack("overthrow", "overthrow"), attack("overthrowrisk", "overthrow risk")
	t.expand = t.Each("expand", "expand", "", []string{"3", "2", "1"})
	t.pacify, t.replicate = t.Word("pacify"), t.Word("replicate")
	t.influence, t.research = t.Word("influence"), t.Word("research")
	first = len(t.ActionTable)
	t.Add("researchrisk", "research risk")
	t.researchRisk = t.From(first, 1)
	first = len(t.ActionTable)
	t.Add("build3x2", "build 3 twice")
	for _, size := range []string{"3", "2", "1"} {
		t.Add("build"+size, "build "+size)
	}
	t.build = t.From(first, 1)
	t.reroll = t.Each("reroll", "reroll", "", []string{"low", "mid", "high"})
	t.resource, t.discontent, t.sanction = t.Word("resource"), t.Word("discontent"), t.Word("sanction")
	t.claim, t.peace = t.Word("claim"), t.Word("peace")
	t.fleet, t.study, t.voyage, t.land = t.Word("fleet"), t.Word("study"), t.Word("voyage"), t.Word("land")
	first = len(t.ActionTable)
	t.Words("steal", "sabotage", "incite", "subvert")
	t.operation = t.From(first, 1)
	return t
}

// The actions without a choice in them; Steal, Sabotage, Incite and Subvert are the operations of Espionage.
var (
	Done, Yes, No, All                      = act.done.First, act.yes.First, act.no.First, act.all.First
	Pacify, Replicate                       = act.pacify.First, act.replicate.First
	InfluenceAct, ResearchAct, ResearchRisk = act.influence.First, act.research.First, act.researchRisk.First
	PayResource, PayDiscontent, PaySanction = act.resource.First, act.discontent.First, act.sanction.First
	Claim, Peace                            = act.claim.First, act.peace.First
	TakeFleet, Study, Voyage, HandLand      = act.fleet.First, act.study.First, act.voyage.First, act.land.First
	Steal, Sabotage, Incite, Subvert        = act.operation.At(0), act.operation.At(1), act.operation.At(2),
		act.operation.At(3)
)

// Count names a number, 0 to 60.
func Count(n int) env.Action { return act.count.At(n) }

// At names a place: all that goes, goes there; or what is chosen is there.
func At(p Place) env.Action { return act.at.At(int(p)) }

// Part sends some of the fleets to a place.
func Part(p Place) env.Action { return act.part.At(int(p)) }

// RiskAt names the fleets At Risk at a place.
func RiskAt(p Place) env.Action { return act.risk.At(int(p)) }

// Region names a region, from 0.
func Region(r int) env.Action { return act.region.At(r) }

// Seat names the seat so many places clockwise from the one that decides; 0 is itself.
func Seat(places int) env.Action { return act.seat.At(places) }

// TechAct names a technology.
func TechAct(t Tech) env.Action { return act.tech.At(int(t)) }

// Fire nominates steady fleets, or fleets At Risk, for Open Fire at target 0 to 4 (+1 to +5) or 5 (the UN).
func Fire(target int, risk bool) env.Action {
	if risk {
		return act.fireRisk.At(target)
	}
	return act.fire.At(target)
}

// Overthrow nominates fleets in the same way.
func Overthrow(target int, risk bool) env.Action {
	if risk {
		return act.overthrowRisk.At(target)
	}
	return act.overthrow.At(target)
}

// Expand nominates groups of 1 to 3 fleets.
func Expand(size int) env.Action { return act.expand.At(3 - size) }

// Build nominates groups of 1 to 3 developments, or, with 4, of three that build twice.
func Build(size int) env.Action { return act.build.At(4 - size) }

// Reroll spends a Thought on a die of a class: 0 low, 1 mid, 2 high.
func Reroll(class int) env.Action { return act.reroll.At(class) }

// attacks says whether an action nominates fleets against a target, which is its index among them modulo numTargets.
func attacks(a env.Action) bool { return uint(act.fire.Index(a)) < 4*numTargets }

// targetIDs name whom an attack is aimed at: a seat clockwise from the attacker, or the UN.
var targetIDs = [numTargets]string{"+1", "+2", "+3", "+4", "+5", "un"}
