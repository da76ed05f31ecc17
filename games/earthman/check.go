package earthman

import (
	"errors"
	"fmt"

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
	fleets := 0
	var steady, risky Places
	for at := range my.fleet {
		f := my.fleet[at]
		fleets += f.Count()
		if f.Steady > 0 {
			steady |= only(Place(at))
		}
		if f.Risk > 0 {
			risky |= only(Place(at))
		}
	}
	switch {
	case fleets != int(my.fleets) || steady != my.steady || risky != my.risky:
		return fmt.Errorf("%d fleets, %d counted", my.fleets, fleets)
	case fleets > s.game.fleetCap:
		return fmt.Errorf("%d fleets are more than %d (EB-320)", fleets, s.game.fleetCap)
	case (steady|risky)&^s.game.places != 0:
		return errors.New("fleets lie outside the map")
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
	for t := range s.game.techs {
		tech := &s.game.techs[t]
		known, studied := my.level[t] > 0, my.counter[t] > 0
		switch {
		case my.level[t] > tech.levels || studied && my.counter[t] >= tech.steps:
			return fmt.Errorf("%s: level %d, counter %d (EB-167)", techIDs[t], my.level[t], my.counter[t])
		case known != my.known.Has(Tech(t)) || studied != my.studied.Has(Tech(t)):
			return fmt.Errorf("%s is missing among known technologies", techIDs[t])
		}
	}
	return nil
}

// checkWorlds is invariants 3 and 5.
func (s *State) checkWorlds() error {
	var devs [numOwners]int
	for w := range Place(NumWorlds) {
		var owned Regions
		for owner := range s.land {
			land := s.land[owner][w]
			if land&owned != 0 || land&^s.game.regions[w] != 0 {
				return fmt.Errorf("%s: regions with two owners, or none such (EB-006)", w.ID())
			}
			owned |= land
			if s.settled[owner].Has(w) != (land != 0) {
				return fmt.Errorf("%s: owner %d is miscounted", w.ID(), owner)
			}
			devs[owner] += int(s.countDevs(w, land))
		}
		for r := range MaxRegions {
			here := owned>>r&1 != 0
			if n := int(s.devs[w][r]); here != (n > 0) || n > maxDevs {
				return fmt.Errorf("%s, region %d: %d developments (EB-006)", w.ID(), r+1, n)
			}
		}
		switch {
		case s.shaken[w]&^owned != 0:
			return fmt.Errorf("%s: an empty region is At Risk (EB-005)", w.ID())
		case s.rubble[w][0]&owned != 0:
			return fmt.Errorf("%s: Devastation beside developments (EB-006)", w.ID())
		case s.rubble[w][1]&^s.rubble[w][0] != 0 || s.rubble[w][0]&^s.game.regions[w] != 0:
			return fmt.Errorf("%s: Devastation is miscounted (EB-210)", w.ID())
		}
		f := Fleets{}
		if s.actor >= 0 {
			f = s.seats[s.actor].fleet[w]
		}
		if a := s.arrived[w]; a != (Fleets{}) && (s.phase != InMove || a.Steady > f.Steady || a.Risk > f.Risk) {
			return fmt.Errorf("%s: %v have just arrived, %v are there (EB-063)", w.ID(), a, f)
		}
	}
	for p := range s.game.players {
		if devs[p] != int(s.seats[p].developments) {
			return fmt.Errorf("seat %d has %d developments, %d counted", p, devs[p], s.seats[p].developments)
		}
	}
	return nil
}
