package oneearth

import (
	"fmt"
	"strconv"

	"earthgym/env"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	switch s.Actor() {
	case env.Over:
		return ""
	case p:
		return "You decide: " + decisions[s.Decision].asks + "."
	}
	return s.deciderText() + "."
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	what = s.choiceText(a)
	switch {
	case a >= Fund && a < Tech:
		which = "place " + strconv.Itoa(int(a-Fund)+1)
	case a >= Amount && a < Say:
		which = strconv.Itoa(int(a - Amount))
	case a > BidNothing && a < BidNo:
		which = strconv.Itoa(int(a-BidYes) + 1)
	case a >= BidNo && a < Propose:
		which = strconv.Itoa(int(a-BidNo) + 1)
	}
	return what, which
}

// effectText is what an action does to the own markers and to Global Emissions, and what that leads to. It is "" where
// that is not the point.
func (s *State) effectText(a env.Action) string {
	switch {
	case a >= Propose && a < Accuse:
		r := Resolution(a - Propose)
		return "Propose " + s.game.Components.Resolutions[r].Name + ", " + s.resolutionText(r)
	case a >= ChooseLeader && a < Fund:
		l := Leader(a - ChooseLeader)
		return "Choose the " + s.game.Components.Leaders[l].Name + ", " + s.leaderText(l)
	}
	text := s.deed(a)
	if text == "" {
		return ""
	}
	after := s.tried(a)
	if s.Decision == AtTurn && a >= Fund && a < Tech && s.DeckSize == 1 {
		text += "  (takes the last card of the deck)"
	}
	for i, e := range s.effects(&after) {
		if e.By != 0 {
			text += fmt.Sprintf("  %c %+d", "PEGM"[i], e.By)
		}
	}
	if after.Decision != AtAttach {
		return text + s.outcomeText(&after)
	}
	attached := after
	after.attach(int(s.Seat), false, nil)
	attached.attach(int(s.Seat), true, nil)
	outcome := s.outcomeText(&after)
	if outcome != "" && outcome != s.outcomeText(&attached) {
		outcome += "  unless the held Technology is attached"
	}
	return text + outcome
}

// deed names an action that moves own markers or money, "" for others.
func (s *State) deed(a env.Action) string {
	cards := s.game.Components
	switch {
	case s.Decision == AtTurn && a >= Fund && a < Tech:
		return "Fund " + cards.Projects[s.Row[a-Fund]].Name
	case s.Decision == AtTurn && a >= Tech && a < FundPolicy:
		return "Fund " + cards.Technologies[a-Tech].Name
	case a >= FundPolicy && a < On:
		return "Fund " + cards.Policies[a-FundPolicy].Name
	case a >= On && a < Discard:
		return "Upgrade " + cards.Projects[a-On].Name
	case a >= Discard && a < ApplyUse:
		return "Discard " + cards.Projects[(a-Discard)%NumProjects].Name
	case a == UseAbility:
		return "Use the ability of the " + cards.Leaders[s.Countries[s.Seat].Leader].Name
	case a == JoinMars:
		return "Fund Colonize Mars"
	case a == Refresh:
		return "Lay out six other Projects"
	}
	return ""
}

// tried is the position after an action that is a deed. Where the effect that it is part of goes on to a new round, with
// its events and incomes, it does no more than the deed. Of luck it needs the cards on offer alone.
func (s *State) tried(a env.Action) State {
	after := *s
	switch p := int(s.Seat); {
	case s.inATurn():
		after.Apply(a, nil)
		return after
	case a < Discard:
		after.upgrade(p, Project(a-On))
	default:
		after.lose(p, Project((a-Discard)%NumProjects), a >= DiscardUpgraded)
	}
	after.checkpoint()
	return after
}

// effects are what has come of a deed: own Prosperity and Emissions, Global Emissions, own money.
func (s *State) effects(after *State) [4]env.Effect {
	p, was, is := env.Player(s.Seat), &s.Countries[s.Seat], &after.Countries[s.Seat]
	return [...]env.Effect{
		{Player: p, What: "prosperity", By: int(is.Prosperity - was.Prosperity)},
		{Player: p, What: "emissions", By: int(is.Emissions - was.Emissions)},
		{Player: env.Over, What: "global", By: int(after.Global - s.Global)},
		{Player: p, What: "money", By: int(is.Money - was.Money)},
	}
}

// Effects implements env.Asker.
func (s *State) Effects(a env.Action) []env.Effect {
	if s.deed(a) == "" || !s.inATurn() {
		return nil
	}
	after := s.tried(a)
	effects := s.effects(&after)
	list := effects[:]
	if after.Decision != AtAttach {
		p := env.Player(s.Seat)
		list = append(list, env.Effect{Player: env.Over, What: "final round", By: index(after.Final) - index(s.Final)},
			env.Effect{Player: p, What: "wins", By: index(after.targetWonBy(p))})
	}
	return list
}

// Counters implements env.Asker.
func (s *State) Counters() []env.Counter {
	list := append(s.AppendCounters(nil), env.Counter{Player: env.Over, What: "final round", Value: index(s.Final)})
	for p := range env.Player(s.game.Players) {
		list = append(list, env.Counter{Player: p, What: "wins", Value: index(s.targetWonBy(p))})
	}
	return list
}

// targetWonBy says whether the game is over by the target, and won by p.
func (s *State) targetWonBy(p env.Player) bool { return s.Ending == TargetWon && s.Winners().Has(p) }

// outcomeText says what Global Emissions after an action will bring, and whether it ends the game.
func (s *State) outcomeText(after *State) string {
	text := ""
	if band := s.brings(int(after.Global)); band != s.brings(int(s.Global)) && after.faces(band) {
		text = "  (then " + bandNames[band] + ")"
	}
	switch {
	case s.Trigger < 0 && after.Trigger >= 0:
		text += "  starts the final round"
	case after.targetWonBy(env.Player(s.Seat)):
		text += "  wins"
	case after.Ending == TargetWon:
		text += "  then " + seatName(env.Player(after.Reach[0])) + " wins"
	}
	return text
}

// faces says whether what a level of Global Emissions brings does come: the ruin if it is here, events after all rounds
// but the last (OE-120, OE-210, OE-212, OE-216).
func (s *State) faces(band int) bool {
	switch band {
	case 0:
		return true
	case len(bandNames) - 1:
		return s.Ending == Ruined
	}
	return s.Ending == NotOver && !s.Final && int(s.Round) < s.game.MaxRounds
}
