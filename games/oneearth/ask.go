package oneearth

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/spelling"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	switch s.Actor() {
	case env.Over:
		return ""
	case p:
		return fmt.Sprintf("%s (%s)", s.question(), s.row().Rule)
	}
	return s.deciderText() + "."
}

// question is what is asked, in words to the seat that decides: what it is about, who asks and for how much.
func (s *State) question() string {
	names, k := s.game.Components, &s.game.Components.Constants
	technology := func(t Technology) string { return names.Technologies[t].Name }
	proposed := func() string {
		return fmt.Sprintf("%s (%s)", names.Resolutions[s.Proposal].Name, s.resolutionText(s.Proposal))
	}
	switch first := seatName(env.Player(s.First)); s.Decision {
	case AtTurn:
		return fmt.Sprintf("Your turn, with M %d to spend: fund a Project, a Technology or a Policy, or end it.",
			s.Countries[s.Seat].Money)
	case AtTarget:
		return fmt.Sprintf("On which of your plain Projects do you use %s?", technology(s.Using))
	case AtAttach:
		return fmt.Sprintf("Do you attach %s, which you hold, to the new %s?", technology(s.Using),
			names.Projects[s.Attach].Name)
	case AtSecond:
		return fmt.Sprintf("The second use of %s: for a Project of yours, for another seat, or saved?", technology(s.Using))
	case AtShared:
		return fmt.Sprintf("%s shares %s with you: on which of your plain Projects do you use it, if at all?",
			spelling.Capital(seatName(env.Player(s.active()))), technology(s.Using))
	case AtLoose:
		return fmt.Sprintf("Do you use %s, which you have received, now, and on which of your plain Projects?",
			technology(s.LooseQueue[0].Technology()))
	case AtAskAmount:
		return fmt.Sprintf("How much money do you ask %s for?", seatName(env.Player(s.Ask.Seat)))
	case AtAskSay:
		return fmt.Sprintf("You ask %s for M %d: what do you promise?", seatName(env.Player(s.Ask.Seat)), s.Ask.Amount)
	case AtAskReply:
		said := "nothing"
		if s.Ask.Say != SayNothing {
			said = "“" + s.meaning(s.Ask.Say) + "”"
		}
		return fmt.Sprintf("%s asks you for M %d and says %s: do you grant the aid?",
			spelling.Capital(seatName(env.Player(s.active()))), s.Ask.Amount, said)
	case AtImmunity:
		return fmt.Sprintf("%s comes: are you immune to it, once in the game?", names.Criticals[s.Event].Name)
	case AtSanction:
		if s.Accused == s.Seat {
			return "You are accused of emitting most: do you vote for the sanction?"
		}
		return fmt.Sprintf("%s is accused of emitting most: do you vote for the sanction?",
			spelling.Capital(seatName(env.Player(s.Accused))))
	case AtDiscuss:
		if s.First == s.Seat {
			return fmt.Sprintf("You propose %s: what do you say to it?", proposed())
		}
		return fmt.Sprintf("%s proposes %s: what do you say to it?", spelling.Capital(first), proposed())
	case AtVote:
		return fmt.Sprintf("Do you vote for %s?", proposed())
	case AtBid:
		return fmt.Sprintf("The world's vote decides on %s: what do you bid in secret, of your M %d, for it or against it?",
			names.Resolutions[s.Proposal].Name, s.Countries[s.Seat].Money)
	case AtVeto:
		return fmt.Sprintf("%s would pass: do you veto it, once in the game?", names.Resolutions[s.Proposal].Name)
	case AtPledge:
		return fmt.Sprintf("What do you pledge for %s, which needs M %d in all?", names.Resolutions[Mars].Name, k.MarsNeeded)
	}
	return s.row().Direct
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	what, _ = s.row().About(s, s.Actor(), a)
	switch info := &s.game.info.Actions[a]; {
	case act.fund.Has(a):
		which = "place " + info.Args[0]
	case act.amount.Has(a), act.bidYes.Has(a), act.bidNo.Has(a):
		which = info.Args[0]
	}
	return what, which
}

// Inside implements env.Asker.
func (s *State) Inside() string { return s.row().GoesOn() }

// Effects implements env.Asker.
func (s *State) Effects(a env.Action) []env.Effect {
	_, effects := s.row().About(s, s.Actor(), a)
	return effects
}

// outcome is what a deed of some name does to the own markers and to Global Emissions, and what that leads to; in a
// turn also as numbers.
func (s *State) outcome(name string, a env.Action) (text string, effects []env.Effect) {
	text, after := name, s.tried(a)
	if act.fund.Has(a) && s.DeckSize == 1 {
		text += "  (takes the last card of the deck)"
	}
	list := s.effects(&after)
	for i, e := range list {
		if e.By != 0 {
			text += fmt.Sprintf("  %c %+d", "PEGM"[i], e.By)
		}
	}
	if s.inATurn() {
		effects = list
	}
	if after.Decision != AtAttach {
		p := s.Actor()
		if s.inATurn() {
			effects = append(effects, env.Effect{Player: env.Over, What: "final round", By: index(after.Final) - index(s.Final)},
				env.Effect{Player: p, What: "wins", By: index(after.targetWonBy(p))})
		}
		return text + s.outcomeText(&after), effects
	}
	attached := after
	after.attach(int(s.Seat), false, nil)
	attached.attach(int(s.Seat), true, nil)
	outcome := s.outcomeText(&after)
	if outcome != "" && outcome != s.outcomeText(&attached) {
		outcome += "  unless the held Technology is attached"
	}
	return text + outcome, effects
}

// tried is the position after an action that is a deed. Where the effect that it is part of goes on to a new round,
// with its events and incomes, it does no more than the deed. Of luck it needs the cards on offer alone.
func (s *State) tried(a env.Action) State {
	after := *s
	switch p := int(s.Seat); {
	case s.inATurn():
		after.Apply(a, nil)
		return after
	case act.on.Has(a):
		after.upgrade(p, Project(act.on.Index(a)))
	case act.discard.Has(a):
		after.lose(p, Project(act.discard.Index(a)), false)
	default:
		after.lose(p, Project(act.discardUpgraded.Index(a)), true)
	}
	after.checkpoint()
	return after
}

// effects are what has come of a deed: own Prosperity and Emissions, Global Emissions, own money.
func (s *State) effects(after *State) []env.Effect {
	p, was, is := env.Player(s.Seat), &s.Countries[s.Seat], &after.Countries[s.Seat]
	return []env.Effect{
		{Player: p, What: "prosperity", By: int(is.Prosperity - was.Prosperity)},
		{Player: p, What: "emissions", By: int(is.Emissions - was.Emissions)},
		{Player: env.Over, What: "global", By: int(after.Global - s.Global)},
		{Player: p, What: "money", By: int(is.Money - was.Money)},
	}
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
