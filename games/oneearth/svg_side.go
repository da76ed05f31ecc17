package oneearth

import (
	"fmt"
	"math/bits"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// A side is what is written at the right, part by part.
type side []sidePart

type sidePart struct {
	title   string
	lines   []string
	actions []env.Action // that the part stands for
}

const sideText = sideWidth - 24 // the width of its lines

// add adds a part, each text on lines of its own; without texts it adds nothing.
func (side *side) add(title string, texts ...string) {
	var lines []string
	for _, text := range texts {
		lines = append(lines, board.Wrap(text, sideText, small.Size, false)...)
	}
	side.addLines(title, lines)
}

func (side *side) addLines(title string, lines []string, actions ...env.Action) {
	if len(lines) > 0 {
		*side = append(*side, sidePart{title: title, lines: lines, actions: actions})
	}
}

// drawSide draws the parts; of those for which there is no room it has the title, and the text view the rest.
func (s *State) drawSide(d *board.Drawing, viewer env.Player) {
	const bottom, step, gap = board.High - 12.0, 16.5, 22.0
	cardsY := s.cardsY()
	d.Sheet(sideX, cardsY, sideWidth, bottom-cardsY)
	y := cardsY + gap
	parts := s.sideParts(viewer)
	for i, part := range parts {
		high := step * float64(len(part.lines))
		if y+high+gap*float64(len(parts)-1-i) > bottom-6 {
			part.title, part.lines, high = part.title+" (listed as text)", nil, 0
		}
		if part.actions != nil {
			d.TouchRect(s.game.info, sideX+5, y-16, sideWidth-10, gap-1+high, 6, part.actions...)
		}
		d.Text(sideX+12, y, heading.Sized(16), part.title)
		for _, line := range part.lines {
			y += step
			d.Fit(sideX+12, y, sideText, plain, line)
		}
		y += gap
	}
}

// sideParts are what is being decided, the decks but for the Projects', the Resolutions and the NPC.
func (s *State) sideParts(viewer env.Player) side {
	var side side
	side.add("Now", s.nowWords(viewer)...)
	if s.game.WithNPC() {
		side.addLines("Military General", board.WrapList(s.npcWords(), ", ", sideText, small.Size, false))
	}
	technologies, policies := s.decksText("%s %d", "%s %d (E %+d)", false)
	side.addLines("Technologies left, with cost", board.WrapList(technologies, " · ", sideText, small.Size, false),
		block(Tech, NumTechnologies)...)
	side.addLines("Climate Policies left, with cost", board.WrapList(policies, " · ", sideText, small.Size, false),
		block(FundPolicy, NumPolicies)...)
	if s.game.Diplomatic() {
		for _, standing := range []Standing{Passed, Failed, InDeck} {
			side.addLines([...]string{InDeck: "Resolutions in the deck", Passed: "Resolutions passed",
				Failed: "Resolutions failed"}[standing],
				board.WrapList(s.resolutionTexts(standing), " · ", sideText, small.Size, false))
		}
	}
	if !s.game.WithNPC() {
		side.add("Warning Events left", events("%s: %s", s.game.Components.Warnings[:], s.warningsLeft())...)
		side.add("Critical Events left", events("%s: %s", s.game.Components.Criticals[:], s.criticalsLeft())...)
	}
	side.addLines("Project deck: "+spelling.Counted(int(s.DeckSize), "card"), s.deckLines())
	return side
}

// block are some actions in a row.
func block(first env.Action, n int) []env.Action {
	actions := make([]env.Action, n)
	for i := range actions {
		actions[i] = first + env.Action(i)
	}
	return actions
}

// events are the names and effects of a set of event cards, written in a form.
func events(form string, cards []EventCard, left uint8) []string {
	var words []string
	for ; left != 0; left &= left - 1 {
		card := &cards[bits.TrailingZeros8(left)]
		words = append(words, fmt.Sprintf(form, card.Name, card.text()))
	}
	return words
}

// nowWords say who decides what, and how the ballot stands; or how the game ended.
func (s *State) nowWords(viewer env.Player) []string {
	if s.Decision == Over {
		words := []string{endingTexts[s.Ending], "The game is over; " + s.winnersText() + "."}
		if s.game.Advanced {
			for p := range s.game.Players {
				words = append(words, s.vpText(p))
			}
		}
		return words
	}
	what, _, _ := strings.Cut(s.row().Asks, ": ") // without how that is typed
	words := []string{seatName(s.Actor()) + " decides: " + what}
	if s.Proposal >= 0 {
		words = append(words, "Proposal: "+s.game.Components.Resolutions[s.Proposal].Name+s.sharedText()+": "+
			s.resolutionText(s.Proposal))
	}
	if s.Event >= 0 {
		card := &s.game.Components.Criticals[s.Event]
		words = append(words, "Critical Event: "+card.Name+": "+card.text())
	}
	if s.Using >= 0 && s.Proposal < 0 {
		words = append(words, "Technology: "+s.game.Components.Technologies[s.Using].Name)
	}
	if s.Decision == AtAskReply {
		words = append(words, s.requestText())
	}
	return append(words, strings.Join(s.answersWords(viewer), ", "))
}
