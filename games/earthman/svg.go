package earthman

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// The table as one SVG document (RULES.md 14). On the left lies the main board, a disc of rings: the Solar
// System, the Interplanetary trajectories, the Approaches, the orbits, and on the rim each world with its
// regions below its own orbit. On the right lie the victory board, the player boards, the technology board
// and what is to be decided.

const (
	centreX = 436.0
	centreY = 446.0

	// Radii, outwards. An edge between two places is a link.
	solarR    = 62.0
	innerR    = 146.0
	approachR = 216.0
	orbitR    = 296.0
	surfaceR  = 305.0 // of the worlds
	landR     = 388.0
	nameR     = 403.0

	panelX     = 866.0
	panelWidth = board.Wide - 14 - panelX
)

// Colours of the main board, which is dark on any cloth. Seats have those of env/board.
const (
	space    = "#0b1222"
	soil     = "#1b2744"
	line     = "#41547f"
	bright   = "#ffffff"
	soft     = "#c3cfe8" // of texts that matter less
	glow     = "#e4ff5c" // of what a legal action names
	rubble   = "#aab1bd"
	rubbleBy = "#22303a"
	unColour = "#e9edf2"
	dark     = "#16202c" // texts on light pieces
	warn     = "#8f1010" // numbers of what is At Risk
	risk     = "url(#stripes)"
)

var (
	ringColours  = [...]string{"#f3c64b", "#2c4170", "#233761", "#1b2c52"}
	worldColours = [NumWorlds]string{"#9c8f80", "#d9b36a", "#4f9bd9", "#c9c9c4", "#c8603a", "#8d8478", "#e0cf5a",
		"#c9d6dc", "#a08a6e", "#7d7468", "#dba24a", "#a9bcc9"}
)

var (
	bodyFont  = board.Font{Size: board.Smallest, Fill: board.Ink}
	softFont  = board.Font{Size: board.Smallest, Fill: board.Pale}
	headFont  = board.Font{Size: 16, Fill: board.Ink, Bold: true}
	countFont = board.Font{Size: board.Smallest, Fill: dark, Bold: true}
)

// signs are what the board shows again and again: stars, the arrows of a link, developments and Devastation.
const signs = `<defs><path id="stars" d="` +
	`M86 -204h1.5v1.5h-1.5ZM87 244h2v2h-2ZM-224 -119h2v2h-2ZM241 -63h1.5v1.5h-1.5ZM-133 205h2v2h-2ZM-40 -236h2` +
	`v2h-2ZM184 144h1.5v1.5h-1.5ZM-228 18h2v2h-2ZM153 -164h2v2h-2ZM-2 261h1.5v1.5h-1.5ZM-171 -190h2v2h-2ZM250 ` +
	`24h2v2h-2ZM-196 148h1.5v1.5h-1.5ZM44 -237h2v2h-2ZM125 200h2v2h-2ZM-223 -62h1.5v1.5h-1.5ZM201 -102h2v2h-2Z` +
	`M16 -80h1.5v1.5h-1.5ZM92 -25h1.5v1.5h-1.5ZM73 80h1.5v1.5h-1.5ZM-33 87h1.5v1.5h-1.5ZM-105 12h1.5v1.5h-1.5Z` +
	`M-50 -76h1.5v1.5h-1.5Z` +
	`" fill="#fff" fill-opacity=".7"/><path id="link" d="M0 -9l5.5 7h-11ZM0 9l5.5 -7h-11Z" fill="#93a7d8" stroke="` + space +
	`"/><path id="heap" d="M-20 11l7 -15l6 3l7 -10l8 9l5 -3l7 16Z" fill="` + rubble + `" stroke="` + rubbleBy + `"/></defs>`

// AppendSVG draws the table for p. A spectator sees the empty sockets of seat 0.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := &picture{board.NewDrawing(dst, title, board.Wide, board.High), s.game.spans()}
	d.Add(signs)
	d.Pane("board", 0, 0, panelX-6, board.High)
	d.Pane("seats", panelX-6, 0, board.Wide-panelX+6, board.High)
	s.drawTitle(d)
	s.drawRings(d)
	for w := range s.game.Worlds().Each {
		s.drawWorld(d, w, max(p, 0))
	}
	for at := range s.game.places.Each {
		s.drawFleets(d, at)
	}
	s.drawLegend(d)
	y := s.drawTracks(d, 12)
	y = s.drawTable(d, y)
	s.drawDecision(d, y)
	return d.Bytes()
}

// picture is a drawing of the board, and where on its ring each place lies.
type picture struct {
	*board.Drawing
	spans [NumPlaces]span
}

// span is the part of its ring that a place takes, in turns.
type span struct{ from, to float64 }

func (s span) mid() float64 { return (s.from + s.to) / 2 }

// inside is the span without a margin on both sides, in units of the picture at a radius.
func (s span) inside(margin, radius float64) span {
	turn := margin / (2 * math.Pi * radius)
	return span{s.from + turn, s.to - turn}
}

// spans lays the places out so that the edges that they share are the links: worlds by their Approach,
// and of each Approach one part below each Interplanetary place that it leads to.
func (g *Game) spans() (spans [NumPlaces]span) {
	const apart = 3 // that many regions' width goes to each world besides its regions
	total := 0.0
	for w := range g.Worlds().Each {
		total += float64(g.regions[w].Count() + apart)
	}
	from := 0.0
	for at := range (g.places & approaches).Each {
		spans[at].from = from / total
		for w := range g.down[at].Each {
			spans[w].from = from / total
			from += float64(g.regions[w].Count() + apart)
			spans[w].to = from / total
		}
		spans[at].to = from / total
	}
	for at := range (g.places & approaches).Each {
		part := (spans[at].to - spans[at].from) / float64(g.up[at].Count())
		from := spans[at].from
		for up := range g.up[at].Each {
			if u := &spans[up]; u.to == 0 {
				*u = span{from, from + part}
			} else {
				u.from, u.to = min(u.from, from), max(u.to, from+part)
			}
			from += part
		}
	}
	spans[Solar] = span{0, 1}
	return spans
}

// ring is the radii of a place's ring.
func ring(at Place) (r0, r1 float64, colour string) {
	switch {
	case at == Solar:
		return 0, solarR, ringColours[0]
	case interplanetary.Has(at):
		return solarR, innerR, ringColours[1]
	case approaches.Has(at):
		return innerR, approachR, ringColours[2]
	}
	return approachR, orbitR, ringColours[3]
}

// polar is a point of the disc; turn is from 0 at the top, clockwise to 1.
func polar(r, turn float64) (x, y float64) {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	return centreX + r*sin, centreY - r*cos
}

// sector draws a part of a ring; a whole ring takes two arcs a side.
func (d *picture) sector(r0, r1 float64, on span, p board.Paint) {
	var path []byte
	numbers := func(command string, ns ...float64) {
		path = append(path, command...)
		for i, n := range ns {
			if i > 0 {
				path = append(path, ' ')
			}
			path = strconv.AppendFloat(path, n, 'f', 1, 64)
		}
	}
	arc := func(r float64, sweep string, turn float64) {
		x, y := polar(r, turn)
		numbers("A", r, r)
		numbers(sweep, x, y)
	}
	x, y := polar(r1, on.from)
	numbers("M", x, y)
	arc(r1, " 0 0 1 ", on.mid())
	arc(r1, " 0 0 1 ", on.to)
	x, y = polar(r0, on.to)
	numbers("L", x, y)
	arc(r0, " 0 0 0 ", on.mid())
	arc(r0, " 0 0 0 ", on.from)
	d.Path(0, 0, string(append(path, 'Z')), p)
}

// outline is sector for a place, a margin within its edges.
func (d *picture) outline(at Place, margin float64, p board.Paint) {
	r0, r1, _ := ring(at)
	if at == Solar {
		d.Circle(centreX, centreY, r1-margin, p)
		return
	}
	d.sector(r0+margin, r1-margin, d.spans[at].inside(margin, (r0+r1)/2), p)
}

// along writes a name along its ring, upright in the lower half as well.
func (d *picture) along(r, turn float64, f board.Font, name string) {
	x, y := polar(r, turn)
	angle := 360 * turn
	half := 0.36 * float64(f.Size)
	if turn > 0.25 && turn < 0.75 {
		angle -= 180
	}
	sin, cos := math.Sincos(angle * math.Pi / 180)
	d.Turned(x-half*sin, y+half*cos, angle, f.Middle(), name)
}

// phaseTitles are the steps of a turn as the rulebook calls them.
var phaseTitles = [numPhases]string{
	"Prelude", "Score", "Claims and Peace", "Risk", "Movement", "Fleet Actions", "Development Actions", "UN Assistance",
	"Espionage", "Research Collaborations", "Territorial Agreements", "the game is over",
}

func (s *State) drawTitle(d *picture) {
	const x = 16.0
	d.Text(x, 36, headFont.Sized(23), title)
	d.Text(x, 62, headFont, fmt.Sprintf("Round %d of %d", s.round, s.game.rounds))
	if s.phase == IsOver {
		d.Text(x, 88, headFont, "The game is over")
	} else {
		d.Disc(x+11, 83, 11, int(s.actor), digits[s.actor])
		d.Fit(x+30, 88, 140, headFont, fmt.Sprintf("Seat %d", s.actor))
		d.Text(x, 112, bodyFont, phaseTitles[s.phase])
	}
	d.Fit(x, 134, 140, softFont, fmt.Sprintf("First: seat %d", s.first))
	if s.trigger && s.phase != IsOver {
		d.Block(panelX-182, 14, 170, 48, 6, "#a3160f")
		d.Text(panelX-173, 34, bodyFont.Strong().In(bright), "The end is triggered:")
		d.Fit(panelX-173, 54, 152, bodyFont.In(bright), fmt.Sprintf("seat %d plays last", s.before(env.Player(s.first))))
	}
}

// targets are the places that a legal action names.
func (s *State) targets() Places {
	var set Places
	for at := range Place(NumPlaces) {
		m := s.legal()
		if m.Has(At(at)) || m.Has(Part(at)) || m.Has(RiskAt(at)) {
			set |= only(at)
		}
	}
	return set
}

// drawRings draws the trajectories and orbits with their links; places that a legal action names shine.
func (s *State) drawRings(d *picture) {
	g := s.game
	d.Circle(centreX+1, centreY+2, landR+5, board.Paint{Fill: "#000", Opacity: 0.35})
	d.Circle(centreX, centreY, landR+5, board.Paint{Fill: space, Stroke: "#55627d", Width: 2})
	for at := range g.places.Each {
		_, _, colour := ring(at)
		if at == Solar {
			d.Circle(centreX, centreY, solarR+14, board.Paint{Fill: colour, Opacity: 0.18})
			d.Ball(centreX, centreY, solarR, board.Paint{Fill: colour})
			continue
		}
		d.outline(at, 0, board.Paint{Fill: colour, Stroke: space, Width: 3})
	}
	d.Use("stars", centreX, centreY)
	if at := s.pending.at; at >= 0 && s.phase != IsOver {
		d.outline(at, 4, board.Paint{Stroke: bright, Width: 3, Dash: "7 5"})
	}
	for at := range s.targets().Each {
		d.outline(at, 4, board.Paint{Stroke: glow, Width: 4})
	}
	for at := range g.places.Each {
		d.Touch(g.info, At(at), Part(at), RiskAt(at))
		d.outline(at, 4, board.Paint{})
		d.End()
	}
	for at := range g.places.Each {
		r0, r1, _ := ring(at)
		for up := range g.up[at].Each {
			from, to := max(d.spans[at].from, d.spans[up].from), min(d.spans[at].to, d.spans[up].to)
			d.link(r0, span{from, to}.mid())
		}
		name := strings.TrimSuffix(strings.TrimSuffix(g.names[at], " Approach"), " System")
		switch {
		case at == Solar:
			d.Text(centreX, centreY-solarR+26, countFont.Middle(), board.Shorten(name, solarR, countFont.Size, true))
		case !worlds.Has(at):
			f := softFont.In(soft)
			room := 2*math.Pi*(r1-18)*(d.spans[at].to-d.spans[at].from) - 16
			room = min(room, 2*math.Sqrt((r1-3)*(r1-3)-(r1-9)*(r1-9))) // the ends of a straight line come near the edge
			d.along(r1-18, d.spans[at].mid(), f, board.Shorten(name, room, f.Size, f.Bold))
		}
	}
}

// link draws the arrows of a link across the edge of two rings.
func (d *picture) link(r, turn float64) {
	x, y := polar(r, turn)
	d.Add(`<use href="#link" transform="translate(%.0f %.0f) rotate(%.0f)"/>`, x, y, 360*turn)
}

// drawFleets draws the fleets at a place: a chip for each seat, packed around the middle of the place.
func (s *State) drawFleets(d *picture, at Place) {
	var chips []env.Player
	var widths []float64
	for q := range env.Player(s.game.players) {
		if f := s.seats[q].fleet[at]; f != (Fleets{}) {
			chips = append(chips, q)
			widths = append(widths, chipWidth(f)+4)
		}
	}
	if chips == nil {
		return
	}
	spots, scale := d.spots(at, widths, chipHeight+4)
	for i, q := range chips {
		f := s.seats[q].fleet[at]
		arrived := worlds.Has(at) && int8(q) == s.actor && s.arrived[at] != (Fleets{})
		d.chip(spots[i].X, spots[i].Y, scale, q, f, arrived)
	}
}

const chipHeight = 20.0

// chipWidth is that of the chip for some fleets.
func chipWidth(f Fleets) float64 { return chipHeight + 1 + partWidth(f.Steady) + partWidth(f.Risk) }

// partWidth is that of a number on a chip.
func partWidth(n uint8) float64 {
	switch {
	case n == 0:
		return 0
	case n < 10:
		return 16
	}
	return 25
}

// leastScale is that of the smallest chips, which a number just fits.
const leastScale = 0.79

// spots finds room for things in rows of a height inside a place, as near to its middle as they go, and by how much
// they must be scaled down to have it. What is still too much then reaches over the place's sides.
func (d *picture) spots(at Place, widths []float64, height float64) (spots []board.Point, scale float64) {
	for scale = 1; scale > leastScale; scale -= 0.07 {
		if spots = d.within(at, 0, widths, height, scale); spots != nil {
			return spots, scale
		}
	}
	for over := 4.0; over < 200 && spots == nil; over += 4 {
		spots = d.within(at, over, widths, height, leastScale)
	}
	return spots, leastScale
}

// within is spots for one scale; nil, if the place has not so much room. Its sides may be passed by so much.
func (d *picture) within(at Place, over float64, widths []float64, height, scale float64) (spots []board.Point) {
	inside, middle := d.room(at, over)
	height *= scale
	best := math.Inf(1)
	for rows := 1; rows <= len(widths); rows++ {
		for shift := -3; shift <= 3; shift++ {
			top := middle.Y + (float64(shift)*0.5-float64(rows)/2)*height
			if found, away := inRows(inside, middle, top, height, scale, rows, widths); away < best {
				spots, best = found, away
			}
		}
	}
	return spots
}

// inRows puts things into rows from the top down, each row in the middle of the room that it has there. How
// far away they are from the middle of all is the sum of the squares; infinite, if they don't go in.
func inRows(inside func(x, y float64) bool, middle board.Point, top, height, scale float64, rows int,
	widths []float64) (spots []board.Point, away float64) {
	const step = 5
	for row := range rows {
		line := widths[row*len(widths)/rows : (row+1)*len(widths)/rows]
		width := 0.0
		for _, w := range line {
			width += w * scale
		}
		upper, lower := top+float64(row)*height, top+float64(row+1)*height
		left, ok := middle.X-width/2, false
		for i := 0; i < 60 && !ok; i++ { // to the right and to the left, further and further
			left += float64(i*(i%2*2-1)) * step
			right := left + width
			ok = inside(left, upper) && inside(right, upper) && inside(left, lower) && inside(right, lower)
		}
		if !ok {
			return nil, math.Inf(1)
		}
		for _, w := range line {
			p := board.Point{X: left + w*scale/2, Y: (upper + lower) / 2}
			spots = append(spots, p)
			away += (p.X-middle.X)*(p.X-middle.X) + (p.Y-middle.Y)*(p.Y-middle.Y)
			left += w * scale
		}
	}
	return spots, away
}

// room says which points of a place pieces may cover, and so much beyond its edges, and where its middle is.
func (d *picture) room(at Place, over float64) (inside func(x, y float64) bool, middle board.Point) {
	if at == Solar {
		middle = board.Point{X: centreX, Y: centreY + 8}
		return func(x, y float64) bool {
			return math.Hypot(x-centreX, y-centreY) < solarR-5+over && y > centreY-solarR+30
		}, middle
	}
	r0, r1, _ := ring(at)
	r0, r1 = r0+5-over/4, r1-3
	if !worlds.Has(at) {
		r1 -= 21 // the name's
	}
	on := d.spans[at].inside(6-over, (r0+r1)/2)
	middle.X, middle.Y = polar((r0+r1)/2, on.mid())
	return func(x, y float64) bool {
		r := math.Hypot(x-centreX, y-centreY)
		turn := math.Mod(math.Atan2(x-centreX, centreY-y)/(2*math.Pi)+1, 1)
		return r >= r0 && r <= r1 && turn >= on.from && turn <= on.to
	}, middle
}

// chip draws the fleets of a seat at a place: whose, how many are steady, how many At Risk.
func (d *picture) chip(x, y, scale float64, q env.Player, f Fleets, arrived bool) {
	half, width := scale*chipHeight/2, scale*chipWidth(f)
	steady, part := scale*partWidth(f.Steady), scale*partWidth(f.Risk)
	seat := board.Seats[q]
	font := countFont.Middle()
	x -= width / 2
	baseline := y + 5.4
	d.Piece(digits[q])
	d.Block(x+half, y-half, width-half, 2*half, 5, seat.Fill)
	at := x + 2*half
	if f.Steady > 0 {
		d.Text(at+steady/2, baseline, font.In(seat.Ink), strconv.Itoa(int(f.Steady)))
		at += steady
	}
	if f.Risk > 0 {
		d.Rect(at, y-half+1, part-1, 2*half-2, 4, board.Paint{Fill: risk})
		d.Rect(at+0.5, y-6.5, part-2, 13, 2, board.Paint{Fill: bright})
		d.Text(at+part/2-0.5, baseline, font.In(warn), strconv.Itoa(int(f.Risk)))
	}
	d.Circle(x+half, y, half, board.Paint{Fill: bright, Stroke: seat.Fill, Width: 2})
	d.Text(x+half, baseline, font, digits[q])
	if arrived {
		d.Path(x+half-6, y-half-7, "M0 0h12l-6 7Z", board.Paint{Fill: glow, Stroke: space, Width: 1})
	}
	d.End()
}

// drawWorld draws a world below its orbit: its surface, regions, name, and Political Influence counters.
func (s *State) drawWorld(d *picture, w Place, viewer env.Player) {
	g := s.game
	on := d.spans[w]
	d.sector(orbitR+1, surfaceR, on.inside(2, surfaceR), board.Paint{Fill: worldColours[w]})
	n := g.regions[w].Count()
	part := (on.to - on.from) / float64(n)
	for r := range n {
		from := on.from + float64(r)*part
		s.drawRegion(d, w, r, span{from, from + part}.inside(1.5, landR), viewer)
	}
	// Outside the rim: the world as a ball, its name, and the counters.
	turn := func(length float64) float64 { return length / (2 * math.Pi * nameR) }
	flags := 0
	for q := range env.Player(g.players) {
		if s.seats[q].counters.Has(w) {
			flags++
		}
	}
	const apart, ball = 20.0, 20.0
	f := headFont.Sized(board.Smallest)
	room := min((on.to-on.from)/turn(1)-apart*float64(flags)-ball-6, 150) // as a straight line comes near the rim
	name := board.Shorten(g.names[w], room, f.Size, f.Bold)
	width := f.Width(name)
	at := on.mid() - turn(ball+width+apart*float64(flags))/2
	sign := 1.0 // The lower half reads the other way round.
	if on.mid() > 0.25 && on.mid() < 0.75 {
		at, sign = on.mid()+turn(ball+width+apart*float64(flags))/2, -1
	}
	next := func(length float64) (x, y float64) {
		x, y = polar(nameR, at+sign*turn(length/2))
		at += sign * turn(length)
		return x, y
	}
	x, y := next(ball)
	d.Ball(x, y, 7.5, board.Paint{Fill: worldColours[w]})
	at += sign * turn(width/2)
	d.along(nameR, at, f, name)
	at += sign * turn(width/2+3)
	for q := range env.Player(g.players) {
		if s.seats[q].counters.Has(w) {
			x, y := next(apart)
			d.Disc(x, y, 9, int(q), digits[q])
		}
	}
}

// drawRegion draws a region: its number on the rim, its owner, and above the surface its developments, with
// hollow ones for what the viewer may still settle there, or its Devastation.
func (s *State) drawRegion(d *picture, w Place, r int, on span, viewer env.Player) {
	owner := s.Owner(w, r)
	fill, ink := soil, bright
	switch {
	case owner == UN:
		fill, ink = unColour, dark
	case owner != None:
		fill, ink = board.Seats[owner].Fill, board.Seats[owner].Ink
	}
	edge := board.Paint{Fill: fill, Stroke: line, Width: 1.5}
	if owner != None {
		d.Piece(ownerMark(owner))
		edge.Stroke = bright
	}
	if m := s.legal(); s.pending.at == w && m.Has(Region(r)) {
		edge.Stroke, edge.Width = glow, 4
	}
	d.sector(surfaceR+3, landR, on, edge)
	if s.pending.at == w {
		d.Touch(s.game.info, Region(r))
		d.sector(surfaceR+3, landR, on, board.Paint{})
		d.End()
	}
	if s.shaken[w]>>r&1 != 0 {
		d.sector(landR-19, landR-1, on.inside(2, landR), board.Paint{Fill: risk})
	}
	x, y := polar(landR-11, on.mid())
	d.Rect(x-8, y-8, 16, 16, 4, board.Paint{Fill: space})
	d.Text(x, y+5.4, bodyFont.In(soft).Middle(), strconv.Itoa(r+1))
	if owner != None {
		x, y := polar(landR-35, on.mid())
		f := board.Font{Size: 20, Fill: ink, Bold: true}.Middle()
		if owner == UN {
			f.Size = board.Smallest
		}
		d.Text(x, y+0.36*float64(f.Size), f, ownerMark(owner))
	}
	x, y = polar(surfaceR+18, on.mid())
	if n := s.Devastation(w, r); n > 0 {
		d.heap(x, y, n)
		return
	}
	built, room := int(s.devs[w][r]), 0
	if owner == None || owner == viewer {
		room = max(0, s.Capacity(viewer, w)-built)
	}
	for i := range built + room {
		paint := board.Paint{Fill: ink, Stroke: fill, Width: 1}
		if i >= built {
			paint = board.Paint{Stroke: ink, Width: 1.2}
		}
		d.dome(x+domeAt(i, built+room), y+float64(i/2)*16-float64((built+room-1)/2)*8, paint)
	}
	if owner != None {
		d.End()
	}
}

// ownerMark is written on what belongs to a seat or to the UN.
func ownerMark(owner env.Player) string {
	if owner == UN {
		return "UN"
	}
	return digits[owner]
}

// domeAt is where the dome i of n stands in its row of two.
func domeAt(i, n int) float64 {
	if i == n-1 && i%2 == 0 {
		return 0
	}
	return 18*float64(i%2) - 9
}

// dome draws a development, 16 wide.
func (d *picture) dome(x, y float64, p board.Paint) { d.Path(x-8, y+6, "M0 0v-4a8 8 0 0 1 16 0v4Z", p) }

// heap draws Devastation counters.
func (d *picture) heap(x, y float64, n int) {
	d.Use("heap", x, y)
	d.Text(x, y+9, countFont.Middle(), strconv.Itoa(n))
}
