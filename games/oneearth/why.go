package oneearth

import (
	"fmt"

	"earthgym/env"
)

// Why is the rule that forbids an action now.
func (s *State) Why(a env.Action) string {
	if s.Decision == Over {
		return errOver.Error()
	}
	if a < 0 || int(a) >= numActions {
		return fmt.Sprintf("there are actions 0 to %d", numActions-1)
	}
	legal := make(env.Mask, s.game.info.MaskWords())
	s.Legal(legal)
	if legal.Has(a) {
		return ""
	}
	if why := s.whyHere(a); why != "" {
		return why
	}
	return fmt.Sprintf("%s decides: %s", seatName(s.Actor()), decisions[s.Decision].asks)
}

// whyHere explains an action that belongs to the decision but is not legal now; "" for others.
func (s *State) whyHere(a env.Action) string {
	p := int(s.Seat)
	c := &s.Countries[p]
	switch {
	case s.Decision == AtLeader && a < Fund:
		return s.whyNoLeader(Leader(a - ChooseLeader))
	case s.Decision == AtTurn:
		return s.whyNotInTurn(p, a)
	case s.Decision == AtPick && a >= Tech && a < FundPolicy:
		return fmt.Sprintf("%s is not in the box (OE-142)", Technology(a-Tech))
	case a >= On && a < Discard && (s.Decision == AtTarget || s.Decision == AtSecond || s.Decision == AtShared || s.Decision == AtLoose):
		x := Project(a - On)
		if s.game.tech[x] != s.Using {
			return fmt.Sprintf("%s cannot be used on %s (OE-060)", s.Using, x)
		}
		return fmt.Sprintf("%s owns no plain %s; a Project carries one Technology (OE-066)", seatName(s.Actor()), x)
	case s.Decision == AtSecond && a >= Share && a < Save:
		return s.whyNotShared(p, int(a-Share)+1)
	case s.Decision == AtAskAmount && a >= Amount && a < Say:
		return fmt.Sprintf("amounts are 1 to %d: what %s has, at most %d (OE-100)", s.maxRequest(int(s.Ask.Seat)), seatName(env.Player(s.Ask.Seat)), s.game.Components.Constants.MaxAmount)
	case s.Decision == AtPledge && a >= Amount && a < Say:
		return fmt.Sprintf("pledges are 0 to %d: what %s has, at most %d (OE-170)", s.maxPledge(p), seatName(s.Actor()), s.game.Components.Constants.MaxPledge)
	case s.Decision == AtBid && a >= BidYes && a < Propose:
		return fmt.Sprintf("%s has %d money, and bids are at most %d (OE-147)", seatName(s.Actor()), c.Money, s.game.Components.Constants.MaxAmount)
	case s.Decision == AtPropose && a >= Propose && a < Accuse:
		return s.whyNotProposed(Resolution(a - Propose))
	case s.Decision == AtAccuse && a >= Accuse && a < Pass:
		return "only the seats with the highest Emissions can be accused (OE-132)"
	case s.Decision == AtAudit && a >= Discard && a < ApplyUse:
		return "it is not one of the seat's Projects with the greatest emissions (OE-117)"
	}
	return ""
}

func (s *State) whyNoLeader(l Leader) string {
	switch {
	case !s.game.Components.Leaders[l].InBox:
		return fmt.Sprintf("the %s is not in the box (OE-017)", l)
	case s.game.boxLeaders>>l&1 == 0:
		return fmt.Sprintf("with 1 or 2 players there is no %s (OE-017)", l)
	}
	return fmt.Sprintf("the %s is taken (OE-017)", l)
}

func (s *State) whyNotShared(p, offset int) string {
	if offset >= s.game.Players {
		return fmt.Sprintf("there are %d seats (OE-065)", s.game.Players)
	}
	q := (p + offset) % s.game.Players
	for _, offered := range s.Offered[:s.NumOffered] {
		if int(offered) == q {
			return fmt.Sprintf("%s has refused it (OE-065)", seatName(env.Player(q)))
		}
	}
	return fmt.Sprintf("%s owns no plain Project for %s (OE-065)", seatName(env.Player(q)), s.Using)
}

func (s *State) whyNotProposed(r Resolution) string {
	switch {
	case !s.game.Components.Resolutions[r].InBox:
		return fmt.Sprintf("%s is not in the box (OE-140)", r)
	case s.Resolutions[r] != InDeck:
		return fmt.Sprintf("%s has %s and cannot be proposed again (OE-154)", r, s.Resolutions[r])
	}
	return fmt.Sprintf("%s needs a seat with %d Prosperity (OE-141)", r, s.game.Components.Constants.AidThreshold)
}

func (s *State) whyNotInTurn(p int, a env.Action) string {
	c, k := &s.Countries[p], &s.game.Components.Constants
	switch {
	case a >= Fund && a < Tech:
		x := s.Row[a-Fund]
		switch {
		case int(s.Turn.Funded) >= k.ProjectsPerTurn:
			return fmt.Sprintf("%d Projects have been funded this turn (OE-031)", s.Turn.Funded)
		case x < 0:
			return fmt.Sprintf("slot %d is empty (OE-053)", a-Fund+1)
		}
		return s.tooDear(p, x.String(), int(s.game.cost[x]), "OE-050")
	case a >= Tech && a < FundPolicy:
		return s.whyNotFunded(p, Technology(a-Tech))
	case a >= FundPolicy && a < On:
		i := Policy(a - FundPolicy)
		card := &s.game.Components.Policies[i]
		switch {
		case !card.InBox:
			return fmt.Sprintf("%s is not in the box (OE-011)", i)
		case s.Policies[i] != inDeck:
			return fmt.Sprintf("%s is not in the deck (OE-080)", i)
		case int(s.Turn.Policies) >= k.PoliciesPerTurn:
			return fmt.Sprintf("%d Policies have been funded this turn (OE-031)", s.Turn.Policies)
		}
		return s.tooDear(p, i.String(), card.Cost, "OE-080")
	case a >= ApplyUse && a < Refresh:
		t := Technology(a - ApplyUse)
		if c.Loose[t] == 0 {
			return fmt.Sprintf("%s has no loose use of %s (OE-069)", seatName(s.Actor()), t)
		}
		return fmt.Sprintf("%s owns no plain Project for %s (OE-069)", seatName(s.Actor()), t)
	case a == Refresh:
		switch {
		case s.DeckSize == 0:
			return "the Project deck is empty (OE-087)"
		case int(s.Turn.Refreshes) >= k.MaxRefreshes:
			return fmt.Sprintf("the row has been changed %d times this turn (OE-087)", s.Turn.Refreshes)
		}
		return s.tooDear(p, "a refresh", k.RefreshPrice, "OE-085")
	case a == UseAbility:
		if c.Leader >= 0 && c.AbilityUsed {
			return "the ability has been used (OE-090)"
		}
		return "only the Environmentalist and the Entertainer have an ability to use in their turn (OE-091, OE-092)"
	case a == JoinMars:
		switch {
		case s.Resolutions[Mars] != Passed:
			return "Colonize Mars has not passed (OE-172)"
		case s.MarsFunders.Has(env.Player(p)):
			return fmt.Sprintf("%s is a funder already (OE-172)", seatName(s.Actor()))
		}
		return s.tooDear(p, "a share in Mars", k.MarsShare, "OE-172")
	case a >= Ask && a < Share:
		return s.whyNotAsked(p, int(a-Ask)+1)
	}
	return ""
}

func (s *State) tooDear(p int, what string, cost int, rule string) string {
	return fmt.Sprintf("%s costs %d, %s has %d (%s)", what, cost, seatName(env.Player(p)), s.Countries[p].Money, rule)
}

func (s *State) whyNotFunded(p int, t Technology) string {
	card := &s.game.Components.Technologies[t]
	switch {
	case !card.InBox:
		return fmt.Sprintf("%s is not in the box (OE-011)", t)
	case s.Technologies[t] != inDeck:
		return fmt.Sprintf("%s is not in the deck (OE-060)", t)
	case int(s.Turn.Technologies) >= s.game.Components.Constants.TechnologiesPerTurn:
		return fmt.Sprintf("%d Technologies have been funded this turn (OE-031)", s.Turn.Technologies)
	case s.Targets(p, t) == 0:
		return fmt.Sprintf("%s owns no plain Project for %s (OE-060)", seatName(s.Actor()), t)
	}
	return s.tooDear(p, t.String(), card.Cost, "OE-060")
}

func (s *State) whyNotAsked(p, offset int) string {
	if !s.game.Aid {
		return "Foreign Aid is switched off (option aid, OE-100)"
	}
	if offset >= s.game.Players {
		return fmt.Sprintf("seats +1 to +%d can be asked (OE-100)", s.game.Players-1)
	}
	q := env.Player((p + offset) % s.game.Players)
	if s.Turn.Asked.Has(q) {
		return fmt.Sprintf("%s has been asked this turn (OE-102)", seatName(q))
	}
	return fmt.Sprintf("%s has no money (OE-100)", seatName(q))
}
