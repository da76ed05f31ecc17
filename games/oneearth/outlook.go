package oneearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// What the potential counts: a lead of this many points as half of everything, and Global Emissions
// from this level on as a danger to all.
const (
	fullLead   = 20
	dangerFrom = 15
)

// Potential is how well p stands: its lead in points over the others' mean (alone: over the NPC), and
// how near the ruin is, where it still threatens.
func (s *State) Potential(p env.Player) float64 {
	var scores [MaxPlayers]float64
	s.Scores(scores[:s.game.Players])
	others := float64(s.NPCScore())
	if n := s.game.Players; n > 1 {
		others = 0
		for q := range n {
			if q != int(p) {
				others += scores[q] / float64(n-1)
			}
		}
	}
	value := (scores[p] - others) / (2 * fullLead)
	if ruin := s.game.Components.Constants.Ruin; !s.Final || s.game.Players < 3 {
		value -= 0.5 * float64(max(0, int(s.Global)-dangerFrom)) / float64(max(1, ruin-dangerFrom))
	}
	return max(-1, min(1, value))
}

// buyer is what the worth of purchases depends on.
type buyer struct {
	game                                 *Game
	money, prosperity, emissions, global int
	owned                                Projects
	livability                           int // Victory Points that one more sector brings
	technologyPoints, policyPoints       int // that one more of them brings
	sectorBonus                          [NumSectors]int
	clean                                int // for each of Emissions below that where a Leader scores
}

func (s *State) buyer(p int) buyer {
	g, c := s.game, &s.Countries[p]
	b := buyer{game: g, money: int(c.Money), prosperity: int(c.Prosperity), emissions: int(c.Emissions),
		global: int(s.Global)}
	if !g.Advanced {
		return b
	}
	b.owned = c.PlainSet | c.UpgradedSet
	k := &g.Components.Constants
	sectors := s.sectors(p)
	if sectors < NumSectors {
		b.livability = k.Livability[sectors+1] - k.Livability[sectors]
	}
	if s.TechnologiesFunded(p) == 0 {
		b.technologyPoints = k.TechnologyVP
	}
	if s.PoliciesFunded(p) == 0 {
		b.policyPoints = k.PolicyVP
	}
	if c.Leader < 0 {
		return b
	}
	bonus := g.Components.Leaders[c.Leader].Bonus
	switch c.Leader {
	case Tycoon:
		b.sectorBonus[Fossil] = bonus
	case Entertainer:
		b.sectorBonus[Entertainment] = bonus
	case General:
		b.sectorBonus[Manufacturing] = bonus
	case Scientist:
		b.technologyPoints += bonus
	case Environmentalist:
		b.clean = cleanBelow
	}
	return b
}

// purchase writes what one would change, into a row without numbers.
func (b *buyer) purchase(row *purchaseRow, cost, prosperity, emissions, points int) {
	k := &b.game.Components.Constants
	row.Left[max(0, min(b.money-cost+shortMost, numLeft-1))] = 1
	row.Prosperity = form.Scaled(prosperity, 4, 2)
	row.Reaches = form.Bit(b.prosperity+prosperity >= b.game.Target)
	steps := max(emissions, -b.emissions)
	row.Ruins = form.Bit(b.global+steps >= k.Ruin)
	if steps != 0 {
		row.Emissions = form.Scaled(steps, 4, 2)
		row.Penalised = form.Scaled(above(b.emissions, steps, k.EmissionPenaltyFrom), 4, 2)
		if b.global+max(steps, 0) >= min(k.CriticalFrom, k.WinBelow) {
			row.Critical = form.Scaled(above(b.global, steps, k.CriticalFrom-1), 4, 2)
			row.Unsafe = form.Scaled(above(b.global, steps, k.WinBelow-1), 4, 2)
		}
		if b.clean > 0 {
			points += max(0, b.clean-b.emissions-steps) - max(0, b.clean-b.emissions)
		}
	}
	row.Points = form.Scaled(points, 4, 2)
}

// above is how many of the steps of a marker go above a level; less than 0 for steps back.
func above(from, steps, level int) int { return max(0, from+steps-level) - max(0, from-level) }

// brought is the Prosperity, or else the money, that a Resolution would bring a seat that votes for it.
func (s *State) brought(r Resolution, p int) int {
	c, card, k := &s.Countries[p], &s.game.Components.Resolutions[r], &s.game.Components.Constants
	switch r {
	case BanCoal, BanNuclear:
		lost, worth := 0, &s.game.worth[s.traits(p)]
		for set := card.Plus & (c.PlainSet | c.UpgradedSet); set != 0; set &= set - 1 {
			x := set.First()
			lost += int(c.Plain[x])*int(worth[0][x]) + int(c.Upgraded[x])*int(worth[1][x])
		}
		return -lost
	case EduTech, Medicine:
		return 1 + s.Count(p, card.Plus)
	case CapAndTrade:
		return -max(0, int(c.Emissions)-k.EmissionAllowance)
	case CurbTransport:
		return s.Count(p, card.Plus) - s.Count(p, card.Minus)
	case ForeignAid:
		highest := s.Richest()
		lowest := s.Poorest()
		switch q := env.Player(p); {
		case highest == lowest:
		case highest.Has(q):
			return -k.AidTransfer * lowest.Count()
		case lowest.Has(q):
			return k.AidTransfer * highest.Count()
		}
	case Mars:
		if int(c.Money) >= k.MarsShare {
			return k.MarsGain
		}
	}
	return 0
}
