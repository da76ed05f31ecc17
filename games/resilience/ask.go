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
		_, bankLQ := s.bank()
		return fmt.Sprintf("Take a sabbatical, pay %d RES, forgo the %d RES of this round, get %d LQ",
			s.game.data.SabbaticalRES, s.Income(p), min(s.game.data.SabbaticalLQ, int(bankLQ))), ""
	case a == Done:
		after := s.allocated(false)
		return fmt.Sprintf("End the turn, with %d RES and %d LQ from this round's allocation as things stand",
			after.RES(p)-s.RES(p), after.LQ(p)-s.LQ(p)), ""
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
		if s.game.smogRounds {
			text += fmt.Sprintf(" and %d LQ of smog in each round", s.game.data.SmogLQ)
		} else {
			text += fmt.Sprintf(" and %d LQ of smog", min(s.game.data.SmogLQ, s.LQ(p)))
		}
	}
	return text
}

func (s *State) aboutDeveloping(level Level) string {
	g := s.game
	text := fmt.Sprintf("%s for %d RES, %+d RES a round", [numLevels]string{City: "City", Industry: "Industry"}[level],
		g.cost[level], g.gain(level))
	if stones := s.stonesFor(level); stones > 0 {
		text += fmt.Sprintf(", %d on the tower (falls %s%s)", stones, percent(s.FallWithin(stones)), s.eventText(stones))
	}
	return text
}

// gain is what a city or industry yields in a round beyond the settlement that it replaces.
func (g *Game) gain(level Level) int { return int(g.production[level] - g.production[Settlement]) }

// stonesFor is how many stones a building puts on the tower, if it stands: no more than there are.
func (s *State) stonesFor(level Level) int {
	return min(int(s.game.buildingStones[level]), s.game.Stones()-s.Tower())
}

// allocated is the position after this round's allocation, if it came now: while the seat whose turn it is works, or
// while it rests.
func (s *State) allocated(resting bool) State {
	after := *s
	after.resting[s.Active()] = resting
	after.dealOut(nil)
	return after
}

// Effects implements env.Asker.
func (s *State) Effects(a env.Action) []env.Effect {
	p, g := s.Actor(), s.game
	res := func(q env.Player, by int) env.Effect { return env.Effect{Player: q, What: "res", By: by} }
	lq := func(by int) env.Effect { return env.Effect{Player: p, What: "lq", By: by} }
	tower := func(by int) env.Effect { return env.Effect{Player: env.Over, What: "tower", By: by} }
	moved := []env.Effect{res(s.Active(), int(s.amount)), res(env.Player(s.partner), -int(s.amount))}
	if s.amount > 0 && s.payer(s.kind, env.Player(s.partner)) == s.Active() {
		moved[0].By, moved[1].By = -moved[0].By, -moved[1].By
	}
	d := s.dismantler(s.kind, env.Player(s.partner))
	last := int(s.turn)+1 == g.players
	switch {
	case a < city0:
		f, smog := Field(a-settle0), 0
		if !g.smogRounds && g.beside(s.industries).Has(f) {
			smog = min(g.data.SmogLQ, s.LQ(p))
		}
		return []env.Effect{res(p, -s.SettlePrice(p, f)), lq(-smog), tower(0)}
	case a < industry0:
		return append(s.developed(City), lq(0))
	case a < dismantle0:
		list := s.developed(Industry)
		for q := range env.Player(g.players) {
			smog := env.Effect{Player: q, What: "lq", UpTo: true}
			if !g.smogRounds {
				smog.By = -s.SmogPayers(q, Field(a-industry0)).Count() * g.data.SmogLQ
			}
			list = append(list, smog)
		}
		return list
	case a < Sabbatical && s.decision == AtPick:
		return append(moved, tower(-int(g.buildingStones[s.Level(Field(a-dismantle0))])))
	case a < Sabbatical:
		return []env.Effect{res(p, 0), lq(0), tower(-int(g.buildingStones[s.Level(Field(a-dismantle0))]))}
	case a == Sabbatical && !last:
		return []env.Effect{res(p, -g.data.SabbaticalRES), lq(0), tower(0)}
	case a == Done && !last:
		return []env.Effect{res(p, 0), lq(0), tower(0)}
	case a <= Done:
		after, pays := s.allocated(a == Sabbatical), 0
		if a == Sabbatical {
			pays = g.data.SabbaticalRES
		}
		list := []env.Effect{res(p, after.RES(p)-s.RES(p)-pays), lq(after.LQ(p) - s.LQ(p)), tower(0)}
		for i := range list {
			list[i].Unless = true
		}
		return list
	case a == Yes && (d < 0 || s.removable(d).Count() == 1):
		return moved
	case a == No:
		return []env.Effect{res(p, 0), res(s.Active(), 0), tower(0)}
	}
	return nil
}

// developed are the effects of building on the seat that builds and on the tower.
func (s *State) developed(level Level) []env.Effect {
	p := s.Actor()
	return []env.Effect{
		{Player: p, What: "res", By: -int(s.game.cost[level])},
		{Player: p, What: "income", By: s.game.gain(level), Unless: true},
		{Player: env.Over, What: "tower", By: s.stonesFor(level), Unless: true},
	}
}

// Counters implements env.Asker.
func (s *State) Counters() []env.Counter {
	list := s.AppendCounters(nil)
	for p := range env.Player(s.game.players) {
		list = append(list, env.Counter{Player: p, What: "income", Value: s.Income(p)})
	}
	return list
}
