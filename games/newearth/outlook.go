package newearth

import "earthgym/env"

// What can be read of a State beside its zones, for bots and views. Everything here is public, or the
// business of the seat that is named.

// Players is the number of seats.
func (g *Game) Players() int { return g.players }

// Turns is the length of the game.
func (g *Game) Turns() int { return g.turns }

// Agreed is the storm that was agreed on beforehand, and whether one was.
func (g *Game) Agreed() (Storm, bool) { return g.storm, g.storm != noStorm }

// People is the people limit of a zone.
func (g *Game) People(z Zone) int { return int(g.people[z]) }

// MachineLimit is the machine limit of a zone.
func (g *Game) MachineLimit(z Zone) int { return int(g.machines[z]) }

// Value is the value of a card, 0 to 2.
func (g *Game) Value(c Card) int { return int(g.value[c]) }

// Initiator is what a City card adds to the election die of a claimant.
func (g *Game) Initiator(c Card) int { return int(g.initiator[c]) }

// Defending is what a City card adds to the election die when the defender plays it, 0 or less.
func (g *Game) Defending(c Card) int { return int(g.defending[c]) }

// Sale is the cash that a City card brings, 0 for none.
func (g *Game) Sale(c Card) int { return int(g.sale[c]) }

// UnitOf is the unit that a City card brings, and whether it brings one.
func (g *Game) UnitOf(c Card) (Kind, bool) { return g.unit[c], g.tradable.Has(c) }

// NegatesAll says whether a City card saves all own zones from a Catastrophe card, or negates it whole.
func (g *Game) NegatesAll(c, catastrophe Card) bool {
	return g.negatesAll[catastrophe-CivilDisorder].Has(c)
}

// Decision is the question asked.
func (s *State) Decision() Decision { return s.decision }

// Turn is the turn, 0 in the set-up.
func (s *State) Turn() int { return int(s.turn) }

// LastTurn says whether this is the last turn.
func (s *State) LastTurn() bool { return int(s.turn) == s.game.turns }

// Owned are the zones of a seat.
func (s *State) Owned(p env.Player) Zones { return s.owned[p] }

// Level is the Society Level of a zone.
func (s *State) Level(z Zone) int { return int(s.sl[z]) }

// Count is the number of pieces of a sort in a zone.
func (s *State) Count(z Zone, u Unit) int { return int(s.count(z, u)) }

// MiningZones are those with the type mining.
func (s *State) MiningZones() Zones { return s.mining }

// EnergyZones are those with the type energy.
func (s *State) EnergyZones() Zones { return s.energy }

// Plants are the zones with a plant.
func (s *State) Plants() Zones { return s.plants }

// Cities are the zones with a city, fortified or not.
func (s *State) Cities() Zones { return s.cities }

// Forts are the zones with a storm-fortified city.
func (s *State) Forts() Zones { return s.forts }

// Affected are the zones with a catastrophe marker.
func (s *State) Affected() Zones { return s.affected }

// Room are the zones with room for a worker.
func (s *State) Room() Zones { return s.room }

// Bays are the zones with room for a machine.
func (s *State) Bays() Zones { return s.bays }

// Leader is where a seat's leader stands, or NoZone.
func (s *State) Leader(p env.Player) Zone { return s.seats[p].leader }

// Has is how much of a kind a seat owns.
func (s *State) Has(p env.Player, k Kind) int { return int(s.seats[p].has[k]) }

// Need is the goods that keep up the levels of a seat for a turn.
func (s *State) Need(p env.Player) int { return int(s.need(p)) }

// Expended is the goods that a seat has spent in this turn's phase 4.
func (s *State) Expended(p env.Player) int { return int(s.seats[p].expended) }

// Hand is the number of a seat's cards of a sort, committed ones not included. It is that seat's
// secret.
func (s *State) Hand(p env.Player, c Card) int { return int(s.seats[p].hand[c]) }

// Catastrophe is the Catastrophe card being resolved, or NoCard.
func (s *State) Catastrophe() Card { return s.catastrophe }

// Hit are the zones that the catastrophe strikes and nobody has saved yet.
func (s *State) Hit() Zones { return s.hit }

// Target is the zone of the election, or NoZone.
func (s *State) Target() Zone { return s.target }

// Participants is the number of seats that try to win the zone of the election, as far as all know.
func (s *State) Participants() int {
	list := s.participants()
	return int(list.n)
}

// CommitRange is the least and the most cash that the seat that is asked can commit.
func (s *State) CommitRange(p env.Player) (least, most int) {
	low, high := s.bidRange(p)
	return int(low), int(high)
}

// MixedMachines is the number of machines in the seat's mixed zones of a set.
func (s *State) MixedMachines(p env.Player, of Zones) int { return int(s.mixedMachines(p, of)) }

// Offered is what an offer would bring the partner, by kind; negative is what it would give.
func (s *State) Offered() [numKinds]int {
	var net [numKinds]int
	for k := range net {
		net[k] = int(s.offer.give[k] - s.offer.want[k])
	}
	return net
}

// Offerer is who makes the offer.
func (s *State) Offerer() env.Player { return env.Player(s.active) }

// Partner is whom the offer is made to, or -1.
func (s *State) Partner() env.Player { return env.Player(s.offer.partner) }

// Running is the number named so far.
func (s *State) Running() int { return int(s.running) }

// Potential is how far the seat's zones stand above the mean of the others', in hundreds of points, and
// what it can make in a turn.
func (s *State) Potential(p env.Player) float64 {
	mine, others := 0.0, 0.0
	for q := range env.Player(s.game.players) {
		worth := s.standing(q)
		if q == p {
			mine = worth
		} else {
			others += worth
		}
	}
	return min(max((mine-others/float64(s.game.players-1))/100, -1), 1)
}

// standing is the value of a seat's zones and a point for each worker.
func (s *State) standing(p env.Player) float64 {
	var worth int32
	for set := s.owned[p]; set != 0; set = set.Rest() {
		z := set.First()
		worth += s.ZoneValue(z) + int32(s.raw[z]+s.makers[z])
	}
	return float64(worth)
}
