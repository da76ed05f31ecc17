package earthrising

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"earthgym/env"
)

// The board as a picture: six wedges round the people in poverty, with the burdens at the rim, and a
// panel with calendar, deck and hands beside it.

const (
	pictureWidth  = 1510
	pictureHeight = 980
	boardX        = 530.0
	boardY        = 490.0
	rimOuter      = 392.0
	rimInner      = 336.0
	rowRadius     = 284.0 // of the four circles on the board
	majorRadius   = 210.0
	minorRadius   = 146.0
	centreRadius  = 104.0
	circleSize    = 33.0
	panelX        = 1070.0
	panelWidth    = 420.0
)

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := canvas{dst}
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif">`, pictureWidth, pictureHeight)
	d.add(`<defs><path id="meeple" d="M0,-7.3 a3,3 0 0 1 2.7,4.3 L7.3,-.7 L6,2 L2.7,1.3 L5.3,7.3 H1.3 L0,4.7 L-1.3,7.3 H-5.3 L-2.7,1.3 L-6,2 L-7.3,-.7 L-2.7,-3 A3,3 0 0 1 0,-7.3 Z" stroke="#5a4a1a" stroke-width="0.8"/>` +
		`<g id="smile">` + eyes + `d="M-5,0 Q0,6 5,0"/></g><g id="frown">` + eyes + `d="M-5,3 Q0,-2 5,3"/></g></defs>`)
	d.add(`<rect width="%d" height="%d" fill="#eef2ee"/>`, pictureWidth, pictureHeight)
	d.add(`<circle cx="%.0f" cy="%.0f" r="%.0f" fill="#cfe3f1"/>`, boardX, boardY, rimOuter+10)
	f := s.forecast()
	people := s.people()
	for i, x := range s.game.ring[0] {
		s.drawWedge(&d, i, x, f, people[x])
	}
	s.drawCentre(&d)
	s.drawPanel(&d, p)
	d.add(`</svg>`)
	return d.dst
}

// canvas appends elements.
type canvas struct{ dst []byte }

func (d *canvas) add(format string, args ...any) {
	d.dst = append(fmt.Appendf(d.dst, format, args...), '\n')
}

// text writes a text; anchor is start, middle or end, and style further attributes.
func (d *canvas) text(x, y float64, size int, anchor, style, text string) {
	d.put(`<text x="`).number(x).put(`" y="`).number(y).put(`" font-size="`).number(float64(size))
	d.put(`" text-anchor="`).put(anchor).put(`" `).put(style).put(`>`)
	for _, r := range text {
		switch r {
		case '&':
			d.put("&amp;")
		case '<':
			d.put("&lt;")
		case '>':
			d.put("&gt;")
		default:
			d.dst = utf8.AppendRune(d.dst, r)
		}
	}
	d.put("</text>\n")
}

// circle draws a circle with a fill, an outline and further attributes.
func (d *canvas) circle(x, y, radius float64, fill, stroke string, width float64, style string) {
	d.put(`<circle cx="`).number(x).put(`" cy="`).number(y).put(`" r="`).number(radius).put(`" fill="`).put(fill)
	d.put(`" stroke="`).put(stroke).put(`" stroke-width="`).number(width).put(`" `).put(style).put("/>\n")
}

// put and number append without the cost of formats, as a picture has hundreds of elements.
func (d *canvas) put(text string) *canvas {
	d.dst = append(d.dst, text...)
	return d
}

// number appends a number with at most one decimal.
func (d *canvas) number(v float64) *canvas {
	tenths := int64(math.Round(10 * v))
	if tenths < 0 {
		d.dst = append(d.dst, '-')
		tenths = -tenths
	}
	d.dst = strconv.AppendInt(d.dst, tenths/10, 10)
	if tenths%10 != 0 {
		d.dst = append(d.dst, '.', byte('0'+tenths%10))
	}
	return d
}

const (
	ink   = `fill="#22303a"`
	pale  = `fill="#6c757d"`
	bold  = `fill="#22303a" font-weight="bold"`
	white = `fill="#ffffff" font-weight="bold"`
)

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
func (s *State) drawWedge(d *canvas, i int, x Sector, f *State, people int) {
	middle := float64(60 * i)
	from, to := middle-30, middle+30
	active := s.phase != inChoose && x == s.active.Home()
	opacity := "0.16"
	if active {
		opacity = "0.34"
	}
	d.add(`<path d="%s" fill="%s" fill-opacity="%s" stroke="#ffffff" stroke-width="3"/>`, ringPart(centreRadius, rimInner, from, to), s.colour(x), opacity)
	s.drawBurden(d, x, from+1, from+20, s.onMinor(x), false)
	s.drawBurden(d, x, from+21, to-1, s.strain[x]-s.onMinor(x), true)

	// Expansions, where they lie or will lie.
	s.drawExpansion(d, x, ringPart(majorRadius-40, majorRadius+34, from+5, to-5), s.major.has(x), s.majorClear(x))
	s.drawExpansion(d, x, ringPart(centreRadius+4, majorRadius-44, from+13, to-13), s.minor.has(x), s.minorClear(x))

	occupied := s.occupied(x, people)
	for c := range perCircle {
		cx, cy := s.circlePlace(middle, c)
		s.drawCircle(d, x, c, cx, cy, occupied>>c&1 != 0)
	}
	s.drawLabel(d, x, middle, f)
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
func (s *State) drawBurden(d *canvas, x Sector, from, to float64, strain int8, isMajor bool) {
	t := &s.game.data.Sectors[x]
	hue, name, in := s.colour(s.game.before[x]), t.Minor, s.minor.has(x)
	most, other := int8(s.game.data.Burden.Minor), s.strain[s.game.before[x]]-s.onMinor(s.game.before[x])
	full := strain >= most-1 && other >= int8(s.game.data.Burden.Major)-2
	if isMajor {
		hue, name, in = s.colour(x), t.Major, s.major.has(x)
		full = strain >= int8(s.game.data.Burden.Major)-2 && s.onMinor(s.game.next[x]) >= most-1
	}
	edge, width, fill := "#ffffff", 2, "0.85"
	if in {
		edge, fill = hue, "0.10"
	}
	if full {
		edge, width = "#c1121f", 5
	}
	d.add(`<path d="%s" fill="%s" fill-opacity="%s" stroke="%s" stroke-width="%d"/>`, ringPart(rimInner+4, rimOuter, from, to), hue, fill, edge, width)
	dot := "#22303a"
	if in {
		dot = "#c1121f"
	}
	for k := range strain {
		degrees := from + (to-from)*(float64(k)+0.5)/float64(max(strain, 5))
		cx, cy := boardPoint(rimInner+18, degrees)
		d.circle(cx, cy, 6.5, dot, "#ffffff", 1.5, "")
	}
	tx, ty := boardPoint(rimOuter-13, (from+to)/2)
	size, style := 11, white
	if in {
		style = pale
	}
	if !isMajor {
		size = 9
	}
	turn := (from + to) / 2
	if math.Cos(turn*math.Pi/180) < 0 {
		turn += 180
	}
	d.text(0, 3, size, "middle", fmt.Sprintf(`%s transform="translate(%.1f %.1f) rotate(%.1f)"`, style, tx, ty, turn), name)
}

func (s *State) drawExpansion(d *canvas, x Sector, path string, in, ready bool) {
	switch {
	case in:
		d.add(`<path d="%s" fill="%s" fill-opacity="0.55" stroke="%s" stroke-width="2"/>`, path, s.colour(x), s.colour(x))
	case ready:
		d.add(`<path d="%s" fill="#ffffff" fill-opacity="0.7" stroke="#1b8a3a" stroke-width="3" stroke-dasharray="7 4"/>`, path)
	default:
		d.add(`<path d="%s" fill="none" stroke="%s" stroke-opacity="0.4" stroke-width="1.5" stroke-dasharray="3 5"/>`, path, s.colour(x))
	}
}

// drawCircle draws what lies on a circle: a counter with its face and name, a crater, a person.
func (s *State) drawCircle(d *canvas, x Sector, c int, cx, cy float64, person bool) {
	v := s.circle[x][c]
	open := s.openCircles(x)>>c&1 != 0
	if !open && v != crater {
		return
	}
	switch v {
	case crater:
		d.circle(cx, cy, circleSize-3, "#1a1a1a", "#6b4f3a", 4, "")
		d.add(`<path transform="translate(%.1f %.1f)" d="M-14,-4 L-3,4 L-8,14 M-3,4 L9,-2 L16,8 M9,-2 L5,-15" stroke="#b5522a" stroke-width="3" fill="none"/>`, cx, cy)
		return
	case vacant:
		d.circle(cx, cy, circleSize-3, "#ffffff", s.colour(x), 2, `fill-opacity="0.75"`)
	default:
		p := Card(int(x)*perSector + int(v) - 1)
		s.drawCounter(d, p, cx, cy)
	}
	if person {
		meeple(d, cx, cy+circleSize-9, "#f2b134")
	}
}

func (s *State) drawCounter(d *canvas, p Card, cx, cy float64) {
	fill, face := "#7f868c", "#frown"
	sustainable := s.sustainable.Has(p)
	if sustainable {
		fill, face = "#2e9e57", "#smile"
	}
	d.circle(cx, cy, circleSize, fill, "#ffffff", 2, "")
	d.put(`<use href="`).put(face).put(`" transform="translate(`).number(cx).put(" ").number(cy - 17).put(")\"/>\n")
	lines := wrap(s.game.practiceName(p, sustainable), 12)
	for i, line := range lines {
		d.text(cx, cy+2+9.5*(float64(i)-float64(len(lines)-1)/2), 9, "middle", white, line)
	}
	switch {
	case s.protest.Has(p): // a fist
		d.add(`<path transform="translate(%.1f %.1f)" d="M-7,9 V1 H-9 V-6 Q-9,-9 -6,-9 H6 Q9,-9 9,-6 V2 L6,5 V9 Z M-4,-9 V-3 M0,-9 V-3 M4,-9 V-3" fill="#d62839" stroke="#fff" stroke-width="1.4"/>`, cx+22, cy-22)
	case s.regeneration.Has(p): // a leaf
		d.add(`<path transform="translate(%.1f %.1f)" d="M-9,9 Q-12,-8 9,-9 Q10,10 -9,9 Z M-9,9 L4,-4" fill="#8fd14f" stroke="#1f5c2e" stroke-width="1.6"/>`, cx+22, cy-22)
	}
}

// wrap breaks a name into lines of about width letters.
func wrap(text string, width int) []string {
	var lines []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

func meeple(d *canvas, x, y float64, fill string) {
	d.put(`<use href="#meeple" transform="translate(`).number(x).put(" ").number(y).put(`)" fill="`).put(fill).put("\"/>\n")
}

// drawLabel writes, outside the rim, whose sector it is and what comes to it.
func (s *State) drawLabel(d *canvas, x Sector, middle float64, f *State) {
	// The labels at the sides stand clear of the rim.
	lx, ly := boardPoint(rimOuter+48, middle)
	lx += 46 * math.Sin(middle*math.Pi/180)
	d.add(`<rect x="%.1f" y="%.1f" width="170" height="58" rx="9" fill="#ffffff" stroke="%s" stroke-width="2.5"/>`, lx-85, ly-29, s.colour(x))
	who := "nobody's"
	if k := Character(x); s.inPlay.plays(k) {
		who = fmt.Sprintf("%s, player %d", s.game.characterName(k), s.seat[k])
	}
	d.text(lx, ly-12, 14, "middle", bold, s.game.sectorName(x))
	d.text(lx, ly+4, 11, "middle", pale, who)
	style := ink
	text := fmt.Sprintf("now %d, next turn %+d, bears %d", s.strain[x], f.strain[x]-s.strain[x], s.tolerance(x))
	switch {
	case s.major.has(x) && !f.major.has(x), s.minor.has(x) && !f.minor.has(x):
		style, text = `fill="#c1121f" font-weight="bold"`, fmt.Sprintf("now %d, next turn %+d: recedes", s.strain[x], f.strain[x]-s.strain[x])
	case s.endangered(x, f):
		style, text = `fill="#c1121f" font-weight="bold"`, fmt.Sprintf("now %d, next turn %+d: danger", s.strain[x], f.strain[x]-s.strain[x])
	}
	d.text(lx, ly+20, 12, "middle", style, text)
}

// endangered says whether a sector looks like part of a pair that collapses if the turn ends now.
func (s *State) endangered(x Sector, f *State) bool {
	near := s.game.full - 4
	return f.collapses > s.collapses && (s.strain[x] >= near || s.strain[s.game.before[x]] >= near)
}

// drawCentre draws the poor in rows of three, with their strain.
func (s *State) drawCentre(d *canvas) {
	d.add(`<circle cx="%.0f" cy="%.0f" r="%.0f" fill="#fffdf5" stroke="#b9b29a" stroke-width="2"/>`, boardX, boardY, centreRadius-2)
	d.text(boardX, boardY-78, 13, "middle", bold, fmt.Sprintf("%d poor = %d strain", s.poverty, s.meepleStrain()-s.temperature()))
	rows := (int(s.poverty) + 2) / 3
	columns := (rows + 4) / 5
	for i := range int(s.poverty) {
		row, seat := i/3, i%3
		column, line := row/5, row%5
		x := boardX + (float64(column)-float64(columns-1)/2)*54 + float64(seat-1)*15
		meeple(d, x, boardY-56+float64(line)*21, "#c9c2ae")
	}
	text := counted(int(s.startups), "Start-Up")
	if s.temperature() > 0 {
		text += fmt.Sprintf(", +%d degrees", s.temperature())
	}
	d.text(boardX, boardY+64, 12, "middle", ink, text)
	d.text(boardX, boardY+82, 14, "middle", bold, fmt.Sprintf("M = %d", s.meepleStrain()))
}

func (s *State) drawPanel(d *canvas, p env.Player) {
	g := s.game
	d.text(panelX, 44, 26, "start", bold, title)
	d.text(panelX+panelWidth, 44, 14, "end", pale, fmt.Sprintf("%s, %d of %d segments", variantIDs[g.variant], s.segments(), g.required))
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
		d.add(`<rect x="%.1f" y="58" width="%.1f" height="14" rx="3" fill="%s"/>`, panelX+float64(i)*step, step-2, fill)
	}
	y := 96.0
	d.text(panelX, y, 15, "start", bold, fmt.Sprintf("Year %d of %d", s.year, g.limit))
	if s.phase != inChoose {
		d.text(panelX+110, y, 15, "start", ink, g.characterName(s.active)+"'s turn")
		for i := range g.data.Turn.Actions {
			fill := "#d9ded9"
			if i < int(s.actions) {
				fill = "#e07a1f"
			}
			d.add(`<circle cx="%.1f" cy="%.1f" r="7" fill="%s"/>`, panelX+panelWidth-8-float64(g.data.Turn.Actions-1-i)*19, y-5, fill)
		}
	}
	y += 22
	asked := "The game is over: " + resultIDs[s.result]
	if s.phase != inOver {
		asked = fmt.Sprintf("Player %d: %s", s.Actor(), phaseAsks[s.phase])
	}
	d.text(panelX, y, 12, "start", ink, asked)
	y += 20
	d.text(panelX, y, 12, "start", pale, s.movesText()+s.collapseText())
	y += 18
	y = s.drawDeck(d, p, y)
	for _, k := range s.cast[:s.castSize] {
		y = s.drawHand(d, p, k, y)
	}
	if s.phase == inChoose {
		s.drawPlaces(d, p, y)
	}
}

func (s *State) collapseText() string {
	return fmt.Sprintf(",  collapses %d of %d, temperature +%d", s.collapses, maxCollapses+1, s.temperature())
}

func (s *State) drawDeck(d *canvas, p env.Player, y float64) float64 {
	text := fmt.Sprintf("Deck %d", s.deckSize)
	if n := s.untilStrike(); n >= 0 {
		text += ", next certain strike under " + counted(n, "card")
	}
	text += fmt.Sprintf(";  discards %d, strikes in them %d", s.discard.Count(), (s.discard & allStrikes).Count())
	d.text(panelX, y, 12, "start", ink, text)
	y += 8
	seen := s.sees(p)
	var cards []Card
	for i := s.deckSize - 1; i >= 0 && seen.Has(s.deck[i]) && len(cards) < 3; i-- {
		cards = append(cards, s.deck[i])
	}
	label := "on top of the deck, in this order"
	switch s.phase {
	case inLooked:
		cards, label = nil, "the Eco Investor holds"
		if seen.Has(s.inside.card) {
			cards = []Card{s.inside.card}
		}
	case inOrder:
		cards, label = nil, "being put back, place 0 first"
		for _, c := range s.inside.order[:s.inside.orderSize] {
			if seen.Has(c) {
				cards = append(cards, c)
			}
		}
	}
	if len(cards) > 0 {
		y += 12
		d.text(panelX, y, 11, "start", pale, label)
		y = s.drawRow(d, cards, func(Card) string { return "" }, y+4)
	}
	return y + 8
}

// drawHand draws the cards of a character, or how many they are.
func (s *State) drawHand(d *canvas, p env.Player, k Character, y float64) float64 {
	y += 16
	name := fmt.Sprintf("%s, player %d", s.game.characterName(k), s.seat[k])
	style := ink
	if env.Player(s.seat[k]) == p {
		name += " (you)"
		style = bold
	}
	d.add(`<rect x="%.1f" y="%.1f" width="10" height="14" rx="3" fill="%s"/>`, panelX, y-12, s.colour(k.Home()))
	d.text(panelX+16, y, 13, "start", style, name)
	signal := counted(s.hand[k].Count(), "card")
	if v := s.signal[s.seat[k]]; v != 0 {
		signal = "signals: " + signalText(v) + "   " + signal
	}
	d.text(panelX+panelWidth, y, 11, "end", pale, signal)
	var cards []Card
	hand := s.hand[k] & s.sees(p)
	for t := hand; t != 0; t = t.Rest() {
		cards = append(cards, t.First())
	}
	return s.drawRow(d, cards, func(c Card) string { return s.useOf(k, c, hand) }, y+5) + 4
}

// drawPlaces draws the hands that are not taken yet.
func (s *State) drawPlaces(d *canvas, p env.Player, y float64) {
	for i := int(s.castSize); i < s.game.cast; i++ {
		y += 16
		d.text(panelX, y, 13, "start", ink, fmt.Sprintf("Place %d, player %d", i, i%s.game.players))
		var cards []Card
		for t := s.dealt[i] & s.sees(p); t != 0; t = t.Rest() {
			cards = append(cards, t.First())
		}
		y = s.drawRow(d, cards, func(Card) string { return "" }, y+5) + 4
	}
}

// drawRow draws cards three to a row: both halves of each, and what it is good for.
func (s *State) drawRow(d *canvas, cards []Card, use func(Card) string, y float64) float64 {
	const width, height = 137.0, 32.0
	for i, c := range cards {
		x, top := panelX+float64(i%3)*(width+4), y+float64(i/3)*(height+3)
		upper, lower := s.game.cardName(c), use(c)
		fill := s.colour(c.Sector())
		if c.IsStrike() {
			upper, lower, fill = "Status Quo Strikes!", s.game.sectorName(c.Sector()), "#1a1a1a"
		} else if lower == "" {
			lower = s.game.practiceName(c, false)
		}
		opacity := "1"
		if lower == "useless now" {
			opacity = "0.45"
		}
		d.add(`<rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" rx="5" fill="%s" fill-opacity="%s"/>`, x, top, width, height, fill, opacity)
		d.text(x+6, top+13, 10, "start", white, upper)
		d.text(x+6, top+26, 9, "start", `fill="#ffffff"`, lower)
	}
	if len(cards) == 0 {
		return y
	}
	return y + float64((len(cards)+2)/3)*(height+3)
}
