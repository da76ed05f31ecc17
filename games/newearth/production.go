package newearth

import "earthgym/env"

// The lots of the production chart (RULES.md 2.5).
const (
	lotGoods5 = iota
	lotGoods10
	lotMachine
	lotBulk
	lotPlant
	numLots
)

// producing are the zones that give output: not affected, at level 1 or above (NE-048, NE-100).
func (s *State) producing(p env.Player) Zones { return s.sound(p) &^ s.level[0] }

// mixedMachines is the number of machines in the seat's mixed zones of a type (NE-101): those with raw and
// manufacturing workers.
func (s *State) mixedMachines(p env.Player, of Zones) int32 {
	var n int8
	for set := s.producing(p) & s.plants & of; set != 0; set = set.Rest() {
		if z := set.First(); s.raw[z] > 0 && s.makers[z] > 0 {
			n += s.machines[z]
		}
	}
	return int32(n)
}

// produceOutput asks the seats from a place of the order on how their machines work, and adds their
// output to the stocks (NE-102). After the last one the production turns begin.
func (s *State) produceOutput(place int, tape *env.Tape) {
	tape.Mark("output", env.Over)
	s.phase = phaseProduction
	for ; place < s.game.players; place++ {
		p := s.order.at(place)
		switch {
		case s.mixedMachines(p, s.mining) > 0:
			s.ask(AtAssignMining, p)
			return
		case s.mixedMachines(p, s.energy) > 0:
			s.ask(AtAssignEnergy, p)
			return
		}
		s.addOutput(p, 0, 0)
	}
	s.ask(AtProduce, s.order.at(0))
}

// assign is one of the two numbers of NE-102.
func (s *State) assign(p env.Player, total int32, tape *env.Tape) {
	if s.decision == AtAssignMining {
		s.assigned = total
		if s.mixedMachines(p, s.energy) > 0 {
			s.decision = AtAssignEnergy
			return
		}
		total = 0
	}
	s.addOutput(p, s.assigned, total)
	s.assigned = 0
	s.produceOutput(s.order.place(p)+1, tape)
}

// addOutput is NE-100: what the seat's zones make.
func (s *State) addOutput(p env.Player, fromMining, fromEnergy int32) {
	for k, n := range s.outputWith(p, fromMining, fromEnergy) {
		s.seats[p].has[k] += n
	}
}

// outputWith is Output if of the machines in mixed zones so many in mining zones and so many in energy zones serve
// manufacturing.
func (s *State) outputWith(p env.Player, mining, energy int32) [numUnits]int32 {
	made := s.Output(p)
	made[Mining] -= mining
	made[Energy] -= energy
	made[Manufacturing] += mining + energy
	return made
}

// Output is what the seat's zones make in M, E and F if every machine of a mixed zone serves its raw
// workers.
func (s *State) Output(p env.Player) [numUnits]int32 {
	var made [numUnits]int32
	for set := s.producing(p); set != 0; set = set.Rest() {
		z := set.First()
		kind := Energy
		if s.mining.Has(z) {
			kind = Mining
		}
		raw, makers, machines := int32(s.raw[z]), int32(s.makers[z]), int32(s.machines[z])
		switch {
		case raw > 0:
			made[kind] += raw + machines
			made[Manufacturing] += makers
		case makers > 0:
			made[Manufacturing] += makers + machines
		}
	}
	return made
}

// legalProduce is the menu of a production turn (NE-103).
func (s *State) legalProduce(m env.Mask, p env.Player) {
	g, seat := s.game, &s.seats[p]
	has := &seat.has
	m.SetIf(has.covers(&g.lots[lotGoods5]), Goods5)
	m.SetIf(has.covers(&g.lots[lotGoods10]), Goods10)
	sound := s.sound(p)
	if has.covers(&g.lots[lotMachine]) {
		s.legalPlaces(m, p, has[Cash]-g.lots[lotMachine][Cash])
	}
	if g.bulk && has.covers(&g.lots[lotBulk]) && s.placesFit(sound, has[Cash]-g.lots[lotBulk][Cash], bulkSize) {
		m.Set(Bulk)
	}
	m.SetIf(sound&^s.plants != 0 && has.covers(&g.lots[lotPlant]), Plant)
	if titles := s.held[p] & cityCards; titles != 0 {
		m.Block(act.unit.First, uint64(titles&g.tradable))
		m.Block(act.sell.First, uint64(titles&g.sellable))
		m.SetIf(s.canPurge(p), Play(TransportLinks))
	}
	if seat.offersUsed < g.offers && !seat.reopened {
		m.Block(act.offer.First, 1<<(g.players-1)-1)
	}
	m.Set(Done)
}

// legalPlaces is NE-104: where a new machine can go, as such or, for cash, as a worker.
func (s *State) legalPlaces(m env.Mask, p env.Player, cash int32) {
	sound := s.sound(p)
	m.Block(act.machine.First, uint64(sound&s.bays))
	if cash >= int32(s.game.data.Chart.Automation) {
		m.Block(act.worker.First, uint64(sound&s.room))
		m.Block(act.mfg.First, uint64(sound&s.room&s.plants))
	}
}

// legalPlacement is a machine of a bulk lot, which has been paid for.
func (s *State) legalPlacement(m env.Mask, p env.Player) { s.legalPlaces(m, p, s.seats[p].has[Cash]) }

// placesFit says whether there is room for a number of machines, counting the workers that the cash can
// automate.
func (s *State) placesFit(sound Zones, cash, machines int32) bool {
	places, workers := int32(0), int32(0)
	for set := sound & s.bays; set != 0; set = set.Rest() {
		places += int32(s.game.machines[set.First()] - s.machines[set.First()])
		if places >= machines {
			return true
		}
	}
	for set := sound & s.room; set != 0; set = set.Rest() {
		workers += int32(s.game.people[set.First()] - s.raw[set.First()] - s.makers[set.First()])
	}
	if price := int32(s.game.data.Chart.Automation); price > 0 {
		workers = min(workers, cash/price)
	}
	return places+workers >= machines
}

// buyGoods buys five or ten consumer goods.
func (s *State) buyGoods(p env.Player, lot int, n int32) {
	has := &s.seats[p].has
	has.pay(&s.game.lots[lot])
	has[Goods] += n
}

// place puts a new machine, as such or as a worker that it sets free (NE-104).
func (s *State) place(p env.Player, u Unit, z Zone) {
	if s.decision == AtProduce {
		s.seats[p].has.pay(&s.game.lots[lotMachine])
	} else if s.placing--; s.placing == 0 {
		s.decision = AtProduce
	}
	if u != Machine {
		s.seats[p].has[Cash] -= int32(s.game.data.Chart.Automation)
	}
	s.put(z, u, 1)
}

// buyBulk pays for four machines, which are then placed.
func (s *State) buyBulk(p env.Player) {
	s.seats[p].has.pay(&s.game.lots[lotBulk])
	s.placing, s.decision = bulkSize, AtBulkPlace
}

// buyPlant pays for a plant, which is then placed.
func (s *State) buyPlant(p env.Player) {
	s.seats[p].has.pay(&s.game.lots[lotPlant])
	s.decision = AtPlantZone
}

// build is NE-105.
func (s *State) build(z Zone) {
	s.plants |= only(z)
	s.decision = AtProduce
}

// endProduction is "done" in a production turn: the next first turn, then the reopened ones (NE-107), then
// income and consumption.
func (s *State) endProduction(p env.Player, tape *env.Tape) {
	seat := &s.seats[p]
	place := s.order.place(p) + 1
	if !seat.finished {
		seat.finished = true
		if place < s.game.players {
			s.ask(AtProduce, s.order.at(place))
			return
		}
	} else {
		seat.reopened = false
	}
	for i := range s.game.players {
		if q := s.order.at(i); s.seats[q].reopened {
			s.ask(AtProduce, q)
			return
		}
	}
	s.collectIncome(tape)
	s.phase = phaseConsumption
	s.consumeFrom(0, tape)
}

// collectIncome is phase 3.
func (s *State) collectIncome(tape *env.Tape) {
	tape.Mark("income", env.Over)
	s.phase = phaseIncome
	for p := range env.Player(s.game.players) {
		s.seats[p].has[Cash] += s.Income(p)
	}
}

// Income is NE-110: what the seat's workers bring this turn. Machines bring nothing, and neither do
// affected zones.
func (s *State) Income(p env.Player) int32 {
	outside, inside := int32(0), int32(0)
	for set := s.sound(p); set != 0; set = set.Rest() {
		z := set.First()
		if workers := int32(s.raw[z] + s.makers[z]); s.cities.Has(z) {
			inside += workers
		} else {
			outside += workers
		}
	}
	per := s.game.workersPer[s.turn]
	return (outside+per-1)/per + inside*s.game.cityIncome[s.turn]
}
