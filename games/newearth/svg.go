package newearth

import (
	"fmt"
	"math"
	"strconv"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// The table as a picture: turn track and hexagon of six tiles on the left; on the right the mats of the seats,
// what is being resolved, what the viewer holds, and what it may do.

const (
	boardX      = 406.0 // middle of the hexagon
	boardY      = 442.0
	boardRadius = 394.0
	panelX      = 822.0
	panelWidth  = board.Wide - 14 - panelX
)

// cut is where a corner zone ends on the tile's sides: at this share the six zones have equal areas.
var cut = 1 / math.Sqrt(6)

// looks are how the pieces of BLUE, RED, GREEN and YELLOW look, seatLetters what is written on them.
var (
	looks       = [maxPlayers]board.Seat{board.Seats[1], board.Seats[0], board.Seats[4], board.Seats[2]}
	seatLetters = [maxPlayers]string{"B", "R", "G", "Y"}
)

const purple = "#6b2fa0" // catastrophes

// signs are what stands in the zones: workers in mining, energy and manufacturing, machines, their free places, and
// what is built.
const signs = `<defs><g id="mining"><path d="M0 -6L6 -3L0 0L-6 -3Z" fill="#6b6b6b"/><path d="M-6 -3L0 0V7L-6 4Z" ` +
	`fill="#434343"/><path d="M6 -3L0 0V7L6 4Z" fill="#242424"/><path d="M0 -6L6 -3V4L0 7L-6 4V-3Z" stroke="#8b959c" ` +
	`stroke-width=".8"/></g><g id="energy"><path d="M0 -6L6 -3L0 0L-6 -3Z" ` +
	`fill="#f4776d"/><path d="M-6 -3L0 0V7L-6 4Z" fill="#d1352b"/><path d="M6 -3L0 0V7L6 4Z" fill="#98201a"/></g>` +
	`<g id="making"><path d="M0 -6L6 -3L0 0L-6 -3Z" fill="#fff"/><path d="M-6 -3L0 0V7L-6 4Z" fill="#dcdcdc"/>` +
	`<path d="M6 -3L0 0V7L6 4Z" fill="#a9a9a9"/></g><path id="bare" d="M0 -6L6 -3V4L0 7L-6 4V-3Z" stroke="#7d8892"/><g id="machine"><circle r="5.6" fill="#c7983f" stroke="#6d5a3a" stroke-width="2" stroke-dasharray="2.2 1.3"/>` +
	`<circle r="1.9" fill="#6d5a3a"/></g><circle id="slot" r="5" stroke="#7d8892"/>` +
	`<path id="mine" d="M-7 -3q7 -6 14 0M0 -5v12" stroke="#7a6a55" stroke-width="2.6"/>` +
	`<path id="flash" d="M2 -9l-8 10h5l-2 8l8 -10h-5Z" fill="#e0453a" stroke="#fff" stroke-width=".8"/>` +
	`<path id="plant" d="M-9 7v-8l5 -4v4l5 -4v4l5 -4h3v12Z" fill="#4a5560" stroke="#fff" stroke-width=".8"/>` +
	`<path id="city" d="M-9 8v-10h5v-6h6v8h6v8Z" fill="#1f5c91" stroke="#fff"/></defs>`

var (
	bodyFont = board.Font{Size: board.Smallest, Fill: board.Ink}
	paleFont = board.Font{Size: board.Smallest, Fill: board.Pale}
	headFont = board.Font{Size: 16, Fill: board.Ink, Bold: true}
)

// drawing is a picture of the table.
type drawing struct{ *board.Drawing }

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := &drawing{board.NewDrawing(dst, title, board.Wide, board.High)}
	d.Add(signs)
	d.Pane("board", 0, 0, panelX-12, board.High)
	d.Pane("seats", panelX-12, 0, board.Wide-panelX+12, board.High)
	s.drawHead(d)
	d.drawGround()
	for k, place := range s.sectors {
		for slot := range numSlots {
			s.drawZone(d, place.at(slot), &s.game.shapes[k][slot])
		}
	}
	s.drawFrames(d, p)
	s.touchZones(d)
	s.drawLegend(d)
	y := s.drawSeats(d, p)
	y = s.drawTable(d, p, y)
	if p >= 0 && s.turn > 0 {
		y = s.drawHand(d, p, y)
	}
	if p >= 0 && s.turn > 0 {
		s.drawPiles(d, p, y)
	}
	return d.Bytes()
}

// drawHead draws title, turn track and phases.
func (s *State) drawHead(d *drawing) {
	d.Text(16, 36, headFont.Sized(26), title)
	if s.phase == phaseSetUp {
		d.Text(16, 62, bodyFont, spelling.Capital(s.headline()))
		return
	}
	const left, right = 178.0, 800.0
	turns := s.game.turns
	step := min((right-left)/float64(turns), 60)
	for turn := 1; turn <= turns; turn++ {
		x, f := left+float64(turn-1)*step, paleFont.Middle()
		switch {
		case turn == int(s.turn):
			d.Block(x+1, 12, step-3, 30, 6, "#2f4858")
			f = headFont.In(board.White).Middle()
		case turn < int(s.turn):
			d.Rect(x+1, 14, step-3, 26, 5, board.Paint{Fill: board.Well})
			f = bodyFont.Middle()
		default:
			d.Rect(x+1, 14, step-3, 26, 5, board.Paint{Fill: board.Card, Stroke: board.Edge})
		}
		if f.Width(strconv.Itoa(turn)) < step-3 {
			d.Text(x+step/2, 33, f, strconv.Itoa(turn))
		}
	}
	if s.phase == phaseOver {
		d.Text(16, 66, headFont, "The game is "+s.headline())
		return
	}
	d.Text(16, 66, headFont, fmt.Sprintf("Turn %d of %d", s.turn, turns))
	x := left
	for phase := phaseCatastrophes; phase <= phaseLeader; phase++ {
		f := paleFont
		if phase == int(s.phase) {
			f = headFont.Sized(board.Smallest)
			d.Line(x, 74, x+f.Width(phaseWords[phase]), 74, board.Paint{Stroke: board.Ink, Width: 2.5})
		}
		d.Text(x, 66, f, phaseWords[phase])
		x += f.Width(phaseWords[phase]) + 14
	}
}

// phaseWords are the phases on the track.
var phaseWords = [...]string{"", "Catastrophes", "Production", "Income", "Consumption, cities", "Elections",
	"Leaders, reallocation"}

// drawGround draws the land of all tiles, in the sea.
func (d *drawing) drawGround() {
	ring := func(y, radius float64) (points []board.Point) {
		for k := range NumTiles {
			at := corner(k)
			points = append(points, board.Point{X: boardX + (at.X-boardX)*radius, Y: y + boardY + (at.Y-boardY)*radius})
		}
		return points
	}
	d.Polygon(ring(5, 1.025), board.Paint{Fill: "#000", Opacity: 0.3})
	d.Polygon(ring(0, 1.025), board.Paint{Fill: board.Sea, Stroke: board.Card, Width: 2})
	d.Polygon(ring(0, 1), board.Paint{Fill: board.Land})
	d.Polygon(ring(0, 1), board.Paint{Fill: "url(#lamp)"})
}

// toward is the point at a share of the way from p to q.
func toward(p, q board.Point, share float64) board.Point {
	return board.Point{X: p.X + (q.X-p.X)*share, Y: p.Y + (q.Y-p.Y)*share}
}

// corner is the outer corner of the board between sectors k-1 and k.
func corner(k int) board.Point {
	angle := (float64(k)*60 - 120) * math.Pi / 180
	return board.Point{X: boardX + boardRadius*math.Cos(angle), Y: boardY + boardRadius*math.Sin(angle)}
}

// outline is the shape of the zone at a slot of a sector: a corner of the triangular tile is cut off as a
// zone of its own, and the rest is shared by the zones between.
func outline(k, slot int) []board.Point {
	tips := [3]board.Point{{X: boardX, Y: boardY}, corner(k), corner(k + 1)} // at slots I, OL, OR
	middle := board.Point{X: (tips[0].X + tips[1].X + tips[2].X) / 3, Y: (tips[0].Y + tips[1].Y + tips[2].Y) / 3}
	here, next := tips[slot/2], tips[(slot/2+1)%3]
	if slot%2 == 0 {
		return []board.Point{here, toward(here, next, cut), toward(here, tips[(slot/2+2)%3], cut)}
	}
	other := tips[(slot/2+2)%3]
	// The middle of the line that cuts off a tip.
	mid := func(tip, a, b board.Point) board.Point {
		return toward(toward(tip, a, cut), toward(tip, b, cut), 0.5)
	}
	return []board.Point{toward(here, next, cut), toward(next, here, cut), mid(next, here, other), middle,
		mid(here, next, other)}
}

// A shape is a zone's place in the picture.
type shape struct {
	corners []board.Point
	at      board.Point // where its contents stand
}

// shapes are those of every sector and slot.
func shapes() (all [NumTiles][numSlots]shape) {
	for k := range all {
		for slot := range all[k] {
			corners := outline(k, slot)
			var at board.Point
			top, bottom := math.Inf(1), math.Inf(-1)
			for _, p := range corners {
				at.X += p.X / float64(len(corners))
				at.Y += p.Y / float64(len(corners))
				top, bottom = min(top, p.Y), max(bottom, p.Y)
			}
			middle := (top + bottom) / 2
			switch {
			case slot%2 == 1:
				at.Y = (at.Y + middle) / 2
			case at.Y < middle: // a triangle has its room where it is wide
				at.Y = top + 41
			default:
				at.Y = bottom - 36
			}
			all[k][slot] = shape{corners, at}
		}
	}
	return all
}

// touchZones lets zones stand for what is done with them, and in the set-up home tiles for themselves.
func (s *State) touchZones(d *drawing) {
	for k, place := range s.sectors {
		if s.decision == AtSetupTile {
			d.Touch(s.game.info, TakeTile(int(place.tile)))
			d.Polygon([]board.Point{{X: boardX, Y: boardY}, corner(k), corner(k + 1)}, board.Paint{})
			d.End()
			continue
		}
		for slot := range numSlots {
			z := place.at(slot)
			d.Touch(s.game.info, PickZone(z), Place(Machine, z), Place(Worker, z), Place(Maker, z))
			d.Polygon(s.game.shapes[k][slot].corners, board.Paint{})
			d.End()
		}
	}
}

// drawFrames lays the borders of the tiles on top, and marks the zones that the question is about and, for
// the seat that decides, those that it can name.
func (s *State) drawFrames(d *drawing, p env.Player) {
	var legal Zones
	for z := range Zone(NumZones) {
		m := s.legal()
		if m.Has(PickZone(z)) || m.Has(Place(Machine, z)) || m.Has(Place(Worker, z)) || m.Has(Place(Maker, z)) {
			legal |= only(z)
		}
	}
	if p != env.Player(s.seat) {
		legal = 0
	}
	for k, place := range s.sectors {
		for slot := range numSlots {
			if s.affected.Has(place.at(slot)) {
				d.Polygon(s.game.shapes[k][slot].corners, board.Paint{Stroke: purple, Width: 4})
			}
		}
	}
	for k := range s.sectors {
		d.Polygon([]board.Point{{X: boardX, Y: boardY}, corner(k), corner(k + 1)}, board.Paint{Stroke: board.Card, Width: 4})
	}
	for k, place := range s.sectors {
		for slot := range numSlots {
			corners := s.game.shapes[k][slot].corners
			switch z := place.at(slot); {
			case legal.Has(z):
				d.Polygon(corners, board.Paint{Stroke: board.Ink, Width: 3, Dash: "2 5"})
			case s.target == z || s.hit.Has(z) || s.chosenZone == z || s.pickedZones.Has(z):
				d.Polygon(corners, board.Paint{Stroke: board.Ink, Width: 5, Dash: "10 6"})
			}
		}
	}
}

// drawZone draws a zone: its id, what happened to it this turn, its owner's marker and the leader, workers
// and machines against the limits, plant and city.
func (s *State) drawZone(d *drawing, z Zone, on *shape) {
	owner := s.Owner(z)
	if !s.inPlay.Has(z) {
		d.Polygon(on.corners, board.Paint{Fill: "#5f666d", Stroke: "#4a5560", Width: 1})
		d.Text(on.at.X, on.at.Y+4, bodyFont.In(board.White).Middle(), "not in play")
		return
	}
	paint := board.Paint{Stroke: board.Edge, Width: 1.5}
	if owner >= 0 {
		paint.Fill, paint.Opacity = looks[owner].Fill, 0.28
	}
	d.Polygon(on.corners, paint)
	d.At(on.at.X, on.at.Y)
	d.Text(0, -26, headFont.Sized(board.Smallest).Middle(), z.String())
	s.drawMarkers(d, z, owner)
	s.drawPieces(d, z)
	d.End()
}

// drawMarkers draws the control marker with its level, leaders, and what happened this turn.
func (s *State) drawMarkers(d *drawing, z Zone, owner env.Player) {
	leaders := 0
	for q := range env.Player(s.game.players) {
		if s.seats[q].leader == z {
			leaders++
		}
	}
	x := 0.0
	if owner >= 0 {
		x = -13 * float64(min(leaders, 1))
		d.marker(x, -11, owner, int(s.sl[z]))
		x += 35
	}
	for q := range env.Player(s.game.players) {
		if s.seats[q].leader == z {
			d.leader(x, -12, q)
			x += 24
		}
	}
	if s.affected.Has(z) {
		d.struck(-28, -32)
	}
	right := 26.0
	if s.elected.Has(z) {
		d.ballot(right, -31)
		right += 20
	}
	if s.raised.Has(z) {
		d.raised(right, -31)
	}
}

// marker draws a control marker: whose, and the Society Level.
func (d *drawing) marker(x, y float64, q env.Player, level int) {
	d.Piece(seatLetters[q])
	d.Block(x-20, y-10, 40, 20, 10, looks[q].Fill)
	d.Circle(x-10, y, 9.5, board.Paint{Fill: board.White, Stroke: looks[q].Fill, Width: 1.5})
	d.Text(x-10, y+5.4, board.Font{Size: board.Smallest, Fill: board.Black, Bold: true}.Middle(), seatLetters[q])
	d.Text(x+9, y+5.8, board.Font{Size: 16, Fill: looks[q].Ink, Bold: true}.Middle(), strconv.Itoa(level))
	d.End()
}

// leader draws a leader with the letter of its seat.
func (d *drawing) leader(x, y float64, q env.Player) {
	d.Piece(seatLetters[q])
	d.Raised(x, y, "M-11 12v-7q0-8 6-9a5.5 5.5 0 1 1 10 0q6 1 6 9v7Z",
		board.Paint{Fill: looks[q].Fill, Stroke: board.White, Width: 1.3})
	d.Text(x, y+11, board.Font{Size: board.Smallest, Fill: looks[q].Ink, Bold: true}.Middle(), seatLetters[q])
	d.End()
}

// struck, ballot and raised mark zones that a catastrophe has struck, that had their election, and whose level
// was raised this turn.
func (d *drawing) struck(x, y float64) {
	d.Path(x, y, "M0 -9l10 18h-20Z", board.Paint{Fill: purple, Stroke: board.White, Width: 1})
	d.Path(x, y, "M-1.5 -3h3l-0.6 7h-1.8ZM-1.2 5.2h2.4v2.2h-2.4Z", board.Paint{Fill: board.White})
}

func (d *drawing) ballot(x, y float64) {
	d.Rect(x-8, y-8, 16, 16, 2, board.Paint{Fill: board.Card, Stroke: board.Ink, Width: 1.2})
	d.Path(x, y, "M-5 0l3.5 4l6 -8", board.Paint{Stroke: board.Ink, Width: 2.2})
}

func (d *drawing) raised(x, y float64) {
	d.Path(x, y, "M0 -9l8 9h-4.5v8h-7v-8h-4.5Z", board.Paint{Fill: board.Ink})
}

const cubeStep = 13.5

// drawPieces draws workers against the limit, and below them the plant, machines against theirs, and the city.
func (s *State) drawPieces(d *drawing, z Zone) {
	worker := "mining"
	if s.energy.Has(z) {
		worker = "energy"
	}
	limit := int(s.game.people[z])
	left := -cubeStep * float64(limit-1) / 2
	for i := range limit {
		sign := "bare"
		switch {
		case i < int(s.raw[z]):
			sign = worker
		case i < int(s.raw[z]+s.makers[z]):
			sign = "making"
		}
		d.Use(sign, left+cubeStep*float64(i), 8)
	}
	switch {
	case s.mining.Has(z):
		d.Use("mine", left-16, 8)
	case s.energy.Has(z):
		d.Use("flash", left-15, 8)
	}
	limit = int(s.game.machines[z])
	for i := range limit {
		sign := "slot"
		if i < int(s.machines[z]) {
			sign = "machine"
		}
		d.Use(sign, cubeStep*(float64(i)-float64(limit-1)/2), 23)
	}
	side := max(cubeStep*float64(limit)/2+11, 13)
	if s.plants.Has(z) {
		d.Use("plant", -side, 23)
	}
	if s.cities.Has(z) {
		d.city(side, 22, s.forts.Has(z))
	}
}

// city draws a city, in a wall if it is Storm-fortified.
func (d *drawing) city(x, y float64, fortified bool) {
	if fortified {
		d.Rect(x-12, y-11, 24, 22, 5, board.Paint{Fill: board.Card, Stroke: "#1f5c91", Width: 2.5})
	}
	d.Use("city", x, y)
}
