package earthman

import (
	"fmt"
	"math/bits"

	"earthgym/env"
	"earthgym/env/form"
)

// Check is the invariants of RULES.md 12 that hold at every decision.
func (s *State) Check() error {
	return form.FirstFault(s.checkSeats, s.checkWorlds, s.checkArrived)
}

// checkSeats is invariants 1, 2 and 4 to 7.
func (s *State) checkSeats(f *form.Faults) {
	for p := range env.Player(s.game.players) {
		if s.checkSeat(f, p); f.Err != nil {
			return
		}
		s.checkTechs(f, p)
	}
}

func (s *State) checkSeat(f *form.Faults, p env.Player) {
	my := &s.seats[p]
	need := func(holds bool, field, format string, args ...any) {
		if !holds {
			f.Fail(fmt.Sprintf("%s.%d", field, p), format, args...)
		}
	}
	places := my.steady | my.risky
	if places&^s.game.places != 0 {
		need(false, "fleet", "fleets lie outside the map")
		return
	}
	fleets := 0
	var fleet [NumPlaces]Fleets
	for at := range places.Each {
		here := my.fleet[at]
		need((here.Steady > 0) == my.steady.Has(at) && (here.Risk > 0) == my.risky.Has(at), "fleet",
			"the fleets at %s are miscounted", at.ID())
		fleet[at] = here
		fleets += here.Count()
	}
	need(fleet == my.fleet, "fleet", "there are fleets at places that are not among those with fleets")
	need(fleets == int(my.fleets), "fleet", "%d fleets, %d counted", my.fleets, fleets)
	need(fleets <= s.game.fleetCap, "fleet", "%d fleets are more than %d (EB-320)", fleets, s.game.fleetCap)
	need(my.vp >= 0 && my.resource >= 0 && my.discontent >= 0, "e", "VP %d, E %d, X %d: one is negative (EB-322)", my.vp,
		my.resource, my.discontent)
	need(s.ledger(p) == my.ledgerOff || s.phase == IsOver, "b", "the ledger is off by %d", s.ledger(p)-my.ledgerOff)
	need(my.power >= s.leastPower(p)+my.powerOff, "power", "%d is below the %d of its developments", my.power,
		s.leastPower(p))
	need(my.counters&^s.settled[p] == 0, "pi", "%q; Political Influence needs own developments (EB-205)",
		(my.counters &^ s.settled[p]).first().ID())
	need(my.token == 0 || my.sanction, "token", "%d resource, but there is no Sanctions token", my.token)
	need(int(my.token) < s.game.data.Track.Sanctions, "token", "%d resource; with %d the token is lifted", my.token,
		s.game.data.Track.Sanctions)
	need(my.aside == 0 || int8(p) == s.actor && s.phase >= InDev && s.phase <= InSpy || s.phase == IsOver, "aside",
		"%d; fleets are aside only from Political Influence to the end of Espionage (EB-184)", my.aside)
	need(s.thinking.Has(p) == (my.thoughts > 0), "thoughts", "its Thoughts are miscounted")
}

// ledger is by how much the conserved quantity of RULES.md 3.2 is off. What is still due of a payment
// counts as paid, so that it is 0 at every decision.
func (s *State) ledger(p env.Player) int32 {
	my, start := &s.seats[p], &s.game.data.Start
	off := int32(my.fleets) + my.resource + int32(my.token) + int32(my.aside) - 2*int32(my.developments) - my.discontent
	if int8(p) == s.pay.seat {
		off -= int32(s.pay.due)
	}
	return off - int32(start.Fleets+start.Resource) - my.granted
}

// leastPower is what the developments of a seat have brought it (EB-201).
func (s *State) leastPower(p env.Player) int32 {
	least := int(s.seats[p].developments)
	for w := range s.settled[p].Each {
		if s.Doubles(p, w) {
			least += s.land[p][w].Count()
		}
	}
	return int32(least)
}

// checkTechs is invariant 7.
func (s *State) checkTechs(f *form.Faults, p env.Player) {
	my := &s.seats[p]
	var level [NumTechs]uint16
	var counter [NumTechs]uint8
	for set := my.known | my.studied; set != 0; set &= set - 1 {
		t := Tech(bits.TrailingZeros16(uint16(set)))
		n, k, tech := my.level[t], my.counter[t], &s.game.techs[t]
		level[t], counter[t] = n, k
		f.Need(n <= tech.levels && (k == 0 || k < tech.steps), "counter.%d.%s: %d at level %d (EB-167)", p, techIDs[t], k, n)
		f.Need(k == 0 || n != tech.levels, "counter.%d.%s: %d, but the technology is complete", p, techIDs[t], k)
		f.Need((n > 0) == my.known.Has(t) && (k > 0) == my.studied.Has(t), "level.%d.%s: it is not what is known of it", p,
			techIDs[t])
	}
	f.Need(level == my.level && counter == my.counter,
		"level.%d: a technology is missing among those known or studied", p)
}

// checkWorlds is invariants 3 and 5.
func (s *State) checkWorlds(f *form.Faults) {
	wrong := func(w Place, bad Regions, field, format string, args ...any) {
		if bad != 0 {
			f.Fail(fmt.Sprintf("region.%s.%d%s", w.ID(), bad.first()+1, field), format, args...)
		}
	}
	const ownerIfDevs = "%d developments of owner %d; a region has an owner exactly if it has developments (EB-006)"
	var owned [NumWorlds]Regions
	var devs [NumWorlds][MaxRegions]uint8
	for owner := range s.land {
		var land [NumWorlds]Regions
		count := 0
		for w := range s.settled[owner].Each {
			land[w] = s.land[owner][w]
			f.Need(land[w]&owned[w] == 0 && land[w]&^s.game.regions[w] == 0 && land[w] != 0,
				"region.%s: regions with two owners, or none such (EB-006)", w.ID())
			owned[w] |= land[w]
			for set := land[w] & s.game.regions[w]; set != 0; set &= set - 1 {
				r := set.first()
				n := s.devs[w][r]
				if n < 1 || n > maxDevs {
					wrong(w, 1<<r, "", ownerIfDevs, n, ownerNumber(env.Player(owner)))
				}
				devs[w][r] = n
				count += int(n)
			}
		}
		f.Need(land == s.land[owner], "region: owner %d has land on worlds that are not among its own", owner)
		if owner < s.game.players {
			n := int(s.seats[owner].developments)
			f.Need(n == count, "region: seat %d has %d developments, %d counted", owner, n, count)
		}
	}
	for w := range Place(NumWorlds) {
		for r, n := range s.devs[w] {
			if n != devs[w][r] {
				wrong(w, 1<<r, "", ownerIfDevs, n, None)
			}
		}
		one, two := s.rubble[w][0], s.rubble[w][1]
		wrong(w, s.shaken[w]&^owned[w], ".at_risk", "a region without developments is not At Risk (EB-005)")
		wrong(w, one&owned[w], "", "developments and Devastation never lie together (EB-006)")
		wrong(w, two&^one|one&^s.game.regions[w], ".devastation", "it is miscounted (EB-210)")
	}
}

// checkArrived checks the fleets that have just arrived (EB-063).
func (s *State) checkArrived(f *form.Faults) {
	for w, a := range s.arrived {
		if a == (Fleets{}) {
			continue
		}
		here := Fleets{}
		if s.actor >= 0 {
			here = s.seats[s.actor].fleet[w]
		}
		f.Need(s.phase == InMove && a.Steady <= here.Steady && a.Risk <= here.Risk,
			"arrived.%s: [%d %d]; these are fleets in orbit that have arrived in this Movement (EB-063)", Place(w).ID(),
			a.Steady, a.Risk)
	}
}
