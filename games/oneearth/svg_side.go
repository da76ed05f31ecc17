package oneearth

import (
	"fmt"
	"math/bits"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// A side is what is written at the right, part by part.
type side []sidePart

type sidePart struct {
	title   string
	lines   []string
	actions []env.Action // that the part stands for
}

const sideText = sideWidth - 44 // the width of its lines

// add adds a part, each text on lines of its own; without texts it adds nothing.
func (side *side) add(title string, texts ...string) {
	var lines []string
	for _, text := range texts {
		for i, line := range board.Wrap(text, sideText, small.Size, false) {
			if i > 0 {
				line = "    " + line
			}
			lines = append(lines, line)
		}
	}
	side.addLines(title, lines)
}

func (side *side) addLines(title string, lines []string, actions ...env.Action) {
	if len(lines) > 0 {
		*side = append(*side, sidePart{title: title, lines: lines, actions: actions})
	}
}

func (side side) height() float64 {
	height := 18.0
	for _, part := range side {
		height += 26 + 16*float64(len(part.lines))
	}
	return height
}

func (side side) draw(d *board.Drawing, info *env.Info, y, height float64) {
	d.Rect(sideX, y, sideWidth, height, 8, card)
	y += 26
	for _, part := range side {
		if part.actions != nil {
			d.Touch(info, part.actions...)
			d.Rect(sideX+6, y-18, sideWidth-12, 26+16*float64(len(part.lines)), 6, board.Paint{})
			d.End()
		}
		d.Text(sideX+14, y, heading.Sized(14), part.title)
		for _, line := range part.lines {
			y += 16
			indent := 0.0
			if trimmed := strings.TrimLeft(line, " "); trimmed != line {
				line, indent = trimmed, 14
			}
			d.Text(sideX+14+indent, y, small.In(board.Ink), line)
		}
		y += 26
	}
}

// sideParts are what is being decided, the decks but for the Projects', the Resolutions and the NPC.
func (s *State) sideParts(viewer env.Player) side {
	var side side
	side.add("Now", s.nowWords(viewer)...)
	if s.game.WithNPC() {
		side.addLines("Military General", board.WrapList(s.npcWords(), ", ", sideText, small.Size, false))
	}
	side.addLines("Technologies left, with cost", board.WrapList(s.technologiesLeft(), " · ", sideText, small.Size, false),
		block(Tech, NumTechnologies)...)
	side.addLines("Climate Policies left, with cost", board.WrapList(s.policiesLeft(), " · ", sideText, small.Size, false),
		block(FundPolicy, NumPolicies)...)
	if s.game.Diplomatic() {
		for _, standing := range []Standing{Passed, Failed, InDeck} {
			var texts []string
			for r := range Resolution(NumResolutions) {
				if s.game.Components.Resolutions[r].InBox && s.Resolutions[r] == standing {
					text := s.resolutionState(r)
					if standing != Failed {
						text += ": " + s.resolutionText(r)
					}
					texts = append(texts, text)
				}
			}
			side.add([...]string{InDeck: "Resolutions in the deck", Passed: "Resolutions passed",
				Failed: "Resolutions failed"}[standing], texts...)
		}
	}
	if !s.game.WithNPC() {
		side.add("Warning Events left", events(s.game.Components.Warnings[:], s.game.boxWarnings&^s.WarningsDrawn)...)
		side.add("Critical Events left", events(s.game.Components.Criticals[:], s.game.boxCriticals&^s.CriticalsDrawn)...)
	}
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

func (s *State) technologiesLeft() []string {
	var words []string
	for i, card := range s.game.Components.Technologies {
		if card.InBox && s.Technologies[i] == inDeck {
			words = append(words, fmt.Sprintf("%s %d", card.Name, card.Cost))
		}
	}
	return words
}

func (s *State) policiesLeft() []string {
	var words []string
	for i, card := range s.game.Components.Policies {
		if card.InBox && s.Policies[i] == inDeck {
			words = append(words, fmt.Sprintf("%s %d (E %+d)", card.Name, card.Cost, -card.Reduction))
		}
	}
	return words
}

// events are the names and effects of a set of event cards.
func events(cards []EventCard, left uint8) []string {
	var words []string
	for ; left != 0; left &= left - 1 {
		card := &cards[bits.TrailingZeros8(left)]
		words = append(words, card.Name+": "+card.text())
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
	words := []string{s.deciderText()}
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
	return append(words, s.answersWords(viewer)...)
}
