package resilience

import (
	"fmt"

	"earthgym/env"
)

// Why says why an action is not legal, with the rule's id.
func (s *State) Why(a env.Action) string {
	if a < 0 || int(a) >= numActions {
		return fmt.Sprintf("there is no action %d; they go from 0 to %d", a, numActions-1)
	}
	switch s.decision {
	case Over:
		return "the game is over (" + s.Reason() + ")"
	case AtAmount:
		return s.whyNotAmount(a)
	case AtReply:
		if a == Yes || a == No {
			return ""
		}
		return fmt.Sprintf("player %d must answer yes or no to the offer first (RE-132)", s.partner)
	case AtPick:
		return s.whyNotPick(a)
	}
	return s.whyNotInTurn(a)
}

func (s *State) whyNotAmount(a env.Action) string {
	if a < amount0 || a >= Yes {
		return "the offer needs its amount first (RE-130)"
	}
	if k := int(a-amount0) + 1; k > s.mostAmount() {
		payer := s.payer(s.kind, env.Player(s.partner))
		return fmt.Sprintf("player %d has only %d RES to pay with (RE-130)", payer, s.res[payer])
	}
	return ""
}

func (s *State) whyNotPick(a env.Action) string {
	if a < dismantle0 || a >= Sabbatical {
		return fmt.Sprintf("player %d must choose the city or industry to dismantle first (RE-132)", s.Actor())
	}
	if f := Field(a - dismantle0); !s.removable(s.Actor()).Has(f) {
		return fmt.Sprintf("%s has no city or industry of player %d (RE-131)", f, s.Actor())
	}
	return ""
}

func (s *State) whyNotInTurn(a env.Action) string {
	p := s.Active()
	switch {
	case a < city0:
		return s.whyNotSettle(p, Field(a-settle0))
	case a < industry0:
		return s.whyNotDevelop(p, Field(a-city0), City)
	case a < dismantle0:
		return s.whyNotDevelop(p, Field(a-industry0), Industry)
	case a < Sabbatical:
		if f := Field(a - dismantle0); !s.land[p].Has(f) {
			return fmt.Sprintf("player %d has nothing on %s (RE-045)", p, f)
		}
	case a == Sabbatical:
		return s.whyNoSabbatical(p)
	case a == Done:
	case a < amount0:
		return s.whyNotOffer(a)
	case a < Yes:
		return "an amount belongs to an offer, and none has been opened (RE-130)"
	case a < say0:
		return "there is no offer to answer (RE-132)"
	case !s.game.talk:
		return "this game is played without talk (RE-140, option talk)"
	case s.said:
		return "one statement a turn, and it has been made (RE-140)"
	}
	return ""
}

func (s *State) whyNotSettle(p env.Player, f Field) string {
	price := s.SettlePrice(p, f)
	switch {
	case s.Owner(f) >= 0:
		return fmt.Sprintf("%s is occupied by player %d (RE-030)", f, s.Owner(f))
	case s.Covered().Has(f):
		return fmt.Sprintf("%s is covered (RE-034)", f)
	case s.PiecesLeft(p, Settlement) <= 0:
		return fmt.Sprintf("player %d has no settlement left: all %d are on the board (RE-035)", p, s.game.pieces[Settlement])
	case int(s.res[p]) < price && price > int(s.game.cost[Settlement]):
		return fmt.Sprintf("it costs %d RES, as settlers must travel to %s, and player %d has %d (RE-032, RE-004)", price, f, p, s.res[p])
	case int(s.res[p]) < price:
		return fmt.Sprintf("it costs %d RES, and player %d has %d (RE-031, RE-004)", price, p, s.res[p])
	}
	return ""
}

func (s *State) whyNotDevelop(p env.Player, f Field, level Level) string {
	switch {
	case !s.land[p].Has(f):
		return fmt.Sprintf("player %d has no settlement on %s (%s)", p, f, developRule[level])
	case s.Level(f) != Settlement:
		return fmt.Sprintf("%s is developed already (%s); dismantle it first (RE-040)", f, s.game.data.Buildings[s.Level(f)-1].Name)
	case s.Covered().Has(f):
		return fmt.Sprintf("%s is covered (RE-039)", f)
	case s.PiecesLeft(p, level) <= 0:
		return fmt.Sprintf("player %d has no %s left: all %d are on the board (RE-041)", p, s.game.data.Buildings[level-1].Name, s.game.pieces[level])
	case s.res[p] < s.game.cost[level]:
		return fmt.Sprintf("it costs %d RES, and player %d has %d (%s, RE-004)", s.game.cost[level], p, s.res[p], developRule[level])
	}
	return ""
}

var developRule = [numLevels]string{City: "RE-037", Industry: "RE-038"}

func (s *State) whyNoSabbatical(p env.Player) string {
	switch {
	case s.built:
		return fmt.Sprintf("player %d has settled or developed in this turn (RE-051)", p)
	case s.sabbaticalsUsedUp(p):
		return fmt.Sprintf("player %d has taken all %d sabbaticals (RE-054)", p, s.game.sabbaticals)
	case s.res[p] < int32(s.game.data.SabbaticalRES):
		return fmt.Sprintf("it costs %d RES, and player %d has %d (RE-050)", s.game.data.SabbaticalRES, p, s.res[p])
	}
	return ""
}

func (s *State) whyNotOffer(a env.Action) string {
	places := int(a-offer0)/int(numKinds) + 1
	if !s.game.deals {
		return "this game is played without deals (RE-130, option deals)"
	}
	if places >= s.game.players {
		return fmt.Sprintf("nobody sits %d places on: there are %d players (RE-001)", places, s.game.players)
	}
	kind, partner := s.offerOf(a)
	payer := s.payer(kind, partner)
	d := s.dismantler(kind, partner)
	switch {
	case s.asked[partner]:
		return fmt.Sprintf("player %d has had an offer in this turn (RE-130)", partner)
	case s.res[payer] < 1:
		return fmt.Sprintf("player %d has no RES to pay with (RE-130)", payer)
	case d >= 0 && s.removable(d) == 0:
		return fmt.Sprintf("player %d has no city or industry to dismantle (RE-133)", d)
	}
	return ""
}
