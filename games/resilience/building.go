package resilience

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/form"
)

// Settling, developing and dismantling: RULES.md 6.4 to 6.6.

// SettlePrice is what p pays to settle on a field, in RES (RE-031 to RE-033).
func (s *State) SettlePrice(p env.Player, f Field) int {
	if s.land[p] == 0 || s.game.neighbours[f]&s.land[p] != 0 {
		return int(s.game.cost[Settlement])
	}
	return int(s.game.cost[Settlement]) + s.game.data.Travel
}

// sites are the free fields on which p could settle, by price: near for a settlement's, far for
// travelling settlers (RE-030 to RE-034).
func (s *State) sites(p env.Player) (near, far Fields) {
	free := s.Free()
	if s.land[p] == 0 {
		return free, 0
	}
	near = free & s.game.beside(s.land[p])
	return near, free &^ near
}

// settleable is where p may settle now.
func (s *State) settleable(p env.Player) uint64 {
	if s.PiecesLeft(p, Settlement) <= 0 { // RE-035
		return 0
	}
	var sites Fields
	near, far := s.sites(p)
	if s.res[p] >= s.game.cost[Settlement] {
		sites = near
	}
	sites |= form.When(s.res[p] >= s.game.cost[Settlement]+int32(s.game.data.Travel), far)
	return uint64(sites)
}

func (s *State) whyNotSettle(p env.Player, i int) string {
	f := Field(i)
	price := s.SettlePrice(p, f)
	switch {
	case s.Owner(f) >= 0:
		return fmt.Sprintf("%s is occupied by player %d (RE-030)", f, s.Owner(f))
	case s.Covered().Has(f):
		return fmt.Sprintf("%s is covered (RE-034)", f)
	case s.PiecesLeft(p, Settlement) <= 0:
		return s.noneLeft(p, Settlement) + " (RE-035)"
	case price > int(s.game.cost[Settlement]):
		return fmt.Sprintf("it costs %d RES, as settlers must travel to %s, and player %d has %d (RE-032, RE-004)",
			price, f, p, s.res[p])
	}
	return fmt.Sprintf("it costs %d RES, and player %d has %d (RE-031, RE-004)", price, p, s.res[p])
}

// developable is where p may build a city or an industry now (RE-037 to RE-041).
func (s *State) developable(p env.Player, level Level) uint64 {
	if s.res[p] < s.game.cost[level] || s.PiecesLeft(p, level) <= 0 {
		return 0
	}
	return uint64(s.Settlements(p) &^ s.Covered())
}

func (s *State) whyNotDevelop(p env.Player, f Field, level Level, rule string) string {
	switch {
	case !s.land[p].Has(f):
		return fmt.Sprintf("player %d has no settlement on %s (%s)", p, f, rule)
	case s.Level(f) != Settlement:
		return fmt.Sprintf("%s is developed already (%s); dismantle it first (RE-040)", f, s.game.nameOf(s.Level(f)))
	case s.Covered().Has(f):
		return fmt.Sprintf("%s is covered (RE-039)", f)
	case s.PiecesLeft(p, level) <= 0:
		return s.noneLeft(p, level) + " (RE-041)"
	}
	return fmt.Sprintf("it costs %d RES, and player %d has %d (%s, RE-004)", s.game.cost[level], p, s.res[p], rule)
}

func (s *State) noneLeft(p env.Player, level Level) string {
	return fmt.Sprintf("player %d has no %s left: all %d are on the board", p, s.game.nameOf(level), s.game.pieces[level])
}

// dismantlable is where p has anything (RE-045).
func (s *State) dismantlable(p env.Player) uint64 { return uint64(s.land[p]) }

// PiecesLeft is the number of buildings of a level that p still has. A settlement stays under a city
// or industry (RE-035, RE-041).
func (s *State) PiecesLeft(p env.Player, level Level) int {
	used := s.land[p]
	switch level {
	case City:
		used &= s.cities
	case Industry:
		used &= s.industries
	}
	return s.game.pieces[level] - used.Count()
}

// settle is RE-030 to RE-036.
func (s *State) settle(p env.Player, f Field, tape *env.Tape) {
	s.res[p] -= int32(s.SettlePrice(p, f))
	s.land[p] |= form.Only(f)
	s.built = true
	if !s.game.smogRounds && s.game.neighbours[f]&s.industries != 0 { // RE-072
		s.paySmog(form.Only(f), tape)
	}
}

// develop is RE-037 to RE-044: pay, build, smog, then the stones one at a time. The second stone is
// placed even if the event of the first has destroyed the building.
func (s *State) develop(p env.Player, f Field, level Level, tape *env.Tape) {
	s.res[p] -= s.game.cost[level]
	s.built = true
	if level == City {
		s.cities |= form.Only(f)
	} else {
		s.industries |= form.Only(f)
		if !s.game.smogRounds { // RE-070
			s.paySmog(s.game.neighbours[f], tape)
		}
	}
	for range s.game.buildingStones[level] {
		s.placeStone(tape)
		if s.decision == Over {
			return
		}
	}
}

// dismantle is RE-045 to RE-049: one step down, and the stones back to the edge.
func (s *State) dismantle(p env.Player, f Field) {
	level := s.Level(f)
	if level == Settlement {
		s.clear(form.Only(f))
		return
	}
	s.cities &^= form.Only(f)
	s.industries &^= form.Only(f)
	s.tower -= s.game.buildingStones[level]
	if p == s.Active() {
		s.cut = true
	}
}

// clear takes everything off some fields; their smog marks go with it (RE-049, RE-097).
func (s *State) clear(fields Fields) {
	for p := range s.land {
		s.land[p] &^= fields
	}
	s.cities &^= fields
	s.industries &^= fields
	s.smogged &^= fields
}
