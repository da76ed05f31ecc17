package oneearth

import (
	"fmt"
	"math/bits"
	"strconv"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// The board as a picture: a scale on which everybody's markers of Prosperity stand above, those of Emissions below;
// under it the row of Projects and a panel for each seat, and at the right the decks.

const (
	margin     = 20.0
	trackX     = 118.0 // where the scale begins
	trackY     = 50.0
	cardHeight = 142.0
	leftWidth  = 872.0 // of cards and seats
	sideX      = margin + leftWidth + 12
	sideWidth  = board.Wide - margin - sideX
	seatGap    = 8.0
	countersX  = 236.0 // of a seat, in its panel
	chipsX     = 376.0
)

// The colours of sectors, in their order, and of the bands of the Emissions Track; and the signs of sectors, about 24
// units wide.
var (
	sectorColours = [NumSectors]string{"#3b6694", "#b8364a", "#8e4f80", "#7a5c40", "#8a6508", "#2f6f6c", "#3f4349",
		"#3c7a2f"}
	bandColours = [...]string{"#a9cf9d", "#f1dd7a", "#f3b27c", "#e58f86"}
	sectorSigns = [NumSectors]string{
		"M-12 -3L0 -9L12 -3L0 3ZM-7 1V7Q0 11 7 7V1L0 5ZM10 -2h2v9h-2Z",
		"M-4 -11h8v7h7v8h-7v7h-8v-7h-7v-8h7Z",
		"M0 -11L3.4 -3.6L11 -2.8L5.4 2.6L7 10.4L0 6.5L-7 10.4L-5.4 2.6L-11 -2.8L-3.4 -3.6Z",
		"M-11 10V-6L-4 -1V-6L3 -1V-10H9V10Z",
		"M-1 11V2Q-10 1 -9 -9Q0 -8 0 0Q1 -8 9 -11Q11 -1 1 3V11Z",
		"M-11 7V-7H4V-3H8L11 2V7H8A3 3 0 0 1 2 7H-3A3 3 0 0 1 -9 7Z",
		"M0 -12Q8 -2 8 4A8 8 0 0 1 -8 4Q-8 -2 0 -12Z",
		"M2 -12L-8 2H-1L-3 12L8 -3H1Z",
	}
)

const (
	prosperityColour = "#2a7246"
	emissionsColour  = "#a8402a"
	moneyColour      = "#7d6115"
	dark             = "#454d55" // the Military General's
)

var (
	heading = board.Font{Size: 17, Fill: board.Ink, Bold: true}
	plain   = board.Font{Size: board.Smallest, Fill: board.Ink}
	small   = board.Font{Size: board.Smallest, Fill: board.Pale}
	onDark  = board.Font{Size: board.Smallest, Fill: board.White, Bold: true}
)

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := board.NewDrawing(dst, fmt.Sprintf("One Earth: round %d, Global Emissions %d", s.Round, s.Global), board.Wide,
		board.High)
	cardsY := s.cardsY()
	d.Pane("seats", 0, cardsY-8, sideX-6, board.High-cardsY+8)
	d.Pane("tracks", 0, 0, board.Wide, cardsY-4)
	d.Pane("decks", sideX-6, cardsY-8, board.Wide-sideX+6, board.High-cardsY+8)
	s.drawHead(d)
	s.drawScale(d)
	for slot := range s.Row {
		s.drawCard(d, slot)
	}
	for i := range s.game.Players {
		q, y := s.inTurn(i), s.seatsY()+float64(i)*(s.seatHeight()+seatGap)
		chips := s.chips(q)
		s.drawSeat(d, q, y, chips, p)
		s.touchSeat(d, q, y, chips)
	}
	s.drawSide(d, p)
	return d.Bytes()
}

func (s *State) drawHead(d *board.Drawing) {
	d.Text(margin, 36, heading.Sized(26), "One Earth")
	mode := "standard"
	if s.game.Advanced {
		mode = "advanced"
	}
	if s.game.Players == 1 {
		mode = "alone, " + difficultyIDs[s.game.Difficulty]
	}
	text := fmt.Sprintf("%s · round %d of at most %d · target %d Prosperity", mode, s.Round, s.game.MaxRounds,
		s.game.Target)
	text += board.When(s.Final, " · FINAL ROUND")
	d.Text(margin+150, 36, plain, text)
	if s.game.WithNPC() {
		return
	}
	text = fmt.Sprintf("Critical Events left: %d", bits.OnesCount8(s.criticalsLeft()))
	text += board.When(s.IncomeMod != 0, " · income this round %+d", s.IncomeMod)
	d.Text(board.Wide-margin, 36, plain.End(), text)
}

const (
	numbersHigh = 22.0 // between the lanes of markers
	markerSize  = 18.6
)

// scale is how many spaces the scale has, and how wide one is.
func (s *State) scale() (spaces int, width float64) {
	spaces = max(30, s.game.Target, s.game.Components.Constants.Ruin) + 1
	return spaces, (board.Wide - margin - trackX) / float64(spaces)
}

// columns is how many markers stand beside each other in a space.
func (s *State) columns() int {
	if _, width := s.scale(); width < 2*markerSize-1 {
		return 1
	}
	return 2
}

// laneHeight leaves room for all markers in one space.
func (s *State) laneHeight() float64 {
	return 5 + markerSize*float64((max(s.game.Players, 3)+s.columns()-1)/s.columns())
}

func (s *State) lanesBottom() float64 { return trackY + 2*s.laneHeight() + numbersHigh }

func (s *State) cardsY() float64 { return s.lanesBottom() + 56 }

func (s *State) seatsY() float64 { return s.cardsY() + cardHeight + 10 }

// drawScale draws the spaces, the markers, and what each level of Global Emissions brings.
func (s *State) drawScale(d *board.Drawing) {
	k := &s.game.Components.Constants
	spaces, width := s.scale()
	laneHeight, lanesBottom, columns := s.laneHeight(), s.lanesBottom(), s.columns()
	emissionsY := trackY + laneHeight + numbersHigh
	d.Text(margin, trackY+22, heading, "Prosperity")
	d.Text(margin, trackY+41, small, fmt.Sprintf("P, target %d", s.game.Target))
	d.Text(margin, emissionsY+22, heading, "Emissions")
	d.Text(margin, emissionsY+41, small, "E"+board.When(s.game.WithNPC() || !s.Final, ", ruin at %d", k.Ruin)) // OE-212
	length := width*float64(spaces) - 2
	d.Rect(trackX+1, trackY+4, length, lanesBottom-trackY, 8, board.Paint{Fill: "#000", Opacity: 0.2})
	d.Rect(trackX, trackY, length, lanesBottom-trackY, 8, board.Paint{Fill: "#3a434b"})
	for step := range spaces {
		x := trackX + float64(step)*width
		upper, lower := "#c9e2cf", "#8d9297"
		if step >= s.game.Target {
			upper = "#f3d36b"
		}
		if step <= k.Ruin {
			lower = bandColours[s.brings(step)]
		}
		d.Rect(x, trackY, width-2, laneHeight, 5, board.Paint{Fill: upper})
		d.Rect(x, emissionsY, width-2, laneHeight, 5, board.Paint{Fill: lower})
		if text := strconv.Itoa(step); onDark.Width(text) < width-2 || columns == 1 && step%5 == 0 {
			d.Text(x+width/2-1, emissionsY-5, onDark.Middle(), text)
		}
	}
	for _, y := range []float64{trackY, emissionsY} {
		d.Rect(trackX, y, length, laneHeight, 5, board.Paint{Fill: "url(#sheen)", Opacity: 0.6})
	}
	space := func(level int16) int { return min(max(int(level), 0), spaces-1) }
	lane := func(y float64, levels []int16) {
		for p, level := range levels {
			n, all := 0, 0
			for q, other := range levels {
				if space(other) == space(level) {
					all++
					if q < p {
						n++
					}
				}
			}
			x := trackX + (float64(space(level))+0.5)*width - 1
			if columns == 2 && all > 1 {
				x += (float64(n%2) - 0.5) * (markerSize - 0.6)
			}
			y := y + 11.5 + markerSize*float64(n/columns)
			if p < s.game.Players {
				d.Disc(x, y, 9, p, strconv.Itoa(p))
				continue
			}
			d.Piece("N")
			d.Ball(x, y, 9, board.Paint{Fill: dark, Stroke: board.White, Width: 1.5})
			d.Text(x, y+5.4, onDark.Middle(), "N")
			d.End()
		}
	}
	var prosperity, emissions []int16
	for p := range s.game.Players {
		prosperity = append(prosperity, s.Countries[p].Prosperity)
		emissions = append(emissions, s.Countries[p].Emissions)
	}
	if s.game.Players == 1 {
		prosperity = append(prosperity, int16(s.NPCProsperity))
	}
	lane(trackY, prosperity)
	lane(emissionsY, emissions)
	s.drawGlobal(d, trackX+(float64(min(max(int(s.Global), 0), spaces-1))+0.5)*width-1)
	if s.game.WithNPC() || s.Final { // no events
		return
	}
	caption := func(from, to int, text string) {
		if room := float64(to-from+1) * width; small.Width(text) <= room {
			d.Text(trackX+float64(from)*width+room/2-1, lanesBottom+44, small.Middle(), text)
		}
	}
	caption(0, k.WarningFrom-1, "no event")
	caption(k.WarningFrom, k.CriticalFrom-1, "each round a Warning Event")
	if s.game.Advanced || k.WinBelow <= k.CriticalFrom {
		caption(k.CriticalFrom, k.Ruin-1, "each round a Critical Event, a sanction")
	} else {
		caption(k.CriticalFrom, k.WinBelow-1, "Critical Event")
		caption(k.WinBelow, k.Ruin-1, "and nobody can win")
	}
}

// drawGlobal draws the Earth below its space: Global Emissions.
func (s *State) drawGlobal(d *board.Drawing, x float64) {
	y := s.lanesBottom() + 19
	d.Path(x, y, "M0,-19 l-8,12 h16 z", board.Paint{Fill: board.Ink})
	d.Ball(x, y, 11, board.Paint{Fill: "#3f86b8"})
	d.Path(x, y, "M-8 -5q5 -6 9 -4q1 4 -3 5q0 4 -4 5q-4 -2 -2 -6ZM2 1q5 -3 7 0q-1 6 -5 8q-4 -3 -2 -8Z",
		board.Paint{Fill: "#6fae5a"})
	font, name := heading.Sized(16), fmt.Sprintf("Global Emissions (G) %d", s.Global)
	if x+20+font.Width(name) > board.Wide-margin {
		d.Text(x-18, y+6, font.End(), name)
	} else {
		d.Text(x+18, y+6, font, name)
	}
}

// drawCard draws a slot of the row.
func (s *State) drawCard(d *board.Drawing, slot int) {
	const gap = 8.0
	width := (leftWidth - (RowSize-1)*gap) / RowSize
	x, cardsY, project := margin+float64(slot)*(width+gap), s.cardsY(), s.Row[slot]
	if project < 0 {
		d.Rect(x, cardsY, width, cardHeight, 9, board.Paint{Fill: board.Well, Stroke: board.Edge})
		d.Text(x+width/2, cardsY+76, plain.Middle(), fmt.Sprintf("%d: empty", slot+1))
		return
	}
	c := &s.game.Components.Projects[project]
	d.Sheet(x, cardsY, width, cardHeight)
	d.Path(x, cardsY, fmt.Sprintf("M0,54 v-45 a9 9 0 0 1 9 -9 h%.1f a9 9 0 0 1 9 9 v45 z", width-18),
		board.Paint{Fill: sectorColours[c.Sector]})
	d.Rect(x, cardsY, width, 54, 9, board.Paint{Fill: "url(#sheen)", Opacity: 0.6})
	lines := board.Wrap(c.Name, width-18, onDark.Size, true)
	if len(lines) > 2 {
		lines = append(lines[:1], board.Shorten(lines[1]+"…", width-18, onDark.Size, true))
	}
	for i, line := range lines {
		d.Text(x+9, cardsY+22+18*float64(i)+9*float64(2-len(lines)), onDark, line)
	}
	for i, number := range []struct{ text, colour string }{{strconv.Itoa(c.Cost), moneyColour},
		{fmt.Sprintf("P%d", s.Worth(s.active(), project, false)), prosperityColour},
		{fmt.Sprintf("E%d", s.EmissionWorth(project, false)), emissionsColour}, {"", sectorColours[c.Sector]}} {
		at := x + width/2 + 33.5*(float64(i)-1.5)
		d.Ball(at, cardsY+79, 15.5, board.Paint{Fill: number.colour})
		if number.text == "" {
			d.Path(at, cardsY+79, sectorSigns[c.Sector], board.Paint{Fill: board.White})
		} else {
			d.Text(at, cardsY+84.5, onDark.Middle(), number.text)
		}
	}
	if c.Technology < 0 {
		d.Text(x+width/2, cardsY+124, small.Middle(), "no upgrade")
	} else {
		d.Fit(x+width/2, cardsY+115, width-12, small.Middle(), s.game.Components.Technologies[c.Technology].Name)
		d.Text(x+width/2, cardsY+133, plain.Strong().Middle(), changes("PE", c.DP, c.DE))
	}
	d.TouchRect(s.game.info, x, cardsY, width, cardHeight, 9, Fund+env.Action(slot))
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
	chipHeight = 19.0
	chipStep   = 21.0
)

// chips are a seat's Projects in the order of sectors, its Technologies, Policies and marks, laid out in rows.
func (s *State) chips(p int) []chip {
	c := &s.Countries[p]
	var chips []chip
	add := func(text, fill string, font board.Font, actions ...env.Action) {
		chips = append(chips, chip{text: text, fill: fill, font: font.Middle(), width: font.Width(text) + 12,
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
			project := set.First()
			name, light := s.game.Components.Projects[project].Name, plain.In(board.White)
			copies(name, c.Plain[project], sectorColours[sector], light, On+env.Action(project), Discard+env.Action(project))
			copies(name+" +", c.Upgraded[project], sectorColours[sector], light.Strong(), DiscardUpgraded+env.Action(project))
		}
	}
	for i := range Technology(NumTechnologies) {
		name := s.game.Components.Technologies[i].Name
		switch {
		case c.Loose[i] > 0:
			add(fmt.Sprintf("%s (%d loose)", name, c.Loose[i]), board.Sea, plain, ApplyUse+env.Action(i))
		case c.Saved[i] > 0:
			add(name+" (saved)", board.Sea, plain)
		case int(s.Technologies[i]) == p:
			add(name, board.Sea, plain)
		}
	}
	for i := range Policy(NumPolicies) {
		if int(s.Policies[i]) == p {
			add(s.game.Components.Policies[i].Name, board.Land, plain)
		}
	}
	if s.low() && c.Said >= 0 {
		add(s.saidText(p), board.Well, plain)
	}
	marks := s.marks(p)
	if s.game.Diplomatic() {
		marks = append(marks, spelling.Counted(int(c.Tokens), "voting token"))
		marks = board.AppendWhen(marks, c.Support > 0, "%d on passed Resolutions", c.Support)
	}
	if kept, broken := c.PromisesKept, c.PromisesBroken; kept+broken > 0 {
		marks = append(marks, fmt.Sprintf("promises kept %d, broken %d", kept, broken))
	}
	for _, mark := range marks {
		add(mark, board.Lit, plain)
	}
	return s.laidOut(chips)
}

// laidOut lays chips out in rows; those for which there is no room become one that counts them.
func (s *State) laidOut(chips []chip) []chip {
	const right = leftWidth - 10
	x, y := chipsX, 5.0
	for i := range chips {
		c := &chips[i]
		if c.width > right-chipsX {
			c.width = right - chipsX
			c.text = board.Shorten(c.text, c.width-10, c.font.Size, c.font.Bold)
		}
		if x+c.width > right {
			x, y = chipsX, y+chipStep
		}
		last := y+chipStep+chipHeight > s.seatHeight()-4
		if more := 36.0; last && i < len(chips)-1 && (x+c.width+4+chips[i+1].width > right ||
			i < len(chips)-2 && x+c.width+4+chips[i+1].width+4+more > right) {
			*c = chip{text: fmt.Sprintf("+%d", len(chips)-i), fill: board.Well, font: plain.Middle(), width: more, x: x, y: y}
			return chips[:i+1]
		}
		c.x, c.y = x, y
		x += c.width + 4
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
	d.TouchRect(s.game.info, margin, y, leftWidth, s.seatHeight(), 9, actions...)
	if places > 0 {
		return
	}
	for _, chip := range chips {
		if chip.actions != nil {
			d.TouchRect(s.game.info, margin+chip.x, y+chip.y, chip.width, chipHeight, chipHeight/2, chip.actions...)
		}
	}
}

// seatHeight is that of a seat's panel.
func (s *State) seatHeight() float64 {
	n := float64(s.game.Players)
	return min((board.High-12-s.seatsY()-seatGap*(n-1))/n, 168)
}

// low says whether a seat's panel has no line for what is said; it lies among the cards then.
func (s *State) low() bool { return s.seatHeight() < 90 }

// drawSeat draws a country: its markers, what lies before it, what is said of it.
func (s *State) drawSeat(d *board.Drawing, p int, y float64, chips []chip, viewer env.Player) {
	c := &s.Countries[p]
	d.Sheet(margin, y, leftWidth, s.seatHeight())
	if int(s.Seat) == p {
		d.Rect(margin, y, leftWidth, s.seatHeight(), 9, board.Paint{Stroke: board.Ink, Width: 3})
	}
	d.Disc(margin+26, y+28, 17, p, strconv.Itoa(p))
	name := fmt.Sprintf("Seat %d", p)
	name += board.When(env.Player(p) == viewer, " (you)")
	const x, width = margin + 52, countersX - 58.0
	d.Fit(x, y+25, width, heading, name)
	income := fmt.Sprintf("income M %d", s.nextIncome(p)) + board.When(s.Fee(p) > 0, " - %d", s.Fee(p))
	lines := []string{income}
	if s.game.Advanced {
		leader := "no leader yet"
		if c.Leader >= 0 {
			leader = s.game.Components.Leaders[c.Leader].Name
		}
		leader += board.When(c.AbilityUsed, " (used)")
		lines = []string{leader, fmt.Sprintf("%s · VP %d", income, s.VP(p).Total())}
	}
	for i, line := range lines {
		d.Fit(x, y+44+18.5*float64(i), width, plain, line)
	}
	if c.Said >= 0 && !s.low() {
		d.Fit(x, y+82, chipsX-x-6, plain, s.saidText(p))
	}
	for i, counter := range []struct {
		letter, colour string
		n              int16
	}{{"P", prosperityColour, c.Prosperity}, {"E", emissionsColour, c.Emissions}, {"M", moneyColour, c.Money}} {
		x := margin + countersX + 44*float64(i)
		d.Block(x, y+8, 40, 56, 8, counter.colour)
		d.Text(x+20, y+34, onDark.Sized(20).Middle(), strconv.Itoa(int(counter.n)))
		d.Text(x+20, y+55, onDark.Middle(), counter.letter)
	}
	for _, chip := range chips {
		d.Rect(margin+chip.x, y+chip.y, chip.width, chipHeight, chipHeight/2, board.Paint{Fill: chip.fill})
		d.Text(margin+chip.x+chip.width/2, y+chip.y+14.9, chip.font, chip.text)
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
		words = board.AppendWhen(words, n > 0, "%s %d", s.game.Components.Projects[project].Name, n)
	}
	return board.WrapList(words, " · ", sideText, small.Size, false)
}
