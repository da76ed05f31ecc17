package oneearth

import (
	"fmt"
	"math/bits"

	"earthgym/env"
)

// The board as a picture: the track of Global Emissions above, the row of Projects below it, then a
// panel for each seat, and at the right the decks, the UN and what is being decided.

const (
	pictureWidth = 1240
	trackX       = 28
	trackY       = 74
	stepWidth    = 27
	rowY         = 150
	cardWidth    = 138
	cardHeight   = 128
	seatY        = 308
	seatHeight   = 112
	seatGap      = 10
	seatWidth    = 858
	sideX        = 910
	sideWidth    = 302
)

// The colours of sectors, in their order, and of seats.
var (
	sectorColours = [NumSectors]string{"#4c78a8", "#d1495b", "#b279a2", "#8c6d4f", "#c79a2b", "#4b8f8c", "#4a4e54", "#5a9e4b"}
	seatColours   = [MaxPlayers]string{"#c8443c", "#2b6cb0", "#d99a08", "#7a4aa0", "#2f855a"}
	bandColours   = [...]string{"#7fb069", "#e6c229", "#e8833a", "#b3261e"}
)

const (
	ink  = `fill="#22303a"`
	pale = `fill="#66727c"`
	bold = `fill="#22303a" font-weight="bold"`
	snow = `fill="#ffffff"`
)

// drawing appends elements.
type drawing struct{ dst []byte }

func (d *drawing) add(format string, args ...any) {
	d.dst = append(fmt.Appendf(d.dst, format, args...), '\n')
}

// text writes a text; anchor is start, middle or end, and style further attributes.
func (d *drawing) text(x, y, size int, anchor, style, text string) {
	d.add(`<text x="%d" y="%d" font-size="%d" text-anchor="%s" %s>%s</text>`, x, y, size, anchor, style, escape(text))
}

// lines writes words below each other, as many to a line as fit, and gives the y of the line after.
func (d *drawing) lines(x, y, size, width int, style string, words []string) int {
	line, most := "", width*100/(size*52)
	for _, word := range words {
		if line != "" && len(line)+2+len(word) > most {
			d.text(x, y, size, "start", style, line)
			line = ""
			y += size + 4
		}
		if line != "" {
			line += ", "
		}
		line += word
	}
	if line != "" {
		d.text(x, y, size, "start", style, line)
		y += size + 4
	}
	return y
}

// escape makes a name from a data file safe for XML.
func escape(text string) string {
	var b []byte
	for _, r := range text {
		switch r {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		default:
			b = append(b, string(r)...)
		}
	}
	return string(b)
}

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := drawing{dst}
	height := max(seatY+s.game.Players*(seatHeight+seatGap)+14, 760)
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif">`, pictureWidth, height)
	d.add(`<rect width="%d" height="%d" fill="#eef2f0"/>`, pictureWidth, height)
	s.drawHead(&d)
	s.drawTrack(&d)
	for slot := range s.Row {
		s.drawCard(&d, slot)
	}
	for i := range s.game.Players {
		s.drawSeat(&d, s.inTurn(i), seatY+i*(seatHeight+seatGap), p)
	}
	s.drawSide(&d, p, height)
	d.add(`</svg>`)
	return d.dst
}

func (s *State) drawHead(d *drawing) {
	d.text(trackX, 38, 24, "start", bold, "One Earth")
	mode := "standard"
	if s.game.Advanced {
		mode = "advanced"
	}
	if s.game.Players == 1 {
		mode = "alone, " + difficultyIDs[s.game.Difficulty]
	}
	text := fmt.Sprintf("%s · round %d of at most %d · target %d Prosperity", mode, s.Round, s.game.MaxRounds, s.game.Target)
	if s.Final {
		text += " · FINAL ROUND"
	}
	d.text(164, 38, 15, "start", ink, text)
	if !s.game.WithNPC() {
		text := fmt.Sprintf("Critical Events left: %d", s.CriticalsLeft())
		if s.IncomeMod != 0 {
			text += fmt.Sprintf(" · income this round %+d", s.IncomeMod)
		}
		d.text(sideX-24, 38, 14, "end", ink, text)
	}
}

// drawTrack draws the steps of Global Emissions, filled up to the marker, in the colours of the bands.
func (s *State) drawTrack(d *drawing) {
	ruin := s.game.Components.Constants.Ruin
	width := min(stepWidth, (seatWidth-40)/(ruin+1))
	for step := 0; step <= ruin; step++ {
		x := trackX + step*width
		opacity := "0.22"
		if step <= int(s.Global) {
			opacity = "1"
		}
		d.add(`<rect x="%d" y="%d" width="%d" height="26" rx="4" fill="%s" fill-opacity="%s"/>`, x, trackY, width-3, bandColours[s.band(step)], opacity)
		style := pale
		if step == int(s.Global) {
			style = bold
			d.add(`<path d="M%d %d l-6 -9 h12 z" fill="#22303a"/>`, x+(width-3)/2, trackY-2)
		}
		if step%5 == 0 || step == int(s.Global) || s.band(step) != s.band(step-1) {
			d.text(x+(width-3)/2, trackY+42, 12, "middle", style, fmt.Sprint(step))
		}
	}
	low := s.game.Components.Constants.WinBelow
	if !s.game.Advanced {
		x := trackX + low*width - 2
		d.add(`<path d="M%d %d v34" stroke="#22303a" stroke-width="2" stroke-dasharray="4 3"/>`, x, trackY-4)
		d.text(x, trackY-8, 11, "middle", pale, "no win from here")
	}
	d.text(trackX+(ruin+1)*width+2, trackY+18, 15, "start", bold, fmt.Sprintf("G %d", s.Global))
}

// drawCard draws a slot of the row.
func (s *State) drawCard(d *drawing, slot int) {
	x, project := trackX+slot*(cardWidth+6), s.Row[slot]
	d.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="#ffffff" stroke="#c4ccd0"/>`, x, rowY, cardWidth, cardHeight)
	if project < 0 {
		d.text(x+cardWidth/2, rowY+70, 14, "middle", pale, "empty")
		return
	}
	card := &s.game.Components.Projects[project]
	d.add(`<path d="M%d %d v-15 a8 8 0 0 1 8 -8 h%d a8 8 0 0 1 8 8 v15 z" fill="%s"/>`, x, rowY+23, cardWidth-16, sectorColours[card.Sector])
	d.text(x+8, rowY+16, 12, "start", snow+` font-weight="bold"`, fmt.Sprintf("%d  %s", slot+1, card.Sector))
	d.text(x+cardWidth/2, rowY+43, fit(card.Name), "middle", bold, card.Name)
	for i, number := range []struct {
		letter, colour string
		n              int
	}{{"cost", "#8a6d1d", card.Cost}, {"P", "#2f7d4f", s.Worth(s.active(), project, false)}, {"E", "#b3462a", card.Emissions}} {
		at := x + 25 + i*44
		d.add(`<circle cx="%d" cy="%d" r="15" fill="%s"/>`, at, rowY+69, number.colour)
		d.text(at, rowY+74, 15, "middle", snow+` font-weight="bold"`, fmt.Sprint(number.n))
		d.text(at, rowY+97, 11, "middle", pale, number.letter)
	}
	d.text(x+cardWidth/2, rowY+118, 12, "middle", ink, upgradeText(card))
}

// fit is the size at which a card's name fits its width.
func fit(name string) int {
	switch {
	case len(name) > 22:
		return 10
	case len(name) > 17:
		return 12
	}
	return 14
}

// drawSeat draws a country: its markers, its Projects as chips, what is said of it.
func (s *State) drawSeat(d *drawing, p, y int, viewer env.Player) {
	c := &s.Countries[p]
	stroke, width := "#c4ccd0", 1
	if int(s.Seat) == p {
		stroke, width = "#22303a", 3
	}
	d.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="#ffffff" stroke="%s" stroke-width="%d"/>`, trackX, y, seatWidth, seatHeight, stroke, width)
	d.add(`<rect x="%d" y="%d" width="10" height="%d" rx="4" fill="%s"/>`, trackX, y, seatHeight, seatColours[p])
	name := seatName(env.Player(p))
	if env.Player(p) == viewer {
		name += " (you)"
	}
	d.text(trackX+22, y+23, 16, "start", bold, name)
	if c.Leader >= 0 {
		leader := s.game.Components.Leaders[c.Leader].Name
		if c.AbilityUsed {
			leader += " (used)"
		}
		d.text(trackX+22, y+42, 13, "start", ink, leader)
	}
	if s.game.Diplomatic() {
		for i := range int(c.Tokens) + int(c.Support) {
			fill := seatColours[p]
			if i >= int(c.Tokens) {
				fill = "none"
			}
			d.add(`<circle cx="%d" cy="%d" r="5" fill="%s" stroke="%s"/>`, trackX+28+i*14, y+56, fill, seatColours[p])
		}
	}
	points := fmt.Sprintf("income %d", s.Income(p))
	if fee := s.Fee(p); fee > 0 {
		points += fmt.Sprintf(" - %d", fee)
	}
	if s.game.Advanced {
		points += fmt.Sprintf(" · VP now %d", s.VP(p).Total())
	}
	d.text(trackX+22, y+80, 13, "start", ink, points)
	if c.Said >= 0 || c.PromisesKept+c.PromisesBroken > 0 {
		d.text(trackX+22, y+99, 12, "start", pale, fmt.Sprintf("said %s; kept %d, broke %d", orDash(c.Said), c.PromisesKept, c.PromisesBroken))
	}
	for i, marker := range []struct {
		letter, colour string
		n              int16
	}{{"P", "#2f7d4f", c.Prosperity}, {"E", "#b3462a", c.Emissions}, {"M", "#8a6d1d", c.Money}} {
		x := trackX + 208 + i*52
		d.add(`<rect x="%d" y="%d" width="46" height="38" rx="6" fill="%s"/>`, x, y+12, marker.colour)
		d.text(x+23, y+38, 19, "middle", snow+` font-weight="bold"`, fmt.Sprint(marker.n))
		d.text(x+23, y+64, 11, "middle", pale, marker.letter)
	}
	s.drawTarget(d, p, trackX+208, y+72)
	s.drawTableau(d, p, trackX+380, y+12)
}

func orDash(w Word) string {
	if w < 0 {
		return "-"
	}
	return w.String()
}

// drawTarget draws how far a country is on its way to the target.
func (s *State) drawTarget(d *drawing, p, x, y int) {
	const length = 150
	done := min(length, length*int(s.Countries[p].Prosperity)/s.game.Target)
	d.add(`<rect x="%d" y="%d" width="%d" height="8" rx="4" fill="#dfe6e2"/>`, x, y, length)
	if done > 0 {
		d.add(`<rect x="%d" y="%d" width="%d" height="8" rx="4" fill="#2f7d4f"/>`, x, y, done)
	}
	d.text(x, y+25, 11, "start", pale, fmt.Sprintf("%d of %d", s.Countries[p].Prosperity, s.game.Target))
}

// drawTableau draws Projects as chips in the colours of their sectors, then Technologies, Policies and
// marks.
func (s *State) drawTableau(d *drawing, p, x, y int) {
	c, left, right := &s.Countries[p], x, trackX+seatWidth-8
	chip := func(text, fill, style string) {
		width := 16 + 7*len(text)
		if x+width > right {
			x, y = left, y+24
		}
		d.add(`<rect x="%d" y="%d" width="%d" height="20" rx="10" fill="%s"/>`, x, y, width, fill)
		d.text(x+width/2, y+14, 12, "middle", style, text)
		x += width + 5
	}
	for sector, types := range s.game.Components.Sectors {
		for set := types & (c.PlainSet | c.UpgradedSet); set != 0; set &= set - 1 {
			project := set.first()
			for range c.Plain[project] {
				chip(project.String(), sectorColours[sector], snow)
			}
			for range c.Upgraded[project] {
				chip(project.String()+"+", sectorColours[sector], snow+` font-weight="bold"`)
			}
		}
	}
	for i := range Technology(NumTechnologies) {
		switch {
		case c.Loose[i] > 0:
			chip(i.String()+" (loose)", "#d6e4f5", ink)
		case c.Saved[i] > 0:
			chip(i.String()+" (saved)", "#d6e4f5", ink)
		case int(s.Technologies[i]) == p:
			chip(i.String(), "#d6e4f5", ink)
		}
	}
	for i := range Policy(NumPolicies) {
		if int(s.Policies[i]) == p {
			chip(i.String(), "#d8ecd4", ink)
		}
	}
	for _, mark := range s.marks(p) {
		chip(mark, "#f6dfc8", ink)
	}
}

// drawSide draws the decks, the Resolutions, the NPC and what is being decided.
func (s *State) drawSide(d *drawing, viewer env.Player, height int) {
	d.add(`<rect x="%d" y="18" width="%d" height="%d" rx="8" fill="#ffffff" stroke="#c4ccd0"/>`, sideX, sideWidth, height-36)
	x, y := sideX+14, 44
	part := func(title string, words []string) {
		if len(words) == 0 {
			return
		}
		d.text(x, y, 13, "start", bold, title)
		y = d.lines(x, y+18, 12, sideWidth-28, ink, words) + 10
	}
	part("Now", s.nowWords(viewer))
	technologies, policies := s.decksText()
	part("Technologies", technologies)
	part("Climate Policies", policies)
	if s.game.Diplomatic() {
		for _, standing := range []Standing{Passed, Failed, InDeck} {
			var words []string
			for r := range Resolution(NumResolutions) {
				if s.game.Components.Resolutions[r].InBox && s.Resolutions[r] == standing {
					word := r.String()
					if voters := s.YesVoters[r]; voters != env.Nobody {
						word += " (yes: " + voters.String() + ")"
					}
					words = append(words, word)
				}
			}
			part("Resolutions: "+standing.String(), words)
		}
	}
	if s.game.WithNPC() {
		part("Military General", s.npcWords())
	}
	var deck []string
	for project, n := range s.Deck {
		if n > 0 {
			deck = append(deck, fmt.Sprintf("%s %d", projectIDs[project], n))
		}
	}
	part(fmt.Sprintf("Project deck: %d", s.DeckSize), deck)
	if !s.game.WithNPC() {
		part("Warning Events left", events(warningIDs[:], s.game.boxWarnings&^s.WarningsDrawn))
		part("Critical Events left", events(criticalIDs[:], s.game.boxCriticals&^s.CriticalsDrawn))
	}
}

func events(ids []string, left uint8) []string {
	var words []string
	for ; left != 0; left &= left - 1 {
		words = append(words, ids[bits.TrailingZeros8(left)])
	}
	return words
}

// nowWords say who decides what, and how the ballot stands; or how the game ended.
func (s *State) nowWords(viewer env.Player) []string {
	if s.Phase == OverPhase {
		winners := "nobody wins"
		if set := s.Winners(); set != env.Nobody {
			winners = "winners: " + set.String()
		}
		return []string{"over: " + s.Reason(), winners}
	}
	words := []string{seatName(s.Actor()) + ": " + s.Phase.String()}
	if s.Proposal >= 0 {
		words = append(words, s.Proposal.String()+s.sharedText())
	}
	if s.Event >= 0 {
		words = append(words, s.Event.String())
	}
	if s.Phase == AskReplyPhase {
		words = append(words, fmt.Sprintf("asked for %d", s.Ask.Amount), "promise: "+s.Ask.Say.String())
	}
	return append(words, s.answersWords(viewer)...)
}
