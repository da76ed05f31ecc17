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
	drawWidth  = 1890
	drawHeight = 1262
	centreX    = 644.0
	centreY    = 644.0

	// Radii, outwards. An edge between two places is a link.
	solarR    = 84.0
	innerR    = 198.0
	approachR = 293.0
	orbitR    = 402.0
	surfaceR  = 412.0 // of the worlds
	landR     = 514.0
	flagR     = 531.0
	nameR     = 549.0

	panelX     = 1274.0
	panelWidth = 600.0
)

// Colours of the board. Seats have those of env/board.
const (
	space    = "#0b1222"
	card     = "#14203a"
	lane     = "#1e2d4d"
	line     = "#3a4d78"
	bright   = "#ffffff"
	soft     = "#b9c6e2" // of texts that matter less
	glow     = "#e4ff5c" // of what a legal action names
	rubble   = "#aab1bd"
	rubbleBy = "#22303a"
	unColour = "#e9edf2"
	dark     = "#16202c" // texts on light pieces
	warn     = "#8f1010" // numbers of what is At Risk
)

var (
	ringColours  = [...]string{"#f7e3a1", "#2c4170", "#233761", "#1b2c52"}
	worldColours = [NumWorlds]string{"#9c8f80", "#d9b36a", "#4f9bd9", "#c9c9c4", "#c8603a", "#8d8478", "#e0cf5a",
		"#c9d6dc", "#a08a6e", "#7d7468", "#dba24a", "#a9bcc9"}
)

var (
	bodyFont  = board.Font{Size: 14, Fill: bright}
	softFont  = board.Font{Size: 13, Fill: soft}
	headFont  = board.Font{Size: 17, Fill: bright, Bold: true}
	countFont = board.Font{Size: 17, Fill: dark, Bold: true}
)

// AppendSVG draws the table for p. A spectator sees the empty sockets of seat 0.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := &picture{board.NewDrawing(dst, title, drawWidth, drawHeight, space), s.game.spans()}
	d.Add(
		`<defs><pattern id="risk" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#ffd54a"/><rect width="4" height="8" fill="#2b2b2b"/></pattern></defs>`)
	d.Pane("board", 0, 0, panelX-6, drawHeight)
	d.Pane("seats", panelX-6, 0, drawWidth-panelX+6, drawHeight)
	s.drawTitle(d)
	s.drawRings(d)
	for w := range s.game.Worlds().Each {
		s.drawWorld(d, w, max(p, 0))
	}
	for at := range s.game.places.Each {
		s.drawFleets(d, at)
	}
	s.drawLegend(d)
	y := s.drawTracks(d, 14)
	y = s.drawSeats(d, y)
	y = s.drawTechnologies(d, y)
	s.drawDecision(d, y, p)
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
	const x = 24.0
	d.Text(x, 46, headFont.Sized(30), title)
	d.Text(x, 76, headFont.Sized(18).In(glow), fmt.Sprintf("Round %d of %d", s.round, s.game.rounds))
	y := 102.0
	if s.phase == IsOver {
		d.Text(x, y, headFont, "The game is over")
	} else {
		d.Disc(x+11, y-6, 11, int(s.actor), digits[s.actor])
		d.Text(x+30, y, headFont.Sized(16), fmt.Sprintf("Seat %d: %s", s.actor, phaseTitles[s.phase]))
	}
	d.Text(x, y+24, bodyFont.In(soft), fmt.Sprintf("First player: seat %d", s.first))
	if s.trigger && s.phase != IsOver {
		d.Rect(x-4, y+36, 176, 46, 6, board.Paint{Fill: "#a3160f", Stroke: bright, Width: 1.5})
		d.Text(x+6, y+55, bodyFont.Strong(), "The end is triggered:")
		d.Text(x+6, y+73, bodyFont.Strong(), fmt.Sprintf("seat %d plays last", s.before(env.Player(s.first))))
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
	for at := range g.places.Each {
		_, _, colour := ring(at)
		d.outline(at, 0, board.Paint{Fill: colour, Stroke: space, Width: 3})
	}
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
			d.Text(centreX, centreY-solarR+25, board.Font{Size: 14, Fill: dark, Bold: true}.Middle(),
				board.Shorten(name, solarR, 14, true))
		case !worlds.Has(at):
			f := softFont.Sized(14)
			room := 2*math.Pi*(r1-19)*(d.spans[at].to-d.spans[at].from) - 16
			room = min(room, 2*math.Sqrt((r1-2)*(r1-2)-(r1-11)*(r1-11))) // the ends of a straight line come near the edge
			d.along(r1-19, d.spans[at].mid(), f, board.Shorten(name, room, f.Size, f.Bold))
		}
	}
}

// link draws the arrows of a link across the edge of two rings.
func (d *picture) link(r, turn float64) {
	x, y := polar(r, turn)
	d.Add(
		`<path transform="translate(%.1f %.1f) rotate(%.1f)" d="M0 -10l6 8h-12ZM0 10l6 -8h-12Z" fill="#7f93c4" stroke="%s" stroke-width="1"/>`, x, y, 360*turn, space)
}

// drawFleets draws the fleets at a place: a chip for each seat, packed around the middle of the place.
func (s *State) drawFleets(d *picture, at Place) {
	var chips []env.Player
	var widths []float64
	for q := range env.Player(s.game.players) {
		if f := s.seats[q].fleet[at]; f != (Fleets{}) {
			chips = append(chips, q)
			widths = append(widths, chipWidth(f)+5)
		}
	}
	if chips == nil {
		return
	}
	spots, scale := d.spots(at, widths, chipHeight+5)
	for i, q := range chips {
		f := s.seats[q].fleet[at]
		arrived := worlds.Has(at) && int8(q) == s.actor && s.arrived[at] != (Fleets{})
		d.chip(spots[i].X, spots[i].Y, scale, q, f, arrived)
	}
}

const (
	chipHeight = 24.0
	leastScale = 0.66 // at which texts have their least size
)

// chipWidth is that of the chip for some fleets.
func chipWidth(f Fleets) float64 { return chipHeight + partWidth(f.Steady) + partWidth(f.Risk) }

// partWidth is that of a number on a chip.
func partWidth(n uint8) float64 {
	switch {
	case n == 0:
		return 0
	case n < 10:
		return 19
	}
	return 28
}

// spots finds room for things in rows of a height inside a place, as near to its middle as they go, and by
// how much they must be scaled down to have it. What is still too much then reaches over the place's edges.
func (d *picture) spots(at Place, widths []float64, height float64) (spots []board.Point, scale float64) {
	for scale = 1; scale > leastScale; scale -= 0.03 {
		if spots = d.within(at, 0, widths, height, scale); spots != nil {
			return spots, scale
		}
	}
	for over := 8.0; over < 100; over += 8 {
		if spots = d.within(at, over, widths, height, leastScale); spots != nil {
			break
		}
	}
	return spots, leastScale
}

// within is spots for one scale; nil, if the place has not so much room. Its edges may be passed by so much.
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
			return math.Hypot(x-centreX, y-centreY) < solarR-9+over && y > centreY-solarR+32
		}, middle
	}
	r0, r1, _ := ring(at)
	r0, r1 = r0+9-over, r1-5
	if !worlds.Has(at) {
		r1 -= 23 // the name's
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
	width, height := scale*chipWidth(f), scale*chipHeight
	steady, risk := scale*partWidth(f.Steady), scale*partWidth(f.Risk)
	seat := board.Seats[q]
	font := countFont.Sized(max(board.Smallest, int(scale*float64(countFont.Size)))).Middle()
	x -= width / 2
	baseline := y + 0.36*float64(font.Size)
	d.Piece(digits[q])
	d.Rect(x+height/2, y-height/2, width-height/2, height, 5, board.Paint{Fill: seat.Fill, Stroke: bright, Width: 1.5})
	at := x + height
	if f.Steady > 0 {
		d.Text(at+steady/2, baseline, font.In(seat.Ink), strconv.Itoa(int(f.Steady)))
		at += steady
	}
	if f.Risk > 0 {
		d.Rect(at, y-height/2+1, risk-1, height-2, 4, board.Paint{Fill: "url(#risk)"})
		d.Rect(at+2, y-height/2+4*scale, risk-5, height-8*scale, 2, board.Paint{Fill: bright})
		d.Text(at+risk/2-0.5, baseline, font.Sized(max(board.Smallest, font.Size-2)).In(warn), strconv.Itoa(int(f.Risk)))
	}
	d.Circle(x+height/2, y, height/2, board.Paint{Fill: bright, Stroke: seat.Fill, Width: 3})
	d.Text(x+height/2, baseline, font.In(dark), digits[q])
	if arrived {
		d.Path(x+height/2-6, y-height/2-6, "M0 0h12l-6 8Z", board.Paint{Fill: glow, Stroke: space, Width: 1})
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
	const apart = 22.0 // between flags
	step := apart / (2 * math.Pi * flagR)
	var flags []env.Player
	for q := range env.Player(g.players) {
		if s.seats[q].counters.Has(w) {
			flags = append(flags, q)
		}
	}
	for i, q := range flags {
		x, y := polar(flagR, on.mid()+(float64(i)-float64(len(flags)-1)/2)*step)
		d.flag(x, y, q)
	}
	out := nameR
	if flags == nil {
		out = flagR - 4
	}
	x, y := polar(out, on.mid())
	f := headFont
	sin, cos := math.Sincos(2 * math.Pi * on.mid())
	y += 0.36 * float64(f.Size) * (1 - cos)
	room := 240.0
	switch {
	case sin > 0.25:
		room = panelX - 14 - x
	case sin < -0.25:
		f, room = f.End(), x-10
	default:
		f = f.Middle()
	}
	d.Fit(x, y, room, f, g.names[w])
}

// flag draws a Political Influence counter.
func (d *picture) flag(x, y float64, q env.Player) {
	seat := board.Seats[q]
	d.Piece(digits[q])
	d.Path(x-9, y, "M0 9v-18h18v13h-16v5Z", board.Paint{Fill: seat.Fill, Stroke: bright, Width: 1.2})
	d.Text(x+1, y+1.5, board.Font{Size: 12, Fill: seat.Ink, Bold: true}.Middle(), digits[q])
	d.End()
}

// drawRegion draws a region: its number on the rim, its owner, and above the surface its developments, with
// hollow ones for what the viewer may still settle there, or its Devastation.
func (s *State) drawRegion(d *picture, w Place, r int, on span, viewer env.Player) {
	owner := s.Owner(w, r)
	fill, ink := card, bright
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
		d.sector(landR-16, landR-1, on.inside(2, landR), board.Paint{Fill: "url(#risk)"})
	}
	x, y := polar(landR-12, on.mid())
	d.Rect(x-9, y-8, 18, 16, 4, board.Paint{Fill: space})
	d.Text(x, y+4.5, board.Font{Size: 12, Fill: soft}.Middle(), strconv.Itoa(r+1))
	if owner != None {
		x, y := polar(landR-44, on.mid())
		f := board.Font{Size: 24, Fill: ink, Bold: true}.Middle()
		if owner == UN {
			f.Size = 17
		}
		d.Text(x, y+0.36*float64(f.Size), f, ownerMark(owner))
	}
	x, y = polar(surfaceR+23, on.mid())
	if n := s.Devastation(w, r); n > 0 {
		d.heap(x, y, n)
		return
	}
	built, room := int(s.devs[w][r]), 0
	if owner == None || owner == viewer {
		room = max(0, s.capacity(viewer, w)-built)
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
	d.Path(x-20, y+11, "M0 0l7 -15l6 3l7 -10l8 9l5 -3l7 16Z", board.Paint{Fill: rubble, Stroke: rubbleBy, Width: 1})
	d.Text(x, y+8, board.Font{Size: 15, Fill: dark, Bold: true}.Middle(), strconv.Itoa(n))
}
