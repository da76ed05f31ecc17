package newearth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// The table as a picture: turn track and hexagon of six tiles on the left; on the right the mats of the seats,
// what is being resolved, what the viewer holds, and what it may do.

const (
	pictureWidth  = 1700
	pictureHeight = 1034
	boardX        = 524.0 // middle of the hexagon
	boardY        = 566.0
	boardRadius   = 506.0
	panelX        = 1064.0
	panelWidth    = 620.0
)

// cut is where a corner zone ends on the tile's sides: at this share the six zones have equal areas.
var cut = 1 / math.Sqrt(6)

// looks are how the pieces of BLUE, RED, GREEN and YELLOW look, seatLetters what is written on them.
var (
	looks       = [maxPlayers]board.Seat{board.Seats[1], board.Seats[0], board.Seats[4], board.Seats[2]}
	grounds     = [maxPlayers]string{"#d3dcf6", "#f4d3cd", "#cfeade", "#fbe9bb"} // of their zones
	seatLetters = [maxPlayers]string{"B", "R", "G", "Y"}
)

// Colours of the board.
const (
	cloth   = "#f3efe4"
	neutral = "#e6e0d0"
	black   = "#2b2b2b" // mining
	red     = "#d1352b" // energy
	purple  = "#6b2fa0" // catastrophes
	gold    = "#8c6d3f" // machines
	pick    = "#111111" // outlines of zones in question
)

var (
	bodyFont = board.Font{Size: 14, Fill: board.Ink}
	paleFont = board.Font{Size: 13, Fill: board.Pale}
	headFont = board.Font{Size: 16, Fill: board.Ink, Bold: true}
)

// drawing is a picture of the table.
type drawing struct{ *board.Drawing }

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := &drawing{board.NewDrawing(dst, title, pictureWidth, pictureHeight, cloth)}
	d.Pane("board", 0, 0, panelX-12, pictureHeight)
	d.Pane("seats", panelX-12, 0, pictureWidth-panelX+12, pictureHeight)
	s.drawHead(d)
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
	if env.Player(s.seat) == p && s.decision != Over {
		y = s.drawChoice(d, p, y)
	}
	if p >= 0 && s.turn > 0 {
		s.drawPiles(d, p, y)
	}
	return d.Bytes()
}

// drawHead draws title, turn track and phases.
func (s *State) drawHead(d *drawing) {
	d.Text(22, 42, headFont.Sized(30), title)
	if s.phase == phaseSetUp {
		d.Text(22, 70, bodyFont, strings.ToUpper(s.headline()[:1])+s.headline()[1:])
		return
	}
	const left, right = 236.0, 1034.0
	turns := s.game.turns
	step := min((right-left)/float64(turns), 60)
	for turn := 1; turn <= turns; turn++ {
		x := left + float64(turn-1)*step
		paint, f := board.Paint{Fill: board.White, Stroke: board.Edge, Width: 1.2}, paleFont.Middle()
		switch {
		case turn == int(s.turn):
			paint, f = board.Paint{Fill: board.Ink}, headFont.In(board.White).Middle()
		case turn < int(s.turn):
			paint.Fill = "#e2dccb"
		}
		d.Rect(x+1, 16, step-3, 30, 5, paint)
		d.Fit(x+step/2, 37, step, f, strconv.Itoa(turn))
	}
	if s.phase == phaseOver {
		d.Text(22, 74, headFont, fmt.Sprintf("The game is over after %d turns", s.turn))
		return
	}
	d.Text(22, 74, headFont, fmt.Sprintf("Turn %d of %d", s.turn, turns))
	x := left
	for phase := phaseCatastrophes; phase <= phaseLeader; phase++ {
		f := paleFont
		if phase == int(s.phase) {
			f = headFont.Sized(13)
			d.Line(x, 78, x+f.Width(phaseWords[phase]), 78, board.Paint{Stroke: board.Ink, Width: 2.5})
		}
		d.Text(x, 70, f, phaseWords[phase])
		x += f.Width(phaseWords[phase]) + 18
	}
}

// phaseWords are the phases on the track.
var phaseWords = [...]string{"", "1 Catastrophes", "2 Production", "3 Income", "4 Consumption, cities", "5 Elections",
	"6 Leaders, reallocation"}

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
				at.Y = top + 54
			default:
				at.Y = bottom - 50
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
		d.Polygon([]board.Point{{X: boardX, Y: boardY}, corner(k), corner(k + 1)}, board.Paint{Stroke: "#4a5560", Width: 4})
	}
	for k, place := range s.sectors {
		for slot := range numSlots {
			corners := s.game.shapes[k][slot].corners
			switch z := place.at(slot); {
			case legal.Has(z):
				d.Polygon(corners, board.Paint{Stroke: pick, Width: 3, Dash: "2 5"})
			case s.target == z || s.hit.Has(z) || s.chosenZone == z || s.pickedZones.Has(z):
				d.Polygon(corners, board.Paint{Stroke: pick, Width: 5, Dash: "10 6"})
			}
		}
	}
}

// drawZone draws a zone: its id, what happened to it this turn, its owner's marker and the leader, workers
// and machines against the limits, plant and city.
func (s *State) drawZone(d *drawing, z Zone, on *shape) {
	owner := s.owner(z)
	ground, edge := neutral, "#b9b19b"
	if owner >= 0 {
		ground, edge = grounds[owner], "#8d99a3"
	}
	if !s.inPlay.Has(z) {
		d.Polygon(on.corners, board.Paint{Fill: "#5f666d", Stroke: "#4a5560", Width: 1})
		d.Text(on.at.X, on.at.Y+4, paleFont.In(board.White).Middle(), "not in play")
		return
	}
	d.Polygon(on.corners, board.Paint{Fill: ground, Stroke: edge, Width: 1.6})
	d.At(on.at.X, on.at.Y)
	d.Text(0, -38, headFont.Sized(15).Middle(), z.String())
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
		x = -14 * float64(min(leaders, 1))
		d.marker(x, -19, owner, int(s.sl[z]))
		x += 38
	}
	for q := range env.Player(s.game.players) {
		if s.seats[q].leader == z {
			d.leader(x, -19, q)
			x += 24
		}
	}
	if s.affected.Has(z) {
		d.struck(-30, -41)
	}
	right := 27.0
	if s.elected.Has(z) {
		d.ballot(right, -41)
		right += 20
	}
	if s.raised.Has(z) {
		d.raised(right, -41)
	}
}

// marker draws a control marker: whose, and the Society Level.
func (d *drawing) marker(x, y float64, q env.Player, level int) {
	look := looks[q]
	d.Piece(seatLetters[q])
	d.Rect(x-20, y-12, 42, 24, 12, board.Paint{Fill: look.Fill, Stroke: board.White, Width: 1.5})
	d.Circle(x-10, y, 11, board.Paint{Fill: board.White, Stroke: look.Fill, Width: 2})
	d.Text(x-10, y+5, board.Font{Size: 14, Fill: board.Ink, Bold: true}.Middle(), seatLetters[q])
	d.Text(x+10, y+6, board.Font{Size: 17, Fill: look.Ink, Bold: true}.Middle(), strconv.Itoa(level))
	d.End()
}

// leader draws a leader with the letter of its seat.
func (d *drawing) leader(x, y float64, q env.Player) {
	d.Piece(seatLetters[q])
	d.Path(x, y, "M-10 12v-6q0-9 6-10a5.5 5.5 0 1 1 8 0q6 1 6 10v6Z", board.Paint{Fill: looks[q].Fill, Stroke: board.White,
		Width: 1.3})
	d.Text(x, y+10, board.Font{Size: 12, Fill: looks[q].Ink, Bold: true}.Middle(), seatLetters[q])
	d.End()
}

// struck, ballot and raised mark zones that a catastrophe has struck, that had their election, and whose level
// was raised this turn.
func (d *drawing) struck(x, y float64) {
	d.Path(x, y, "M0 -9l10 18h-20Z", board.Paint{Fill: purple, Stroke: board.White, Width: 1})
	d.Path(x, y, "M-1.5 -3h3l-0.6 7h-1.8ZM-1.2 5.2h2.4v2.2h-2.4Z", board.Paint{Fill: board.White})
}

func (d *drawing) ballot(x, y float64) {
	d.Rect(x-8, y-8, 16, 16, 2, board.Paint{Fill: board.White, Stroke: board.Ink, Width: 1.2})
	d.Path(x, y, "M-5 0l3.5 4l6 -8", board.Paint{Stroke: board.Ink, Width: 2.2})
}

func (d *drawing) raised(x, y float64) {
	d.Path(x, y, "M0 -9l8 9h-4.5v8h-7v-8h-4.5Z", board.Paint{Fill: board.Ink})
}

const cubeStep = 16.0

// drawPieces draws workers against the limit, and below them the plant, machines against theirs, and the city.
func (s *State) drawPieces(d *drawing, z Zone) {
	cube := black
	if s.energy.Has(z) {
		cube = red
	}
	limit := int(s.game.people[z])
	left := -cubeStep*float64(limit)/2 + 1
	for i := range limit {
		paint := board.Paint{Stroke: "#59626b", Width: 1}
		switch {
		case i < int(s.raw[z]):
			paint.Fill = cube
		case i < int(s.raw[z]+s.makers[z]):
			paint.Fill = board.White
		}
		d.Rect(left+cubeStep*float64(i), -3, 14, 14, 2, paint)
	}
	switch {
	case s.mining.Has(z):
		d.mine(left-12, 4)
	case s.energy.Has(z):
		d.flash(left-12, 4)
	}
	limit = int(s.game.machines[z])
	for i := range limit {
		paint := board.Paint{Stroke: "#6d5a3a", Width: 1.2}
		if i < int(s.machines[z]) {
			paint.Fill = gold
		}
		d.Circle(cubeStep*(float64(i)-float64(limit-1)/2), 24, 6.5, paint)
	}
	side := cubeStep*float64(limit)/2 + 14
	if limit == 0 {
		side = 14
	}
	if s.plants.Has(z) {
		d.plant(-side, 24)
	}
	if s.cities.Has(z) {
		d.city(side, 24, s.forts.Has(z))
	}
}

func (d *drawing) mine(x, y float64) {
	d.Path(x, y, "M-7 -3q7 -6 14 0", board.Paint{Stroke: black, Width: 2.5})
	d.Path(x, y, "M0 -5v12", board.Paint{Stroke: black, Width: 2.5})
}

func (d *drawing) flash(x, y float64) {
	d.Path(x, y, "M2 -9l-8 10h5l-2 8l8 -10h-5Z", board.Paint{Fill: red})
}

func (d *drawing) plant(x, y float64) {
	d.Path(x, y, "M-10 8v-9l6 -5v5l6 -5v5l6 -5v14Z", board.Paint{Fill: "#3d444b"})
}

// city draws a city, in a wall if it is Storm-fortified.
func (d *drawing) city(x, y float64, fortified bool) {
	if fortified {
		d.Rect(x-13, y-11, 26, 22, 5, board.Paint{Fill: board.White, Stroke: "#1f4e79", Width: 2.5})
	}
	d.Path(x, y, "M-8 8v-10h5v-6h6v8h5v8Z", board.Paint{Fill: "#1f4e79"})
}
