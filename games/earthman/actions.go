package earthman

import (
	"earthgym/env"
	"earthgym/env/form"
)

// The action table (RULES.md 5.4): blocks of numbers, one per family. Seats are counted clockwise from
// the one that decides.
const (
	Done           env.Action = iota
	Yes                       // agree, accept
	No                        // disagree, refuse
	All                       // as many as there are
	count0                    // + number
	at0            = count0 + maxFleets + 1
	part0          = at0 + env.Action(NumPlaces)
	risk0          = part0 + env.Action(NumPlaces)
	region0        = risk0 + env.Action(NumPlaces)
	seat0          = region0 + MaxRegions
	tech0          = seat0 + MaxPlayers
	fire0          = tech0 + env.Action(NumTechs)
	fireRisk0      = fire0 + numTargets
	overthrow0     = fireRisk0 + numTargets
	overthrowRisk0 = overthrow0 + numTargets
	expand0        = overthrowRisk0 + numTargets
	Pacify         = expand0 + 3
	Replicate      = Pacify + 1
	InfluenceAct   = Replicate + 1
	ResearchAct    = InfluenceAct + 1
	ResearchRisk   = ResearchAct + 1
	build0         = ResearchRisk + 1
	rerollLow      = build0 + 4
	PayResource    = rerollLow + 3
	PayDiscontent  = PayResource + 1
	PaySanction    = PayDiscontent + 1
	Claim          = PaySanction + 1
	Peace          = Claim + 1
	TakeFleet      = Peace + 1
	Study          = TakeFleet + 1
	Voyage         = Study + 1
	HandLand       = Voyage + 1
	steal          = HandLand + 1
	sabotage       = steal + 1
	incite         = sabotage + 1
	subvert        = incite + 1
	numActions     = int(subvert) + 1
)

// Count names a number, 0 to 60.
func Count(n int) env.Action { return count0 + env.Action(n) }

// At names a place: all that goes, goes there; or what is chosen is there.
func At(p Place) env.Action { return at0 + env.Action(p) }

// Part sends some of the fleets to a place.
func Part(p Place) env.Action { return part0 + env.Action(p) }

// RiskAt names the fleets At Risk at a place.
func RiskAt(p Place) env.Action { return risk0 + env.Action(p) }

// Region names a region, from 0.
func Region(r int) env.Action { return region0 + env.Action(r) }

// Seat names the seat so many places clockwise from the one that decides; 0 is itself.
func Seat(places int) env.Action { return seat0 + env.Action(places) }

// TechAct names a technology.
func TechAct(t Tech) env.Action { return tech0 + env.Action(t) }

// Fire nominates steady fleets, or fleets At Risk, for Open Fire at target 0 to 4 (+1 to +5) or 5 (the UN).
func Fire(target int, risk bool) env.Action {
	if risk {
		return fireRisk0 + env.Action(target)
	}
	return fire0 + env.Action(target)
}

// Overthrow nominates fleets in the same way.
func Overthrow(target int, risk bool) env.Action {
	if risk {
		return overthrowRisk0 + env.Action(target)
	}
	return overthrow0 + env.Action(target)
}

// Expand nominates groups of 1 to 3 fleets.
func Expand(size int) env.Action { return expand0 + env.Action(3-size) }

// Build nominates groups of 1 to 3 developments, or, with 4, of three that build twice.
func Build(size int) env.Action { return build0 + env.Action(4-size) }

// Reroll spends a Thought on a die of a class: 0 low, 1 mid, 2 high.
func Reroll(class int) env.Action { return rerollLow + env.Action(class) }

// Steal, Sabotage, Incite and Subvert are the operations of Espionage.
const (
	Steal    = steal
	Sabotage = sabotage
	Incite   = incite
	Subvert  = subvert
)

// targetIDs name whom an attack is aimed at: a seat clockwise from the attacker, or the UN.
var targetIDs = [numTargets]string{"+1", "+2", "+3", "+4", "+5", "un"}

// actionTable is the same for every configuration.
func actionTable() (t env.ActionTable) {
	t.Words("done", "yes", "no", "all")
	t.Each("count", "count", "", form.Numerals(0, maxFleets))
	t.Each("at", "", "place", placeIDs[:])
	t.Each("part", "part", "place", placeIDs[:])
	t.Each("risk", "risk", "place", placeIDs[:])
	t.Each("region", "region", "region", form.Numerals(1, MaxRegions))
	self := t.Add("seat", "self", "0")
	self.Text = "self"
	self.PointAt("owner", 0)
	for i, target := range targetIDs[:theUN] {
		t.Add("seat", "seat", target).PointAt("owner", 1+i)
	}
	t.Each("tech", "tech", "technology", techIDs[:])
	for _, family := range []struct{ name, verb string }{
		{"fire", "fire"}, {"firerisk", "fire risk"}, {"overthrow", "overthrow"}, {"overthrowrisk", "overthrow risk"},
	} {
		for i, target := range targetIDs {
			t.Add(family.name, family.verb, target).PointAt("owner", 1+i)
		}
	}
	t.Each("expand", "expand", "", []string{"3", "2", "1"})
	t.Words("pacify", "replicate", "influence", "research")
	t.Add("researchrisk", "research risk")
	t.Add("build3x2", "build 3 twice")
	for _, size := range []string{"3", "2", "1"} {
		t.Add("build"+size, "build "+size)
	}
	t.Each("reroll", "reroll", "", []string{"low", "mid", "high"})
	t.Words("resource", "discontent", "sanction", "claim", "peace", "fleet", "study", "voyage", "land",
		"steal", "sabotage", "incite", "subvert")
	return t
}
