package resilience

import (
	"fmt"
	"strconv"

	"earthgym/env"
)

// asks is the decision in a sentence, to the one that decides.
func (s *State) asks() string {
	switch s.decision {
	case AtAmount:
		return "You make an offer: " + s.offerText()
	case AtReply:
		return "You are made an offer: " + s.offerText()
	case AtPick:
		return "Agreed: " + s.offerText()
	}
	return "Your turn"
}

// asksBy are the rules that ask.
var asksBy = map[Decision]string{AtTurn: "RE-020", AtAmount: "RE-130", AtReply: "RE-131", AtPick: "RE-132"}

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	actor := s.Actor()
	switch {
	case actor == env.Over:
		return ""
	case actor == p && s.decision == AtTurn:
		return fmt.Sprintf("Your turn: %s (%s).", s.stonesText(), asksBy[s.decision])
	case actor == p:
		return fmt.Sprintf("%s (%s).", s.asks(), asksBy[s.decision])
	case s.decision == AtTurn:
		return fmt.Sprintf("Player %d's turn: %s (%s).", actor, s.stonesText(), asksBy[s.decision])
	}
	return fmt.Sprintf("Player %d decides on an offer: %s (%s).", actor, s.offerText(), asksBy[s.decision])
}

// offerHints say what an offer is about, to the seat that makes it.
var offerHints = [numKinds]string{
	"Give player %d RES", "Ask player %d for RES", "Pay player %d to dismantle a building", "Ask player %d to pay for dismantling one of yours",
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	p := s.Actor()
	switch {
	case a < city0:
		f := Field(a - settle0)
		return s.aboutSettling(p, f), f.String()
	case a < industry0:
		return s.aboutDeveloping(City), Field(a - city0).String()
	case a < dismantle0:
		f := Field(a - industry0)
		return s.aboutDeveloping(Industry) + ", " + s.smogText(f), f.String()
	case a < Sabbatical:
		f := Field(a - dismantle0)
		level := s.Level(f)
		name := [numLevels]string{Settlement: "a settlement", City: "a city", Industry: "an industry"}[level]
		return fmt.Sprintf("Dismantle %s, %d off the tower", name, s.game.buildingStones[level]), f.String()
	case a == Sabbatical:
		return fmt.Sprintf("Take a sabbatical, pay %d RES, forgo the %d RES of this round, get %d LQ", s.game.data.SabbaticalRES, s.Income(p), s.game.data.SabbaticalLQ), ""
	case a == Done:
		return fmt.Sprintf("End the turn, with %d RES and %d LQ from this round's allocation as things stand", s.Income(p), s.LQDue(p)), ""
	case a < amount0:
		kind, q := s.offerOf(a)
		return fmt.Sprintf(offerHints[kind], q), ""
	case a < Yes:
		return "So many RES", strconv.Itoa(int(a-amount0) + 1)
	case a == Yes:
		return "Agree", ""
	case a == No:
		return "Decline", ""
	case a == Say(Warn):
		return "Say that nobody should place stones now", ""
	}
	return fmt.Sprintf("Promise %s in your next turn", wordMeanings[Calm+Word(a-say0)]), ""
}

// aboutSettling tells fields by their price, and by the smog payment that awaits the settlers.
func (s *State) aboutSettling(p env.Player, f Field) string {
	text := fmt.Sprintf("Settle for %d RES", s.SettlePrice(p, f))
	if s.game.beside(s.industries).Has(f) {
		text += fmt.Sprintf(" and %d LQ of smog", s.game.data.SmogLQ)
		if s.game.smogRounds {
			text += " in each round"
		}
	}
	return text
}

func (s *State) aboutDeveloping(level Level) string {
	g := s.game
	text := fmt.Sprintf("%s for %d RES, %+d RES a round", [numLevels]string{City: "City", Industry: "Industry"}[level],
		g.cost[level], g.production[level]-g.production[Settlement])
	if stones := int(g.buildingStones[level]); stones > 0 {
		text += fmt.Sprintf(", %d on the tower (falls %s%s)", stones, percent(s.FallWithin(stones)), s.eventText(stones))
	}
	return text
}
