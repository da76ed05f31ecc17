package oneearth

import "earthgym/env"

// maskWords is the number of words of a mask.
const maskWords = (numActions + 63) / 64

// A mask collects the legal actions of one decision.
type mask [maskWords]uint64

// add sets the actions from+i for the bits i of set, of which there are at most 64.
func (m *mask) add(from env.Action, set uint64) {
	word, shift := from>>6, uint(from&63)
	m[word] |= set << shift
	if high := set >> 1 >> (63 - shift); high != 0 {
		m[word+1] |= high
	}
}

// count sets the n actions from from on.
func (m *mask) count(from env.Action, n int) { m.add(from, 1<<n-1) }

// Legal is section 5.2 and 5.3 of RULES.md.
func (s *State) Legal(dst env.Mask) {
	var m mask
	s.legal(&m)
	copy(dst, m[:])
}

func (s *State) legal(m *mask) {
	p := int(s.Seat)
	switch s.Phase {
	case LeaderPhase:
		m.add(ChooseLeader, uint64(s.leadersLeft()))
	case TurnPhase:
		s.legalTurn(m, p)
	case TargetPhase:
		m.add(On, uint64(s.Targets(p, s.Using)))
	case AttachPhase, AskReplyPhase, ImmunityPhase, SanctionPhase, VotePhase, VetoPhase:
		m.count(Yes, 2)
	case SecondPhase:
		m.add(On, uint64(s.Targets(p, s.Using)))
		m.add(Share, s.offsets(p, s.sharers(p))>>1)
		m.add(Save, 1)
	case SharedPhase:
		m.add(On, uint64(s.Targets(p, s.Using)))
		m.add(No, 1)
	case LoosePhase:
		m.add(On, uint64(s.Targets(p, s.Using)))
		m.add(Pass, 1)
	case AskAmountPhase:
		m.count(Amount+1, s.maxRequest(int(s.Ask.Seat)))
	case AskSayPhase, PleaPhase, DiscussPhase:
		m.count(Say, NumWords)
	case AuditPhase:
		plain, upgraded := s.dirtiest(p)
		m.add(Discard, uint64(plain))
		m.add(DiscardUpgraded, uint64(upgraded))
	case AccusePhase:
		m.add(Accuse, s.offsets(p, s.Highest()))
		m.add(Pass, 1)
	case ProposePhase:
		m.add(Propose, uint64(s.proposals()))
		m.add(Pass, 1)
	case PickPhase:
		m.add(Tech, uint64(s.game.boxTechnologies))
	case BidPhase:
		m.add(BidNothing, 1)
		m.count(BidYes, s.maxBid(p))
		m.count(BidNo, s.maxBid(p))
	case PledgePhase:
		m.count(Amount, s.maxPledge(p)+1)
	}
}

// offsets is a set of seats as offsets clockwise from p, as bits.
func (s *State) offsets(p int, seats env.Seats) uint64 {
	set := uint64(seats)
	return (set>>p | set<<(s.game.Players-p)) & (1<<s.game.Players - 1)
}

// legalTurn is the menu of section 5.3.
func (s *State) legalTurn(m *mask, p int) {
	c, k := &s.Countries[p], &s.game.Components.Constants
	m.add(Pass, 1)
	if int(s.Turn.Funded) < k.ProjectsPerTurn { // OE-031
		set := uint64(0)
		for slot, x := range s.Row {
			if x >= 0 && c.Money >= int16(s.game.cost[x]) {
				set |= 1 << slot
			}
		}
		m.add(Fund, set)
	}
	if int(s.Turn.Technologies) < k.TechnologiesPerTurn {
		set := uint64(0)
		for t := range s.game.Components.Technologies {
			card := &s.game.Components.Technologies[t]
			if s.Technologies[t] == inDeck && c.PlainSet&card.Fits != 0 && int(c.Money) >= card.Cost { // OE-060
				set |= 1 << t
			}
		}
		m.add(Tech, set)
	}
	if int(s.Turn.Policies) < k.PoliciesPerTurn {
		set := uint64(0)
		for i := range s.game.Components.Policies {
			card := &s.game.Components.Policies[i]
			if s.Policies[i] == inDeck && card.InBox && int(c.Money) >= card.Cost {
				set |= 1 << i
			}
		}
		m.add(FundPolicy, set)
	}
	if c.Loose != ([NumTechnologies]int8{}) { // OE-069
		set := uint64(0)
		for t, uses := range c.Loose {
			if uses > 0 && s.Targets(p, Technology(t)) != 0 {
				set |= 1 << t
			}
		}
		m.add(ApplyUse, set)
	}
	if int(c.Money) >= k.RefreshPrice && s.DeckSize > 0 && int(s.Turn.Refreshes) < k.MaxRefreshes { // OE-087
		m.add(Refresh, 1)
	}
	if s.hasAbility(p) {
		m.add(UseAbility, 1)
	}
	if s.canJoinMars(p) {
		m.add(JoinMars, 1)
	}
	if s.game.Aid { // OE-100, OE-102
		seats := env.Nobody
		for q := range s.game.Players {
			if q != p && s.Countries[q].Money > 0 {
				seats = seats.With(env.Player(q))
			}
		}
		m.add(Ask, s.offsets(p, seats&^s.Turn.Asked)>>1)
	}
}
