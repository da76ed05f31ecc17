package oneearth

import (
	"fmt"
	"slices"

	"earthgym/env"
)

func (s *State) whyNoLeader(_ env.Player, i int) string {
	switch l := Leader(i); {
	case !s.game.Components.Leaders[l].InBox:
		return fmt.Sprintf("the %s is not in the box (OE-017)", l)
	case s.game.boxLeaders>>l&1 == 0:
		return fmt.Sprintf("with 1 or 2 players there is no %s (OE-017)", l)
	}
	return fmt.Sprintf("the %s is taken (OE-017)", Leader(i))
}

// whyNotOn is about the Project on which a Technology is used.
func (s *State) whyNotOn(p env.Player, i int) string {
	x := Project(i)
	if s.game.tech[x] != s.Using {
		return fmt.Sprintf("%s cannot be used on %s (OE-060)", s.Using, x)
	}
	return fmt.Sprintf("%s owns no plain %s; a Project carries one Technology (OE-066)", seatName(p), x)
}

func (s *State) whyNotShared(p env.Player, i int) string {
	if i+1 >= s.game.Players {
		return fmt.Sprintf("there are %d seats (OE-065)", s.game.Players)
	}
	q := s.seatFrom(p, i+1)
	if slices.Contains(s.Offered[:s.NumOffered], int8(q)) {
		return fmt.Sprintf("%s has refused it (OE-065)", seatName(q))
	}
	return fmt.Sprintf("%s owns no plain Project for %s (OE-065)", seatName(q), s.Using)
}

func (s *State) whyNotProposed(_ env.Player, i int) string {
	r := Resolution(i)
	switch {
	case !s.game.Components.Resolutions[r].InBox:
		return fmt.Sprintf("%s is not in the box (OE-140)", r)
	case s.Resolutions[r] != InDeck:
		return fmt.Sprintf("%s has %s and cannot be proposed again (OE-154)", r, s.Resolutions[r])
	}
	return fmt.Sprintf("%s needs a seat with %d Prosperity (OE-141)", r, s.game.Components.Constants.AidThreshold)
}

func (s *State) whyNotInTurn(p env.Player, a env.Action) string {
	c, k := &s.Countries[p], &s.game.Components.Constants
	switch {
	case act.fund.Has(a):
		x := s.Row[act.fund.Index(a)]
		switch {
		case int(s.Turn.Funded) >= k.ProjectsPerTurn:
			return fmt.Sprintf("%d Projects have been funded this turn (OE-031)", s.Turn.Funded)
		case x < 0:
			return fmt.Sprintf("slot %d is empty (OE-053)", act.fund.Index(a)+1)
		}
		return s.tooDear(p, x.String(), int(s.game.cost[x]), "OE-050")
	case act.tech.Has(a):
		return s.whyNotFunded(p, Technology(act.tech.Index(a)))
	case act.policy.Has(a):
		i := Policy(act.policy.Index(a))
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
	case act.apply.Has(a):
		t := Technology(act.apply.Index(a))
		if c.Loose[t] == 0 {
			return fmt.Sprintf("%s has no loose use of %s (OE-069)", seatName(p), t)
		}
		return fmt.Sprintf("%s owns no plain Project for %s (OE-069)", seatName(p), t)
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
		case s.MarsFunders.Has(p):
			return fmt.Sprintf("%s is a funder already (OE-172)", seatName(p))
		}
		return s.tooDear(p, "a share in Mars", k.MarsShare, "OE-172")
	case act.ask.Has(a):
		return s.whyNotAsked(p, act.ask.Index(a)+1)
	}
	return ""
}

func (s *State) tooDear(p env.Player, what string, cost int, rule string) string {
	return fmt.Sprintf("%s costs %d, %s has %d (%s)", what, cost, seatName(p), s.Countries[p].Money, rule)
}

func (s *State) whyNotFunded(p env.Player, t Technology) string {
	card := &s.game.Components.Technologies[t]
	switch {
	case !card.InBox:
		return fmt.Sprintf("%s is not in the box (OE-011)", t)
	case s.Technologies[t] != inDeck:
		return fmt.Sprintf("%s is not in the deck (OE-060)", t)
	case int(s.Turn.Technologies) >= s.game.Components.Constants.TechnologiesPerTurn:
		return fmt.Sprintf("%d Technologies have been funded this turn (OE-031)", s.Turn.Technologies)
	case s.Targets(int(p), t) == 0:
		return fmt.Sprintf("%s owns no plain Project for %s (OE-060)", seatName(p), t)
	}
	return s.tooDear(p, t.String(), card.Cost, "OE-060")
}

func (s *State) whyNotAsked(p env.Player, offset int) string {
	if !s.game.Aid {
		return "Foreign Aid is switched off (option aid, OE-100)"
	}
	if offset >= s.game.Players {
		return fmt.Sprintf("nobody sits at +%d (OE-100)", offset)
	}
	q := s.seatFrom(p, offset)
	if s.Turn.Asked.Has(q) {
		return fmt.Sprintf("%s has been asked this turn (OE-102)", seatName(q))
	}
	return fmt.Sprintf("%s has no money (OE-100)", seatName(q))
}
