package earthman

import (
	"fmt"
	"math"
	"strings"

	"earthgym/env"
)

// The board as one SVG document (RULES.md 14): a disc of four rings, the worlds around it with their
// regions, and beside it what each seat has and what is to be decided.

const (
	drawWidth  = 1720
	drawHeight = 1120
	centreX    = 550
	centreY    = 560

	// Radii of the rings, outwards.
	solarR    = 62.0
	innerR    = 150.0
	approachR = 240.0
	orbitR    = 330.0
	landR     = 442.0 // where the regions of a world lie
	panelX    = 1120
)

var (
	seatColours = [numOwners]string{"#1f6fb4", "#c8551b", "#1a8f6a", "#b85c9e", "#a8811a", "#6b52ae", "#9fd0ea"}
	ringColours = [...]string{"#f6e7b4", "#dfe3ee", "#ccd4e6", "#bac5de"}
)

// drawing appends SVG elements.
type drawing struct{ b []byte }

func (d *drawing) f(format string, args ...any) {
	d.b = append(fmt.Appendf(d.b, format, args...), '\n')
}

func (d *drawing) text(x, y float64, size int, anchor, style, text string) {
	d.f(`<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" %s>%s</text>`, x, y, size, anchor, style, escape.Replace(text))
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// polar is a point of the disc; turn is from 0 at the top, clockwise to 1.
func polar(r, turn float64) (x, y float64) {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	return centreX + r*sin, centreY - r*cos
}

// sector is a ring segment.
func (d *drawing) sector(r0, r1, from, to float64, fill, extra string) {
	x0, y0 := polar(r0, from)
	x1, y1 := polar(r1, from)
	x2, y2 := polar(r1, to)
	x3, y3 := polar(r0, to)
	large := 0
	if to-from > 0.5 {
		large = 1
	}
	d.f(`<path d="M%.1f %.1f L%.1f %.1f A%.0f %.0f 0 %d 1 %.1f %.1f L%.1f %.1f A%.0f %.0f 0 %d 0 %.1f %.1f Z" fill="%s" %s/>`,
		x0, y0, x1, y1, r1, r1, large, x2, y2, x3, y3, r0, r0, large, x0, y0, fill, extra)
}

// span is the part of its ring that a place takes, in turns.
type span struct{ from, to float64 }

func (s span) mid() float64 { return (s.from + s.to) / 2 }

// spans lays the places out so that the edges that they share are the links: worlds by their Approach,
// and of each Approach one part below each Interplanetary place that it leads to.
func (g *Game) spans() (spans [NumPlaces]span) {
	var order []Place
	for at := range (g.places & approaches).Each {
		for w := range g.down[at].Each {
			order = append(order, w)
		}
	}
	width := 1 / float64(len(order))
	for i, w := range order {
		spans[w] = span{float64(i) * width, float64(i+1) * width}
		above := g.up[w].first()
		if a := &spans[above]; a.to == 0 {
			*a = spans[w]
		} else {
			a.to = spans[w].to
		}
	}
	for at := range (g.places & approaches).Each {
		part := (spans[at].to - spans[at].from) / float64(g.up[at].Count())
		i := 0
		for up := range g.up[at].Each {
			from := spans[at].from + float64(i)*part
			if u := &spans[up]; u.to == 0 {
				*u = span{from, from + part}
			} else {
				u.from, u.to = min(u.from, from), max(u.to, from+part)
			}
			i++
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

// AppendSVG draws the table for p.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := &drawing{dst}
	d.f(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif">`, drawWidth, drawHeight)
	d.f(`<defs><pattern id="risk" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#ffd54a"/><rect width="3" height="6" fill="#2b2b2b"/></pattern></defs>`)
	d.f(`<rect width="%d" height="%d" fill="#0d1424"/>`, drawWidth, drawHeight)
	s.drawRings(d)
	for w := range s.game.Worlds().Each {
		s.drawWorld(d, w, p)
	}
	s.drawFleets(d)
	s.drawPanel(d, p)
	d.f(`</svg>`)
	return d.b
}

// targets are the places that a legal action names.
func (s *State) targets() Places {
	var set Places
	for at := range Place(NumPlaces) {
		m := env.Mask(s.mask[:])
		if m.Has(At(at)) || m.Has(Part(at)) || m.Has(RiskAt(at)) {
			set |= only(at)
		}
	}
	return set
}

// drawRings draws the trajectories and orbits; places that a legal action names shine.
func (s *State) drawRings(d *drawing) {
	g := s.game
	spans := g.spans()
	shining := s.targets()
	for at := range g.places.Each {
		r0, r1, colour := ring(at)
		if at == Solar {
			d.f(`<circle cx="%d" cy="%d" r="%.0f" fill="%s" stroke="#0d1424" stroke-width="3"/>`, centreX, centreY, solarR, colour)
			continue
		}
		d.sector(r0, r1, spans[at].from, spans[at].to, colour, `stroke="#0d1424" stroke-width="3"`)
	}
	for at := range shining.Each {
		r0, r1, _ := ring(at)
		if at == Solar {
			d.f(`<circle cx="%d" cy="%d" r="%.0f" fill="none" stroke="#ffb300" stroke-width="4"/>`, centreX, centreY, solarR-4)
			continue
		}
		d.sector(r0+4, r1-4, spans[at].from+0.002, spans[at].to-0.002, "none", `stroke="#ffb300" stroke-width="4"`)
	}
	for at := range g.places.Each {
		if worlds.Has(at) {
			continue
		}
		_, r1, _ := ring(at)
		turn := spans[at].mid()
		if at == Solar {
			turn = 0
		}
		name := strings.TrimSuffix(strings.TrimSuffix(g.names[at], " Approach"), " System")
		d.along(r1-17, turn, name)
	}
}

// along writes a name along its ring, upright in the lower half as well.
func (d *drawing) along(r, turn float64, name string) {
	x, y := polar(r, turn)
	angle := 360 * turn
	if turn > 0.25 && turn < 0.75 {
		angle -= 180
	}
	style := fmt.Sprintf(`fill="#44506b" dominant-baseline="middle" transform="rotate(%.1f %.1f %.1f)"`, angle, x, y)
	d.text(x, y, 13, "middle", style, name)
}

// drawFleets draws a chip for each seat and place: steady fleets, and those At Risk hatched.
func (s *State) drawFleets(d *drawing) {
	spans := s.game.spans()
	for at := range s.game.places.Each {
		var chips []env.Player
		for q := range env.Player(s.game.players) {
			if s.seats[q].fleet[at] != (Fleets{}) {
				chips = append(chips, q)
			}
		}
		r0, r1, _ := ring(at)
		x, y := polar((r0+r1)/2-4, spans[at].mid())
		if at == Solar {
			x, y = centreX, centreY+6
		}
		columns := min(len(chips), 2)
		for i, q := range chips {
			rows := (len(chips) + 1) / 2
			cx := x + (float64(i%2)-float64(columns-1)/2)*50
			cy := y + (float64(i/2)-float64(rows-1)/2)*22
			s.drawChip(d, cx, cy, q, at)
		}
	}
}

func (s *State) drawChip(d *drawing, x, y float64, q env.Player, at Place) {
	f := s.seats[q].fleet[at]
	halves := 0
	if f.Steady > 0 {
		halves++
	}
	if f.Risk > 0 {
		halves++
	}
	x -= float64(halves) * 12
	if f.Steady > 0 {
		d.f(`<rect x="%.1f" y="%.1f" width="24" height="19" rx="4" fill="%s" stroke="#fff" stroke-width="1.2"/>`, x, y-10, seatColours[q])
		d.text(x+12, y+4.5, 13, "middle", `fill="#fff" font-weight="bold"`, fmt.Sprint(f.Steady))
		x += 24
	}
	if f.Risk > 0 {
		d.f(`<rect x="%.1f" y="%.1f" width="24" height="19" rx="4" fill="url(#risk)" stroke="%s" stroke-width="2.5"/>`, x, y-10, seatColours[q])
		d.f(`<rect x="%.1f" y="%.1f" width="15" height="13" rx="2" fill="#fff"/>`, x+4.5, y-7)
		d.text(x+12, y+4, 12, "middle", `fill="#b00020" font-weight="bold"`, fmt.Sprint(f.Risk))
		x += 24
	}
	if worlds.Has(at) && int8(q) == s.actor && s.arrived[at] != (Fleets{}) {
		d.f(`<path d="M%.1f %.1f l7 0 l-3.5 7 Z" fill="#b00020"><title>just arrived</title></path>`, x-3, y-16)
	}
}

// drawWorld draws a world's name, flags and regions; empty sockets are what p may still settle.
func (s *State) drawWorld(d *drawing, w Place, p env.Player) {
	g := s.game
	spans := g.spans()
	mid := spans[w].mid()
	regions := g.regions[w].Count()
	columns := min(regions, 4)
	rows := (regions + columns - 1) / columns
	const size, gap = 40.0, 45.0
	x, y := polar(landR, mid)
	x -= float64(columns) * gap / 2
	y -= float64(rows) * gap / 2
	for r := range regions {
		s.drawRegion(d, x+float64(r%columns)*gap, y+float64(r/columns)*gap, size, w, r, p)
	}
	d.text(x, y-9, 16, "start", `fill="#fff" font-weight="bold"`, g.names[w])
	fx := x + 11 + 9.5*float64(len(g.names[w]))
	for q := range s.game.players {
		if s.seats[q].counters.Has(w) {
			d.f(`<path d="M%.1f %.1f v-20 l13 6 l-13 6" fill="%s" stroke="#fff" stroke-width="1.4"><title>Political Influence of seat %d</title></path>`, fx, y-4, seatColours[q], q)
			fx += 17
		}
	}
}

func (s *State) drawRegion(d *drawing, x, y, size float64, w Place, r int, p env.Player) {
	owner := s.Owner(w, r)
	fill, stroke := "#1b2740", "#5c6b8c"
	if owner != None {
		fill = seatColours[owner]
	}
	width := 1.5
	if m := env.Mask(s.mask[:]); s.pending.at == w && m.Has(Region(r)) {
		stroke, width = "#ffb300", 4
	}
	d.f(`<rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" rx="5" fill="%s" stroke="%s" stroke-width="%.1f"/>`, x, y, size, size, fill, stroke, width)
	ink := "#fff"
	if owner == UN {
		ink = "#16324a"
	}
	d.text(x+4, y+11, 9, "start", fmt.Sprintf(`fill="%s" opacity="0.8"`, ink), fmt.Sprint(r+1))
	if n := s.Devastation(w, r); n > 0 {
		for i := range n {
			d.f(`<path d="M%.1f %.1f l6 -12 l6 4 l5 -3 l7 11 Z" fill="#8a8f99" stroke="#3c4048"/>`, x+8, y+22+float64(i)*13)
		}
		d.text(x+size-4, y+11, 9, "end", `fill="#c8ccd4"`, fmt.Sprint(n))
	}
	if owner != None {
		d.text(x+size/2, y+26, 19, "middle", fmt.Sprintf(`fill="%s" font-weight="bold"`, ink), fmt.Sprint(s.devs[w][r]))
		if owner == UN {
			d.text(x+size-3, y+11, 9, "end", `fill="#16324a"`, "UN")
		}
	}
	if s.shaken[w]>>r&1 != 0 {
		d.f(`<rect x="%.1f" y="%.1f" width="%.0f" height="8" fill="url(#risk)"/>`, x+1, y+size-9, size-2)
	}
	viewer := max(p, 0) // a spectator sees seat 0's sockets
	if owner == None && s.Devastation(w, r) == 0 || owner == viewer {
		for i := range s.capacity(viewer, w) - int(s.devs[w][r]) {
			d.f(`<circle cx="%.1f" cy="%.1f" r="3.2" fill="none" stroke="%s" stroke-width="1.4"/>`, x+size-6-float64(i)*8.5, y+size-12, "#e8ecf5")
		}
	}
}

// drawPanel draws the headline, the seats and the decision.
func (s *State) drawPanel(d *drawing, p env.Player) {
	y := 34.0
	d.text(panelX, y, 22, "start", `fill="#fff" font-weight="bold"`, fmt.Sprintf("Round %d of %d", s.round, s.game.rounds))
	turn := "The game is over"
	if s.phase != IsOver {
		turn = fmt.Sprintf("seat %d: %s", s.actor, phaseNames[s.phase])
	}
	d.text(panelX+190, y, 18, "start", `fill="#ffd54a"`, turn)
	y += 22
	status := fmt.Sprintf("First player: seat %d.", s.first)
	if s.trigger {
		status += fmt.Sprintf(" The end is triggered: seat %d plays last.", s.before(env.Player(s.first)))
	}
	if s.game.skynet {
		status += fmt.Sprintf(" Skynet: %d of %d.", s.rogue, s.game.data.Track.Skynet)
	}
	d.text(panelX, y, 13, "start", `fill="#c8d2e8"`, status)
	y += 12
	for q := range env.Player(s.game.players) {
		s.drawSeat(d, y, q)
		y += 118
	}
	s.drawDecision(d, y+22, p)
}

// bar draws a track with its mark.
func (d *drawing) bar(x, y, width float64, value, full, mark int, colour, label string) {
	share := func(n int) float64 { return width * min(1, float64(n)/float64(full)) }
	d.f(`<rect x="%.1f" y="%.1f" width="%.1f" height="12" fill="#24314f"/><rect x="%.1f" y="%.1f" width="%.1f" height="12" fill="%s"/>`, x, y, width, x, y, share(value), colour)
	d.f(`<path d="M%.1f %.1f v16" stroke="#ffd54a" stroke-width="2"/>`, x+share(mark), y-2)
	d.text(x-6, y+10, 12, "end", `fill="#c8d2e8"`, label)
	d.text(x+width+6, y+11, 13, "start", `fill="#fff" font-weight="bold"`, fmt.Sprint(value))
}

func (s *State) drawSeat(d *drawing, y float64, q env.Player) {
	my := &s.seats[q]
	stroke := "#2c3a5c"
	if int8(q) == s.actor {
		stroke = "#ffd54a"
	}
	d.f(`<rect x="%d" y="%.1f" width="580" height="112" rx="6" fill="#16203a" stroke="%s" stroke-width="2"/>`, panelX, y, stroke)
	d.f(`<rect x="%d" y="%.1f" width="10" height="112" rx="3" fill="%s"/>`, panelX, y, seatColours[q])
	marks := ""
	if int8(q) == s.first {
		marks += "first "
	}
	if int8(q) == s.seat {
		marks += "decides"
	}
	d.text(panelX+20, y+20, 16, "start", `fill="#fff" font-weight="bold"`, fmt.Sprintf("Seat %d", q))
	d.text(panelX+74, y+20, 13, "start", `fill="#ffd54a"`, marks)
	d.bar(panelX+220, y+8, 120, int(my.vp), max(50, s.game.points), s.game.points, "#e7b93c", "VP")
	d.bar(panelX+430, y+8, 100, int(my.power), 100, s.game.data.Track.Power, "#7fb0ff", "Power")
	next := fmt.Sprintf("next Score +%d", s.PowerVP(q))
	if level := my.level[AI]; level > 0 {
		next += fmt.Sprintf(" and %d AI dice", level)
	}
	pools := fmt.Sprintf("E %d   X %d   Thoughts %d   fleets %d/%d   developments %d   claims %d   peace %d   %s",
		my.e, my.x, my.thoughts, my.fleets, s.game.fleetCap, my.developments, my.claims, my.peace, next)
	d.text(panelX+20, y+42, 13, "start", `fill="#dde4f3"`, pools)
	x := panelX + 20.0
	if my.sanction {
		d.f(`<rect x="%.1f" y="%.1f" width="120" height="16" rx="3" fill="#9fd0ea"/>`, x, y+49)
		d.text(x+60, y+61, 11, "middle", `fill="#16324a" font-weight="bold"`, fmt.Sprintf("UN Sanctions %d/%d", my.token, s.game.data.Track.Sanctions))
		x += 130
	}
	if my.aside > 0 {
		d.text(x, y+61, 12, "start", `fill="#dde4f3"`, fmt.Sprintf("%d fleets aside", my.aside))
	}
	for t, tech := range s.game.techs {
		if tech.levels > 0 {
			s.drawTrack(d, panelX+20+float64(t)*42.5, y+70, my, Tech(t))
		}
	}
}

// drawTrack draws a technology: its level, and the counter on its track.
func (s *State) drawTrack(d *drawing, x, y float64, my *seat, t Tech) {
	tech := &s.game.techs[t]
	fill, ink := "#202c4a", "#8795b5"
	if my.level[t] > 0 {
		fill, ink = "#31588c", "#fff"
	}
	d.f(`<rect x="%.1f" y="%.1f" width="39" height="22" rx="3" fill="%s"/>`, x, y, fill)
	d.f(`<text x="%.1f" y="%.1f" font-size="10" fill="%s">%s<title>%s</title></text>`, x+3, y+14, ink, techShort[t], escape.Replace(tech.name))
	if my.level[t] > 0 {
		d.text(x+36, y+15, 13, "end", `fill="#ffd54a" font-weight="bold"`, fmt.Sprint(my.level[t]))
	}
	d.f(`<rect x="%.1f" y="%.1f" width="39" height="6" fill="#2c3a5c"/>`, x, y+25)
	if n := my.counter[t]; n > 0 {
		d.f(`<rect x="%.1f" y="%.1f" width="%.1f" height="6" fill="#ffb300"/>`, x, y+25, 39*float64(n)/float64(tech.steps))
	}
}

var techShort = [NumTechs]string{"AI", "Att", "Dur", "Def", "Infl", "Unity", "Stab", "Spac", "Lau", "Res", "Col", "Nano", "VonN"}

// drawDecision shows the question, what is nominated, the dice and the legal actions.
func (s *State) drawDecision(d *drawing, y float64, p env.Player) {
	const width = 78 // characters of a line
	style := `fill="#fff" font-weight="bold"`
	write := func(size int, style, text string) {
		for _, line := range wrap(text, width) {
			if y < drawHeight-8 {
				d.text(panelX, y, size, "start", style, line)
			}
			y += float64(size) + 5
		}
	}
	if s.phase == IsOver {
		write(16, style, s.endText())
		return
	}
	if s.point == AtThought {
		s.drawDice(d, y)
		y += 44
	}
	write(14, style, s.question())
	if nominated := s.nominatedText(); nominated != "" {
		write(13, `fill="#c8d2e8"`, "Nominated: "+nominated)
	}
	if env.Player(s.seat) != p {
		write(13, `fill="#c8d2e8"`, fmt.Sprintf("Seat %d decides.", s.seat))
		return
	}
	var texts []string
	for _, a := range env.Mask(s.mask[:]).Append(nil) {
		text := s.game.info.Actions[a].Text
		if hint := s.hint(a); hint != "" {
			text += " (" + hint + ")"
		}
		texts = append(texts, text)
	}
	write(13, `fill="#ffb300"`, strings.Join(texts, " · "))
}

// drawDice draws the lot of a Thought window; dice that reach the number are bright.
func (s *State) drawDice(d *drawing, y float64) {
	l := &s.lot
	const most = 18
	for i, reach := range l.dice[:min(int(l.n), most)] {
		fill := "#5c6b8c"
		if atLeast(reach, l.need) == 1 {
			fill = "#ffffff"
		}
		x := panelX + float64(i)*31
		d.f(`<rect x="%.1f" y="%.1f" width="26" height="26" rx="5" fill="%s"/>`, x, y-16, fill)
		d.text(x+13, y+3, 16, "middle", `fill="#0d1424" font-weight="bold"`, fmt.Sprint(reach))
	}
	if int(l.n) > most {
		d.text(panelX+most*31+4, y+3, 13, "start", `fill="#fff"`, fmt.Sprintf("+%d", int(l.n)-most))
	}
}

// wrap breaks a text into lines.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
