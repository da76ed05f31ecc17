package earthman

import (
	"errors"
	"fmt"
	"math/bits"

	"earthgym/env"
)

// Check is the invariants of RULES.md 12 that hold at every decision.
func (s *State) Check() error {
	for p := range env.Player(s.game.players) {
		if err := s.checkSeat(p); err != nil {
			return fmt.Errorf("seat %d: %w", p, err)
		}
	}
	return s.checkWorlds()
}

// checkSeat is invariants 1, 2 and 4 to 7.
func (s *State) checkSeat(p env.Player) error {
	my := &s.seats[p]
	places := my.steady | my.risky
	if places&^s.game.places != 0 {
		return errors.New("fleets lie outside the map")
	}
	fleets := 0
	var fleet [NumPlaces]Fleets
	for at := range places.Each {
		f := my.fleet[at]
		if (f.Steady > 0) != my.steady.Has(at) || (f.Risk > 0) != my.risky.Has(at) {
			return fmt.Errorf("the fleets at %s are miscounted", at.ID())
		}
		fleet[at] = f
		fleets += f.Count()
	}
	switch {
	case fleet != my.fleet:
		return errors.New("there are fleets at places that are not among those with fleets")
	case fleets != int(my.fleets):
		return fmt.Errorf("%d fleets, %d counted", my.fleets, fleets)
	case fleets > s.game.fleetCap:
		return fmt.Errorf("%d fleets are more than %d (EB-320)", fleets, s.game.fleetCap)
	case my.vp < 0 || my.e < 0 || my.x < 0:
		return fmt.Errorf("VP %d, E %d, X %d: one is negative (EB-322)", my.vp, my.e, my.x)
	case s.ledger(p) != my.off && s.phase != IsOver:
		return fmt.Errorf("the ledger is off by %d", s.ledger(p)-my.off)
	case my.power < s.leastPower(p)+my.short:
		return fmt.Errorf("its Power %d is below the %d of its developments", my.power, s.leastPower(p))
	case my.counters&^s.settled[p] != 0:
		return fmt.Errorf("counters of Political Influence on %s without developments (EB-205)", (my.counters &^ s.settled[p]).first().ID())
	case my.token > 0 && (!my.sanction || int(my.token) >= s.game.data.Track.Sanctions):
		return fmt.Errorf("%d resource on the Sanctions token", my.token)
	case my.aside > 0 && (int8(p) != s.actor || s.phase < InDev || s.phase > InSpy) && s.phase != IsOver:
		return fmt.Errorf("%d fleets are aside (EB-184)", my.aside)
	case s.thinking.Has(p) != (my.thoughts > 0):
		return errors.New("its Thoughts are miscounted")
	}
	return s.checkTechs(my)
}

// ledger is by how much the conserved quantity of RULES.md 3.2 is off. What is still due of a payment
// counts as paid, so that it is 0 at every decision.
func (s *State) ledger(p env.Player) int32 {
	my, start := &s.seats[p], &s.game.data.Start
	off := int32(my.fleets) + my.e + int32(my.token) + int32(my.aside) - 2*int32(my.developments) - my.x
	if int8(p) == s.pay.seat {
		off -= int32(s.pay.due)
	}
	return off - int32(start.Fleets+start.Resource) - my.b
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
func (s *State) checkTechs(my *seat) error {
	var level [NumTechs]uint16
	var counter [NumTechs]uint8
	for set := my.known | my.studied; set != 0; set &= set - 1 {
		t := Tech(bits.TrailingZeros16(uint16(set)))
		level[t], counter[t] = my.level[t], my.counter[t]
		tech := &s.game.techs[t]
		switch {
		case level[t] > tech.levels || counter[t] > 0 && counter[t] >= tech.steps:
			return fmt.Errorf("%s: level %d, counter %d (EB-167)", techIDs[t], level[t], counter[t])
		case (level[t] > 0) != my.known.Has(t) || (counter[t] > 0) != my.studied.Has(t):
			return fmt.Errorf("%s is not what is known of it", techIDs[t])
		}
	}
	if level != my.level || counter != my.counter {
		return errors.New("a technology is missing among those known or studied")
	}
	return nil
}

// checkWorlds is invariants 3 and 5.
func (s *State) checkWorlds() error {
	var owned [NumWorlds]Regions
	var devs [NumWorlds][MaxRegions]uint8
	for owner := range s.land {
		var land [NumWorlds]Regions
		count := 0
		for w := range s.settled[owner].Each {
			land[w] = s.land[owner][w]
			if land[w]&owned[w] != 0 || land[w]&^s.game.regions[w] != 0 || land[w] == 0 {
				return fmt.Errorf("%s: regions with two owners, or none such (EB-006)", w.ID())
			}
			owned[w] |= land[w]
			for set := land[w]; set != 0; set &= set - 1 {
				r := set.first()
				n := s.devs[w][r]
				if n < 1 || n > maxDevs {
					return fmt.Errorf("%s, region %d: %d developments (EB-006)", w.ID(), r+1, n)
				}
				devs[w][r] = n
				count += int(n)
			}
		}
		if land != s.land[owner] {
			return fmt.Errorf("owner %d has land on worlds that are not among its own", owner)
		}
		if owner < s.game.players && count != int(s.seats[owner].developments) {
			return fmt.Errorf("seat %d has %d developments, %d counted", owner, s.seats[owner].developments, count)
		}
	}
	if devs != s.devs {
		return errors.New("there are developments in regions without an owner (EB-006)")
	}
	for w, owned := range owned {
		w := Place(w)
		if s.shaken[w]|s.rubble[w][0]|s.rubble[w][1] == 0 {
			continue
		}
		switch {
		case s.shaken[w]&^owned != 0:
			return fmt.Errorf("%s: an empty region is At Risk (EB-005)", w.ID())
		case s.rubble[w][0]&owned != 0:
			return fmt.Errorf("%s: Devastation beside developments (EB-006)", w.ID())
		case s.rubble[w][1]&^s.rubble[w][0] != 0 || s.rubble[w][0]&^s.game.regions[w] != 0:
			return fmt.Errorf("%s: Devastation is miscounted (EB-210)", w.ID())
		}
	}
	if s.arrived == [NumWorlds]Fleets{} {
		return nil
	}
	for w, a := range s.arrived {
		f := Fleets{}
		if s.actor >= 0 {
			f = s.seats[s.actor].fleet[w]
		}
		if a != (Fleets{}) && (s.phase != InMove || a.Steady > f.Steady || a.Risk > f.Risk) {
			return fmt.Errorf("%s: %v have just arrived, %v are there (EB-063)", Place(w).ID(), a, f)
		}
	}
	return nil
}
