package newearth

import "earthgym/env"

// elGigante is NE-090: the storm is drawn, or comes as agreed, and the game is scored.
func (s *State) elGigante(tape *env.Tape) {
	s.storm = s.game.storm
	if s.storm == noStorm {
		// Both cards are drawn before either is discarded: if the first is the last of the deck, the
		// pile that is turned over for the second is without it (NE-033).
		for i := range s.stormCards {
			s.stormCards[i] = s.takeCard(tape, env.Everybody, giganteNames[i])
		}
		for _, c := range s.stormCards {
			s.discard[c]++
			s.discards++
		}
		s.storm = stormOf(s.game.value[s.stormCards[0]], s.game.value[s.stormCards[1]])
	}
	for p := range env.Player(s.game.players) {
		s.totals[p] = s.Total(p, s.storm)
	}
	s.winners = s.highest() // NE-093
	s.phase, s.decision, s.seat, s.active = phaseOver, Over, -1, -1
}

// highest are the seats with the highest total.
func (s *State) highest() env.Seats {
	return env.AllOf(s.game.players).Most(func(p env.Player) int { return int(s.totals[p]) })
}

var giganteNames = [2]string{"gigante 1", "gigante 2"}

// stormOf reads the table of RULES.md 2.14.
func stormOf(a, b int8) Storm {
	switch {
	case a == 0 || b == 0:
		return Super
	case a == 2 && b == 2:
		return Mega
	}
	return Violent
}

// counting are the seat's zones that count under a storm.
func (s *State) counting(p env.Player, storm Storm) Zones {
	switch storm {
	case Super:
		return s.owned[p] & s.cities
	case Mega:
		return s.owned[p] & s.forts
	}
	return s.owned[p]
}

// ZoneValue is NE-091.
func (s *State) ZoneValue(z Zone) int32 {
	points := &s.game.data.Points
	return s.game.points[s.sl[z]] + int32(s.machines[z])*int32(points.Machine) + int32(s.plants>>z&1)*int32(points.Plant) +
		s.game.cityBonus[s.city(z)]
}

// city is 0, 1 for a city, 2 for a fortified one.
func (s *State) city(z Zone) int { return int(s.cities>>z&1 + s.forts>>z&1) }

// Total is the seat's points under a storm: the zones that count, and the bonuses (NE-091, NE-092).
func (s *State) Total(p env.Player, storm Storm) int32 {
	total := int32(0)
	for set := s.counting(p, storm); set != 0; set = set.Rest() {
		total += s.ZoneValue(set.First())
	}
	if s.balanced(p) {
		total += int32(s.game.data.Points.Balanced)
	}
	if s.hasMostZones(p) {
		total += int32(s.game.data.Points.MostZones)
	}
	return total
}

// balanced says whether all own zones are at one level (NE-092).
func (s *State) balanced(p env.Player) bool {
	levels := 0
	for level := range s.level {
		if s.owned[p]&s.level[level] != 0 {
			levels++
		}
	}
	return levels == 1
}

// hasMostZones says whether the seat is alone in having most zones (NE-092).
func (s *State) hasMostZones(p env.Player) bool {
	zones := s.owned[p].Count()
	for q := range env.Player(s.game.players) {
		if q != p && s.owned[q].Count() >= zones {
			return false
		}
	}
	return true
}

// Scores are the totals; before the end, those under the agreed storm, or under a violent one.
func (s *State) Scores(dst []float64) {
	storm := s.storm
	if storm == noStorm {
		storm = max(s.game.storm, Violent)
	}
	for p := range s.game.players {
		dst[p] = float64(s.Total(env.Player(p), storm))
	}
}

// Returns are 1 for a sole winner and -1/(n-1) for everybody else, so that they add up to nothing; winners
// share.
func (s *State) Returns(dst []float64) {
	clear(dst)
	if s.decision != Over {
		return
	}
	n := float64(s.game.players)
	share := 1 / float64(s.winners.Count())
	for p := range dst {
		w := 0.0
		if s.winners.Has(env.Player(p)) {
			w = share
		}
		dst[p] = (float64(n*w) - 1) / (n - 1)
	}
}

// Winners have the highest total, once the game is over.
func (s *State) Winners() env.Seats { return s.winners }

// Reason is the storm that came.
func (s *State) Reason() string { return stormNames[s.storm] }

// ends are the storms of NE-090; one that is agreed beforehand is the only one.
func (g *Game) ends() []env.Ending {
	help := [...]string{Violent: "the storm leaves every zone", Super: "the storm leaves cities alone",
		Mega: "the storm leaves forts alone"}
	var all []env.Ending
	for _, storm := range []Storm{Violent, Super, Mega} {
		if g.storm == noStorm || g.storm == storm {
			all = append(all, env.Ending{Name: stormNames[storm], Help: help[storm]})
		}
	}
	return all
}
