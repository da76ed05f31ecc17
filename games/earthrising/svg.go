package earthrising

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// The board as a picture: six wedges round the people in poverty, with the burdens at the rim, and beside it a panel
// with calendar, deck and what comes to each sector and lies before its character.

const (
	boardX       = 440.0
	boardY       = 440.0
	rimOuter     = 428.0
	rimInner     = 366.0
	rowRadius    = 318.0 // of the four circles on the board
	majorRadius  = 237.0
	minorRadius  = 163.0
	nameRadius   = 120.0 // of the ring with the sectors' names
	centreRadius = 90.0
	circleSize   = 38.5
	panelX       = 894.0
	panelWidth   = board.Wide - 16 - panelX
)

var (
	heading = board.Font{Size: 16, Fill: board.Ink, Bold: true}
	plain   = board.Font{Size: board.Smallest, Fill: board.Ink}
	small   = board.Font{Size: board.Smallest, Fill: board.Pale}
	onDark  = board.Font{Size: board.Smallest, Fill: board.White}
)

const (
	sustainableColour   = "#0c5628"
	unsustainableColour = "#3f454b"
	alarmColour         = "#b3160f"
	pointColour         = "#2a3742" // of strain
)

// signs are what the board shows again and again.
const signs = `<defs><g id="meeple"><path d="` + meeplePath + `" fill="#000" fill-opacity=".3" transform="translate(1 1.5)"/>` +
	`<path d="` + meeplePath + `" fill="#f2b134" stroke="#5a4a1a" stroke-width=".8"/></g>` +
	`<g id="smile">` + eyes + `d="M-5,0 Q0,6 5,0"/></g><g id="frown">` + eyes + `d="M-5,3 Q0,-2 5,3"/></g></defs>`

const meeplePath = "M0,-7.3 a3,3 0 0 1 2.7,4.3 L7.3,-.7 L6,2 L2.7,1.3 L5.3,7.3 H1.3 L0,4.7 L-1.3,7.3 H-5.3 L-2.7,1.3 " +
	"L-6,2 L-7.3,-.7 L-2.7,-3 A3,3 0 0 1 0,-7.3 Z"

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := board.NewDrawing(dst, fmt.Sprintf("%s: year %d of %d, %d in poverty", title, s.year, s.game.limit, s.poverty),
		board.Wide, board.High)
	d.Add(signs)
	d.Pane("board", 0, 0, panelX-12, board.High)
	d.Pane("hands", panelX-12, 0, board.Wide-panelX+12, board.High)
	s.drawHead(d)
	d.Ball(boardX, boardY, rimOuter+8, board.Paint{Fill: board.Sea, Stroke: board.Card, Width: 3})
	d.Circle(boardX, boardY, rimInner, board.Paint{Fill: board.Card})
	f := s.forecast()
	people := s.people()
	for i, x := range s.game.ring[0] {
		s.drawWedge(d, i, x, people[x])
	}
	s.drawCentre(d)
	s.drawLegend(d)
	s.drawPanel(d, p, f)
	return d.Bytes()
}

// drawHead draws title and year in the corners, and the collapses as craters.
func (s *State) drawHead(d *board.Drawing) {
	d.Text(16, 36, heading.Sized(26), title)
	d.Text(16, 60, heading, fmt.Sprintf("Year %d of %d", s.year, s.game.limit))
	d.Text(panelX-24, 36, heading.End(), "Collapses")
	for i := range maxCollapses + 1 {
		x := panelX - 36 - 26*float64(maxCollapses-i)
		if i < int(s.collapses) {
			d.Ball(x, 56, 10, board.Paint{Fill: "#1a1a1a", Stroke: "#b5522a", Width: 3})
		} else {
			d.Circle(x, 56, 10, board.Paint{Fill: board.Well, Stroke: board.Edge, Width: 2})
		}
	}
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
	d.Path(0, 0, ringPart(centreRadius+1, rimOuter, from, to), board.Paint{})
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
func (s *State) drawWedge(d *board.Drawing, i int, x Sector, people int) {
	middle := float64(60 * i)
	from, to := middle-30, middle+30
	active := s.decision != atChoose && x == s.active.Home()
	opacity := 0.2
	if active {
		opacity = 0.42
	}
	d.Path(0, 0, ringPart(nameRadius, rimInner, from, to),
		board.Paint{Fill: s.colour(x), Opacity: opacity, Stroke: board.Card, Width: 3})
	d.Path(0, 0, ringPart(centreRadius, nameRadius, from, to),
		board.Paint{Fill: s.colour(x), Stroke: board.Card, Width: 2})
	s.drawAlong(d, 95, middle, board.Font{Size: board.Smallest, Fill: board.InkOn(s.colour(x)), Bold: true},
		board.Shorten(s.game.sectorName(x), 110, board.Smallest, true))
	s.drawBurden(d, x, from+1, from+20, s.onMinor(x), false)
	s.drawBurden(d, x, from+21, to-1, s.strain[x]-s.onMinor(x), true)

	// Expansions, where they lie or will lie.
	s.drawExpansion(d, x, ringPart(majorRadius-39, majorRadius+39, from+4, to-4), s.major.has(x), s.majorClear(x))
	s.drawExpansion(d, x, ringPart(nameRadius+3, majorRadius-40, from+6, to-6), s.minor.has(x), s.minorClear(x))

	s.touchSector(d, x, from, to)
	occupied := s.occupied(x, people)
	for c := range perCircle {
		cx, cy := s.circlePlace(middle, c)
		s.drawCircle(d, x, c, cx, cy, occupied>>c&1 != 0)
		s.touchCircle(d, x, c, cx, cy)
	}
}

// drawAlong writes a text along a ring, upright in the lower half as well; its letters stand above a radius.
func (s *State) drawAlong(d *board.Drawing, radius, degrees float64, font board.Font, text string) {
	turn := degrees
	if math.Cos(degrees*math.Pi/180) < -1e-9 {
		turn, radius = turn+180, radius+0.72*float64(font.Size)
	}
	x, y := boardPoint(radius, degrees)
	d.Turned(x, y, turn, font.Middle(), text)
}

// circlePlace is where a circle lies: the board's row, then the Major's, then the Minor's.
func (s *State) circlePlace(middle float64, c int) (x, y float64) {
	t := &s.game.data.Circles
	n, at, radius, step := t.Board, c, rowRadius, 14.2
	if c >= t.Board {
		n, at, radius, step = t.Major, c-t.Board, majorRadius, 20.0
	}
	if c >= t.Board+t.Major {
		n, at, radius, step = t.Minor, c-t.Board-t.Major, minorRadius, 27.0
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
	paint := board.Paint{Fill: hue, Stroke: board.Card, Width: 2}
	if in {
		paint = board.Paint{Fill: board.Card, Stroke: hue, Width: 2, Opacity: 0.85}
	}
	if full {
		paint.Stroke, paint.Width = alarmColour, 5
	}
	path := ringPart(rimInner+4, rimOuter, from, to)
	d.Path(0, 0, path, paint)
	if !in {
		d.Path(0, 0, path, board.Paint{Fill: "url(#sheen)", Opacity: 0.5})
	}
	dot := pointColour
	if in {
		dot = alarmColour
	}
	for k := range strain {
		degrees := from + (to-from)*(float64(k)+0.5)/float64(max(strain, 5))
		cx, cy := boardPoint(rimInner+18, degrees)
		d.Ball(cx, cy, 7.5, board.Paint{Fill: dot, Stroke: board.White, Width: 1.2})
	}
	font := board.Font{Size: board.Smallest, Fill: board.InkOn(hue)}
	if in {
		font = plain
	}
	room := (to-from)*math.Pi/180*(rimOuter-20) - 6
	s.drawAlong(d, rimOuter-25, (from+to)/2, font, board.Shorten(name, room, font.Size, font.Bold))
}

func (s *State) drawExpansion(d *board.Drawing, x Sector, path string, in, ready bool) {
	switch {
	case in:
		d.Path(0, 0, path, board.Paint{Fill: s.colour(x), Opacity: 0.55, Stroke: s.colour(x), Width: 2})
	case ready:
		d.Path(0, 0, path, board.Paint{Fill: board.Card, Opacity: 0.7, Stroke: "#1b8a3a", Width: 3, Dash: "7 4"})
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
		d.Circle(cx, cy, circleSize-3, board.Paint{Fill: board.Well, Opacity: 0.75, Stroke: s.colour(x), Width: 2})
	default:
		s.drawCounter(d, Card(int(x)*perSector+int(v)-1), cx, cy)
	}
	if person {
		d.Use("meeple", cx, cy+circleSize-7)
	}
}

// endangered says whether a sector looks like part of a pair that collapses if the turn ends now.
func (s *State) endangered(x Sector, f *State) bool {
	near := s.game.full - 4
	return f.collapses > s.collapses && (s.strain[x] >= near || s.strain[s.game.before[x]] >= near)
}

// drawCentre draws the poor in rows of six, and the strain that they and the temperature add.
func (s *State) drawCentre(d *board.Drawing) {
	d.Circle(boardX, boardY, centreRadius-2, board.Paint{Fill: board.Card, Stroke: board.Edge, Width: 2})
	d.Text(boardX, boardY-58, heading.Middle(), fmt.Sprintf("%d poor", s.poverty))
	for i := range int(s.poverty) {
		d.Use("meeple", boardX+17*(float64(i%6)-2.5), boardY-42+17*float64(i/6))
	}
	d.Text(boardX, boardY+56, small.Middle(), spelling.Counted(int(s.startups), "Start-Up"))
	d.Text(boardX, boardY+76, heading.Middle(), fmt.Sprintf("M = %d", s.meepleStrain()))
}

// drawLegend explains the signs in the lower corners.
func (s *State) drawLegend(d *board.Drawing) {
	const left, right, top, step = 12.0, 718.0, 790.0, 24.0
	for i, sign := range []struct {
		draw func(x, y float64)
		text string
	}{
		{func(x, y float64) { d.Use("meeple", x, y) }, "a person"},
		{func(x, y float64) { d.Ball(x, y, 9, board.Paint{Fill: sustainableColour}) }, "sustainable"},
		{func(x, y float64) { d.Ball(x, y, 9, board.Paint{Fill: unsustainableColour}) }, "unsustainable"},
		{func(x, y float64) { d.Ball(x, y, 7.5, board.Paint{Fill: pointColour}) }, "strain (red edge: full soon)"},
		{func(x, y float64) { drawLeaf(d, x, y) }, "Regeneration"},
		{func(x, y float64) { drawFist(d, x, y) }, "Protest"},
		{func(x, y float64) { d.Ball(x, y, 9, board.Paint{Fill: "#1a1a1a", Stroke: "#b5522a", Width: 3}) }, "Collapse"},
		{func(x, y float64) {
			d.Rect(x-10, y-8, 20, 16, 2, board.Paint{Fill: board.Card, Stroke: "#1b8a3a", Width: 3, Dash: "7 4"})
		}, "can be transformed"},
	} {
		x := left
		if i >= 4 {
			x = right
		}
		y := top + step*float64(i%4)
		sign.draw(x+10, y)
		d.Text(x+28, y+5, small, sign.text)
	}
}

func (s *State) drawPanel(d *board.Drawing, p env.Player, f *State) {
	g := s.game
	const right = panelX + panelWidth
	d.Text(panelX, 32, heading, fmt.Sprintf("%s: %d of %d segments", variantIDs[g.variant], s.Segments(), g.required))
	step := panelWidth / float64(g.limit)
	for i := range g.limit {
		x := panelX + float64(i)*step
		switch {
		case i+1 < s.year:
			d.Rect(x, 44, step-3, 14, 4, board.Paint{Fill: "#7fa393"})
		case i+1 == s.year:
			d.Block(x, 42, step-3, 18, 4, "#1b8a3a")
		default:
			d.Rect(x, 44, step-3, 14, 4, board.Paint{Fill: board.Well})
		}
	}
	y := 84.0
	switch {
	case s.decision == over:
		d.Text(panelX, y, heading, "The game is over: "+resultIDs[s.result])
	case s.decision == atChoose:
		d.Fit(panelX, y, panelWidth-80, heading, fmt.Sprintf("Player %d chooses", s.Actor()))
	default:
		d.Fit(panelX, y, panelWidth-80, heading, g.characterName(s.active)+"'s turn")
		for i := range g.data.Turn.Actions {
			x := right - 8 - float64(g.data.Turn.Actions-1-i)*21
			if i < int(s.actions) {
				d.Ball(x, y-5, 8, board.Paint{Fill: "#e07a1f"})
			} else {
				d.Circle(x, y-5, 8, board.Paint{Fill: board.Well})
			}
		}
	}
	y = d.Lines(panelX, y+22, panelWidth, 2, small, s.movesText()+fmt.Sprintf(", temperature +%d", s.temperature()))
	y = s.drawDeck(d, p, y)
	var rows []place
	for _, x := range s.game.ring[0] {
		rows = append(rows, s.sectorRow(p, x, f))
	}
	for i := int(s.castSize); s.decision == atChoose && i < g.cast; i++ {
		seat := i % g.players
		rows = append(rows, place{name: fmt.Sprintf("Place %d", i), sector: -1, seat: seat, right: plain,
			text: spelling.Counted(s.dealt[i].Count(), "card"), cards: s.dealt[i] & s.sees(p)})
	}
	s.drawRows(d, rows, y)
}

func (s *State) drawDeck(d *board.Drawing, p env.Player, y float64) float64 {
	text := fmt.Sprintf("Deck %d", s.deckSize)
	if n := s.CardsUntilStrike(); n >= 0 {
		text += ", next certain strike under " + spelling.Counted(n, "card")
	}
	text += fmt.Sprintf("; discards %d, strikes in them %d", s.discard.Count(), (s.discard & allStrikes).Count())
	d.TouchRect(s.game.info, panelX-4, y-15, panelWidth+8, 42, 4, draw, refresh, look, bottom, consult, keep)
	y = d.Lines(panelX, y, panelWidth, 2, plain, text)
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
		y = s.drawHand(d, cards, nil, y+7, len(cards)) + 16
	}
	return y
}

// A place is what the panel says of a sector or a place at the table, with the cards below it.
type place struct {
	name, signal string
	sector       Sector // or -1
	seat         int    // or -1
	right        board.Font
	text         string // at the right
	touch        []env.Action
	cards        Set
	use          func(Card) string
}

// sectorRow says whose a sector is, and its strain now, next turn, and what it bears.
func (s *State) sectorRow(p env.Player, x Sector, f *State) place {
	r := place{name: s.game.sectorName(x), sector: x, seat: -1, right: plain,
		text: fmt.Sprintf("%d → %d of %d", s.strain[x], f.strain[x], s.tolerance(x))}
	switch {
	case s.major.has(x) && !f.major.has(x), s.minor.has(x) && !f.minor.has(x):
		r.right, r.text = plain.Strong().In(board.Alarm), fmt.Sprintf("%d → %d recedes", s.strain[x], f.strain[x])
	case s.endangered(x, f):
		r.right, r.text = plain.Strong().In(board.Alarm), fmt.Sprintf("%d → %d danger", s.strain[x], f.strain[x])
	}
	k := Character(x)
	if !s.inPlay.plays(k) {
		return r
	}
	r.name, r.seat, r.touch = s.game.characterName(k), int(s.seat[k]), []env.Action{to + env.Action(k)}
	r.name += board.When(env.Player(s.seat[k]) == p, " (you)")
	if v := s.signal[s.seat[k]]; v != 0 {
		r.signal = "signals: " + signalText(v)
	}
	hand := s.hand[k] & s.sees(p)
	if hidden := s.hand[k].Count() - hand.Count(); hidden > 0 {
		r.name += ", " + spelling.Counted(hidden, "card")
	}
	r.cards, r.use = hand, func(c Card) string { return s.useOf(k, c, hand) }
	return r
}

const (
	headHeight = 27.0
	lineHeight = 19.0
	cardWidth  = panelWidth/2 - 3
)

// drawRows draws the rows; cards say what they are good for where there is room for all.
func (s *State) drawRows(d *board.Drawing, rows []place, y float64) {
	room, short, long, lines, hands := board.High-14-y, 0.0, 0.0, 0.0, 0.0
	for _, r := range rows {
		room -= headHeight
		if r.signal != "" {
			room -= lineHeight
		}
		if r.cards != 0 {
			hands++
			room -= 7
		}
		cards := slices.Collect(r.cards.Each)
		for i := 0; i < len(cards); i += 2 {
			short += s.cardHeight(cards[i:], nil) + 3
			long += s.cardHeight(cards[i:], r.use) + 3
			lines++
		}
	}
	most := 99
	if short > room {
		most = 2 * int(room/short*lines/hands)
	}
	for _, r := range rows {
		y += headHeight
		x := panelX + 14.0
		if r.sector >= 0 && r.seat < 0 || r.touch != nil {
			d.Block(panelX, y-15, 8, 19, 2, s.colour(r.sector))
		}
		font := small
		if r.seat >= 0 {
			d.Disc(x+10, y-5, 10, r.seat, strconv.Itoa(r.seat))
			x, font = x+26, heading
		}
		d.Text(panelX+panelWidth, y, r.right.End(), r.text)
		width := panelX + panelWidth - x - r.right.Width(r.text) - 8
		if font.Width(r.name) > width {
			font.Bold = false
		}
		d.Fit(x, y, width, font, r.name)
		if r.touch != nil {
			d.TouchRect(s.game.info, panelX, y-17, panelWidth, 24, 4, r.touch...)
		}
		if r.signal != "" {
			y += lineHeight
			d.Fit(x, y, panelX+panelWidth-x, small, r.signal)
		}
		if r.cards == 0 {
			continue
		}
		if long > room {
			r.use = nil
		}
		y = s.drawHand(d, slices.Collect(r.cards.Each), r.use, y+7, most)
	}
}

// cardWords are a card's name and, with a use, what it is good for, on lines of its width.
func (s *State) cardWords(c Card, use func(Card) string) (name, lower []string) {
	wrap := func(text string) []string { return board.Wrap(text, cardWidth-20, board.Smallest, false) }
	if c.IsStrike() {
		return wrap("Strike: " + s.game.sectorName(c.Sector())), nil
	}
	if use != nil {
		lower = wrap(use(c))
	}
	return wrap(s.game.cardName(c)), lower
}

// cardHeight is that of the first two cards, which lie side by side.
func (s *State) cardHeight(cards []Card, use func(Card) string) float64 {
	most := 0
	for _, c := range cards[:min(2, len(cards))] {
		name, lower := s.cardWords(c, use)
		most = max(most, len(name)+len(lower))
	}
	return 4 + lineHeight*float64(most)
}

// drawHand draws so many cards at most, two to a row, the sector's colour at their side; with a use what each is good
// for.
func (s *State) drawHand(d *board.Drawing, cards []Card, use func(Card) string, y float64, most int) float64 {
	height := 0.0
	for i, c := range cards {
		x := panelX + float64(i%2)*(cardWidth+6)
		if i == most-1 && len(cards) > most {
			d.Text(x+8, y+17, small, fmt.Sprintf("and %d more", len(cards)-i))
			return y + height + 3 - headHeight/4
		}
		if i%2 == 0 {
			height = s.cardHeight(cards[i:], use)
		}
		name, lower := s.cardWords(c, use)
		paint, font := board.Paint{Fill: board.Card, Stroke: board.Edge}, plain
		switch {
		case c.IsStrike():
			paint, font = board.Paint{Fill: "#1a1a1a"}, onDark
		case use != nil && lower[0] == "useless now":
			paint.Fill = board.Well
		}
		d.Rect(x+1, y+2, cardWidth, height, 5, board.Paint{Fill: "#000", Opacity: 0.16})
		d.Rect(x, y, cardWidth, height, 5, paint)
		d.Rect(x, y, 8, height, 3, board.Paint{Fill: s.colour(c.Sector())})
		for k, line := range append(name, lower...) {
			d.Text(x+14, y+17+lineHeight*float64(k), font, line)
		}
		if !c.IsStrike() {
			d.TouchRect(s.game.info, x, y, cardWidth, height, 5, create+env.Action(c), give+env.Action(c), discard+env.Action(c))
		}
		if i%2 == 1 || i == len(cards)-1 {
			y += height + 3
		}
	}
	return y
}
