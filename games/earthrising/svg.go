package earthrising

import (
	"fmt"
	"math"
	"strconv"

	"earthgym/env"
	"earthgym/env/board"
)

// The board as a picture: six wedges round the people in poverty, with the burdens at the rim and what comes to each
// sector in the corners, and beside it a panel with calendar, deck and hands.

const (
	pictureWidth  = 1664
	pictureHeight = 1240
	boardX        = 600.0
	boardY        = 620.0
	rimOuter      = 520.0
	rimInner      = 446.0
	rowRadius     = 382.0 // of the four circles on the board
	majorRadius   = 284.0
	minorRadius   = 196.0
	centreRadius  = 138.0
	circleSize    = 45.0
	panelX        = 1204.0
	panelWidth    = 436.0
	cornerX       = 479.0 // from the middle to the labels in the corners
	cornerY       = 420.0
	labelWidth    = 190.0
	labelHeight   = 64.0
)

var (
	heading = board.Font{Size: 15, Fill: board.Ink, Bold: true}
	plain   = board.Font{Size: 13, Fill: board.Ink}
	small   = board.Font{Size: 12, Fill: board.Pale}
	tiny    = board.Font{Size: 11, Fill: board.White, Bold: true}
)

const (
	sustainableColour   = "#1f7a3f"
	unsustainableColour = "#5f666c"
	alarmColour         = "#b3160f"
	personColour        = "#f2b134"
	pointColour         = "#22303a" // of strain
)

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := board.NewDrawing(dst, fmt.Sprintf("%s: year %d of %d, %d in poverty", title, s.year, s.game.limit, s.poverty),
		pictureWidth, pictureHeight, "#eef2ee")
	d.Add(
		`<defs><path id="meeple" d="M0,-7.3 a3,3 0 0 1 2.7,4.3 L7.3,-.7 L6,2 L2.7,1.3 L5.3,7.3 H1.3 L0,4.7 L-1.3,7.3 H-5.3 L-2.7,1.3 L-6,2 L-7.3,-.7 L-2.7,-3 A3,3 0 0 1 0,-7.3 Z" stroke="#5a4a1a" stroke-width="0.8"/>` +
			`<g id="smile">` + eyes + `d="M-5,0 Q0,6 5,0"/></g><g id="frown">` + eyes + `d="M-5,3 Q0,-2 5,3"/></g></defs>`)
	d.Pane("board", 0, 0, panelX-20, pictureHeight)
	d.Pane("hands", panelX-20, 0, pictureWidth-panelX+20, pictureHeight)
	d.Circle(boardX, boardY, rimOuter+10, board.Paint{Fill: "#cfe3f1"})
	f := s.forecast()
	people := s.people()
	for i, x := range s.game.ring[0] {
		s.drawWedge(d, i, x, f, people[x])
	}
	s.drawCentre(d)
	s.drawLegend(d)
	s.drawPanel(d, p)
	return d.Bytes()
}

// touchSector lets a wedge stand for what is done with its sector.
func (s *State) touchSector(d *board.Drawing, x Sector, from, to float64) {
	var actions []env.Action
	for n := range env.Action(maxCleanUp) {
		actions = append(actions, clean+env.Action(x)*maxCleanUp+n)
	}
	actions = append(actions, major+env.Action(x), minor+env.Action(x), want+env.Action(x), plan+env.Action(x))
	for pair := range env.Action(NumSectors * (NumSectors - 1)) {
		if from, to := movePair(move + pair); from == x || to == x {
			actions = append(actions, move+pair)
		}
	}
	d.Touch(s.game.info, actions...)
	d.Path(0, 0, ringPart(centreRadius, rimOuter, from, to), board.Paint{})
	d.End()
}

// touchCircle lets a counter stand for what is done with its practice, and a circle for itself while one is chosen.
func (s *State) touchCircle(d *board.Drawing, x Sector, c int, cx, cy float64) {
	var actions []env.Action
	if v := s.circle[x][c]; v > 0 && v != crater {
		p := env.Action(x)*perSector + env.Action(v) - 1
		actions = []env.Action{disband + p, flip + p, token + p}
	}
	if s.decision == atCircle && s.paidFor() == x {
		actions = append(actions, circle+env.Action(c))
	}
	if actions != nil {
		d.Touch(s.game.info, actions...)
		d.Circle(cx, cy, circleSize, board.Paint{})
		d.End()
	}
}

// eyes are what the faces of counters share, up to the mouth.
const eyes = `<circle cx="-4" cy="-6" r="1.6" fill="#fff"/><circle cx="4" cy="-6" r="1.6" fill="#fff"/><path stroke="#fff" stroke-width="1.8" fill="none" `

// boardPoint is a point of the board: degrees clockwise from the top.
func boardPoint(radius, degrees float64) (x, y float64) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return boardX + radius*sin, boardY - radius*cos
}

// point is a point of a path: whole pixels.
func point(x, y float64) string {
	b := strconv.AppendInt(make([]byte, 0, 12), int64(math.Round(x)), 10)
	return string(strconv.AppendInt(append(b, ','), int64(math.Round(y)), 10))
}

// ringPart is the outline of a part of a ring.
func ringPart(inner, outer, from, to float64) string {
	x1, y1 := boardPoint(outer, from)
	x2, y2 := boardPoint(outer, to)
	x3, y3 := boardPoint(inner, to)
	x4, y4 := boardPoint(inner, from)
	return "M" + point(x1, y1) + " A" + point(outer, outer) + " 0 0 1 " + point(x2, y2) +
		" L" + point(x3, y3) + " A" + point(inner, inner) + " 0 0 0 " + point(x4, y4) + " Z"
}

// people is how many people live on each sector's circles; where places are more than people, the sectors
// are filled in their order (ER-017).
func (s *State) people() (n [NumSectors]int) {
	left := numMeeple - int(s.startups) - int(s.poverty)
	for x := range n {
		n[x] = min(int(s.housed[x]), left)
		left -= n[x]
	}
	return n
}

func (s *State) colour(x Sector) string { return s.game.data.Sectors[x].Colour }

// drawWedge draws a sector at place i of the ring. In a wedge the Minor comes first, clockwise, so that
// the Major of a type touches the Minor of the same type in the next wedge.
func (s *State) drawWedge(d *board.Drawing, i int, x Sector, f *State, people int) {
	middle := float64(60 * i)
	from, to := middle-30, middle+30
	active := s.decision != atChoose && x == s.active.Home()
	opacity := 0.16
	if active {
		opacity = 0.34
	}
	d.Path(0, 0, ringPart(centreRadius, rimInner, from, to),
		board.Paint{Fill: s.colour(x), Opacity: opacity, Stroke: board.White, Width: 3})
	s.drawBurden(d, x, from+1, from+20, s.onMinor(x), false)
	s.drawBurden(d, x, from+21, to-1, s.strain[x]-s.onMinor(x), true)

	// Expansions, where they lie or will lie.
	s.drawExpansion(d, x, ringPart(majorRadius-52, majorRadius+46, from+5, to-5), s.major.has(x), s.majorClear(x))
	s.drawExpansion(d, x, ringPart(centreRadius+4, majorRadius-58, from+13, to-13), s.minor.has(x), s.minorClear(x))

	s.touchSector(d, x, from, to)
	occupied := s.occupied(x, people)
	for c := range perCircle {
		cx, cy := s.circlePlace(middle, c)
		s.drawCircle(d, x, c, cx, cy, occupied>>c&1 != 0)
		s.touchCircle(d, x, c, cx, cy)
	}
	s.drawLabel(d, x, i, f)
}

// circlePlace is where a circle lies: the board's row, then the Major's, then the Minor's.
func (s *State) circlePlace(middle float64, c int) (x, y float64) {
	t := &s.game.data.Circles
	n, at, radius, step := t.Board, c, rowRadius, 14.2
	if c >= t.Board {
		n, at, radius, step = t.Major, c-t.Board, majorRadius, 20.0
	}
	if c >= t.Board+t.Major {
		n, at, radius, step = t.Minor, c-t.Board-t.Major, minorRadius, 26.0
	}
	return boardPoint(radius, middle+step*(float64(at)-float64(n-1)/2))
}

// occupied are the circles with a person: first those with counters, then vacant ones.
func (s *State) occupied(x Sector, people int) (circles uint8) {
	for _, free := range []uint8{s.filled[x] &^ s.craters[x], s.vacantCircles(x)} {
		for ; free != 0 && people > 0; free &= free - 1 {
			circles |= free & -free
			people--
		}
	}
	return circles
}

// drawBurden draws a segment at the rim with its strain. The hue is that of its type: of the sector whose
// Major is of it. In the centre the place is empty; what strain lies there is surplus.
func (s *State) drawBurden(d *board.Drawing, x Sector, from, to float64, strain int8, isMajor bool) {
	t := &s.game.data.Sectors[x]
	hue, name, in := s.colour(s.game.before[x]), t.Minor, s.minor.has(x)
	most, other := int8(s.game.data.Burden.Minor), s.strain[s.game.before[x]]-s.onMinor(s.game.before[x])
	full := strain >= most-1 && other >= int8(s.game.data.Burden.Major)-2
	if isMajor {
		hue, name, in = s.colour(x), t.Major, s.major.has(x)
		full = strain >= int8(s.game.data.Burden.Major)-2 && s.onMinor(s.game.next[x]) >= most-1
	}
	paint := board.Paint{Fill: hue, Stroke: board.White, Width: 2}
	if in {
		paint.Stroke, paint.Opacity = hue, 0.10
	}
	if full {
		paint.Stroke, paint.Width = alarmColour, 5
	}
	d.Path(0, 0, ringPart(rimInner+4, rimOuter, from, to), paint)
	dot := pointColour
	if in {
		dot = alarmColour
	}
	for k := range strain {
		degrees := from + (to-from)*(float64(k)+0.5)/float64(max(strain, 5))
		cx, cy := boardPoint(rimInner+24, degrees)
		d.Circle(cx, cy, 8, board.Paint{Fill: dot, Stroke: board.White, Width: 1.5})
	}
	font := board.Font{Size: 12, Fill: board.InkOn(hue), Bold: true}
	if in {
		font = small.In(board.Ink)
	}
	turn, radius := (from+to)/2, rimOuter-23.0 // of the baseline, which lies inwards in the upper half
	if math.Cos(turn*math.Pi/180) < 0 {
		turn, radius = turn+180, radius+9
	}
	tx, ty := boardPoint(radius, (from+to)/2)
	d.Turned(tx, ty, turn, font.Middle(), board.Shorten(name, (to-from)*math.Pi/180*(rimOuter-30), font.Size, font.Bold))
}

func (s *State) drawExpansion(d *board.Drawing, x Sector, path string, in, ready bool) {
	switch {
	case in:
		d.Path(0, 0, path, board.Paint{Fill: s.colour(x), Opacity: 0.55, Stroke: s.colour(x), Width: 2})
	case ready:
		d.Path(0, 0, path, board.Paint{Fill: board.White, Opacity: 0.7, Stroke: "#1b8a3a", Width: 3, Dash: "7 4"})
	default:
		d.Path(0, 0, path, board.Paint{Stroke: s.colour(x), Width: 1.2, Dash: "3 5"})
	}
}

// drawCircle draws what lies on a circle: a counter with its face and name, a crater, a person.
func (s *State) drawCircle(d *board.Drawing, x Sector, c int, cx, cy float64, person bool) {
	v := s.circle[x][c]
	open := s.openCircles(x)>>c&1 != 0
	if !open && v != crater {
		return
	}
	switch v {
	case crater:
		drawCrater(d, cx, cy)
		return
	case vacant:
		d.Circle(cx, cy, circleSize-4, board.Paint{Fill: board.White, Opacity: 0.75, Stroke: s.colour(x), Width: 2})
	default:
		s.drawCounter(d, Card(int(x)*perSector+int(v)-1), cx, cy)
	}
	if person {
		meeple(d, cx, cy+circleSize-10, personColour)
	}
}

func drawCrater(d *board.Drawing, x, y float64) {
	d.Circle(x, y, circleSize-4, board.Paint{Fill: "#1a1a1a", Stroke: "#6b4f3a", Width: 4})
	d.Path(x, y, "M-18,-5 L-4,5 L-10,18 M-4,5 L12,-3 L21,10 M12,-3 L7,-20", board.Paint{Stroke: "#b5522a", Width: 3})
}

func (s *State) drawCounter(d *board.Drawing, p Card, cx, cy float64) {
	sustainable := s.sustainable.Has(p)
	drawFace(d, cx, cy, circleSize, sustainable)
	lines := board.Wrap(s.game.practiceName(p, sustainable), 2*circleSize-6, tiny.Size, true)
	for i, line := range lines {
		y := 13 * (float64(i) - float64(len(lines)-1)/2)
		room, font := 2*math.Sqrt(circleSize*circleSize-(math.Abs(y)+6)*(math.Abs(y)+6))-6, tiny.Middle()
		if font.Width(line) > room {
			font.Bold = false
		}
		d.Text(cx, cy+6+y, font, board.Shorten(line, room, font.Size, font.Bold))
	}
	switch {
	case s.protest.Has(p):
		drawFist(d, cx+31, cy-31)
	case s.regeneration.Has(p):
		drawLeaf(d, cx+31, cy-31)
	}
}

// drawFace draws a practice's counter without its name.
func drawFace(d *board.Drawing, x, y, radius float64, sustainable bool) {
	fill, face := unsustainableColour, "#frown"
	if sustainable {
		fill, face = sustainableColour, "#smile"
	}
	d.Circle(x, y, radius, board.Paint{Fill: fill, Stroke: board.White, Width: 2})
	d.Add(`<use href="%s" transform="translate(%.1f %.1f)"/>`, face, x, y-0.58*radius)
}

func drawFist(d *board.Drawing, x, y float64) {
	d.Path(x, y, "M-9,12 V1 H-12 V-8 Q-12,-12 -8,-12 H8 Q12,-12 12,-8 V3 L8,7 V12 Z M-5,-12 V-4 M0,-12 V-4 M5,-12 V-4",
		board.Paint{Fill: "#d62839", Stroke: board.White, Width: 1.6})
}

func drawLeaf(d *board.Drawing, x, y float64) {
	d.Path(x, y, "M-12,12 Q-16,-11 12,-12 Q13,13 -12,12 Z M-12,12 L5,-5",
		board.Paint{Fill: "#8fd14f", Stroke: "#1f5c2e", Width: 1.8})
}

func meeple(d *board.Drawing, x, y float64, fill string) {
	d.Add(`<use href="#meeple" transform="translate(%.1f %.1f)" fill="%s"/>`, x, y, fill)
}

// drawLabel writes, outside the rim, whose sector it is and what comes to it.
func (s *State) drawLabel(d *board.Drawing, x Sector, i int, f *State) {
	at := [NumSectors]board.Point{{Y: -rimOuter - 56}, {X: cornerX, Y: -cornerY}, {X: cornerX, Y: cornerY},
		{Y: rimOuter + 56}, {X: -cornerX, Y: cornerY}, {X: -cornerX, Y: -cornerY}}[i]
	lx, ly := boardX+at.X, boardY+at.Y
	d.Rect(lx-labelWidth/2, ly-labelHeight/2, labelWidth, labelHeight, 9,
		board.Paint{Fill: board.White, Stroke: s.colour(x), Width: 3})
	d.Text(lx, ly-13, heading.Middle(), s.game.sectorName(x))
	if k := Character(x); s.inPlay.plays(k) {
		name, seat := s.game.characterName(k), int(s.seat[k])
		width := small.Width(name) + 24
		d.Disc(lx-width/2+8, ly+1, 8.5, seat, strconv.Itoa(seat))
		d.Text(lx-width/2+22, ly+5, small, name)
	} else {
		d.Text(lx, ly+5, small.Middle(), "nobody's")
	}
	font := small.In(board.Ink).Middle()
	text := fmt.Sprintf("now %d, next turn %+d, bears %d", s.strain[x], f.strain[x]-s.strain[x], s.tolerance(x))
	switch {
	case s.major.has(x) && !f.major.has(x), s.minor.has(x) && !f.minor.has(x):
		font, text = font.Strong().In(board.Alarm), fmt.Sprintf("now %d, next turn %+d: recedes", s.strain[x],
			f.strain[x]-s.strain[x])
	case s.endangered(x, f):
		font, text = font.Strong().In(board.Alarm), fmt.Sprintf("now %d, next turn %+d: danger", s.strain[x],
			f.strain[x]-s.strain[x])
	}
	d.Fit(lx, ly+24, labelWidth-10, font, text)
}

// endangered says whether a sector looks like part of a pair that collapses if the turn ends now.
func (s *State) endangered(x Sector, f *State) bool {
	near := s.game.full - 4
	return f.collapses > s.collapses && (s.strain[x] >= near || s.strain[s.game.before[x]] >= near)
}

// drawCentre draws the poor in rows of three, with their strain.
func (s *State) drawCentre(d *board.Drawing) {
	d.Circle(boardX, boardY, centreRadius-2, board.Paint{Fill: "#fffdf5", Stroke: "#b9b29a", Width: 2})
	d.Text(boardX, boardY-96, heading.Middle(),
		fmt.Sprintf("%d poor = %d strain", s.poverty, s.meepleStrain()-s.temperature()))
	rows := (int(s.poverty) + 2) / 3
	columns := (rows + 5) / 6
	for i := range int(s.poverty) {
		row, seat := i/3, i%3
		column, line := row/6, row%6
		x := boardX + (float64(column)-float64(columns-1)/2)*64 + float64(seat-1)*18
		meeple(d, x, boardY-72+float64(line)*23, "#c9c2ae")
	}
	text := counted(int(s.startups), "Start-Up")
	if s.temperature() > 0 {
		text += fmt.Sprintf(", +%d degrees", s.temperature())
	}
	d.Text(boardX, boardY+82, plain.Middle(), text)
	d.Text(boardX, boardY+104, heading.Middle(), fmt.Sprintf("adds M = %d", s.meepleStrain()))
}

// drawLegend explains the signs in the lower corners.
func (s *State) drawLegend(d *board.Drawing) {
	const left, right, top, step = 30.0, 1000.0, 1118.0, 25.0
	for i, sign := range []struct {
		draw func(x, y float64)
		text string
	}{
		{func(x, y float64) { d.Circle(x, y, 9, board.Paint{Fill: sustainableColour}) }, "smiles: sustainable practice"},
		{func(x, y float64) { d.Circle(x, y, 9, board.Paint{Fill: unsustainableColour}) }, "frowns: unsustainable practice"},
		{func(x, y float64) { meeple(d, x, y, personColour) }, "a person, in poverty when in the middle"},
		{func(x, y float64) { d.Circle(x, y, 8, board.Paint{Fill: pointColour}) }, "strain; red edge: full soon"},
		{func(x, y float64) { drawLeaf(d, x, y) }, "Regeneration"},
		{func(x, y float64) { drawFist(d, x, y) }, "Protest"},
		{func(x, y float64) { d.Circle(x, y, 9, board.Paint{Fill: "#1a1a1a", Stroke: "#b5522a", Width: 3}) },
			"Collapse token"},
		{func(x, y float64) {
			d.Rect(x-10, y-8, 20, 16, 2, board.Paint{Fill: board.White, Stroke: "#1b8a3a", Width: 3, Dash: "7 4"})
		}, "can be transformed"},
	} {
		x := left
		if i >= 4 {
			x = right
		}
		y := top + step*float64(i%4)
		sign.draw(x+10, y)
		d.Text(x+30, y+4, small, sign.text)
	}
}

func (s *State) drawPanel(d *board.Drawing, p env.Player) {
	g := s.game
	d.Text(panelX, 46, board.Font{Size: 26, Fill: board.Ink, Bold: true}, title)
	d.Text(panelX+panelWidth, 46, plain.In(board.Pale).End(), fmt.Sprintf("%s, %d of %d segments", variantIDs[g.variant],
		s.segments(), g.required))
	// The calendar.
	step := panelWidth / float64(g.limit)
	for i := range g.limit {
		fill := "#d9ded9"
		switch {
		case i+1 < s.year:
			fill = "#8aa89a"
		case i+1 == s.year:
			fill = "#1b8a3a"
		}
		d.Rect(panelX+float64(i)*step, 60, step-2, 14, 3, board.Paint{Fill: fill})
	}
	y := 100.0
	d.Text(panelX, y, heading, fmt.Sprintf("Year %d of %d", s.year, g.limit))
	if s.decision != atChoose {
		d.Text(panelX+120, y, heading.Sized(14), g.characterName(s.active)+"'s turn")
		for i := range g.data.Turn.Actions {
			fill := "#d9ded9"
			if i < int(s.actions) {
				fill = "#e07a1f"
			}
			d.Circle(panelX+panelWidth-8-float64(g.data.Turn.Actions-1-i)*19, y-5, 7, board.Paint{Fill: fill})
		}
	}
	y += 24
	asked := "The game is over: " + resultIDs[s.result]
	if s.decision != over {
		asked = fmt.Sprintf("Player %d: %s", s.Actor(), s.row().Question())
	}
	y = d.Lines(panelX, y, panelWidth, 2, plain, asked) + 3
	y = d.Lines(panelX, y, panelWidth, 2, small, s.movesText()+s.collapseText()) + 3
	y = s.drawDeck(d, p, y)
	for _, k := range s.cast[:s.castSize] {
		y = s.drawHand(d, p, k, y)
	}
	if s.decision == atChoose {
		s.drawPlaces(d, p, y)
	}
}

func (s *State) collapseText() string {
	return fmt.Sprintf(", collapses %d of %d, temperature +%d", s.collapses, maxCollapses+1, s.temperature())
}

func (s *State) drawDeck(d *board.Drawing, p env.Player, y float64) float64 {
	text := fmt.Sprintf("Deck %d", s.deckSize)
	if n := s.untilStrike(); n >= 0 {
		text += ", next certain strike under " + counted(n, "card")
	}
	text += fmt.Sprintf("; discards %d, strikes in them %d", s.discard.Count(), (s.discard & allStrikes).Count())
	d.Touch(s.game.info, draw, refresh, look, bottom, consult, keep)
	d.Rect(panelX-4, y-14, panelWidth+8, 20, 4, board.Paint{})
	d.End()
	y = d.Lines(panelX, y, panelWidth, 2, small.In(board.Ink), text)
	seen := s.sees(p)
	var cards []Card
	for i := s.deckSize - 1; i >= 0 && seen.Has(s.deck[i]) && len(cards) < 4; i-- {
		cards = append(cards, s.deck[i])
	}
	label := "on top of the deck, in this order"
	switch s.decision {
	case atLooked:
		cards, label = nil, "the card that is looked at"
		if seen.Has(s.inside.card) {
			cards = []Card{s.inside.card}
		}
	case atOrder:
		cards, label = nil, "being put back, place 0 first"
		for _, c := range s.inside.order[:s.inside.orderSize] {
			if seen.Has(c) {
				cards = append(cards, c)
			}
		}
	}
	if len(cards) > 0 {
		d.Text(panelX, y, small, label)
		y = s.drawRow(d, cards, func(Card) string { return "" }, y+6)
	}
	return y
}

// drawHand draws the cards of a character, or how many they are.
func (s *State) drawHand(d *board.Drawing, p env.Player, k Character, y float64) float64 {
	y += 18
	font, name := heading.Sized(14), s.game.characterName(k)
	if env.Player(s.seat[k]) == p {
		name += " (you)"
	}
	seat := int(s.seat[k])
	d.Rect(panelX, y-13, 6, 18, 2, board.Paint{Fill: s.colour(k.Home())})
	d.Disc(panelX+20, y-4, 10, seat, strconv.Itoa(seat))
	d.Text(panelX+36, y+1, font, name)
	d.Text(panelX+panelWidth, y+1, small.End(), counted(s.hand[k].Count(), "card"))
	d.Touch(s.game.info, to+env.Action(k))
	d.Rect(panelX, y-15, panelWidth, 20, 4, board.Paint{})
	d.End()
	if v := s.signal[s.seat[k]]; v != 0 {
		y += 17
		d.Fit(panelX+36, y+1, panelWidth-36, small, "signals: "+signalText(v))
	}
	var cards []Card
	hand := s.hand[k] & s.sees(p)
	for t := hand; t != 0; t = t.Rest() {
		cards = append(cards, t.First())
	}
	return s.drawRow(d, cards, func(c Card) string { return s.useOf(k, c, hand) }, y+9)
}

// drawPlaces draws the hands that are not taken yet.
func (s *State) drawPlaces(d *board.Drawing, p env.Player, y float64) {
	for i := int(s.castSize); i < s.game.cast; i++ {
		y += 18
		seat := i % s.game.players
		d.Disc(panelX+20, y-4, 10, seat, strconv.Itoa(seat))
		d.Text(panelX+36, y+1, heading.Sized(14), fmt.Sprintf("Place %d", i))
		d.Text(panelX+panelWidth, y+1, small.End(), counted(s.dealt[i].Count(), "card"))
		var cards []Card
		for t := s.dealt[i] & s.sees(p); t != 0; t = t.Rest() {
			cards = append(cards, t.First())
		}
		y = s.drawRow(d, cards, func(Card) string { return "" }, y+9)
	}
}

// drawRow draws cards two to a row, the sector's colour at their side: both halves of each, and what it is good for.
func (s *State) drawRow(d *board.Drawing, cards []Card, use func(Card) string, y float64) float64 {
	const width, height = panelWidth/2 - 3, 37.0
	for i, c := range cards {
		x, top := panelX+float64(i%2)*(width+6), y+float64(i/2)*(height+4)
		upper, lower := s.game.cardName(c), use(c)
		paint, name, word := board.Paint{Fill: board.White, Stroke: board.Edge}, small.Strong().In(board.Ink),
			small.In(board.Ink)
		switch {
		case c.IsStrike():
			upper, lower = "Status Quo Strikes!", s.game.sectorName(c.Sector())
			paint, name, word = board.Paint{Fill: "#1a1a1a"}, name.In(board.White), word.In(board.White)
		case lower == "":
			lower = s.game.practiceName(c, false)
		case lower == "useless now":
			paint.Fill = "#eceff1"
			name, word = small, small
		}
		d.Rect(x, top, width, height, 5, paint)
		d.Rect(x, top, 8, height, 3, board.Paint{Fill: s.colour(c.Sector())})
		d.Fit(x+15, top+15, width-22, name, upper)
		d.Fit(x+15, top+30, width-22, word, lower)
		if !c.IsStrike() {
			d.Touch(s.game.info, create+env.Action(c), give+env.Action(c), discard+env.Action(c))
			d.Rect(x, top, width, height, 5, board.Paint{})
			d.End()
		}
	}
	return y + float64((len(cards)+1)/2)*(height+4)
}
