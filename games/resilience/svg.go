package resilience

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// The board as a picture: 36 hexagons with the tower in their middle and the stacks of stones round them, the tower
// as a scale, and at the right a panel for each seat, what is to be decided, and the events drawn.

const (
	boardX     = 350.0 // middle of the board
	boardY     = 442.0
	hexSize    = 50.0  // middle to corner
	stackRing  = 306.0 // from the middle to the sides of the hexagon on which the stacks stand
	gaugeX     = 728.0
	panelX     = 830.0
	panelWidth = 426.0
	seatHeight = 146.0
)

var (
	heading = board.Font{Size: 17, Fill: board.Ink, Bold: true}
	plain   = board.Font{Size: board.Smallest, Fill: board.Ink}
	small   = board.Font{Size: board.Smallest, Fill: board.Pale}
)

const (
	resColour   = "#a98b5d"
	lqColour    = "#5aa469"
	alarmColour = "#c83028"
	smogColour  = "#868e96"
)

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := board.NewDrawing(dst, fmt.Sprintf("%s: round %d, tower %d of %d", title, s.round, s.tower, s.game.stones),
		board.Wide, board.High)
	d.Add(signs)
	d.Pane("board", 0, 0, panelX-10, board.High)
	d.Pane("seats", panelX-10, 0, board.Wide-panelX+10, board.High)
	s.drawHead(d)
	d.Ball(boardX, boardY, 318, board.Paint{Fill: board.Sea, Stroke: board.Card, Width: 3})
	for _, p := range []board.Paint{{Fill: "#000", Opacity: 0.3}, {Fill: board.Land}} {
		y := boardY
		if p.Fill != board.Land {
			y += 5
		}
		d.Path(boardX, y, land, p)
	}
	for f := range Field(NumFields) {
		s.drawField(d, f)
	}
	s.drawTower(d)
	s.drawStacks(d)
	s.drawLegend(d)
	s.drawGauge(d)
	y := 20.0
	for q := range env.Player(s.game.players) {
		s.drawSeat(d, y, q, p)
		s.touchSeat(d, y, q)
		y += seatHeight + 8
	}
	y = s.drawNow(d, y)
	s.drawEvents(d, y)
	for f := range Field(NumFields) {
		x, y := centre(f.place())
		d.Touch(s.game.info, Settle(f), BuildCity(f), BuildIndustry(f), Dismantle(f))
		d.Use("hex", x, y)
		d.End()
	}
	return d.Bytes()
}

// signs are what the board shows again and again: a field, and what grows on one that nobody has.
const signs = `<defs><path id="hex" d="M49 0L24.5 42.4H-24.5L-49 0L-24.5 -42.4H24.5Z"/>` +
	`<g id="field"><use href="#hex" fill="url(#sheen)" fill-opacity=".5"/></g>` +
	`<g id="land0"><path d="M-20 24l9 -17l9 17ZM-3 28l9 -18l9 18Z" fill="#3f7d4d"/>` +
	`<path d="M-11 7l-9 17h9ZM6 10l-9 18h9Z" fill="#67a56b"/></g>` +
	`<g id="land1"><path d="M-25 25l14 -20l9 11l7 -8l15 17Z" fill="#8a8f7c"/>` +
	`<path d="M-11 5l-5 7h10ZM5 8l-4 5h9Z" fill="#fff"/></g>` +
	`<g id="land2"><path d="M-24 12h48M-18 18h40M-22 24h38" fill="none" stroke="#c9a844" stroke-width="3"/></g>` +
	`<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
	`<rect width="3.2" height="7" fill="#5d6266"/></pattern></defs>`

// land is the ground of all fields, about the middle of the board.
var land = func() string {
	var path []byte
	for f := range Field(NumFields) {
		x, y := f.place().at(hexSize)
		path = fmt.Appendf(path, "M%.0f %.0fl-24.5 42.4h-49l-24.5 -42.4l24.5 -42.4h49Z", x+49, y)
	}
	return string(path)
}()

// touchSeat lets the panel of the active seat stand for what ends its turn, those of the others for offers to them.
func (s *State) touchSeat(d *board.Drawing, y float64, q env.Player) {
	if s.decision == Over {
		return
	}
	actions := []env.Action{Sabbatical, Done}
	if places := (int(q) - int(s.Active()) + s.game.players) % s.game.players; places > 0 {
		actions = []env.Action{Offer(places, Gift), Offer(places, Ask), Offer(places, Hire), Offer(places, Serve)}
	}
	d.TouchRect(s.game.info, panelX, y, panelWidth, seatHeight, 10, actions...)
}

// centre is where a place of the board lies in the picture.
func centre(at hex) (x, y float64) {
	x, y = at.at(hexSize)
	return boardX + x, boardY + y
}

// at is where the middle of a hexagon of a size lies, seen from that of the tower's place.
func (h hex) at(size float64) (x, y float64) {
	return 1.5 * size * float64(h.q), math.Sqrt(3) * size * (float64(h.r) + float64(h.q)/2)
}

// hexagon are its corners about a point; its points are at the sides.
func hexagon(x, y, size float64) []board.Point {
	var corners []board.Point
	for i := range 6 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		corners = append(corners, board.Point{X: x + size*cos, Y: y + size*sin})
	}
	return corners
}

func (s *State) drawHead(d *board.Drawing) {
	d.Text(24, 40, board.Font{Size: 26, Fill: board.Ink, Bold: true}, title)
	d.Text(24, 64, plain, fmt.Sprintf("Round %d, turn %d of %d", s.round, s.turn+1, s.game.players))
	const x, width = 380.0, 284.0
	d.Text(x+width, 40, plain.End(), s.clockText())
	least, most := s.game.Lengths()
	if s.decision == Over {
		least, most = int(s.limit), int(s.limit)
	}
	// The time used, on a bar up to the latest end; the part where the signal may sound is hatched.
	unit := width / float64(max(most, s.Clock()))
	d.Rect(x, 50, width, 12, 6, board.Paint{Fill: board.Well, Stroke: board.Edge})
	if s.Clock() > 0 {
		d.Block(x, 50, unit*float64(s.Clock()), 12, 6, "#2a9d8f")
	}
	d.Rect(x+unit*float64(least), 50, max(unit*float64(most-least), 2), 12, 0,
		board.Paint{Fill: "url(#hatch)", Opacity: 0.45})
	d.Text(x-10, 61, small.End(), "time")
}

func (s *State) drawField(d *board.Drawing, f Field) {
	x, y := centre(f.place())
	owner := s.Owner(f)
	d.Use("field", x, y)
	if owner >= 0 {
		colour := board.Seats[owner].Fill
		d.Polygon(hexagon(x, y, 0.92*hexSize), board.Paint{Fill: colour, Opacity: 0.22, Stroke: colour, Width: 3})
	}
	name := plain.Middle()
	switch {
	case s.destroyed.Has(f):
		d.Polygon(hexagon(x, y, 0.86*hexSize), board.Paint{Fill: "#23272b"})
		d.Path(x, y, "M-22,-2 L-8,4 L-14,20 M-8,4 L8,-4 L20,8 M8,-4 L12,-16", board.Paint{Stroke: "#d0562a", Width: 2.5})
		name = name.In(board.White)
	case s.blocked.Has(f):
		d.Polygon(hexagon(x, y, 0.86*hexSize), board.Paint{Fill: board.Well, Stroke: board.Pale, Width: 1.5, Dash: "5 4"})
	case owner < 0:
		d.Use("land"+strconv.Itoa((int(f)*5+int(f)/6)%3), x, y)
	}
	d.Text(x, y-26, name, f.String())
	if s.smogged.Has(f) {
		d.Raised(x, y, cloud, board.Paint{Fill: smogColour, Stroke: board.White, Width: 1.2})
	}
	if owner >= 0 {
		d.Piece(strconv.Itoa(int(owner)))
		d.Raised(x, y, buildings[s.Level(f)], board.Paint{Fill: board.Seats[owner].Fill, Stroke: board.White, Width: 2})
		d.Text(x, y+11, board.Font{Size: 15, Fill: board.Seats[owner].Ink, Bold: true}.Middle(), strconv.Itoa(int(owner)))
		d.End()
	}
	if s.left[f] > 0 {
		drawCover(d, x, y+27, s.destroyed.Has(f), int(s.left[f]))
	}
}

// Outlines about the middle of a field.
const cloud = "M-30,-11 a5,5 0 0 1 1,-9 a7,7 0 0 1 12,-1 a5,5 0 0 1 3,10 Z"

var buildings = [numLevels]string{
	Settlement: "M-17,15 V-4 L0,-20 L17,-4 V15 Z",
	City:       "M-25,15 V-7 H-11 V-21 H7 V-11 H25 V15 Z",
	Industry:   "M-26,16 V-12 L-10,-3 V-12 L6,-3 V-12 L12,-8 V-24 H24 V16 Z",
}

// drawCover draws the sign of a cover card: what it does, and for how many rounds.
func drawCover(d *board.Drawing, x, y float64, destroyed bool, left int) {
	text, colour := "B", "#4b5258"
	if destroyed {
		text, colour = "D", "#000000"
	}
	d.Rect(x-20, y-9, 40, 19, 9, board.Paint{Fill: colour, Stroke: board.White, Width: 1.5})
	d.Text(x, y+5, board.Font{Size: 15, Fill: board.White, Bold: true}.Middle(), text+roundsText(left, "∞"))
}

// danger is the colour of a stone: from calm to red with the chance that it falls.
func danger(chance float64) string {
	t := math.Min(chance/0.16, 1)
	mix := func(from, to float64) int { return int(from + (to-from)*t) }
	return fmt.Sprintf("#%02x%02x%02x", mix(226, 200), mix(222, 48), mix(208, 40))
}

// lean is how far the tower leans at a share of its whole height, as a share of that: the more, the likelier the next
// stone falls.
func (s *State) lean(height float64) float64 {
	return 0.13 * min(s.NextFall(0)/0.16, 1) * math.Pow(height, 1.7)
}

// drawTower lets a column of stones grow in the middle of the board.
func (s *State) drawTower(d *board.Drawing) {
	x, y := centre(hex{})
	d.Polygon(hexagon(x, y, hexSize), board.Paint{Fill: board.Card})
	if s.ending == Collapse {
		s.drawRubble(d, x, y+24, 9, 18, 8)
		d.Text(x, y-18, small.Strong().In(board.Alarm).Middle(), "fallen")
		return
	}
	const room = 74.0
	each := room / float64(s.game.stones)
	for k := range int(s.tower) {
		x := x + 4 + 1.2*math.Sin(2.4*float64(k)) - room*s.lean(float64(k)/float64(s.game.stones))
		d.Rect(x, y+37-each*float64(k+1), 28, each, 0,
			board.Paint{Fill: danger(s.game.FallChance(k + 1)), Stroke: "#5d6266", Width: 0.5})
	}
	d.Text(x-19, y+4, heading.Sized(20).Middle(), strconv.Itoa(int(s.tower)))
	d.Text(x-19, y+20, small.Middle(), "tower")
}

// drawRubble draws some stones of a size that have fallen, in a heap on a ground.
func (s *State) drawRubble(d *board.Drawing, x, y float64, stones int, width, height float64) {
	for k := range stones {
		row, across := math.Floor(float64(k)/5), float64(k%5)-2
		d.Add(`<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="2" transform="translate(%.0f %.0f) rotate(%d)" `+
			`fill="%s" stroke="#5d6266"/>`, -width/2, -height/2, width, height, x+across*(width/2-1-row)+row,
			y-row*height*1.3, k*67%130-65, danger(0.16*float64(k+1)/float64(stones)))
	}
}

// stackPlace is where a stack stands: evenly on the sides of a hexagon, clockwise from its upper corner.
func (s *State) stackPlace(i int) (x, y float64) {
	along := 6 * (float64(i) + 0.5) / float64(len(s.game.data.Stacks))
	side, share := math.Modf(along)
	corner := func(k float64) (x, y float64) {
		sin, cos := math.Sincos(k * math.Pi / 3)
		return stackRing / math.Cos(math.Pi/6) * sin, -stackRing / math.Cos(math.Pi/6) * cos
	}
	x1, y1 := corner(side)
	x2, y2 := corner(side + 1)
	return boardX + x1 + (x2-x1)*share, boardY + y1 + (y2-y1)*share
}

// drawStacks shows the stones at the edge; an empty stack shows its event field.
func (s *State) drawStacks(d *board.Drawing) {
	current := true
	for i, size := range s.game.data.Stacks {
		x, y := s.stackPlace(i)
		left := s.Stack(i)
		tray := board.Paint{Fill: board.Well, Stroke: board.Edge, Width: 2}
		if left > 0 && current {
			current = false
			tray = board.Paint{Fill: board.Lit, Stroke: "#d99a08", Width: 3}
		}
		d.Rect(x-22, y-20, 46, 46, 8, board.Paint{Fill: "#000", Opacity: 0.2})
		d.Rect(x-23, y-23, 46, 46, 8, tray)
		if left == 0 {
			d.Ball(x, y, 17, board.Paint{Fill: alarmColour})
			d.Path(x, y, "M2,-12 L-7,2 H-1 L-4,12 L7,-3 H1 Z", board.Paint{Fill: board.White})
			continue
		}
		each := math.Min(36/float64(size), 9)
		for k := range left {
			d.Rect(x-6, y+18-each*float64(k+1), 24, each-1.2, 2, board.Paint{Fill: "#f4efe2", Stroke: "#5d6266"})
		}
		d.Text(x-14, y+5, plain.Strong().Middle(), strconv.Itoa(left))
	}
}

func (s *State) drawLegend(d *board.Drawing) {
	y, grey := 812.0, board.Paint{Fill: "#6b7680", Stroke: board.White, Width: 2}
	x := 30.0
	for _, sign := range []struct {
		draw func()
		wide float64
		text string
	}{
		{func() { d.Path(x+17, y-4, buildings[Settlement], grey) }, 34, "settlement"},
		{func() { d.Path(x+25, y-4, buildings[City], grey) }, 50, "city"},
		{func() { d.Path(x+26, y-4, buildings[Industry], grey) }, 52, "industry"},
		{func() { d.Path(x+35, y+13, cloud, board.Paint{Fill: smogColour}) }, 22, "smog paid"},
		{func() { drawCover(d, x+19, y-2, false, 2) }, 38, "blocked, 2 rounds"},
		{func() { drawCover(d, x+19, y-2, true, wholeGame) }, 38, "destroyed, whole game"},
	} {
		sign.draw()
		d.Text(x+sign.wide+5, y+3, small, sign.text)
		x += sign.wide + small.Width(sign.text) + 11
	}
	d.Text(30, 841, small, "The digit on a building is its owner's. Stones are taken from the stacks clockwise, now "+
		"from the one with the gold edge.")
	d.Text(30, 861, small, "A stack that runs out shows its event field and brings an event: red arrows at the scale "+
		"of the tower.")
}

// drawGauge is the tower as a scale: stones placed, where events come, and the danger of those to come.
func (s *State) drawGauge(d *board.Drawing) {
	const top, room, wide = 92.0, 660.0, 34.0
	each := room / float64(s.game.stones)
	d.Text(gaugeX+wide/2, 40, heading.Middle(), "Tower")
	d.Text(gaugeX+wide/2, 64, plain.Middle(), fmt.Sprintf("%d of %d", s.tower, s.game.stones))
	d.Rect(gaugeX-12, top+room+1, wide+24, 7, 3, board.Paint{Fill: "#6b5a3e"})
	for k := range int(s.game.stones) {
		y, placed := top+room-each*float64(k+1), k < int(s.tower)
		left := gaugeX - room*s.lean(float64(k)/float64(s.game.stones))
		paint := board.Paint{Fill: danger(s.game.FallChance(k + 1)), Stroke: "#3d454b"}
		switch {
		case s.ending == Collapse && placed:
		case placed:
			d.Rect(left, y+1, wide, each-2, 3, paint)
			d.Rect(left, y+1, wide, each-2, 3, board.Paint{Fill: "url(#sheen)"})
		default:
			paint.Opacity, paint.Stroke = 0.25, board.Edge
			d.Rect(left, y+1, wide, each-2, 3, paint)
		}
		if s.game.empties>>(k+1)&1 != 0 {
			colour := alarmColour
			if placed {
				colour = board.Edge
			}
			d.Path(left-3, y+each/2, "M0,0 l-11,-6 v12 Z", board.Paint{Fill: colour})
		}
		switch {
		case k == int(s.tower) && s.ending == Running:
			d.Text(gaugeX+wide+6, y+each/2+5, small.Strong().In(board.Alarm), percent(s.NextFall(0)))
		case (k+1)%5 == 0 && each >= 11:
			d.Text(gaugeX+wide+6, y+each/2+5, small, strconv.Itoa(k+1))
		}
	}
	if s.ending == Collapse {
		s.drawRubble(d, gaugeX+wide/2, top+room-10, min(int(s.tower), 20), 30, 17)
	}
	d.Text(gaugeX+wide/2, 773, small.Middle(), s.nextEvent())
	d.Text(gaugeX+wide/2, 792, small.Middle(), fmt.Sprintf("covers left: %d", s.game.data.Markers-s.Covered().Count()))
}

func (s *State) nextEvent() string {
	switch left := s.game.Stones() - s.Tower(); {
	case left == 0 || s.decision == Over:
		return ""
	case s.UntilEvent() == left:
		return fmt.Sprintf("last stone in %d", left)
	}
	return fmt.Sprintf("event in %d", s.UntilEvent())
}

// drawSeat is the panel of a seat.
func (s *State) drawSeat(d *board.Drawing, y float64, q, viewer env.Player) {
	d.Sheet(panelX, y, panelWidth, seatHeight)
	if s.Active() == q {
		d.Rect(panelX, y, panelWidth, seatHeight, 9, board.Paint{Stroke: board.Ink, Width: 3.5})
	}
	d.Disc(panelX+26, y+27, 16, int(q), strconv.Itoa(int(q)))
	x, right := panelX+52, panelX+panelWidth-16
	name := fmt.Sprintf("Player %d", q)
	name += board.When(q == viewer, " (you)")
	at := right
	chip := func(show bool, text, fill string) {
		if !show {
			return
		}
		width := small.Width(text) + 18
		at -= width
		d.Rect(at, y+16, width, 22, 11, board.Paint{Fill: fill})
		d.Text(at+width/2, y+31, small.In(board.Ink).Middle(), text)
		at -= 6
	}
	chip(s.resting[q], "sabbatical", board.Land)
	chip(s.Leader() == q, "leads the round", board.Lit)
	d.Fit(x, y+32, at-x, heading, name)
	d.Ball(x+6, y+53, 8, board.Paint{Fill: resColour})
	d.Text(x+18, y+59, heading.Sized(20), fmt.Sprintf("%d RES", s.RES(q)))
	d.Ball(x+128, y+53, 8, board.Paint{Fill: lqColour})
	d.Text(x+140, y+59, heading.Sized(20), fmt.Sprintf("%d LQ", s.LQ(q)))
	d.Text(right, y+59, plain.Sized(16).End(), fmt.Sprintf("total %d", s.Total(q)))
	s.drawRatio(d, x, y+68, right-x, q)
	d.Text(panelX+16, y+100, plain, fmt.Sprintf("income %d RES · LQ due %d · sabbaticals %d", s.Income(q), s.LQDue(q),
		s.sabbaticals[q]))
	d.Text(panelX+16, y+119, small, fmt.Sprintf("left: settlements %d, cities %d, industries %d",
		s.PiecesLeft(q, Settlement), s.PiecesLeft(q, City), s.PiecesLeft(q, Industry)))
	if s.game.talk {
		d.Text(panelX+16, y+138, small, s.promiseText(q))
	}
}

// promiseText is what a seat has promised, and how it has kept its word.
func (s *State) promiseText(q env.Player) string {
	kept, broken := s.Kept(q)
	word := "no promise"
	if s.promise[q] != NoWord {
		word = "promised: " + wordMeanings[s.promise[q]]
	}
	return fmt.Sprintf("%s · kept %d, broke %d", word, kept, broken)
}

// drawRatio is a bar of RES and LQ with marks at 20 % and 80 %: outside of them points are lost.
func (s *State) drawRatio(d *board.Drawing, x, y, width float64, q env.Player) {
	d.Rect(x, y, width, 12, 0, board.Paint{Fill: board.Well})
	if sum := s.RES(q) + s.LQ(q); sum > 0 {
		res := width * float64(s.RES(q)) / float64(sum)
		d.Rect(x, y, res, 12, 0, board.Paint{Fill: resColour})
		d.Rect(x+res, y, width-res, 12, 0, board.Paint{Fill: lqColour})
	}
	d.Rect(x, y, width, 12, 0, board.Paint{Fill: "url(#sheen)"})
	colour := board.Ink
	if s.Unequal(q) {
		colour = board.Alarm
	}
	for _, share := range []float64{0.2, 0.8} {
		d.Rect(x+share*width-1, y-3, 2, 18, 0, board.Paint{Fill: colour})
	}
}

// drawNow says what is going on, and gives the y of what comes below.
func (s *State) drawNow(d *board.Drawing, y float64) float64 {
	const height = 82
	line, more := "", ""
	switch {
	case s.ending == Collapse:
		line = fmt.Sprintf("The tower fell in player %d's turn: LQ alone counts", s.culprit)
	case s.ending == Stones:
		line = "All stones are used, the tower stands"
	case s.ending == Time:
		line = "Time is up, the tower stands"
	case s.decision == AtTurn:
		line, more = s.waits(), s.stonesText()
	default:
		line, more = s.waits(), s.offerText()
	}
	if s.ending != Running {
		more = "won by player " + strings.ReplaceAll(s.Winners().String(), " ", " and player ") + "; set to " +
			minutesText(s.limit)
	}
	d.Sheet(panelX, y, panelWidth, height)
	d.Fit(panelX+16, y+25, panelWidth-32, heading, line)
	d.Lines(panelX+16, y+48, panelWidth-32, 2, plain, more)
	return y + height + 8
}

// drawEvents names the event cards drawn since the last shuffle.
func (s *State) drawEvents(d *board.Drawing, y float64) {
	height := board.High - 12 - y
	d.Sheet(panelX, y, panelWidth, height)
	x := panelX + 16
	d.Text(x, y+25, heading, "Climate events")
	d.Text(panelX+panelWidth-16, y+25, small.End(), fmt.Sprintf("deck %d of %d", s.DeckLeft(), len(s.game.events)))
	drawn := s.drawnEvents()
	if drawn == nil {
		d.Text(x, y+48, plain, "No event yet.")
		return
	}
	d.Lines(x, y+48, panelWidth-32, int((height-42)/20), small, "Drawn: "+strings.Join(drawn, ", ")+".")
}
