package oneearth

import (
	"fmt"
	"strconv"

	"earthgym/env"
	"earthgym/env/board"
)

// The board as a picture: the Prosperity Track and the Emissions Track with everybody's markers, below them the row of
// Projects, a panel for each seat and the Project deck, and at the right what is being decided and the other decks.

const (
	pictureWidth = 1400
	margin       = 24.0
	trackX       = 140.0 // where the tracks begin
	cardHeight   = 150.0
	leftWidth    = 980.0 // of cards and seats
	sideX        = margin + leftWidth + 16
	sideWidth    = pictureWidth - margin - sideX
	chipsX       = 520.0 // where a seat's Projects begin, from its panel
)

// The colours of sectors, in their order, and of the bands of the Emissions Track.
var (
	sectorColours = [NumSectors]string{"#3b6694", "#b8364a", "#8e4f80", "#7a5c40", "#8a6508", "#2f6f6c", "#3f4349",
		"#3c7a2f"}
	bandColours = [...]string{"#a9cf9d", "#f1dd7a", "#f3b27c", "#e58f86"}
)

const (
	prosperityColour = "#2a7246"
	emissionsColour  = "#a8402a"
	moneyColour      = "#7d6115"
)

var (
	heading = board.Font{Size: 16, Fill: board.Ink, Bold: true}
	plain   = board.Font{Size: 13, Fill: board.Ink}
	small   = board.Font{Size: 12, Fill: board.Pale}
	tiny    = board.Font{Size: 11, Fill: board.Pale}
	card    = board.Paint{Fill: board.White, Stroke: board.Edge}
)

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	var chips [MaxPlayers][]chip
	top := s.cardsY() + cardHeight + 14
	left := top
	for q := range s.game.Players {
		chips[q] = s.chips(q)
		left += s.seatHeight(chips[q]) + 10
	}
	deck := s.deckLines()
	left += 40 + 17*float64(len(deck))
	side := s.sideParts(p)
	right := s.cardsY() + side.height()
	height := max(left, right) + 46

	title := fmt.Sprintf("One Earth: round %d, Global Emissions %d", s.Round, s.Global)
	d := board.NewDrawing(dst, title, pictureWidth, int(height), "#eef2f0")
	d.Pane("seats", 0, s.cardsY()-8, sideX-6, height-s.cardsY()+8)
	d.Pane("tracks", 0, 0, pictureWidth, s.cardsY()-4)
	d.Pane("decks", sideX-6, s.cardsY()-8, pictureWidth-sideX+6, height-s.cardsY()+8)
	s.drawHead(d)
	s.drawProsperity(d)
	s.drawEmissions(d)
	for slot := range s.Row {
		s.drawCard(d, slot)
	}
	y := top
	for i := range s.game.Players {
		q := s.inTurn(i)
		s.drawSeat(d, q, y, chips[q], p)
		s.touchSeat(d, q, y, chips[q])
		y += s.seatHeight(chips[q]) + 10
	}
	d.Rect(margin, y, leftWidth, height-46-y, 8, card)
	d.Text(margin+14, y+23, heading.Sized(14), fmt.Sprintf("Project deck: %d cards", s.DeckSize))
	for i, line := range deck {
		d.Text(margin+14, y+42+17*float64(i), small.In(board.Ink), line)
	}
	side.draw(d, s.game.info, s.cardsY(), height-46-s.cardsY())
	d.Text(margin, height-18, small, s.legend())
	return d.Bytes()
}

func (s *State) legend() string {
	text := "P Prosperity · E a country's Emissions · G Global Emissions · M money · + upgraded by a Technology"
	if s.game.Advanced {
		text += " · VP Victory Points"
	}
	text += " · digits on discs are seats"
	if s.game.Players == 1 {
		text += ", N the Military General"
	}
	return text
}

func (s *State) drawHead(d *board.Drawing) {
	d.Text(margin, 40, board.Font{Size: 26, Fill: board.Ink, Bold: true}, "One Earth")
	mode := "standard"
	if s.game.Advanced {
		mode = "advanced"
	}
	if s.game.Players == 1 {
		mode = "alone, " + difficultyIDs[s.game.Difficulty]
	}
	text := fmt.Sprintf("%s · round %d of at most %d · target %d Prosperity", mode, s.Round, s.game.MaxRounds,
		s.game.Target)
	if s.Final {
		text += " · FINAL ROUND"
	}
	d.Text(margin+150, 40, plain.Sized(15), text)
	if s.game.WithNPC() {
		return
	}
	text = fmt.Sprintf("Critical Events left: %d", s.CriticalsLeft())
	if s.IncomeMod != 0 {
		text += fmt.Sprintf(" · income this round %+d", s.IncomeMod)
	}
	d.Text(pictureWidth-margin, 40, plain.Sized(15).End(), text)
}

// A track is a row of spaces, with markers in them.
type track struct {
	y, space, height float64 // of the top, of a space's width, of the spaces
	last             int     // its last space; markers beyond lie there
	columns          int     // of markers in a space
	markers          []marker
}

// A marker is a country's, or the Military General's.
type marker struct {
	level int
	draw  func(x, y float64)
}

const (
	firstTrackY = 66.0
	markerSize  = 18.8
)

func (s *State) newTrack(y float64, last int) *track {
	t := &track{y: y, last: last, space: (pictureWidth - margin - trackX) / float64(last+1), columns: 1}
	if t.space >= 2*markerSize {
		t.columns = 2
	}
	t.height = s.trackHeight(t.columns)
	return t
}

// trackHeight leaves room for all markers in one space.
func (s *State) trackHeight(columns int) float64 {
	markers := s.game.Players
	if markers == 1 {
		markers++ // the Military General's
	}
	return 24 + markerSize*float64((markers+columns-1)/columns)
}

func (s *State) lastProsperity() int { return max(30, s.game.Target) }

func (s *State) emissionsY() float64 {
	return firstTrackY + s.newTrack(0, s.lastProsperity()).height + 54
}

func (s *State) cardsY() float64 {
	return s.emissionsY() + s.newTrack(0, s.game.Components.Constants.Ruin).height + 34
}

func (t *track) draw(d *board.Drawing, name, under string, colour func(step int) string) {
	d.Text(margin, t.y+17, heading.Sized(15), name)
	d.Text(margin, t.y+35, small, under)
	for step := 0; step <= t.last; step++ {
		x := trackX + float64(step)*t.space
		d.Rect(x, t.y, t.space-2, t.height, 4, board.Paint{Fill: colour(step)})
		if text := strconv.Itoa(step); plain.Width(text) < t.space-4 {
			d.Text(x+t.space/2-1, t.y+16, plain.Strong().Middle(), text)
		}
	}
}

// drawMarkers lays the markers in their spaces, and several in one beside and below each other.
func (t *track) drawMarkers() {
	count, lying := make([]int, t.last+1), make([]int, t.last+1)
	space := func(m marker) int { return min(max(m.level, 0), t.last) }
	for _, m := range t.markers {
		count[space(m)]++
	}
	for _, m := range t.markers {
		at := space(m)
		n := lying[at]
		lying[at]++
		x := trackX + (float64(at)+0.5)*t.space - 1
		if t.columns == 2 && count[at] > 1 {
			x += (float64(n%2) - 0.5) * markerSize
		}
		m.draw(x, t.y+33.5+markerSize*float64(n/t.columns))
	}
}

// caption writes below some spaces, if there is room.
func (t *track) caption(d *board.Drawing, from, to int, text string) {
	width := float64(to-from+1) * t.space
	if from == to || tiny.Width(text) <= width {
		d.Text(trackX+float64(from)*t.space+width/2-1, t.y+t.height+14, tiny.Middle(), text)
	}
}

const markerRadius = 9.2

// country draws a country's marker.
func country(d *board.Drawing, p int) func(x, y float64) {
	return func(x, y float64) { d.Disc(x, y, markerRadius, p, strconv.Itoa(p)) }
}

func (s *State) drawProsperity(d *board.Drawing) {
	t := s.newTrack(firstTrackY, s.lastProsperity())
	t.draw(d, "Prosperity", fmt.Sprintf("target %d", s.game.Target), func(step int) string {
		if step >= s.game.Target {
			return "#ffe08a"
		}
		return "#d3e6d8"
	})
	for p := range s.game.Players {
		t.markers = append(t.markers, marker{int(s.Countries[p].Prosperity), country(d, p)})
	}
	if s.game.Players == 1 {
		t.markers = append(t.markers, marker{int(s.NPCProsperity), func(x, y float64) {
			d.Piece("N")
			d.Circle(x, y, markerRadius, board.Paint{Fill: "#454d55", Stroke: board.White, Width: 1.5})
			d.Text(x, y+4.3, board.Font{Size: 12, Fill: board.White, Bold: true}.Middle(), "N")
			d.End()
		}})
	}
	t.drawMarkers()
	t.caption(d, s.game.Target, s.game.Target, "target")
}

func (s *State) drawEmissions(d *board.Drawing) {
	k := &s.game.Components.Constants
	t := s.newTrack(s.emissionsY(), k.Ruin)
	t.draw(d, "Emissions", fmt.Sprintf("global: %d", s.Global),
		func(step int) string { return bandColours[s.brings(step)] })
	for p := range s.game.Players {
		t.markers = append(t.markers, marker{int(s.Countries[p].Emissions), country(d, p)})
	}
	t.drawMarkers()
	t.caption(d, k.Ruin, k.Ruin, "ruin")
	// The marker of Global Emissions stands above the track, and its name beside it.
	at := min(max(int(s.Global), 0), t.last)
	x := trackX + (float64(at)+0.5)*t.space - 1
	d.Path(x, t.y-3, "M0,0 l-9,-15 h18 z", board.Paint{Fill: board.Ink})
	font, name := heading.Sized(15), fmt.Sprintf("Global Emissions %d", s.Global)
	if x+20+font.Width(name) > pictureWidth-margin {
		d.Text(x-14, t.y-7, font.End(), name)
	} else {
		d.Text(x+14, t.y-7, font, name)
	}
	if s.game.WithNPC() {
		return
	}
	t.caption(d, 0, k.WarningFrom-1, "no event")
	t.caption(d, k.WarningFrom, k.CriticalFrom-1, "each round a Warning Event")
	switch {
	case s.game.Advanced:
		t.caption(d, k.CriticalFrom, k.Ruin-1, "each round a Critical Event and a sanction")
	case k.WinBelow > k.CriticalFrom:
		t.caption(d, k.CriticalFrom, k.WinBelow-1, "Critical Event, sanction")
		t.caption(d, k.WinBelow, k.Ruin-1, "the same, and nobody can win")
	}
}

// drawCard draws a slot of the row.
func (s *State) drawCard(d *board.Drawing, slot int) {
	const gap = 8.0
	width := (leftWidth - (RowSize-1)*gap) / RowSize
	x, y, project := margin+float64(slot)*(width+gap), s.cardsY(), s.Row[slot]
	d.Rect(x, y, width, cardHeight, 8, card)
	middle := x + width/2
	if project < 0 {
		d.Text(middle, y+80, plain.In(board.Pale).Middle(), fmt.Sprintf("%d: empty", slot+1))
		return
	}
	c := &s.game.Components.Projects[project]
	d.Path(x, y, fmt.Sprintf("M0,25 v-17 a8 8 0 0 1 8 -8 h%.1f a8 8 0 0 1 8 8 v17 z", width-16),
		board.Paint{Fill: sectorColours[c.Sector]})
	d.Text(x+9, y+17, board.Font{Size: 12, Fill: board.White, Bold: true},
		fmt.Sprintf("%d   %s", slot+1, sectorNames[c.Sector]))
	font := heading.Sized(14)
	lines := board.Wrap(c.Name, width-12, font.Size, true)
	lines = lines[:min(len(lines), 2)]
	for i, line := range lines {
		d.Text(middle, y+51+17*(float64(i)-float64(len(lines)-1)/2), font.Middle(), line)
	}
	for i, number := range []struct {
		name, colour string
		n            int
	}{{"cost", moneyColour, c.Cost}, {"P", prosperityColour, s.Worth(s.active(), project, false)},
		{"E", emissionsColour, s.EmissionWorth(project, false)}} {
		at := middle + 46*float64(i-1)
		d.Circle(at, y+88, 16, board.Paint{Fill: number.colour})
		d.Text(at, y+93.5, board.Font{Size: 16, Fill: board.White, Bold: true}.Middle(), strconv.Itoa(number.n))
		d.Text(at, y+118, tiny.Middle(), number.name)
	}
	d.Fit(middle, y+140, width-12, small.In(board.Ink).Middle(), s.upgradeText(c))
	d.Touch(s.game.info, Fund+env.Action(slot))
	d.Rect(x, y, width, cardHeight, 8, board.Paint{})
	d.End()
}

// A chip is a card before a seat, or a mark.
type chip struct {
	text, fill string
	font       board.Font
	x, y       float64 // in its panel
	width      float64
	actions    []env.Action // that can be done with the card
}

const (
	chipHeight = 22.0
	chipStep   = 26.0
)

// chips are a seat's Projects in the order of sectors, its Technologies, Policies and marks, laid out in rows.
func (s *State) chips(p int) []chip {
	c := &s.Countries[p]
	var chips []chip
	dark := board.Font{Size: 12, Fill: board.Ink}
	add := func(text, fill string, font board.Font, actions ...env.Action) {
		chips = append(chips, chip{text: text, fill: fill, font: font.Middle(), width: font.Width(text) + 18,
			actions: actions})
	}
	copies := func(name string, n int8, fill string, font board.Font, actions ...env.Action) {
		if n > 1 {
			name = fmt.Sprintf("%d × %s", n, name)
		}
		if n > 0 {
			add(name, fill, font, actions...)
		}
	}
	for sector, types := range s.game.Components.Sectors {
		for set := types & (c.PlainSet | c.UpgradedSet); set != 0; set &= set - 1 {
			project := set.first()
			name, light := s.game.Components.Projects[project].Name, dark.In(board.White)
			copies(name, c.Plain[project], sectorColours[sector], light, On+env.Action(project), Discard+env.Action(project))
			copies(name+" +", c.Upgraded[project], sectorColours[sector], light.Strong(), DiscardUpgraded+env.Action(project))
		}
	}
	for i := range Technology(NumTechnologies) {
		name := s.game.Components.Technologies[i].Name
		switch {
		case c.Loose[i] > 0:
			add(fmt.Sprintf("%s (%d loose)", name, c.Loose[i]), "#d6e4f5", dark, ApplyUse+env.Action(i))
		case c.Saved[i] > 0:
			add(name+" (saved)", "#d6e4f5", dark)
		case int(s.Technologies[i]) == p:
			add(name, "#d6e4f5", dark)
		}
	}
	for i := range Policy(NumPolicies) {
		if int(s.Policies[i]) == p {
			add(s.game.Components.Policies[i].Name, "#d8ecd4", dark)
		}
	}
	for _, mark := range s.marks(p) {
		add(mark, "#f6dfc8", dark)
	}
	const right = leftWidth - 12
	x, y := chipsX, 12.0
	for i := range chips {
		chip := &chips[i]
		if chip.width > right-chipsX {
			chip.width = right - chipsX
			chip.text = board.Shorten(chip.text, chip.width-16, chip.font.Size, chip.font.Bold)
		}
		if x+chip.width > right {
			x, y = chipsX, y+chipStep
		}
		chip.x, chip.y = x, y
		x += chip.width + 6
	}
	return chips
}

// touchSeat lets a seat's panel stand for what is done with the seat, and the cards before the one that decides for
// what is done with them.
func (s *State) touchSeat(d *board.Drawing, p int, y float64, chips []chip) {
	if s.Seat < 0 {
		return
	}
	places := env.Action((p - int(s.Seat) + s.game.Players) % s.game.Players)
	actions := []env.Action{Accuse + places}
	if places > 0 {
		actions = append(actions, Ask+places-1, Share+places-1)
	}
	d.Touch(s.game.info, actions...)
	d.Rect(margin, y, leftWidth, s.seatHeight(chips), 8, board.Paint{})
	d.End()
	if places > 0 {
		return
	}
	for _, chip := range chips {
		if chip.actions != nil {
			d.Touch(s.game.info, chip.actions...)
			d.Rect(margin+chip.x, y+chip.y, chip.width, chipHeight, chipHeight/2, board.Paint{})
			d.End()
		}
	}
}

// seatHeight is that of a seat's panel.
func (s *State) seatHeight(chips []chip) float64 {
	height := 88.0
	if s.game.Advanced {
		height = 122
	}
	if len(chips) > 0 {
		height = max(height, chips[len(chips)-1].y+chipHeight+12)
	}
	return height
}

// drawSeat draws a country: its markers, what lies before it, what is said of it.
func (s *State) drawSeat(d *board.Drawing, p int, y float64, chips []chip, viewer env.Player) {
	c := &s.Countries[p]
	frame := card
	if int(s.Seat) == p {
		frame.Stroke, frame.Width = board.Ink, 3
	}
	d.Rect(margin, y, leftWidth, s.seatHeight(chips), 8, frame)
	d.Disc(margin+28, y+30, 17, p, strconv.Itoa(p))
	name := fmt.Sprintf("Seat %d", p)
	if env.Player(p) == viewer {
		name += " (you)"
	}
	x, width := margin+56, 272.0
	d.Text(x, y+26, heading, name)
	points := fmt.Sprintf("income %d", s.Income(p))
	if fee := s.Fee(p); fee > 0 {
		points += fmt.Sprintf(" - %d", fee)
	}
	if s.game.Advanced {
		points += fmt.Sprintf(" · VP now %d", s.VP(p).Total())
	}
	at := y + 46
	if s.game.Advanced {
		leader, text := "no leader yet", ""
		if c.Leader >= 0 {
			leader, text = s.game.Components.Leaders[c.Leader].Name, s.leaderText(c.Leader)
		}
		if c.AbilityUsed {
			leader += " (used)"
		}
		d.Text(x, at, plain.Strong(), leader)
		d.Lines(x, at+17, width, 2, small, text)
		at = y + 97
	}
	d.Text(x, at, plain, points)
	if c.Said >= 0 {
		d.Fit(x, at+17, width, small, "said "+s.saidText(p))
	}
	for i, marker := range []struct {
		letter, colour string
		n              int16
	}{{"P", prosperityColour, c.Prosperity}, {"E", emissionsColour, c.Emissions}, {"M", moneyColour, c.Money}} {
		x := margin + 340 + 56*float64(i)
		d.Rect(x, y+12, 50, 38, 6, board.Paint{Fill: marker.colour})
		d.Text(x+25, y+38, board.Font{Size: 20, Fill: board.White, Bold: true}.Middle(), strconv.Itoa(int(marker.n)))
		d.Text(x+25, y+64, tiny.Middle(), marker.letter)
	}
	var notes []string
	if s.game.Diplomatic() {
		notes = append(notes, fmt.Sprintf("voting tokens %d", c.Tokens), fmt.Sprintf("on passed Resolutions %d", c.Support))
	}
	if kept, broken := c.PromisesKept, c.PromisesBroken; kept+broken > 0 {
		notes = append(notes, fmt.Sprintf("promises kept %d, broken %d", kept, broken))
	}
	for i, note := range notes {
		d.Text(margin+340, y+82+15*float64(i), small, note)
	}
	for _, chip := range chips {
		d.Rect(margin+chip.x, y+chip.y, chip.width, chipHeight, chipHeight/2, board.Paint{Fill: chip.fill})
		d.Text(margin+chip.x+chip.width/2, y+chip.y+15.5, chip.font, chip.text)
	}
}

// saidText is a seat's last statement.
func (s *State) saidText(p int) string {
	if w := s.Countries[p].Said; w >= 0 {
		return "“" + statements[w] + "”"
	}
	return "nothing"
}

func (s *State) deckLines() []string {
	var words []string
	for project, n := range s.Deck {
		if n > 0 {
			words = append(words, fmt.Sprintf("%s %d", s.game.Components.Projects[project].Name, n))
		}
	}
	return board.WrapList(words, " · ", leftWidth-28, small.Size, false)
}
