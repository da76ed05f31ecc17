package earthman

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/form"
)

// Check is the invariants of RULES.md 12 that hold at every decision.
func (s *State) Check() error {
	return form.FirstFault(s.checkDerived, s.checkSeats, s.checkWorlds, s.checkArrived)
}

// checkDerived compares the fields that follow from others with what they are worked out to be.
func (s *State) checkDerived(f *form.Faults) {
	anew := *s
	anew.derive()
	anew.mask = s.mask
	for p := range s.seats { // what a position that was read lacks
		anew.seats[p].ledgerOff, anew.seats[p].powerOff = s.seats[p].ledgerOff, s.seats[p].powerOff
	}
	f.Need(anew.position == s.position, "fields that follow from others are not what they should be")
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
	need(my.present()&^s.game.places == 0, "fleet", "fleets lie outside the map")
	need(int(my.fleets) <= s.game.fleetCap, "fleet", "%d fleets are more than %d (EB-320)", my.fleets, s.game.fleetCap)
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
	for t, tech := range s.game.techs {
		n, k := my.level[t], my.counter[t]
		f.Need(n <= tech.levels && (k == 0 || k < tech.steps), "counter.%d.%s: %d at level %d (EB-167)", p, techIDs[t], k, n)
		f.Need(k == 0 || n != tech.levels, "counter.%d.%s: %d, but the technology is complete", p, techIDs[t], k)
	}
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
	for owner := range s.land {
		for w := range s.settled[owner].Each {
			land := s.land[owner][w]
			f.Need(land&owned[w] == 0 && land&^s.game.regions[w] == 0,
				"region.%s: regions with two owners, or none such (EB-006)", w.ID())
			owned[w] |= land
			for set := land & s.game.regions[w]; set != 0; set &= set - 1 {
				r := set.first()
				if n := s.devs[w][r]; n < 1 || n > maxDevs {
					wrong(w, 1<<r, "", ownerIfDevs, n, ownerNumber(env.Player(owner)))
				}
			}
		}
	}
	for w := range Place(NumWorlds) {
		for r, n := range s.devs[w] {
			if n != 0 && owned[w]>>r&1 == 0 {
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
