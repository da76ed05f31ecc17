package oneearth

import (
	"fmt"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// What is printed on the cards, in words: for pictures and text views.

var sectorNames = [NumSectors]string{
	"Education", "Health", "Entertainment", "Manufacturing", "Food", "Transport", "Fossil Fuel", "Renewable Energy",
}

// statements are what the words of the talk mean (OE-281).
var statements = [NumWords]string{
	SayNothing: "nothing", PromisePolicy: "I fund a Climate Policy in my next turn",
	PromiseClean: "I don't raise my Emissions in my next turn", SayYes: "I support this", SayNo: "I oppose this",
	PromiseAid: "I grant my supporters their next request", PromiseSharing: "I share my next Technology",
	PromiseSparing: "I won't sanction my supporters",
}

// meaning is what a word means now: a request for aid promises for the turn that is running (OE-282).
func (s *State) meaning(w Word) string {
	if s.Decision == AtAskSay || s.Decision == AtAskReply {
		return strings.Replace(statements[w], "my next turn", "this turn", 1)
	}
	return statements[w]
}

// changes lists what is not 0, as "P +1, M -2".
func changes(letters string, by ...int) string {
	var parts []string
	for i, n := range by {
		parts = board.AppendWhen(parts, n != 0, "%c %+d", letters[i], n)
	}
	return strings.Join(parts, ", ")
}

// upgradeText says what a Technology does to a Project.
func (s *State) upgradeText(card *ProjectCard) string {
	if card.Technology < 0 {
		return "no upgrade"
	}
	return s.game.Components.Technologies[card.Technology].Name + " " + changes("PE", card.DP, card.DE)
}

// leaderText says what a leader can do, and what it scores for.
func (s *State) leaderText(l Leader) string {
	card := &s.game.Components.Leaders[l]
	switch l {
	case Diplomat:
		return fmt.Sprintf("vetoes a Resolution, once; VP +%d for each supported one that passed", card.Bonus)
	case Tycoon:
		return fmt.Sprintf("P +%d on fossil fuel Projects; VP +%d for each", card.Ability, card.Bonus)
	case Scientist:
		return fmt.Sprintf("income +1 for each own Technology, at most %d; VP +%d for each", card.Ability, card.Bonus)
	case Environmentalist:
		best := [...]string{"the lowest E", "E below %[2]d"}[index(s.game.Players == 1)] // OE-254
		return fmt.Sprintf("G -%d, once; VP +1 for each of E below %d, +%d with "+best, card.Ability, cleanBelow, card.Bonus)
	case Entertainer:
		return fmt.Sprintf("P, E and G +%d, once; VP +%d for each entertainment Project", card.Ability, card.Bonus)
	}
	return fmt.Sprintf("immune to one Critical Event; VP +%d for each manufacturing Project", card.Bonus)
}

// text says what an event does.
func (card *EventCard) text() string {
	var parts []string
	for i, e := range [...]Effect{card.All, card.High, card.Low} {
		if e == (Effect{}) {
			continue
		}
		text := changes("PM", e.Prosperity, e.Money)
		if e.Income != 0 {
			text = fmt.Sprintf("income %+d", e.Income)
		}
		parts = append(parts, [...]string{"all ", "highest E also ", "lowest E also "}[i]+text)
	}
	return strings.Join(parts, "; ")
}

// resolutionText says what a Resolution does once it has passed.
func (s *State) resolutionText(r Resolution) string {
	card, k := &s.game.Components.Resolutions[r], &s.game.Components.Constants
	switch r {
	case BanCoal, BanNuclear:
		return "takes out of the game every " + s.projectNames(card.Plus|card.Minus)
	case EduTech, Medicine:
		return "“yes” voters get P +1, and P +1 on each own and later " + s.projectNames(card.Plus)
	case CapAndTrade:
		return fmt.Sprintf("each turn pay 1 for each of E above %d", k.EmissionAllowance)
	case CurbTransport:
		return "P +1 on " + s.projectNames(card.Plus) + "; P -1 on " + s.projectNames(card.Minus)
	case ShareTech:
		return "every seat but its funder may use the named Technology once"
	case ForeignAid:
		return fmt.Sprintf("no vote; in the coming round the highest P pays %d, the lowest gets it", k.AidTransfer)
	}
	return fmt.Sprintf("no vote; pledges of %d in all; who pays %d or more gets P +%d and is scored even on a "+
		"ruined Earth", k.MarsNeeded, k.MarsShare, k.MarsGain)
}

// projectNames are those of a set of types.
func (s *State) projectNames(set Projects) string {
	var names []string
	for ; set != 0; set &= set - 1 {
		names = append(names, s.game.Components.Projects[set.First()].Name)
	}
	return strings.Join(names, ", ")
}

// resolutionState is a Resolution's name, who voted for it, and what is shared by it.
func (s *State) resolutionState(r Resolution) string {
	text := s.game.Components.Resolutions[r].Name
	if r == ShareTech && s.SharedTech >= 0 {
		text += ": " + s.game.Components.Technologies[s.SharedTech].Name
	}
	return text + board.When(s.YesVoters[r] != env.Nobody, " (yes: %s)", board.Marks(s.YesVoters[r]))
}
