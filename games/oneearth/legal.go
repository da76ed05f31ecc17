package oneearth

import "earthgym/env"

// offsets is a set of seats as offsets clockwise from p, as bits.
func (s *State) offsets(p env.Player, seats env.Seats) uint64 {
	set := uint64(seats)
	return (set>>p | set<<(s.game.Players-int(p))) & (1<<s.game.Players - 1)
}

// legalTurn is the menu of section 5.3.
func (s *State) legalTurn(m env.Mask, p env.Player) {
	c, k := &s.Countries[p], &s.game.Components.Constants
	m.Set(Pass)
	if int(s.Turn.Funded) < k.ProjectsPerTurn { // OE-031
		set := uint64(0)
		for slot, x := range s.Row {
			if x >= 0 && c.Money >= int16(s.game.cost[x]) {
				set |= 1 << slot
			}
		}
		m.Block(Fund, set)
	}
	if int(s.Turn.Technologies) < k.TechnologiesPerTurn {
		set := uint64(0)
		for t := range s.game.Components.Technologies {
			card := &s.game.Components.Technologies[t]
			if s.Technologies[t] == inDeck && c.PlainSet&card.Fits != 0 && int(c.Money) >= card.Cost { // OE-060
				set |= 1 << t
			}
		}
		m.Block(Tech, set)
	}
	if int(s.Turn.Policies) < k.PoliciesPerTurn {
		set := uint64(0)
		for i := range s.game.Components.Policies {
			card := &s.game.Components.Policies[i]
			if s.Policies[i] == inDeck && card.InBox && int(c.Money) >= card.Cost {
				set |= 1 << i
			}
		}
		m.Block(FundPolicy, set)
	}
	if c.Loose != ([NumTechnologies]int8{}) { // OE-069
		set := uint64(0)
		for t, uses := range c.Loose {
			if uses > 0 && s.Targets(int(p), Technology(t)) != 0 {
				set |= 1 << t
			}
		}
		m.Block(ApplyUse, set)
	}
	if int(c.Money) >= k.RefreshPrice && s.DeckSize > 0 && int(s.Turn.Refreshes) < k.MaxRefreshes { // OE-087
		m.Set(Refresh)
	}
	m.SetIf(s.hasAbility(int(p)), UseAbility)
	m.SetIf(s.canJoinMars(int(p)), JoinMars)
	if s.game.Aid { // OE-100, OE-102
		others := s.all() &^ s.Turn.Asked &^ env.Only(p)
		m.Block(Ask, s.offsets(p, others.Where(func(q env.Player) bool { return s.Countries[q].Money > 0 }))>>1)
	}
}
