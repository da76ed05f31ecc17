package earthman

import (
	"fmt"
	"math/bits"

	"earthgym/env"
)

// Check is the invariants of RULES.md 12 that hold at every decision.
func (s *State) Check() error {
	for p := range env.Player(s.game.players) {
		if err := s.checkSeat(p); err != nil {
			return err
		}
	}
	return s.checkWorlds()
}

// checkSeat is invariants 1, 2 and 4 to 7.
func (s *State) checkSeat(p env.Player) error {
	my := &s.seats[p]
	wrong := func(field, format string, args ...any) error {
		return fmt.Errorf("%s.%d: %s", field, p, fmt.Sprintf(format, args...))
	}
	places := my.steady | my.risky
	if places&^s.game.places != 0 {
		return wrong("fleet", "fleets lie outside the map")
	}
	fleets := 0
	var fleet [NumPlaces]Fleets
	for at := range places.Each {
		f := my.fleet[at]
		if (f.Steady > 0) != my.steady.Has(at) || (f.Risk > 0) != my.risky.Has(at) {
			return wrong("fleet", "the fleets at %s are miscounted", at.ID())
		}
		fleet[at] = f
		fleets += f.Count()
	}
	switch {
	case fleet != my.fleet:
		return wrong("fleet", "there are fleets at places that are not among those with fleets")
	case fleets != int(my.fleets):
		return wrong("fleet", "%d fleets, %d counted", my.fleets, fleets)
	case fleets > s.game.fleetCap:
		return wrong("fleet", "%d fleets are more than %d (EB-320)", fleets, s.game.fleetCap)
	case my.vp < 0 || my.resource < 0 || my.discontent < 0:
		return wrong("e", "VP %d, E %d, X %d: one is negative (EB-322)", my.vp, my.resource, my.discontent)
	case s.ledger(p) != my.ledgerOff && s.phase != IsOver:
		return wrong("b", "the ledger is off by %d", s.ledger(p)-my.ledgerOff)
	case my.power < s.leastPower(p)+my.powerOff:
		return wrong("power", "%d is below the %d of its developments", my.power, s.leastPower(p))
	case my.counters&^s.settled[p] != 0:
		return wrong("pi", "%q; Political Influence needs own developments (EB-205)", (my.counters &^ s.settled[p]).first().
			ID())
	case my.token > 0 && !my.sanction:
		return wrong("token", "%d resource, but there is no Sanctions token", my.token)
	case int(my.token) >= s.game.data.Track.Sanctions:
		return wrong("token", "%d resource; with %d the token is lifted", my.token, s.game.data.Track.Sanctions)
	case my.aside > 0 && (int8(p) != s.actor || s.phase < InDev || s.phase > InSpy) && s.phase != IsOver:
		return wrong("aside", "%d; fleets are aside only from Political Influence to the end of Espionage (EB-184)", my.aside)
	case s.thinking.Has(p) != (my.thoughts > 0):
		return wrong("thoughts", "its Thoughts are miscounted")
	}
	return s.checkTechs(p)
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
		if s.doubles(p, w) {
			least += s.land[p][w].Count()
		}
	}
	return int32(least)
}

// checkTechs is invariant 7.
func (s *State) checkTechs(p env.Player) error {
	my := &s.seats[p]
	var level [NumTechs]uint16
	var counter [NumTechs]uint8
	for set := my.known | my.studied; set != 0; set &= set - 1 {
		t := Tech(bits.TrailingZeros16(uint16(set)))
		level[t], counter[t] = my.level[t], my.counter[t]
		tech := &s.game.techs[t]
		switch {
		case level[t] > tech.levels || counter[t] > 0 && counter[t] >= tech.steps:
			return fmt.Errorf("counter.%d.%s: %d at level %d (EB-167)", p, techIDs[t], counter[t], level[t])
		case counter[t] > 0 && level[t] == tech.levels:
			return fmt.Errorf("counter.%d.%s: %d, but the technology is complete", p, techIDs[t], counter[t])
		case (level[t] > 0) != my.known.Has(t) || (counter[t] > 0) != my.studied.Has(t):
			return fmt.Errorf("level.%d.%s: it is not what is known of it", p, techIDs[t])
		}
	}
	if level != my.level || counter != my.counter {
		return fmt.Errorf("level.%d: a technology is missing among those known or studied", p)
	}
	return nil
}

// checkWorlds is invariants 3 and 5.
func (s *State) checkWorlds() error {
	wrong := func(w Place, r int, field, format string, args ...any) error {
		return fmt.Errorf("region.%s.%d%s: %s", w.ID(), r+1, field, fmt.Sprintf(format, args...))
	}
	const ownerIfDevs = "%d developments of owner %d; a region has an owner exactly if it has developments (EB-006)"
	var owned [NumWorlds]Regions
	var devs [NumWorlds][MaxRegions]uint8
	for owner := range s.land {
		var land [NumWorlds]Regions
		count := 0
		for w := range s.settled[owner].Each {
			land[w] = s.land[owner][w]
			if land[w]&owned[w] != 0 || land[w]&^s.game.regions[w] != 0 || land[w] == 0 {
				return fmt.Errorf("region.%s: regions with two owners, or none such (EB-006)", w.ID())
			}
			owned[w] |= land[w]
			for set := land[w]; set != 0; set &= set - 1 {
				r := set.first()
				n := s.devs[w][r]
				if n < 1 || n > maxDevs {
					return wrong(w, r, "", ownerIfDevs, n, ownerNumber(env.Player(owner)))
				}
				devs[w][r] = n
				count += int(n)
			}
		}
		if land != s.land[owner] {
			return fmt.Errorf("region: owner %d has land on worlds that are not among its own", owner)
		}
		if owner < s.game.players && count != int(s.seats[owner].developments) {
			return fmt.Errorf("region: seat %d has %d developments, %d counted", owner, s.seats[owner].developments, count)
		}
	}
	for w := range Place(NumWorlds) {
		if devs[w] != s.devs[w] {
			for r, n := range s.devs[w] {
				if n != devs[w][r] {
					return wrong(w, r, "", ownerIfDevs, n, None)
				}
			}
		}
		if s.shaken[w]|s.rubble[w][0]|s.rubble[w][1] == 0 {
			continue
		}
		if bad := s.shaken[w] &^ owned[w]; bad != 0 {
			return wrong(w, bad.first(), ".at_risk", "a region without developments is not At Risk (EB-005)")
		}
		if bad := s.rubble[w][0] & owned[w]; bad != 0 {
			return wrong(w, bad.first(), "", "developments and Devastation never lie together (EB-006)")
		}
		if bad := s.rubble[w][1]&^s.rubble[w][0] | s.rubble[w][0]&^s.game.regions[w]; bad != 0 {
			return wrong(w, bad.first(), ".devastation", "it is miscounted (EB-210)")
		}
	}
	return s.checkArrived()
}

// checkArrived checks the fleets that have just arrived (EB-063).
func (s *State) checkArrived() error {
	if s.arrived == [NumWorlds]Fleets{} {
		return nil
	}
	for w, a := range s.arrived {
		if a == (Fleets{}) {
			continue
		}
		f := Fleets{}
		if s.actor >= 0 {
			f = s.seats[s.actor].fleet[w]
		}
		if s.phase != InMove || a.Steady > f.Steady || a.Risk > f.Risk {
			return fmt.Errorf("arrived.%s: [%d %d]; these are fleets in orbit that have arrived in this Movement (EB-063)",
				Place(w).ID(), a.Steady, a.Risk)
		}
	}
	return nil
}
