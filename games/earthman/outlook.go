package earthman

import "earthgym/env"

// What scripted bots and tools ask of a position.

// Place is the place in hand: the world whose jobs are nominated, the place that fleets leave.
func (s *State) Place() Place { return s.pending.at }

// Target is the seat or UN in hand, or None.
func (s *State) Target() env.Player { return env.Player(s.pending.target) }

// Due is how much resource is still to be settled of the running payment (EB-206).
func (s *State) Due() int { return int(s.pay.due) }

// ToAdd is how many fleets may be added (EB-200).
func (s *State) ToAdd() int { return int(s.pending.add) }

// ToLose is the number asked about: fleets to lose, to remove, or offered.
func (s *State) ToLose() int { return int(s.pending.count) }

// Operation is the operation of Espionage in hand.
func (s *State) Operation() env.Action { return s.pending.action }

// Job is the action whose number is asked for, or -1.
func (s *State) Job() env.Action { return s.pending.action }

// JobMost is the largest number that can be given for it.
func (s *State) JobMost() int { return s.jobMost(s.pending.action) }

// Nominated is how many fleets, groups or developments have been nominated for an action of the menus.
func (s *State) Nominated(a env.Action) int {
	pd := &s.pending
	switch {
	case a < fire0:
	case a < fireRisk0:
		return int(pd.fire[a-fire0].Steady)
	case a < overthrow0:
		return int(pd.fire[a-fireRisk0].Risk)
	case a < overthrowRisk0:
		return int(pd.overthrow[a-overthrow0].Steady)
	case a < expand0:
		return int(pd.overthrow[a-overthrowRisk0].Risk)
	case a < Pacify:
		return int(pd.expand[a-expand0])
	case a == Pacify:
		return int(pd.pacify)
	case a == Replicate:
		return int(pd.replicate)
	case a == ResearchAct:
		return int(pd.research.Steady)
	case a == ResearchRisk:
		return int(pd.research.Risk)
	case a >= build0 && a < rerollLow:
		return int(pd.build[a-build0])
	}
	return 0
}

// IdleDevelopments are those of the world in hand without a job, in steady regions and in regions At Risk.
func (s *State) IdleDevelopments() (steady, risk int) {
	idle := s.idleDevs()
	return int(idle.Steady), int(idle.Risk)
}

// Launchable are the active seat's fleets in an orbit that may be launched.
func (s *State) Launchable(w Place) Fleets { return s.launchable(w) }

// Thoughts are those in a seat's AI Pool.
func (s *State) Thoughts(p env.Player) int { return int(s.seats[p].thoughts) }

// Capacity is how many developments a seat may have in a region of a world (EB-115).
func (s *State) Capacity(p env.Player, w Place) int { return s.capacity(p, w) }

// Doubles says whether the first development in a region of the world brings a seat two Power (EB-202).
func (s *State) Doubles(p env.Player, w Place) bool { return s.doubles(p, w) }

// CanStudy are the technologies that a seat can study.
func (s *State) CanStudy(p env.Player) Techs { return s.canStudy(p) }

// HitNeed is the number needed by one owner to hit another, with steady units.
func (s *State) HitNeed(by, at env.Player) int { return s.hitNeed(by, at) }

// TargetPlace is the place of an owner among the targets of Fire and Overthrow, as the active seat sees
// them.
func (s *State) TargetPlace(owner env.Player) int { return s.targetOf(owner) }

// Asked is the seat that a Seat action means now.
func (s *State) Asked(a env.Action) env.Player { return s.seatOf(a) }

// Roll is the open Thought window: what is rolled, by whom (a seat or the UN), the seats it hurts.
func (s *State) Roll() (event string, roller env.Player, hurt env.Seats) {
	return eventNames[s.lot.event], env.Player(s.lot.roller), s.lot.hurt
}

// Rogue is the number of Rogue symbols drawn (EB-270).
func (s *State) Rogue() int { return int(s.rogue) }

// Triggered says whether the game ends with this round (EB-033).
func (s *State) Triggered() bool { return s.trigger }
