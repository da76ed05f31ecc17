package oneearth

import "earthgym/env"

// Legal is section 5.2 and 5.3 of RULES.md.
func (s *State) Legal(m env.Mask) {
	m.Clear()
	p := int(s.Seat)
	switch s.Phase {
	case LeaderPhase:
		m.Block(ChooseLeader, uint64(s.leadersLeft()))
	case TurnPhase:
		s.legalTurn(m, p)
	case TargetPhase:
		m.Block(On, uint64(s.Targets(p, s.Using)))
	case AttachPhase, AskReplyPhase, ImmunityPhase, SanctionPhase, VotePhase, VetoPhase:
		m.Block(Yes, 0b11)
	case SecondPhase:
		m.Block(On, uint64(s.Targets(p, s.Using)))
		m.Block(Share, s.offsets(p, s.sharers(p))>>1)
		m.Set(Save)
	case SharedPhase:
		m.Block(On, uint64(s.Targets(p, s.Using)))
		m.Set(No)
	case LoosePhase:
		m.Block(On, uint64(s.Targets(p, s.Using)))
		m.Set(Pass)
	case AskAmountPhase:
		m.Block(Amount+1, 1<<s.maxRequest(int(s.Ask.Seat))-1)
	case AskSayPhase, PleaPhase, DiscussPhase:
		m.Block(Say, 1<<NumWords-1)
	case AuditPhase:
		plain, upgraded := s.dirtiest(p)
		m.Block(Discard, uint64(plain))
		m.Block(DiscardUpgraded, uint64(upgraded))
	case AccusePhase:
		m.Block(Accuse, s.offsets(p, s.Highest()))
		m.Set(Pass)
	case ProposePhase:
		m.Block(Propose, uint64(s.proposals()))
		m.Set(Pass)
	case PickPhase:
		m.Block(Tech, uint64(s.game.boxTechnologies))
	case BidPhase:
		m.Set(BidNothing)
		m.Block(BidYes, 1<<s.maxBid(p)-1)
		m.Block(BidNo, 1<<s.maxBid(p)-1)
	case PledgePhase:
		m.Block(Amount, 1<<(s.maxPledge(p)+1)-1)
	}
}

// offsets is a set of seats as offsets clockwise from p, as bits.
func (s *State) offsets(p int, seats env.Seats) uint64 {
	set := uint64(seats)
	return (set>>p | set<<(s.game.Players-p)) & (1<<s.game.Players - 1)
}

// legalTurn is the menu of section 5.3.
func (s *State) legalTurn(m env.Mask, p int) {
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
			if uses > 0 && s.Targets(p, Technology(t)) != 0 {
				set |= 1 << t
			}
		}
		m.Block(ApplyUse, set)
	}
	if int(c.Money) >= k.RefreshPrice && s.DeckSize > 0 && int(s.Turn.Refreshes) < k.MaxRefreshes { // OE-087
		m.Set(Refresh)
	}
	if s.hasAbility(p) {
		m.Set(UseAbility)
	}
	if s.canJoinMars(p) {
		m.Set(JoinMars)
	}
	if s.game.Aid { // OE-100, OE-102
		seats := env.Nobody
		for q := range s.game.Players {
			if q != p && s.Countries[q].Money > 0 {
				seats = seats.With(env.Player(q))
			}
		}
		m.Block(Ask, s.offsets(p, seats&^s.Turn.Asked)>>1)
	}
}
