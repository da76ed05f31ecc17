package newearth

import (
	"fmt"
	"math"
	"strings"

	"earthgym/env"
)

// The board as a picture: the hexagon of six tiles, a panel for each seat, and what the viewer holds.

const (
	pictureWidth  = 1300
	pictureHeight = 880
	boardX        = 430.0 // middle of the hexagon
	boardY        = 452.0
	boardRadius   = 405.0
	panelX        = 866.0
	panelWidth    = 410.0
)

// cut is where a corner zone ends on the tile's sides: at this share the six zones have equal areas.
var cut = 1 / math.Sqrt(6)

var seatColours = [maxPlayers]string{"#2563a8", "#c2382e", "#2f855a", "#d69e0b"}

const (
	ink   = `fill="#22303a"`
	pale  = `fill="#66717b"`
	bold  = `fill="#22303a" font-weight="bold"`
	black = "#2b2b2b" // mining
	red   = "#c0392b" // energy
)

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := drawing{dst}
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif">`, pictureWidth, pictureHeight)
	d.add(`<rect width="%d" height="%d" fill="#f3efe4"/>`, pictureWidth, pictureHeight)
	d.text(24, 36, 24, "start", bold, title)
	d.text(24, 60, 14, "start", ink, s.headline())
	for k, place := range s.sectors {
		for slot := range numSlots {
			s.drawZone(&d, place.at(slot), &s.game.picture.shapes[k][slot])
		}
	}
	s.drawFrames(&d, p)
	for q := range env.Player(s.game.players) {
		s.drawSeat(&d, q, p)
	}
	y := s.drawTable(&d, p, panelY(s.game.players))
	if p >= 0 && s.turn > 0 {
		y = s.drawHand(&d, p, y)
	}
	if env.Player(s.seat) == p && s.node != Over {
		s.drawChoice(&d, p, y)
	}
	s.drawLegend(&d)
	d.add(`</svg>`)
	return d.dst
}

// drawing appends elements.
type drawing struct{ dst []byte }

func (d *drawing) add(format string, args ...any) {
	if len(args) == 0 {
		d.dst = append(append(d.dst, format...), '\n')
		return
	}
	d.dst = append(fmt.Appendf(d.dst, format, args...), '\n')
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// text writes a text; anchor is start, middle or end, and style further attributes.
func (d *drawing) text(x, y float64, size int, anchor, style, text string) {
	d.add(`<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" %s>%s</text>`, x, y, size, anchor, style, escape.Replace(text))
}

// A point of the picture.
type point struct{ x, y float64 }

// toward is the point at a share of the way to q.
func (p point) toward(q point, share float64) point {
	return point{p.x + (q.x-p.x)*share, p.y + (q.y-p.y)*share}
}

// corner is the outer corner of the board between sectors k-1 and k.
func corner(k int) point {
	angle := (float64(k)*60 - 120) * math.Pi / 180
	return point{boardX + boardRadius*math.Cos(angle), boardY + boardRadius*math.Sin(angle)}
}

// outline is the shape of the zone at a slot of a sector: a corner of the triangular tile is cut off as a
// zone of its own, and the rest is shared by the zones between.
func outline(k, slot int) []point {
	tips := [3]point{{boardX, boardY}, corner(k), corner(k + 1)} // at slots I, OL, OR
	middle := point{(tips[0].x + tips[1].x + tips[2].x) / 3, (tips[0].y + tips[1].y + tips[2].y) / 3}
	here, next := tips[slot/2], tips[(slot/2+1)%3]
	if slot%2 == 0 {
		return []point{here, here.toward(next, cut), here.toward(tips[(slot/2+2)%3], cut)}
	}
	other := tips[(slot/2+2)%3]
	// The middle of the line that cuts off a tip.
	mid := func(tip, a, b point) point { return tip.toward(a, cut).toward(tip.toward(b, cut), 0.5) }
	return []point{here.toward(next, cut), next.toward(here, cut), mid(next, here, other), middle, mid(here, next, other)}
}

// A shape is a zone's place in the picture.
type shape struct {
	points string
	at     point // where its contents stand
}

// shapes are those of every sector and slot.
func shapes() (all [NumTiles][numSlots]shape) {
	for k := range all {
		for slot := range all[k] {
			corners := outline(k, slot)
			var at point
			top := math.Inf(1)
			for _, p := range corners {
				at.x += p.x / float64(len(corners))
				at.y += p.y / float64(len(corners))
				top = min(top, p.y)
			}
			at.y = max(at.y, top+57) // room for the zone's id
			all[k][slot] = shape{points(corners), at}
		}
	}
	return all
}

func points(shape []point) string {
	var words []string
	for _, p := range shape {
		words = append(words, fmt.Sprintf("%.1f,%.1f", p.x, p.y))
	}
	return strings.Join(words, " ")
}

// drawFrames lays the borders of the tiles on top, and marks the zones that the question is about and, for
// the seat that decides, those that it can name.
func (s *State) drawFrames(d *drawing, p env.Player) {
	var legal Zones
	for z := range Zone(NumZones) {
		m := &s.mask
		if m.has(PickZone(z)) || m.has(Place(Machine, z)) || m.has(Place(Worker, z)) || m.has(Place(Maker, z)) {
			legal |= only(z)
		}
	}
	if p != env.Player(s.seat) {
		legal = 0
	}
	for k := range s.sectors {
		c, n := corner(k), corner(k+1)
		d.add(`<path d="M%.1f,%.1f L%.1f,%.1f L%.1f,%.1f" fill="none" stroke="#4a5560" stroke-width="3.5" stroke-linejoin="round"/>`, boardX, boardY, c.x, c.y, n.x, n.y)
	}
	for k, place := range s.sectors {
		for slot := range numSlots {
			switch z := place.at(slot); {
			case legal.Has(z):
				d.add(`<polygon points="%s" fill="none" stroke="#111111" stroke-width="2.2" stroke-dasharray="2 5"/>`, s.game.picture.shapes[k][slot].points)
			case s.target == z || s.hit.Has(z) || s.chosenZone == z || s.pickedZones.Has(z):
				d.add(`<polygon points="%s" fill="none" stroke="#111111" stroke-width="4.5" stroke-dasharray="9 5"/>`, s.game.picture.shapes[k][slot].points)
			}
		}
	}
}

func (s *State) drawZone(d *drawing, z Zone, on *shape) {
	owner := s.owner(z)
	ground, opacity, edge := "#e2dccb", 1.0, "#b9b19b"
	if owner >= 0 {
		ground, opacity, edge = seatColours[owner], 0.26, seatColours[owner]
	}
	if !s.inPlay.Has(z) {
		d.add(`<polygon points="%s" fill="#8f959b" stroke="#6c737a"/>`, on.points)
		d.text(on.at.x, on.at.y+4, 11, "middle", `fill="#e9ecef"`, "not in play")
		return
	}
	d.add(`<polygon points="%s" fill="%s" fill-opacity="%.2f" stroke="%s" stroke-width="1.6"/>`, on.points, ground, opacity, edge)
	if s.affected.Has(z) {
		d.add(`<polygon points="%s" fill="#6b2fa0" fill-opacity="0.28"/>`, on.points)
	}
	d.add(`<g transform="translate(%.1f %.1f)">`, on.at.x, on.at.y)
	d.text(0, -39, 12, "middle", bold, z.String())
	s.drawMarkers(d, z, owner)
	s.drawPieces(d, z)
	d.add(`</g>`)
}

// drawMarkers shows the control marker with its level, the leader, and what happened this turn.
func (s *State) drawMarkers(d *drawing, z Zone, owner env.Player) {
	if owner >= 0 {
		d.add(`<circle cx="0" cy="-23" r="12" fill="%s" stroke="#ffffff" stroke-width="1.5"/>`, seatColours[owner])
		d.text(0, -18, 14, "middle", `fill="#ffffff" font-weight="bold"`, fmt.Sprint(s.sl[z]))
	}
	for p := range s.game.players {
		if s.seats[p].leader == z {
			d.add(`<path d="M16,-11 q1,-9 6,-11 a5,5 0 1 1 4,0 q5,2 6,11 Z" fill="%s" stroke="#ffffff" stroke-width="1.2"/>`, seatColours[p])
		}
	}
	if s.affected.Has(z) {
		d.add(`<path d="M-34,-13 l8,14 l-16,0 Z" fill="#6b2fa0" stroke="#ffffff"/>`)
		d.text(-34, -1, 10, "middle", `fill="#ffffff" font-weight="bold"`, "!")
	}
	if s.elected.Has(z) {
		d.add(`<path d="M-40,12 l4,5 l8,-10" fill="none" stroke="#1d7a4c" stroke-width="2.6"/>`)
	}
}

// A picture is what can be drawn before any game: the shapes of the zones, and rows of pieces.
type picture struct {
	shapes   [NumTiles][numSlots]shape
	people   [2][maxPeople + 1][maxPeople + 1][maxPeople + 1]string // of energy zones or others, by limit, raw and manufacturing workers
	machines [maxMachines + 1][maxMachines + 1]string               // by limit and number
}

func newPicture() (p picture) {
	p.shapes = shapes()
	for energy, cube := range [...]string{black, red} {
		for limit := range maxPeople + 1 {
			for raw := range limit + 1 {
				for makers := range limit - raw + 1 {
					p.people[energy][limit][raw][makers] = peopleRow(limit, raw, makers, cube)
				}
			}
		}
	}
	for limit := range maxMachines + 1 {
		for n := range limit + 1 {
			p.machines[limit][n] = machineRow(limit, n)
		}
	}
	return p
}

func peopleRow(limit, raw, makers int, cube string) string {
	d := drawing{}
	for i := range limit {
		fill := "none"
		switch {
		case i < raw:
			fill = cube
		case i < raw+makers:
			fill = "#ffffff"
		}
		d.add(`<rect x="%.1f" y="-5" width="11" height="11" rx="1.5" fill="%s" stroke="#59626b" stroke-width="1"/>`, 13*float64(i)-6.5*float64(limit)+1, fill)
	}
	return string(d.dst)
}

func machineRow(limit, n int) string {
	d := drawing{}
	for i := range limit {
		fill := "none"
		if i < n {
			fill = "#8c6d3f"
		}
		d.add(`<circle cx="%.1f" cy="16" r="5.2" fill="%s" stroke="#6d5a3a" stroke-width="1"/>`, 13*float64(i)-6.5*float64(limit)+6.5, fill)
	}
	return string(d.dst)
}

// drawPieces shows cubes against the limits, plant and city.
func (s *State) drawPieces(d *drawing, z Zone) {
	energy := 0
	if s.energy.Has(z) {
		energy = 1
	}
	d.dst = append(d.dst, s.game.picture.people[energy][s.game.people[z]][s.raw[z]][s.makers[z]]...)
	d.dst = append(d.dst, s.game.picture.machines[s.game.machines[z]][s.machines[z]]...)
	x := -6.5*float64(s.game.people[z]) - 13
	switch {
	case s.mining.Has(z):
		d.add(`<path d="M%.1f,-3 q5,-4 10,0 M%.1f,-4 l0,10" fill="none" stroke="%s" stroke-width="2"/>`, x, x+5, black)
	case s.energy.Has(z):
		d.add(`<path d="M%.1f,-6 l-6,7 l4,0 l-2,6 l6,-8 l-4,0 Z" fill="%s"/>`, x+8, red)
	}
	x = -16
	if s.plants.Has(z) {
		d.add(`<path d="M%.1f,38 l0,-9 l5,-4 l0,4 l5,-4 l0,4 l5,-4 l0,13 Z" fill="#495057"/>`, x)
	}
	if s.cities.Has(z) {
		d.add(`<path d="M4,38 l0,-9 l5,0 l0,-5 l6,0 l0,7 l5,0 l0,7 Z" fill="#1f4e79"/>`)
		if s.forts.Has(z) {
			d.add(`<rect x="0.5" y="21.5" width="23" height="19" rx="4" fill="none" stroke="#1f4e79" stroke-width="2"/>`)
		}
	}
}

// panelY is where the panel of the p-th seat begins.
func panelY(p int) float64 { return 20 + 100*float64(p) }

func (s *State) drawSeat(d *drawing, q, p env.Player) {
	seat, y := &s.seats[q], panelY(int(q))
	stroke := 1.2
	if s.activeSeenBy(p) == q {
		stroke = 4
	}
	d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="92" rx="8" fill="#ffffff" stroke="%s" stroke-width="%.1f"/>`, panelX, y, panelWidth, seatColours[q], stroke)
	d.add(`<rect x="%.1f" y="%.1f" width="10" height="92" rx="4" fill="%s"/>`, panelX, y, seatColours[q])
	name := seatNames[q]
	if q == p {
		name += " (you)"
	}
	if i := s.order.place(q); i >= 0 {
		name += fmt.Sprintf(", %s", [...]string{"1st", "2nd", "3rd", "4th"}[i])
	}
	x := panelX + 22
	d.text(x, y+20, 14, "start", bold, name)
	d.text(panelX+panelWidth-12, y+20, 13, "end", ink, s.handText(q, p))
	d.text(x, y+42, 15, "start", bold, fmt.Sprintf("%dm", seat.has[Cash]))
	for i, k := range []Kind{Mining, Energy, Manufacturing} {
		at := x + 70 + 52*float64(i)
		d.add(`<rect x="%.1f" y="%.1f" width="12" height="12" fill="%s" stroke="#59626b"/>`, at, y+31, [...]string{black, red, "#ffffff"}[i])
		d.text(at+17, y+42, 14, "start", ink, fmt.Sprint(seat.has[k]))
	}
	d.text(panelX+panelWidth-12, y+42, 13, "end", ink, fmt.Sprintf("goods %d, levels need %d", seat.has[Goods], s.need(q)))
	if s.turn == 0 {
		return
	}
	made := s.Output(q)
	d.text(x, y+62, 12, "start", pale, fmt.Sprintf("output %d/%d/%d, income %dm, %d zones, elections %d of %d", made[Mining], made[Energy],
		made[Manufacturing], s.Income(q), s.owned[q].Count(), seat.electionsUsed, s.game.data.Elections))
	d.text(x, y+80, 12, "start", pale, "points: "+s.pointsText(q))
}

// drawTable shows what lies in the middle: piles, what is being resolved, the end.
func (s *State) drawTable(d *drawing, p env.Player, y float64) float64 {
	y += 14
	line := func(style, text string) {
		d.text(panelX, y, 13, "start", style, text)
		y += 18
	}
	line(pale, fmt.Sprintf("deck %d cards, discard pile %d", s.decked, s.discards))
	t := page{}
	s.textPending(&t)
	switch {
	case s.node == Over:
		s.textEnd(&t)
	case env.Player(s.seat) != p:
		t.line("%s.", s.waiting(p))
	}
	for _, text := range strings.Split(strings.TrimSuffix(string(t.dst), "\n"), "\n") {
		for _, row := range wrap(text, 62) {
			line(ink, row)
		}
	}
	return y
}

// wrap breaks a text into rows.
func wrap(text string, width int) []string {
	var rows []string
	row := ""
	for _, word := range strings.Fields(text) {
		if row != "" && len(row)+1+len(word) > width {
			rows = append(rows, row)
			row = "  "
		} else if row != "" {
			row += " "
		}
		row += word
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows
}

// drawHand shows the viewer's cards.
func (s *State) drawHand(d *drawing, p env.Player, y float64) float64 {
	y += 6
	d.text(panelX, y, 14, "start", bold, "your hand")
	x := panelX
	y += 8
	const width, height = 132.0, 46.0
	for set := s.held[p]; set != 0; set = set.Rest() {
		c := set.First()
		for range s.seats[p].hand[c] {
			if x+width > panelX+panelWidth+4 {
				x = panelX
				y += height + 5
			}
			s.drawCard(d, c, x, y, width, height)
			x += width + 6
		}
	}
	y += height + 20
	if seat := &s.seats[p]; seat.commitCash >= 0 {
		d.text(panelX, y, 13, "start", bold, fmt.Sprintf("committed: %dm and %s", seat.commitCash, titles(seat.commitCards)))
		y += 18
	}
	return y
}

func (s *State) drawCard(d *drawing, c Card, x, y, width, height float64) {
	fill := "#e8f0f7"
	if !c.IsCity() {
		fill = "#efe3f5"
	}
	d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="5" fill="%s" stroke="#7b8794"/>`, x, y, width, height, fill)
	d.add(`<circle cx="%.1f" cy="%.1f" r="8" fill="#22303a"/>`, x+width-13, y+13)
	d.text(x+width-13, y+17, 11, "middle", `fill="#ffffff"`, fmt.Sprint(s.game.value[c]))
	name := s.game.titleOf(c)
	size := 11
	if len(name) > 16 {
		size = 9
	}
	d.text(x+6, y+17, size, "start", bold, name)
	if !c.IsCity() {
		return
	}
	extra := ""
	switch {
	case s.game.sellable.Has(c):
		extra = fmt.Sprintf("  %dm", s.game.sale[c])
	case s.game.tradable.Has(c):
		extra = "  1 " + kindNames[s.game.unit[c]]
	}
	d.text(x+6, y+36, 10, "start", pale, fmt.Sprintf("In %s  Def %s%s", modifierText(s.game.initiator[c]), modifierText(s.game.defending[c]), extra))
}

// drawChoice shows the question to the seat that decides, with what comes of the answers.
func (s *State) drawChoice(d *drawing, p env.Player, y float64) {
	t := page{}
	s.textChoice(&t, p)
	for i, text := range strings.Split(strings.TrimSuffix(string(t.dst), "\n"), "\n") {
		style := ink
		if i == 0 {
			style = bold
		}
		for _, row := range wrap(text, 68) {
			if y > pictureHeight-12 {
				return
			}
			d.text(panelX, y, 12, "start", style, row)
			y += 16
		}
	}
}

func (s *State) drawLegend(d *drawing) {
	y := pictureHeight - 14.0
	d.text(24, y, 11, "start", pale, "pick: mining · flash: energy · squares: workers (black mining, red energy, white manufacturing) · circles: machines · roof: plant · skyline: city, framed when fortified · tick: election held · dotted: can be chosen · dashed: in question")
}
