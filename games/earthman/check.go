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
		if f == (Fleets{}) {
			continue
		}
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
	var known, studied Techs
	for t, level := range my.level {
		counter := my.counter[t]
		if level == 0 && counter == 0 {
			continue
		}
		if tech := &s.game.techs[t]; level > tech.levels || counter > 0 && counter >= tech.steps {
			return fmt.Errorf("%s: level %d, counter %d (EB-167)", techIDs[t], level, counter)
		}
		if level > 0 {
			known |= 1 << t
		}
		if counter > 0 {
			studied |= 1 << t
		}
	}
	if known != my.known || studied != my.studied {
		return errors.New("a technology is missing among those known or studied")
	}
	return nil
}

// checkWorlds is invariants 3 and 5.
func (s *State) checkWorlds() error {
	var allOwned [NumWorlds]Regions
	for owner := range s.land {
		var settled Places
		devs := 0
		for w := range Place(NumWorlds) {
			land := s.land[owner][w]
			if land == 0 {
				continue
			}
			if land&allOwned[w] != 0 || land&^s.game.regions[w] != 0 {
				return fmt.Errorf("%s: regions with two owners, or none such (EB-006)", w.ID())
			}
			allOwned[w] |= land
			settled |= only(w)
			devs += int(s.countDevs(w, land))
		}
		if settled != s.settled[owner] {
			return fmt.Errorf("the worlds of owner %d are miscounted", owner)
		}
		if owner < s.game.players && devs != int(s.seats[owner].developments) {
			return fmt.Errorf("seat %d has %d developments, %d counted", owner, devs, s.seats[owner].developments)
		}
	}
	for w, owned := range allOwned {
		w := Place(w)
		if owned != 0 || s.devs[w] != [MaxRegions]uint8{} {
			for r := range MaxRegions {
				here := owned>>r&1 != 0
				if n := int(s.devs[w][r]); here != (n > 0) || n > maxDevs {
					return fmt.Errorf("%s, region %d: %d developments (EB-006)", w.ID(), r+1, n)
				}
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
		if a := s.arrived[w]; a != (Fleets{}) {
			f := Fleets{}
			if s.actor >= 0 {
				f = s.seats[s.actor].fleet[w]
			}
			if s.phase != InMove || a.Steady > f.Steady || a.Risk > f.Risk {
				return fmt.Errorf("%s: %v have just arrived, %v are there (EB-063)", w.ID(), a, f)
			}
		}
	}
	return nil
}
